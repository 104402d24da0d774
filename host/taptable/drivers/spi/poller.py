"""All pads whose readers are on the Pi's SPI buses, polled in turn about twenty times a second, with one field on at a
time. Polling blocks and runs in an executor; its events are reported on the loop. Must not know what a card is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from taptable.core.device_events import DeviceEvent, Identify
from taptable.core.errors import DeviceError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.drivers.header_lines import bcm_of, bus_and_device
from taptable.drivers.interface import DeviceContext, OpenedParts, Part
from taptable.drivers.reader_health import ReaderHealth
from taptable.drivers.spi.pad import OpenReader, PadReader, Sleep, SpiPad, WatchedPad

POLL_S = 0.05
"""The time from the beginning of one round to the next."""

MIN_PAUSE_S = 0.005
"""The shortest pause between rounds, however long one took."""


def open_on_bus(place: SpiPad) -> PadReader:
    """Open the reader of a pad. Raises DeviceError with what is missing."""
    try:
        from taptable.drivers.spi.reader import SpiReader  # imports RPi.GPIO and spidev, which may be missing

        return SpiReader(
            place.bus,
            place.device,
            pin_rst=place.pin_rst,
            speed_hz=place.speed_hz,
            pulse_reset=place.own_reset,
            gain_db=place.gain_db,
        )
    except DeviceError:
        raise
    except OSError as error:
        raise DeviceError(f"spi:{place.bus}.{place.device} can't be opened ({error}): is SPI enabled?") from error
    except Exception as error:  # off a Pi RPi.GPIO fails in many ways, and its replacement on a Pi 5 in others
        raise DeviceError(f"spi:{place.bus}.{place.device}: mfrc522 can't be used here: {error}") from error


class SpiPads:
    """The pads at `places`. Device events go to `report`. One read is enough for a tag that `identify` knows."""

    def __init__(
        self,
        places: Sequence[SpiPad],
        *,
        report: Callable[[DeviceEvent], object],
        now_us: Callable[[], int],
        identify: Identify,
        open_reader: OpenReader = open_on_bus,
        sleep: Sleep = asyncio.sleep,
        is_quiet: Callable[[], bool] = lambda: True,
    ) -> None:
        self.rounds = 0
        """How often every pad has been looked at."""
        self._report = report
        self._now_us = now_us
        self._sleep = sleep
        pins = Counter(place.pin_rst for place in places)
        self._pads = [
            WatchedPad(
                replace(place, own_reset=pins[place.pin_rst] == 1),
                keep_field=len(places) == 1,
                now_us=now_us,
                identify=identify,
                open_reader=open_reader,
                is_quiet=is_quiet,
            )
            for place in places
        ]

    def poll(self) -> list[DeviceEvent]:
        """Look at every pad once. Blocks for some milliseconds a pad. Faults are among the events returned, never
        raised."""
        return [device_event for pad in self._pads for device_event in pad.poll()]

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each pad's reader."""
        return {pad.place.pad: pad.health for pad in self._pads}

    def close(self) -> None:
        """Switch all fields off and close all buses."""
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


def pads_at(parts: Sequence[Part]) -> list[SpiPad]:
    """Return the pads of these parts, the discard pad first."""
    pads: list[SpiPad] = []
    for part in parts:
        assert part.pad is not None
        bus, device = bus_and_device(part.address)
        reset = part.options["reset"]
        pin_rst = None if reset is None else bcm_of(reset)
        pads.append(SpiPad(part.pad, bus, device, pin_rst=pin_rst, gain_db=part.options["gain_db"]))
    return sorted(pads, key=lambda place: place.pad != DISCARD_PAD)


class SpiParts(OpenedParts):
    """All pads on SPI, polled in a thread of their own while they are open."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part], open_reader: OpenReader, sleep: Sleep) -> None:
        self._pads = SpiPads(
            pads_at(parts),
            report=context.report,
            now_us=context.now_us,
            identify=context.identify,
            open_reader=open_reader,
            sleep=sleep,
            is_quiet=context.is_quiet,
        )
        self._executor = context.executor()
        self._polling: asyncio.Task[None] | None = None

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each pad's reader."""
        return self._pads.health

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """How often every pad has been looked at."""
        return {"the readers": lambda: self._pads.rounds}

    def open(self) -> None:
        """Start polling."""
        self._polling = asyncio.create_task(self._pads.run(self._executor), name="readers on SPI")

    async def close(self) -> None:
        """Stop polling, switch the fields off and close the buses."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait([self._polling])
        self._executor.shutdown(wait=False)
