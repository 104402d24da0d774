"""A permanent connection to a broker, for the table's own messages and for the league alike: reconnects after growing
pauses whenever it is lost, and logs each fault once. Must not know the messages."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator
from typing import Any

from aiomqtt import MqttError, ProtocolVersion, Will
from aiomqtt.exceptions import MqttCodeError, MqttConnectError
from paho.mqtt.reasoncodes import ReasonCode

from taptable.config import Account
from taptable.core.errors import ConfigError, TaptableError
from taptable.uplink.broker import BrokerClient, make_client

BROKER_TIMEOUT_S = 5.0
"""Timeout of each answer of a broker."""
KEEPALIVE_S = 15
"""Keep-alive of MQTT in seconds: the bridge sends something at least this often. The broker publishes the will of a
bridge that has been silent for one and a half times as long."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""The shortest and the longest pause before a retry, in seconds. A connection that lasts longer than the longest one
makes the next pause short again."""
MAX_QUEUED = 64
"""Length of the queue of received messages; beyond it they are dropped."""
MAX_CLOSED = 3
"""Number of short connections after which a twin is suspected: a broker of MQTT 3.1.1 closes each of two clients with
the same id in turn, and can't say why."""
UNSUPPORTED_VERSION, TAKEN_OVER = 0x84, 0x8E
"""Reason codes of MQTT 5: the broker speaks another version, or another client has taken this one's id over."""

_log = logging.getLogger(__name__)

Serve = Callable[[BrokerClient], Awaitable[None]]
Report = Callable[[str], None]
"""Receives a sentence about a fault, "" when it is over."""


class BrokerAway(TaptableError):
    """The broker can't be reached, refuses us, or has closed the connection. `taken_over`: it said that another client
    has taken our id; `closed`: it closed a connection that it had accepted; `other_version`: it may speak another
    version of MQTT."""

    def __init__(
        self, reason: str, *, taken_over: bool = False, closed: bool = False, other_version: bool = False
    ) -> None:
        super().__init__(reason)
        self.taken_over = taken_over
        self.closed = closed
        self.other_version = other_version


class _Complaints:
    """Logs the faults of a connection, each sentence once until a connection has lasted, and reports a twin."""

    def __init__(self, at: str, identifier: str, report: Report) -> None:
        self._at = at
        self._identifier = identifier
        self._report = report
        self._logged: set[str] = set()
        self._closed = 0

    def reset(self) -> None:
        """Start over, since a connection has lasted."""
        self._logged.clear()
        self._closed = 0
        self._report("")

    def add(self, error: BrokerAway) -> None:
        """Log why a connection was lost, or not made."""
        self._closed += error.closed
        sentence = str(error)
        if error.taken_over:
            sentence = (
                f"another client at {self._at} uses the id {self._identifier}, and takes this bridge's connection over:"
                " is there another table of this name, or a second bridge of this table?"
            )
        elif self._closed >= MAX_CLOSED:
            sentence = (
                f"{self._at} closes each connection soon after it was made: does another client use the id"
                f" {self._identifier}, such as another table of this name or a second bridge of this table?"
            )
        if error.taken_over or self._closed >= MAX_CLOSED:
            self._report(sentence)
        if sentence not in self._logged:
            self._logged.add(sentence)
            _log.warning("Broker connection lost or refused, retried within %d s: %s", LONGEST_PAUSE_S, sentence)


async def keep_connected(
    account: Account,
    identifier: str,
    serve: Serve,
    will: Will | None = None,
    *,
    report: Report = lambda _: None,
    versions: Iterable[ProtocolVersion] = (ProtocolVersion.V311,),
) -> None:
    """Stay connected to a broker as `identifier`, in the first of these versions of MQTT that it speaks, and run
    `serve` with each connection until that is lost. Never returns. `report` receives a sentence about a twin, another
    client with this id."""
    at = f"the broker at {account.host}:{account.port}"
    retry_pauses, version_queue, complaints = pauses(), deque(versions), _Complaints(at, identifier, report)
    while True:
        began_s = time.monotonic()
        reset_timer = asyncio.get_running_loop().call_later(LONGEST_PAUSE_S, complaints.reset)
        try:
            await _serve(account, at, identifier, serve, will, version_queue[0])
        except BrokerAway as error:
            if error.other_version:
                version_queue.rotate()
            complaints.add(error)
        finally:
            reset_timer.cancel()
        if time.monotonic() - began_s > LONGEST_PAUSE_S:
            retry_pauses = pauses()
        await asyncio.sleep(next(retry_pauses))


async def run_once(account: Account, identifier: str, do: Serve, versions: Iterable[ProtocolVersion]) -> None:
    """Run `do` once at a broker, on a connection of its own; reconnects until it has succeeded."""
    done = asyncio.Event()

    async def serve(client: BrokerClient) -> None:
        await do(client)
        done.set()

    async def wait() -> None:
        await done.wait()

    await run_until_first_ends(wait(), keep_connected(account, identifier, serve, versions=versions))


async def run_until_first_ends(*coroutines: Coroutine[Any, Any, None]) -> None:
    """Run several coroutines until the first of them ends, cancel the others, and end as the first did."""
    tasks = [asyncio.ensure_future(each) for each in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await cancel_all(tasks)


async def cancel_all(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for their end. aiomqtt's own waiting loses a cancellation that coincides with what it waits
    for (Python 3.11's `wait_for`), so the cancellation is repeated. If the caller is cancelled meanwhile, that takes
    effect once all have ended: a task that nobody waits for could keep the process from ending."""
    cancelled = False
    while unfinished := [task for task in tasks if not task.done()]:
        for task in unfinished:
            task.cancel()
        try:
            await asyncio.wait(unfinished, timeout=0.1)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


def pauses() -> Iterator[float]:
    """Yield the pause before each retry, in seconds: doubled each time, and random so that not all tables retry at
    once."""
    pause_s = FIRST_PAUSE_S
    while True:
        yield pause_s * random.uniform(0.5, 1.0)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


async def _serve(
    account: Account, at: str, identifier: str, serve: Serve, will: Will | None, version: ProtocolVersion
) -> None:
    """Run one connection until it is lost. Always ends with `BrokerAway`, which says why."""
    connected = closed = False
    try:
        client = client_of(account, identifier, will, version)
        try:
            async with client:
                connected = True
                _log.info("Connected to %s", at)
                await serve(client)
        finally:
            closed = client.closed
    except MqttConnectError as error:
        reason = f"{at} refuses the account {account.user or 'without a name'}: {error}"
        raise BrokerAway(reason, other_version=_reason_of(error) == UNSUPPORTED_VERSION) from error
    except (MqttError, OSError, ConfigError) as error:
        raise BrokerAway(
            f"{at}: {error}",
            taken_over=_reason_of(error) == TAKEN_OVER,
            closed=connected and closed,
            other_version=closed and not connected,
        ) from error


def client_of(
    account: Account, identifier: str, will: Will | None = None, version: ProtocolVersion = ProtocolVersion.V311
) -> BrokerClient:
    """Return a client as `make_client` does, with the bridge's timeouts and limits."""
    return make_client(
        account,
        identifier,
        will=will,
        protocol=version,
        timeout=BROKER_TIMEOUT_S,
        keepalive=KEEPALIVE_S,
        max_queued_incoming_messages=MAX_QUEUED,
    )


def _reason_of(error: BaseException | None) -> int | None:
    """Return the reason code by which a broker of MQTT 5 caused this error; None if there is none."""
    while error is not None:
        if isinstance(error, MqttCodeError) and isinstance(error.rc, ReasonCode):
            return error.rc.value
        error = error.__cause__
    return None
