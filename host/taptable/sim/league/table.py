"""A table of the league's demo, a process of its own: the daemon over simulated parts, at which virtual players play
one game after the other, with members at the seats who change from game to game. Ends when its input does.

python -m taptable.sim.league.table FOLDER SOCKETS GAME PLAYERS LANGUAGE SEED SPEED NAME..."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from taptable.core.game_options import GameOptions
from taptable.daemon.daemon import Daemon
from taptable.daemon.seating import seat_member
from taptable.games.registry import find_game
from taptable.logs import log_to_stderr
from taptable.memory.members import COLOURS, MemberStore, members_file_of
from taptable.sim.demo_lines import BETWEEN_GAMES_S
from taptable.sim.harness import SimulationHarness, running_harness
from taptable.sim.loops import ScaledTimeLoop
from taptable.sim.setting_up import set_up

GUEST_RATE = 0.15
"""Share of seats at which a guest plays, who has no card."""
READY = "ready"
"""The line that the process prints once its daemon is ready."""


@dataclass(frozen=True, slots=True)
class LeagueTableRequest:
    """A table in a folder of its own, with its sockets in another; `names` are its members'."""

    folder: Path
    sockets: Path
    game: str
    players: int
    language: str
    seed: int
    speed: float
    names: Sequence[str]

    @property
    def arguments(self) -> list[str]:
        """The arguments of its process."""
        about = (self.folder, self.sockets, self.game, self.players, self.language, self.seed, self.speed)
        return [*map(str, about), *self.names]

    @classmethod
    def read(cls, arguments: Sequence[str]) -> LeagueTableRequest:
        """Parse the arguments in the table's process."""
        folder, sockets, game, players, language, seed, speed, *names = arguments
        return cls(Path(folder), Path(sockets), game, int(players), language, int(seed), float(speed), names)


async def _play(request: LeagueTableRequest, loop: ScaledTimeLoop) -> None:
    """Play until the starting process closes this one's input."""
    options = GameOptions(request.players, find_game(request.game).editions[0], {}, 1)
    config = set_up(request.folder, request.game, options, request.language, seed=request.seed)
    members = MemberStore(members_file_of(config.table.journal))
    if not members.all:
        for name, colour in zip(request.names, COLOURS, strict=False):
            members.add(name, colour, "name")
    random = Random(f"seats {request.seed}")
    async with running_harness(config, seed=request.seed, daemon=partial(Daemon, sockets=request.sockets)) as harness:
        print(READY, flush=True)
        _seat_members(harness, random)
        harness.people.start_players()
        playing = asyncio.ensure_future(_play_on(harness, random))
        ended = loop.run_in_executor(None, sys.stdin.buffer.read)
        await asyncio.wait({playing, asyncio.ensure_future(ended)}, return_when=asyncio.FIRST_COMPLETED)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def _play_on(harness: SimulationHarness, random: Random) -> None:
    """Begin a new game after each, with others at its seats."""
    while True:
        while harness.people.game_over.is_set():
            await harness.people.use_control(1, "new-game")
        await harness.people.game_over.wait()
        await asyncio.sleep(BETWEEN_GAMES_S)
        _seat_members(harness, random)


def _seat_members(harness: SimulationHarness, random: Random) -> None:
    """Seat members, and guests now and then, as if they had tapped their cards."""
    players = harness.session.table.game_options.players
    known = [member.id for member in harness.daemon.members.all]
    for seat, member in enumerate(random.sample(known, min(players, len(known))), 1):
        seat_member(harness.daemon.controller, "" if random.random() < GUEST_RATE else member, seat)


def main() -> None:
    """Run the process."""
    log_to_stderr(logging.WARNING)
    request = LeagueTableRequest.read(sys.argv[1:])
    loop = ScaledTimeLoop(request.speed)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(_play(request, loop))


if __name__ == "__main__":
    main()
