"""The hands of a person at one seat of a simulated table: what they can take, what is theirs to do, and what they owe
the others first. The same for who plays at a keyboard and for who plays on the page; knows neither."""

from __future__ import annotations

from collections.abc import Callable

from taptable.core.observations import Pad
from taptable.core.player import Heap, Tap
from taptable.referee import gestures
from taptable.referee.session import Happening, Session
from taptable.sim.people import People


class Hands:
    """Those of the person at `seat`."""

    def __init__(self, seat: int, people: People, session: Callable[[], Session]) -> None:
        self.seat = seat
        self._people = people
        self._session = session

    @property
    def meaning(self) -> str | None:
        """What the own button means now; nothing at a seat that isn't played at."""
        session = self._session()
        if not self._people.plays(self.seat):
            return None
        return gestures.meanings(session.manners, session.table)[self.seat - 1]

    def heaps(self) -> tuple[Heap, ...]:
        """What can be tapped now: in a check of the table only what lies in rows."""
        if self._session().manners.checking is None:
            return self._people.reachable(self.seat)
        return tuple(heap for heap in self._people.lying() if self.seat in heap.seats and heap.cards)

    def fair(self) -> tuple[tuple[str, Pad], ...]:
        """The taps that would count now and are this seat's to do."""
        return self._people.fair(self.seat)

    def is_anothers(self, card: str, pad: Pad) -> bool:
        """Would the table take this tap for another's, since it can't see who taps?"""
        tap = (card, pad)
        return tap in self._people.legal() and tap not in self.fair()

    def owes(self) -> str | None:
        """What is owed to the others before the own button may be pressed, by its key; None: nothing."""
        return self._people.must_first(self.seat) if self.meaning == "stop" else None

    async def tap_rows(self) -> list[Happening]:
        """In a check of the table: tap every card of the own rows, and give what was said of each."""
        said: list[Happening] = []
        for card in [card for heap in self.heaps() for card in heap.cards]:
            heard = await self._people.do(Tap(self.seat, card, self.seat))
            if heard is not None:
                said.append(heard)
        return said
