"""Notices out of the journal's lines, to be told again. Nothing depends on them but what people read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from taptable.core.announcements import type_name
from taptable.core.notices import NOTICES, Notice
from taptable.core.settings import US_PER_S
from taptable.referee.lines import public_name

_KINDS: Mapping[object, type[Notice]] = {type_name(kind): kind for kind in NOTICES}


def parse_note(line: Mapping[str, Any]) -> Notice | None:
    """The notice that `lines.announcement_line` wrote; None for one that this version doesn't know."""
    kind = next((kind for name, kind in _KINDS.items() if name == line.get("type")), None)
    if kind is None or {public_name(field.name) for field in fields(kind)} != line.keys() - {"type"}:
        return None
    facts = {field.name: _fact(field.name, line[public_name(field.name)]) for field in fields(kind)}
    return None if None in facts.values() else kind(**facts)


def _fact(name: str, value: object) -> Any:
    """A field's value out of JSON; None for one that no notice has."""
    if name.endswith("_us"):
        return round(value * US_PER_S) if isinstance(value, int | float) else None
    if isinstance(value, list):
        several = cast("list[object]", value)
        return tuple(several) if all(isinstance(each, int | str) for each in several) else None
    return value if isinstance(value, int | str) else None
