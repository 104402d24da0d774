"""A command's connection to a table: the running one, or one without a game that the command starts and ends; and the
dialogue at its discard pad, with the keys of a terminal. It must not know the commands."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, TypeAlias, cast

from taptable.api.client import Client, TableAway
from taptable.api.errors import RequestError, result_or_raise
from taptable.api.facts import DIALOGUE, EnrolmentFacts, decode_topics
from taptable.api.requests import EnrolStep, Request, Role, Subscribe, method_of
from taptable.api.rpc import LONGEST_LINE, RpcMessage, decode_message, encode_call
from taptable.api.socket_paths import FOLDER_VARIABLE, socket_folder, socket_path
from taptable.core.errors import DeckError, DeviceError, TaptableError
from taptable.keyboard import TypedLines
from taptable.memory.journal import lock_holder

START_TIMEOUT_S, POLL_INTERVAL_S = 60.0, 0.05
"""Seconds that a table without a game may take to start, and seconds between two attempts to connect to it."""
STOP_TIMEOUT_S = 20.0
"""Seconds that a table without a game may take to end."""
ERROR_PREFIX = "taptable run: "
"""The beginning of the lines in which a table without a game prints why it can't start."""

Say: TypeAlias = Callable[[str, Mapping[str, object]], None]
"""Prints a sentence of the catalogues' context ``deck``, given its key and facts."""


class TableBusy(DeviceError):
    """A table runs and can't be reached."""


def find_running_table(journal: Path) -> Path | None:
    """Return the administrator's socket of the running table with this journal, None if none runs. Raise `TableBusy` if
    one runs that can't be reached: it would overwrite changes of its files."""
    path = socket_path(socket_folder(journal), Role.ADMIN)
    try:
        with Client(path):
            return path
    except TableAway as error:
        if lock_holder(journal) is not None:
            raise TableBusy(str(error)) from error
        return None


