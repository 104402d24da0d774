"""Somebody at the page who asks for something, and the fields of what they ask. Must not know what for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from taptable.api.errors import RequestError
from taptable.words import Words

_FIELD = re.compile(r"\$\.(\w+)|field `(\w+)`")

Anything = TypeVar("Anything", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: what the table calls them, whether they may change anything, their language and their connection; the
    SHA-256 of their secret, and what their device is called among those that are paired."""

    name: str
    paired: bool
    words: Words
    client: str
    digest: str = ""
    device: str = ""


def convert(kind: type[Anything], fields: Mapping[str, Any]) -> Anything:
    """The fields of a message as a request has them, others left out; `RequestError` names one that can't be."""
    known = {name: value for name, value in fields.items() if name in kind.__struct_fields__ and value is not None}
    try:
        return msgspec.convert(known, kind)
    except msgspec.ValidationError as error:
        found = _FIELD.search(str(error))
        raise RequestError(
            "live", "wrong-field", field=next(filter(None, found.groups()), "") if found else ""
        ) from error
