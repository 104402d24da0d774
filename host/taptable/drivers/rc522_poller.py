"""Pads whose readers share a bus of this computer, polled in turn about twenty times a second, with one field on at a
time. Polling blocks and runs in an executor; its events are reported on the loop. Must not know which bus it is, nor
what a card is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor

from taptable.core.device_events import DeviceEvent, Identify
from taptable.core.observations import Pad
from taptable.drivers.interface import DeviceContext, OpenedParts
from taptable.drivers.rc522_pad import OpenReader, WatchedPad
from taptable.drivers.reader_health import ReaderHealth

POLL_S = 0.05
"""The time from the beginning of one round to the next."""

MIN_PAUSE_S = 0.005
"""The shortest pause between rounds, however long one took."""

Sleep = Callable[[float], Awaitable[None]]
"""Waits for a number of seconds, or longer if no look meanwhile could find anything new."""


class PolledPads:
    """The pads of these readers, looked at in their order. Device events go to `report`. One read is enough for a tag
    that `identify` knows. `begin_round` is called before each round, where the polling blocks."""

    def __init__(
        self,
        readers: Mapping[Pad, OpenReader],
        *,
        report: Callable[[DeviceEvent], object],
        now_us: Callable[[], int],
        identify: Identify,
        sleep: Sleep = asyncio.sleep,
        is_quiet: Callable[[], bool] = lambda: True,
        begin_round: Callable[[], None] = lambda: None,
    ) -> None:
        self.rounds = 0
        """How often every pad has been looked at."""
        self._report = report
        self._now_us = now_us
        self._sleep = sleep
        self._begin_round = begin_round
        self._pads = [
            WatchedPad(
                pad,
                keep_field=len(readers) == 1,
                now_us=now_us,
                identify=identify,
                open_reader=open_reader,
                is_quiet=is_quiet,
            )
            for pad, open_reader in readers.items()
        ]

    def poll(self) -> list[DeviceEvent]:
        """Look at every pad once. Blocks for some milliseconds a pad. Faults are among the events returned, never
        raised."""
        self._begin_round()
        return [device_event for pad in self._pads for device_event in pad.poll()]

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each pad's reader."""
        return {pad.pad: pad.health for pad in self._pads}

    def close(self) -> None:
        """Switch all fields off and close all readers."""
        for pad in self._pads:
            pad.close()

    async def run(self, executor: Executor | None = None) -> None:
        """Poll until cancelled, in `executor` (None: the loop's own), and close at the end."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                began_s = loop.time()
                looking = loop.run_in_executor(executor, self.poll)
                try:
                    device_events = await asyncio.shield(looking)
                except asyncio.CancelledError:
                    await asyncio.wait([looking])  # a reader must not be closed while it is in use
                    raise
                self.rounds += 1
                for device_event in device_events:
                    self._report(device_event)
                idle_us = min((pad.due_us for pad in self._pads), default=0) - self._now_us()
                await self._sleep(max(MIN_PAUSE_S, POLL_S - (loop.time() - began_s), idle_us / 1_000_000))
        finally:
            self.close()


class PolledParts(OpenedParts):
    """The pads of one driver, by the name of each bus for people. Every bus is polled in a thread of its own while they
    are open, so that one that hangs delays no other."""

    def __init__(self, context: DeviceContext, buses: Mapping[str, PolledPads]) -> None:
        self._buses = buses
        self._executors = {name: context.executor() for name in buses}
        self._polling: list[asyncio.Task[None]] = []

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each pad's reader."""
        return {pad: health for pads in self._buses.values() for pad, health in pads.health.items()}

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """How often every pad of each bus has been looked at."""

        def rounds_of(pads: PolledPads) -> Callable[[], int]:
            return lambda: pads.rounds

        return {name: rounds_of(pads) for name, pads in self._buses.items()}

    def open(self) -> None:
        """Start polling."""
        self._polling = [
            asyncio.create_task(pads.run(self._executors[name]), name=name) for name, pads in self._buses.items()
        ]

    async def close(self) -> None:
        """Stop polling, switch the fields off and close the buses."""
        for polling in self._polling:
            polling.cancel()
        if self._polling:
            await asyncio.wait(self._polling)
        for executor in self._executors.values():
            executor.shutdown(wait=False)
