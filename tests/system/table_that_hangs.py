"""A process with the daemon on a simulated table in its current folder, in real time. What it reads on standard input
goes wrong: ``readers``, ``display``, ``loop`` or ``disk`` hangs for good; or it happens at the table: ``tap UID PAD``,
``press SEAT``."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import sys
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from taptable.config import load_config
from taptable.daemon.game_options import check_game
from taptable.daemon.serving import serve
from taptable.daemon.supervision import find_supervisor
from taptable.sim.table import SimulatedTable

ON_PAD_S, GONE_S = 0.3, 0.6

never = threading.Event()
disk_dies = threading.Event()


def hang(*_: object) -> None:
    """For good."""
    never.wait()


class DyingDisk(sqlite3.Connection):
    """Accepts writes until the disk dies; then the call doesn't come back."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if disk_dies.is_set() and sql == "COMMIT":
            hang()
        return super().execute(sql, *values)


async def run() -> None:
    loop = asyncio.get_running_loop()
    config = load_config(Path("table.toml"), check_game)
    table = SimulatedTable(config)
    executors: list[Executor] = []

    def executor() -> Executor:
        executors.append(ThreadPoolExecutor(max_workers=1))
        return executors[-1]

    free_s = 0.0  # when the hand that taps has put the last card away

    def obey() -> None:
        nonlocal free_s
        readers, display = executors
        match sys.stdin.readline().split():
            case ["tap", uid, pad]:
                on = int(pad) if pad.isdigit() else pad
                free_s = max(free_s, loop.time())
                loop.call_at(free_s, table.put, uid, on)
                loop.call_at(free_s + ON_PAD_S, table.lift, uid, on)
                free_s += ON_PAD_S + GONE_S
            case ["press", seat]:
                table.press(int(seat))
            case ["readers"]:
                readers.submit(hang)
            case ["display"]:
                display.submit(hang)
                table.press(1)  # and something to show
            case ["loop"]:
                loop.call_soon(hang)
            case ["disk"]:
                disk_dies.set()
                table.press(1)  # and something to write
            case _:
                loop.remove_reader(sys.stdin)

    connect = sqlite3.connect
    sqlite3.connect = lambda *given, **options: connect(*given, **{"factory": DyingDisk, **options})
    with table.powered() as drivers:
        loop.add_reader(sys.stdin, obey)
        await serve(lambda _with_parts: config, replace(drivers, executor=executor), find_supervisor(os.environ))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    asyncio.run(run())
