"""The prompt of a board's MicroPython, reached by the program `mpremote`. Knows commands and their failures, no
firmware."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from taptable.core.errors import DeviceError
from taptable.edges.boards.port import open_path
from taptable.flashing.survey import SCRIPT, Plan, Survey, read_survey

_PATIENCE_S = 120.0

_DENIED = (errno.EACCES, errno.EPERM)
_BUSY = (errno.EAGAIN, errno.EBUSY)
_GONE = ("SerialException", os.strerror(errno.EIO), os.strerror(errno.ENODEV))
"""In what mpremote says when the port vanishes under it."""


class Remote:
    """The board at a port. Every failure is a DeviceError that says what to do."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def check(self) -> None:
        """Can its port be opened? mpremote wouldn't say why not."""
        try:
            open_path(str(self._path)).close()
        except (OSError, termios.error) as error:
            raise DeviceError(self._why(error)) from None

    def survey(self) -> Survey:
        """What is there. The program that runs on the board ends by this."""
        return read_survey(self._run("exec", SCRIPT))

    def carry_out(self, plan: Plan) -> Survey:
        """Make the folders, copy, and remove; what is there then."""
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
        """Let the board start anew, as if it had just been plugged in."""
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
            said = (ran.stderr or ran.stdout).strip().splitlines() or ["nothing"]
            raise DeviceError(self._why_not(said))
        return ran.stdout

    def _why_not(self, said: list[str]) -> str:
        if "could not enter raw repl" in said[-1]:
            return (
                f"the board at {self._path} doesn't come to MicroPython's prompt: unplug it, plug it in again and try"
                " once more; if it stays so, put MicroPython on it anew"
            )
        if os.strerror(errno.ENOSPC) in said[-1]:
            return f"there is no room left on the board at {self._path}: remove files of your own from it"
        if any(sign in said[-1] for sign in _GONE) or not self._path.exists():
            return f"the board at {self._path} went away: plug it in again, and flash it again"
        return f"mpremote couldn't do it at {self._path}: {said[-1]}"

    def _why(self, error: OSError | termios.error) -> str:
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.ENOENT:
            return f"there is no port {self._path}"
        if number in _DENIED:
            return f"{self._path} may not be opened: be root, or a member of the group dialout"
        if number in _BUSY or "exclusively lock" in str(error):
            return f"{self._path} is in use: stop the table first (sudo systemctl stop taptable), or close the terminal"
        return f"{self._path} can't be opened: {error}"
