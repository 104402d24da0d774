"""A league's own processes, started as in production: ``taptable league worker`` and its like."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from servers import HOST, LEAGUE, Server, running

TAPTABLE = Path(sys.executable).with_name("taptable")
SETTINGS = """\
[database]
url = "{database}"

[mqtt]
host = "{host}"
port = {port}
user = "{user}"
password_file = "{folder}/password"

[web]
port = {web_port}
"""
READY = {"worker": b"Connected to the broker", "web": b"League page served"}
"""What each says once it does its work."""


def settings_of(
    folder: Path, database: str, broker_port: int, password: str, web_port: int = 8138, name: str = "league"
) -> Path:
    """The settings of a league in this folder."""
    secret = folder / "password"
    secret.write_text(password, encoding="utf-8")
    secret.chmod(0o600)
    path = folder / f"{name}.toml"
    said = SETTINGS.format(
        database=database, host=HOST, port=broker_port, user=LEAGUE, folder=folder, web_port=web_port
    )
    path.write_text(said, encoding="utf-8")
    return path


@contextmanager
def a_process(settings: Path, verb: str, name: str, port: int = 0) -> Generator[Server]:
    """``taptable league`` with that verb, once it does its work."""
    command = [str(TAPTABLE), "league", "--settings", str(settings), verb]
    server = Server(name, command, settings.parent, port, READY[verb])
    with running(server):
        yield server
