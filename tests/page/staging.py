"""Leads a simulated table from one scene to the next by the hands of all its seats, with no player who acts by
themselves. Runs on the table's loop, and does not know the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD
from taptable.core.player import PlayerAction, Push, Tap
from taptable.games.online.cards import CATEGORIES, CYBER_PATROL, HACKER, KIND_OF, Group
from taptable.games.online.state import State
from taptable.referee.session import TableEvent
from taptable.sim.harness import SimulationHarness
from taptable.sim.people import People
from taptable.sim.touching import is_unheard_press

MAX_ACTIONS, MAX_IN_VAIN = 3000, 20
REST_S = 1.0
"""Seconds for which a button that wasn't heard is left alone: it is held 0.12 s, and deaf until it has been up for 0.7
s."""
GONE_S = 0.4
"""Seconds after which a lifted card is known to be gone."""
NOTICED_S = 4.0
"""Seconds within which the loss or return of a part is noticed."""


class Stage:
    """A table at which nothing happens except what is requested here."""

    def __init__(self, harness: SimulationHarness) -> None:
        self._room = harness

    @property
    def people(self) -> People:
        return self._room.people

    @property
    def game_options(self) -> GameOptions:
        return self._room.session.table.game_options

    @property
    def state(self) -> State:
        """The game's state."""
        return self._room.session.table.state

    @property
    def on_turn(self) -> int | None:
        """The seat on turn."""
        return None if self.state.turn is None else self.state.turn.seat

    @property
    def seats(self) -> range:
        return range(1, self.game_options.players + 1)

    async def empties_the_chairs(self) -> None:
        """Make every virtual player get up."""
        for seat in self.seats:
            await self.people.leave(seat)

    async def does(self, action: PlayerAction) -> TableEvent | None:
        """Perform an action, again if a button wasn't heard, and wait until the pad is free."""
        said = await self.people.do(action)
        for _ in range(MAX_IN_VAIN):
            if not is_unheard_press(said):
                break
            await asyncio.sleep(REST_S)
            said = await self.people.do(action)
        else:
            raise AssertionError(f"{action} isn't heard: {said}")
        await asyncio.sleep(GONE_S)
        return said

    async def plays(self, until: Callable[[], bool]) -> None:
        """Play on, each seat as its virtual player would, until something holds between two actions."""
        for _ in range(MAX_ACTIONS):
            if until():
                return
            action = next(self._actions(), None)
            if action is None:
                await asyncio.sleep(GONE_S)  # a window runs out
            else:
                await self.does(action)
        raise AssertionError("it never came to that")

    async def begins(self) -> None:
        """Play until a turn has begun."""
        await self.plays(lambda: self.on_turn is not None)

    async def plays_to_a_turn(self, seat: int, files: int = 0) -> None:
        """Play on until a turn of this seat begins and each team has downloaded `files` files, or all together twice as
        many."""
        await self.plays(lambda: self.is_fresh(seat) and self._downloads_reach(files))

    async def readies(self, seat: int, *kinds: str) -> None:
        """The seat on turn plays a card of each kind, which are dealt to it, on its own pad."""
        for kind in kinds:
            await self.does(Tap(seat, self.gives(seat, kind), seat))

    async def lays_rows(self) -> None:
        """Each team goes online and each seat downloads an e-mail, one turn after the other; then seat 1 is on turn."""
        online: set[int] = set()
        for seat in self.seats:
            team = self.state.options.team_of(seat)
            await self.readies(seat, *(() if team in online else ("online",)), "email")
            online.add(team)
            await self.does(Push(seat))

    async def hacks(self, seat: int) -> str:
        """The seat on turn shows a hacker, which is dealt to it; gives the card."""
        card = self.gives(seat, HACKER.id)
        await self.does(Tap(seat, card, seat))
        return card

    async def buzz(self, *seats: int, apart_s: float) -> None:
        """Let these seats press in the window, each `apart_s` after the one before."""

        async def press(place: int, seat: int) -> None:
            await asyncio.sleep(place * apart_s)
            await self.people.do(Push(seat))

        await asyncio.gather(*(press(place, seat) for place, seat in enumerate(seats)))
        await asyncio.sleep(GONE_S)

    async def lets_the_window_run_out(self) -> None:
        """Wait until the hack may be done."""
        while self.state.window is not None:
            await asyncio.sleep(GONE_S)

    async def shows_the_patrol(self, seat: int) -> None:
        """The seat that buzzed shows its patrol."""
        patrol = next(card for card in self.hand(seat) if KIND_OF[card] is CYBER_PATROL)
        await self.does(Tap(seat, patrol, seat))

    async def uses(self, control: str, seat: int) -> None:
        """Tap a control card on a seat's pad, and wait until the pad is free."""
        await self.people.use_control(seat, control)
        await asyncio.sleep(GONE_S)

    async def shows_at_the_discard_pad(self, *tags: str) -> None:
        """Lay each tag on the discard pad for a moment, one after the other."""
        for tag in tags:
            self._room.table.put(tag, DISCARD_PAD)
            await asyncio.sleep(GONE_S)
            self._room.table.lift(tag, DISCARD_PAD)
            await asyncio.sleep(GONE_S)

    async def breaks_things(self) -> None:
        """The board of seat 2 is out, the discard pad is deaf."""
        self._room.table.stand_in("board").boards[2].pull_out()
        self._room.table.deafen(DISCARD_PAD, True)
        await asyncio.sleep(NOTICED_S)

    async def mends_things(self) -> None:
        """Undo that."""
        self._room.table.stand_in("board").boards[2].plug_in()
        self._room.table.deafen(DISCARD_PAD, False)
        await asyncio.sleep(NOTICED_S)

    @property
    def is_quiet(self) -> bool:
        """Return whether no card is on any pad. A card that is being tapped mustn't change places."""
        return not any(self._room.table.tags_on(pad) for pad in (*self.seats, DISCARD_PAD))

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat really holds."""
        return self.people.reachable(seat)[0].cards

    def blunder(self, seat: int) -> Tap | None:
        """A tap of this seat that the table will refuse."""
        players = self._room.session.table.game.players
        return players.blunder(self.state, self.people.truth, seat, Random(0))

    def gives(self, seat: int, kind: str) -> str:
        """Give a seat a card of a kind that is hidden somewhere, and return the card."""
        return self.deals(seat, kind)[0]

    def deals(self, seat: int, *kinds: str) -> list[str]:
        """Give a seat cards of these kinds, as far as any are hidden and it holds others, except power cards, for which
        it exchanges them. Return the cards."""
        dealt: list[str] = []
        for kind in kinds:
            held = [card for card in (*self.hand(seat), *self._hidden()) if KIND_OF[card].id == kind]
            wanted = next((card for card in held if card not in dealt), None)
            if wanted is None:
                continue
            if wanted not in self.hand(seat):
                others = [card for card in self.hand(seat) if card not in dealt]
                given = next((card for card in others if KIND_OF[card].group is not Group.POWER), None)
                if given is None:
                    continue
                self._swap(wanted, given)
            dealt.append(wanted)
        return dealt

    def missing_files(self, seat: int) -> list[str]:
        """The files that the team of a seat still has to download, the big ones first."""
        team = self.state.teams[self.state.options.team_of(seat)]
        wanted = zip(CATEGORIES, self.state.options.quotas, strict=True)
        lacking = [[kind.id] * (quota - len(team.rows[kind.row])) for kind, quota in wanted]
        return [kind for row in reversed(lacking) for kind in row]

    def gathers(self, seat: int, kind: str) -> None:
        """Give a seat every hidden card of a kind."""
        mine = [card for card in self.hand(seat) if KIND_OF[card].id != kind]
        truth = self.people.truth
        others = [hand for other, hand in enumerate(truth.hands, 1) if other != seat]
        theirs = [card for cards in (truth.pile, *others) for card in cards if KIND_OF[card].id == kind]
        for wanted, given in zip(theirs, mine, strict=False):
            self._swap(wanted, given)

    def _hidden(self) -> Iterator[str]:
        truth = self.people.truth
        yield from (card for cards in (truth.pile, *truth.hands) for card in cards)

    def _swap(self, one: str, other: str) -> None:
        swapped = {one: other, other: one}
        truth = self.people.truth
        hands = tuple(tuple(swapped.get(held, held) for held in hand) for hand in truth.hands)
        pile = tuple(swapped.get(lying, lying) for lying in truth.pile)
        self.people.truth = replace(truth, hands=hands, pile=pile)

    def _actions(self) -> Iterator[PlayerAction]:
        session = self._room.session
        if session.prompts.consent is not None or session.table.paused_at_us is not None:
            yield Push(1)
            return
        players = session.table.game.players
        for seat in self.seats:
            action = players.decide(session.table.state, self.people.truth, seat)
            if action is not None:
                yield action

    def is_fresh(self, seat: int) -> bool:
        """Return whether this seat's turn has just begun, with a hand to play from."""
        turn = self.state.turn
        idle = self.state.window is None and self.state.pending is None
        return turn is not None and turn.seat == seat and turn.mode is None and not turn.discards and idle

    def _downloads_reach(self, files: int) -> bool:
        counts = [sum(len(row) for row in team.rows[2:]) for team in self.state.teams]
        return min(counts) >= files or sum(counts) >= 2 * files * len(counts)
