"""The codec of the referee's lines: observations from JSON and to JSON, and verdicts to JSON. The front end of
`taptable referee` and the journal both use them. Times are seconds in a line and whole microseconds in the code. An
invalid line raises LineError: see `values`. Must not judge an observation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, cast

from taptable.core.announcements import Announcement, type_name
from taptable.core.controls import ControlSpec
from taptable.core.game_options import GameOptions
from taptable.core.notices import Notice
from taptable.core.observations import (
    Arrangement,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.sentences import Sentences
from taptable.core.settings import US_PER_S
from taptable.core.spelling import short_json, shorten
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict
from taptable.referee.values import (
    JsonObject,
    LineError,
    check_keys,
    load,
    normalize_loaded,
    parse_card,
    parse_cards,
    parse_count,
    parse_pad,
    parse_pairs,
    parse_text,
    parse_texts,
    parse_time_us,
    parse_triples,
    require_key,
)

SHARED_CONTROLS = ("take-back", "reshuffle", "new-game", "end-game", "pause", "resume")
"""Controls that every game shares; they have no fields."""


@dataclass(frozen=True, slots=True)
class Show:
    """A question about the table; its subject is ``state`` or ``legal``."""

    subject: str


SHAPES: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("show", frozenset({"show"}), frozenset()),
    ("tap", frozenset({"at", "tap", "pad"}), frozenset({"uncertainty_s"})),
    ("hold", frozenset({"at", "hold", "pad"}), frozenset()),
    ("press", frozenset({"at", "press"}), frozenset({"pressed_at", "uncertainty_s"})),
    ("control", frozenset({"at", "control"}), frozenset()),
    ("at", frozenset({"at"}), frozenset()),
)
"""The kinds of line: the key that identifies it, the keys it must have, and those it may have."""


def parse_line(text: str, pads: tuple[Pad, ...], controls: tuple[ControlSpec, ...] = ()) -> Observation | Show:
    """Return the observation or question in one line, for a table with these pads and these controls of its game's
    own."""
    return _interpret(load(text), pads, controls)


def parse_recorded(data: JsonObject, pads: tuple[Pad, ...], controls: tuple[ControlSpec, ...] = ()) -> Observation:
    """Return the observation in a line of the journal. There, unlike in `parse_line`, two cards at once and
    arrangements are valid too."""
    try:
        data = {key: normalize_loaded(value) for key, value in data.items()}
    except RecursionError:
        raise LineError("not a line of the referee: nested too deeply") from None
    for key in ARRANGEMENT_KEYS:
        if key in data:
            check_keys(data, frozenset({"at", key}), frozenset())
            return _arrangement(parse_time_us(data["at"], "at"), key, data[key], pads)
    if "together" in data:
        check_keys(data, frozenset({"at", "together", "pad", "since"}), frozenset())
        at_us, since_us = parse_time_us(data["at"], "at"), parse_time_us(data["since"], "since")
        return CardsTogether(at_us, parse_cards(data["together"]), parse_pad(data["pad"], pads), since_us)
    observation = _interpret(data, pads, controls)
    if isinstance(observation, Show):
        raise LineError("a question is no observation")
    return observation


def observation_line(observation: Observation) -> dict[str, Any]:
    """Return the line that `parse_recorded` reads as this observation."""
    at = {"at": observation.at_us / US_PER_S}
    match observation:
        case CardTapped(_, card, pad, uncertainty_us):
            return {**at, "tap": card, "pad": pad, **_uncertain(uncertainty_us)}
        case CardHeld(_, card, pad):
            return {**at, "hold": card, "pad": pad}
        case CardsTogether(_, cards, pad, since_us):
            return {**at, "together": list(cards), "pad": pad, "since": since_us / US_PER_S}
        case ButtonPressed(at_us, seat, pressed_at_us, uncertainty_us):
            line: dict[str, Any] = {**at, "press": seat}
            if pressed_at_us != at_us:
                line["pressed_at"] = pressed_at_us / US_PER_S
            return {**line, **_uncertain(uncertainty_us)}
        case TimePassed():
            return at
        case ControlUsed(_, control, fields):
            return {**at, "control": control, **dict(fields)}
        case TableCorrected(_, laid, gone, hands, counts):
            correct = {"laid": [list(one) for one in laid], "gone": list(gone), "hands": [list(one) for one in hands]}
            if counts:
                correct["counts"] = [list(one) for one in counts]
            return {**at, "correct": correct}
        case GameSetUp():
            return {**at, "set-up": _set_up_fields(observation)}
        case SeatVacated(_, seat):
            return {**at, "vacate": seat}
        case CardLost(_, card):
            return {**at, "lost": card}
        case CardRecovered(_, card):
            return {**at, "recovered": card}


def answer_line(
    at_us: int, verdict: Verdict, say: Callable[[Verdict], str] | None = None, language: str | None = None
) -> dict[str, Any]:
    """Return the answer line for a verdict; `say` gives its sentence for people, in this language."""
    answer: dict[str, Any] = {"at": at_us / US_PER_S, "verdict": VERDICTS[type(verdict)]}
    if not isinstance(verdict, Accepted):
        answer["rule"] = verdict.rule
        answer["code"] = verdict.code
    if say is not None:
        answer["say"] = say(verdict)
    answer["announcements"] = [announcement_line(announcement, language) for announcement in verdict.announcements]
    return answer


VERDICTS: Mapping[type[Verdict], str] = {
    Accepted: "accepted",
    Refused: "refused",
    Ignored: "ignored",
    Fault: "fault",
}
"""The kinds of verdict by their names in a line."""


def announcement_line(message: Announcement | Notice, language: str | None = None) -> dict[str, Any]:
    """Return an announcement or a notice as JSON: its type and its fields, times in seconds. Sentences that people
    wrote appear in this language, or in every available one."""
    line: dict[str, Any] = {"type": type_name(type(message))}
    for field in public_fields(type(message)):
        value = getattr(message, field.name)
        if field.name.endswith("_us"):
            line[public_name(field.name)] = None if value is None else value / US_PER_S
        else:
            line[public_name(field.name)] = _to_json(value, language)
    return line


def _to_json(value: Any, language: str | None) -> Any:
    """Return a field's value as JSON has it."""
    match value:
        case str() | int() | None:
            return value
        case Sentences():
            return dict(value.by_language) if language is None else value.in_language(language)
        case tuple():
            return [_to_json(each, language) for each in cast("tuple[Any, ...]", value)]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {public_name(field.name): _to_json(getattr(value, field.name), language) for field in fields(value)}
        case _:
            return value


