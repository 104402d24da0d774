"""`taptable referee` as scripts use it: a process that answers each line at once, and says what is wrong in one."""

from __future__ import annotations

import json
import os
import select
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cli.commands import TAPTABLE
from deadline import DEADLINE_S
from taptable.cli import main
from taptable.games.registry import GAMES

REFEREE = (*TAPTABLE, "referee")


def run(lines: bytes, *options: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The process after it was given all lines at once."""
    return subprocess.run(
        [*REFEREE, *options], input=lines, capture_output=True, timeout=DEADLINE_S, env={**os.environ, **environment}
    )


def answers(lines: bytes, *options: str) -> list[dict[str, Any]]:
    """The answers, one for each line."""
    process = run(lines, *options)
    assert process.stderr == b""
    return [json.loads(line) for line in process.stdout.splitlines()]


def test_a_line_is_answered_before_the_next_is_written():
    process = subprocess.Popen([*REFEREE, "--starter", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for at, verdict in ((1, "accepted"), (2, "ignored"), (3, "ignored")):
            process.stdin.write(b'{"at": %d, "tap": "online#1", "pad": 1}\n' % at)
            process.stdin.flush()
            assert select.select([process.stdout], [], [], DEADLINE_S)[0], "no answer"
            assert json.loads(process.stdout.readline())["verdict"] == verdict
        process.stdin.close()
        assert process.wait(DEADLINE_S) == 0


def test_status_0_at_the_end_of_input():
    process = run(b'{"at": 1, "press": 2}\n{"at": 2, "tap": "virus#1", "pad": 2}\n{"show": "state"}\n')
    assert process.returncode == 0
    assert len(process.stdout.splitlines()) == 3


def test_nothing_in_nothing_out():
    process = run(b"")
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")


def test_status_2_if_any_line_was_in_error_and_the_referee_goes_on():
    process = run(b'{"show": "state"}\n\n{"at": 1, "press": 1}\n')
    state, error, pressed = (json.loads(line) for line in process.stdout.splitlines())
    assert process.returncode == 2
    assert state["turn"]["seat"] is None
    assert error == {"error": "the line is blank", "line": 2}
    assert pressed["verdict"] == "accepted"
    assert process.stderr == b""


def test_same_input_same_output_byte_for_byte():
    lines = b"".join(
        json.dumps(line).encode() + b"\n"
        for line in (
            {"at": 1, "press": 1},
            {"at": 2, "tap": "hacker#1", "pad": 1},
            {"at": 3, "press": 2, "uncertainty_s": 0.01},
            {"at": 3.005, "press": 4, "pressed_at": 2.999},
            {"at": 4, "tap": "cyber-patrol#1", "pad": 2},
            {"show": "state"},
            {"show": "legal"},
            {"at": 4, "tap": "nonsense", "pad": 9},
        )
    )
    first = run(lines, PYTHONHASHSEED="1")
    assert first.stdout == run(lines, PYTHONHASHSEED="2", LANG="fr_FR.UTF-8", LANGUAGE="nl").stdout
    assert first.stdout.count(b"\n") == 8


def test_lines_may_end_in_crlf_and_the_last_in_nothing():
    heard = answers(b'{"at": 1, "press": 1}\r\n{"at": 2, "press": 1}')
    assert [answer["verdict"] for answer in heard] == ["accepted", "accepted"]


def test_a_line_of_a_megabyte_is_answered():
    card = "x" * 1_000_000
    known, unknown, long_key = answers(
        b'{"at": 1, "press": 1}\n'
        + json.dumps({"at": 2, "tap": card, "pad": 1}).encode()
        + b"\n"
        + json.dumps({"at": 2, card: 1}).encode()
        + b"\n"
    )
    assert known["verdict"] == "accepted"
    assert (unknown["verdict"], unknown["code"]) == ("fault", "unknown-card")
    assert len(long_key["error"]) < 100


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Platz 2 ist am Zug."),
        ("en", "Seat 2 is on turn."),
        ("fr", "C’est au tour du joueur 2."),
        ("nl", "Speler 2 is aan de beurt."),
    ],
)
def test_it_speaks_the_language_asked_for(language: str, sentence: str):
    (answer,) = answers(b'{"at": 1, "press": 2}\n', "--language", language)
    assert answer["say"] == sentence


def test_it_speaks_german_if_not_asked():
    (answer,) = answers(b'{"at": 1, "press": 2}\n')
    assert answer["say"] == "Platz 2 ist am Zug."


def test_a_reader_that_goes_away_is_no_traceback():
    process = subprocess.Popen(REFEREE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, said = process.communicate(b'{"at": 1}\n' * 10, timeout=DEADLINE_S)
    assert (process.returncode, said) == (1, b"")


WRONG = {
    "--set patrol_window_s=1": "seconds from 2 to 30",
    "--set patrol_window_s=30.5": "seconds from 2 to 30",
    "--set patrol_window_s=NaN": "seconds from 2 to 30",
    "--set patrol_window_s=": "seconds from 2 to 30",
    "--set claim_s=0.9": "seconds from 1 to 120",
    "--set claim_s=121": "seconds from 1 to 120",
    "--set settle_s=-0.01": "seconds from 0 to 1",
    "--set settle_s=1.01": "seconds from 0 to 1",
    "--set time_limit_s=0": "seconds from 1 to 86400",
    "--set time_limit_s=86401": "seconds from 1 to 86400",
    "--set time_limit_s=an-hour": "seconds from 1 to 86400",
    "--set quota_email=23": "a whole number from 0 to 22",
    "--set quota_music=15": "a whole number from 0 to 14",
    "--set quota_game=9": "a whole number from 0 to 8",
    "--set quota_movie=-1": "a whole number from 0 to 8",
    "--set quota_movie=1.5": "a whole number from 0 to 8",
    "--set quota_email=0 --set quota_music=0 --set quota_game=0 --set quota_movie=0": "All four quotas are 0",
    "--set teams=three": "one of auto, solo, two",
    "--set teams=solo": "needs a time limit",
    "--set teams=solo --players 3": "for 4 players, not for 3",
    "--set teams=two --players 3": "for 4 to 6 players, not for 3",
    "--set who_may_patrol=nobody": "one of anyone, opponents",
    "--set quota_emails=7": "did you mean quota_email?",
    "--set colour=red": "There is no setting 'colour': there are ",
    "--set claim_s": "KEY=VALUE",
    "--set claim_s=8 --set claim_s=9": "given twice",
    "--players 1": "2 to 6 players, not by 1",
    "--players 7": "2 to 6 players, not by 7",
    "--players two": "invalid int value: 'two'",
    "--starter 0": "the seats are 1 to 4",
    "--starter 5": "the seats are 1 to 4",
    "--edition us": "There is no edition 'us': there are de, en, fr, nl",
    "--game chess": f"There is no game 'chess': there are {', '.join(sorted(GAMES))}",
    "--language es": "choose from 'de', 'en', 'fr', 'nl'",
    "--deck no/such/deck.json": "No such file or directory",
    "--decks sample": "unrecognized arguments: --decks",
}


@pytest.mark.parametrize("options", WRONG)
def test_a_wrong_setting_is_one_sentence_and_status_2(options: str, capsys: pytest.CaptureFixture[str]):
    try:
        status = main(["referee", *options.split()])
    except SystemExit as leave:
        status = leave.code
    out, said = capsys.readouterr()
    assert (status, out) == (2, "")
    assert said.count("\n") == 1
    assert said.startswith("taptable")
    assert WRONG[options] in said


@pytest.mark.parametrize("options", [["--set", "claim_s=0"], ["--players", "two"]])
def test_a_wrong_setting_is_an_error_before_the_first_line_is_read(options: list[str]):
    process = run(b'{"show": "state"}\n', *options)
    assert (process.returncode, process.stdout) == (2, b"")
    assert process.stderr.count(b"\n") == 1


def test_a_deck_that_is_no_deck_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    deck = tmp_path / "deck.json"
    deck.write_text('{"taptable-deck": 1, "name": "ours", "game": "chess", "cards": {}, "controls": {}}')
    assert main(["referee", "--deck", str(deck)]) == 2
    assert "this is a deck for 'chess', not for online" in capsys.readouterr().err


def test_a_deck_file_of_the_game_is_taken(tmp_path: Path):
    deck = tmp_path / "deck.json"
    deck.write_text(
        '{"taptable-deck": 1, "name": "ours", "game": "online", "cards": {"04a2b3c4": "online#1"}, "controls": {}}'
    )
    (answer,) = answers(b'{"at": 1, "press": 2}\n', "--deck", str(deck))
    assert answer["verdict"] == "accepted"
