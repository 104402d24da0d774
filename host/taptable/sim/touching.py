"""Touching a simulated table: cards are put on pads and held there, buttons pressed, and what the table says of it is
waited for. Whose hands do it and why is `people`'s."""

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
RESPONSE_TIMEOUT_S = 1.5
"""How long somebody waits for the table to say something before trying again."""
HOLD_TIMEOUT_S = 3.0
GONE_S = 0.4
"""A card that was lifted is known to be gone after so long, and can be tapped there again."""
BRUSH_S = 0.004
TWO_CARDS_GAP_S = 0.06


RequestControl = Callable[[str, Fields], object]
"""Asks for a control, with its fields, where no card can."""


class Touching:
    """What hands can do to `table`, whose cards and control cards `tags` names by their UIDs; `own` says what the
    game's own control cards stand for, and what there is no card for is asked for `request_control`, if there is one.
    To be made on the loop that runs it, and told of all that happens."""

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
        self._tag_of = {what: uid for uid, what in tags.items()}
        self._loop = asyncio.get_running_loop()
        self._waiters: list[tuple[Callable[[TableEvent], bool], asyncio.Future[TableEvent]]] = []
        self._listeners: list[tuple[Callable[[TableEvent], bool], list[TableEvent]]] = []
        self._pending_verdicts: set[asyncio.Task[TableEvent | None]] = set()

    async def do(self, action: PlayerAction) -> TableEvent | None:
        """Do it with the hands, and give what the table said of it; None if it said nothing in time."""
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
        """Tap the control card for this on a seat's pad. KeyError if there is none, and no page either."""
        waiting = self.expect(lambda event: concerns_control(event, control))
        if not self.has_card(control, fields) and self._request_control is not None:
            self._request_control(control, fields)
            return await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)
        with self.put(self._control_card(control, fields), seat):
            return await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)

    def has_card(self, control: str, fields: Fields = ()) -> bool:
        """Is there a control card for this?"""
        return self._control_card(control, fields) in self._tag_of

    def _control_card(self, control: str, fields: Fields) -> str:
        """The control card that stands for this; those of every game are called like their controls."""
        return next(
            (card for card, stands_for in self._game_control_cards().items() if stands_for == (control, fields)),
            control,
        )

    @contextmanager
    def put(self, what: str, pad: Pad) -> Generator[None]:
        """A card, or a control card, lies on a pad while this lasts, however it ends. KeyError if there is none."""
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
        """Wait until the table has said something of every card and every press that it may still be about to judge.
        What is done before may count as another's: it sees neither who taps nor for which turn it was meant."""
        while self._pending_verdicts:
            await asyncio.wait(self._pending_verdicts)

    @contextmanager
    def collect_events(self, predicate: Callable[[TableEvent], bool]) -> Generator[list[TableEvent]]:
        """What the table says while this lasts, as far as it is `wanted`."""
        heard: list[TableEvent] = []
        listener = (predicate, heard)
        self._listeners.append(listener)
        try:
            yield heard
        finally:
            self._listeners = [each for each in self._listeners if each is not listener]

    def expect(self, predicate: Callable[[TableEvent], bool]) -> asyncio.Future[TableEvent]:
        """To be given to `hear`: the first event of this kind from now on."""
        future: asyncio.Future[TableEvent] = self._loop.create_future()
        self._waiters.append((predicate, future))
        return future

    async def wait_for_event(self, expected: asyncio.Future[TableEvent], timeout_s: float) -> TableEvent | None:
        """What is expected, or None if it isn't said in time."""
        try:
            async with asyncio.timeout(timeout_s):  # `wait_for` may lose a cancellation that comes with the news
                return await expected
        except TimeoutError:
            return None
        finally:
            self._waiters = [(heard, future) for heard, future in self._waiters if future is not expected]

    def _dispatch(self, event: TableEvent) -> None:
        """The table said this: whoever waits for it goes on."""
        for heard, future in self._waiters:
            if not future.done() and heard(event):
                future.set_result(event)
        for wanted, told in self._listeners:
            if wanted(event):
                told.append(event)

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
        """Too short to be read, or just long enough."""
        with self.put(card, pad):
            await asyncio.sleep(BRUSH_S)
        await asyncio.sleep(RESPONSE_TIMEOUT_S)

    async def _tap_two(self, card: str, other: str, pad: Pad) -> None:
        """Two cards slip onto the pad together."""
        waiting = self.expect(
            lambda event: isinstance(event, Decision) and isinstance(event.observation, CardsTogether)
        )
        with ExitStack() as lying:
            for slipped in (card, other):
                lying.enter_context(self.put(slipped, pad))
                await asyncio.sleep(TWO_CARDS_GAP_S)
            await self.wait_for_event(waiting, RESPONSE_TIMEOUT_S)
        await asyncio.sleep(RESPONSE_TIMEOUT_S)

    def _await_verdict(self, heard: Callable[[TableEvent], bool]) -> asyncio.Task[TableEvent | None]:
        """Something was done of which the table will say this, or nothing; over once that is clear."""
        task = asyncio.create_task(self.wait_for_event(self.expect(heard), RESPONSE_TIMEOUT_S))
        self._pending_verdicts.add(task)
        task.add_done_callback(self._pending_verdicts.discard)
        return task


def concerns_tap(event: TableEvent, card: str, pad: Pad) -> bool:
    """Is it of this card's tap on this pad, perhaps together with another card, or in a check of the table?"""
    match event:
        case CheckTicked(_, told) | CheckExtra(_, told):
            return told == card
        case CheckElsewhere():
            return True
        case Decision(CardsTogether(_, cards, where)):
            return where == pad and card in cards
        case Decision(CardTapped(_, tapped, where)):
            return (tapped, where) == (card, pad)
        case _:
            return False


def concerns_hold(event: TableEvent, card: str, pad: Pad) -> bool:
    """Is it of this card's hold on this pad?"""
    match event:
        case Decision(CardHeld(_, held, where)):
            return (held, where) == (card, pad)
        case _:
            return False


def concerns_button(event: TableEvent, seat: int) -> bool:
    """Is it anything that a press of this seat's button can lead to?"""
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
    """Is it of this control card?"""
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


def is_accepted(heard: TableEvent | None) -> bool:
    """Was it an observation that counted?"""
    return isinstance(heard, Decision) and isinstance(heard.verdict, Accepted)


def is_unheard_press(heard: TableEvent | None) -> bool:
    """Was it a press that wasn't heard?"""
    return isinstance(heard, PressUnheard)
