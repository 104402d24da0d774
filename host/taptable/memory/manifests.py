"""Manifests as files: the JSON text in which people describe the cards that they own. What it says is each game's own
affair; knows no game."""

from __future__ import annotations

import json

from taptable.core.errors import ConfigError

LONGEST = 500_000
"""Bytes; the sample of the game with the most cards has about 2000."""


def manifest_in(data: bytes, source: str) -> str:
    """The manifest in a file's bytes, a JSON object as text; ConfigError names the file and says why there is none."""
    if len(data) > LONGEST:
        raise ConfigError(f"The manifest {source} has {len(data)} bytes, and {LONGEST} are the most.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"byte 0x{data[error.start]:02x} in line {line}"
        raise ConfigError(f"The manifest {source} is no UTF-8: {where}; save it as UTF-8.") from error
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ConfigError(f"The manifest {source} is no JSON: {error.msg} ({where}).") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"The manifest {source} is no JSON: {error}.") from error
    if not isinstance(value, dict):
        raise ConfigError(f"The manifest {source} is no JSON object: it begins with {{ and ends with }}.")
    return text
