"""A connection to a broker that is there for good: made, and made again after growing pauses whenever it is lost, for
the table's own messages and for the league alike. What is wrong with it is logged once. Must not know what is said."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from typing import Any

from aiomqtt import Client, MqttError, Will
from aiomqtt.exceptions import MqttConnectError

from taptable.config import Account
from taptable.core.errors import ConfigError, TaptableError
from taptable.uplink.broker import a_client

PATIENCE_S = 5.0
"""How long a broker may take for an answer."""
KEEPALIVE_S = 15
"""It hears from us at least so often, and says that we are gone after half as much again."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
MOST_UNHEARD = 64
"""Messages that may wait to be read; more are dropped."""

_log = logging.getLogger(__name__)


class BrokerAway(TaptableError):
    """A broker isn't there, doesn't take us, or has gone; says why."""


async def keep_connected(
    account: Account, identifier: str, serve: Callable[[Client], Awaitable[None]], will: Will | None = None
) -> None:
    """Be connected to a broker as `identifier`, for good, and `serve` each connection until it is lost."""
    said, waits = "", pauses()
    while True:
        began_s = time.monotonic()
        try:
            await _serve(account, identifier, serve, will)
        except BrokerAway as error:
            if str(error) != said:
                said = str(error)
                _log.warning("%s", error)
        if time.monotonic() - began_s > LONGEST_PAUSE_S:
            said, waits = "", pauses()
        await asyncio.sleep(next(waits))


async def together(*doing: Coroutine[Any, Any, None]) -> None:
    """Do several things until the first of them ends, as it ended."""
    tasks = [asyncio.ensure_future(each) for each in doing]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await end(tasks)


async def end(tasks: Collection[asyncio.Task[None]]) -> None:
    """Let them end. The client's own waiting loses a cancellation that comes together with what it waits for (Python
    3.11's `wait_for`), so they are told again."""
    while going := [task for task in tasks if not task.done()]:
        for task in going:
            task.cancel()
        await asyncio.wait(going, timeout=0.1)


def pauses() -> Iterator[float]:
    """How long to wait before each try, in seconds: twice as long each time, and never all tables at once."""
    pause_s = FIRST_PAUSE_S
    while True:
        yield pause_s * random.uniform(0.5, 1.0)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


async def _serve(
    account: Account, identifier: str, serve: Callable[[Client], Awaitable[None]], will: Will | None
) -> None:
    """One connection, as long as it lasts; `BrokerAway` says why it ended."""
    at = f"the broker at {account.host}:{account.port}"
    try:
        async with client_of(account, identifier, will) as client:
            _log.info("connected to %s", at)
            await serve(client)
    except MqttConnectError as error:
        raise BrokerAway(f"{at} doesn't take the account {account.user or 'without a name'}: {error}") from error
    except (MqttError, OSError, ConfigError) as error:
        raise BrokerAway(f"{at}: {error}") from error


def client_of(account: Account, identifier: str, will: Will | None = None) -> Client:
    """As `a_client`, with the patience of a bridge."""
    return a_client(
        account,
        identifier,
        will=will,
        timeout=PATIENCE_S,
        keepalive=KEEPALIVE_S,
        max_queued_incoming_messages=MOST_UNHEARD,
    )
