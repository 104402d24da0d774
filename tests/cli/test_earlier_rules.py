"""Games in the journals of earlier releases (`tests/samples`) are told, replayed, continued and finished by the rules
with which they began, even if the rules have changed since."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from choosing import long_params
from table.rig import GameNight, a_table, running_table
from taptable.config import Config
from taptable.core.announcements import ClaimGiven
from taptable.core.game_options import GameOptions
from taptable.core.verdicts import Accepted, Refused
from taptable.games.online.cards import MEMORY
from taptable.games.registry import find_game
from taptable.history.playback import verify
from taptable.memory.game_export import export_text, transcript_in
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.referee.session import Decision
from taptable.sim.people import Slips
from taptable.sim.setting_up import set_up
from topics.page_user import PageUser

from cli.commands import Terminal

SAMPLES = Path(__file__).parent.parent / "samples"
JOURNALS = {
    "0.1.0/online": 3,
    "0.1.0/cyber-siege": 2,
    "0.1.0/xnet": 2,
    "schema-1/online": 2,
    "0.2.0/online": 2,
    "0.2.0/cyber-siege": 2,
    "0.2.0/xnet": 2,
    "0.3.0/online": 2,
    "0.3.0/cyber-siege": 2,
    "0.3.0/xnet": 2,
    "rules-2/online": 1,
    "rules-3/online": 1,
}
"""How many games each has; the last was broken off."""
BY_RULES = {"0.1.0": 1, "schema-1": 1, "0.2.0/online": 2, "rules-2": 2}
"""The version of its game's rules by which a sample was begun, by the name or its folder; today's otherwise."""
EVERY_GAME = [(name, number) for name, games in JOURNALS.items() for number in range(1, games + 1)]
SHORT = {"cyber-siege": {"target_points": "8"}, "xnet": {"target_points": "25"}}
LONGEST_S = 3_000


def lay_out(name: str, journal: Path) -> None:
    """The sample as the kill left it."""
    for sample in SAMPLES.glob(f"{name}.sqlite*"):
        shutil.copy(sample, journal.with_name(sample.name.replace(sample.stem + ".sqlite", journal.name)))


def a_table_of(name: str, folder: Path) -> Config:
    """A table as the sample's was, with its journal."""
    game = name.partition("/")[2]
    if game == "online":
        config = a_table(folder, 6, claim_s="20") if name.startswith("rules") else a_table(folder, 4)
    else:
        config = set_up(folder, game, GameOptions(3, "standard", SHORT[game], None), "en")
    lay_out(name, config.table.journal)
    return config


async def boots_counted(at: GameNight) -> None:
    """The boards have been on twice before."""
    for board in at.table.stand_in("board").boards.values():
        board.reset()
        board.reset()


@pytest.mark.parametrize(("name", "number"), EVERY_GAME)
def test_it_is_told_and_proved_at_the_terminal_and_as_a_file(
    name: str, number: int, tmp_path: Path, terminal: Terminal
) -> None:
    journal = tmp_path / "journal.sqlite"
    lay_out(name, journal)
    proved = terminal.run("replay", "--journal", journal, number)
    assert (proved.status, proved.err) == (0, "")
    shown = terminal.run("games", "show", "--journal", journal, number)
    assert (shown.status, shown.err) == (0, "")
    exported = terminal.run("games", "export", "--journal", journal, number, tmp_path / "game.json")
    assert (exported.status, exported.err) == (0, "")
    assert terminal.run("replay", tmp_path / "game.json").out == proved.out
    assert terminal.run("games", "show", tmp_path / "game.json").out == shown.out


def test_a_file_that_was_exported_then_reads_as_it_did(terminal: Terminal) -> None:
    exported = SAMPLES / "0.1.0" / "online-3.json"
    assert export_text(transcript_in(exported.read_bytes(), "the sample")) == exported.read_text()
    assert terminal.run("replay", exported).status == 0


