"""`taptable run`: on a machine without any of the devices, stopped by signals, and with what it can't run on."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from choosing import long_params
from deadline import DEADLINE_S
from taptable.config import load_config
from taptable.core.device_events import part_name
from taptable.memory.deck import Deck
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader

from cli.commands import Terminal, command, process
from cli.deck_rig import box
from cli.running import running

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGLISH = {"LANGUAGE": "en"}


@pytest.fixture(params=["full", "compact"])
def table(request: pytest.FixtureRequest, folder: Path) -> Path:
    """The folder of a table of either build, with its deck."""
    (folder / "table.toml").write_text((EXAMPLES / f"{request.param}.toml").read_text())
    Decks(folder / "decks").save(box())
    return folder


@pytest.fixture
def compact(folder: Path) -> Path:
    """The folder of a compact table, with its deck."""
    (folder / "table.toml").write_text((EXAMPLES / "compact.toml").read_text())
    Decks(folder / "decks").save(box())
    return folder


def parts(table: Path) -> list[str]:
    """Every part of a table, by the name under which it is missed."""
    config = load_config(table / "table.toml", lambda _game: [])
    pads = [part_name("board" if parts.pad.kind == "board" else "pad", pad) for pad, parts in config.all_pads.items()]
    buttons = [f"button {seat}" for seat, parts in enumerate(config.seats, 1) if parts.button.kind == "gpio"]
    lamps = [
        f"lamp {seat}"
        for seat, parts in enumerate(config.seats, 1)
        if parts.lamp is not None and parts.lamp.kind == "gpio"
    ]
    return [*pads, *buttons, *lamps, "oled", "sounder", "power button"]


@pytest.mark.parametrize("number", long_params([signal.SIGTERM, signal.SIGINT]))
def test_without_any_device_it_comes_up_names_each_and_stops_cleanly(table: Path, number: signal.Signals) -> None:
    with running(command("run"), table) as daemon:
        daemon.read_until(
            "^INFO: taptable .* at table ", *(f"^WARNING: Part lost: {part}: .+$" for part in parts(table))
        )
        assert daemon.stop(number) == 0
    assert "Traceback" not in daemon.log
    assert sorted(path.name for path in table.iterdir()) == [
        "decks",
        "journal.sockets",
        "journal.sqlite",
        "journal.sqlite.lock",
        "table.toml",
    ]
    assert not [path for path in (table / "journal.sockets").rglob("*") if not path.is_dir()]
    with JournalReader.open(table / "journal.sqlite") as journal:
        (game,) = journal.games()
        noted = [entry.line["part"] for entry in journal.entries(game.id) if entry.line and "part" in entry.line]
    assert sorted(noted) == sorted(parts(table))
    Journal.open(table / "journal.sqlite").close()


def test_it_comes_back_to_the_same_game_after_kill_9(compact: Path) -> None:
    for _ in range(2):
        with running(command("run"), compact) as daemon:
            daemon.read_until("^INFO: taptable .* at table ")
            daemon.stop(signal.SIGKILL)
    with JournalReader.open(compact / "journal.sqlite") as journal:
        assert len(journal.games()) == 1


def test_only_one_can_run_on_a_journal(compact: Path) -> None:
    with running(command("run"), compact) as daemon:
        daemon.read_until("^INFO: taptable .* at table ")
        assert {file.stat().st_mode & 0o077 for file in compact.glob("journal.*")} == {0}  # nobody else's
        second = process("run", folder=compact)
        assert second.status == 2
        assert re.fullmatch(r"taptable run: journal .* is being written by process \d+: .*\n", second.err)
        assert process("run", "--check", folder=compact, environment=ENGLISH).status == 0
        assert daemon.stop() == 0


def test_everything_wrong_with_a_configuration_is_reported_at_once(compact: Path, terminal: Terminal) -> None:
    text = (compact / "table.toml").read_text()
    text = text.replace('language = "de"', 'language = "es"').replace('pin = "gpio:12"', 'pin = "gpio:4"')
    text = text.replace("[game.house_rules]", "[game.house_rules]\nclaim_s = 900\npatrol_windw_s = 5")
    (compact / "table.toml").write_text(text)
    ran = terminal.run("run")
    assert (ran.status, ran.out) == (2, "")
    said = [re.fullmatch(r"taptable run: table\.toml:\d+: (.*)", line) for line in ran.err.splitlines()]
    assert [found and found[1] for found in said] == [
        '[table] language can\'t be "es": it takes "de", "en", "fr" or "nl".',
        "[game.house_rules] claim_s doesn't fit the game. "
        "The setting claim_s can't be '900': it takes seconds from 1 to 120.",
        "[game.house_rules] patrol_windw_s doesn't fit the game. "
        "There is no setting 'patrol_windw_s': did you mean patrol_window_s?",
        '[sounder] pin can\'t be "gpio:4": seat 1, button is on it already; gpio:12 is free.',
    ]
    assert terminal.run("run", "--check") == ran


@pytest.fixture(params=[(), ("--check",)], ids=["run", "check"])
def refusal(request: pytest.FixtureRequest, terminal: Terminal) -> Callable[[], str]:
    """The error with which the table's start, or a look at it before, ends; the status is 2 and there is no other
    output."""

    def run() -> str:
        ran = terminal.run("run", *request.param)
        assert (ran.status, ran.out) == (2, "")
        (sentence,) = ran.err.splitlines()
        return sentence.removeprefix("taptable run: ")

    return run


def test_a_table_needs_its_deck(compact: Path, refusal: Callable[[], str]) -> None:
    table = (compact / "table.toml").read_text()
    (compact / "table.toml").write_text(re.sub(r"(?s)\[page\].*", "", table))
    (compact / "decks" / "family.json").unlink()
    assert re.match(r"no deck 'family' in decks: .*`taptable deck enrol family` creates it", refusal())
    (compact / "table.toml").write_text(table)
    (compact / "decks" / "family.json").write_text("{}")
    assert refusal().startswith("deck decks/family.json: ")
    chess = Deck("family", "chess", {"04000000000001": "pawn#1"})
    (compact / "decks" / "family.json").write_text(text_of(chess))
    assert refusal() == "deck family is for chess, and the table plays online"


def test_a_table_with_a_page_starts_without_its_deck(compact: Path) -> None:
    (compact / "decks" / "family.json").unlink()
    assert process("run", "--check", folder=compact, environment=ENGLISH).status == 0
    with running(command("page"), compact) as page, running(command("run"), compact) as daemon:
        daemon.read_until("^WARNING: Deck missing: family; enrol it on the page$", "^INFO: taptable .* at table ")
        page.read_until("^INFO: Page started by taptable .*: http:")
        assert (daemon.stop(), page.stop()) == (0, 0)
    with JournalReader.open(compact / "journal.sqlite") as journal:
        assert [game.header.deck for game in journal.games()] == [""]


def test_a_table_needs_a_journal_it_can_go_on_from(compact: Path, refusal: Callable[[], str]) -> None:
    (compact / "journal.sqlite").write_text("not a journal at all, but somebody's notes")
    assert re.search(r"journal\.sqlite is (no journal: give|damaged)", refusal())


@pytest.mark.long
def test_an_installed_table_is_found_from_every_folder(compact: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    named = {**ENGLISH, "TAPTABLE_CONFIG": str(compact / "table.toml")}
    assert process("run", "--check", folder=elsewhere, environment=named).status == 0
    gone = process("run", "--check", folder=elsewhere, environment={"TAPTABLE_CONFIG": "/nowhere/table.toml"})
    assert (gone.status, "/nowhere/table.toml isn't there" in gone.err) == (2, True)


def test_a_look_at_a_table_changes_nothing(compact: Path, terminal: Terminal) -> None:
    ran = terminal.run("run", "--check", "--config", compact / "table.toml")
    assert (ran.status, ran.err) == (0, "")
    assert re.fullmatch(r".*table\.toml, das Deck family und das Journal sind in Ordnung\.\n", ran.out)
    assert sorted(path.name for path in compact.iterdir()) == ["decks", "table.toml"]


@pytest.mark.parametrize("arguments", [("run", "--check"), ("games",), ("deck", "list"), ("referee", "--help")])
def test_nothing_is_loaded_that_a_command_does_not_need(compact: Path, arguments: tuple[str, ...]) -> None:
    Journal.open(compact / "journal.sqlite").close()
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", *command(*arguments)[1:]],
        cwd=compact,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert ran.returncode == 0
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}
    assert loaded.isdisjoint({"matplotlib", "numpy", "hypothesis", "pytest", "setuptools"})
    modules = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert not any(module.startswith("taptable.sim") for module in modules)


def test_without_table_toml_it_says_what_it_uses_and_asks_for_the_seats(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TemporaryDirectory() as data:  # a socket's path is short
        monkeypatch.setenv("XDG_DATA_HOME", data)
        with running(command("run"), folder) as daemon:
            daemon.read_until(
                rf"^There is no table\.toml yet, .* are in {data}/taptable, its deck is “family”, .*localhost:8137/",
                "^INFO: taptable .* at table Living room, seats are being assigned",
            )
            assert daemon.stop() == 0
        assert Path(data, "taptable").stat().st_mode & 0o777 == 0o700
        assert not Path(data, "taptable/table.toml").exists()
    assert "Traceback" not in daemon.log


def test_without_a_folder_for_it_a_sentence_says_why(folder: Path, terminal: Terminal) -> None:
    (folder / "data").touch()
    ran = terminal.run("run", "--check")
    assert (ran.status, ran.err) == (
        2,
        f"taptable run: {folder}/data/taptable, the folder of your table, can't be made: Not a directory.\n",
    )


def test_the_page_of_a_table_without_table_toml_says_so(folder: Path) -> None:
    with running(command("page"), folder) as page:
        page.read_until(r"^There is no table\.toml yet", "^(INFO: Page started|taptable page: )")
        page.stop()
