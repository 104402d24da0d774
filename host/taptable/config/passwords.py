"""Passwords and keys, which stand in no configuration but in files of their own: read, and refused where others of this
computer could read them too."""

from __future__ import annotations

import stat
from pathlib import Path

from taptable.core.errors import ConfigError

LONGEST = 4096


def read_password(path: Path) -> str:
    """The first line of a file, which nobody but its owner and its group can read; `ConfigError` says what is wrong."""
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
