"""The computer on which the table runs, as the doctor sees it: files below a root, device nodes and their permissions,
output of programs, and installed packages. Tests replace its functions to make any other computer. Must not know a
table's configuration or parts: of an installed table it knows only the user of its service."""

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

from taptable.drivers.header_lines import pi_model
from taptable.page.network import local_name, own_addresses

SERVICE_USER = "taptable"
"""The user as whom the installed table's service runs."""

_PATIENCE_S = 10.0
"""Seconds that a program may take."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A file's owner, its group, and the permission bits of its mode."""

    uid: int
    gid: int
    mode: int


@dataclass(frozen=True, slots=True)
class SystemUser:
    """A user of the computer, and the groups whose rights they have."""

    name: str
    uid: int
    gids: frozenset[int]


def owner_of(path: Path) -> Owner:
    """Return a file's owner; raise OSError if there is no such file."""
    status = path.stat()
    return Owner(status.st_uid, status.st_gid, status.st_mode & 0o777)


def is_writable(path: Path) -> bool:
    """Return whether the doctor's user may write to this file, or create files in this folder."""
    try:
        return os.access(path, os.W_OK | os.X_OK if path.is_dir() else os.W_OK)
    except PermissionError:  # no permission even for its folder
        return False


def free_bytes(folder: Path) -> int:
    """Return the free space on the disk of a folder for users other than root."""
    return shutil.disk_usage(folder).free


def read_output(command: Sequence[str]) -> str | None:
    """Return a program's standard output; None if there is no such program, or it fails."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout if ran.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a program: its exit status and its standard error."""

    status: int
    stderr: str


def run(command: Sequence[str], text: str = "") -> Ran | None:
    """Run a program with `text` as its input; None if there is no such program, or it doesn't end in time."""
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
    """Return whether a module can be imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def gpio_module() -> str | None:
    """Return the package that is imported as RPi.GPIO: ``RPi.GPIO`` itself, ``rpi-lgpio`` in its place, or None."""
    # only the old package has a compiled half beside it; the lists of installed packages don't say whose files were
    # written last
    if has_module("RPi._GPIO"):
        return "RPi.GPIO"
    return "rpi-lgpio" if has_module("RPi.GPIO") else None


@dataclass(frozen=True)
class Computer:
    """The computer. `root` is the folder that contains its files; the functions ask the system for more."""

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
        """Return where an absolute path of this computer is below its root."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """Return a file's text without a closing newline or zero byte; None if it doesn't exist or can't be read."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="replace").strip("\0\n")
        except OSError:
            return None

    def has(self, path: str) -> bool:
        """Return whether there is such a file."""
        return os.path.lexists(self.at(path))

    @cached_property
    def model(self) -> str | None:
        """The model of this Raspberry Pi; None if it is none."""
        return pi_model(self.root)

    @property
    def is_pi_5(self) -> bool:
        """Whether its pins are on the RP1, which the old RPi.GPIO doesn't know."""
        return self.model is not None and any(kind in self.model for kind in ("Pi 5", "Pi 500", "Compute Module 5"))

    @cached_property
    def current_user(self) -> SystemUser:
        """The doctor's user."""
        return SystemUser(self._name_of(self.uid), self.uid, self.gids)

    @cached_property
    def table_user(self) -> SystemUser:
        """The table's user: the service's own if it exists, else the doctor's."""
        for name, _, uid, gid, *_ in self._lines("/etc/passwd"):
            if name == SERVICE_USER and uid.isdecimal() and gid.isdecimal():
                return SystemUser(name, int(uid), frozenset({int(gid), *self._groups_of(name)}))
        return self.current_user

    def may_use(self, path: str) -> bool:
        """Return whether the table's user may read and write this file; raise OSError if there is none."""
        return self.may_access(self.at(path), 6)

    def may_access(self, file: Path, rights: int) -> bool:
        """Return whether the table's user has these rights on a file (4 to read, 2 to write) by its owner, group and
        mode; raise OSError if there is none."""
        person = self.table_user
        owner = self.owner_of(file)
        if person.uid == 0:
            return True
        shift = 6 if owner.uid == person.uid else 3 if owner.gid in person.gids else 0
        return owner.mode >> shift & rights == rights

    def group_of(self, path: str) -> str:
        """Return the name of the group that owns a file; raise OSError if there is no such file."""
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
        """Return the lines of /etc/passwd or /etc/group, split into fields."""
        rows = [line.split(":") for line in (self.text(path) or "").splitlines()]
        return [row for row in rows if len(row) >= 4]
