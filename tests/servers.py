"""Real servers for tests and measurements of a league, each at ports of its own on this computer: Mosquitto, a
PostgreSQL cluster, three nodes of NATS that speak MQTT. This module starts, stops, kills and suspends them, and each
start waits until the server is ready. scripts/setup-servers installs them."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

import psycopg
from deadline import DEADLINE_S
from ports import free_port
from psycopg import sql
from taptable.league.broker_accounts import write_accounts, write_nats_users

HOST = "127.0.0.1"
POLL_S = 0.02
NODES = 3
LEAGUE = "league"
"""The account of the league at a broker."""


class NotInstalled(Exception):
    """A server isn't on this computer."""


class NotReady(Exception):
    """A server wasn't ready in time; with its last output."""


def program(name: str, *places: str) -> str:
    """The path of a server's program. Raises `NotInstalled`, which says how to get it."""
    paths = [
        os.environ.get("PATH", ""),
        "/usr/sbin",
        *(str(path) for place in places for path in Path("/").glob(place)),
    ]
    found = shutil.which(name, path=os.pathsep.join(paths))
    if found is None:
        raise NotInstalled(f"there is no {name}: scripts/setup-servers gets it")
    return found


def wait_for(event: Callable[[], bool], what: str, within_s: float = DEADLINE_S) -> None:
    """Until it has happened; `NotReady` if it doesn't in time."""
    end_s = time.monotonic() + within_s
    while not event():
        if time.monotonic() > end_s:
            raise NotReady(f"{what} after {within_s:g} s")
        time.sleep(POLL_S)


def answers(port: int) -> bool:
    """Return whether anybody listens at this port."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


@contextmanager
def a_folder(user: str | None = None) -> Generator[Path]:
    """A folder that only this user may enter (None: the user of this process), until the end of the context."""
    with tempfile.TemporaryDirectory(prefix="taptable-", ignore_cleanup_errors=True) as name:
        if user is not None:
            shutil.chown(name, user)
        yield Path(name)


@dataclass
class Server:
    """A program that runs until it is stopped. Started again, it has the files in its folder."""

    name: str
    command: Sequence[str]
    folder: Path
    port: int
    """The port on which it listens; 0 if it doesn't."""
    ready: bytes
    """The output that shows that it is ready."""
    user: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def log(self) -> Path:
        """The file with its output since the last start."""
        return self.folder / f"{self.name}.log"

    @property
    def pid(self) -> int:
        """The id of its running process."""
        assert self.process is not None
        return self.process.pid

    def start(self, *, wait: bool = True) -> None:
        """Start it, and wait until it is ready."""
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self.user
            )
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until it reports that it is ready, and listens."""
        try:
            wait_for(self._is_ready, f"{self.name} isn't ready")
        except NotReady as late:
            late.add_note(self.log.read_bytes().decode(errors="replace")[-2000:])
            raise

    def _is_ready(self) -> bool:
        said = self.log.read_bytes()
        if self.process is None or self.process.poll() is not None:
            raise NotReady(f"{self.name} has ended: {said.decode(errors='replace')[-2000:]}")
        return self.ready in said and (self.port == 0 or answers(self.port))

    def reload(self, says: bytes) -> None:
        """Let it read its files again, and wait until its log `says` so."""
        before = self.log.read_bytes().count(says)
        os.kill(self.pid, signal.SIGHUP)
        wait_for(lambda: self.log.read_bytes().count(says) > before, f"{self.name} doesn't read its files again")

    def stop(self) -> None:
        """Shut it down in order; do nothing if it doesn't run."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """Kill it and its children at once, as if the power were cut."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Suspend it and its children: its connections stay, and nothing is answered."""
        self._each(signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue it."""
        self._each(signal.SIGCONT)

    def _each(self, what: signal.Signals) -> None:
        for pid in self.pids():
            with suppress(ProcessLookupError):  # children come and go, and the others are to hear it all the same
                os.kill(pid, what)

    def pids(self) -> list[int]:
        """The ids of its process and its children; none if it doesn't run."""
        if self.process is None or self.process.poll() is not None:
            return []
        found = [self.process.pid]
        for pid in found:
            with suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())
        return found

    def _end(self, how: signal.Signals) -> None:
        pids = self.pids()
        if self.process is None or not pids:
            return
        for pid in pids if how is signal.SIGKILL else pids[:1]:
            with suppress(ProcessLookupError):
                os.kill(pid, how)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(DEADLINE_S)
        if self.process.poll() is None:
            self.kill()
        # a PostgreSQL doesn't start while a child of the one before is there
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), f"{self.name} hasn't ended")


@contextmanager
def running(server: Server) -> Generator[None]:
    """Start a server, yield, and stop it in the end."""
    server.start()
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            server.thaw()
        server.stop()


# Mosquitto

OPEN = """\
allow_anonymous true
"""
CLOSED = """\
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl
"""


@dataclass
class Mosquitto(Server):
    """A broker whose folder has its password file and its access list."""

    def accounts(self, passwords: Mapping[str, str]) -> None:
        """Admit these users as well from now on."""
        _write_accounts(self.folder, passwords)
        self.reload(b"Reloading config")

    def forget(self) -> None:
        """Delete everything that it stored, after its end."""
        (self.folder / "mosquitto.db").unlink(missing_ok=True)


def _write_accounts(folder: Path, passwords: Mapping[str, str]) -> None:
    write_accounts(folder / "passwords", folder / "acl", LEAGUE, passwords, ())


