"""The computer that the table runs on, as the doctor sees it: files below a root, device nodes and whom they let in,
what is plugged into its USB, programs that tell more, and installed packages. What it is handed instead of the real
ones makes it any other computer. Knows nothing of a table."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from taptable.page.network import local_name, own_addresses

SERVICE_USER = "taptable"

_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Owner:
    """Of a file: who it belongs to, and the permission bits of its mode."""

    uid: int
    gid: int
    mode: int


@dataclass(frozen=True, slots=True)
class SystemUser:
    """A user of the computer, and the groups whose rights he has."""

    name: str
    uid: int
    gids: frozenset[int]


def owner_of(path: Path) -> Owner:
    """As the file system has it; OSError where there is no such file."""
    status = path.stat()
    return Owner(status.st_uid, status.st_gid, status.st_mode & 0o777)


def is_writable(path: Path) -> bool:
    """May whoever runs the doctor write to this file, or make files in this folder?"""
    try:
        return os.access(path, os.W_OK | os.X_OK if path.is_dir() else os.W_OK)
    except PermissionError:  # not even the folder it is in may be looked into
        return False


def free_bytes(folder: Path) -> int:
    """Room on the disk of a folder, for those who are not root."""
    return shutil.disk_usage(folder).free


def read_output(command: Sequence[str]) -> str | None:
    """What a program says on standard output; None if there is none, or it fails."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout if ran.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended: its status, and what it wrote to standard error."""

    status: int
    stderr: str


def run(command: Sequence[str], text: str = "") -> Ran | None:
    """Run a program that reads this; None if there is none, or it doesn't come to an end."""
    try:
        ran = subprocess.run(
            command,
            input=text,
            encoding="utf-8",
            capture_output=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Ran(ran.returncode, ran.stderr)


def has_module(name: str) -> bool:
    """Can a module be imported?"""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def gpio_module() -> str | None:
    """The package that is imported as RPi.GPIO: ``RPi.GPIO`` itself, ``rpi-lgpio`` in its place, or None."""
    # the old one has its compiled half beside it; what is registered as installed says nothing of which was left
    if has_module("RPi._GPIO"):
        return "RPi.GPIO"
    return "rpi-lgpio" if has_module("RPi.GPIO") else None


@dataclass(frozen=True)
class Computer:
    """`root` is where its files are; everything else is what asks it for more."""

    root: Path = Path("/")
    folder: Path = field(default_factory=Path.cwd)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    uid: int = field(default_factory=os.geteuid)
    gids: frozenset[int] = field(default_factory=lambda: frozenset({os.getegid(), *os.getgroups()}))
    bits: int = sys.maxsize.bit_length() + 1
    read_output: Callable[[Sequence[str]], str | None] = read_output
    run: Callable[[Sequence[str], str], Ran | None] = run
    addresses: Callable[[], Sequence[str]] = own_addresses
    local_name: Callable[[], str] = local_name
    owner_of: Callable[[Path], Owner] = owner_of
    is_writable: Callable[[Path], bool] = is_writable
    list_folder: Callable[[Path], Sequence[str]] = os.listdir
    free_bytes: Callable[[Path], int] = free_bytes
    has_module: Callable[[str], bool] = has_module
    gpio_module: Callable[[], str | None] = gpio_module

    def at(self, path: str) -> Path:
        """Where an absolute path of this computer's is."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """What stands in a file, without a closing newline or zero byte; None if it isn't there or can't be read."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="replace").strip("\0\n")
        except OSError:
            return None

    def has(self, path: str) -> bool:
        """Is there such a file?"""
        return os.path.lexists(self.at(path))

    @cached_property
    def model(self) -> str | None:
        """Which Raspberry Pi this is; None if it is none."""
        model = self.text("/proc/device-tree/model")
        return model if model is not None and model.startswith("Raspberry Pi") else None

    @property
    def is_pi_5(self) -> bool:
        """Whether its pins are on the RP1, which the old RPi.GPIO knows nothing of."""
        return self.model is not None and any(kind in self.model for kind in ("Pi 5", "Pi 500", "Compute Module 5"))

    @cached_property
    def current_user(self) -> SystemUser:
        """Whoever runs the doctor."""
        return SystemUser(self._name_of(self.uid), self.uid, self.gids)

    @cached_property
    def table_user(self) -> SystemUser:
        """Whoever runs the table: the service's own user if there is one."""
        for name, _, uid, gid, *_ in self._lines("/etc/passwd"):
            if name == SERVICE_USER and uid.isdecimal() and gid.isdecimal():
                return SystemUser(name, int(uid), frozenset({int(gid), *self._groups_of(name)}))
        return self.current_user

    def may_use(self, path: str) -> bool:
        """May whoever runs the table read and write what is there? OSError where nothing is."""
        person = self.table_user
        owner = self.owner_of(self.at(path))
        if person.uid == 0:
            return True
        shift = 6 if owner.uid == person.uid else 3 if owner.gid in person.gids else 0
        return owner.mode >> shift & 6 == 6

    def group_of(self, path: str) -> str:
        """The name of the group that a file belongs to. OSError where there is no such file."""
        gid = self.owner_of(self.at(path)).gid
        return next((name for name, _, number, *_ in self._lines("/etc/group") if number == str(gid)), str(gid))

    def _groups_of(self, name: str) -> set[int]:
        return {
            int(number)
            for _, _, number, members, *_ in self._lines("/etc/group")
            if name in members.split(",") and number.isdecimal()
        }

    def _name_of(self, uid: int) -> str:
        return next((name for name, _, number, *_ in self._lines("/etc/passwd") if number == str(uid)), str(uid))

    def _lines(self, path: str) -> list[list[str]]:
        """The lines of /etc/passwd and /etc/group, in their fields."""
        rows = [line.split(":") for line in (self.text(path) or "").splitlines()]
        return [row for row in rows if len(row) >= 4]