@cache
def public_fields(kind: type[Announcement | Notice]) -> tuple[Field[Any], ...]:
    """Return the fields that a line contains."""
    return tuple(field for field in fields(kind) if field.compare)


@cache
def public_name(field: str) -> str:
    """Return a field's name in a line: a moment in seconds loses its ``_us``, a span in seconds ends in ``_s``."""
    if not field.endswith("_us"):
        return field.removesuffix("_")
    name = field.removesuffix("_us")
    return name if name in ("at", "until") or name.endswith("_at") else f"{name}_s"


def _interpret(data: JsonObject, pads: tuple[Pad, ...], controls: tuple[ControlSpec, ...]) -> Observation | Show:
    for key, needed, allowed in SHAPES:
        if key in data:
            if key != "control":
                check_keys(data, needed, allowed)
            break
    else:
        raise LineError(f"no known key: {shorten(', '.join(data))}" if data else "the object is empty")
    if key == "show":
        if data["show"] not in ("state", "legal"):
            raise LineError(f'can\'t show {short_json(data["show"])}: there are "state" and "legal"')
        return Show(data["show"])
    at_us = parse_time_us(require_key(data, "at"), "at")
    match key:
        case "tap":
            return CardTapped(at_us, parse_card(data["tap"]), parse_pad(data["pad"], pads), _uncertainty_us(data))
        case "hold":
            return CardHeld(at_us, parse_card(data["hold"]), parse_pad(data["pad"], pads))
        case "press":
            return _press(data, at_us, pads)
        case "control":
            return _control(data, at_us, pads, controls)
        case _:
            return TimePassed(at_us)


ARRANGEMENT_KEYS = ("correct", "set-up", "vacate", "lost", "recovered")
"""Keys of arrangements; lines with them are found only in a journal."""


