"""The referee's lines: observations from JSON and to JSON, and verdicts to JSON. The front end and the journal
both speak them.

Times are seconds in a line and whole microseconds inside. What isn't a valid line raises LineError with a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias, cast

from taptable.core.announcements import Announcement, type_name
from taptable.core.notices import Notice
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    TableCorrected,
    TimePassed,
)
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict

CONTROLS = ("take-back", "reshuffle", "new-game", "pause", "resume")
LONGEST_S = 8 * 10**9
"""Up to here (past any Unix time of today) a JSON number tells whole microseconds apart."""

Fields: TypeAlias = Mapping[str, Any]


class LineError(ValueError):
    """A line that isn't valid; its text says why."""


@dataclass(frozen=True, slots=True)
class Show:
    """A question about the table: ``state`` or ``legal``."""

    what: str


SHAPES: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("show", frozenset({"show"}), frozenset()),
    ("tap", frozenset({"at", "tap", "pad"}), frozenset()),
    ("hold", frozenset({"at", "hold", "pad"}), frozenset()),
    ("press", frozenset({"at", "press"}), frozenset({"pressed_at", "uncertainty_s"})),
    ("control", frozenset({"at", "control"}), frozenset()),
    ("at", frozenset({"at"}), frozenset()),
)
"""The kinds of line by the key that tells them, the keys each must have, and those it may have."""


def parse_line(text: str, pads: tuple[Pad, ...]) -> Observation | Show:
    """The observation or question in one line, for a table with these pads."""
    return _interpret(_load(text), pads)


def parse_recorded(data: Fields, pads: tuple[Pad, ...]) -> Observation:
    """The observation in a line of the journal, where two cards at once and corrections may stand too."""
    data = _load(json.dumps(data))
    if "correct" in data:
        _check_keys(data, frozenset({"at", "correct"}), frozenset())
        return _correction(_time(data["at"], "at"), data["correct"], pads)
    if "together" in data:
        _check_keys(data, frozenset({"at", "together", "pad", "since"}), frozenset())
        at_us, since_us = _time(data["at"], "at"), _time(data["since"], "since")
        return CardsTogether(at_us, _cards(data["together"]), _pad(data["pad"], pads), since_us)
    observation = _interpret(data, pads)
    if isinstance(observation, Show):
        raise LineError("a question is no observation")
    return observation


def line_of(observation: Observation) -> dict[str, Any]:
    """The line that says an observation."""
    at = {"at": observation.at_us / US_PER_S}
    match observation:
        case CardTapped(_, card, pad):
            return {**at, "tap": card, "pad": pad}
        case CardHeld(_, card, pad):
            return {**at, "hold": card, "pad": pad}
        case CardsTogether(_, cards, pad, since_us):
            return {**at, "together": list(cards), "pad": pad, "since": since_us / US_PER_S}
        case ButtonPressed(at_us, seat, pressed_at_us, uncertainty_us):
            line: dict[str, Any] = {**at, "press": seat}
            if pressed_at_us != at_us:
                line["pressed_at"] = pressed_at_us / US_PER_S
            if uncertainty_us:
                line["uncertainty_s"] = uncertainty_us / US_PER_S
            return line
        case TimePassed():
            return at
        case ControlUsed(_, control):
            return {**at, "control": control}
        case TableCorrected(_, laid, gone, hands):
            correct = {"laid": [list(one) for one in laid], "gone": list(gone), "hands": [list(one) for one in hands]}
            return {**at, "correct": correct}


def answer_of(at_us: int, verdict: Verdict, say: Callable[[Verdict], str] | None = None) -> dict[str, Any]:
    """The answer line for a verdict; `say` gives its sentence for people."""
    answer: dict[str, Any] = {"at": at_us / US_PER_S, "verdict": VERDICTS[type(verdict)]}
    if not isinstance(verdict, Accepted):
        answer["rule"] = verdict.rule
        answer["code"] = verdict.code
    if say is not None:
        answer["say"] = say(verdict)
    answer["announcements"] = [announcement_line(announcement) for announcement in verdict.announcements]
    return answer


VERDICTS: Mapping[type[Verdict], str] = {
    Accepted: "accepted",
    Refused: "refused",
    Ignored: "ignored",
    Fault: "fault",
}


def announcement_line(said: Announcement | Notice) -> dict[str, Any]:
    """An announcement or a notice as JSON: its type and its fields, times in seconds."""
    line: dict[str, Any] = {"type": type_name(type(said))}
    for field in fields(said):
        value = getattr(said, field.name)
        if field.name.endswith("_us"):
            line[public_name(field.name)] = None if value is None else value / US_PER_S
        else:
            line[field.name] = list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
    return line


def public_name(field: str) -> str:
    """A field's name in a line: a moment in seconds loses its ``_us``, a span in seconds ends in ``_s``."""
    if not field.endswith("_us"):
        return field
    name = field.removesuffix("_us")
    return name if name in ("at", "until") or name.endswith("_at") else f"{name}_s"


