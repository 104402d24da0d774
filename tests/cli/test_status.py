"""`taptable status`: the state of a running table, as the table reports it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from api.rig import Table, with_a_client
from deadline import DEADLINE_S
from referee.session_rig import SessionRig
from table.rig import a_table
from taptable.api import socket_paths
from taptable.api.facts import JournalFacts, TableFacts
from taptable.cli import status
from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game
from taptable.referee.session import Session, open_session
from taptable.referee.step import open_table
from taptable.words import Vocabulary, Words

from cli.commands import CommandResult, Terminal


def at_a_table(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    visit: Callable[[Path], CommandResult],
    meanwhile: Callable[[Table], object] = id,
) -> CommandResult:
    """Run a command at a table and return its result; `meanwhile` something happens there, once it listens."""

    async def evening() -> CommandResult:
        async with with_a_client(folder) as (table, _):
            monkeypatch.setenv(socket_paths.FOLDER_VARIABLE, str(table.sockets))
            config = table.config.file
            config.write_text(config.read_text().replace('language = "de"', 'language = "en"'))
            asked = asyncio.create_task(asyncio.to_thread(visit, config))
            assert table.daemon.sockets is not None
            administrators = table.daemon.sockets.clients[socket_paths.Role.ADMIN]
            async with asyncio.timeout(DEADLINE_S):
                while not asked.done() and not administrators:
                    await asyncio.sleep(0.01)
                meanwhile(table)
                return await asked

    return asyncio.run(evening())


def test_it_says_whose_turn_it_is_the_score_and_what_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    def visit(config: Path) -> CommandResult:
        return terminal.run("status", "--config", config)

    ran = at_a_table(folder, monkeypatch, visit)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == "Seat 1 is on turn"
    assert ran.lines[-1] == "Nothing is missing."
    assert "  Seat 2: 0 MB" in ran.lines


def test_r10_3_it_says_how_much_of_an_agreed_time_is_left_and_who_misses_a_turn() -> None:
    words = Words("en", Vocabulary(("taptable.games.online",)))

    def lines(evening: SessionRig) -> list[str]:
        return status.as_text(_state(evening), words).splitlines()

    evening = SessionRig(4, time_limit_s="900").wait(100)
    assert "14 minutes left." in lines(evening)
    assert json.loads(status.as_json(_state(evening)))["left_s"] == 800.0
    evening.control("pause").wait(100)
    assert "14 minutes left." in lines(evening)
    evening.press(1).tap("hacker#1", 1).tap("cyber-patrol#1", 2).wait(1)
    assert "Misses the next turn: seat 1." in lines(evening)
    assert json.loads(status.as_json(_state(evening)))["skips"] == [1]
    evening.wait(900)
    assert "Time is up: this is the last turn." in lines(evening)
    assert json.loads(status.as_json(_state(evening)))["left_s"] == 0
    assert json.loads(status.as_json(_state(SessionRig())))["left_s"] is None


def test_r10_3_where_cards_decide_they_come_before_the_megabytes() -> None:
    words = Words("en", Vocabulary(("taptable.games.online",)))
    table, _ = open_table(find_game("online"), GameOptions(2, "fr", {"time_limit_s": "900"}, 1))
    session = open_session(table, 2, 0, 0)
    assert "  Seat 1: category cards: 0, 0 MB" in status.as_text(_state_of(session), words).splitlines()


def _state(evening: SessionRig) -> status.TableStatus:
    return _state_of(evening.session)


def _state_of(session: Session) -> status.TableStatus:
    facts = TableFacts(1, "0", "start", "Home", "en", 4, slow_buttons=False, power_off=False)
    return status.TableStatus(facts, JournalFacts(1, 1, stuck=False), (), session, ())


def test_programs_get_the_same_in_no_language(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    ran = at_a_table(folder, monkeypatch, lambda config: terminal.run("status", "--json", "--config", config))
    told = json.loads(ran.out)
    assert (told["status"], told["game"], told["players"], told["turn"]) == (1, "online", 2, 1)
    assert told["now"]["key"] == "turn"
    assert [(team["seats"], team["score"]) for team in told["teams"]] == [([1], 0), ([2], 0)]
    assert (told["paused"], told["over"], told["alerts"], told["stuck"]) == (False, False, [], False)


def test_it_follows_what_changes_until_the_table_is_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    tables: list[tuple[asyncio.AbstractEventLoop, Table]] = []

    def meanwhile(table: Table) -> None:
        tables.append((asyncio.get_running_loop(), table))
        table.hardware.stand_in("board").boards[2].pull_out()
        table.tap("pause", "discard")

    def as_text(state: status.TableStatus, words: Words) -> str:
        if state.session.table.paused_at_us is not None and state.alerts:
            ((loop, table),) = tables
            assert table.daemon.sockets is not None
            loop.call_soon_threadsafe(table.daemon.sockets.abort)
        return in_words(state, words)

    in_words = status.as_text
    monkeypatch.setattr(status, "as_text", as_text)
    ran = at_a_table(
        folder, monkeypatch, lambda config: terminal.run("status", "--follow", "--config", config), meanwhile
    )
    assert ran.status == 1
    first, *_, last = ran.out.split("Paused")
    assert first.startswith("Seat 1 is on turn")
    assert "Missing: seat board 2" in last
    assert "nobody answers at" in ran.err


def test_a_table_that_is_not_there_is_reported_in_its_language(folder: Path, terminal: Terminal) -> None:
    config = a_table(folder).file
    ran = terminal.run("status", "--config", config)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"Der Tisch ist nicht da: Unter {folder / 'journal.sockets'}")
