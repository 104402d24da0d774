"""*Memory* of the table's page: killed at any instant, the table comes back in the same state, paused; a press of any
button goes on, windows run on from where they stood, and what the boards kept is taken once."""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import signal
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest
from choosing import mostly_long
from taptable.config import load_config
from taptable.core.announcements import Announcement, ClaimGiven, GameBegan, MoveTakenBack, TurnBegan, WindowClosed
from taptable.core.notices import CheckTeam, ConsentAsked
from taptable.core.sightings import Origin
from taptable.core.verdicts import Accepted, Ignored, Verdict
from taptable.daemon.agreement import check_game
from taptable.games.online.announcements import HackerStopped, PilesReshuffled
from taptable.history.playback import prove
from taptable.memory.reading import JournalReader, transcript_of
from taptable.referee.session import Judged

from table.dying import DEATH, POINTS, Death, give_back, live
from table.rig import Evening, at_table, in_given_time

OFF_S = 60.0
"""How long the table is without power."""
RESENT_S = 5.0
"""Within this the boards have said again what they kept."""

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["taptable.sim.room"])

Then = Callable[[Evening], Coroutine[Any, Any, None]]


def killed_at(name: str, folder: Path) -> Death:
    """The evening that ends at this point."""
    process = _PROCESSES.Process(target=live, args=(name, folder))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    death = pickle.loads((folder / DEATH).read_bytes())
    assert isinstance(death, Death)
    return death


def tapping(card: str, pad: int, verdict: type[Verdict]) -> Then:
    """Tapping this card meets such a verdict now."""

    async def then(at: Evening) -> None:
        assert isinstance((await at.tap(card, pad)).verdict, verdict)

    return then


def saying(kind: type[Announcement], within_s: float) -> Then:
    """This is said by itself."""

    async def then(at: Evening) -> None:
        await at.said(kind, within_s)

    return then


def using(control: str, kind: type[Any]) -> Then:
    """A control card leads to this."""

    async def then(at: Evening) -> None:
        await at.control(control, 2)
        assert at.told(kind)

    return then


async def the_patrol_stops_the_hacker(at: Evening) -> None:
    await at.tap("cyber-patrol#1", 3)
    assert at.told(HackerStopped)


async def it_can_be_waived(at: Evening) -> None:
    assert at.state.pending is not None
    await at.press(1)
    assert at.state.pending is None


async def it_is_asked_for_again_and_granted(at: Evening) -> None:
    await at.control("take-back", 1)
    assert at.told(ConsentAsked)
    await at.press(2)
    assert at.told(MoveTakenBack)


async def the_youngest_begins(at: Evening) -> None:
    await at.press(2)
    assert [said.seat for said in at.told(TurnBegan)] == [2]


async def the_first_is_named(at: Evening) -> None:
    await asyncio.sleep(0.1)
    assert [said.seat for said in at.told(ClaimGiven)] == [3]


async def the_turn_has_not_ended(at: Evening) -> None:
    assert at.state.turn.seat == 1


async def the_turn_has_ended(at: Evening) -> None:
    assert at.state.turn.seat == 2


async def the_game_is_a_new_one(at: Evening) -> None:
    assert at.state.teams[0].rows[0] == ()
    assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)


async def the_discard_pile_is_empty(at: Evening) -> None:
    assert at.state.discard == ()


