"""The players of a simulated table: the ground truth of which hand has which card, and virtual players who use the
hands of `touching`. Each seat is a task of its own. They play as the game's policy decides, take their time, and now
and then slip as people do. The ground truth is independent of what the referee believes, and is compared with it after
every verdict. Must not know a rule of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from taptable.core.controls import control_cards
from taptable.core.notices import CorrectionAsked, StopForgotten
from taptable.core.observations import Pad
from taptable.core.player import PlayerAction, Players, Push, Tap, Zone
from taptable.core.verdicts import Accepted
from taptable.narration.updates import Update
from taptable.referee import checking as checks
from taptable.referee import gestures
from taptable.referee.checking import Checking
from taptable.referee.session import Decision, Session, TableEvent
from taptable.sim.first_deal import first_deal
from taptable.sim.table import SimulatedTable
from taptable.sim.touching import RequestControl, Touching, is_accepted, is_unheard_press

THINKING_S = (0.8, 3.5)
REACTION_S = (0.25, 1.6)
CHECKING_S = (0.1, 0.4)
"""The least and the most seconds before an action: in a turn, in a window, and in a check of the table."""
REST_S = 0.8
"""A button whose press didn't count is left alone for this long."""
FORGOTTEN_S = 300.0
"""Seconds for which a player who forgot *Stop* waits for the table's loud reminder."""


@dataclass(frozen=True, slots=True)
class Slips:
    """How often people slip, as a share of their actions: 0 never, 1 always."""

    blunder: float = 0.04
    too_short: float = 0.04
    two_cards: float = 0.015
    forget_stop: float = 0.02
    false_alarm: float = 0.06
    regret: float = 0.02


USUAL_SLIPS = Slips()
NO_SLIPS = Slips(0, 0, 0, 0, 0, 0)


