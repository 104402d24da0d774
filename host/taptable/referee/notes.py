"""Notices out of the journal's lines, to be told again. Nothing depends on them but what people read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from taptable.core import check_notices, notices, part_notices, tag_notices
from taptable.core.announcements import type_name
from taptable.core.notices import Notice
from taptable.core.settings import US_PER_S
from taptable.referee.lines import public_name

_KINDS: Mapping[object, type[Notice]] = {
    type_name(kind): kind
    for module in (check_notices, notices, part_notices, tag_notices)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Notice) and kind is not Notice
}


def parse_note(line: Mapping[str, Any]) -> Notice | None:
    """The notice that `lines.announcement_line` wrote; None for one that this version doesn't know."""
    kind = next((kind for name, kind in _KINDS.items() if name == line.get("type")), None)
    if kind is None or {public_name(field.name) for field in fields(kind)} != line.keys() - {"type"}:
        return None
    try:
        return kind(**{field.name: _fact(field.name, line[public_name(field.name)]) for field in fields(kind)})
    except ValueError:
        return None


def _fact(name: str, value: Any) -> Any:
    """A field's value out of JSON; ValueError for one that no notice has."""
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
