"""A person at a seat, who plays on the page: what is in reach and theirs to do, and one action after the other, done
with the hands as the virtual players do theirs, and what the table said of it. A finger is always free for the button.
Knows no message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from taptable.api.errors import RequestError
from taptable.core.observations import Pad
from taptable.core.player import HoldCard, PlayerAction, Push, Tap, TapControl, Zone
from taptable.referee import gestures
from taptable.referee.session import Session, TableEvent
from taptable.sim.people import People
from taptable.sim.touching import GONE_S, LOOKING_S, is_of_button, is_of_control, is_of_hold, is_of_tap

MOST_WAITING = 3
"""Actions that may wait for the hands to be free."""
AT_ONCE = (None, "buzz")
"""What a button means when a press of it doesn't change what a card on a pad counts as, or can't wait."""
MOST_PRESSES = 4
"""Presses of one button that may be under way."""

Begin: TypeAlias = Callable[[Coroutine[Any, Any, None]], None]
"""Begins something that takes its time."""


class CannotDo(RequestError):
    """What can't be done now, by the key of a sentence."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__("hands", key, **facts)


@dataclass(slots=True)
class Resting:
    """A card that is to rest on a pad until it is `lifted`; `client` is who put it there. `over` once that has been."""

    card: str
    pad: Pad
    client: str
    lifted: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    lies: bool = False
    said: list[TableEvent] = field(default_factory=list[TableEvent])


