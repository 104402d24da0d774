"""What the hands of people hold and may do, as a part of the page with its sentences. Worked out anew only when the
session, the hands or what they are at have changed. Pure but for that; must not know who looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from taptable.core.observations import CardHeld, ControlUsed, Observation, Pad
from taptable.core.player import Zone
from taptable.edges.cues import cueing
from taptable.referee.session import Session
from taptable.referee.step import Table
from taptable.sim.page.person import Person
from taptable.sim.people import People
from taptable.words import Words


@dataclass(frozen=True, slots=True)
class Handful:
    """One person's hands: zones in reach, the taps and holds that would count and are theirs, whether a card may be
    drawn, what is owed before the button, whether they are busy, what the button means, what is waited for, and its
    facts."""

    seat: int
    zones: tuple[Zone, ...]
    fair: tuple[tuple[str, Pad], ...]
    holds: tuple[tuple[str, Pad], ...]
    may_draw: bool
    owed: str | None
    busy: bool
    meaning: str | None
    waited_for: str
    on_turn: int | None
    about: tuple[tuple[str, object], ...]

    def said(self, words: Words) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "zones": [
                {"place": zone.place, "seats": list(zone.seats), "cards": list(zone.cards)} for zone in self.zones
            ],
            "fair": [list(tap) for tap in self.fair],
            "holds": [list(hold) for hold in self.holds],
            "may_draw": self.may_draw,
            "owed": None if self.owed is None else words.text("hands", self.owed),
            "busy": self.busy,
            "hint": self.hint(words),
            "now": words.text("hands", f"now-{self.waited_for}", {"seat": self.on_turn, **dict(self.about)}),
            "meaning": self.meaning,
        }

    def hint(self, words: Words) -> str:
        """What could be done now: which cards may go where, kinds once each, and what the button does."""
        sentences = self._what_counts(words) or [words.text("hands", "no-tap")]
        if self.meaning is not None:
            what = words.message("hands", f"button-{self.meaning}") or words.text("meaning", self.meaning)
            sentences.append(words.text("hands", "button", {"what": what}))
        return " · ".join(sentences)

    def _what_counts(self, words: Words) -> list[str]:
        hand = self.zones[0].cards if self.zones else ()
        seats_of: dict[str, set[int]] = {}
        kinds_on: dict[str, dict[str, None]] = {}
        for card, pad in self.fair:
            kind = words.kind(card)
            if isinstance(pad, int):
                seats_of.setdefault(kind, set()).add(pad)
            else:
                kinds_on.setdefault(pad, {})[kind] = None
        kinds_to: dict[str, list[str]] = {}
        for kind, seats in seats_of.items():
            kinds_to.setdefault(self._where(seats, words), []).append(kind)
        sentences = [f"{', '.join(kinds)} → {where}" for where, kinds in kinds_to.items()]
        for pad, kinds in kinds_on.items():
            if hand and all((card, pad) in self.fair for card in hand):
                sentences.append(words.text("hands", "any-card", {"pad": pad}))
            else:
                sentences.append(f"{', '.join(kinds)} → {words.pad(pad)}")
        return sentences

    def _where(self, seats: Set[int], words: Words) -> str:
        """The own pad, or the seats to whose pads a card may go."""
        return words.text("hands", "own-pad") if self.seat in seats else words.seats(sorted(seats))


class Handfuls:
    """Makes them, as often as they are asked for."""

    def __init__(self, people: People, session: Callable[[], Session]) -> None:
        self._people = people
        self._session = session
        self._made: tuple[tuple[object, object, object], tuple[Handful, ...]] | None = None

    def all(self, persons: Mapping[int, Person]) -> tuple[Handful, ...]:
        """The hands of these persons now; the same object as long as nothing has changed."""
        seats = sorted(persons)
        seen = self._session(), self._people.truth, [(seat, persons[seat].busy) for seat in seats]
        # sessions and ground truth are values that are never changed, but costly to compare
        if self._made is not None:
            (session, truth, busy), made = self._made
            if session is seen[0] and truth is seen[1] and busy == seen[2]:
                return made
        made = tuple(self.of(persons[seat]) for seat in seats)
        self._made = seen, made
        return made

    def of(self, person: Person) -> Handful:
        """One person's hands now."""
        session, seat, zones = self._session(), person.seat, person.zones()
        table, pads = session.table, self._people.table.fields
        cards = [card for zone in zones for card in zone.cards] if table.paused_at_us is None else []
        return Handful(
            seat=seat,
            zones=zones,
            fair=tuple(tap for tap in person.fair() if isinstance(tap[1], int) or tap[1] in pads),
            holds=tuple((card, seat) for card in cards if _counts(table, CardHeld(session.at_us, card, seat))),
            may_draw=self._people.may_draw(seat),
            owed=person.owes(),
            busy=person.busy,
            meaning=person.meaning,
            waited_for=_waited_for(seat, person.meaning, session),
            on_turn=table.scoreboard.seat,
            about=table.scoreboard.about,
        )


def _waited_for(seat: int, meaning: str | None, session: Session) -> str:
    """What a person at `seat` is waited for, or waits for, as a key: by what the button `meaning` is, and how the game
    stands."""
    board, window = session.table.scoreboard, cueing.running_window(session)
    if board.over:
        return "over"
    if window is not None and meaning is None:
        return "claim" if window.claim_seat == seat else "window"
    if meaning not in ("stop", None):
        return meaning
    if board.seat != seat:
        return "wait"
    reshuffles = board.used_up and _counts(session.table, ControlUsed(session.at_us, "reshuffle"))
    return "reshuffle" if reshuffles else "turn"


def _counts(table: Table, observation: Observation) -> bool:
    """Would the game take it?"""
    return isinstance(table.game.play(table.state, observation), tuple)
