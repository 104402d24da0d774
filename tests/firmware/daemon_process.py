"""A daemon in a process of its own and in real time, over a simulated table whose board of seat 1 is at a terminal that
somebody else holds: `python daemon_process.py CONFIG TERMINAL`. What it tells comes out as lines of JSON; deeds at its
own parts come in, a line each: ``tap CARD PAD``, ``press SEAT``."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import serial  # the path had to be there first
from table.rig import ON_PAD_S, tags_of
from taptable.config import Config, load_config
from taptable.core.notices import PartBack, PartLost
from taptable.core.observations import ButtonPressed, CardTapped
from taptable.daemon.agreement import check_game
from taptable.daemon.daemon import Daemon
from taptable.edges.boards.port import open_path
from taptable.narration.standing import Update
from taptable.referee.session import Judged
from taptable.sim.setting_up import count_start
from taptable.sim.table import SimulatedTable

from firmware.rig import BOARD


def tell(update: Update) -> None:
    """Say what the daemon told, and whose turn it is then."""
    for happening in update.happened:
        line: list[object] = []
        match happening:
            case Judged(observation=CardTapped(card=card, pad=pad), verdict=verdict):
                line = ["tap", card, pad, type(verdict).__name__]
            case Judged(observation=ButtonPressed(seat=seat), verdict=verdict):
                line = ["press", seat, type(verdict).__name__]
            case Judged(observation=observation):
                line = ["judged", getattr(observation, "control", type(observation).__name__)]
            case PartLost(part=part):
                line = ["lost", part]
            case PartBack(part=part):
                line = ["back", part]
            case _:
                line = ["told", type(happening).__name__]
        turn = getattr(update.session.table.state, "turn", None)
        print(json.dumps([*line, getattr(turn, "seat", None)]), flush=True)


async def obey(table: SimulatedTable, tags: dict[str, str]) -> None:
    """Do what comes in until nothing more does."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().split():
        if line[0] == "press":
            table.press(int(line[1]))
        else:
            table.put(tags[line[1]], int(line[2]))
            await asyncio.sleep(ON_PAD_S)
            table.lift(tags[line[1]], int(line[2]))


async def run(config: Config, terminal: str) -> None:
    table = SimulatedTable(config)
    starts = count_start(config.file.parent)
    for board in table.boards.values():
        board.boot = starts
    with table.powered() as openers:

        def port(board: str) -> serial.Serial:
            return open_path(terminal) if board == BOARD else openers.port(board)

        daemon = Daemon(config, replace(openers, port=port), tell)
        await daemon.start()
        print(json.dumps(["started", None]), flush=True)
        await obey(table, tags_of(config))
        await daemon.stop()


if __name__ == "__main__":
    asyncio.run(run(load_config(Path(sys.argv[1]), check_game), sys.argv[2]))
