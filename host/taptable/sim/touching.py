"""The hands at a simulated table: put cards on pads and hold them there, press buttons, and wait for the table's events
about it. `people` decides whose hands do what, and why. Must not know where a card really is in the game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager

from taptable.core.check_notices import CheckBrokenOff, CheckElsewhere, CheckExtra, CheckTeam, CheckTicked
from taptable.core.controls import Fields
from taptable.core.notices import ConsentAsked, NothingToPause, Notice, PressUnheard, StopForgotten
from taptable.core.observations import ButtonPressed, CardHeld, CardsTogether, CardTapped, ControlUsed, Pad
from taptable.core.player import HoldCard, PlayerAction, Push, Tap, TapControl
from taptable.core.verdicts import Accepted
from taptable.referee.session import Decision, TableEvent
from taptable.sim.table import SimulatedTable

ON_PAD_S = 0.35
"""Seconds for which a tapped card lies on the pad."""
RESPONSE_TIMEOUT_S = 1.5
"""The longest wait for an event of the table, before a player tries again."""
HOLD_TIMEOUT_S = 3.0
"""The longest wait for the event about a card that is held."""
GONE_S = 0.4
"""A card that was lifted is known to be gone after this time, and can be tapped there again."""
BRUSH_S = 0.004
"""Seconds on the pad that may be too few for a card to be read."""
TWO_CARDS_GAP_S = 0.06
"""Seconds between two cards that slip onto the pad together."""


RequestControl = Callable[[str, Fields], object]
"""Callable that requests a control, with its fields, where no card can."""


class Touching:
    """Hands for `table`. `tags` names its cards and control cards by their UIDs; `game_control_cards` says what the
    game's own control cards stand for; controls without a card go to `request_control`, if there is one. Must be made
    on the loop that runs it, and get every event of the table."""

    def __init__(
        self,
        table: SimulatedTable,
        tags: Mapping[str, str],
        game_control_cards: Callable[[], Mapping[str, tuple[str, Fields]]],
        request_control: RequestControl | None = None,
    ) -> None:
        self.table = table
        self._game_control_cards = game_control_cards
        self._request_control = request_control
        self._tag_of = {card: uid for uid, card in tags.items()}
        self._loop = asyncio.get_running_loop()
        self._waiters: list[tuple[Callable[[TableEvent], bool], asyncio.Future[TableEvent]]] = []
        self._listeners: list[tuple[Callable[[TableEvent], bool], list[TableEvent]]] = []
        self._pending_verdicts: set[asyncio.Task[TableEvent | None]] = set()

    async def do(self, action: PlayerAction) -> TableEvent | None:
        """Do an action with the hands, and return the event that follows; None if there is none in time."""
        match action:
            case Tap(_, card, pad):
                return await self._tap(card, self.table.pad_or_discard(pad))
            case HoldCard(_, card, pad):
                return await self._hold(card, self.table.pad_or_discard(pad))
            case Push(seat):
                return await self.push(seat)
            case TapControl(seat, control, fields):
                return await self.use_control(seat, control, fields)

    async def push(self, seat: int) -> TableEvent | None:
        """Press a seat's button."""
        waiting = self.expect(lambda event: concerns_button(event, seat))
        self._await_verdict(lambda event: concerns_button(event, seat))
        self.table.press(seat)
        return await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)

    async def use_control(self, seat: int, control: str, fields: Fields = ()) -> TableEvent | None:
        """Tap the control card for this on a seat's pad. KeyError if there is none, and no `request_control` either."""
        waiting = self.expect(lambda event: concerns_control(event, control))
        if not self.has_card(control, fields) and self._request_control is not None:
            self._request_control(control, fields)
            return await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)
        with self.put(self._control_card(control, fields), seat):
            return await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)

    def has_card(self, control: str, fields: Fields = ()) -> bool:
        """Return whether there is a control card for this."""
        return self._control_card(control, fields) in self._tag_of

    def _control_card(self, control: str, fields: Fields) -> str:
        """Return the control card that stands for this; those of every game have the names of their controls."""
        return next(
            (card for card, stands_for in self._game_control_cards().items() if stands_for == (control, fields)),
            control,
        )

    @contextmanager
    def put(self, what: str, pad: Pad) -> Generator[None]:
        """Keep a card, or a control card, on a pad for the duration of the context. KeyError if there is no such
        card."""
        uid = self._tag_of[what]
        control, _ = self._game_control_cards().get(what, (what, ()))
        unjudged = self._await_verdict(lambda event: concerns_tap(event, what, pad) or concerns_control(event, control))
        self.table.put(uid, pad)
        try:
            yield
        finally:
            self.table.lift(uid, pad)
            self._loop.call_later(GONE_S, unjudged.cancel)

    async def wait_for_verdicts(self) -> None:
        """Wait until the table has reported every tap and press that it may still be about to judge. An action before
        that may count as another player's: the table sees neither who taps nor for which turn it was meant."""
        while self._pending_verdicts:
            await asyncio.wait(self._pending_verdicts)

    @contextmanager
    def collect_events(self, predicate: Callable[[TableEvent], bool]) -> Generator[list[TableEvent]]:
        """Yield a list that collects the matching events of the table for the duration of the context."""
        events: list[TableEvent] = []
        listener = (predicate, events)
        self._listeners.append(listener)
        try:
            yield events
        finally:
            self._listeners = [each for each in self._listeners if each is not listener]

    def expect(self, predicate: Callable[[TableEvent], bool]) -> asyncio.Future[TableEvent]:
        """Return a future for `wait_for_event`: the first matching event from now on."""
        future: asyncio.Future[TableEvent] = self._loop.create_future()
        self._waiters.append((predicate, future))
        return future

    async def wait_for_event(self, expected: asyncio.Future[TableEvent], timeout_s: float) -> TableEvent | None:
        """Return the expected event, or None if it doesn't come in time."""
        try:
            async with asyncio.timeout(timeout_s):  # `wait_for` may lose a cancellation that comes with the event
                return await expected
        except TimeoutError:
            return None
        finally:
            self._waiters = [(predicate, future) for predicate, future in self._waiters if future is not expected]

    def _dispatch(self, event: TableEvent) -> None:
        """Pass an event of the table to the futures and listeners that it matches."""
        for predicate, future in self._waiters:
            if not future.done() and predicate(event):
                future.set_result(event)
        for predicate, events in self._listeners:
            if predicate(event):
                events.append(event)

    async def _tap(self, card: str, pad: Pad) -> TableEvent | None:
        waiting = self.expect(lambda event: concerns_tap(event, card, pad))
        with self.put(card, pad):
            await asyncio.sleep(ON_PAD_S)
            return await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)

    async def _hold(self, card: str, pad: Pad) -> TableEvent | None:
        waiting = self.expect(lambda event: concerns_hold(event, card, pad))
        with self.put(card, pad):
            return await self.wait_for_event(waiting, HOLD_TIMEOUT_S)

    async def _brush(self, card: str, pad: Pad) -> None:
        """Touch a pad too briefly for a card to be read, or just long enough."""
        with self.put(card, pad):
            await asyncio.sleep(BRUSH_S)
        await asyncio.sleep(RESPONSE_TIMEOUT_S)

    async def _tap_two(self, card: str, other: str, pad: Pad) -> None:
        """Let two cards slip onto the pad together."""
        waiting = self.expect(
            lambda event: isinstance(event, Decision) and isinstance(event.observation, CardsTogether)
        )
        with ExitStack() as stack:
            for slipped in (card, other):
                stack.enter_context(self.put(slipped, pad))
                await asyncio.sleep(TWO_CARDS_GAP_S)
            await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)
        await asyncio.sleep(RESPONSE_TIMEOUT_S)

    def _await_verdict(self, predicate: Callable[[TableEvent], bool]) -> asyncio.Task[TableEvent | None]:
        """Start waiting for the verdict on an action; the task ends with the verdict, or when there is none in time."""
        task = asyncio.create_task(self.wait_for_event(self.expect(predicate), RESPONSE_TIMEOUT_S))
        self._pending_verdicts.add(task)
        task.add_done_callback(self._pending_verdicts.discard)
        return task


