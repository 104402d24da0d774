"""A start reads the journal: it finds a game to continue, a finished game, a game with other agreements, or nothing
usable. *Memory* of the table's page."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from table.rig import GameNight, a_table, running_table, with_buttons_on_boards
from taptable.config import Config
from taptable.core.announcements import ClaimGiven, GameBegan
from taptable.core.notices import GameSetAside
from taptable.core.observations import DISCARD_PAD
from taptable.core.verdicts import Accepted
from taptable.daemon.game_options import game_options_at
from taptable.drivers.registry import installed_drivers
from taptable.drivers.spi.pads import SpiPad, pads_at
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.referee.session import Decision

ONE_MAIL_WINS = {"quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}


def games(config: Config) -> list[tuple[str, int, bool]]:
    """The edition, the players and the end of each game in a table's journal."""
    with JournalReader.open(config.table.journal) as journal:
        return [(game.header.edition, game.header.players, game.outcome is not None) for game in journal.games()]


def change(config: Config, statement: str) -> None:
    """Change what stands in a journal that nobody has open."""
    with closing(sqlite3.connect(config.table.journal)) as connection, connection:
        connection.execute(statement)


async def boots_counted(at: GameNight) -> None:
    """The boards have been on before, and count on."""
    for board in at.table.stand_in("board").boards.values():
        board.reset()


async def play_a_little(config: Config) -> None:
    async with running_table(config) as at:
        await asyncio.sleep(1)  # every reader has looked
        await at.tap("online#1", 1)


