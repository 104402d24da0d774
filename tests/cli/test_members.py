"""`taptable members`, for people without a page."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from api.rig import with_a_client
from taptable.api import socket_paths
from taptable.core.game_options import GameOptions
from taptable.core.notices import PlayersNamed
from taptable.core.observations import CardTapped
from taptable.core.tag_notices import MembersSeated
from taptable.daemon.seating import seat_member
from taptable.memory.journal import WriterLock
from taptable.memory.members import Member, MemberStore, members_file_of, read_members

from cli.commands import Terminal
from cli.evenings import S, write_script

TWO = GameOptions(2, "de", {}, 1)
JOURNAL = ("--journal", "journal.sqlite", "--language", "en")
TAG = "04adadadadad01"


@pytest.fixture
def ada(folder: Path) -> Member:
    """She sat at seat 2 in the one game of a journal, beside a guest."""
    journal = folder / "journal.sqlite"
    members = MemberStore(members_file_of(journal))
    ada = members.change(members.add("Ada", "#8ec1ff", "initial").id, tags=(TAG,))
    script = [
        PlayersNamed(1 * S, ("Zoë", "")),
        MembersSeated(2 * S, ("", ada.id)),
        CardTapped(3 * S, "online#1", 1),
    ]
    write_script(journal, TWO, script)
    return ada


def test_they_are_listed_without_their_tags(terminal: Terminal, ada: Member) -> None:
    ran = terminal.run("members", "list", *JOURNAL)
    assert ran.lines[0].split() == ["id", "name", "colour", "in", "public", "cards"]
    assert ran.lines[1].split() == [ada.id, "Ada", "#8ec1ff", "A.", "1"]
    assert TAG not in "".join(ran.lines)


def test_nobody_is_a_sentence(terminal: Terminal) -> None:
    assert terminal.run("members", "list", *JOURNAL).lines == ["Nobody has a card of their own at this table."]


def test_all_that_is_stored_of_one_is_json(terminal: Terminal, ada: Member) -> None:
    stored = json.loads("\n".join(terminal.run("members", "export", "Ada", *JOURNAL).lines))
    assert stored["member"] == {"id": ada.id, "name": "Ada", "colour": "#8ec1ff", "shown": "initial", "tags": [TAG]}
    assert [(game["game"], game["seats"]) for game in stored["games"]] == [(1, [2])]


def test_a_game_is_told_by_names_until_the_member_is_deleted(folder: Path, terminal: Terminal, ada: Member) -> None:
    told = "\n".join(terminal.run("games", "show", "1", *JOURNAL).lines)
    assert "Zoë" in told
    assert ada.id not in told
    ran = terminal.run("members", "delete", ada.id, *JOURNAL)
    assert ran.lines == ["Ada is deleted. In the journal a random number is left, by which nobody is known."]
    assert read_members(members_file_of(folder / "journal.sqlite")).members == ()
    assert "Ada" not in "\n".join(terminal.run("games", "show", "1", *JOURNAL).lines)


def test_names_that_were_typed_in_are_blotted_out(terminal: Terminal, ada: Member) -> None:
    assert terminal.run("members", "blot", "Bo", *JOURNAL).lines == ["Blotted out: 0."]
    assert terminal.run("members", "blot", "Zoë", *JOURNAL).lines == ["Blotted out: 1."]
    assert "Zoë" not in "\n".join(terminal.run("games", "show", "1", *JOURNAL).lines)
    assert ada.id in "\n".join(terminal.run("members", "list", *JOURNAL).lines)


def test_whom_there_isnt_is_refused(terminal: Terminal) -> None:
    ran = terminal.run("members", "delete", "Cy", *JOURNAL)
    assert ran.status == 2
    assert "there is no member 'Cy'" in ran.err
    ran = terminal.run("members", "blot", *JOURNAL)
    assert (ran.status, "there is no journal" in ran.err) == (2, True)


def test_a_table_that_runs_is_asked_and_a_deleted_member_gets_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    async def evening() -> None:
        async with with_a_client(folder) as (table, _):
            monkeypatch.setenv(socket_paths.FOLDER_VARIABLE, str(table.sockets))
            daemon = table.daemon
            ada = daemon.members.add("Ada", "#8ec1ff", "name")
            seat_member(daemon.controller, ada.id, 1)
            config = ("--config", table.config.file, "--language", "en")
            ran = await asyncio.to_thread(terminal.run, "members", "delete", "Ada", *config)
            assert (ran.status, ran.err) == (0, "")
            assert (daemon.members.all, daemon.controller.session.members[0]) == ((), "")
            ran = await asyncio.to_thread(terminal.run, "members", "away-code", *config)
            assert (ran.status, "belongs to no league" in ran.err) == (2, True)
            daemon.controller.note(PlayersNamed(daemon.clock.now_us(), ("Zoë", "")))
            ran = await asyncio.to_thread(terminal.run, "members", "blot", *config)
            assert ran.lines == ["Blotted out: 1."]
            assert not any(daemon.controller.session.names)

    asyncio.run(evening())


def test_a_table_that_runs_and_cant_be_asked_isnt_passed_over(folder: Path, terminal: Terminal, ada: Member) -> None:
    lock = WriterLock(folder / "journal.sqlite")
    ran = terminal.run("members", "delete", "Ada", *JOURNAL)
    assert (ran.status, "the table runs, and can't be asked" in ran.err) == (2, True)
    lock.release()
    assert read_members(members_file_of(folder / "journal.sqlite")).members == (ada,)


@pytest.mark.usefixtures("ada")
def test_the_running_table_says_who_plays_away(terminal: Terminal) -> None:
    for said in (("away", "Ada", "0123456789"), ("away-code",)):
        ran = terminal.run("members", *said, *JOURNAL)
        assert ran.status == 2
        assert "The table isn’t running" in ran.err
