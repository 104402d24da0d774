"""Values as a sentence about them shows them: as JSON has them, and no longer than a reader cares for."""

from __future__ import annotations

import json
from decimal import Decimal

LONGEST = 40


def spell(value: object) -> str:
    """A value as JSON has it; what is nested only by its kind, for it may be deep."""
    match value:
        case list():
            return "a list"
        case dict():
            return "an object"
        case Decimal():
            return shorten(str(value))
        case _:
            return shorten(json.dumps(value, ensure_ascii=False))


def shorten(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
