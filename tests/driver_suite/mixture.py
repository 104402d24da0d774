"""Windows at a table whose buttons are of three kinds: seat 2's is on its board, seat 3's on a pin, seat 4's at a
socket. Runs in a process of its own, like `evening`: ``python mixture.py <folder> <seat>,<ms>,<seat> …`` has two seats
press that many milliseconds apart, in a game each, and prints the seats that are tied, or the one that was first, as
JSON."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from functools import partial
from pathlib import Path

from table.rig import a_table, run_in_given_time, running_table, with_buttons_on_boards
from taptable.config import load_config
from taptable.core.announcements import ClaimGiven
from taptable.daemon.game_options import check_game


async def press(folder: Path, first: int, apart_s: float, then: int) -> list[int]:
    """Have two seats press `apart_s` apart once seat 1 has shown a hacker."""
    folder.mkdir()
    file = with_buttons_on_boards(a_table(folder, 4, teams="solo", time_limit_s="1000"), [2]).file
    text = file.read_text(encoding="utf-8")
    text = re.sub(r'(pad = "board:sim4"\nbutton = )".*"', rf'\1"socket:{folder}/4"', text)
    file.write_text(text, encoding="utf-8")
    async with running_table(load_config(file, check_game)) as night:
        await asyncio.sleep(3)
        await night.tap("hacker#1", 1)
        await asyncio.sleep(1)
        night.table.press(first)
        await asyncio.sleep(apart_s)
        night.table.press(then)
        await asyncio.sleep(0.5)
        (claim,) = night.all_told(ClaimGiven)
        return sorted({claim.seat, *claim.tied})


if __name__ == "__main__":
    all_first: list[list[int]] = []
    for number, scene in enumerate(sys.argv[2:]):
        first, apart_ms, then = map(int, scene.split(","))
        place = Path(sys.argv[1], str(number))
        all_first.append(run_in_given_time(partial(press, place, first, apart_ms / 1000, then)))
    print(json.dumps(all_first))
