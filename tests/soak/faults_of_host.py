"""What goes wrong with the host of a table and with what runs on it: stalls, clocks, the disk, killed processes and
power cuts, and phones at its page."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from random import Random
from typing import TYPE_CHECKING, Any

from taptable.memory.database import wal_of
from taptable.sim.boards import VirtualBoard

from soak.kinds import any_number, any_of, kind, lasting

if TYPE_CHECKING:
    from soak.night import Night


# --- the host, its clocks and its disk ------------------------------------------------------------------------------


@kind(for_s=lasting(0.02, 4.0))
async def stalled_host(night: Night, for_s: float) -> bool:
    """The host does nothing for a while; time goes on."""
    night.stall(for_s)
    return not night.dead


@kind(board=any_number, ppm=lasting(-50.0, 50.0))
async def drifting_clock(night: Night, board: int, ppm: float) -> bool:
    """A board's crystal runs otherwise from now on, as it does when it gets warm."""
    found = night.any_board(board)
    if found is None:
        return False
    _, hung = found
    drift(hung, ppm, night.loop.time())
    return True


def drift(board: VirtualBoard, ppm: float, now_s: float) -> None:
    """The clock goes on from where it is, at another speed."""
    board._first_ticks, board._began_s = board._board_us, now_s
    board._ticks_a_second = 1_000_000 + ppm


@kind(for_s=lasting(0.5, 15.0))
async def full_disk(night: Night, for_s: float) -> bool:
    """The disk has no room, by the system's own limit of a file's size."""
    wal = wal_of(night.config.table.journal)
    if night.dead or night.no_room or not wal.exists():
        return False
    before = night.refused_writes
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    night.no_room = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size, hard))
    try:
        await asyncio.sleep(for_s)
    finally:
        night.no_room = False
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    return night.refused_writes > before


@kind(at=any_of("before BEGIN", "before INSERT INTO entries", "before COMMIT"), for_s=lasting(0.05, 8.0))
async def failing_writes(night: Night, at: str, for_s: float) -> bool:
    """The disk fails at each write for a while."""
    failed = 0

    def fail() -> None:
        nonlocal failed
        failed += 1
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR | (10 << 8)
        raise error

    with night.passing(at, fail):
        await asyncio.sleep(for_s)
    return failed > 0


@kind(by_s=lasting(0.03, 0.8), for_s=lasting(1.0, 15.0))
async def slow_disk(night: Night, by_s: float, for_s: float) -> bool:
    """Each commit takes long."""
    commits = 0

    def wait() -> None:
        nonlocal commits
        commits += 1
        night.stall(by_s)

    with night.passing("before COMMIT", wait):
        await asyncio.sleep(for_s)
    return commits > 0


# --- processes and power --------------------------------------------------------------------------------------------

POINTS = (
    *("turn", "before BEGIN", "after BEGIN", "after INSERT INTO entries", "before COMMIT", "after COMMIT"),
    *("light", "ack", "oled"),
)
"""Where a process may be killed: between two turns of its loop, or as soon as this passes below the drivers."""


@kind(point=any_of(*POINTS), off_s=lasting(0.5, 8.0))
async def table_killed(night: Night, point: str, off_s: float) -> bool:
    """The daemon is killed, and begun again on what is on the disk."""
    return await night.die(point, off_s)


@kind(point=any_of(*POINTS, "after COMMIT"), off_s=lasting(1.0, 60.0), torn=any_of(-1.0, 0.0, 0.2, 0.5, 0.9, 1.0))
async def power_cut(night: Night, point: str, off_s: float, torn: float) -> bool:
    """The power fails: all parts with it, and files are as they were synced; in a commit, some of it may be there."""
    in_commit = torn >= 0 and point == "after COMMIT"
    return await night.die(point, off_s, power=True, torn=torn if in_commit else None)


@kind(frames=any_of(1, 2, 3, 5, 9), off_s=lasting(0.5, 8.0))
async def frames_cut(night: Night, frames: int, off_s: float) -> bool:
    """The daemon is killed, and the journal's last frames are gone, though they were synced."""
    return await night.die("turn", off_s, frames=frames)


@kind(for_s=lasting(0.0, 20.0))
async def page_killed(night: Night, for_s: float) -> bool:
    """The page is killed, and begun again."""
    if not night.page_there:
        return False
    night.clients.kill_page()
    await asyncio.sleep(for_s)
    await night.alive()
    if not night.page_there:
        night.clients.begin_page()
    return True


@kind(asks=any_of(20, 100), seed=any_number)
async def flooding_phones(night: Night, asks: int, seed: int) -> bool:
    """Phones ask for all they can, and for what they can't; nothing of it changes the game."""
    if not night.page_there:
        return False
    rng = Random(seed)
    verbs: list[tuple[str, dict[str, Any]]] = [
        ("games", {}),
        ("game", {"game": 1}),
        ("position", {"game": 1, "step": 5}),
        ("steps", {"game": 1}),
        ("members", {}),
        ("set-up", {"players": "many"}),
        ("set-up", {"players": 3, "settings": {"luck": "1"}}),
        ("vacate", {"seat": 9}),
        ("lost", {"card": "joker#1"}),
        ("hand-counted", {"seat": 1, "count": -1}),
        ("nonsense", {"field": "x" * 200}),
        ("recovered", {"card": "hacker#1"}),
    ]
    for number in range(asks):
        verb, fields = rng.choice(verbs)
        await night.ask(verb, **fields)
        if number % 10 == 9:
            await asyncio.sleep(0)
            if not night.page_there:
                break
            night.clients.parts()
    return True
