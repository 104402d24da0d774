"""Rebuilds notices from the journal's notes, for the history and for clients. `lines.announcement_line` wrote the
notes. Replay doesn't depend on them, so a note that this version doesn't know is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from typing import Any, cast, get_type_hints

from taptable.core import check_notices, notices, part_notices, tag_notices
from taptable.core.announcements import type_name
from taptable.core.notices import Notice
from taptable.core.settings import US_PER_S
from taptable.referee.lines import public_name

KINDS: Mapping[object, type[Notice]] = {
    type_name(kind): kind
    for module in (check_notices, notices, part_notices, tag_notices)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Notice) and kind is not Notice
}
"""Every kind of notice by its name in lines."""


def parse_notice(line: Mapping[str, Any]) -> Notice | None:
    """Return the notice that `lines.announcement_line` wrote; None for a kind or shape that this version doesn't
    know."""
    kind = next((kind for name, kind in KINDS.items() if name == line.get("type")), None)
    if kind is None or {public_name(field.name) for field in fields(kind)} != line.keys() - {"type"}:
        return None
    try:
        return kind(**{name: _parse_field(name, line[public_name(name)], of) for name, of in _types(kind).items()})
    except ValueError:
        return None


@cache
def _types(kind: type[Notice]) -> dict[str, Any]:
    """Return the type of each field of a kind."""
    types = get_type_hints(kind)
    return {field.name: types[field.name] for field in fields(kind)}


def _parse_field(name: str, value: Any, field_type: Any) -> Any:
    """Return the value of a field of type `field_type` from JSON; ValueError for a value that no notice has."""
    if isinstance(field_type, type) and issubclass(field_type, StrEnum):
        return field_type(value)
    if name.endswith("_us"):
        if isinstance(value, int | float):
            return round(value * US_PER_S)
    elif isinstance(value, list):
        several = cast("list[object]", value)
        if all(isinstance(each, int | str) for each in several):
            return tuple(several)
    elif value is None or isinstance(value, int | str):
        return value
    raise ValueError(f"no notice has {name}={value!r:.40}")
