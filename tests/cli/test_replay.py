"""`taptable replay`: a recorded game is proved by playing it again, and one that was changed is caught."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from taptable.core.errors import TaptableError
from taptable.core.game_options import GameOptions
from taptable.games.registry import GAMES
from taptable.history.playback import verify
from taptable.memory.game_export import Transcript, export_text, transcript_in
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import transcript_of
from taptable.referee.replaying import ReplayMismatch

from cli.commands import Terminal
from cli.evenings import play_evening, write_other_rules

Told = dict[str, Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    """A whole game, with the beginning of the next at its end."""
    path = tmp_path_factory.mktemp("played") / "journal.sqlite"
    play_evening(path, games=2)
    with Journal.open(path) as journal:
        return transcript_of(journal, 1)


@pytest.mark.parametrize(
    "game_options",
    [
        GameOptions(2, "de", {}, None),
        GameOptions(3, "en", {}, 2),
        GameOptions(4, "fr", {"teams": "solo", "time_limit_s": "400"}, None),
        GameOptions(5, "nl", {"claim_s": "3", "settle_s": "0.25"}, None),
        GameOptions(6, "de", {"who_may_patrol": "opponents"}, 6),
    ],
    ids=lambda game_options: f"{game_options.players} players",
)
def test_every_game_of_an_evening_ends_the_same(folder: Path, terminal: Terminal, game_options: GameOptions) -> None:
    play_evening(folder / "journal.sqlite", game_options, games=3)
    for game in (1, 2, 3):
        ran = terminal.run("replay", game, "--journal", "journal.sqlite")
        assert (ran.status, ran.err) == (0, "")
        counts, end = ran.lines
        found = re.fullmatch(
            rf"Game {game}, played again: (\d+) lines, (\d+) moves, and every answer as recorded\.", counts
        )
        assert found is not None
        assert 20 < int(found[2]) < int(found[1])
        assert re.fullmatch(r"It ends the same: victory for .+\.", end)


def test_a_game_that_still_runs_is_proved_as_far_as_it_is(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite")
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as connection:
        connection.execute("DELETE FROM entries WHERE id > 30")
        connection.execute("UPDATE games SET outcome = NULL, ended_at_us = NULL")
    ran = terminal.run("replay", "1", "--journal", "journal.sqlite")
    assert ran.lines[1:] == ["It ends the same: not over."]


def test_an_exported_file_is_proved_without_a_journal(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite")
    proved = terminal.run("replay", "1", "--journal", "journal.sqlite")
    terminal.run("games", "export", "1", "game.json", "--journal", "journal.sqlite")
    (folder / "journal.sqlite").unlink()
    assert terminal.run("replay", "game.json") == proved


def change(key: str, value: object) -> Callable[[Told], object]:
    return lambda told: told.update({key: value})


def first_move(told: Told) -> int:
    """The line of the first tapped card that counts."""
    entries = enumerate(told["entries"])
    return next(i for i, entry in entries if "tap" in entry["line"] and entry["answer"]["verdict"] == "accepted")


def change_move(part: str, **changes: object) -> Callable[[Told], object]:
    return lambda told: told["entries"][first_move(told)][part].update(changes)


def put_for_a_line(line: Told) -> Callable[[Told], object]:
    return lambda told: told["entries"][first_move(told)].update(line=line)


TAMPERING: dict[str, Callable[[Told], object]] = {
    "a move left out": lambda told: told["entries"].pop(first_move(told)),
    "a move doubled": lambda told: told["entries"].insert(first_move(told), told["entries"][first_move(told)]),
    "two lines swapped": lambda told: told["entries"].insert(9, told["entries"].pop(12)),
    "the winning move left out": lambda told: told["entries"].pop(-2),
    "another end": change("outcome", {"winner": [2, 4], "by": "quotas", "ranking": []}),
    "no end": change("outcome", None),
    "another card": change_move("line", tap="virus#1"),
    "a card that isn't": change_move("line", tap="joker#1"),
    "a pad that isn't": change_move("line", pad=9),
    "another time": change_move("line", at=100_000.0),
    "a time that is none": change_move("line", at="7"),
    "another verdict": change_move("answer", verdict="refused"),
    "another announcement": change_move("answer", announcements=[]),
    "no answer": lambda told: told["entries"][first_move(told)].update(answer=None),
    "no line": put_for_a_line({}),
    "a question for a line": put_for_a_line({"show": "state"}),
    "two cards that are none": put_for_a_line({"at": 60.0, "together": 2, "pad": 1}),
    "a correction that is none": put_for_a_line({"at": 60.0, "correct": {"laid": 1, "gone": [], "hands": []}}),
    "other house rules": change("settings", {"time_limit_s": "1"}),
    "fewer players": change("players", 2),
    "begun later": change("begun_at_us", 50_000_000_000),
    "written down for another time": lambda told: told["entries"][first_move(told)].update(at_us=0),
}


@pytest.mark.parametrize("tamper", TAMPERING.values(), ids=list(TAMPERING))
def test_a_changed_transcript_is_caught(
    folder: Path, terminal: Terminal, played: Transcript, tamper: Callable[[Told], object]
) -> None:
    told = json.loads(export_text(played))
    tamper(told)
    (folder / "game.json").write_text(json.dumps(told))
    ran = terminal.run("replay", "game.json")
    assert (ran.status, ran.out) == (1, "")
    assert re.fullmatch(r"taptable replay: (Line \d+ of the|The) recorded game[ ,].+\n", ran.err)


@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_put_in_the_place_of_a_line_is_caught(played: Transcript, data: st.DataObject) -> None:
    told = json.loads(export_text(played))
    numbers = st.integers(-3, 300) | st.floats(allow_nan=False, allow_infinity=False)  # JSON has no others
    values = st.none() | st.booleans() | numbers | st.sampled_from(["email#1", "x"])
    nested = st.recursive(values, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
    keys = (
        "at",
        "tap",
        "pad",
        "press",
        "hold",
        "control",
        "together",
        "correct",
        "laid",
        "gone",
        "hands",
        "pressed_at",
    )
    line = data.draw(st.dictionaries(st.sampled_from(keys), nested, max_size=4))
    if data.draw(st.booleans()):
        line["at"] = 60.0
        line["correct"] = data.draw(st.fixed_dictionaries({"laid": nested, "gone": nested, "hands": nested}))
    told["entries"][first_move(told)]["line"] = line
    with pytest.raises(ReplayMismatch):
        verify(transcript_in(json.dumps(told).encode(), "game.json"))


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (
            change("rules_version", "online/0"),
            "this game was begun by the rules online/0, which this",
        ),
        (change("heir", 9), r"the next starter \(heir\) of this game is 9, which is no seat from 1 to 4"),
        (change("heir", "seat 1"), r"the next starter \(heir\) of this game is 'seat 1', which is no seat"),
        (change("game", "chess"), f"There is no game 'chess': there are {', '.join(sorted(GAMES))}"),
        (change("edition", "xx"), "this game can't be set up: There is no edition 'xx'"),
        (change("entries", None), r"game\.json: missing, or not as an export has them: entries"),
    ],
)
def test_a_game_that_cannot_be_set_up_is_no_proof(
    folder: Path, terminal: Terminal, played: Transcript, tamper: Callable[[Told], object], sentence: str
) -> None:
    told = json.loads(export_text(played))
    tamper(told)
    (folder / "game.json").write_text(json.dumps(told))
    ran = terminal.run("replay", "game.json")
    assert (ran.status, ran.out) == (2, "")
    assert re.match(rf"taptable replay: {sentence}", ran.err)


def test_a_journal_of_other_rules_is_no_proof(folder: Path, terminal: Terminal) -> None:
    write_other_rules(folder / "journal.sqlite")
    ran = terminal.run("replay", "1", "--journal", "journal.sqlite")
    assert ran.status == 2
    assert "only the taptable it was begun with can play it again" in ran.err


def test_a_journal_that_was_changed_is_caught(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite")
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE games SET outcome = json_set(outcome, '$.winner', json('[1, 2, 3, 4]'))")
    ran = terminal.run("replay", "1", "--journal", "journal.sqlite")
    assert ran.status == 1
    assert ran.err.startswith("taptable replay: The recorded game ended with {'winner': [1, 2, 3, 4]")


def test_an_error_is_one_of_ours_whatever_the_header_says(played: Transcript) -> None:
    for key, value in (("players", -1), ("players", 10**30), ("settings", {"claim_s": "x"})):
        told = {**json.loads(export_text(played)), key: value}
        with pytest.raises(TaptableError):
            verify(transcript_in(json.dumps(told).encode(), "game.json"))
