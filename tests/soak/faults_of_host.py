"""Faults of a table's host and of what runs on it: stalls, clocks, the disk, killed processes and power cuts, and
phones at its page."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from random import Random
from typing import TYPE_CHECKING, Any

from taptable.core.announcements import Paused
from taptable.daemon.clock import SUSPEND_CHECK_S
from taptable.drivers.board.board_model import VirtualBoard
from taptable.memory.database import wal_file_of
from taptable.memory.members import read_members
from taptable.referee.session import Decision

from soak.kinds import any_number, any_of, kind, lasting

if TYPE_CHECKING:
    from soak.night import Night


SEEN_S = 1.5 * SUSPEND_CHECK_S
"""Within this the table sees that its computer was suspended."""

# --- the host, its clocks and its disk ------------------------------------------------------------------------------


@kind(for_s=lasting(0.02, 4.0))
async def stalled_host(night: Night, for_s: float) -> bool:
    """The host does nothing for a while; time passes."""
    night.stall(for_s)
    return not night.dead


@kind("board", board=any_number, ppm=lasting(-50.0, 50.0))
async def drifting_clock(night: Night, board: int, ppm: float) -> bool:
    """A board's crystal runs at another speed from now on, as when it gets warm."""
    found = night.any_board(board)
    if found is None:
        return False
    _, hung = found
    drift(hung, ppm, night.loop.time())
    return True


def drift(board: VirtualBoard, ppm: float, now_s: float) -> None:
    """Let a board's clock continue from its present value at another speed."""
    board._first_ticks, board._began_s = board._board_us, now_s
    board._ticks_a_second = 1_000_000 + ppm


@kind(for_s=lasting(1.0, 100_000.0), thaws_s=lasting(0.0, 3.0))
async def suspended_host(night: Night, for_s: float, thaws_s: float) -> bool:
    """The computer is suspended: its time stands still, and then passes for a moment before anything else happens."""
    table = night.room.session.table
    board, began = table.scoreboard, len(night.events)
    plays = board.seat is not None and not board.over and table.paused_at_us is None and not night.dead
    night.loop.suspend(for_s)
    night.stall(thaws_s)
    await asyncio.sleep(SEEN_S)
    paused = any(
        isinstance(event, Decision) and any(isinstance(said, Paused) for said in event.verdict.announcements)
        for _, event in night.events[began:]
    )
    if plays and not (paused or night.dead or night.is_journal_stuck or night.room.session.table.scoreboard.over):
        night.wrong.append("the computer was suspended, and the game went on")
    return not night.dead


@kind(by_s=any_of(3_600, -3_600, 315_576_000, -315_576_000), for_s=lasting(1.0, 60.0))
async def calendar_set(night: Night, by_s: int, for_s: float) -> bool:
    """The calendar is set, and put right again after a while."""
    night.calendar_s += by_s
    await asyncio.sleep(for_s)
    night.calendar_s -= by_s
    return not night.dead


@kind(for_s=lasting(0.5, 15.0))
async def full_disk(night: Night, for_s: float) -> bool:
    """The disk has no room, by the system's own limit of a file's size."""
    wal = wal_file_of(night.config.table.journal)
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


@kind(call=any_of("open", "write", "fsync", "replace"), colour=any_of("#8ec1ff", "#ffd166", "#9be28a"))
async def failing_files(night: Night, call: str, colour: str) -> bool:
    """The disk fails at a file beside the journal, just as somebody at the page changes a member's colour."""
    members = night.room.daemon.members
    if not (members.all and night.page_there):
        return False
    before, changed = members.all, members.all[0]
    with night.disk.failing(call) as failed:
        done = await night.ask("change-member", member=changed.id, colour=colour)
    kept = read_members(members.path).members
    if set(kept) != set(members.all) or (failed and done and members.all == before):
        night.wrong.append(f"what is known of members isn't what is kept: {members.all}, {kept}")
    return bool(failed)


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
"""The points at which a process may be killed: between two turns of its loop, or as soon as one of these passes below
the drivers."""


@kind(point=any_of(*POINTS), off_s=lasting(0.5, 8.0))
async def table_killed(night: Night, point: str, off_s: float) -> bool:
    """The daemon is killed, and restarted with the files on the disk."""
    return await night.die(point, off_s)


@kind(point=any_of(*POINTS, "after COMMIT"), off_s=lasting(1.0, 60.0), torn=any_of(-1.0, 0.0, 0.2, 0.5, 0.9, 1.0))
async def power_cut(night: Night, point: str, off_s: float, torn: float) -> bool:
    """The power fails for all parts, and files are as they were synced; in a commit, a part of it may be there."""
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
    await night.wait_for_daemon()
    if not night.page_there:
        night.clients.begin_page()
    return True


@kind(asks=any_of(20, 100), seed=any_number)
async def flooding_phones(night: Night, asks: int, seed: int) -> bool:
    """Phones send all the requests they may, and those they may not; none of them changes the game."""
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