@contextmanager
def mosquitto(
    passwords: Mapping[str, str] | None = None, more: str = "", port: int | None = None
) -> Generator[Mosquitto]:
    """Mosquitto, open to everybody on this computer, or to these accounts as a league writes them; `more` are lines of
    its configuration. Its stored messages outlive a stop and a kill."""
    found = program("mosquitto")
    port = free_port() if port is None else port
    with a_folder() as folder:
        if passwords is not None:
            _write_accounts(folder, passwords)
        lines = [
            f"listener {port} {HOST}",
            f"user {pwd.getpwuid(os.getuid()).pw_name}",
            "persistence true",
            f"persistence_location {folder}/",
            "log_dest stderr",
            (OPEN if passwords is None else CLOSED).format(folder=folder),
            more,
        ]
        (folder / "mosquitto.conf").write_text("\n".join(lines), encoding="utf-8")
        command = [found, "-c", str(folder / "mosquitto.conf")]
        server = Mosquitto("mosquitto", command, folder, port, b" running")
        with running(server):
            yield server


# PostgreSQL


@dataclass
class PostgreSQL(Server):
    """A cluster of databases, whose superuser needs no password on this computer."""

    def database(self, name: str) -> str:
        """Create a new database, and return its address for SQLAlchemy."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.address(name).replace("postgresql:", "postgresql+psycopg:", 1)

    def address(self, name: str) -> str:
        """The address of a database, in the form of PostgreSQL's own programs."""
        return f"postgresql://postgres@{HOST}:{self.port}/{name}"


@contextmanager
def postgresql(settings: Mapping[str, str] | None = None) -> Generator[PostgreSQL]:
    """PostgreSQL with a new cluster and these settings; by default it doesn't wait for its disk."""
    postgres, initdb = (program(name, "usr/lib/postgresql/*/bin") for name in ("postgres", "initdb"))
    user = "postgres" if os.getuid() == 0 else None  # it refuses root
    port = free_port()
    with a_folder(user) as folder:
        data = folder / "data"
        command = [initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, user=user)
        if made.returncode:
            raise NotReady(f"initdb: {made.stderr}")
        chosen = {
            "port": str(port),
            "listen_addresses": HOST,
            "unix_socket_directories": "",
            "fsync": "off",
            **(settings or {}),
        }
        command = [postgres, "-D", str(data), *(f"--{name}={value}" for name, value in chosen.items())]
        ready = b"ready to accept connections"
        server = PostgreSQL("postgres", command, folder, port, ready, user, signal.SIGINT)
        with running(server):
            yield server


# NATS


@dataclass
class NatsNode(Server):
    """A node, which reports its state at a port of its own."""

    health_port: int = 0

    def _is_ready(self) -> bool:
        return super()._is_ready() and self._is_healthy()

    def _is_healthy(self) -> bool:
        """Return whether it is in contact with the node that leads. Its log doesn't show that: a node whose routes come
        after the election never hears that there was one."""
        place = f"http://{HOST}:{self.health_port}/healthz?js-server-only=true"
        with suppress(OSError), urlopen(place, timeout=1) as answer:
            return answer.status == HTTPStatus.OK
        return False


@dataclass
class Nats:
    """A cluster whose nodes all speak MQTT and store messages on three disks."""

    nodes: list[NatsNode]
    folder: Path

    def accounts(self, passwords: Mapping[str, str]) -> None:
        """Admit these users from now on, and nobody else."""
        write_nats_users(self.folder / "users.conf", LEAGUE, passwords)
        for node in self.nodes:
            if node.pids():
                node.reload(b"Reloaded server configuration")

    def wait_until_ready(self) -> None:
        """Wait until a majority has elected a leader, and each running node speaks MQTT."""
        for node in self.nodes:
            if node.pids():
                node.wait_until_ready()


_NODE = """\
server_name: {name}
listen: "{host}:{client_port}"
http: "{host}:{health_port}"
jetstream {{ store_dir: "{folder}/{name}" }}
cluster {{
    name: taptable
    listen: "{host}:{cluster_port}"
    routes: [{routes}]
}}
mqtt {{
    listen: "{host}:{port}"
    stream_replicas: {nodes}
    consumer_replicas: {nodes}
}}
include users.conf
"""


@contextmanager
def nats(passwords: Mapping[str, str]) -> Generator[Nats]:
    """Three nodes with these accounts, each of which has its role's rights for a league's topics."""
    found = program("nats-server")
    cluster_ports = [free_port() for _ in range(NODES)]
    routes = ", ".join(f'"nats://{HOST}:{port}"' for port in cluster_ports)
    with a_folder() as folder, ExitStack() as stack:
        write_nats_users(folder / "users.conf", LEAGUE, passwords)
        nodes: list[NatsNode] = []
        for number, cluster_port in enumerate(cluster_ports, 1):
            name, port, health_port = f"nats{number}", free_port(), free_port()
            text = _NODE.format(
                name=name,
                host=HOST,
                client_port=free_port(),
                health_port=health_port,
                folder=folder,
                cluster_port=cluster_port,
                routes=routes,
                port=port,
                nodes=NODES,
            )
            config = folder / f"{name}.conf"
            config.write_text(text, encoding="utf-8")
            command = [found, "-c", str(config)]
            nodes.append(NatsNode(name, command, folder, port, b"Server is ready", health_port=health_port))
        for node in nodes:
            node.start(wait=False)
            stack.callback(node.stop)
        cluster = Nats(nodes, folder)
        cluster.wait_until_ready()
        yield cluster
