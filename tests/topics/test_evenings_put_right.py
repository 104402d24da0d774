"""Whole evenings in which players leave, cards are lost and found, the table is checked and the game is ended early,
all from the page: what the daemon believes is compared with the simulator's own truth after every verdict."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from choosing import mostly_long
from table.rig import GameNight, a_table, at_table, in_given_time
from table.truth import unlike_the_pads
from taptable.core.notices import CheckDone
from taptable.history.playback import prove
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.sim.people import People, Slips

from topics.asking import Asking

PLAYED_S = 45.0
"""Between two things that are asked for."""
CHECKED_S = 300.0
LIVELY = Slips(blunder=0.03, too_short=0.03, false_alarm=0.3, regret=0.04)


async def ends_as_it_stands(at: GameNight, people: People, ada: Asking) -> None:
    """The game is ended, and everything agrees."""
    places = [(each["seats"], each["place"], each["score"]) for each in ada.parts["possible"]["ending"]]
    await ada.ask("end-game")
    board = at.judged.game.scoreboard(at.state)
    assert board.by == "agreement"
    assert sorted(places, key=lambda each: each[0]) == [(list(t.seats), t.place, t.score) for t in board.teams]
    await people.get_up()
    await asyncio.sleep(1)
    assert people.disagreements == []
    with JournalReader.open(at.config.table.journal) as journal:
        assert prove(transcript_of(journal, 1)).table.state == at.state
    assert unlike_the_pads(at.table, at.tags, at.entries()) == []


async def is_checked(at: GameNight, ada: Asking) -> None:
    """The table is checked by those who are there, and all is right."""
    done = at.expect(lambda event: isinstance(event, CheckDone), CHECKED_S)
    await ada.ask("check")
    said = await done
    assert isinstance(said, CheckDone)
    assert said.corrections == 0


def an_evening(folder: Path, players: int, leave: tuple[int, ...]) -> None:
    config = a_table(folder, players, starter=None, quota_email="20", quota_music="14")

    async def evening() -> None:
        async with at_table(config, seed=players) as at:
            people = at.seat_players(players, LIVELY)
            people.sit_down()
            ada = Asking(at)
            await asyncio.sleep(PLAYED_S)
            lost = [people.truth.hand(2)[0], people.truth.pile[0]]
            lying = [card for zone in people.lying() for card in zone.cards]
            for card in (*lost, *lying[:1]):
                await ada.ask("lost", card=card)
                await asyncio.sleep(PLAYED_S)
            for seat in leave:
                await ada.ask("vacate", seat=seat)
                await asyncio.sleep(PLAYED_S)
                await is_checked(at, ada)
                await asyncio.sleep(PLAYED_S)
            await ada.ask("recovered", card=lost[0])
            await asyncio.sleep(PLAYED_S)
            turn, before = at.state.turn, len(at.heard)
            await asyncio.sleep(PLAYED_S)
            assert len(at.heard) > before
            assert at.state.turn != turn
            await ends_as_it_stands(at, people, ada)

    in_given_time(evening)


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "leave"), mostly_long([(4, (1, 4)), (6, (2, 5))]), ids=["one of each team", "a whole team"]
)
def test_it_goes_on_without_those_who_leave_and_what_is_lost_and_agrees_with_the_truth(
    players: int, leave: tuple[int, ...], tmp_path: Path
) -> None:
    an_evening(tmp_path, players, leave)


@pytest.mark.table(2)
async def test_a_pause_lasts_until_the_page_lets_the_game_go_on(at: GameNight) -> None:
    people = at.seat_players(1, Slips())
    people.sit_down()
    ada = Asking(at)
    await ada.ask("pause")
    await asyncio.sleep(PLAYED_S)
    assert people.paused
    await ada.ask("resume")
    before = len(at.heard)
    await asyncio.sleep(PLAYED_S)
    assert not people.paused
    assert len(at.heard) > before
    await people.get_up()
