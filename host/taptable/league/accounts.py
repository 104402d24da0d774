"""The accounts at a Mosquitto on this computer: its password file and its access list, by which each table writes below
its own topic alone, and the league writes to all of them. Accounts and rules of others in the files stay."""

from __future__ import annotations

import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from hashlib import pbkdf2_hmac
from pathlib import Path

from taptable.core.errors import LeagueError
from taptable.memory.durable import write_atomically
from taptable.uplink.messages import ROOT

ITERATIONS = 101
"""As `mosquitto_passwd` has it: a table's key has 256 bits, which nobody finds by trying."""
BEGINS, ENDS = "# written by taptable league, from here", "# to here"
_READABLE = 0o640


def write_accounts(
    passwords: Path, access: Path, league: str, accounts: Mapping[str, str], gone: Iterable[str]
) -> None:
    """Let these users in by their passwords, `league` as the league and the others as tables, and not those that are
    gone; `LeagueError` where a file can't be written."""
    others = set(accounts) | set(gone)
    kept = [line for line in _lines(passwords) if line.partition(":")[0] not in others]
    known = {line.partition(":")[0]: line for line in _lines(passwords)}
    mine = [_kept(known.get(user), user, password) for user, password in accounts.items()]
    _write(passwords, [*kept, *mine])
    _write(access, [*_lines_of_others(access), BEGINS, *_access_of(league), ENDS])


def _access_of(league: str) -> list[str]:
    return [
        f"user {league}",
        f"topic read {ROOT}/+/up/#",
        f"topic write {ROOT}/+/down/#",
        f"pattern write {ROOT}/%u/up/#",
        f"pattern read {ROOT}/%u/down/#",
    ]


def _kept(line: str | None, user: str, password: str) -> str:
    """The line of an account: as it stands, if it has this password already."""
    match (line or "").split("$"):
        case [_, "7", iterations, salt, _] if iterations.isdecimal():
            same = _line(user, password, salt, int(iterations))
            if same == line:
                return same
        case _:
            pass
    return _line(user, password, b64encode(secrets.token_bytes(12)).decode(), ITERATIONS)


def _line(user: str, password: str, salt: str, iterations: int) -> str:
    made = pbkdf2_hmac("sha512", password.encode(), b64decode(salt), iterations)
    return f"{user}:$7${iterations}${salt}${b64encode(made).decode()}"


def _lines_of_others(path: Path) -> list[str]:
    lines = _lines(path)
    if BEGINS in lines and ENDS in lines[lines.index(BEGINS) :]:
        first = lines.index(BEGINS)
        del lines[first : lines.index(ENDS, first) + 1]
    return lines


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except OSError as error:
        raise LeagueError(f"{path} can't be read: {error.strerror}") from error


def _write(path: Path, lines: list[str]) -> None:
    try:
        owner = path.stat() if path.exists() else None
        write_atomically(path, ("\n".join(lines) + "\n").encode(), _READABLE)
        if owner is not None:
            os.chown(path, owner.st_uid, owner.st_gid)
    except OSError as error:
        raise LeagueError(f"{path} can't be written: {error.strerror}") from error
