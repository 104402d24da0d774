"""What the hands of people hold and may do, as a part of the page with its sentences. Worked out anew only when the
session, the hands or what they are at have changed. Pure but for that; must not know who looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from taptable.core.observations import CardHeld, Pad
from taptable.core.player import Heap
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.edges.cues import cueing
from taptable.referee.session import Session
from taptable.sim.hints import button_word, may_reshuffle, waited_for, what_counts
from taptable.sim.page.person import Person
from taptable.sim.people import People
from taptable.words import Words


@dataclass(frozen=True, slots=True)
class Handful:
    """One person's hands: heaps in reach, the taps and holds that would count and are theirs, whether a card may be
    drawn, what is owed before the button, whether they are busy, what the button means and what is waited for."""

    seat: int
    heaps: tuple[Heap, ...]
    fair: tuple[tuple[str, Pad], ...]
    holds: tuple[tuple[str, Pad], ...]
    may_draw: bool
    owed: str | None
    busy: bool
    meaning: str | None
    waited_for: str
    on_turn: int | None

    def said(self, words: Words) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "heaps": [
                {"place": heap.place, "seats": list(heap.seats), "cards": list(heap.cards)} for heap in self.heaps
            ],
            "fair": [list(tap) for tap in self.fair],
            "holds": [list(hold) for hold in self.holds],
            "may_draw": self.may_draw,
            "owed": None if self.owed is None else words.text("hands", self.owed),
            "busy": self.busy,
            "hint": self.hint(words),
            "now": words.text("hands", f"now-{self.waited_for}", {"seat": self.on_turn}),
            "meaning": self.meaning,
        }

    def hint(self, words: Words) -> str:
        """What could be done now."""
        sentences = what_counts(self.fair, self.heaps, self.seat, words)
        if self.meaning is not None:
            sentences.append(words.text("hands", "button", {"what": button_word(self.meaning, words)}))
        return " · ".join(sentences)


@dataclass(frozen=True, slots=True)
class HandsPart:
    """The hands of all people, by seat."""

    hands: tuple[Handful, ...]

    def __call__(self, words: Words) -> Mapping[str, Any]:
        """Ready for JSON."""
        return {str(handful.seat): handful.said(words) for handful in self.hands}


class Handfuls:
    """Makes the part, as often as it is asked for."""

    def __init__(self, people: People, session: Callable[[], Session]) -> None:
        self._people = people
        self._session = session
        self._made: tuple[tuple[object, ...], HandsPart] | None = None

    def part(self, persons: Mapping[int, Person]) -> HandsPart:
        """The hands of these persons now."""
        session, holdings = self._session(), self._people.holdings
        seen = (session, holdings, tuple((seat, persons[seat].busy) for seat in sorted(persons)))
        if self._made is not None and _same(self._made[0], seen):
            return self._made[1]
        part = HandsPart(tuple(self.of(persons[seat]) for seat in sorted(persons)))
        self._made = seen, part
        return part

    def of(self, person: Person) -> Handful:
        """One person's hands now."""
        session, hands = self._session(), person.hands
        board = session.table.scoreboard
        window = cueing.running_window(session)
        meaning, heaps = hands.meaning, hands.heaps()
        return Handful(
            seat=person.seat,
            heaps=heaps,
            fair=tuple(tap for tap in hands.fair() if isinstance(tap[1], int) or tap[1] in self._people.table.fields),
            holds=tuple((card, person.seat) for heap in heaps for card in heap.cards if _counts(session, card, person)),
            may_draw=self._people.may_draw(person.seat),
            owed=hands.owes(),
            busy=person.busy,
            meaning=meaning,
            waited_for=waited_for(
                person.seat,
                meaning=meaning,
                over=board.over,
                in_window=window is not None,
                claimant=None if window is None else window.claim_seat,
                on_turn=board.seat,
                reshuffles=may_reshuffle(session.table, session.at_us),
            ),
            on_turn=board.seat,
        )


def _counts(session: Session, card: str, person: Person) -> bool:
    """Would it count to hold this card on the own pad?"""
    table = session.table
    if table.paused_at_us is not None:
        return False
    held = CardHeld(session.at_us, card, person.seat)
    return not isinstance(table.game.read(table.state, held), Refused | Ignored | Fault)


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Sessions and holdings are values that are never changed, but costly to compare."""
    return before[0] is now[0] and before[1] is now[1] and before[2] == now[2]
