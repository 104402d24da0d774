"""The messages about a table that are published by MQTT: its state and its events, as docs/mqtt.md describes them.
Seats count from 1, and teams are in the order of the scoreboard. Must not know how they are made or sent."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

Phase = Literal["beginning", "turn", "window", "claim", "paused", "checking", "enrolling", "over"]


class QuotaProgress(Struct, frozen=True):
    """A team's progress with one of its quotas: `have` of `need`; `secured` once it can't be lost."""

    name: str
    have: int
    need: int
    secured: bool


class Team(Struct, frozen=True):
    """The seats of a team, its score in the game's unit, its quotas, its `state` in a word (``up``, ``blocked``; "" for
    none), and at the end its place."""

    seats: tuple[int, ...]
    score: int
    quotas: tuple[QuotaProgress, ...]
    state: str
    place: int | None


class WindowMessage(Struct, frozen=True):
    """A window in which buttons count, opened by a move of `seat`, or the time in which the seat that was first
    (`claimant`) must show its card. It ends at `ends` by the computer's clock (ISO 8601, UTC), which was `left_s`
    seconds away when this was published. `may_buzz` are the seats whose buttons count; if there is an `answerer`, that
    seat alone may answer."""

    kind: str
    seat: int
    claimant: int | None
    answerer: int | None
    may_buzz: tuple[int, ...]
    ends: str
    left_s: float


class TimeLeft(Struct, frozen=True):
    """The rest of the agreed time: it is up at `ends` by the computer's clock (ISO 8601, UTC; None while it stands
    still), `left_s` seconds after this was published; 0 in the last turn."""

    ends: str | None
    left_s: float


class PartFault(Struct, frozen=True):
    """A missing part of the table, or another fault: its name and a sentence."""

    about: str
    text: str


class TableState(Struct, frozen=True):
    """The state of the table. Sentences are in the table's language: `title` is the game's name, `now` says what the
    table waits for, `on_turn` whose turn it is; `turn` is None before the first turn. `names` are the players', seat 1
    first, "" for one without; empty where the configuration doesn't publish names. `time` is None where no time was
    agreed, and `skips` are the seats that miss their next turn."""

    table: str
    game: str
    title: str
    edition: str
    players: int
    names: tuple[str, ...]
    phase: Phase
    now: str
    turn: int | None
    on_turn: str
    unit: str
    teams: tuple[Team, ...]
    window: WindowMessage | None
    paused: bool
    faults: tuple[PartFault, ...]
    time: TimeLeft | None = None
    skips: tuple[int, ...] = ()


class Event(Struct, frozen=True, kw_only=True, tag_field="event"):
    """The base of all events: the kind of event, its time by the computer's clock (ISO 8601, UTC), and its sentence."""

    kinds: ClassVar[tuple[str, ...]]

    event_type: str
    at: str
    text: str


class Hacker(Event, frozen=True, kw_only=True, tag="hacker"):
    """`seat` has shown a hacker, or launched an attack (``struck``), or nobody has stopped it (``through``)."""

    kinds = ("struck", "through")

    seat: int


class Patrol(Event, frozen=True, kw_only=True, tag="patrol"):
    """`seat` was the first to press against the hacker of `hacker` (``first``), by `margin_us` before the next press
    (None: nobody else had pressed, or it was a tie), correct within `bound_us`; in a tie `tied` are its seats. Or
    `seat` showed no card in time (``false-alarm``), or stopped the hacker (``stopped``)."""

    kinds = ("first", "false-alarm", "stopped")

    seat: int
    hacker: int | None
    margin_us: int | None = None
    bound_us: int | None = None
    tied: tuple[int, ...] = ()


class RefusalEvent(Event, frozen=True, kw_only=True, tag="refusal"):
    """A move was refused at `seat` (None: elsewhere), by a rule; `code` is for programs."""

    kinds = ("refused",)

    seat: int | None
    rule: str
    code: str


class Placed(Struct, frozen=True):
    """A team's result at the end."""

    place: int
    seats: tuple[int, ...]
    names: tuple[str, ...]
    score: int


class GameOver(Event, frozen=True, kw_only=True, tag="game-over"):
    """A game has ended: `by` says how, `places` has every team, the best first."""

    kinds = ("over",)

    by: str
    unit: str
    winner: tuple[int, ...]
    places: tuple[Placed, ...]


EVENTS: tuple[type[Event], ...] = (Hacker, Patrol, RefusalEvent, GameOver)
"""All kinds of events."""


def name_of(kind: type[Event]) -> str:
    """Return the value of ``event`` in messages of this kind."""
    return str(kind.__struct_config__.tag)
