"""A message of a client as it comes: whether it is one at all, and what its answer is to be called. Knows no verb."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from taptable.api.errors import RequestError

MOST_CHARACTERS = 16_384
"""How long a message of a client may be."""
LONGEST_NUMBER = 40
EXAMPLE = '{"do": "hello"}'


def parse(text: str | None) -> Mapping[str, Any]:
    """The object in a message; `RequestError` says why there is none."""
    if text is None:
        raise RequestError("live", "no-text")
    if len(text) > MOST_CHARACTERS:
        raise RequestError("live", "too-long", most=MOST_CHARACTERS)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RequestError("live", "not-json", example=EXAMPLE)
    return cast("dict[str, Any]", data)


def number_of(message: Mapping[str, Any]) -> int | str | None:
    """What an answer is to be called by."""
    number = message.get("n")
    return number if isinstance(number, int) or (isinstance(number, str) and len(number) <= LONGEST_NUMBER) else None


def is_count(value: object) -> bool:
    """Is this a whole number from 0 on?"""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def short(text: str) -> str:
    """The beginning of a text, to be said again."""
    return text if len(text) <= LONGEST_NUMBER else f"{text[:LONGEST_NUMBER]}…"
