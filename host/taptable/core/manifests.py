"""The JSON text of a manifest, in which people describe the cards they own. What it says is each game's own affair."""

from __future__ import annotations

import json
from typing import Any, cast

from taptable.core.errors import ConfigError
from taptable.core.spelling import shorten

THE_MANIFEST = "The manifest of the cards"
MOST_CARDS = 1_000
"""That a manifest may describe: far more than anybody enrols. A slip of the pen, or a stranger, shall not fill the
memory."""


def load_manifest(text: str, called: str = THE_MANIFEST) -> dict[str, Any]:
    """The object in a manifest's text, in which no key stands twice; ConfigError says why there is none, of a manifest
    that is `called` so."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise ConfigError(f"{called} has a key twice: {shorten(json.dumps(key, ensure_ascii=False))}.")
            found[key] = value
        return found

    try:
        value: object = json.loads(text, object_pairs_hook=once)
        text.encode()
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ConfigError(f"{called} is no JSON: {error.msg} ({place}).") from error
    except RecursionError:
        raise ConfigError(f"{called} is no JSON: it is nested too deeply.") from None
    except UnicodeEncodeError as error:  # half of a pair of UTF-16
        raise ConfigError(f"{called} has a character that can't be written: {error.object[error.start]!a}.") from None
    except ValueError:
        raise ConfigError(f"{called} can't be read: a number in it has thousands of digits.") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{called} is no JSON object: it begins with {{ and ends with }}.")
    return cast("dict[str, Any]", value)