async def test_table_time_goes_on_from_the_last_that_was_written_down(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await asyncio.sleep(100)
    last_us = at.entries()[-1].at_us
    await at.restart()
    assert at.daemon.clock.now_us() == last_us
    await asyncio.sleep(2)
    assert at.daemon.clock.now_us() == last_us + 2_000_000
    assert at.daemon.clock.loop_time(last_us) == pytest.approx(at.loop.time() - 2)


@pytest.mark.parametrize(
    ("players", "edition", "starter", "rules"),
    [(3, "de", 1, {}), (2, "en", 1, {}), (2, "de", 2, {}), (2, "de", 1, {"claim_s": "20"})],
    ids=["players", "edition", "starter", "house rules"],
)
async def test_a_game_that_was_agreed_otherwise_is_not_gone_on_with(
    players: int, edition: str, starter: int, rules: dict[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    await play_a_little(a_table(tmp_path, 2, "de", starter=1))
    config = a_table(tmp_path, players, edition, starter=starter, **rules)
    async with running_table(config, before=boots_counted) as at:
        assert at.state.teams[0].rows[0] == ()
        assert at.referee_table.paused_at_us is None
        await asyncio.sleep(1)
        assert isinstance((await at.tap("online#1", starter)).verdict, Accepted)
    assert games(config) == [("de", 2, False), (edition, players, False)]
    assert "Game not resumed: game 1 isn't over, but has other options than are configured" in caplog.text


async def test_the_last_winner_begins_after_any_number_of_starts(tmp_path: Path):
    """R2.3: the German edition's winner."""
    config = a_table(tmp_path, 3, starter=None, **ONE_MAIL_WINS)
    async with running_table(config) as at:
        await at.press(2)
        await at.tap("online#1", 2)
        await at.tap("email#1", 2)
        await at.restart()
        assert at.referee_table.paused_at_us is None
        await at.control("new-game", 1)
        assert [said.seat for said in at.all_told(GameBegan)] == [2]
        await at.restart()
        await at.press(1)
        assert at.state.turn.seat == 2
        await at.control("new-game", 1)
        await at.restart()
        await at.press(3)
        assert at.state.turn.seat == 2
    assert [over for _, _, over in games(config)] == [True, False, False]


async def test_a_game_begun_in_a_pause_is_gone_on_with(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await at.control("pause", 2)
    await asyncio.sleep(5)
    await at.control("new-game", 2)
    await asyncio.sleep(5)
    await at.restart()
    assert at.referee_table.paused_at_us is not None
    await at.press(1)
    await at.tap("online#2", 1)
    state = at.state
    await at.restart()
    assert at.state == state
    assert at.state.teams[0].rows[0] == ("online#2",)


async def test_a_damaged_journal_is_kept_aside_and_a_new_game_begun(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    config = a_table(tmp_path)
    await play_a_little(config)
    whole = config.table.journal.read_bytes()
    config.table.journal.write_bytes(whole[:5000] + b"\0" * (len(whole) - 5000))
    await play_a_little(config)
    assert games(config) == [("de", 2, False)]
    assert list(tmp_path.glob("*.damaged-1"))
    assert "is damaged" in caplog.text


@pytest.mark.parametrize(
    "spoil",
    ["UPDATE games SET rules_version = 'online/0'", "UPDATE entries SET answer = '{}' WHERE answer IS NOT NULL"],
    ids=["rules that nobody knows", "answered otherwise now"],
)
async def test_a_running_game_that_cant_be_continued_is_set_aside_and_reported(spoil: str, tmp_path: Path):
    config = a_table(tmp_path)
    await play_a_little(config)
    change(config, spoil)
    with JournalReader.open(config.table.journal) as journal:
        before = transcript_of(journal, 1)
    async with running_table(config, before=boots_counted) as at:
        assert [notice.id for notice in at.all_told(GameSetAside)] == [1]
        assert at.referee_table.paused_at_us is None
        await asyncio.sleep(1)
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        await at.restart()
        assert len(at.all_told(GameSetAside)) == 1
    assert games(config) == [("de", 2, False)] * 2
    with JournalReader.open(config.table.journal) as journal:
        assert transcript_of(journal, 1) == before


async def test_a_game_of_other_rules_that_is_over_stands_in_nobodys_way(tmp_path: Path):
    config = a_table(tmp_path, **ONE_MAIL_WINS)
    async with running_table(config) as at:
        await at.tap("online#1", 1)
        await at.tap("email#1", 1)
    change(config, "UPDATE games SET rules_version = 'online/0'")
    async with running_table(config, before=boots_counted) as at:
        await asyncio.sleep(1)
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
    assert [over for _, _, over in games(config)] == [True, False]


async def test_with_buttons_on_boards_the_first_is_named_a_quarter_of_a_second_after_the_press(tmp_path: Path):
    config = with_buttons_on_boards(a_table(tmp_path, 3))
    assert game_options_at(config).settings == {"settle_s": "0.25"}
    async with running_table(config) as at:
        await asyncio.sleep(2)
        await at.tap("hacker#1", 1)
        heard = await at.buzz(3)
        await asyncio.sleep(0.2)
        await at.buzz(2)
        assert isinstance(heard, Decision)
        named = await at.next_announcement(ClaimGiven)
        assert isinstance(named, Decision)
        assert named.observation.at_us - heard.observation.at_us == 250_000
        (claim,) = at.all_told(ClaimGiven)
        assert (claim.seat, claim.tied) == (3, ())
        assert 190_000 < claim.margin_us < 210_000
        assert 0 < claim.uncertainty_us < 10_000


def test_a_settling_time_that_was_agreed_stands(tmp_path: Path):
    config = with_buttons_on_boards(a_table(tmp_path, settle_s="0.5"))
    assert game_options_at(config).settings == {"settle_s": "0.5"}


def test_the_readers_on_the_pi_are_those_of_the_configuration_the_discard_pad_first(tmp_path: Path):
    places = pads_at(a_table(tmp_path, 2, build="compact").parts_of(installed_drivers()["spi"]))
    assert places == [SpiPad(DISCARD_PAD, 0, 0, 25), SpiPad(1, 0, 1, 25), SpiPad(2, 1, 0, 25)]


async def test_an_idle_table_does_little(at: GameNight) -> None:
    """It looks at the reader on the Pi twenty times a second, and at the boards once."""
    await asyncio.sleep(60)  # Stop has been reminded of
    written, looks = at.entries(), count_looks(at)
    await asyncio.sleep(60)
    assert sum(looks) < 60 * 150
    assert at.entries() == written


def count_looks(at: GameNight) -> list[int]:
    """How often the loop looks for something to do from now on."""
    looks: list[int] = []
    selector = at.loop._selector
    select = selector.select

    def counted(timeout: float | None = None) -> object:
        looks.append(1)
        return select(timeout)

    selector.select = counted
    return looks
