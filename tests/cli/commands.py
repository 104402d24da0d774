"""Runs commands: in this process if only their output matters, as processes otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from taptable.cli import main

TAPTABLE = (sys.executable, "-c", "import sys; from taptable.cli import main; sys.exit(main())")


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The output, line by line."""
        return self.out.splitlines()


class Terminal:
    """Runs commands one after the other, in English by default."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: object) -> CommandResult:
        """Run a command in this process."""
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as ended:
            status = int(ended.code or 0)
        said = self._capsys.readouterr()
        return CommandResult(status, said.out, said.err)


def process(
    *arguments: object, folder: Path, environment: dict[str, str] | None = None, keys: bytes = b""
) -> CommandResult:
    """Run a command as a process of its own in a folder, with no more to read than these keys."""
    ended = subprocess.run(
        command(*arguments),
        cwd=folder,
        input=keys,
        capture_output=True,
        timeout=DEADLINE_S,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    return CommandResult(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def command(*arguments: object) -> Sequence[str]:
    """The words of a process's command line."""
    return [*TAPTABLE, *map(str, arguments)]
