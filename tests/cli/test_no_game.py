"""`taptable run --no-game`, by itself and as the table of a command: who has the discard pad, and what is left."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import AF_UNIX, SOCK_DGRAM, socket
from tempfile import TemporaryDirectory

import pytest
from api.rig import a_client, at_table, with_a_client
from deadline import DEADLINE_S
from memory.processes import folder_for_all, without_privileges
from taptable.api.errors import RequestError
from taptable.api.requests import Enrol, EnrolStep, Entries, ExportMember, NewGame, Role, SeatMember, UseDeck
from taptable.api.socket_paths import FOLDER_VARIABLE, socket_path
from taptable.cli.at_table import TableConnection
from taptable.config import load_config
from taptable.daemon.supervision import Supervisor
from taptable.daemon.without_game import TableWithoutGame, wait_while_without_game
from taptable.games.registry import GAMES
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.memory.journal import WITHOUT_GAME, WriterLock, is_held_without_game, lock_file_of, lock_holder
from taptable.memory.journal_reader import JournalReader
from taptable.sim.table import SimulatedTable

from cli.commands import Terminal, command
from cli.deck_rig import EXAMPLE, box
from cli.running import running

ENROL = command("deck", "enrol", "--language", "en")


@pytest.fixture
def journal(folder: Path) -> Path:
    """The journal of a compact table, which is no file yet."""
    (folder / "table.toml").write_text(EXAMPLE.read_text())
    return folder / "journal.sqlite"


def wait_until_free(journal: Path) -> None:
    """Wait until nobody holds the journal."""
    deadline = time.monotonic() + DEADLINE_S
    while lock_holder(journal) is not None:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_table_waits_for_a_command_and_starts_after_ctrl_c(folder: Path, journal: Path) -> None:
    with running(ENROL, folder) as enrolling:
        enrolling.read_until("^Now the 13 Online", r"^Discard pad doesn’t answer \(.+\); it is tried again\.$")
        assert is_held_without_game(journal)
        with running(command("run"), folder) as table:
            table.read_until("^INFO: Start delayed: a command uses the discard pad")
            assert enrolling.stop(signal.SIGINT) == 130
            assert enrolling.log.endswith("Stopped with 0 of 112 cards; all of them are saved.\n")
            table.read_until("^INFO: taptable .* at table ")
            assert table.stop() == 0
    with JournalReader.open(journal) as written:
        assert len(list(written.games())) == 1


def test_a_command_that_is_killed_leaves_no_table_behind(folder: Path, journal: Path) -> None:
    with running(ENROL, folder) as enrolling:
        enrolling.read_until("^Now the 13 Online")
        assert enrolling.stop(signal.SIGKILL) == -signal.SIGKILL
        wait_until_free(journal)
    assert not journal.exists()


@pytest.mark.long
def test_a_command_whose_table_is_killed_says_so_and_ends(folder: Path, journal: Path) -> None:
    with running(ENROL, folder) as enrolling:
        enrolling.read_until("^Now the 13 Online")
        subprocess.run(["kill", "-KILL", str(lock_holder(journal))], check=True)
        enrolling.read_until("^taptable deck: (no table answers at .*: it is gone|the table without a game has ended)$")
        assert enrolling.wait() == 2


@pytest.mark.usefixtures("journal")
def test_why_there_is_no_table_reaches_the_terminal(folder: Path, terminal: Terminal) -> None:
    text = (folder / "table.toml").read_text()
    (folder / "table.toml").write_text(text.replace("[table]\n", '[table]\njournal = "nowhere/journal.sqlite"\n'))
    ran = terminal.run("deck", "enrol")
    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(r"taptable deck: journal .*nowhere/journal.sqlite can't be written: No such file .*\n", ran.err)


def test_a_table_that_runs_and_cant_be_asked_keeps_its_pad(journal: Path, terminal: Terminal) -> None:
    lock = WriterLock(journal)
    ran = terminal.run("deck", "enrol")
    lock.release()
    assert (ran.status, ran.out) == (2, "")
    sentence = (
        "the discard pad belongs to the table while that runs: enrol at its page, or stop it first (no table answers"
    )
    assert ran.err.startswith(f"taptable deck: {sentence}")


def test_a_table_that_waits_for_a_command_asks_systemd_for_time(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "journal.sqlite", WITHOUT_GAME)
    with socket(AF_UNIX, SOCK_DGRAM) as systemd, TemporaryDirectory(dir="/tmp") as folder, ThreadPoolExecutor() as pool:
        systemd.settimeout(DEADLINE_S)
        systemd.bind(f"{folder}/notify")
        waiting = pool.submit(wait_while_without_game, tmp_path / "journal.sqlite", Supervisor(f"{folder}/notify"))
        assert systemd.recv(100) == b"EXTEND_TIMEOUT_USEC=60000000"
        assert not waiting.done()
        lock.release()
        waiting.result(DEADLINE_S)


def test_a_user_who_may_not_ask_the_table_is_refused(terminal: Terminal) -> None:
    with folder_for_all() as folder:
        journal = folder / "journal.sqlite"
        (folder / "table.toml").write_text(EXAMPLE.read_text())
        lock = WriterLock(journal)
        lock_file_of(journal).chmod(0)
        with without_privileges():
            ran = terminal.run("deck", "enrol", "--config", folder / "table.toml")
        lock.release()
    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(r"taptable deck: journal .*: Permission denied \(.*journal\.sqlite\.lock\)\n", ran.err)


def test_a_table_that_runs_is_asked(folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> None:
    async def evening() -> None:
        async with with_a_client(folder) as (table, _):
            monkeypatch.setenv(FOLDER_VARIABLE, str(table.sockets))
            enrol = (terminal.run, "deck", "enrol", "box", "--config", table.config.file, "--language", "en")
            ran = await asyncio.to_thread(*enrol)
            assert (ran.status, ran.err) == (0, "")
            assert ran.lines[0] == "Deck box: 0 of 112 cards are enrolled."
            assert ran.lines[-1] == "Stopped with 0 of 112 cards; all of them are saved."
            assert table.daemon.enrolment.active is None
            table.daemon.enrolment.begin("other", "", "enrol", "Ada")
            ran = await asyncio.to_thread(*enrol)
            assert (ran.status, ran.out) == (2, "")
            assert ran.err.startswith("taptable deck: ")
            assert table.daemon.enrolment.active is not None

    asyncio.run(evening())


def test_a_deck_is_taken_in_by_a_table_that_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    async def evening() -> None:
        async with with_a_client(folder) as (table, _):
            monkeypatch.setenv(FOLDER_VARIABLE, str(table.sockets))
            (folder / "out.json").write_text(text_of(box(seed=3)))
            bring = (terminal.run, "deck", "import", "out.json", "--config", table.config.file, "--language", "en")
            ran = await asyncio.to_thread(*bring)
            assert (ran.status, ran.out) == (0, "Deck family is taken in: 112 of 112 cards.\n")
            assert table.daemon.active_deck.decks.deck("family") == box(seed=3)
            (folder / "out.json").write_text(text_of(box(seed=4)))
            assert "is there already" in (await asyncio.to_thread(*bring)).err
            ran = await asyncio.to_thread(*bring, "--force")
            assert ran.lines[1].startswith("What was there before is kept as ")
            assert ran.lines[1].endswith("decks/family.json.old-1.")
            own = next(iter(box("third", seed=5).cards))
            table.daemon.members.change(table.daemon.members.add("Ada", "#8ec1ff", "name").id, tags=(own,))
            (folder / "out.json").write_text(text_of(box("third", seed=5)))
            assert "Ada" in (await asyncio.to_thread(*bring)).err
            assert table.daemon.active_deck.decks.names() == ("family", "sample")

    asyncio.run(evening())


@pytest.mark.usefixtures("journal")
def test_a_deck_is_described_and_taken_in_where_no_table_runs(folder: Path, terminal: Terminal) -> None:
    (folder / "own.json").write_text(GAMES["xnet"].sample)
    ran = terminal.run("deck", "describe", "ours", "own.json", "--language", "en")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Deck ours: ")
    (folder / "out.json").write_text(text_of(box()))
    assert terminal.run("deck", "import", "out.json", "--language", "en").status == 0
    assert Decks(folder / "decks").names() == ("family", "ours")
    assert Decks(folder / "decks").deck("family") == box()


async def test_it_answers_an_administrator_and_judges_nothing(journal: Path, tmp_path: Path) -> None:
    config = load_config(journal.with_name("table.toml"), lambda _: [])
    sockets = tmp_path / "api"
    with SimulatedTable(config).powered() as openers:
        table = TableWithoutGame(config, openers, sockets)
        await table.start()
        try:
            assert [role for role in Role if socket_path(sockets, role).exists()] == [Role.ADMIN]
            async with TableConnection(socket_path(sockets, Role.ADMIN), lambda _: None) as client:
                for request in (
                    *(NewGame(), UseDeck(deck="family"), SeatMember(member="", seat=1)),
                    *(Entries(game=1), ExportMember(member="")),
                ):
                    with pytest.raises(RequestError, match="No game is played here now"):
                        await client.call(request)
                await client.call(Enrol(deck="family"))
                await client.call(EnrolStep("stop"))
        finally:
            await table.stop()
    assert not journal.exists()
    assert not list(sockets.rglob("*.sock"))


async def test_the_numbers_of_tags_are_shown_to_an_administrator_alone(folder: Path) -> None:
    async with at_table(folder) as table:
        for role in Role:
            async with a_client(table, role) as client:
                said = await client.answer("subscribe", topics=["dialogue"])
                assert ("result" in said) == (role is Role.ADMIN)


def test_who_holds_a_journal_is_known_by_its_lock(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    assert (lock_holder(journal), is_held_without_game(journal)) == (None, False)
    for remark, without_game in (("", False), (WITHOUT_GAME, True)):
        lock = WriterLock(journal, remark)
        assert (str(lock_holder(journal)).isdecimal(), is_held_without_game(journal)) == (True, without_game)
        lock.release()
    assert lock_holder(journal) is None
