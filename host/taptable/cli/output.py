"""The output of a command: names, paths and files of other people may contain control characters, and none of them
reaches the terminal raw. Must not know the commands."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from taptable.core.spelling import escape_control_chars

_COLOUR = re.compile(r"(\x1b\[(?:[0-2]|(?:1;)?3[0-7])m)")
"""The doctor's colours, which neither move nor hide anything."""


class _PlainStream:
    """A stream that writes control characters as JSON escapes, except colours."""

    def __init__(self, stream: TextIO) -> None:
        self.beneath = stream

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        pieces = _COLOUR.split(text)
        self.beneath.write(
            "".join(piece if _COLOUR.fullmatch(piece) else escape_control_chars(piece) for piece in pieces)
        )
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


@contextmanager
def plain_output() -> Generator[None]:
    """Escape control characters on standard output and standard error within this context."""
    out, err = (cast("TextIO", _PlainStream(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield


def raw_stream(stream: TextIO) -> TextIO:
    """Return the wrapped stream, for a command that moves the cursor on purpose."""
    return cast("TextIO", getattr(stream, "beneath", stream))


def ring_bell() -> None:
    """Ring the bell of the terminal, if standard output is one: somebody who lays cards on readers doesn't read
    along."""
    if sys.stdout.isatty():
        raw_stream(sys.stdout).write("\a")
