"""A table of six at which everybody taps at once: the real daemon over simulated seat boards in given time, for the
benches; and how to watch the real code at its joints while it is tapped."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from taptable.core.game_options import GameOptions
from taptable.daemon.daemon import Daemon
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise
from taptable.memory.decks import Decks
from taptable.referee.step import legal_taps
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.setting_up import DECK, set_up
from taptable.sim.table import SimulatedTable

PLAYERS = 6
QUIET_S = 20.0
"""Before the first tap."""

_ON_PAD_S = 0.3
_APART_S = 1.2
_WINDOW_S = 15.0


OnTap = Callable[[float, int], None]
"""Called when a card is put on a seat's pad."""


def _ignore_tap(_at_s: float, _seat: int) -> None:
    pass


def play(taps: int, seed: int, on_tap: OnTap = _ignore_tap, noise: CableNoise = NO_NOISE) -> None:
    """Tap a card at each seat at about the same time, a legal one among them, until there were `taps` taps."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.run(_play(Path(folder), taps, Random(seed), on_tap, noise))


async def _play(folder: Path, taps: int, random: Random, on_tap: OnTap, noise: CableNoise) -> None:
    config = set_up(folder, "online", GameOptions(PLAYERS, "de", {}, 1), "de")
    deck = Decks(config.table.decks).deck(DECK)
    uids = {card: uid for uid, card in deck.cards.items()}
    table = SimulatedTable(config, random.randrange(1000))
    for board in table.stand_in("board").boards.values():
        board.line.noise = noise
    with table.powered() as drivers:
        daemon = Daemon(config, drivers)
        await daemon.start()
        try:
            await asyncio.sleep(QUIET_S)
            for _ in range(0, taps, PLAYERS):
                await _tap_everywhere(daemon, table, uids, random, on_tap)
        finally:
            await daemon.stop()


async def _tap_everywhere(
    daemon: Daemon, table: SimulatedTable, uids: dict[str, str], random: Random, on_tap: OnTap
) -> None:
    """Put one card on each seat's pad, at about the same time."""
    loop = asyncio.get_running_loop()
    legal = await _legal_taps(daemon, table)
    chosen = random.choice(legal) if legal else ("", 0)
    others = random.sample([card for card in uids if card != chosen[0]], PLAYERS)
    laid = {seat: uids[chosen[0] if seat == chosen[1] else others[seat - 1]] for seat in range(1, PLAYERS + 1)}
    for seat, uid in random.sample(sorted(laid.items()), PLAYERS):
        on_tap(loop.time(), seat)
        table.put(uid, seat)
        await asyncio.sleep(random.uniform(0, 0.005))
    await asyncio.sleep(_ON_PAD_S)
    for seat, uid in laid.items():
        table.lift(uid, seat)
    await asyncio.sleep(_APART_S)


async def _legal_taps(daemon: Daemon, table: SimulatedTable) -> list[tuple[str, int]]:
    """The legal taps at the seats, in a new game if the last is over. Empty if time or *Stop* has to continue the
    game."""
    before = daemon.controller.session.table
    if before.game.outcome(before.state) is not None:
        daemon.controller.command("new-game", daemon.clock.now_us())
    now = daemon.controller.session.table
    legal = [(card, pad) for card, pad in legal_taps(now) if isinstance(pad, int)]
    seat = now.scoreboard.seat
    if not legal and seat is not None:
        table.press(seat)
        await asyncio.sleep(_WINDOW_S)
    return legal


@contextmanager
def hooked_method(
    kind: type, name: str, before: Callable[..., None] | None, after: Callable[..., None] | None = None
) -> Generator[None]:
    """While this lasts, tell whenever a method is called, and when it has returned."""
    method = getattr(kind, name)

    def told(*arguments: Any) -> Any:
        if before is not None:
            before(*arguments)
        try:
            return method(*arguments)
        finally:
            if after is not None:
                after(*arguments)

    setattr(kind, name, told)
    try:
        yield
    finally:
        setattr(kind, name, method)