def test_the_tally_of_a_game_of_two_has_the_losses_it_had_then(tmp_path: Path, terminal: Terminal) -> None:
    lay_out("0.1.0/online", tmp_path / "journal.sqlite")
    ran = terminal.run("games", "tally", "--journal", tmp_path / "journal.sqlite", "--left", "2=3")
    assert [line.split() for line in ran.lines[1:]] == [
        *(["2", "seat", "1", "8"], ["2", "seat", "2", "3"]),
        *(["=", "seat", "1", "0", "8"], ["=", "seat", "2", "3", "0"]),
    ]


@pytest.mark.parametrize("name", long_params(JOURNALS))
async def test_it_is_told_at_the_page(name: str, tmp_path: Path) -> None:
    config = a_table(tmp_path)
    lay_out(name, config.table.journal)

    async with running_table(config) as at:
        ada = PageUser(at)
        listed = {game["id"]: game["trouble"] for game in (await ada.ask("games"))["games"]}
        for number in range(1, JOURNALS[name] + 1):
            assert listed[number] is None
            told = (await ada.ask("game", id=number))["game"]
            assert told["trouble"] is None
            assert told["steps"] > 5
            position = await ada.ask("position", id=number, number=told["steps"] - 1)
            assert position["parts"]["table"]["game"] == name.partition("/")[2]


@pytest.mark.long
@pytest.mark.parametrize("name", JOURNALS)
async def test_a_table_goes_on_with_it_and_finishes_it(name: str, tmp_path: Path) -> None:
    config, (release, _, game) = a_table_of(name, tmp_path), name.partition("/")

    async with running_table(config, before=boots_counted) as at:
        before = at.referee_table
        assert before.paused_at_us is not None
        assert before.game.outcome(before.state) is None
        people = at.seat_players(1, Slips())
        people.start_players()
        await asyncio.wait_for(people.game_over.wait(), LONGEST_S)
        await people.stop_players()
        assert people.disagreements == []
        at.daemon.controller.use_control("new-game", "discard", "page", ())
        assert at.referee_table.game is find_game(game)
    with JournalReader.open(config.table.journal) as journal:
        *_, finished, begun = journal.games()
        now = find_game(game).rules_version
        then = BY_RULES.get(name) or BY_RULES.get(release)
        assert finished.header.rules_version == (f"{game}/{then}" if then else now)
        assert finished.outcome is not None
        verify(transcript_of(journal, finished.id))
        assert begun.header.rules_version == now


async def test_a_reaction_of_then_goes_on_by_the_rules_of_then(tmp_path: Path) -> None:
    """Killed after a `turbo-line` on a line that was up again and an `extra-memory` that nothing had called for."""
    config = a_table_of("0.1.0/online", tmp_path)

    async with running_table(config, before=boots_counted) as at:
        await at.press(2)
        await at.control("take-back", 2)
        await at.press(3)
        assert at.state.teams[1].rows[MEMORY] == ()
        assert isinstance((await at.tap("extra-memory#2", 4)).verdict, Accepted)
        at.daemon.controller.use_control("new-game", "discard", "page", ())
        for action in (("online#1", 1), 1, ("online#2", 2), 2, 3, 4, ("virus#1", 2)):
            await (at.press(action) if isinstance(action, int) else at.tap(*action))
        assert isinstance((await at.tap("extra-memory#2", 4)).verdict, Refused)


@pytest.mark.parametrize(("rules", "winner", "tied"), [(2, 2, (2, 3, 4)), (3, 3, (3, 4))])
async def test_a_window_goes_on_by_the_ruling_and_the_debts_of_then(
    rules: int, winner: int, tied: tuple[int, ...], tmp_path: Path
) -> None:
    """Stopped between the presses and the naming; the exchange of seat 5 had drawn 3 of 5 cards before a reshuffle."""
    config = a_table_of(f"rules-{rules}/online", tmp_path)

    async with running_table(config, before=boots_counted) as at:
        assert at.state.hands[4] == (5 if rules == 2 else 7)
        named = at.next_announcement(ClaimGiven)
        await at.press(5)
        said = await named
        assert isinstance(said, Decision)
        [given] = [each for each in said.verdict.announcements if isinstance(each, ClaimGiven)]
        assert (given.seat, given.tied, given.margin_us) == (winner, tied, 0 if rules == 2 else None)
        at.daemon.controller.use_control("new-game", "discard", "page", ())
        assert at.referee_table.game.rules_version == "online/3"
