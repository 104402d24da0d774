"""A real Mosquitto at a free port, with the configuration of examples/mosquitto, the access list of a table and the
accounts of a league; and a listener."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiomqtt import Client
from deadline import DEADLINE_S
from ports import free_port
from servers import Server, program
from taptable.bridge.discovery import access_list
from taptable.bridge.topics import topics_of
from taptable.config import Account, MqttSettings
from taptable.config.passwords import read_password
from taptable.league.broker_accounts import write_accounts

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "mosquitto"
OBSERVER = "eye"
"""The account that may do everything at the broker of a test."""
ACCOUNTS = ("table", "homeassistant", OBSERVER)
"""The names of the table's access list, and the test's own."""
OF_LEAGUE = ("league", "ab12cd34", "ef56")
"""A league and two of its tables, whose accounts the league writes into the same files."""
PASSWORDS = {name: f"open sesame, {name}" for name in (*ACCOUNTS, *OF_LEAGUE)} | {"ab12cd34": "c0ffee" * 10}
"""A league's table has its key, in hex."""


class Broker:
    """In a folder of its own; `tls` has the files of a certificate and its key."""

    def __init__(self, folder: Path, tls: tuple[Path, Path] | None = None) -> None:
        self.folder = folder
        self.port = free_port()
        self._tls = tls
        folder.mkdir(parents=True, exist_ok=True)
        passwords = folder / "taptable" / "passwords"
        passwords.parent.mkdir(exist_ok=True)
        for name in ACCOUNTS:
            new = [] if passwords.exists() else ["-c"]
            subprocess.run(["mosquitto_passwd", *new, "-b", passwords, name, PASSWORDS[name]], check=True)
        for name in PASSWORDS:
            own = folder / f"{name}.password"
            own.write_text(PASSWORDS[name] + "\n")
            own.chmod(0o600)
        access = passwords.with_name("access")
        own = access_list(topics_of("taptable", "home"), "homeassistant", "table")
        access.write_text(f"user {OBSERVER}\ntopic readwrite #\n{own}\npattern read for/%u\n")
        write_accounts(passwords, access, "league", {name: PASSWORDS[name] for name in OF_LEAGUE}, ())
        self.config = folder / "mosquitto.conf"
        self.config.write_text(self._configuration())
        command = [program("mosquitto"), "-c", str(self.config)]
        self._server = Server("mosquitto", command, folder, self.port, b" running")

    def _configuration(self) -> str:
        """The example's, for this folder and port."""
        text = (EXAMPLES / "taptable.conf").read_text()
        text = re.sub(r"/etc/mosquitto/", f"{self.folder}/", text)
        text, ports = re.subn(r"^listener 1883$", f"listener {self.port} 127.0.0.1", text, flags=re.MULTILINE)
        assert ports == 1
        if self._tls is not None:
            text += f"certfile {self._tls[0]}\nkeyfile {self._tls[1]}\n"
        # it would give up being root, and couldn't read these files then
        return text + ("user root\n" if os.geteuid() == 0 else "")

    def start(self) -> None:
        """Start the broker, and wait until it listens."""
        self._server.start()

    def kill(self) -> None:
        """Kill the broker. It stores nothing on the disk, so it forgets everything."""
        self._server.thaw()
        self._server.kill()

    def freeze(self) -> None:
        """Suspend the broker, with all its connections."""
        self._server.freeze()

    def thaw(self) -> None:
        """Continue a paused broker."""
        self._server.thaw()

    def account(self, name: str = "table", **more: Any) -> Account:
        """One of the broker's accounts."""
        given = {"user": name, "password_file": self.folder / f"{name}.password", **more}
        return Account("127.0.0.1", self.port, **given)

    def settings(self, **more: Any) -> MqttSettings:
        """The `[mqtt]` settings of a table that uses this broker."""
        return MqttSettings(self.account(), **more)


class Listener:
    """A client that subscribes to everything that its account may read, and stores the messages."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: list[tuple[str, bytes, bool]] = []

    async def hear(self) -> tuple[str, bytes]:
        """The next message."""
        async for message in self.client.messages:
            assert isinstance(message.payload, bytes)
            self.heard.append((str(message.topic), message.payload, message.retain))
            return str(message.topic), message.payload
        raise EOFError

    async def until(self, seen: Callable[[str, Any], object]) -> Any:
        """Wait for a message that satisfies `seen`, and return its value."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                topic, payload = await self.hear()
                if seen(topic.rpartition("/")[2], said := value_of(payload)):
                    return said

    async def event(self, name: str, event_type: str) -> Any:
        """The next event of this kind."""
        return await self.until(
            lambda topic, said: topic == "event" and (said["event"], said["event_type"]) == (name, event_type)
        )

    async def state(self, seen: Callable[[Any], object]) -> Any:
        """Wait for a state that satisfies `seen`, and return it."""
        return await self.until(lambda topic, said: topic == "state" and seen(said))

    async def online(self, said: str) -> None:
        """Wait until the bridge reports that it is online."""
        await self.until(lambda topic, heard: topic == "online" and heard == said)


def value_of(payload: bytes) -> Any:
    """Parse a message's payload: JSON, or a word."""
    return json.loads(payload) if payload[:1] == b"{" and payload[-1:] == b"}" else payload.decode(errors="replace")


@asynccontextmanager
async def a_client(account: Account) -> AsyncIterator[Client]:
    """A connected client of a broker."""
    password = None if account.password_file is None else read_password(account.password_file)
    async with Client(account.host, account.port, username=account.user, password=password, timeout=DEADLINE_S) as one:
        yield one


@asynccontextmanager
async def a_listener(broker: Broker, name: str = "homeassistant") -> AsyncIterator[Listener]:
    """A listener with everything that this account may read."""
    async with a_client(broker.account(name)) as client:
        await client.subscribe("#", qos=1)
        yield Listener(client)


async def retained_at(broker: Broker, topic: str, *, within_s: float = DEADLINE_S) -> bytes | None:
    """Return the message that is retained at a topic, as an account sees it that may read everything. None if there is
    none: then a message that comes after the subscription arrives first."""
    async with a_client(broker.account(OBSERVER)) as client:
        await client.subscribe(topic, qos=1)
        await client.publish(f"{OBSERVER}/asked", b"", qos=1)
        await client.subscribe(f"{OBSERVER}/asked", qos=1)
        await client.publish(f"{OBSERVER}/asked", b"over", qos=1)
        async with asyncio.timeout(within_s):
            async for message in client.messages:
                if str(message.topic) == f"{OBSERVER}/asked":
                    return None
                assert isinstance(message.payload, bytes)
                return message.payload
    return None


async def may_write(broker: Broker, name: str, topic: str) -> bool:
    """Return whether the broker keeps what this account writes at a topic. It confirms the message either way."""
    async with a_client(broker.account(name)) as client:
        await client.publish(topic, b"mine", qos=1, retain=True)
    return await retained_at(broker, topic) == b"mine"


async def may_read(broker: Broker, name: str, topic: str) -> bool:
    """Return whether this account receives what others write at a topic."""
    async with a_client(broker.account(OBSERVER)) as eye, a_client(broker.account(name)) as client:
        await client.subscribe("#", qos=1)
        await eye.publish(topic, b"a secret", qos=1)
        await eye.publish(f"for/{name}", b"over", qos=1)
        async with asyncio.timeout(DEADLINE_S):
            async for message in client.messages:
                if str(message.topic) == f"for/{name}":
                    return False
                if str(message.topic) == topic:
                    return True
    raise EOFError
