"""Removes people's names from recorded notes, for the journal and the presets. Digests stay the same, because a note
with names counts in them by its time alone. Must not know a file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from taptable.core.notices import ADMINISTRATOR, BRIDGE, PAGE
from taptable.memory.records import JsonObject

_NOBODY = ("", PAGE, BRIDGE, ADMINISTRATOR)


def redact_names(line: JsonObject, names: Collection[str] | None) -> Mapping[str, Any]:
    """Return a note's line without these names of players and requesters; None stands for all names."""
    redacted = dict(line)
    if is_to_redact(redacted.get("by", ""), names):
        redacted["by"] = PAGE
    if isinstance(redacted.get("names"), list):
        listed = cast("list[object]", redacted["names"])
        redacted["names"] = ["" if is_to_redact(name, names) else name for name in listed]
    return redacted


def is_to_redact(name: object, names: Collection[str] | None) -> bool:
    """Return whether this is the name of a person and among `names`; None stands for any name."""
    return name not in _NOBODY and (names is None or name in names)
