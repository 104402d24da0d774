"""A table that runs for many evenings in one process: the real daemon over the models, virtual players, and time as
fast as possible. It plays an evening on each command. The models drop their records after each game, since these aren't
part of the table's memory.

python -m bench.long_table FOLDER SOCKETS PORT"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from taptable.api.requests import Role, SetUp, ShowCode
from taptable.config.model import PageSettings
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.daemon import Daemon
from taptable.games.registry import GAMES
from taptable.memory.deck import card_set_of
from taptable.memory.decks import Decks
from taptable.sim.harness import PAGE_REQUESTER, SimulationHarness, running_harness
from taptable.sim.loops import ScaledTimeLoop
from taptable.sim.people import People, Slips
from taptable.sim.setting_up import DECK, set_up, tagged_deck

PLAYERS = 4
FAST, REAL_TIME = 1000.0, 1.0
SLIPS = Slips(blunder=0.05, too_short=0.04, two_cards=0.03, forget_stop=0.02, false_alarm=0.2, regret=0.05)
SHORT = {
    "online": {"quota_email": 2, "quota_music": 1, "quota_movie": 1, "quota_game": 0},
    "cyber-siege": {"target_points": 8},
    "xnet": {"target_points": 25},
}
"""House rules by which a game is over soon."""
LAST_CUES_S = 10.0
LONGEST_S = 2_500
"""Table time after which a game is given up: virtual players may go round in circles."""


async def play(room: SimulationHarness, game: str, seed: int, settings: Mapping[str, int | str]) -> None:
    """Play a game with its deck to its end, by these house rules."""
    await room.people.stop_players()
    room.daemon.api.do(
        Role.ADMIN, SetUp(PLAYERS, game=game, settings=settings, names=("Ada", "Ben", "Cleo", f"Guest {seed}"))
    )
    decks = room.daemon.active_deck.decks
    deck = decks.deck(room.daemon.active_deck.deck_name)
    room.people = People(
        room.table,
        {**deck.cards, **deck.controls},
        session=lambda: room.session,
        seed=seed,
        slips=SLIPS,
        request_control=lambda control, fields: room.daemon.controller.use_control(
            control, DISCARD_PAD, PAGE_REQUESTER, fields
        ),
    )
    room.people.start_players()
    with suppress(TimeoutError):
        await asyncio.wait_for(room.people.game_over.wait(), LONGEST_S)
    await asyncio.sleep(LAST_CUES_S)
    for board in room.table.stand_in("board").boards.values():
        board.actions.clear()
    for field in room.table.fields.values():
        field.truth.clear()
    room.table.stand_in("gpio").pins.forget()


async def main(folder: Path, sockets: Path, port: int, loop: ScaledTimeLoop) -> None:
    """Serve the table, and follow commands: show a ``code``, or play an evening, a ``whole`` one with each game there
    is or a ``short`` one with another game each time."""
    config = set_up(folder, "online", GameOptions(PLAYERS, "en", {}, 1), "en")
    for game in GAMES.keys() - {config.game.name}:
        Decks(config.table.decks).save(tagged_deck(f"{DECK}-{game}", card_set_of(game, "")))
    config = replace(config, page=PageSettings(port, network=True))
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    played = 0
    async with running_harness(config, slips=SLIPS, daemon=partial(Daemon, sockets=sockets)) as room:
        await room.daemon.page_connected.wait()
        print("here", flush=True)
        while order := (await orders.readline()).decode().strip():
            if order == "code":
                loop.speed = REAL_TIME
                room.daemon.api.do(Role.PAGE, ShowCode())
                assert room.daemon.api.pairing is not None
                assert room.daemon.api.pairing.code is not None
                print(room.daemon.api.pairing.code.digits, flush=True)
                continue
            loop.speed = FAST
            whole = order == "whole"
            for game in list(GAMES) if whole else [list(GAMES)[played % len(GAMES)]]:
                played += 1
                await play(room, game, played, {} if whole else SHORT[game])
            loop.speed = REAL_TIME
            print("over", flush=True)


if __name__ == "__main__":
    _, folder, sockets, port = sys.argv
    fast = ScaledTimeLoop(REAL_TIME)
    with asyncio.Runner(loop_factory=lambda: fast) as runner:
        runner.run(main(Path(folder), Path(sockets), int(port), fast))
