"""`taptable doctor` on this machine, in a pipe and at a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.commands import Terminal, command, process
from deadline import DEADLINE_S
from ports import free_port
from taptable.core.game_options import GameOptions
from taptable.doctor.examination import CHECKS, UNATTENDED_GROUPS
from taptable.sim.setting_up import set_up


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with a table of which nothing is connected to this machine."""
    set_up(tmp_path, "online", GameOptions(2, "de", {}, None), "de", page=free_port())
    return tmp_path


class AtAPty:
    """The command at a terminal."""

    def __init__(self, descriptor: int, running: subprocess.Popen[bytes]) -> None:
        self.descriptor = descriptor
        self.running = running
        self.seen = ""

    def sees(self, pattern: str) -> None:
        """Wait until this is on the terminal."""
        deadline = time.monotonic() + DEADLINE_S
        while not re.search(pattern, self.seen):
            assert select.select([self.descriptor], [], [], deadline - time.monotonic())[0], self.seen
            self.seen += os.read(self.descriptor, 65536).decode(errors="replace")

    def types(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def ends(self) -> int:
        """The status, once nothing more is written."""
        deadline = time.monotonic() + DEADLINE_S
        while select.select([self.descriptor], [], [], deadline - time.monotonic())[0]:
            try:
                read = os.read(self.descriptor, 65536)
            except OSError:  # Linux: nobody is at the other end any more
                break
            self.seen += read.decode(errors="replace")
        return self.running.wait(DEADLINE_S)


@contextmanager
def at_a_terminal(folder: Path, *arguments: str, **environment: str) -> Iterator[AtAPty]:
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        command("doctor", *arguments),
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **environment},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield AtAPty(ours, running)
    finally:
        running.kill()
        running.wait()
        os.close(ours)


def test_as_json_it_writes_one_document_and_nobody_is_asked(table: Path) -> None:
    ran = process("doctor", "--json", folder=table)
    document = json.loads(ran.out)
    assert (ran.status, ran.err) == (1, "")
    assert (document["doctor"], document["ok"]) == (1, False)
    names = {finding["name"] for finding in document["findings"]}
    assert names <= {name for group in UNATTENDED_GROUPS for name in CHECKS[group]}
    missing = {finding["part"] for finding in document["findings"] if finding["state"] == "fault"}
    assert missing >= {"board 1", "board 2", "table.toml", "oled"}
    assert all(finding["todo"] for finding in document["findings"] if finding["state"] == "fault")


def test_what_is_in_order_gives_status_0_and_no_colours_in_a_pipe(table: Path, terminal: Terminal) -> None:
    ran = terminal.run("doctor", "--only", "decks,journal", "--config", table / "table.toml")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == "decks"
    assert ran.lines[-1] == "All is well: 5 findings, 0 left out."
    assert "\x1b" not in ran.out


def test_an_unknown_group_is_refused(table: Path, terminal: Terminal) -> None:
    ran = terminal.run("doctor", "--only", "boards,teeth", "--config", table / "table.toml")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"taptable doctor: --only takes {', '.join(CHECKS)}, not teeth.\n"


def test_a_configuration_that_isnt_there_is_a_finding(tmp_path: Path, terminal: Terminal) -> None:
    ran = terminal.run("doctor", "--only", "config", "--config", tmp_path / "none.toml")
    assert ran.status == 1
    assert "none.toml isn't there" in ran.out


@pytest.mark.parametrize("group", [group for group in CHECKS if group not in ("system", "config")])
def test_an_unusable_configuration_is_reported_first_with_any_options_and_nothing_is_well(
    tmp_path: Path, terminal: Terminal, group: str
) -> None:
    (tmp_path / "table.toml").write_text('[discard]\npad = "spi:0.0"\n', encoding="utf-8")
    ran = terminal.run("doctor", "--only", group, "--config", tmp_path / "table.toml")
    assert ran.status == 1
    assert ran.lines[0] == "config"
    assert "[table] is missing" in ran.out
    assert "not examined: the configuration can't be used" in ran.out
    assert "All is well" not in ran.out


@pytest.mark.parametrize("only", ["readers", "readers,display"])
def test_parts_that_cannot_be_reached_are_not_reported_as_well(tmp_path: Path, terminal: Terminal, only: str) -> None:
    set_up(tmp_path, "online", GameOptions(2, "de", {}, None), "de", build="compact", page=free_port())
    config = tmp_path / "table.toml"
    ran = terminal.run("doctor", "--only", only, "--config", config)
    assert ran.status == 1
    assert "which alone has pins and SPI: without pad 1, button 1, lamp 1, pad 2," in ran.out
    assert "spidev" not in ran.out
    assert ("/dev/i2c-1 isn't there" in ran.out) is ("display" in only)


def test_at_a_terminal_it_offers_to_try_the_parts_in_colours(table: Path) -> None:
    with at_a_terminal(table) as at:
        at.sees(r"Try the parts with your help now .*\? \[y/n\] ")
        at.types("perhaps\n")
        at.sees(r"y or n\? ")
        at.types("n\n")
        assert at.ends() == 1
        assert re.search(r"\d+ faults, \d+ warnings?; ", at.seen)
        assert "\x1b[1;31m✗\x1b[0m" in at.seen


def test_at_a_terminal_the_parts_are_tried_and_ctrl_c_ends_it(table: Path) -> None:
    with at_a_terminal(table, "--only", "live", NO_COLOR="1") as at:
        at.sees("Press each of the 2 buttons and release it")
        at.running.send_signal(signal.SIGINT)
        assert at.ends() == 130
        assert "\x1b" not in at.seen
        assert "Traceback" not in at.seen
