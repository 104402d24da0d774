"""People at a simulated table: they take cards from their hands, hold them on pads, press buttons, and look at
what the table says.

Each seat is a task of its own. They play as the game's virtual players wish, take their time, and now and then
slip as people do. Where the cards really are is kept apart from what the referee believes, and compared after
every verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from taptable.core.notices import Notice, PressUnheard, StopForgotten
from taptable.core.observations import ButtonPressed, CardHeld, CardsTogether, CardTapped, Pad
from taptable.core.player import Deed, Hold, Push, Tap, UseControl
from taptable.core.verdicts import Accepted
from taptable.referee import gestures
from taptable.referee.session import Happening, Judged, Session
from taptable.sim.table import SimulatedTable

THINKING_S = (0.8, 3.5)
REACTION_S = (0.25, 1.6)
ON_PAD_S = 0.35
LOOKING_S = 1.5
"""How long somebody waits for the table to say something before trying again."""
HOLDING_S = 3.0
REST_S = 0.8
"""A button that wasn't heard is left alone for so long."""
FORGOTTEN_S = 300.0
BRUSH_S = 0.004
TOGETHER_S = 0.06


@dataclass(frozen=True, slots=True)
class Slips:
    """How often people slip, of all their deeds: 0 never, 1 always."""

    blunder: float = 0.04
    too_short: float = 0.04
    together: float = 0.015
    forget_stop: float = 0.02
    false_alarm: float = 0.06
    regret: float = 0.02


NEVER = Slips(0, 0, 0, 0, 0, 0)


@dataclass(slots=True)
class Counts:
    """What people did, as they know it themselves."""

    blunders: int = 0
    too_short: int = 0
    together: int = 0
    forgotten_stops: int = 0
    false_alarms: int = 0
    regrets: int = 0
    disagreements: list[str] = field(default_factory=list[str])


