"""Records what passes below the drivers, in order: statements to SQLite, bytes to the seat boards, to the OLED and to
the pins. For tests of that order, and to end the process at one of its points."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from unittest.mock import patch

import serial
from tapshared.lines import Lines
from tapshared.verbs import PI
from taptable.config import Config
from taptable.drivers.board.driver import BoardDriver
from taptable.drivers.gpio.pin_model import ContactPin
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.registry import Drivers
from taptable.sim.table import SimulatedTable

T = TypeVar("T", bound=SimulatedTable)
STATEMENTS = ("BEGIN", "INSERT INTO games", "INSERT INTO entries", "UPDATE games", "COMMIT")


@dataclass(frozen=True)
class Passage:
    """One thing that passed. `what`: ``before …`` and ``after …`` one of `STATEMENTS`, with its values in `about`, or
    the connection if it has none; ``light``, ``ack`` and the other verbs of the wire, with the board and the fields;
    ``oled``, with the bytes; ``lamp`` and ``tone``, with the pin and its new state or pitch."""

    what: str
    about: Any = None


Watch = Callable[[Passage], None]


@contextmanager
def watched(watch: Watch) -> Iterator[Watched]:
    """While this lasts, `Watched.table` makes tables that report to `watch` what passes."""
    below = Watched(watch)
    with patch.object(sqlite3, "connect", below.connect), patch.object(os, "write", below.write):
        yield below


class Watched:
    """Listens below the drivers, and passes everything through."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._connect, self._write = sqlite3.connect, os.write
        self._boards: dict[int, tuple[str, Lines]] = {}

    def table(self, config: Config, seed: int, make: Callable[[Config, int], T] = SimulatedTable) -> T:
        """A simulated table, of this kind, whose OLED and pins are watched."""
        table = make(config, seed)
        table.stand_in("oled").model = _Display(self._watch)
        watch = self._watch

        class Pin(ContactPin):
            """A pin that reports its levels."""

            def _change_state(self, value: float) -> bool:
                changed: bool = super()._change_state(value)
                if changed and self.function == "output":
                    watch(
                        Passage("tone", (self.info.name, self.frequency if value else None))
                        if self.frequency
                        else Passage("lamp", (self.info.name, bool(value)))
                    )
                return changed

            def _set_frequency(self, value: float | None) -> None:
                super()._set_frequency(value)
                if value is not None and self.function == "output" and self.state:
                    watch(Passage("tone", (self.info.name, value)))

        table.stand_in("gpio").pins.factory.pin_class = Pin
        return table

    def drivers(self, drivers: Drivers) -> Drivers:
        """The same drivers, with watched serial ports."""

        boards: Any = drivers["board"]

        def port(board: str) -> serial.Serial:
            opened = boards.open_port(board)
            self._boards[opened.fileno()] = board, Lines(PI)
            return opened

        return replace(drivers, kinds={**drivers.kinds, "board": BoardDriver(port, boards.socket_of)})

    def connect(self, *arguments: Any, **options: Any) -> sqlite3.Connection:
        """In the place of `sqlite3.connect`."""
        connection: _Connection = self._connect(*arguments, **options, factory=_Connection)
        connection.watch = self._watch
        return connection

    def write(self, descriptor: int, data: Sequence[int]) -> int:
        """In the place of `os.write`."""
        written = self._write(descriptor, data)
        if descriptor in self._boards:
            board, lines = self._boards[descriptor]
            for message in lines.feed(bytes(data[:written])):
                self._watch(Passage(message.verb, (board, message.fields)))
        return written


class _Connection(sqlite3.Connection):
    watch: Watch

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        statement = next((each for each in STATEMENTS if sql.startswith(each)), None)
        if statement is None:
            return super().execute(sql, *values)
        about = values or (self,)
        self.watch(Passage(f"before {statement}", *about))
        cursor = super().execute(sql, *values)
        self.watch(Passage(f"after {statement}", *about))
        return cursor


class _Display(DisplayModel):
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        super().__init__()

    def write(self, payload: bytes) -> None:
        super().write(payload)
        self._watch(Passage("oled", payload))
