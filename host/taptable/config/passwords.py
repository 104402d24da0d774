"""Reads passwords and keys from files of their own, since none stands in a configuration. Refuses files that other
users of this computer can read. Must not know what a password is for."""

from __future__ import annotations

import stat
from pathlib import Path

from taptable.core.errors import ConfigError

LONGEST = 4096
"""The most bytes of a password's line."""


def read_password(path: Path) -> str:
    """Return the first line of a file that only its owner and its group can read. Raises `ConfigError`."""
    try:
        with path.open("rb") as file:
            mode, line = path.stat().st_mode, file.readline(LONGEST)
    except FileNotFoundError:
        raise ConfigError(f"{path} isn't there: write the password into it, in a line.") from None
    except OSError as error:
        raise ConfigError(f"{path} can't be read: {error.strerror}.") from error
    if mode & (stat.S_IRWXO | stat.S_IWGRP):
        raise ConfigError(f"{path} is open to others, and holds a password: `chmod o=,g-w {path}`.")
    try:
        password = line.decode().strip()
    except UnicodeDecodeError:
        password = ""
    if not password:
        raise ConfigError(f"{path} holds no password: it takes one line of text in UTF-8.")
    return password


def read_key(path: Path) -> bytes:
    """Return the key in such a file, spelled in hex. Raises `ConfigError`."""
    try:
        return bytes.fromhex(read_password(path))
    except ValueError:
        raise ConfigError(f"{path} holds no key: it is the digits 0 to 9 and the letters a to f.") from None