@contextmanager
def ensure_table(journal: Path, options: Sequence[str], mode: str = "--no-game") -> Generator[Path]:
    """Yield the administrator's socket of the table with this journal. If none runs, start one without a game with
    these options of ``taptable run`` and its `mode`, and end it with this context. Raise `TableBusy` as
    `find_running_table` does."""
    running = find_running_table(journal)
    if running is not None:
        yield running
        return
    with (
        TemporaryDirectory(prefix="taptable-") as folder,
        TemporaryFile() as log,
        # Ctrl-C is for the command alone; the pipe closes when the command ends, for any reason
        subprocess.Popen(
            [sys.executable, "-P", "-m", "taptable", "run", mode, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env={**os.environ, FOLDER_VARIABLE: folder},
            start_new_session=True,
        ) as child,
    ):
        path = socket_path(Path(folder), Role.ADMIN)
        try:
            _wait_until_ready(path, child)
            yield path
        except TableAway as error:
            if child.poll() is None:
                raise
            raise _exit_error(log) from error
        finally:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(STOP_TIMEOUT_S)
            child.kill()


def _wait_until_ready(path: Path, child: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            with Client(path):
                return
        except TableAway:
            if child.poll() is not None or time.monotonic() > deadline:
                raise
        time.sleep(POLL_INTERVAL_S)


def _exit_error(log: IO[bytes]) -> TaptableError:
    """Return the reason that a table without a game has printed before it ended; log lines don't count."""
    log.seek(0)
    sentences = [line for line in log.read().decode(errors="replace").splitlines() if line.startswith(ERROR_PREFIX)]
    return DeviceError(
        "\n".join(line.removeprefix(ERROR_PREFIX) for line in sentences) or "the table without a game has ended"
    )


class TableConnection:
    """A connection to the table at the socket `path`, as an asynchronous context. `on_topics_changed` gets the topics
    that the table reports."""

    def __init__(self, path: Path, on_topics_changed: Callable[[Mapping[str, Any]], None]) -> None:
        self._path = path
        self._on_topics_changed = on_topics_changed
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[RpcMessage]] = {}

    async def __aenter__(self) -> TableConnection:
        try:
            self._reader, self._writer = await asyncio.open_unix_connection(self._path, limit=LONGEST_LINE)
        except OSError as error:
            raise TableAway(self._path, error.strerror or str(error)) from error
        self.listener = asyncio.create_task(self._listen(), name="table")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.listener.cancel()
        await asyncio.wait({self.listener})
        self._writer.close()

    async def call(self, request: Request) -> dict[str, Any]:
        """Return the result of a request; raise `RequestError` if it is refused, `TableAway` if the table has gone."""
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._writer.write(encode_call(number, method_of(type(request)), request))
        await asyncio.wait({answer, self.listener}, return_when=asyncio.FIRST_COMPLETED)
        del self._answers[number]
        if not answer.done():
            raise TableAway(self._path, "it is gone")
        return result_or_raise(answer.result())

    async def _listen(self) -> None:
        """Read messages until the table has gone."""
        with suppress(ConnectionError):
            while line := await self._reader.readline():
                message = decode_message(line)
                if message.method == "changed":
                    self._on_topics_changed(decode_topics(message.params))
                elif isinstance(message.id, int) and message.id in self._answers:
                    self._answers[message.id].set_result(message)


class PadDialogue:
    """One dialogue at the discard pad from a terminal. `say` prints the table's sentences, or raises `DeckError` to end
    the dialogue; each of the `keys` requests its step; `help_key` is the key of the sentence that lists them."""

    def __init__(self, say: Say, keys: Mapping[str, EnrolStep], help_key: str) -> None:
        self._say = say
        self._keys = keys
        self._help_key = help_key
        self._is_started = False
        self._enrolment: EnrolmentFacts | None = None
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._ended: asyncio.Future[EnrolmentFacts] = asyncio.get_running_loop().create_future()

    async def run(self, socket: Path, requests: Sequence[Request], descriptor: int) -> EnrolmentFacts:
        """Begin the dialogue by these requests and return its state at the end; lines are read from `descriptor`. Raise
        `DeckError` if that is impossible, `TableAway` if the table has gone."""
        lines = TypedLines(descriptor, self._lines.put_nowait, lambda: self._lines.put_nowait(None))
        async with TableConnection(socket, self._on_topics_changed) as table:
            typing = asyncio.create_task(self._handle_keys(table), name="keys")
            try:
                await table.call(Subscribe(("enrolment", DIALOGUE)))
                for request in requests:
                    await table.call(request)
                self._is_started = True
                self._check_end()
                lines.open()
                await asyncio.wait({self._ended, typing, table.listener}, return_when=asyncio.FIRST_COMPLETED)
                if self._ended.done():
                    return self._ended.result()
                if typing.done():
                    await typing
                raise TableAway(socket, "it is gone")
            except (asyncio.CancelledError, DeckError):
                with suppress(TaptableError):
                    await table.call(EnrolStep("stop"))
                raise
            finally:
                lines.close()
                typing.cancel()

    def _on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        dialogue = topics.get(DIALOGUE)
        for item in [] if dialogue is None else cast("list[dict[str, Any]]", dialogue["items"]):
            if self._ended.done():
                break
            # words need tuples for lists of names, and JSON has none
            facts: dict[str, Any] = {
                name: tuple(cast("list[Any]", fact)) if isinstance(fact, list) else fact
                for name, fact in item["facts"].items()
            }
            try:
                self._say(item["key"], facts)
            except DeckError as error:
                self._ended.set_exception(error)
        if "enrolment" in topics:
            self._enrolment = topics["enrolment"]
            self._check_end()

    def _check_end(self) -> None:
        if self._is_started and self._enrolment is not None and self._enrolment.over and not self._ended.done():
            self._ended.set_result(self._enrolment)

    async def _handle_keys(self, table: TableConnection) -> None:
        """Request the steps that the lines ask for, one after the other; the end of the input stops the dialogue."""
        while not self._ended.done():
            line = await self._lines.get()
            if self._ended.done():
                return
            step = EnrolStep("stop") if line is None else self._keys.get(line.lower())
            if step is not None:
                with suppress(RequestError):  # the dialogue is over already
                    await table.call(step)
                continue
            if line:
                self._say("no-key", {"key": line})
            self._say(self._help_key, {})
