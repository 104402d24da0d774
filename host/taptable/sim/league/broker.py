"""The broker of the league's demo: a Mosquitto on this computer alone, which admits the league and its tables as the
broker of a real league does. Must not know what is sent over it."""

from __future__ import annotations

import asyncio
import getpass
import os
import shutil
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from taptable.config import Account
from taptable.core.errors import ConfigError
from taptable.league.broker_accounts import write_accounts
from taptable.league.settings import Broker
from taptable.memory.durable import write_atomically

HOST, LEAGUE = "127.0.0.1", "league"
"""The broker's address, and the league's user at it."""
READY = b" running"
"""The words in Mosquitto's log by which it says that it runs."""
READY_WITHIN_S = 10.0
"""How long it may take to start."""
CONFIGURATION = """\
listener {port} {host}
user {user}
persistence false
log_dest stderr
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/access
"""


@asynccontextmanager
async def running_broker(folder: Path, secret: str, keys: Mapping[str, str]) -> AsyncGenerator[Broker]:
    """Run a broker at a free port, with the accounts of the league and of tables with these keys; `ConfigError` if
    there is no Mosquitto, or it doesn't start."""
    program = shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin")))
    if program is None:
        raise ConfigError(
            "A league needs an MQTT broker, and there is no mosquitto here: `sudo apt install mosquitto`."
        )
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
    folder.mkdir(exist_ok=True)
    password, passwords, access = folder / "league.password", folder / "passwords", folder / "access"
    write_atomically(password, secret.encode(), 0o600)
    broker = Broker(Account(HOST, port, user=LEAGUE, password_file=password), LEAGUE, passwords, access)
    write_accounts(passwords, access, LEAGUE, {LEAGUE: secret, **keys}, ())
    file = folder / "mosquitto.conf"
    configuration = CONFIGURATION.format(port=port, host=HOST, user=getpass.getuser(), folder=folder)
    file.write_text(configuration, encoding="utf-8")
    # A group of its own: Ctrl-C is for the league, which says goodbye first; but if that is killed, the broker ends
    # too. It stores nothing, and ignores a SIGTERM between its message that it runs and its first poll.
    ends_with_us = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
    process = await asyncio.create_subprocess_exec(
        *ends_with_us, program, "-c", file, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, start_new_session=True
    )
    try:
        await _until_ready(process)
        reading = asyncio.ensure_future(_drain_log(process))
        yield broker
        reading.cancel()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _until_ready(process: Process) -> None:
    assert process.stderr is not None
    last_line = b""
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            while line := await process.stderr.readline():
                last_line = line
                if READY in line:
                    return
    except TimeoutError:
        pass
    raise ConfigError(f"Mosquitto doesn't start. Its last line: {last_line.decode(errors='replace').strip()}")


async def _drain_log(process: Process) -> None:
    """Discard its log, which would fill the pipe."""
    assert process.stderr is not None
    while await process.stderr.readline():
        pass
