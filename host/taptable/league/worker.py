"""A worker of a league: receives by MQTT the messages of its tables, lets `ingest` store them, and publishes the
confirmations. Tables are divided into shards (`leases`), and a worker works for the tables of the shards that it has
leased. It connects with a clean session, so the broker keeps no messages for a worker that has gone. Nothing is lost by
that: a worker confirms only what it has stored, and tables send again what was not confirmed. Must not know what the
messages say."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum
from typing import Any, TypeVar

from aiomqtt import Client, MqttError
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError

from taptable.bridge.connection import run_until_first_ends
from taptable.core.errors import ConfigError
from taptable.league import leases
from taptable.league.database import read_transaction, write_transaction
from taptable.league.inbox import MessageInbox, TableSubscriptions, UnreadQueue
from taptable.league.ingest import DatabaseAway, Holder, Ingest, IngestOutcome, MqttMessage
from taptable.league.leases import NOBODY, LeaseLost, shard_of
from taptable.league.ratings import games_to_recount, rate_new_games
from taptable.league.schema import games, tables
from taptable.league.settings import LeagueSettings
from taptable.uplink.broker import make_client
from taptable.uplink.messages import table_of

LEASE_MS = 9_000
"""Milliseconds after which a lease ends unless it is renewed. A worker renews its leases after a third of it."""
AT_ONCE_BYTES = 1_000_000
"""Bytes of messages in one transaction: some thousands of entries. Messages that arrive meanwhile wait as long as that
takes. `limits.TRANSACTION_OF_A_TABLE_BYTES` bounds one table's share."""
PAUSE_S = 1.0
"""Seconds between retries, and between two counts of games."""
MAX_QUEUED = 10_000
"""Messages that may wait in the MQTT client. `_receive` reads them as they come, so they pile up only while the event
loop is busy. `limits.QUEUED_BYTES` bounds the same in bytes."""
MAX_UNACKNOWLEDGED = 200
"""Confirmations that the worker publishes without an acknowledgement of the broker; later ones wait in the client."""
KEEPALIVE_S = 15
"""Keep-alive of MQTT in seconds."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


def tune_garbage_collector() -> None:
    """Let Python collect cycles less often: replays of games are large and have few cycles, and searching them took a
    third of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def run_until_signal(do: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine until it ends, or until SIGTERM or SIGINT cancels it."""
    task = asyncio.ensure_future(do())
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


def now_ms() -> int:
    """Return the time in ms of UTC."""
    return time.time_ns() // 1_000_000


class _Job(Enum):
    """The work of a worker that can fail and is retried."""

    LEASES = "leases"
    BROKER = "broker"
    INGEST = "ingest"
    RATINGS = "ratings"
    CONFIRMATIONS = "confirmations"


class Worker:
    """One worker, from `run` until that is cancelled."""

    def __init__(self, settings: LeagueSettings, engine: Engine, name: str = "", lease_ms: int = LEASE_MS) -> None:
        self.name = name or f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(2)}"
        self._account = settings.broker.account
        self._engine = engine
        self._lease_ms = lease_ms
        self._ingest = Ingest(engine, settings.season_months, now_ms)
        self._holder = Holder(NOBODY, {})  # this worker; `fences` maps the shards it holds to their fencing numbers
        self._pending = MessageInbox()
        self._subscriptions = TableSubscriptions()
        self._has_pending = asyncio.Event()
        self._renew_now = asyncio.Event()  # leases have to be renewed now
        self._client: Client | None = None
        self._games_to_rate: set[str] = set()  # names of games, such as *online*
        self._remarks: list[tuple[str, str]] = []
        self._thread = ThreadPoolExecutor(1, "ingest")  # one thread, since replays aren't shared between threads
        self._faults = {job: set[str]() for job in _Job}  # sentences since the job last succeeded

    async def run(self) -> None:
        """Work until cancelled. Retries what fails, and logs each fault once until the work that it stopped
        succeeds."""
        with read_transaction(self._engine) as connection:
            self._games_to_rate |= set(connection.execute(select(games.c.game).distinct()).scalars())
        try:
            # not a TaskGroup, which cancels once: aiomqtt can lose that (`cancel_all`)
            await run_until_first_ends(self._keep_leases(), self._receive(), self._ingest_pending(), self._rate_games())
        finally:
            self._thread.shutdown()
            with suppress(SQLAlchemyError), write_transaction(self._engine) as connection:
                leases.release(connection, self.name)

    async def _keep_leases(self) -> None:
        """Renew the leases, and confirm the positions of the tables whose shards are new here."""
        while True:
            try:
                held, known = await asyncio.to_thread(self._renew)
            except SQLAlchemyError as error:
                self._log_once(_Job.LEASES, error)
            else:
                self._faults[_Job.LEASES].clear()
                before, self._holder = self._holder.fences, Holder(self.name, held)
                self._subscriptions.set_tables(known)
                await self._update_subscriptions()
                if new := held.keys() - before.keys():
                    _log.info("Shards leased (worker %s): %d", self.name, len(held))
                    await self._confirm_again(new)
            self._renew_now.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._renew_now.wait(), self._lease_ms / 3000)

    def _renew(self) -> tuple[dict[int, int], Sequence[str]]:
        with write_transaction(self._engine) as connection:
            held = leases.renew(connection, self.name, self._lease_ms)
            known = connection.execute(select(tables.c.id).where(tables.c.shard.in_(held))).scalars().all()
        return held, known

    async def _update_subscriptions(self) -> None:
        if (client := self._client) is not None:
            try:
                await self._subscriptions.update_subscriptions(client)
            except MqttError as error:
                self._log_once(_Job.BROKER, error)  # the connection is lost, and `_receive` reconnects

    async def _receive(self) -> None:
        """Connect to the broker and receive, again and again."""
        while True:
            try:
                async with self._connection() as client:
                    self._subscriptions.begin()
                    await self._subscriptions.update_subscriptions(client)
                    self._client = client
                    self._faults[_Job.BROKER].clear()
                    _log.info("Connected to the broker at %s:%d", self._account.host, self._account.port)
                    await self._confirm_again(self._holder.fences)
                    async for message in client.messages:
                        await self._enqueue(MqttMessage(str(message.topic), bytes(message.payload)))  # pyright: ignore[reportArgumentType]
            except (MqttError, OSError, ConfigError) as error:
                self._log_once(_Job.BROKER, error)
            finally:
                self._client = None
            await asyncio.sleep(PAUSE_S)

    def _connection(self) -> Client:
        client = make_client(
            self._account,
            f"taptable-league-{self.name}",
            clean_session=True,
            keepalive=KEEPALIVE_S,
            max_queued_incoming_messages=MAX_QUEUED,
            queue_type=UnreadQueue,
            max_inflight_messages=MAX_UNACKNOWLEDGED,
        )
        client.pending_calls_threshold = MAX_QUEUED
        return client

    async def _enqueue(self, message: MqttMessage) -> None:
        table = table_of(message.topic)
        if shard_of(table) not in self._holder.fences:
            return
        if self._pending.put(message):
            self._has_pending.set()
        elif self._subscriptions.refuse(table):
            _log.warning("Table suspended for a while, its queue is full (%s): it sends its messages again", table)
            self._pending.drop(table)
            self._remarks.append((table, "floods"))
            await self._update_subscriptions()

    async def _ingest_pending(self) -> None:
        """Store pending messages, and confirm them."""
        while True:
            await self._has_pending.wait()
            messages, holder = self._pending.take(AT_ONCE_BYTES), self._holder
            if not self._pending:
                self._has_pending.clear()
            own_messages = [message for message in messages if shard_of(table_of(message.topic)) in holder.fences]
            try:
                await self._remark()
                outcome = await self._in_thread(lambda: self._ingest.process(own_messages, holder))  # noqa: B023
            except LeaseLost as error:
                self._log_once(_Job.INGEST, error)
                self._renew_now.set()
            except DatabaseAway as error:
                self._log_once(_Job.INGEST, error)
                await asyncio.sleep(PAUSE_S)
            else:
                self._faults[_Job.INGEST].clear()
                self._games_to_rate |= outcome.games_to_rate
                self._pending.charge(outcome.spent_s)
                self._pending.put_back(outcome.unprocessed, outcome.deferred)
                if self._pending:
                    self._has_pending.set()
                await self._publish(outcome)

    async def _remark(self) -> None:
        """Store the collected remarks."""
        while self._remarks:
            table, key = self._remarks[0]
            await self._in_thread(lambda: self._ingest.remark(table, key, ""))  # noqa: B023
            del self._remarks[0]

    async def _rate_games(self) -> None:
        """Count games that have ended, and recount those that have to be, every `PAUSE_S`."""
        while True:
            try:
                self._games_to_rate |= set(await asyncio.to_thread(self._games_to_recount))
                while self._games_to_rate:
                    await self._rate_game(self._games_to_rate.pop())
            except SQLAlchemyError as error:
                self._log_once(_Job.RATINGS, error)
            else:
                self._faults[_Job.RATINGS].clear()
            await asyncio.sleep(PAUSE_S)

    async def _rate_game(self, game: str) -> None:
        """Count the games of this name. If that fails, they remain to be counted."""
        try:
            await asyncio.to_thread(rate_new_games, self._engine, game)
        except SQLAlchemyError:
            self._games_to_rate.add(game)
            raise

    def _games_to_recount(self) -> Sequence[str]:
        with read_transaction(self._engine) as connection:
            return games_to_recount(connection)

    async def _confirm_again(self, shards: Iterable[int]) -> None:
        try:
            answers = await self._in_thread(lambda: self._ingest.all_confirmations(shards))
        except SQLAlchemyError as error:
            self._log_once(_Job.CONFIRMATIONS, error)
        else:
            self._faults[_Job.CONFIRMATIONS].clear()
            await self._publish(IngestOutcome(answers))

    async def _publish(self, outcome: IngestOutcome) -> None:
        """Publish confirmations if the broker is connected; if not, all are published on reconnection."""
        client = self._client
        if client is None:
            return
        publications = [client.publish(answer.topic, answer.payload, qos=1, retain=True) for answer in outcome.answers]
        for error in await asyncio.gather(*publications, return_exceptions=True):
            if isinstance(error, MqttError):
                self._log_once(_Job.BROKER, error)  # the connection is lost, and `_receive` reconnects
                return
            if isinstance(error, BaseException):
                raise error

    async def _in_thread(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    def _log_once(self, job: _Job, error: Exception) -> None:
        """Log a fault that stopped a job, unless this or another job logged it already and hasn't succeeded since."""
        message = str(error).partition("\n")[0]
        if not any(message in logged for logged in self._faults.values()):
            _log.warning("Work interrupted, and retried: %s", message)
        self._faults[job].add(message)