def concerns_tap(event: TableEvent, card: str, pad: Pad) -> bool:
    """Return whether the event is about this card's tap on this pad, perhaps together with another card, or in a check
    of the table."""
    match event:
        case CheckTicked(_, reported) | CheckExtra(_, reported):
            return reported == card
        case CheckElsewhere():
            return True
        case Decision(CardsTogether(_, cards, where)):
            return where == pad and card in cards
        case Decision(CardTapped(_, tapped, where)):
            return (tapped, where) == (card, pad)
        case _:
            return False


def concerns_hold(event: TableEvent, card: str, pad: Pad) -> bool:
    """Return whether the event is about this card's hold on this pad."""
    match event:
        case Decision(CardHeld(_, held, where)):
            return (held, where) == (card, pad)
        case _:
            return False


def concerns_button(event: TableEvent, seat: int) -> bool:
    """Return whether a press of this seat's button can have led to the event."""
    match event:
        case StopForgotten():
            return False
        case Notice():
            return getattr(event, "seat", None) == seat
        case Decision(ButtonPressed(_, pressed)):
            return pressed == seat
        case Decision(ControlUsed(_, control)):
            return control in ("resume", "take-back")
        case _:
            return False


def concerns_control(event: TableEvent, control: str) -> bool:
    """Return whether the event is about this control card."""
    match event:
        case ConsentAsked():
            return control == "take-back"
        case CheckTeam():
            return control == "check"
        case CheckBrokenOff():
            return True
        case NothingToPause():
            return control == "pause"
        case Decision(ControlUsed(_, used)):
            return used == control or (control == "pause" and used == "resume")
        case _:
            return False


def is_accepted(event: TableEvent | None) -> bool:
    """Return whether this is an observation that was accepted."""
    return isinstance(event, Decision) and isinstance(event.verdict, Accepted)


def is_unheard_press(event: TableEvent | None) -> bool:
    """Return whether this is a press that didn't count."""
    return isinstance(event, PressUnheard)
