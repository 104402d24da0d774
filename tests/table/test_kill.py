"""*Memory* of the table's page: killed at any instant, the table comes back in the same state, paused. A press of any
button resumes it, windows continue from where they stood, and the events that the boards kept are accepted once."""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import signal
from collections import Counter
from pathlib import Path

import pytest
from choosing import long_params
from taptable.config import load_config
from taptable.core.device_events import Origin
from taptable.daemon.game_options import check_game
from taptable.history.playback import verify
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.referee.session import Decision

from table.crash_points import DEATH, POINTS, Death, give_back, run_to_point
from table.rig import GameNight, run_in_given_time, running_table

OFF_S = 60.0
"""How long the table is without power."""
RESENT_S = 5.0
"""Within this the boards have said again what they kept."""

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["taptable.sim.harness"])


def killed_at(name: str, folder: Path) -> Death:
    """The evening that ends at this point."""
    process = _PROCESSES.Process(target=run_to_point, args=(name, folder))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    death = pickle.loads((folder / DEATH).read_bytes())
    assert isinstance(death, Death)
    return death


@pytest.mark.parametrize("name", long_params(POINTS, 6))
def test_it_comes_back_in_the_same_state_paused_and_goes_on_at_a_press(name: str, tmp_path: Path) -> None:
    death = killed_at(name, tmp_path)

    async def as_they_were_left(at: GameNight) -> None:
        for seat, kept in death.boards.items():
            give_back(at.table.stand_in("board").boards[seat], kept)
        at.loop.stall(death.at_s + OFF_S)

    async def second_life() -> None:
        async with running_table(load_config(tmp_path / "table.toml", check_game), before=as_they_were_left) as at:
            came_back = at.state
            if POINTS[name].told:
                assert came_back == death.state
            running = came_back.turn is not None and came_back.outcome is None
            assert (at.referee_table.paused_at_us is not None) == running
            await asyncio.sleep(RESENT_S)
            assert at.state == came_back
            if running:
                await it_goes_on_at_a_press(at)
            await POINTS[name].then(at)
            await asyncio.sleep(RESENT_S)
            nothing_is_lost_or_doubled(at, death)

    run_in_given_time(second_life)


async def it_goes_on_at_a_press(at: GameNight) -> None:
    """Any button's press ends the pause, and what was running runs on from where it stood."""
    paused_at_us, window = at.referee_table.paused_at_us, at.state.window
    assert paused_at_us is not None
    resumed = await at.press(2)
    assert isinstance(resumed, Decision)
    assert at.referee_table.paused_at_us is None
    if window is not None:
        later_us = resumed.observation.at_us - paused_at_us
        assert at.state.window.closes_at_us == window.closes_at_us + later_us
        assert (at.state.window.claim is None) == (window.claim is None)
        if window.claim is not None:
            assert at.state.window.claim.until_us == window.claim.until_us + later_us


def nothing_is_lost_or_doubled(at: GameNight, death: Death) -> None:
    """Each event that a board kept is in the journal once, unless it means nothing, and the boards keep nothing more.
    Every game in the journal can be played again."""
    entries = at.entries()
    taken = Counter(entry.origin for entry in entries if entry.origin is not None)
    assert set(taken.values()) <= {1}
    for seat, kept in death.boards.items():
        board = at.table.stand_in("board").boards[seat]
        meant = [number for number, verb, values in kept.events if verb == "tag" and values[2] != "again"]
        assert taken.keys() >= {Origin(board.board, board.boot, number) for number in meant}
        assert board._conversation.outbox.pending == []
    with JournalReader.open(at.config.table.journal) as journal:
        for game in journal.games():
            verify(transcript_of(journal, game.id))
