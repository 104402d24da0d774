"""A message of a client as it comes, and who says it: whether it is one at all, what its answer is to be called, and
its fields as a request has them. Knows no verb."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgspec

from taptable.api.errors import RequestError
from taptable.core.json_text import NotJson, parse_json
from taptable.words import Words

MOST_CHARACTERS = 16_384
"""How long a message of a client may be."""
MOST_ID_CHARACTERS = 40
EXAMPLE = '{"do": "hello"}'
_FIELD = re.compile(r"\$\.(\w+)|field `(\w+)`")

StructT = TypeVar("StructT", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Requester:
    """Who asks: what the table calls them, whether they may change anything, their language and their connection; the
    SHA-256 of their secret, and what their device is called among those that are paired."""

    name: str
    paired: bool
    words: Words
    client: str
    digest: str = ""
    device: str = ""


def convert(kind: type[StructT], fields: Mapping[str, Any]) -> StructT:
    """The fields of a message as a request has them, others left out; `RequestError` names one that can't be."""
    known = {name: value for name, value in fields.items() if name in kind.__struct_fields__ and value is not None}
    try:
        return msgspec.convert(known, kind)
    except msgspec.ValidationError as error:
        found = _FIELD.search(str(error))
        raise RequestError(
            "live", "wrong-field", field=next(filter(None, found.groups()), "") if found else ""
        ) from error


def parse(text: str | None) -> Mapping[str, Any]:
    """The object in a message; `RequestError` says why there is none."""
    if text is None:
        raise RequestError("live", "no-text")
    if len(text) > MOST_CHARACTERS:
        raise RequestError("live", "too-long", most=MOST_CHARACTERS)
    try:
        data = parse_json(text)
    except NotJson:
        data = None
    if not isinstance(data, dict):
        raise RequestError("live", "not-json", example=EXAMPLE)
    return cast("dict[str, Any]", data)


def request_id_of(message: Mapping[str, Any]) -> int | str | None:
    """What an answer is to be called by."""
    number = message.get("n")
    return (
        number if isinstance(number, int) or (isinstance(number, str) and len(number) <= MOST_ID_CHARACTERS) else None
    )


def is_count(value: object) -> bool:
    """Is this a whole number from 0 on?"""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def shorten(text: str) -> str:
    """The beginning of a text, to be said again."""
    return text if len(text) <= MOST_ID_CHARACTERS else f"{text[:MOST_ID_CHARACTERS]}…"
