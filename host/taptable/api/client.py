"""A blocking client of the table, for programs that do one thing at a time: connects to a socket, sends requests and
receives changes of topics. Must not know what the facts mean."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Self

import msgspec

from taptable.api.errors import result_or_raise
from taptable.api.facts import TableFacts, decode_topics
from taptable.api.requests import VERSION, Hello, Request, Subscribe, method_of
from taptable.api.rpc import RpcMessage, decode_message, encode_call
from taptable.core.errors import TaptableError

ANSWER_TIMEOUT_S = 10.0
"""Seconds to wait for each response. Changes of subscribed topics are awaited without a limit."""


class TableAway(TaptableError):
    """No table answers at a socket, or the connection to it was lost."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"no table answers at {path}: {reason}")
        self.path = path
        self.reason = reason


class Client:
    """A connection to the table whose socket is at `path`, used as a context manager. `facts` hold the answer to
    ``hello``. The constructor raises `TableAway` if no table answers, `RequestError` if the table refuses this
    version."""

    def __init__(self, path: Path, timeout_s: float = ANSWER_TIMEOUT_S) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._numbers = count(1)
        self._changes: deque[Mapping[str, Any]] = deque()
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(timeout_s)
            self._socket.connect(str(path))
            self._lines = self._socket.makefile("rb")
            self.facts = msgspec.convert(self.call(Hello(VERSION)), TableFacts)
        except OSError as error:
            self._socket.close()
            raise self._away_error(error) from error
        except TaptableError:
            self._socket.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with closing(self._socket):
            self._lines.close()

    def call(self, request: Request) -> dict[str, Any]:
        """Send a request and return its result. Raises `RequestError` if the table refuses it, `TableAway` if the
        connection fails."""
        number = next(self._numbers)
        self._socket.settimeout(self._timeout_s)
        try:
            self._socket.sendall(encode_call(number, method_of(type(request)), request))
        except OSError as error:
            raise self._away_error(error) from error
        while (message := self._receive()).id != number:
            pass
        return result_or_raise(message)

    def subscribe(self, *topics: str, timeout_s: float | None = None) -> Iterator[Mapping[str, Any]]:
        """Subscribe to topics: yield all of them first, then those that changed, each time with the table's time.
        Raises `TableAway` if nothing changes for `timeout_s`."""
        self.call(Subscribe(topics))
        while True:
            while not self._changes:
                self._socket.settimeout(timeout_s)
                self._receive()
            yield self._changes.popleft()

    def _receive(self) -> RpcMessage:
        """Return the next message, and queue it as well if it reports changes."""
        try:
            line = self._lines.readline()
        except OSError as error:
            raise self._away_error(error) from error
        if not line:
            raise TableAway(self._path, "it is gone")
        message = decode_message(line)
        if message.method == "changed":
            self._changes.append(decode_topics(message.params))
        return message

    def _away_error(self, error: OSError) -> TableAway:
        return TableAway(self._path, error.strerror or str(error) or type(error).__name__)
