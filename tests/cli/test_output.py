"""The output of commands: names of files and of people may contain control characters, and none reaches a terminal."""

from __future__ import annotations

import os
import pty
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from taptable.cli.output import plain_output, raw_stream, ring_bell

from cli.commands import Terminal, process

EVIL = "\x1b]0;x\x07\x1b[2J\x9b\u202e"
PLAIN = r"\u001b]0;x\u0007\u001b[2J\u009b\u202e"


@pytest.mark.usefixtures("folder")
def test_a_name_of_a_file_is_written_without_them(terminal: Terminal) -> None:
    ran = terminal.run("replay", f"{EVIL}.json")
    assert (ran.status, ran.out) == (2, "")
    assert f"{PLAIN}.json" in ran.err
    assert not set(EVIL) & set(ran.err) - set("]0;x[2J")


def test_it_is_so_in_a_process_of_its_own(folder: Path) -> None:
    (folder / f"{EVIL}.json").write_text("{}")
    ran = process("deck", "list", "--decks", ".", folder=folder)
    assert "\x1b" not in ran.err + ran.out
    assert PLAIN in ran.err + ran.out


def test_lines_ends_and_colours_pass_and_what_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with plain_output():
        print("\x1b[31mred\x1b[0m\ta\r\nb \x1b[8mhidden\rx")
        sys.stdout.writelines(["\x07", "\n"])
        raw_stream(sys.stdout).write("\x1b[H")
    said = capsys.readouterr().out
    assert said == "\x1b[31mred\x1b[0m\ta\r\nb \\u001b[8mhidden\\u000dx\n\\u0007\n\x1b[H"
    raw_stream(sys.stdout).write("as before")


def test_the_bell_rings_at_a_terminal_alone(capsys: pytest.CaptureFixture[str]) -> None:
    main, side = pty.openpty()
    with os.fdopen(side, "w") as terminal, redirect_stdout(terminal), plain_output():
        ring_bell()
        print("wrong", flush=True)
        assert os.read(main, 100) == b"\awrong\r\n"
    os.close(main)
    with plain_output():
        ring_bell()
    assert capsys.readouterr().out == ""
