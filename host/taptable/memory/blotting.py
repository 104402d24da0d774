"""Names of people out of what was journalled: which notes have some, and the same notes without them. Digests stay what
they are, since these notes count in them by their time alone. Knows no file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from taptable.core.notices import ADMINISTRATOR, PAGE
from taptable.memory.records import JsonObject

_NOBODY = ("", PAGE, ADMINISTRATOR)


def without_names(line: JsonObject, names: Collection[str] | None) -> Mapping[str, Any]:
    """A note's line without these names of players and of who asked for something; None: without any."""

    def gone(name: object) -> bool:
        return name not in _NOBODY and (names is None or name in names)

    blotted = dict(line)
    if gone(blotted.get("by", "")):
        blotted["by"] = PAGE
    if isinstance(blotted.get("names"), list):
        blotted["names"] = ["" if gone(name) else name for name in cast("list[object]", blotted["names"])]
    return blotted
