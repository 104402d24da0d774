"""Parsers of the JSON values of a referee's line, for `lines`. An invalid value raises LineError with a sentence that
shows the value. Must not know which keys a line has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any, TypeAlias, cast

from taptable.core.json_text import MAX_DEPTH, NotJson, check_depth
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.core.spelling import short_json, shorten

LONGEST_S = 8 * 10**9
"""Bound of times: up to here (past any Unix time of today) a JSON number tells whole microseconds apart."""

_MAX_WHOLE = 10**19
"""Whole numbers below this have at most 20 characters with their sign, which `_parse_int` allows."""

JsonObject: TypeAlias = Mapping[str, Any]


class LineError(ValueError):
    """A line is invalid; the text says why."""


def load(text: str) -> dict[str, Any]:
    """Return the object in a text; numbers with a point as `Decimal`."""
    if not text.strip():
        raise LineError("the line is blank")
    try:
        check_depth(text)
        data = json.loads(
            text,
            parse_float=_parse_decimal,
            parse_int=_parse_int,
            parse_constant=_reject_constant,
            object_pairs_hook=_reject_duplicate_keys,
        )
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except NotJson as error:
        raise LineError(f"not a line of the referee: {error}") from None
    if not isinstance(data, dict):
        raise LineError("not a JSON object")
    return cast("dict[str, Any]", data)


def normalize_loaded(value: object, depth: int = 0) -> Any:
    """Return a JSON value that was parsed elsewhere as `load` would have; it lies `depth` deep in another."""
    if depth > MAX_DEPTH:
        raise LineError("not a line of the referee: it is nested too deeply")
    match value:
        case str() | bool() | None:
            return value
        case float():
            return _parse_decimal(repr(value)) if isfinite(value) else _reject_constant(str(value))
        case int():
            return value if -_MAX_WHOLE < value < _MAX_WHOLE else _parse_int(str(value))
        case dict():
            return {key: normalize_loaded(each, depth + 1) for key, each in cast("dict[str, object]", value).items()}
        case list() | tuple():
            return [normalize_loaded(each, depth + 1) for each in cast("list[object]", value)]
        case _:
            raise LineError(f"{value!r:.40} is no JSON")


def parse_pairs(value: object) -> list[tuple[object, object]]:
    """Return a list of pairs."""
    return [(one, other) for one, other in _parse_rows(value, 2, "pairs")]


def parse_triples(value: object) -> list[tuple[object, object, object]]:
    """Return a list of triples."""
    return [(one, other, third) for one, other, third in _parse_rows(value, 3, "triples")]


def _parse_rows(value: object, length: int, called: str) -> list[list[object]]:
    rows: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
    for row in rows:
        if not isinstance(row, list) or len(cast("list[Any]", row)) != length:
            raise LineError(f"a correction is made of {called}")
    return rows


def require_key(data: JsonObject, key: str) -> Any:
    """Return the value of a required key."""
    if key not in data:
        raise LineError(f"key {short_json(key)} is missing")
    return data[key]


def parse_count(value: object) -> int:
    """Return a whole number from 0."""
    if type(value) is not int or value < 0:
        raise LineError(f"no count: {short_json(value)}")
    return value


def check_keys(data: JsonObject, needed: frozenset[str], allowed: frozenset[str]) -> None:
    """Require every needed key, and no keys but those and the allowed ones."""
    for key in data:
        if key not in needed and key not in allowed:
            raise LineError(f"unknown or extra key {short_json(key)}")
    for key in sorted(needed):
        if key not in data:
            raise LineError(f"key {short_json(key)} is missing")


def parse_time_us(value: object, key: str) -> int:
    """Return seconds as whole microseconds."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise LineError(f"{key} is no number: {short_json(value)}")
    if not -LONGEST_S <= value <= LONGEST_S:
        raise LineError(f"{key} is out of range: {short_json(value)}")
    return int((Decimal(value) * US_PER_S).to_integral_value())


def parse_card(value: object) -> str:
    """Return a card's id, known or not."""
    if not isinstance(value, str):
        raise LineError(f"a card is a text, not {short_json(value)}")
    return value


def parse_text(value: object, key: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise LineError(f"{key} is a text, not {short_json(value)}")
    return value


def parse_texts(value: object, key: str) -> dict[str, str]:
    """Return an object of texts."""
    if not isinstance(value, dict):
        raise LineError(f"{key} are an object of texts, not {short_json(value)}")
    return {name: parse_text(each, name) for name, each in cast("dict[str, object]", value).items()}


def parse_cards(value: object) -> tuple[str, ...]:
    """Return a list of cards."""
    if not isinstance(value, list):
        raise LineError(f"cards are a list, not {short_json(value)}")
    return tuple(map(parse_card, cast("list[object]", value)))


def parse_pad(value: object, pads: tuple[Pad, ...]) -> Pad:
    """Return one of the table's pads, or a seat."""
    # True == 1 in Python, and 1.0 is no seat either
    if type(value) not in (int, str) or value not in pads:
        raise LineError(f"no pad or seat {short_json(value)} at this table")
    return cast("Pad", value)


def _parse_decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond any Decimal
        raise LineError(f"number out of range: {shorten(text)}") from None


def _parse_int(text: str) -> int:
    if len(text) > 20:
        raise LineError(f"number out of range: {shorten(text)}")
    return int(text)


def _reject_constant(text: str) -> None:
    raise LineError(f"{text} is no number")


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise LineError("a key stands twice")
    return data