class Person:
    """Who plays `seat`. Actions go on to their ends, whether or not somebody still waits for what is said of them."""

    def __init__(self, seat: int, people: People, session: Callable[[], Session], begin: Begin) -> None:
        self.seat = seat
        self._session = session
        self._people = people
        self._begin = begin
        self._free = asyncio.Lock()
        self._waiting = 0
        self._presses = 0
        self._resting: list[Resting] = []

    @property
    def meaning(self) -> str | None:
        """What the own button means now; nothing at a seat that isn't played at."""
        session = self._session()
        if not self._people.plays(self.seat):
            return None
        return gestures.button_actions(session.prompts, session.table)[self.seat - 1]

    def zones(self) -> tuple[Zone, ...]:
        """What can be tapped now: in a check of the table only what lies in rows."""
        if self._session().prompts.checking is None:
            return self._people.reachable(self.seat)
        return tuple(zone for zone in self._people.lying() if self.seat in zone.seats and zone.cards)

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

    @property
    def busy(self) -> bool:
        """Are the hands full?"""
        return self._free.locked()

    async def do(self, action: PlayerAction) -> list[TableEvent]:
        """Do it when the hands are free, and give what the table said of it. CannotDo says why it isn't done."""
        return await self._in_turn(lambda answer: self._do(action, answer))

    async def tap_rows(self) -> list[TableEvent]:
        """In a check of the table: tap all cards of the own rows."""
        return await self._in_turn(self._tap_rows)

    async def put(self, card: str, pad: Pad, client: str) -> list[TableEvent]:
        """Let a card rest on a pad until `lift`, and give what the table said of it first."""
        resting = Resting(card, pad, client)
        return await self._in_turn(lambda answer: self._rest(resting, answer), resting)

    async def lift(self, card: str, pad: Pad) -> list[TableEvent]:
        """Lift a card that rests there, and give all that was said of it; nothing if there is none."""
        said: list[TableEvent] = []
        for resting in [each for each in self._resting if (each.card, each.pad) == (card, pad)]:
            resting.lifted.set()
            if resting.lies:
                await resting.over.wait()
            said += resting.said
        return said

    def left(self, client: str | None = None) -> None:
        """A client is gone, or all are: what it put on a pad is lifted."""
        for resting in self._resting:
            if client in (None, resting.client):
                resting.lifted.set()

    async def press(self) -> list[TableEvent]:
        """Press the own button, whatever the hands do; but what ends a turn, or a move, waits for the verdict on what
        has been done before."""
        meaning = self.meaning
        if meaning not in AT_ONCE:
            await self._people.settled()
            if self.meaning != meaning:
                raise CannotDo("busy")
        owed = self.owes()
        if owed is not None:
            raise CannotDo(owed)
        if self._presses >= MOST_PRESSES:
            raise CannotDo("busy")
        self._presses += 1
        try:
            with self._people.hearing(lambda event: is_of_button(event, self.seat)) as said:
                await self._people.push(self.seat)
                return said
        finally:
            self._presses -= 1

    async def draw(self) -> None:
        """Draw a card that may be drawn and needn't, once it is clear whether the turn is over."""
        await self._people.settled()
        if not self._people.draw(self.seat):
            raise CannotDo("nothing-to-draw")

    async def get_up(self) -> None:
        """Lift what rests somewhere, and end what is under way."""
        self.left()
        async with self._free:
            pass

    async def _in_turn(
        self,
        doing: Callable[[asyncio.Future[list[TableEvent]]], Coroutine[Any, Any, None]],
        resting: Resting | None = None,
    ) -> list[TableEvent]:
        if self._waiting > MOST_WAITING:
            raise CannotDo("busy")
        if resting is not None:
            self._resting.append(resting)
        answer: asyncio.Future[list[TableEvent]] = asyncio.get_running_loop().create_future()
        self._waiting += 1
        self._begin(self._when_free(doing, answer))
        return await answer

    async def _when_free(
        self,
        doing: Callable[[asyncio.Future[list[TableEvent]]], Coroutine[Any, Any, None]],
        answer: asyncio.Future[list[TableEvent]],
    ) -> None:
        try:
            async with self._free:
                await doing(answer)
                await asyncio.sleep(GONE_S)
        except CannotDo as error:
            if not answer.done():
                answer.set_exception(error)
        finally:
            self._waiting -= 1
            _tell(answer, [])

    async def _do(self, action: PlayerAction, answer: asyncio.Future[list[TableEvent]]) -> None:
        match action:
            case Tap(_, card, pad) | HoldCard(_, card, pad):
                await self._check(card, pad)
            case TapControl(seat, control, fields):
                if self._people.has_card(control, fields):
                    self._check_hearing(seat)
                await self._people.settled()
            case _:
                await self._people.settled()
        with self._people.hearing(lambda event: _is_of(event, action)) as said:
            await self._people.do(action)
        _tell(answer, said)

    async def _tap_rows(self, answer: asyncio.Future[list[TableEvent]]) -> None:
        if self.meaning != "check":
            raise CannotDo("only-in-check")
        self._check_hearing(self.seat)
        cards = [card for zone in self.zones() for card in zone.cards]
        heard = [await self._people.do(Tap(self.seat, card, self.seat)) for card in cards]
        _tell(answer, [event for event in heard if event is not None])

    async def _rest(self, resting: Resting, answer: asyncio.Future[list[TableEvent]]) -> None:
        card, pad = resting.card, resting.pad
        try:
            if resting.lifted.is_set():  # before its turn came
                return
            await self._check(card, pad)
            tapped = self._people.expect(lambda event: is_of_tap(event, card, pad))
            self._begin(self._tell_first(tapped, answer))
            with (
                self._people.hearing(lambda event: _is_of(event, HoldCard(self.seat, card, pad))) as resting.said,
                self._people.put(card, pad),
            ):
                resting.lies = True
                await resting.lifted.wait()
        finally:
            self._resting.remove(resting)
            resting.over.set()

    async def _tell_first(self, tapped: asyncio.Future[TableEvent], answer: asyncio.Future[list[TableEvent]]) -> None:
        heard = await self._people.hear(tapped, LOOKING_S)
        _tell(answer, [] if heard is None else [heard])

    async def _check(self, card: str, pad: Pad) -> None:
        """Can the table hear it, is it in reach, and this seat's to do, whatever the table is about to say?"""
        self._check_hearing(pad)
        await self._people.settled()
        if not any(card in zone.cards for zone in self.zones()):
            raise CannotDo("not-in-reach")
        if self.is_anothers(card, pad):
            raise CannotDo("not-yours")

    def _check_hearing(self, pad: Pad) -> None:
        """Is the pad's board plugged in, and does its reader answer?"""
        table = self._people.table
        at = table.nearest(pad)
        if table.at(at).is_plugged(at) is False:
            raise CannotDo("unheard-out", pad=at)
        if table.is_deaf(at):
            raise CannotDo("unheard-deaf", pad=at)


def _is_of(event: TableEvent, action: PlayerAction) -> bool:
    match action:
        case Tap(_, card, pad):
            return is_of_tap(event, card, pad)
        case HoldCard(_, card, pad):
            return is_of_tap(event, card, pad) or is_of_hold(event, card, pad)
        case Push(seat):
            return is_of_button(event, seat)
        case TapControl(_, control):
            return is_of_control(event, control)


def _tell(answer: asyncio.Future[list[TableEvent]], said: list[TableEvent]) -> None:
    if not answer.done():
        answer.set_result(said)