def _arrangement(at_us: int, key: str, value: object, pads: tuple[Pad, ...]) -> Arrangement:
    match key:
        case "correct":
            return _correction(at_us, value, pads)
        case "set-up":
            return _set_up(at_us, value)
        case "vacate":
            return SeatVacated(at_us, _parse_seat(value, pads, "vacate"))
        case "lost":
            return CardLost(at_us, parse_card(value))
        case _:
            return CardRecovered(at_us, parse_card(value))


def _set_up_fields(set_up: GameSetUp) -> dict[str, Any]:
    game_options = set_up.game_options
    manifest = {"manifest": game_options.manifest} if game_options.manifest else {}
    return {
        **manifest,
        "game": set_up.game,
        "players": game_options.players,
        "edition": game_options.edition,
        "settings": dict(game_options.settings),
        "starter": game_options.starter,
        "heir": set_up.keep_next_starter,
    }


_SET_UP = frozenset({"game", "players", "edition", "settings", "starter", "heir"})


def _set_up(at_us: int, data: object) -> GameSetUp:
    if not isinstance(data, dict):
        raise LineError("what is set up is an object")
    fields = cast("dict[str, Any]", data)
    check_keys(fields, _SET_UP, frozenset({"manifest"}))
    starter, keep_next_starter = fields["starter"], fields["heir"]
    if not isinstance(keep_next_starter, bool):
        raise LineError(f"heir is true or false, not {short_json(keep_next_starter)}")
    game_options = GameOptions(
        parse_count(fields["players"]),
        parse_text(fields["edition"], "edition"),
        parse_texts(fields["settings"], "settings"),
        None if starter is None else parse_count(starter),
        parse_text(fields.get("manifest", ""), "manifest"),
    )
    return GameSetUp(at_us, parse_text(fields["game"], "game"), game_options, keep_next_starter)


def _correction(at_us: int, data: object, pads: tuple[Pad, ...]) -> TableCorrected:
    if not isinstance(data, dict):
        raise LineError("a correction is an object")
    fields = cast("dict[str, Any]", data)
    check_keys(fields, frozenset({"laid", "gone", "hands"}), frozenset({"counts"}))
    return TableCorrected(
        at_us,
        tuple((parse_card(card), parse_pad(pad, pads)) for card, pad in parse_pairs(fields["laid"])),
        parse_cards(fields["gone"]),
        tuple((parse_count(seat), parse_count(count)) for seat, count in parse_pairs(fields["hands"])),
        tuple(
            (parse_count(seat), parse_text(name, "a count"), parse_count(count))
            for seat, name, count in parse_triples(fields.get("counts", []))
        ),
    )


def _parse_seat(value: object, pads: tuple[Pad, ...], subject: str) -> int:
    seat = parse_pad(value, pads)
    if not isinstance(seat, int):
        raise LineError(f"{subject} needs a seat, not {short_json(seat)}")
    return seat


def _control(data: JsonObject, at_us: int, pads: tuple[Pad, ...], controls: tuple[ControlSpec, ...]) -> ControlUsed:
    name = data["control"]
    known = {
        **{shared: ControlSpec(shared) for shared in SHARED_CONTROLS},
        **{control.name: control for control in controls},
    }
    if not isinstance(name, str) or name not in known:
        raise LineError(f"unknown control {short_json(name)}: there are {', '.join(known)}")
    fields = {key: value for key, value in data.items() if key not in ("at", "control")}
    error = known[name].find_error(fields, pads)
    if error is not None:
        raise LineError(error)
    return ControlUsed(at_us, name, tuple(sorted(fields.items())))


def _press(data: JsonObject, at_us: int, pads: tuple[Pad, ...]) -> ButtonPressed:
    seat = _parse_seat(data["press"], pads, "a press")
    pressed_at_us = parse_time_us(data["pressed_at"], "pressed_at") if "pressed_at" in data else at_us
    if pressed_at_us > at_us:
        raise LineError("pressed_at is after at")
    return ButtonPressed(at_us, seat, pressed_at_us, _uncertainty_us(data))


def _uncertainty_us(data: JsonObject) -> int:
    uncertainty_us = parse_time_us(data["uncertainty_s"], "uncertainty_s") if "uncertainty_s" in data else 0
    if uncertainty_us < 0:
        raise LineError("uncertainty_s is negative")
    return uncertainty_us


def _uncertain(uncertainty_us: int) -> dict[str, Any]:
    return {"uncertainty_s": uncertainty_us / US_PER_S} if uncertainty_us else {}