THEN: Mapping[str, Then] = {
    "before a commit": tapping("email#1", 1, Accepted),
    "in a commit, before its first row": tapping("email#1", 1, Accepted),
    "in a commit, after its last row": tapping("email#1", 1, Accepted),
    "before COMMIT": tapping("email#1", 1, Accepted),
    "after COMMIT, before the cue": tapping("email#1", 1, Ignored),
    "after the cue, before the acknowledgement": tapping("email#1", 1, Ignored),
    "after the picture, before the acknowledgement": tapping("email#1", 1, Ignored),
    "after an acknowledgement that the board hasn't heard": tapping("email#1", 1, Ignored),
    "after an acknowledgement that the board has heard": tapping("email#1", 1, Ignored),
    "before a press is written down": the_turn_has_not_ended,
    "after a press was written down": the_turn_has_ended,
    "in a window": saying(WindowClosed, 6),
    "with a buzz heard and nobody named": the_first_is_named,
    "when somebody is named, before COMMIT": the_first_is_named,
    "in a claim": the_patrol_stops_the_hacker,
    "with a hack pending": it_can_be_waived,
    "with a search pending": it_can_be_waived,
    "while a card is held": tapping("email#1", 1, Ignored),
    "in a pause": saying(WindowClosed, 6),
    "with a take-back asked for": it_is_asked_for_again_and_granted,
    "in a check of the table": using("check", CheckTeam),
    "before the youngest has pressed": the_youngest_begins,
    "at the winning download, before COMMIT": tapping("email#2", 1, Accepted),
    "at the winning download, after COMMIT": using("new-game", GameBegan),
    "after the end": using("new-game", GameBegan),
    "at a new game, between its rows": tapping("online#1", 1, Ignored),
    "at a new game, after COMMIT": the_game_is_a_new_one,
    "at a new set-up, between its rows": tapping("online#1", 1, Ignored),
    "at a reshuffle, before COMMIT": using("reshuffle", PilesReshuffled),
    "at a reshuffle, after COMMIT": the_discard_pile_is_empty,
    "with the display gone": tapping("email#1", 1, Accepted),
    "with a board unplugged that keeps events": tapping("email#1", 1, Accepted),
    "while coming back, before the pause is written down": saying(WindowClosed, 6),
}
"""How it goes on after each point."""


@pytest.mark.parametrize("name", mostly_long(POINTS, 6))
def test_it_comes_back_in_the_same_state_paused_and_goes_on_at_a_press(name: str, tmp_path: Path) -> None:
    death = killed_at(name, tmp_path)

    async def as_they_were_left(at: Evening) -> None:
        for seat, kept in death.boards.items():
            give_back(at.table.boards[seat], kept)
        at.loop.hold_up(death.at_s + OFF_S)

    async def second_life() -> None:
        async with at_table(load_config(tmp_path / "table.toml", check_game), before=as_they_were_left) as at:
            came_back = at.state
            if POINTS[name].told:
                assert came_back == death.state
            running = came_back.turn is not None and came_back.outcome is None
            assert (at.judged.paused_at_us is not None) == running
            await asyncio.sleep(RESENT_S)
            assert at.state == came_back
            if running:
                await it_goes_on_at_a_press(at)
            await THEN[name](at)
            await asyncio.sleep(RESENT_S)
            nothing_is_lost_or_doubled(at, death)

    in_given_time(second_life)


async def it_goes_on_at_a_press(at: Evening) -> None:
    """Any button's press ends the pause, and what was running runs on from where it stood."""
    paused_at_us, window = at.judged.paused_at_us, at.state.window
    assert paused_at_us is not None
    resumed = await at.press(2)
    assert isinstance(resumed, Judged)
    assert at.judged.paused_at_us is None
    if window is not None:
        later_us = resumed.observation.at_us - paused_at_us
        assert at.state.window.closes_at_us == window.closes_at_us + later_us
        assert (at.state.window.claim is None) == (window.claim is None)
        if window.claim is not None:
            assert at.state.window.claim.until_us == window.claim.until_us + later_us


def nothing_is_lost_or_doubled(at: Evening, death: Death) -> None:
    """Each event that a board kept is in the journal once, unless it means nothing, and the boards keep nothing more.
    Every game in the journal can be played again."""
    entries = at.entries()
    taken = Counter(entry.origin for entry in entries if entry.origin is not None)
    assert set(taken.values()) <= {1}
    for seat, kept in death.boards.items():
        board = at.table.boards[seat]
        meant = [number for number, verb, fields in kept.events if verb == "tag" and fields["how"] != "again"]
        assert taken.keys() >= {Origin(board.board, board.boot, number) for number in meant}
        assert len(board._conversation.outbox) == 0
    with JournalReader.open(at.config.table.journal) as journal:
        for game in journal.games():
            prove(transcript_of(journal, game.id))
