"""``taptable demo`` as a process that writes plain lines: in a pipe, stored and continued, and ended by a signal. The
tests of the page cover the demo's page."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from choosing import long_params
from cli.commands import TAPTABLE, CommandResult, Terminal
from deadline import DEADLINE_S


def demo(*arguments: object) -> Sequence[str]:
    return [*TAPTABLE, "demo", "--language", "en", *map(str, arguments)]


ONLY_EMAIL = ["--set=quota_music=0", "--set=quota_game=0", "--set=quota_movie=0"]
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


@pytest.mark.parametrize("players", long_params([2, 4]))
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
    assert Terminal(capsys).run("demo", "--no-browser", "--language", "en", *wrong) == CommandResult(2, "", said)


def test_a_folder_of_another_table_is_left_alone(tmp_path: Path):
    (tmp_path / "table.toml").write_text("[table]\n")
    ended = piped("--players", 2, "--keep", tmp_path)
    assert ended.returncode == 2
    assert "belongs to another table, or was changed by hand" in ended.stderr
    assert (tmp_path / "table.toml").read_text() == "[table]\n"
