"""The firmware's files, and how the tests get their VM."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from deadline import DEADLINE_S

from firmware.vm.process import FINDS, FIRMWARE

MAX_LINES = 120
MODULES = sorted(FIRMWARE.rglob("*.py"))


def test_a_module_of_the_firmware_has_fewer_than_120_lines() -> None:
    assert [file for file in MODULES if len(file.read_text(encoding="utf-8").splitlines()) >= MAX_LINES] == []


def test_there_are_modules() -> None:
    assert len(MODULES) > 20


def test_a_program_that_is_no_micropython_is_named(tmp_path: Path) -> None:
    said = find(TAPTABLE_MICROPYTHON=str(tmp_path / "none"))
    assert f"TAPTABLE_MICROPYTHON names {tmp_path / 'none'}, and that is none." in said


def test_where_nothing_can_be_fetched_it_prints_what_is_needed(tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / FINDS.name).write_bytes(FINDS.read_bytes())
    (scripts / FINDS.name).chmod(0o755)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("apt-get", "dpkg-deb"):  # there, and of no use
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)
    said = find(scripts / FINDS.name, PATH=f"{programs}:/usr/bin:/bin", TAPTABLE_MICROPYTHON="")
    assert "apt has no mirror here" in said or "There is no" in said
    assert "need MicroPython 1.22 or newer" in said


def find(script: Path = FINDS, **environment: str) -> str:
    """The error output of a script that finds nothing."""
    done = subprocess.run(
        [script], env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=DEADLINE_S
    )
    assert done.returncode == 1
    assert done.stdout == ""
    return done.stderr