class People(Touching):
    """All players at the table. `on_update` takes the daemon's updates; `start_players` starts the virtual players.

    Must be made on the loop that runs it. Virtual players sit at `seats`, and wait if the game has fewer players. The
    other seats belong to people, who are dealt something to play in the first game. Virtual players end a pause only
    while `ends_pauses`."""

    def __init__(
        self,
        table: SimulatedTable,
        tags: Mapping[str, str],
        *,
        session: Callable[[], Session],
        seed: int,
        slips: Slips = USUAL_SLIPS,
        seats: Sequence[int] | None = None,
        request_control: RequestControl | None = None,
    ) -> None:
        super().__init__(table, tags, lambda: control_cards(session().table.game.controls), request_control)
        self.disagreements: list[str] = []
        self._tags = tags
        self._session = session
        self._seed = seed
        self._rng = Random(f"people {seed}")
        self._slips = slips
        state = session().table.state
        self._before = session().table
        self._seats = list(seats) if seats is not None else list(range(1, len(table.config.seats) + 1))
        people = [seat for seat in range(1, self._before.game_options.players + 1) if seat not in self._seats]
        self.truth: Any = first_deal(self._before, people, self._rng)
        self._changed = asyncio.Event()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.game_over = asyncio.Event()
        if session().table.game.outcome(state) is not None:
            self.game_over.set()
        self.ends_pauses = True
        self._keep_paused = False  # a requester who pauses the game at the page wants the pause to last

    @property
    def _players(self) -> Players[Any, Any]:
        """The virtual players of the game at the table."""
        return self._session().table.game.players

    def start_players(self, seats: Collection[int] | None = None) -> None:
        """Start the virtual players, or those of some `seats`. The loop's exception handler gets the exception of one
        that fails, at once."""
        for seat in self._seats:
            if seats is None or seat in seats:
                self._begin(seat)

    async def pause_players(self) -> Collection[int]:
        """Stop the virtual players, and return the seats of those that played."""
        seats = tuple(self._tasks)
        await self.stop_players()
        return seats

    async def stop_players(self) -> None:
        """Stop the virtual players."""
        await self._end(self._tasks)
        for unjudged in self._pending_verdicts:
            unjudged.cancel()

    async def leave(self, seat: int) -> None:
        """Remove the virtual player of a seat: the card that it holds on a pad is lifted, its hand stays."""
        if seat in self._seats:
            self._seats.remove(seat)
            await self._end([seat])
            self.notify()

    def take_over(self, seat: int) -> None:
        """Start a virtual player at a seat that was a person's; it plays on with the hand of that seat."""
        if seat not in self._seats:
            self._seats.append(seat)
            self._seats.sort()
            self._begin(seat)
            self.notify()

    def notify(self) -> None:
        """Let every virtual player decide again."""
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def card_by_uid(self) -> Mapping[str, str]:
        """The cards and control cards by the UIDs of their tags."""
        return self._tags

    @property
    def paused(self) -> bool:
        """Whether the table is paused."""
        return self._session().table.paused_at_us is not None

    def is_seat_in_game(self, seat: int) -> bool:
        """Return whether the present game is played at this seat."""
        return seat <= self._session().table.game_options.players

    def layout(self) -> tuple[Zone, ...]:
        """Return the zones that lie open on the table."""
        return self.truth.layout()

    def reachable(self, seat: int) -> tuple[Zone, ...]:
        """Return the zones that a seat can tap now, its hand first."""
        if not self.is_seat_in_game(seat):
            return (Zone("hand", (seat,), ()),)
        return self._players.reachable(self._session().table.state, self.truth, seat)

    def legal_taps(self) -> list[tuple[str, Pad]]:
        """Return the taps that would be accepted now."""
        table = self._session().table
        return table.game.legal_taps(table.state) if table.paused_at_us is None else []

    def fair(self, seat: int) -> tuple[tuple[str, Pad], ...]:
        """Return the taps that would be accepted now and are this seat's to do."""
        if not self.is_seat_in_game(seat):
            return ()
        return self._players.fair(self._session().table.state, self.truth, seat, self.legal_taps())

    def fitting(self, seat: int, fair: Sequence[tuple[str, Pad]]) -> tuple[tuple[str, Pad], ...]:
        """Return those of a seat's fair taps that are proposed to a learner."""
        return self._players.fitting(self._session().table.state, self.truth, seat, fair)

    def must_first(self, seat: int) -> str | None:
        """Return the key of what a seat owes the others before it may press its button, None for nothing."""
        if not self.is_seat_in_game(seat):
            return None
        return self._players.must_first(self._session().table.state, self.truth, seat)

    def may_draw(self, seat: int) -> bool:
        """Return whether there is a card that a seat may draw and doesn't have to."""
        return (
            self.is_seat_in_game(seat) and self._players.draw(self._session().table.state, self.truth, seat) is not None
        )

    def draw(self, seat: int) -> bool:
        """Let a seat draw an optional card, unseen by the table; return False if there is none."""
        drawn = (
            self._players.draw(self._session().table.state, self.truth, seat) if self.is_seat_in_game(seat) else None
        )
        if drawn is None:
            return False
        self.truth = drawn
        return True

    def on_update(self, update: Update) -> None:
        """Handle an update of the daemon: move cards by its decisions, and wake the tasks that wait for its events."""
        for event in update.events:
            if isinstance(event, Decision):
                self._apply_decision(event)
            elif isinstance(event, CorrectionAsked) and event.by:
                self._keep_paused = event.what == "pause"
            self._dispatch(event)
        self._keep_paused = self._keep_paused and self.paused
        if update.events:
            self.notify()
        table = update.session.table
        if table.game.outcome(table.state) is not None:
            self.game_over.set()
        else:
            self.game_over.clear()

    def _apply_decision(self, decision: Decision) -> None:
        """Move the true cards by an accepted observation, then compare them with the referee's state."""
        before, after = self._before, decision.table
        self._before = after
        players = after.game.players
        accepted = isinstance(decision.verdict, Accepted)
        if before.game is after.game:
            settled = players.settle(before.state, after.state, decision.observation, accepted, self.truth, self._rng)
        else:
            settled = players.deal(after.state, self._rng)
        self.truth = players.prepare(after.state, settled)
        disagreement = players.disagreement(after.state, self.truth)
        if disagreement is not None:
            self.disagreements.append(f"after {decision.observation}: {disagreement}")

    async def _play(self, seat: int) -> None:
        """Run one virtual player."""
        while True:
            changed = self._changed
            checking = self._session().prompts.checking
            if not self.is_seat_in_game(seat):
                action = None
            else:
                action = self._wish(seat) if checking is None else self._check(seat, checking)
            if action is None:
                await changed.wait()
                continue
            window = self._session().table.scoreboard.window
            least_s, most_s = CHECKING_S if checking else THINKING_S if window is None else REACTION_S
            try:
                async with asyncio.timeout(self._rng.uniform(least_s, most_s)):
                    await changed.wait()
            except TimeoutError:
                await (self._act(seat, action) if checking is None else self._do_with_care(action))

    def _wish(self, seat: int) -> PlayerAction | None:
        """Return the action that this seat would do now: first what the table asks for, then what the game's player
        decides."""
        session = self._session()
        table = session.table
        if session.enrolment is not None or seat in self._vacated_seats():
            return None
        button_action = gestures.button_actions(session.prompts, table)[seat - 1]
        if session.prompts.consent is not None:
            return Push(seat) if button_action == "grant" else None
        if table.paused_at_us is not None:
            return Push(seat) if self.ends_pauses and not self._keep_paused and button_action == "resume" else None
        if table.game.outcome(table.state) is not None:
            return None
        action = self._players.decide(table.state, self.truth, seat)
        if action is None and button_action == "buzz" and self._is_rash(seat):
            return Push(seat)
        return action

    def _check(self, seat: int, checking: Checking) -> PlayerAction | None:
        """Return this seat's action in a check of the table, None if another virtual player does it. The rows of
        vacated seats are done by the first player who is still in the game."""
        seats, vacated = checks.seats_now(checking), self._vacated_seats()
        present = [each for each in self._seats if self.is_seat_in_game(each) and each not in vacated]
        candidates = [each for each in present if each in seats] or (present if set(seats) <= set(vacated) else [])
        if seat not in candidates[:1]:
            return None
        if checking.teams:
            at = seat if seat in seats else seats[0]
            reported = (*checking.seen, *checking.extra)
            cards = [
                card for zone in self.layout() if zone.seats == seats for card in zone.cards if card not in reported
            ]
            return Tap(at, cards[0], at) if cards else Push(at)
        counted, believed, name = checking.hands[0]
        count = self.truth.counts(counted)[name]
        # a card that was drawn and not played yet may be missing from the table's count
        as_counted = self._players.disagreement(self._session().table.state, self.truth) is None
        # one press confirms the believed number; presses can't express 0, nor 1
        presses = 1 if as_counted or count == believed else max(count, 1)
        return Push(seat) if checking.presses < presses else None

    async def _act(self, seat: int, action: PlayerAction) -> None:
        """Do an action, slips included; a tap that had no effect is repeated at the player's next decision."""
        if isinstance(action, Tap | Push) and self._happens(self._slips.blunder):
            await self._blunder(seat)
            return
        match action:
            case Tap(_, card, pad) if self._happens(self._slips.too_short):
                await self._brush(card, pad)
            case Tap(_, card, pad) if self._happens(self._slips.two_cards):
                other = self._players.another_card(self.truth, seat, card)
                if other is not None:
                    await self._tap_two(card, other, pad)
            case Push() if self._means_stop(seat) and self._happens(self._slips.forget_stop):
                reminded = self.expect(lambda event: isinstance(event, StopForgotten) and event.loudly)
                await self.wait_for_event(reminded, FORGOTTEN_S)
            case _:
                response = await self._do_with_care(action)
                if isinstance(action, Tap) and is_accepted(response) and self._happens(self._slips.regret):
                    await self.use_control(seat, "take-back")

    async def _do_with_care(self, action: PlayerAction) -> TableEvent | None:
        """Do an action without a slip, and rest after a press that didn't count."""
        response = await self.do(action)
        if is_unheard_press(response):
            await asyncio.sleep(REST_S)
        return response

    async def _blunder(self, seat: int) -> None:
        state = self._session().table.state
        blunder = self._players.blunder(state, self.truth, seat, self._rng)
        if blunder is not None:
            await self.do(blunder)

    def _begin(self, seat: int) -> None:
        task = asyncio.create_task(self._play(seat), name=f"seat {seat}")
        task.add_done_callback(self._report_failure)
        self._tasks[seat] = task

    async def _end(self, seats: Iterable[int]) -> None:
        tasks = [self._tasks.pop(seat) for seat in list(seats) if seat in self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _vacated_seats(self) -> tuple[int, ...]:
        """Return the seats whose players have left the game."""
        table = self._session().table
        return table.scoreboard.vacated

    def _means_stop(self, seat: int) -> bool:
        session = self._session()
        return gestures.button_actions(session.prompts, session.table)[seat - 1] == "stop"

    def _report_failure(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            message = f"Unhandled exception in the virtual player of {task.get_name()}"
            self._loop.call_exception_handler({"message": message, "exception": error})

    def _is_rash(self, seat: int) -> bool:
        """Return whether this seat will press in the running window without a reason; decided once in a window."""
        window = self._session().table.scoreboard.window
        opened_at_us = window.opened_at_us if window is not None else 0
        return Random(f"rash {self._seed} {seat} {opened_at_us}").random() < self._slips.false_alarm

    def _happens(self, share: float) -> bool:
        return self._rng.random() < share
