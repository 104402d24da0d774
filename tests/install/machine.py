"""The machines on which a trial runs its steps, by a root shell: a whole emulated computer, QEMU with a kernel, a small
start disk and Debian's root; or that root alone, in a folder, without systemd, which takes a tenth of the time. Neither
has a network. Knows nothing of taptable."""

from __future__ import annotations

import contextlib
import selectors
import shlex
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

GREETING = "the shell listens"


class TimedOut(Exception):
    """An expected output did not come in time; the message says what was expected, and what was seen instead."""


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """The result of a command: its exit status, and what it wrote to both outputs."""

    status: int
    text: str


class Folder:
    """A Debian in a folder, of this computer's architecture, which sees another folder at ``/mnt``."""

    console = talk = Path("above")

    def __init__(self, root: Path, given: Path) -> None:
        self._root = root
        self._given = given

    def run(self, command: str, deadline_s: float = 60) -> CommandOutput:
        """Have root run a command (of bash) there. Raises TimedOut if it hasn't ended by the deadline."""
        root, given = shlex.quote(str(self._root)), shlex.quote(str(self._given))
        inside = (
            f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev && mount --bind {given} {root}/mnt &&"
            f" exec chroot {root} /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin"
            f" bash -c {shlex.quote(command)}"
        )
        # what is still there when the command has ended, ends with it
        call = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", inside]
        try:
            ran = subprocess.run(
                call,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=deadline_s,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise TimedOut(f"after {deadline_s:g} s still waiting for: {command}\n{late.output}") from None
        return CommandOutput(ran.returncode, ran.stdout.decode(errors="replace").strip("\n"))


class Machine:
    """A running emulated computer; leaving the context ends it."""

    def __init__(self, command: list[str], folder: Path) -> None:
        """`command` starts QEMU, all but its consoles; `folder` takes their logs."""
        self.console = folder / "console.log"
        self.talk = folder / "shell.log"
        self._address = folder / "shell"
        self._command = [
            *command,
            *("-display", "none", "-monitor", "none", "-no-reboot", "-nic", "none"),
            *("-serial", f"file:{self.console}"),
            *("-chardev", f"socket,id=shell,path={self._address},server=on,wait=off"),
            *("-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"),
        ]
        self._seen = b""
        self._number = 0

    def __enter__(self) -> Self:
        self._address.unlink(missing_ok=True)
        self._log = self.talk.open("wb")
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
        self._socket = socket.socket(socket.AF_UNIX)
        deadline = time.monotonic() + 20
        while True:
            try:
                self._socket.connect(str(self._address))
                break
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self._process.kill()
                    raise
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(0.05)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._selector.close()
        self._socket.close()
        self._log.close()

    def started(self, deadline_s: float) -> None:
        """Wait until the computer's system has come as far as the shell."""
        self._until(GREETING.encode(), deadline_s, "the start of the system")

    def run(self, command: str, deadline_s: float = 60) -> CommandOutput:
        """Have the root shell run a command (of bash). Raises TimedOut if it hasn't ended by the deadline."""
        self._number += 1
        mark = f"=={self._number}=="
        # in a shell of its own, so that no command can end or upset the one that listens; no terminal, so no colours
        line = f"bash -c {shlex.quote(command)} </dev/null 2>&1 | cat; printf '\\n{mark}%s==\\n' ${{PIPESTATUS[0]}}\n"
        self._socket.sendall(line.encode())
        text = self._until(f"\n{mark}".encode(), deadline_s, command)
        status = self._until(b"==\n", 10, command)
        return CommandOutput(int(status), text.decode(errors="replace").strip("\n"))

    def powered_off(self, deadline_s: float) -> None:
        """Wait until the computer has switched itself off."""
        try:
            self._process.wait(deadline_s)
        except subprocess.TimeoutExpired:
            raise TimedOut(f"not switched off after {deadline_s:g} s") from None

    def _until(self, mark: bytes, deadline_s: float, what: str) -> bytes:
        """All that comes before `mark`, which is taken too."""
        deadline = time.monotonic() + deadline_s
        while mark not in self._seen:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not self._selector.select(left_s):
                raise TimedOut(
                    f"after {deadline_s:g} s still waiting for: {what}\n{self._seen.decode(errors='replace')}"
                )
            try:
                got = self._socket.recv(65536)
            except ConnectionResetError:
                got = b""
            if not got:
                raise TimedOut(f"the computer went off during: {what}\n{self._seen.decode(errors='replace')}")
            self._log.write(got)
            self._log.flush()
            self._seen += got
        text, self._seen = self._seen.split(mark, 1)
        return text
