"""People's messages to the table take the way of everything else: into the journal, with the author, and back out of
it."""

from __future__ import annotations

from pathlib import Path

import pytest
from table.rig import GameNight, a_table, running_table
from taptable.core.announcements import GameBegan, Paused
from taptable.core.game_options import GameOptions
from taptable.core.notices import CorrectionAsked, PhoneSeen, PlayersNamed
from taptable.core.observations import ControlUsed, GameSetUp
from taptable.core.verdicts import Accepted, Refused
from taptable.history.playback import Verification, names_in, verify
from taptable.memory.game_export import Transcript, export_text, transcript_in
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.referee.session import Decision

ONE_MAIL = {"quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}


def recorded(at: GameNight) -> list[Transcript]:
    """Every game of a table's journal."""
    with JournalReader.open(at.config.table.journal) as journal:
        return [transcript_of(journal, game.id) for game in journal.games()]


def proved(transcript: Transcript) -> Verification:
    """A recorded game played again, out of its file."""
    return verify(transcript_in(export_text(transcript).encode(), "a file"))


def set_up(players: int, *, heir_kept: bool, starter: int | None = None, **rules: str):
    return lambda at_us: GameSetUp(at_us, "online", GameOptions(players, "en", rules, starter), heir_kept)


async def test_a_game_set_up_otherwise_is_a_game_of_its_own_in_the_journal(tmp_path: Path):
    async with running_table(a_table(tmp_path, 3, seats=4, starter=3, **ONE_MAIL)) as at:
        controller = at.daemon.controller
        controller.note(PlayersNamed(at.daemon.clock.now_us(), ("Anna", "Ben", "Cleo")))
        await at.tap("online#1", 3)
        await at.tap("email#1", 3)
        controller.observe(set_up(2, heir_kept=True, starter=2), "Anna")
        await at.tap("online#1", 2)
        controller.use_control("pause", "discard", "Anna")
        refused = controller.observe(set_up(2, heir_kept=True, starter=3), "Anna")
        assert isinstance(refused[-1], Decision)
        assert isinstance(refused[-1].verdict, Refused)
        controller.observe(set_up(4, heir_kept=True, claim_s="20"), "Anna")
        assert at.referee_table.paused_at_us is None
        first, second, third = recorded(at)
    # the winner of the first was seat 3, which the second has not
    assert [game.game.header.players for game in (first, second, third)] == [3, 2, 4]
    assert [game.game.header.next_starter for game in (first, second, third)] == [None, None, None]
    assert [game.game.header.edition for game in (first, second, third)] == ["de", "en", "en"]
    assert third.game.header.settings == {"claim_s": "20"}
    assert [names_in(game) for game in (first, second, third)] == [("Anna", "Ben", "Cleo"), *[("Anna", "Ben")] * 2]
    for game in (first, second, third):
        proved(game)
    # the one that was paused goes on before the next begins
    assert [(entry.line or {}).get("control") for entry in second.entries][-2:] == ["resume", None]
    assert proved(third).table == at.referee_table


@pytest.mark.table(3, starter=2, **ONE_MAIL)
async def test_the_winner_who_is_kept_begins_again_when_the_game_is_played_again(at: GameNight) -> None:
    await at.tap("online#1", 2)
    await at.tap("email#1", 2)
    at.daemon.controller.observe(set_up(2, heir_kept=True, starter=1), "Anna")
    assert [began.seat for began in at.all_told(GameBegan)] == [2]
    first, second = recorded(at)
    assert (first.game.header.next_starter, second.game.header.next_starter) == (None, 2)
    assert proved(second).table == at.referee_table


async def test_a_mere_notice_is_not_in_the_journal(at: GameNight) -> None:
    before = at.entries()
    at.daemon.controller.publish_notice(PhoneSeen(at.daemon.clock.now_us(), "discard"))
    assert len(at.all_told(PhoneSeen)) == 1
    assert at.entries() == before


async def test_nobody_asked_for_the_pause_at_the_start(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await at.restart()
    assert len(at.all_told(Paused)) == 1
    assert at.all_told(CorrectionAsked) == []
    assert [judged.verdict for judged in at.all_told(Decision) if isinstance(judged.observation, ControlUsed)] == [
        Accepted((Paused(),))
    ]
