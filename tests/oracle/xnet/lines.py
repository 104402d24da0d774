"""One input line, read by the letter of referee-jsonl.md and the page's section on controls. Times come out in whole
microseconds."""

from __future__ import annotations

import json
from decimal import Decimal

SHARED = ("take-back", "reshuffle", "new-game", "end-game", "pause", "resume")
LEVELS, USERS = (1, 2, 3), (1, 2)


class Malformed(Exception):
    """The line isn't valid: it moves no time and changes nothing."""


def read_line(text: str, players: int) -> dict:
    """What the line says, with its `what`: show, tap, hold, press, control or time; else Malformed."""
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
    for what in ("tap", "hold"):
        if keys == {"at", what, "pad"}:
            if not isinstance(line[what], str):
                raise Malformed("a card is a text")
            if line["pad"] not in ("discard", "demand") and not _is_seat(line["pad"], players):
                raise Malformed("no such pad")
            return {"what": what, "at": at, "card": line[what], "pad": line["pad"]}
    if {"at", "press"} <= keys <= {"at", "press", "pressed_at", "uncertainty_s"}:
        return _press(line, at, players)
    if {"at", "control"} <= keys:
        fields = {key: value for key, value in line.items() if key not in ("at", "control")}
        return {"what": "control", "at": at, "control": line["control"], "fields": _fields(line["control"], fields)}
    raise Malformed("an unknown or extra key")


def _press(line: dict, at: int, players: int) -> dict:
    if not _is_seat(line["press"], players):
        raise Malformed("no such seat")
    if "pressed_at" in line and _microseconds(line["pressed_at"]) > at:
        raise Malformed("pressed after it arrived")
    if "uncertainty_s" in line and _microseconds(line["uncertainty_s"]) < 0:
        raise Malformed("a negative uncertainty")
    return {"what": "press", "at": at, "seat": line["press"]}


def _fields(control: object, fields: dict) -> dict:
    """The fields of a control, if they are right for it."""
    keys = set(fields)
    if control in (*SHARED, "buy-server", "buy-streamer", "buy-net"):
        right = not keys
    elif control == "demand-new":
        right = keys == {"level"} and _is_one_of(fields["level"], LEVELS)
    elif control == "buy-users":
        right = keys == {"users"} and _is_one_of(fields["users"], USERS)
    elif control in ("demand-replace", "to-streamer", "hire-specialist", "to-hand"):
        right = keys <= {"topic"}
    elif control == "swap":
        right = keys in (set(), {"lower", "upper"})
    else:
        raise Malformed("no such control")
    if not right or not all(isinstance(fields[key], str) for key in keys & {"topic", "lower", "upper"}):
        raise Malformed("another field or value")
    return fields


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _is_one_of(value: object, numbers: tuple[int, ...]) -> bool:
    return type(value) is int and value in numbers


def _is_seat(value: object, players: int) -> bool:
    return type(value) is int and 1 <= value <= players


def _microseconds(value: object) -> int:
    if type(value) is not int and not isinstance(value, Decimal):
        raise Malformed("a time is a number")
    return int((Decimal(value) * 1_000_000).to_integral_value())
