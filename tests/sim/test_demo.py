"""``taptable demo`` as a process that writes plain lines: in a pipe, kept and gone on with, and told to end. What it is
on a page is tested with the page."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from choosing import mostly_long
from cli.commands import TAPTABLE, Ran, Terminal
from deadline import DEADLINE_S


def demo(*arguments: object) -> Sequence[str]:
    return [*TAPTABLE, "demo", "--language", "en", *map(str, arguments)]


ONLY_EMAIL = ["--set=quota_music=0", "--set=quota_game=0", "--set=quota_movie=0"]
QUICK = [*ONLY_EMAIL, "--set=quota_email=1"]
"""A game that the first download of the right kind ends."""
SHORT = [*ONLY_EMAIL, "--set=quota_email=4"]


def piped(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        demo("--lines", *arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


@pytest.mark.parametrize("players", mostly_long([2, 4]))
def test_in_a_pipe_a_whole_game_is_told_and_ends_with_its_outcome(players: int):
    ended = piped("--players", players, "--seed", 3)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert lines[0] == f"taptable: a simulated table, {players} players, ONLINE (de). You look on."
    assert lines[2] == "New game: youngest player, press your button."
    assert any("★ All files are downloaded. Victory for" in line for line in lines)
    assert lines[-4:-1] == ["At the end:", *lines[-3:-1]]
    assert lines[-3].startswith("  1. ")
    assert lines[-1] == "The same again: --seed 3"


@pytest.mark.long
def test_the_same_seed_plays_the_same_game_at_any_speed():
    options = ("--players", 3, "--seed", 3, *SHORT)
    assert piped(*options, "--speed", 400).stdout == piped(*options).stdout


@pytest.mark.long
def test_the_compact_build_and_another_edition_play_too():
    ended = piped("--players", 2, "--seed", 5, "--compact", "--edition", "fr", *QUICK)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "At the end:" in ended.stdout


@pytest.mark.long
def test_several_games_follow_one_another():
    ended = piped("--players", 2, "--seed", 3, "--games", 3, *QUICK)
    assert ended.returncode == 0
    assert ended.stdout.count("At the end:") == 3
    assert ended.stdout.count("New game: seat") == 2


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (("--lines", "--players", 7), "ONLINE is played by 2 to 6 players, not by 7."),
        (("--lines", "--set", "claim_s=1000"), "The setting claim_s can't be '1000': it takes seconds from 1 to 120."),
        (("--players", 5, "--compact"), "The compact build seats 4 players at most, not 5."),
        (("--lines", "--humans", 1), "--humans needs the page."),
        (("--humans", 5), "--humans takes a whole number from 0 to 4, not 5."),
        (("--lines", "--speed", "nan"), "--speed takes a number from 0.1 to 1000, not nan."),
        (("--speed", 0), "--speed takes a number from 0.1 to 1000, not 0."),
        (("--games", -1), "--games takes a whole number from 0 on, not -1."),
        (("--terminal", "--humans", 1), "--humans needs the page."),
        (("--port", 0), "--port takes a whole number from 1 to 65535, not 0."),
    ],
)
def test_a_wrong_setting_is_a_sentence_and_status_2(
    wrong: tuple[object, ...], sentence: str, capsys: pytest.CaptureFixture[str]
):
    said = f"taptable demo: {sentence}\n"
    assert Terminal(capsys).run("demo", "--no-browser", "--language", "en", *wrong) == Ran(2, "", said)


@pytest.mark.long
def test_what_is_kept_is_told_afterwards(tmp_path: Path):
    kept = tmp_path / "kept"
    ended = piped("--players", 2, "--seed", 3, "--keep", kept, *QUICK)
    assert ended.stdout.splitlines()[-1] == (
        f"Kept. What happened is told by: taptable games --config {kept / 'table.toml'}"
    )
    told = subprocess.run(
        [*TAPTABLE, "games", "--config", kept / "table.toml"], capture_output=True, text=True, check=True
    )
    assert "online de" in told.stdout


def test_a_folder_of_another_table_is_left_alone(tmp_path: Path):
    (tmp_path / "table.toml").write_text("[table]\n")
    ended = piped("--players", 2, "--keep", tmp_path)
    assert ended.returncode == 2
    assert "is there already, for another table" in ended.stderr
    assert (tmp_path / "table.toml").read_text() == "[table]\n"


@pytest.mark.long
@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_game_that_was_ended_goes_on_where_it_stood(tmp_path: Path, number: signal.Signals, status: int):
    options = ("--players", 2, "--seed", 3, "--keep", tmp_path, *SHORT)
    began = subprocess.Popen(
        demo("--lines", *options, "--speed", 20), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert began.stdout is not None
    told = [line for line, _ in zip(began.stdout, range(8), strict=False)]
    began.send_signal(number)
    rest = began.stdout.read()
    began.stdout.close()
    assert began.wait(DEADLINE_S) == status
    assert "At the end:" not in rest, told
    gone_on = piped(*options)
    lines = gone_on.stdout.splitlines()
    assert gone_on.returncode == 0
    assert lines[2] == "The game goes on where it stood; a button ends the pause."
    assert lines[3].endswith("· Play goes on.")
    assert "At the end:" in lines


@pytest.mark.long
def test_whoever_stops_reading_ends_it_quietly():
    reading = subprocess.Popen(
        demo("--lines", "--players", 2, "--games", 0),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert reading.stdout is not None
    assert reading.stderr is not None
    reading.stdout.readline()
    reading.stdout.close()
    complaint = reading.stderr.read()
    reading.stderr.close()
    assert (reading.wait(DEADLINE_S), complaint) == (1, b"")
