"""Reads the JSON text of a manifest, in which people describe the cards they own, and limits its number of cards. Each
game's `cards.py` defines and checks the content. Must not know a game."""

from __future__ import annotations

import json
from typing import Any, cast

from taptable.core.errors import ConfigError
from taptable.core.json_text import NotJson, parse_json
from taptable.core.spelling import shorten

THE_MANIFEST = "The manifest of the cards"
MAX_CARDS = 1_000
"""The most cards that a manifest may describe: far more than anybody enrols. A typing error or a stranger must not fill
the memory. `memory.deck.LONGEST_MANIFEST` limits the size of its file."""


def load_manifest(text: str, label: str = THE_MANIFEST) -> dict[str, Any]:
    """Return the object in a manifest's text. Raises ConfigError, with `label` as the subject, if the text is no JSON
    object or has a key twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for key, value in pairs:
            if key in entries:
                spelled = json.dumps(key, ensure_ascii=False).encode(errors="backslashreplace").decode()
                raise ConfigError(f"{label} has a key twice: {shorten(spelled)}.")
            entries[key] = value
        return entries

    try:
        value: object = parse_json(text, once)
    except NotJson as error:
        place = "" if error.line is None else f" (line {error.line}, column {error.column})"
        raise ConfigError(f"{label} is no JSON: {error}{place}.") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{label} is no JSON object: it begins with {{ and ends with }}.")
    return cast("dict[str, Any]", value)
