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
    facts: dict[str, Any] = {}
    for field in fields(kind):
        value = line[public_name(field.name)]
        if isinstance(value, list):
            facts[field.name] = tuple(cast("list[int | str]", value))
            continue
        match value:
            case int() | float() as seconds if field.name.endswith("_us"):
                facts[field.name] = round(seconds * US_PER_S)
            case int() | str() as fact:
                facts[field.name] = fact
            case _:
                return None
    return kind(**facts)
