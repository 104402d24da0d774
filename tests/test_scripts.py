"""Everything in scripts/ starts from a fresh shell in another folder, without its environment being active."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from tiny.registered import registered

SCRIPTS = Path(__file__).parent.parent / "scripts"
SHELL = "#!/bin/sh"
PYTHON = """#!/usr/bin/env -S sh -c 'exec "${0%/*}/python" "$0" "$@"'"""
FIRST_LINES = {path: path.read_text(encoding="utf-8").partition("\n")[0] for path in sorted(SCRIPTS.iterdir())}
IN_PYTHON = [path for path, first in FIRST_LINES.items() if first == PYTHON]
FRESH = {"PATH": "/usr/bin:/bin"}
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def test_each_can_be_run_and_begins_as_one_for_the_shell_or_for_the_project_s_python():
    assert set(FIRST_LINES.values()) == {SHELL, PYTHON}
    assert [path.name for path in FIRST_LINES if not path.stat().st_mode & 0o100] == []


@pytest.mark.long
@pytest.mark.parametrize("script", IN_PYTHON, ids=lambda path: path.name)
def test_one_in_python_starts_and_says_what_it_takes(script: Path, tmp_path: Path):
    ran = subprocess.run([script, "--help"], cwd=tmp_path, env=FRESH, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("usage: ")
    assert script.name in ran.stdout


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_where_there_is_no_environment_it_is_made_first(tmp_path: Path):
    executable(tmp_path / "scripts" / "python", (SCRIPTS / "python").read_text(encoding="utf-8"))
    made = f'cd "$(dirname "$0")/.." && mkdir -p .venv/bin && ln -s {sys.executable} .venv/bin/python'
    executable(tmp_path / "scripts" / "setup", f'{SHELL}\n{made} && echo "made for $1" && touch .venv/taptable-dev\n')
    for expected in ("made for dev\nhere\n", "here\n"):
        assert subprocess.check_output([tmp_path / "scripts" / "python", "-c", "print('here')"], text=True) == expected


@pytest.mark.parametrize("works", [True, False])
def test_what_pip_prints_while_an_environment_is_made_is_shown_only_where_it_fails(works: bool, tmp_path: Path):
    executable(tmp_path / "scripts" / "setup", (SCRIPTS / "setup").read_text(encoding="utf-8"))
    for file in ("pyproject.toml", "requirements/build.txt", "requirements/run.txt"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    prints = f"{SHELL}\necho A location is ignored.\necho WARNING: a notice. >&2\n"
    (tmp_path / ".venv").mkdir()
    for program in ("pip", "python"):
        executable(tmp_path / ".venv" / "bin" / program, f"{prints}exit {0 if works else 3}\n")
    ran = subprocess.run([tmp_path / "scripts" / "setup", "run"], capture_output=True, text=True, check=False)
    begun, _, printed = ran.stderr.partition("\n")
    assert begun == "Setting up taptable's own environment in .venv, which takes about a minute."
    assert (ran.stdout, printed) == ("", "" if works else "A location is ignored.\nWARNING: a notice.\n")
    assert (ran.returncode == 0) == works == (tmp_path / ".venv" / "taptable-run").exists()


@pytest.mark.skipif(not KEYRING.exists(), reason=f"there is no {KEYRING}: scripts/packages gets it")
def test_another_release_of_debian_comes_from_the_mirror_that_apt_knows(tmp_path: Path):
    known = "Debian bookworm-security http://one.example/security/\nDebian bookworm http://two.example/debian/\n"
    executable(tmp_path / "bin" / "apt-get", f"{SHELL}\nprintf '%s' '{known}'\n")
    there = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    line = subprocess.check_output([SCRIPTS / "debian-source", "trixie"], env=there, text=True)
    assert line == f"deb [signed-by={KEYRING}] http://two.example/debian trixie main\n"


def test_a_game_without_a_folder_of_tests_is_named_and_nothing_breaks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    rules = runpy.run_path(str(SCRIPTS / "rules"))
    monkeypatch.setattr("sys.argv", ["rules"])
    others = rules["GAMES"].copy()
    rules["GAMES"].clear()
    try:
        with registered():
            assert rules["main"]() == 1
    finally:
        rules["GAMES"].update(others)
    assert capsys.readouterr().out.startswith("tiny has no tests: each of its rules wants one in tests/games/tiny")
