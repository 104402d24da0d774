"""The accounts at NATS servers, as a file that each server's configuration includes: what Mosquitto's password file and
access list say, in NATS' words. NATS wants a password as it is, or as bcrypt makes it; a table's key has 256 bits, and
the file is for the servers alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from taptable.core.errors import LeagueError
from taptable.memory.durable import write_atomically
from taptable.uplink.messages import ROOT

_ONLY_OURS = 0o600
_ACCOUNTS = """\
# written by taptable league; the servers read it again at SIGHUP
accounts {{ taptable {{ jetstream: enabled, users: [
{users}] }} }}
"""
_USER = """\
  {{ user: {user}, password: {password}, allowed_connection_types: ["MQTT"],
     permissions: {{ publish: {written}, subscribe: {heard} }} }}
"""


def write_nats_users(path: Path, league: str, accounts: Mapping[str, str]) -> None:
    """Let these users in by their passwords and nobody else, `league` as the league and the others as tables;
    `LeagueError` if that can't be written."""
    users = "".join(_user(user, password, "*" if user == league else user) for user, password in accounts.items())
    try:
        write_atomically(path, _ACCOUNTS.format(users=users).encode(), _ONLY_OURS)
    except OSError as error:
        raise LeagueError(f"{path} can't be written: {error.strerror}") from error


def _user(user: str, password: str, table: str) -> str:
    up, down = (f"{ROOT}.{table}.{way}" for way in ("up", "down"))
    written, heard = (down, up) if table == "*" else (up, down)
    return _USER.format(
        user=json.dumps(user),
        password=json.dumps(password),
        written=json.dumps(f"{written}.>"),
        # up/# is up as well, and what QoS 1 delivers comes below $MQTT.sub
        heard=json.dumps([heard, f"{heard}.>", "$MQTT.sub.>"]),
    )