class People:
    """Everybody at the table. `follow` is what the daemon tells; `sit_down` starts the virtual players.

    To be made on the loop that runs it. `seats` are those played by virtual players; the others are left to
    somebody else."""

    def __init__(
        self,
        table: SimulatedTable,
        tags: Mapping[str, str],
        *,
        session: Callable[[], Session],
        seed: int,
        slips: Slips = Slips(),
        seats: Sequence[int] | None = None,
    ) -> None:
        self.table = table
        self.counts = Counts()
        self._tag_of = {what: uid for uid, what in tags.items()}
        self._session = session
        self._rng = Random(f"people {seed}")
        self._slips = slips
        self._loop = asyncio.get_running_loop()
        state = session().table.state
        self._players = session().table.game.players
        self._before = session().table
        self.holdings: Any = self._players.prepare(state, self._players.deal(state, self._rng))
        self._seats = list(seats) if seats is not None else list(range(1, session().table.agreed.players + 1))
        self._news: list[tuple[Callable[[Happening], bool], asyncio.Future[Happening]]] = []
        self._stirred = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.over = asyncio.Event()

    def sit_down(self) -> None:
        """Start the virtual players."""
        self._tasks = [asyncio.create_task(self._play(seat), name=f"seat {seat}") for seat in self._seats]

    async def get_up(self) -> None:
        """End them."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """The table said something: cards move as their taps say, and whoever waits for it goes on."""
        for happening in happened:
            if isinstance(happening, Judged):
                self._settle(happening)
            for heard, future in self._news:
                if not future.done() and heard(happening):
                    future.set_result(happening)
        if happened:
            self._stirred.set()
            self._stirred = asyncio.Event()
        if session.table.game.outcome(session.table.state) is not None:
            self.over.set()
        else:
            self.over.clear()

    async def do(self, deed: Deed) -> Happening | None:
        """Do it with the hands, and give what the table said of it; None if it said nothing in time."""
        match deed:
            case Tap(_, card, pad):
                return await self._tap(self._tag_of[card], card, pad, LOOKING_S)
            case Hold(_, card, pad):
                return await self._hold(self._tag_of[card], card, pad)
            case Push(seat):
                return await self.push(seat)
            case UseControl(seat, control):
                return await self.use_control(seat, control)

    async def push(self, seat: int) -> Happening | None:
        """Press a seat's button."""
        waiting = self._expect(lambda happening: _is_of_button(happening, seat))
        self.table.press(seat)
        return await self._hear(waiting, LOOKING_S)

    async def use_control(self, seat: int, control: str) -> Happening | None:
        """Tap a control card on a seat's pad."""
        waiting = self._expect(lambda happening: not _is_of_card(happening))
        uid = self._tag_of[control]
        self.table.put(uid, seat)
        heard = await self._hear(waiting, LOOKING_S)
        self.table.lift(uid, seat)
        return heard

    def _settle(self, judged: Judged) -> None:
        """The true cards follow what was accepted; then they are compared with what the referee believes."""
        before, after = self._before, judged.table
        self._before = after
        accepted = isinstance(judged.verdict, Accepted)
        settled = self._players.settle(
            before.state, after.state, judged.observation, accepted, self.holdings, self._rng
        )
        self.holdings = self._players.prepare(after.state, settled)
        wrong = self._players.disagreement(after.state, self.holdings)
        if wrong is not None:
            self.counts.disagreements.append(f"after {judged.observation}: {wrong}")

    async def _play(self, seat: int) -> None:
        """One virtual player."""
        while True:
            stirred = self._stirred
            deed = self._wish(seat)
            if deed is None:
                await stirred.wait()
                continue
            window = self._session().table.game.scoreboard(self._session().table.state).window
            least_s, most_s = THINKING_S if window is None else REACTION_S
            try:
                await asyncio.wait_for(stirred.wait(), self._rng.uniform(least_s, most_s))
            except TimeoutError:
                await self._act(seat, deed)

    def _wish(self, seat: int) -> Deed | None:
        """What this seat would do now: what the table asks for first, then what the game's player wants."""
        session = self._session()
        table = session.table
        meaning = gestures.meanings(session.manners, table)[seat - 1]
        if session.manners.consent is not None:
            return Push(seat) if meaning == "grant" else None
        if table.paused_at_us is not None:
            return Push(seat)
        if table.game.outcome(table.state) is not None:
            return None
        deed = self._players.decide(table.state, self.holdings, seat)
        if deed is None and meaning == "buzz" and self._happens(self._slips.false_alarm):
            self.counts.false_alarms += 1
            return Push(seat)
        return deed

    async def _act(self, seat: int, deed: Deed) -> None:
        """Do it, slips included; a tap that wasn't noticed is done again when its player looks next."""
        if isinstance(deed, Tap | Push) and self._happens(self._slips.blunder):
            await self._blunder(seat)
            return
        match deed:
            case Tap(_, card, pad) if self._happens(self._slips.too_short):
                self.counts.too_short += 1
                await self._brush(self._tag_of[card], pad)
            case Tap(_, card, pad) if self._happens(self._slips.together):
                await self._tap_two(seat, card, pad)
            case Push() if self._means_stop(seat) and self._happens(self._slips.forget_stop):
                self.counts.forgotten_stops += 1
                reminded = self._expect(lambda happening: isinstance(happening, StopForgotten) and happening.loudly)
                await self._hear(reminded, FORGOTTEN_S)
            case _:
                heard = await self.do(deed)
                if isinstance(heard, PressUnheard):
                    await asyncio.sleep(REST_S)
                elif isinstance(deed, Tap) and _accepted(heard) and self._happens(self._slips.regret):
                    self.counts.regrets += 1
                    await self.use_control(seat, "take-back")

    async def _blunder(self, seat: int) -> None:
        state = self._session().table.state
        blunder = self._players.blunder(state, self.holdings, seat, self._rng)
        if blunder is not None:
            self.counts.blunders += 1
            await self.do(blunder)

    async def _tap(self, uid: str, card: str, pad: Pad, patience_s: float) -> Happening | None:
        waiting = self._expect(lambda happening: _is_tap_of(happening, card, pad))
        self.table.put(uid, pad)
        await asyncio.sleep(ON_PAD_S)
        heard = await self._hear(waiting, patience_s)
        self.table.lift(uid, pad)
        return heard

    async def _hold(self, uid: str, card: str, pad: Pad) -> Happening | None:
        waiting = self._expect(lambda happening: _is_hold_of(happening, card, pad))
        self.table.put(uid, pad)
        heard = await self._hear(waiting, HOLDING_S)
        self.table.lift(uid, pad)
        return heard

    async def _brush(self, uid: str, pad: Pad) -> None:
        """Too short to be read, or just long enough."""
        self.table.put(uid, pad)
        await asyncio.sleep(BRUSH_S)
        self.table.lift(uid, pad)
        await asyncio.sleep(LOOKING_S)

    async def _tap_two(self, seat: int, card: str, pad: Pad) -> None:
        """Two cards slip onto the pad together."""
        other = self._players.another_card(self.holdings, seat, card)
        if other is None:
            return
        self.counts.together += 1
        waiting = self._expect(
            lambda happening: isinstance(happening, Judged) and isinstance(happening.observation, CardsTogether)
        )
        for slipped in (card, other):
            self.table.put(self._tag_of[slipped], pad)
            await asyncio.sleep(TOGETHER_S)
        await self._hear(waiting, LOOKING_S)
        for slipped in (card, other):
            self.table.lift(self._tag_of[slipped], pad)
        await asyncio.sleep(LOOKING_S)

    def _means_stop(self, seat: int) -> bool:
        session = self._session()
        return gestures.meanings(session.manners, session.table)[seat - 1] == "stop"

    def _expect(self, heard: Callable[[Happening], bool]) -> asyncio.Future[Happening]:
        future: asyncio.Future[Happening] = self._loop.create_future()
        self._news.append((heard, future))
        return future

    async def _hear(self, waiting: asyncio.Future[Happening], patience_s: float) -> Happening | None:
        try:
            return await asyncio.wait_for(waiting, patience_s)
        except TimeoutError:
            return None
        finally:
            self._news = [(heard, future) for heard, future in self._news if future is not waiting]

    def _happens(self, share: float) -> bool:
        return self._rng.random() < share


def _is_tap_of(happening: Happening, card: str, pad: Pad) -> bool:
    if not isinstance(happening, Judged):
        return False
    observation = happening.observation
    if isinstance(observation, CardsTogether):
        return observation.pad == pad and card in observation.cards
    return isinstance(observation, CardTapped) and (observation.card, observation.pad) == (card, pad)


def _is_hold_of(happening: Happening, card: str, pad: Pad) -> bool:
    return (
        isinstance(happening, Judged)
        and isinstance(happening.observation, CardHeld)
        and (happening.observation.card, happening.observation.pad) == (card, pad)
    )


def _is_of_button(happening: Happening, seat: int) -> bool:
    """Anything that a press of this seat's button can lead to."""
    if isinstance(happening, Notice):
        return getattr(happening, "seat", None) == seat and not isinstance(happening, StopForgotten)
    observation = happening.observation
    if isinstance(observation, ButtonPressed):
        return observation.seat == seat
    return not _is_of_card(happening) and getattr(observation, "control", None) in ("resume", "take-back")


def _is_of_card(happening: Happening) -> bool:
    return isinstance(happening, Judged) and isinstance(happening.observation, CardTapped | CardHeld | CardsTogether)


def _accepted(heard: Happening | None) -> bool:
    return isinstance(heard, Judged) and isinstance(heard.verdict, Accepted)
