"""Writes the files from which brokers read their accounts at SIGHUP: with its account each table may publish below its
own topic alone, and the league may read from all of them and answer. For Mosquitto these are a password file and an
access list, in which other people's accounts and rules stay; for NATS servers one file, which the configuration of each
server includes. NATS takes a password as plain text or as a bcrypt hash; a table's key has 256 bits, and the file is
for the servers alone. Must not know the database."""

from __future__ import annotations

import json
import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import pbkdf2_hmac
from pathlib import Path

from taptable.core.errors import LeagueError
from taptable.league.settings import Broker
from taptable.league.tables import LeagueTable
from taptable.memory.durable import write_atomically
from taptable.uplink.messages import ROOT

ITERATIONS = 101
"""Iterations of PBKDF2, as many as `mosquitto_passwd` uses. More would add nothing: a table's key has 256 bits, which
nobody finds by trying."""
BEGINS, ENDS = "# written by taptable league, from here", "# to here"
"""The lines around our rules in the access list; all other lines of it stay."""
_READABLE, _ONLY_OURS = 0o640, 0o600
"""The modes of Mosquitto's files, which its group may read, and of the file for NATS."""
_NATS_ACCOUNTS = """\
# written by taptable league; the servers read it again at SIGHUP
accounts {{ taptable {{ jetstream: enabled, users: [
{users}] }} }}
"""
_NATS_USER = """\
  {{ user: {user}, password: {password}, allowed_connection_types: ["MQTT"],
     permissions: {{ publish: {published}, subscribe: {subscribed} }} }}
"""


def write_broker_accounts(broker: Broker, tables: Sequence[LeagueTable]) -> Mapping[str, Path]:
    """Write the accounts of the league and of all tables that aren't revoked to the files that are configured. Returns
    the files that were written, by their kind, ``accounts`` or ``nats-users``. Raises `LeagueError` if a file can't be
    written."""
    passwords = {table.id: table.key for table in tables if table.revoked is None}
    revoked = [table.id for table in tables if table.revoked is not None]
    if broker.password is not None:
        passwords[broker.user] = broker.password
    written: dict[str, Path] = {}
    if broker.accounts is not None and broker.access is not None:
        write_accounts(broker.accounts, broker.access, broker.user, passwords, revoked)
        written["accounts"] = broker.accounts
    if broker.nats_users is not None:
        write_nats_users(broker.nats_users, broker.user, passwords)
        written["nats-users"] = broker.nats_users
    return written


def write_accounts(
    passwords: Path, access: Path, league: str, accounts: Mapping[str, str], revoked: Iterable[str]
) -> None:
    """Write these accounts, with their passwords, for Mosquitto: `league` as the league, the others as tables; remove
    those of the `revoked` tables. Raises `LeagueError` if a file can't be written."""
    others = set(accounts) | set(revoked)
    kept_lines = [line for line in _lines(passwords) if line.partition(":")[0] not in others]
    known = {line.partition(":")[0]: line for line in _lines(passwords)}
    account_lines = [_account_line(known.get(user), user, password) for user, password in accounts.items()]
    _write(access, [*_lines_of_others(access), BEGINS, *_access_of(league), ENDS])
    # the password file last: a watcher of it has both files read again
    _write(passwords, [*kept_lines, *account_lines])


def write_nats_users(path: Path, league: str, accounts: Mapping[str, str]) -> None:
    """Write these accounts, and no others, with their passwords for NATS: `league` as the league, the others as tables.
    Raises `LeagueError` if the file can't be written."""
    users = "".join(_nats_user(user, password, "*" if user == league else user) for user, password in accounts.items())
    try:
        write_atomically(path, _NATS_ACCOUNTS.format(users=users).encode(), _ONLY_OURS)
    except OSError as error:
        raise LeagueError(f"{path} can't be written: {error.strerror}") from error


def _access_of(league: str) -> list[str]:
    return [
        f"user {league}",
        f"topic read {ROOT}/+/up/#",
        f"topic write {ROOT}/+/down/#",
        f"pattern write {ROOT}/%u/up/#",
        f"pattern read {ROOT}/%u/down/#",
    ]


def _account_line(line: str | None, user: str, password: str) -> str:
    """Return an account's line in the password file: unchanged if it has this password already."""
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
            try:
                os.chown(path, owner.st_uid, owner.st_gid)
            except PermissionError:
                # only root can give a file to another owner; the group is the broker's, which has to read the file
                os.chown(path, -1, owner.st_gid)
    except OSError as error:
        raise LeagueError(f"{path} can't be written: {error.strerror}") from error


def _nats_user(user: str, password: str, table: str) -> str:
    up, down = (f"{ROOT}.{table}.{way}" for way in ("up", "down"))
    published, subscribed = (down, up) if table == "*" else (up, down)
    return _NATS_USER.format(
        user=json.dumps(user),
        password=json.dumps(password),
        published=json.dumps(f"{published}.>"),
        # up/# matches up as well, and messages of QoS 1 are delivered below $MQTT.sub
        subscribed=json.dumps([subscribed, f"{subscribed}.>", "$MQTT.sub.>"]),
    )
