"""A person at a seat, who plays on the page: knows what is in reach and theirs to do, does one action after the other
with the hands as the virtual players do, and returns the table's events. A finger is always free for the button.
`actions` calls it. Must not know the messages of the page."""

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
from taptable.sim.touching import (
    GONE_S,
    RESPONSE_TIMEOUT_S,
    concerns_button,
    concerns_control,
    concerns_hold,
    concerns_tap,
)

MAX_WAITING = 3
"""Actions that may wait for the hands to be free."""
IMMEDIATE_ACTIONS = (None, "buzz")
"""Button actions whose press doesn't change what a card on a pad counts as, or can't wait."""
MAX_PRESSES = 4
"""Presses of one button that may be under way."""

Begin: TypeAlias = Callable[[Coroutine[Any, Any, None]], None]
"""Callable that starts a background task."""


class CannotDo(RequestError):
    """Refuses an action that isn't possible now, by the key of a sentence."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__("hands", key, **facts)


@dataclass(slots=True)
class Resting:
    """A card that rests on a pad until `lifted` is set; `client` put it there. `is_down` while it lies on the pad;
    `done` is set once it has been lifted."""

    card: str
    pad: Pad
    client: str
    lifted: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    is_down: bool = False
    events: list[TableEvent] = field(default_factory=list[TableEvent])


class Person:
    """The player at `seat`. Actions run to their ends, even if nobody waits for their events any more."""

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
    def button_action(self) -> str | None:
        """The action of the own button now; None at a seat that isn't played at."""
        session = self._session()
        if not self._people.is_seat_in_game(self.seat):
            return None
        return gestures.button_actions(session.prompts, session.table)[self.seat - 1]

    def zones(self) -> tuple[Zone, ...]:
        """Return the zones that can be tapped now; in a check of the table only the rows."""
        if self._session().prompts.checking is None:
            return self._people.reachable(self.seat)
        return tuple(zone for zone in self._people.layout() if self.seat in zone.seats and zone.cards)

    def fair(self) -> tuple[tuple[str, Pad], ...]:
        """Return the taps that would count now and are this seat's to do."""
        return self._people.fair(self.seat)

    def belongs_to_another(self, card: str, pad: Pad) -> bool:
        """Return whether the table would take this tap for another player's, since it can't see who taps."""
        tap = (card, pad)
        return tap in self._people.legal_taps() and tap not in self.fair()

    def owed_action(self) -> str | None:
        """Return the key of what this seat owes the others before its button may be pressed, None for nothing."""
        return self._people.must_first(self.seat) if self.button_action == "stop" else None

    @property
    def busy(self) -> bool:
        """Whether the hands are full."""
        return self._free.locked()

    async def do(self, action: PlayerAction) -> list[TableEvent]:
        """Do an action when the hands are free, and return the table's events. CannotDo says why it isn't done."""
        return await self._in_turn(lambda answer: self._do(action, answer))

    async def tap_rows(self) -> list[TableEvent]:
        """Tap all cards of the own rows, in a check of the table."""
        return await self._in_turn(self._tap_rows)

    async def put(self, card: str, pad: Pad, client: str) -> list[TableEvent]:
        """Rest a card on a pad until `lift`, and return the table's first event about it."""
        resting = Resting(card, pad, client)
        return await self._in_turn(lambda answer: self._rest(resting, answer), resting)

    async def lift(self, card: str, pad: Pad) -> list[TableEvent]:
        """Lift a card that rests there, and return all events about it; none if it doesn't rest there."""
        events: list[TableEvent] = []
        for resting in [each for each in self._resting if (each.card, each.pad) == (card, pad)]:
            resting.lifted.set()
            if resting.is_down:
                await resting.done.wait()
            events += resting.events
        return events

    def on_client_left(self, client: str | None = None) -> None:
        """Lift the cards that a client put on pads, or all clients, because it is gone."""
        for resting in self._resting:
            if client in (None, resting.client):
                resting.lifted.set()

    async def press(self) -> list[TableEvent]:
        """Press the own button, even if the hands are busy; a press that ends a turn, or a move, waits for the verdicts
        on earlier actions."""
        if self._people.table.is_controller_plugged(self.seat) is False:
            raise CannotDo("unheard-controller", pad=self.seat)
        action = self.button_action
        if action not in IMMEDIATE_ACTIONS:
            await self._people.wait_for_verdicts()
            if self.button_action != action:
                raise CannotDo("busy")
        owed = self.owed_action()
        if owed is not None:
            raise CannotDo(owed)
        if self._presses >= MAX_PRESSES:
            raise CannotDo("busy")
        self._presses += 1
        try:
            with self._people.collect_events(lambda event: concerns_button(event, self.seat)) as events:
                await self._people.push(self.seat)
                return events
        finally:
            self._presses -= 1

    async def draw(self) -> None:
        """Draw an optional card, once it is clear whether the turn is over."""
        await self._people.wait_for_verdicts()
        if not self._people.draw(self.seat):
            raise CannotDo("nothing-to-draw")

    async def get_up(self) -> None:
        """Lift the resting cards, and wait until the action under way ends."""
        self.on_client_left()
        async with self._free:
            pass

    async def _in_turn(
        self,
        run: Callable[[asyncio.Future[list[TableEvent]]], Coroutine[Any, Any, None]],
        resting: Resting | None = None,
    ) -> list[TableEvent]:
        if self._waiting > MAX_WAITING:
            raise CannotDo("busy")
        if resting is not None:
            self._resting.append(resting)
        answer: asyncio.Future[list[TableEvent]] = asyncio.get_running_loop().create_future()
        self._waiting += 1
        self._begin(self._when_free(run, answer))
        return await answer

    async def _when_free(
        self,
        run: Callable[[asyncio.Future[list[TableEvent]]], Coroutine[Any, Any, None]],
        answer: asyncio.Future[list[TableEvent]],
    ) -> None:
        try:
            async with self._free:
                await run(answer)
                await asyncio.sleep(GONE_S)
        except CannotDo as error:
            if not answer.done():
                answer.set_exception(error)
        finally:
            self._waiting -= 1
            _resolve(answer, [])

    async def _do(self, action: PlayerAction, answer: asyncio.Future[list[TableEvent]]) -> None:
        match action:
            case Tap(_, card, pad) | HoldCard(_, card, pad):
                await self._check(card, pad)
            case TapControl(seat, control, fields):
                if self._people.has_card(control, fields):
                    self._check_reader(seat)
                await self._people.wait_for_verdicts()
            case _:
                await self._people.wait_for_verdicts()
        with self._people.collect_events(lambda event: _concerns(event, action)) as events:
            await self._people.do(action)
        _resolve(answer, events)

    async def _tap_rows(self, answer: asyncio.Future[list[TableEvent]]) -> None:
        if self.button_action != "check":
            raise CannotDo("only-in-check")
        self._check_reader(self.seat)
        cards = [card for zone in self.zones() for card in zone.cards]
        events = [await self._people.do(Tap(self.seat, card, self.seat)) for card in cards]
        _resolve(answer, [event for event in events if event is not None])

    async def _rest(self, resting: Resting, answer: asyncio.Future[list[TableEvent]]) -> None:
        card, pad = resting.card, resting.pad
        try:
            if resting.lifted.is_set():  # lifted before its turn came
                return
            await self._check(card, pad)
            tapped = self._people.expect(lambda event: concerns_tap(event, card, pad))
            self._begin(self._answer_first_event(tapped, answer))
            with (
                self._people.collect_events(
                    lambda event: _concerns(event, HoldCard(self.seat, card, pad))
                ) as resting.events,
                self._people.put(card, pad),
            ):
                resting.is_down = True
                await resting.lifted.wait()
        finally:
            self._resting.remove(resting)
            resting.done.set()

    async def _answer_first_event(
        self, tapped: asyncio.Future[TableEvent], answer: asyncio.Future[list[TableEvent]]
    ) -> None:
        event = await self._people.wait_for_event(tapped, RESPONSE_TIMEOUT_S)
        _resolve(answer, [] if event is None else [event])

    async def _check(self, card: str, pad: Pad) -> None:
        """Raise CannotDo unless the card can be read there, is in reach, and is this seat's to play, after every
        pending verdict."""
        self._check_reader(pad)
        await self._people.wait_for_verdicts()
        if not any(card in zone.cards for zone in self.zones()):
            raise CannotDo("not-in-reach")
        if self.belongs_to_another(card, pad):
            raise CannotDo("not-yours")

    def _check_reader(self, pad: Pad) -> None:
        """Raise CannotDo unless the pad's board is plugged in and its reader answers."""
        table = self._people.table
        at = table.pad_or_discard(pad)
        if table.pad_stand_in(at).is_plugged(at) is False:
            raise CannotDo("unheard-out", pad=at)
        if table.is_deaf(at):
            raise CannotDo("unheard-deaf", pad=at)
        if table.pad_stand_in(at).hangs(at):
            raise CannotDo("unheard-switch", pad=at)


def _concerns(event: TableEvent, action: PlayerAction) -> bool:
    match action:
        case Tap(_, card, pad):
            return concerns_tap(event, card, pad)
        case HoldCard(_, card, pad):
            return concerns_tap(event, card, pad) or concerns_hold(event, card, pad)
        case Push(seat):
            return concerns_button(event, seat)
        case TapControl(_, control):
            return concerns_control(event, control)


def _resolve(answer: asyncio.Future[list[TableEvent]], events: list[TableEvent]) -> None:
    if not answer.done():
        answer.set_result(events)
