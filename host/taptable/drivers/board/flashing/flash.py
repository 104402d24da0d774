"""One flashing from beginning to end: survey, copy what differs, survey again (at MicroPython's prompt, by `mpremote`),
restart, and wait for the board's hello on the wire. Reports its progress. Knows no argument of a command."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import serial
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD, PROTOCOL
from tapshared.version import FIRMWARE

from taptable.core.errors import DeviceError
from taptable.drivers.board.flashing.bundle import SCRIPT, SETTINGS, Plan, Survey, plan, read_survey
from taptable.drivers.board.flashing.choosing import MIN_MICROPYTHON
from taptable.drivers.board.port import open_path

_PATIENCE_S = 120.0  # the longest call of mpremote
_DENIED = (errno.EACCES, errno.EPERM)
_BUSY = (errno.EAGAIN, errno.EBUSY)
_GONE = ("SerialException", os.strerror(errno.EIO), os.strerror(errno.ENODEV))
"""Signs in mpremote's output that the port vanished."""


class Remote:
    """The board at a port. Every failure is a DeviceError that says what to do."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def check(self) -> None:
        """Raise if the port can't be opened: mpremote wouldn't report why."""
        try:
            open_path(str(self._path)).close()
        except (OSError, termios.error) as error:
            raise DeviceError(self._spell_open_error(error)) from None

    def survey(self) -> Survey:
        """Survey the board. This ends the program that runs on it."""
        return read_survey(self._run("exec", SCRIPT))

    def carry_out(self, plan: Plan) -> Survey:
        """Make the folders, copy, and remove. Return a survey of the result."""
        with tempfile.TemporaryDirectory(prefix="taptable-") as folder:
            steps: list[list[str]] = [["mkdir", f":{path}"] for path in plan.folders]
            for number, (path, data) in enumerate(plan.copies.items()):
                source = Path(folder, f"{number}{Path(path).suffix}")
                source.write_bytes(data)
                steps.append(["cp", "--force", str(source), f":{path}"])
            steps += [["rm", f":{path}"] for path in plan.stale]
            words = [word for step in steps for word in (*step, "+")]
            return read_survey(self._run("resume", *words, "exec", SCRIPT))

    def reset(self) -> None:
        """Restart the board, as if it had just been plugged in."""
        self._run("resume", "reset")

    def _run(self, *words: str) -> str:
        command = [sys.executable, "-m", "mpremote", "connect", str(self._path), *words]
        try:
            ran = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise DeviceError(f"the board at {self._path} doesn't finish: unplug it and plug it in again") from None
        if ran.returncode != 0:
            output = (ran.stderr or ran.stdout).strip().splitlines() or ["nothing"]
            raise DeviceError(self._spell_failure(output))
        return ran.stdout

    def _spell_failure(self, output: list[str]) -> str:
        if "could not enter raw repl" in output[-1]:
            return (
                f"the board at {self._path} doesn't come to MicroPython's prompt: unplug it, plug it in again and try"
                " once more; if it stays so, put MicroPython on it anew"
            )
        if os.strerror(errno.ENOSPC) in output[-1]:
            return f"there is no room left on the board at {self._path}: remove files of your own from it"
        if any(sign in output[-1] for sign in _GONE) or not self._path.exists():
            return f"the board at {self._path} went away: plug it in again, and flash it again"
        return f"mpremote couldn't do it at {self._path}: {output[-1]}"

    def _spell_open_error(self, error: OSError | termios.error) -> str:
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.ENOENT:
            return f"there is no port {self._path}"
        if number in _DENIED:
            return f"{self._path} may not be opened: be root, or a member of the group dialout"
        if number in _BUSY or "exclusively lock" in str(error):
            return f"{self._path} is in use: stop the table first (sudo systemctl stop taptable), or close the terminal"
        return f"{self._path} can't be opened: {error}"


START_S = 20.0
"""How long to wait for a board's hello after its restart. A Pico is back on the USB within two seconds, and a firmware
that fails at once restarts every few."""
ASK_EVERY_S = 0.5
"""How often to ask for the hello meanwhile."""
_REST_S = 0.1  # between two tries to open the port
_TAIL_BYTES = 400  # of what the board sent instead, kept for the error message


def await_hello(port: Callable[[], Path | None]) -> Message:
    """Return the hello of the board at `port()`, which may move. Raises DeviceError with what the board sent
    instead."""
    until_s = time.monotonic() + START_S
    received = b""
    while time.monotonic() < until_s:
        path = port()
        try:
            if path is not None:
                with open_path(str(path)) as line:
                    hello, data = _listen(line, until_s)
                    if hello is not None:
                        return hello
                    received = data or received
        except (OSError, termios.error):
            pass  # it isn't back yet, or goes once more
        time.sleep(_REST_S)
    text = received.decode(errors="replace").strip().splitlines()
    instead = f", but: {text[-1]}" if text else ""
    raise DeviceError(f"the board has its firmware and doesn't say hello{instead}; unplug it and plug it in again")


def _listen(line: serial.Serial, until_s: float) -> tuple[Message | None, bytes]:
    """Return the hello, or None, and the end of all bytes received. Raises OSError when the port vanishes."""
    lines = Lines(BOARD)
    received = b""
    line.timeout = ASK_EVERY_S
    while time.monotonic() < until_s:
        line.write(encode(Message("hello?", {})))
        data = line.read(1) + line.read(line.in_waiting)
        received = (received + data)[-_TAIL_BYTES:]
        for message in lines.feed(data):
            if message.verb == "hello":
                return message, received
    return None, received


PIXELS = range(8, 17)
"""The numbers of pixels that a ring may have."""


def flash(
    path: Path,
    firmware: Mapping[str, bytes],
    pixels: int | None,
    port_of: Callable[[str], Path | None],
    say: Callable[[str], None],
) -> str:
    """Put the firmware on the board at `path`, and its number of `pixels` unless that is None. Return the board's id.
    `port_of` finds the port of a board again after its restart. Raises DeviceError with what went wrong; the board can
    then be flashed again."""
    remote = Remote(path)
    remote.check()
    before = remote.survey()
    _check_kind(before)
    say(f"Board {before.board} at {path}: MicroPython {'.'.join(map(str, before.micropython))}")
    target = dict(firmware)
    if pixels is not None and pixels != before.pixels:
        target = {SETTINGS: json.dumps({"pixels": pixels}).encode(), **target}
    todo = plan(target, before)
    if todo.is_empty:
        say(f"All {len(firmware)} files of firmware {FIRMWARE} are there already.")
    else:
        _verify(plan(target, remote.carry_out(todo)))
        say(_spell_done(todo))
    remote.reset()
    _check_hello(before.board, lambda: port_of(before.board) or path, say)
    return before.board


def _check_kind(survey: Survey) -> None:
    """Raise DeviceError unless the board is a Pico with at least `choosing.MIN_MICROPYTHON`."""
    if survey.port != "rp2":
        raise DeviceError(f"this board runs MicroPython for {survey.port}; seat boards are Picos (rp2)")
    if survey.micropython < MIN_MICROPYTHON:
        version, least = (".".join(map(str, numbers)) for numbers in (survey.micropython, MIN_MICROPYTHON))
        raise DeviceError(
            f"its MicroPython {version} is too old, {least} is needed: unplug it, hold BOOTSEL while you plug it in,"
            " and run this again, which then says what to do"
        )


def _verify(remaining: Plan) -> None:
    """Raise if anything is left to do."""
    if not remaining.is_empty:
        wrong = ", ".join([*remaining.folders, *remaining.copies, *remaining.stale])
        raise DeviceError(f"not everything arrived as it was sent ({wrong}): take a shorter cable, and flash it again")


def _spell_done(todo: Plan) -> str:
    copied = f"{len(todo.copies)} file{'' if len(todo.copies) == 1 else 's'} copied"
    removed = f", {len(todo.stale)} old removed" if todo.stale else ""
    return f"{copied}{removed}; every file on the board verified."


def _check_hello(board: str, port: Callable[[], Path | None], say: Callable[[str], None]) -> None:
    fields = await_hello(port).fields
    if fields["protocol"] != PROTOCOL or fields["firmware"] != FIRMWARE:
        version = fields.get("firmware", f"of protocol {fields['protocol']}")
        raise DeviceError(f"board {board} answers with firmware {version}, not {FIRMWARE}: flash it again")
    say(f"It answers: firmware {FIRMWARE}, {fields['pixels']} pixels.")
