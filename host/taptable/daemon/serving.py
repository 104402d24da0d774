"""Runs one table in this process until a signal ends it: a game, or the assignment of its seats before it can be
played, one after the other as people ask. Each opens its devices and sockets by itself and has closed them before the
next one begins. A process that is killed at any time leaves the same files for the next start."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import ExitStack

from taptable import __version__
from taptable.api.socket_paths import socket_folder
from taptable.config import Config, InvalidParts
from taptable.config.parts_file import relocate, text_of, write_parts
from taptable.core.errors import ConfigError
from taptable.daemon.daemon import ChangeOver, Daemon
from taptable.daemon.power_off import PowerSwitch, SwitchOff
from taptable.daemon.seat_assignment import SeatAssignment, is_overruled
from taptable.daemon.session_controller import SessionController
from taptable.daemon.supervision import Report, Supervisor, Watch
from taptable.daemon.without_game import TableWithoutGame, stop_with_pipe
from taptable.drivers.registry import Drivers
from taptable.memory.journal import WITHOUT_GAME, WriterLock
from taptable.words import Vocabulary, Words

ANSWERED_S = 0.1
"""Seconds from a request that ends a table to its end, so that the answer arrives before."""

LoadConfig = Callable[[bool], Config]
"""Reads the configuration, with the parts of ``parts.toml`` or without, as `config.load_config`."""

_log = logging.getLogger(__name__)


def _stop_by_signals() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping


async def serve_assignment(config: Config, drivers: Drivers, fault: str) -> None:
    """Run the assignment of seats alone, for a command that has started it, until it has ended or a signal ends it. The
    end of standard input ends it, too, if that is a pipe."""
    stopping = _stop_by_signals()
    with stop_with_pipe(stopping):
        await assign_seats(config, drivers, Supervisor(), stopping, None, fault, WITHOUT_GAME)


async def serve(load: LoadConfig, drivers: Drivers, supervisor: Supervisor) -> None:
    """Run the table, or the assignment of its seats if it has none yet, until SIGTERM or SIGINT."""
    stopping = _stop_by_signals()
    change: ChangeOver | None = ChangeOver(to_assignment=False)
    while change is not None:
        config, fault = _load(load)
        if change.to_assignment or not config.seats:
            change = await assign_seats(config, drivers, supervisor, stopping, change.seats, fault)
        else:
            config = await _with_moved_parts(config, load, drivers)
            change = await play(config, drivers, supervisor, stopping)


def _load(load: LoadConfig) -> tuple[Config, str]:
    """Return the configuration, and what is wrong with ``parts.toml``: then without its parts."""
    try:
        return load(True), ""
    except InvalidParts as error:
        _log.error("Parts not usable, the seats are assigned again: %s", error)
        return load(False), "\n".join(error.sentences)


async def _with_moved_parts(config: Config, load: LoadConfig, drivers: Drivers) -> Config:
    """Return the configuration with the present addresses of assigned parts that were plugged in elsewhere. Log those
    that aren't found."""
    if config.assigned is None:
        if is_overruled(config) and config.parts_file.exists():
            _log.info("Assigned parts not used: %s names the seats and wins over %s", config.file, config.parts_file)
        return config
    if not config.assigned.known:
        return config
    found = await asyncio.get_running_loop().run_in_executor(None, drivers.find)
    where = relocate(config.assigned, found)
    for address in where.missing:
        _log.warning("Part not found: %s; plug it in, or assign the seats again (taptable seats)", address)
    if not where.moved:
        return config
    for before, now in where.moved:
        _log.info("Part found elsewhere: %s is at %s now", before, now)
    try:
        write_parts(config.parts_file, text_of(where.parts))
        return load(True)
    except ConfigError as error:
        _log.error("Moved parts not stored, they are looked for again at the next start: %s", error)
        return config


async def play(config: Config, drivers: Drivers, supervisor: Supervisor, stopping: asyncio.Event) -> ChangeOver | None:
    """Run the daemon until `stopping`, or until it is to change over. Report its status to the supervisor and pet the
    watchdog."""
    vocabulary = Vocabulary()
    report = Report(supervisor, Words(config.table.language, vocabulary))
    change = _Change(stopping)
    daemon = Daemon(
        config,
        drivers,
        report.on_update,
        requests=supervisor.requests,
        vocabulary=vocabulary,
        sockets=socket_folder(config.table.journal),
        change_over=change.ask,
    )
    watch = Watch(supervisor, daemon.devices.progress_counters)
    try:
        await daemon.start()
        supervisor.ready()
        watch.start()
        _log.info("taptable %s at table %s", __version__, config.table.name)
        await change.wait()
        report.close()
        if change.asked is None:
            supervisor.stopping()
    finally:
        watch.stop()
        await daemon.stop()
    return change.asked


async def assign_seats(
    config: Config,
    drivers: Drivers,
    supervisor: Supervisor,
    stopping: asyncio.Event,
    seats: int | None,
    fault: str,
    remark: str = "",
) -> ChangeOver | None:
    """Run the assignment of the table's seats until it has ended or `stopping`. `fault` says what is wrong with
    ``parts.toml``; `remark` is that of the journal's lock."""
    assignment = SeatAssignment(config, drivers, fault)
    assignment.begin(seats)
    change = _Change(stopping)
    assignment.on_end = lambda: change.ask(ChangeOver(to_assignment=False))
    words = Words(config.table.language)

    def switch_off(controller: SessionController) -> SwitchOff | None:
        switch = PowerSwitch(supervisor.requests, controller)
        return switch.request_power_off if switch.is_available else None

    with ExitStack() as held:
        held.callback(WriterLock(config.table.journal, remark).release)
        sockets = socket_folder(config.table.journal)
        table = TableWithoutGame(config, drivers, sockets, assignment=assignment, switch_off=switch_off)
        watch = Watch(supervisor, {})
        held.callback(watch.stop)
        try:
            await table.start()
            supervisor.ready()
            supervisor.status(words.text("seats", "status"))
            watch.start()
            _log.info("taptable %s at table %s, seats are being assigned", __version__, config.table.name)
            await change.wait()
            if change.asked is None:
                supervisor.stopping()
        finally:
            await table.stop()
    return change.asked


class _Change:
    """Waits until the process stops, or something else is to run."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self.asked: ChangeOver | None = None
        self._stopping = stopping
        self._is_due = asyncio.Event()

    def ask(self, change: ChangeOver) -> None:
        """Change over, once the request that asked for it is answered."""
        self.asked = change
        asyncio.get_running_loop().call_later(ANSWERED_S, self._is_due.set)

    async def wait(self) -> None:
        """Wait until the table ends; a signal wins over `asked`."""
        waits = [asyncio.ensure_future(event.wait()) for event in (self._stopping, self._is_due)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._stopping.is_set():
            self.asked = None
