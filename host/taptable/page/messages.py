"""A client's message and its sender: parses the message, its request id, and its fields into a request. Must not know
the verbs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgspec

from taptable.api.errors import RequestError
from taptable.core.json_text import NotJson, parse_json
from taptable.words import Words

MAX_CHARACTERS = 16_384
"""How many characters a message of a client may have."""
MAX_ID_CHARACTERS = 40
"""How many characters a message's id may have; longer texts are shortened to this where they are repeated."""
EXAMPLE = '{"do": "hello"}'
"""A valid message, for the refusal of one that isn't JSON."""
_FIELD = re.compile(r"\$\.(\w+)|field `(\w+)`")
"""The place in an error of msgspec that names the wrong field."""

StructT = TypeVar("StructT", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Requester:
    """The sender of a request: their name at the table, whether they may change things, their language, and their
    connection's name; the SHA-256 of their secret, and their device's id among the paired ones."""

    name: str
    paired: bool
    words: Words
    client: str
    digest: str = ""
    device: str = ""


def convert(kind: type[StructT], fields: Mapping[str, Any]) -> StructT:
    """Return the fields of a message as a request, without unknown ones; raise `RequestError` with the name of a wrong
    field."""
    known = {name: value for name, value in fields.items() if name in kind.__struct_fields__ and value is not None}
    try:
        return msgspec.convert(known, kind)
    except msgspec.ValidationError as error:
        found = _FIELD.search(str(error))
        raise RequestError(
            "live", "wrong-field", field=next(filter(None, found.groups()), "") if found else ""
        ) from error


def parse(text: str | None) -> Mapping[str, Any]:
    """Return the object in a message; raise `RequestError` with the reason if there is none."""
    if text is None:
        raise RequestError("live", "no-text")
    if len(text) > MAX_CHARACTERS:
        raise RequestError("live", "too-long", most=MAX_CHARACTERS)
    try:
        data = parse_json(text)
    except NotJson:
        data = None
    if not isinstance(data, dict):
        raise RequestError("live", "not-json", example=EXAMPLE)
    return cast("dict[str, Any]", data)


def request_id_of(message: Mapping[str, Any]) -> int | str | None:
    """Return the id that the response repeats."""
    number = message.get("n")
    return number if isinstance(number, int) or (isinstance(number, str) and len(number) <= MAX_ID_CHARACTERS) else None


def is_count(value: object) -> bool:
    """Return whether this is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def shorten(text: str) -> str:
    """Return the beginning of a text, to be repeated."""
    return text if len(text) <= MAX_ID_CHARACTERS else f"{text[:MAX_ID_CHARACTERS]}…"
