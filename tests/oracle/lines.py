"""One input line, read by the letter of referee-jsonl.md. Times come out in whole microseconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal

SHARED = ("take-back", "reshuffle", "new-game", "end-game", "pause", "resume")


class Malformed(Exception):
    """The line isn't valid: it moves no time and changes nothing."""


def no_other(name: object, fields: dict) -> bool:
    """A game without controls of its own."""
    del name, fields
    return False


def read_line(
    text: str, players: int, own: Callable[[object, dict], bool] = no_other, pads: tuple[str, ...] = ("discard",)
) -> dict:
    """Parse a line, with its `what`: show, tap, hold, press, control or time. Raises Malformed for any other. `own`
    knows whether a game has a control by this name with these fields."""
    try:
        line = json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    except ValueError:
        raise Malformed("not JSON") from None
    if not isinstance(line, dict):
        raise Malformed("not an object")
    keys = set(line)
    if keys == {"show"}:
        if line["show"] not in ("state", "legal"):
            raise Malformed("nothing to show by that name")
        return {"what": "show", "show": line["show"]}
    if "at" not in keys:
        raise Malformed("no time")
    at = _microseconds(line["at"])
    if at < 0:
        raise Malformed("before the beginning")
    if keys == {"at"}:
        return {"what": "time", "at": at}
    for what, more in (("tap", {"uncertainty_s"}), ("hold", set())):
        if {"at", what, "pad"} <= keys <= {"at", what, "pad"} | more:
            if not isinstance(line[what], str):
                raise Malformed("a card is a text")
            if line["pad"] not in pads and not is_seat(line["pad"], players):
                raise Malformed("no such pad")
            return {"what": what, "at": at, "card": line[what], "pad": line["pad"], "uncertainty": _uncertainty(line)}
    if {"at", "press"} <= keys <= {"at", "press", "pressed_at", "uncertainty_s"}:
        if not is_seat(line["press"], players):
            raise Malformed("no such seat")
        pressed = _microseconds(line["pressed_at"]) if "pressed_at" in keys else at
        if pressed > at:
            raise Malformed("pressed after it arrived")
        return {"what": "press", "at": at, "seat": line["press"], "pressed": pressed, "uncertainty": _uncertainty(line)}
    if "control" in keys:
        fields = {key: value for key, value in line.items() if key not in ("at", "control")}
        if fields if line["control"] in SHARED else not own(line["control"], fields):
            raise Malformed("no such control, or not with these fields")
        return {"what": "control", "at": at, "control": line["control"], "fields": fields}
    raise Malformed("an unknown or extra key")


def _uncertainty(line: dict) -> int:
    uncertainty = _microseconds(line.get("uncertainty_s", 0))
    if uncertainty < 0:
        raise Malformed("a negative uncertainty")
    return uncertainty


def _no_constant(name: str) -> None:
    raise ValueError(name)


def is_seat(value: object, players: int) -> bool:
    """A whole number, and no truth value."""
    return type(value) is int and 1 <= value <= players


def _microseconds(value: object) -> int:
    if type(value) is not int and not isinstance(value, Decimal):
        raise Malformed("a time is a number")
    return int((Decimal(value) * 1_000_000).to_integral_value())