def _load(text: str) -> dict[str, Any]:
    if not text.strip():
        raise LineError("the line is blank")
    try:
        data = json.loads(
            text, parse_float=_decimal, parse_int=_whole, parse_constant=_no_constant, object_pairs_hook=_once
        )
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise LineError("not a line of the referee: nested too deeply") from None
    if not isinstance(data, dict):
        raise LineError("not a JSON object")
    return cast("dict[str, Any]", data)


def _interpret(data: Fields, pads: tuple[Pad, ...]) -> Observation | Show:
    for key, needed, allowed in SHAPES:
        if key in data:
            _check_keys(data, needed, allowed)
            break
    else:
        raise LineError(f"no known key: {_shorten(', '.join(data))}" if data else "the object is empty")
    if key == "show":
        if data["show"] not in ("state", "legal"):
            raise LineError(f'can\'t show {_spell(data["show"])}: there are "state" and "legal"')
        return Show(data["show"])
    at_us = _time(data["at"], "at")
    match key:
        case "tap":
            return CardTapped(at_us, _card(data["tap"]), _pad(data["pad"], pads))
        case "hold":
            return CardHeld(at_us, _card(data["hold"]), _pad(data["pad"], pads))
        case "press":
            return _press(data, at_us, pads)
        case "control":
            if data["control"] not in CONTROLS:
                raise LineError(f"unknown control {_spell(data['control'])}: there are {', '.join(CONTROLS)}")
            return ControlUsed(at_us, data["control"])
        case _:
            return TimePassed(at_us)


def _correction(at_us: int, data: object, pads: tuple[Pad, ...]) -> TableCorrected:
    if not isinstance(data, dict):
        raise LineError("a correction is an object")
    found = cast("dict[str, Any]", data)
    _check_keys(found, frozenset({"laid", "gone", "hands"}), frozenset())
    return TableCorrected(
        at_us,
        tuple((_card(card), _pad(pad, pads)) for card, pad in _pairs(found["laid"])),
        _cards(found["gone"]),
        tuple((_count(seat), _count(count)) for seat, count in _pairs(found["hands"])),
    )


def _pairs(value: object) -> list[tuple[object, object]]:
    pairs: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
    found: list[tuple[object, object]] = []
    for pair in pairs:
        if not isinstance(pair, list) or len(cast("list[Any]", pair)) != 2:
            raise LineError("a correction is made of pairs")
        one, other = cast("list[Any]", pair)
        found.append((one, other))
    return found


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise LineError(f"no count: {_spell(value)}")
    return value


def _press(data: Fields, at_us: int, pads: tuple[Pad, ...]) -> ButtonPressed:
    seat = _pad(data["press"], pads)
    if not isinstance(seat, int):
        raise LineError(f"a press needs a seat, not {_spell(seat)}")
    pressed_at_us = _time(data["pressed_at"], "pressed_at") if "pressed_at" in data else at_us
    if pressed_at_us > at_us:
        raise LineError("pressed_at is after at")
    uncertainty_us = _time(data["uncertainty_s"], "uncertainty_s") if "uncertainty_s" in data else 0
    if uncertainty_us < 0:
        raise LineError("uncertainty_s is negative")
    return ButtonPressed(at_us, seat, pressed_at_us, uncertainty_us)


def _check_keys(data: Fields, needed: frozenset[str], allowed: frozenset[str]) -> None:
    for key in data:
        if key not in needed and key not in allowed:
            raise LineError(f"unknown or extra key {_spell(key)}")
    for key in sorted(needed):
        if key not in data:
            raise LineError(f"key {_spell(key)} is missing")


def _time(value: object, key: str) -> int:
    """Seconds as whole microseconds."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise LineError(f"{key} is no number: {_spell(value)}")
    if not -LONGEST_S <= value <= LONGEST_S:
        raise LineError(f"{key} is out of range: {_spell(value)}")
    return int((Decimal(value) * US_PER_S).to_integral_value())


def _card(value: object) -> str:
    if not isinstance(value, str):
        raise LineError(f"a card is a text, not {_spell(value)}")
    return value


def _cards(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise LineError(f"cards are a list, not {_spell(value)}")
    return tuple(map(_card, cast("list[object]", value)))


def _pad(value: object, pads: tuple[Pad, ...]) -> Pad:
    # True == 1 in Python, and 1.0 is no seat either
    if type(value) not in (int, str) or value not in pads:
        raise LineError(f"no pad or seat {_spell(value)} at this table")
    return cast("Pad", value)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond any Decimal
        raise LineError(f"number out of range: {_shorten(text)}") from None


def _whole(text: str) -> int:
    if len(text) > 20:
        raise LineError(f"number out of range: {_shorten(text)}")
    return int(text)


def _no_constant(text: str) -> None:
    raise LineError(f"{text} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise LineError("a key stands twice")
    return data


def _spell(value: object) -> str:
    """A value as JSON has it; what is nested only by its kind, for it may be deep."""
    match value:
        case list():
            return "a list"
        case dict():
            return "an object"
        case Decimal():
            return _shorten(str(value))
        case _:
            return _shorten(json.dumps(value, ensure_ascii=False))


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
