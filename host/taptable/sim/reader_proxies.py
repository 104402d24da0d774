"""Proxies between a process and the readers of a simulated table. They don't simulate a look again whose result must be
that of the last one. With given time they skip whole rounds of such looks at empty pads, up to the next change. The
process doesn't notice: it finds the same at the same times."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias, TypeVar

from taptable.core.errors import DeviceError
from taptable.core.settings import US_PER_S
from taptable.drivers.rc522_poller import MIN_PAUSE_S, POLL_S
from taptable.drivers.rc522_reader import PadReader
from taptable.sim.cards import HALT, IDLE, NfcCard
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.mfrc522_chip import Mfrc522Chip

MAX_SKIP_S = 5.0
"""The longest span that is skipped at once, so that a watchdog of the rounds sees progress."""

Result = TypeVar("Result")
Found: TypeAlias = tuple[list[bytes], bool]
StateBelow: TypeAlias = tuple[bytes, bytes, list[tuple[NfcCard, bytes, str]]]
"""A chip's registers and FIFO, and the cards in its field with their UIDs and states."""


class ReaderProxy:
    """A process's access to the reader of a part. After `cut`, when the process is gone, nothing of it reaches the
    chip."""

    def __init__(self, reader: PadReader, chip: Mfrc522Chip, is_reachable: Callable[[], bool]) -> None:
        self._reader: PadReader | None = reader
        self._chip = chip
        self._is_reachable = is_reachable
        self._last_query: tuple[list[bytes], StateBelow] | None = None
        self._last_result: Found = [], False
        self._last_duration = 0

    def cut(self) -> None:
        """Cut the access: the process is gone."""
        self._reader = None

    @property
    def version(self) -> int:
        """The reader's version register. The other members pass on to the reader too."""
        return self._do(lambda reader: reader.version)

    @property
    def passes_self_test(self) -> bool | None:
        """Whether it passed its self-test."""
        return self._do(lambda reader: reader.passes_self_test)

    @property
    def set_ups(self) -> int:
        """How often the chip was set up."""
        return self._do(lambda reader: reader.set_ups)

    @property
    def wrong_registers(self) -> int:
        """How many registers were found wrong."""
        return self._do(lambda reader: reader.wrong_registers)

    @property
    def unread(self) -> Sequence[bytes]:
        """The bytes resolved by the last look of cards that couldn't be selected."""
        return self._do(lambda reader: reader.unread)

    def check(self) -> None:
        """Compare the chip's registers with the values of its set-up."""
        self._do(lambda reader: reader.check())

    def restart(self) -> None:
        """Reset the chip and set it up."""
        self._do(lambda reader: reader.restart())

    def set_gain(self, gain_db: int) -> None:
        """Set another gain."""
        self._do(lambda reader: reader.set_gain(gain_db))

    def field_on(self) -> None:
        """Switch the field on."""
        self._do(lambda reader: reader.field_on())

    def field_off(self) -> None:
        """Switch the field off."""
        self._do(lambda reader: reader.field_off())

    def look(self, known: Sequence[bytes]) -> Found:
        """Look once. The same query in the same state below returns the last result."""
        clock = self._chip.field.clock
        clock.catch_up()
        below = self.state_below()
        if self._reader is not None and self._last_query is not None and (list(known), below) == self._last_query:
            clock.advance(self._last_duration)
            return self._last_result
        began = clock.now()
        self._last_result = self._do(lambda reader: reader.look(known))
        self._last_query = (list(known), below) if below is not None and below[2] == self._cards() else None
        self._last_duration = clock.now() - began
        return self._last_result

    def close(self) -> None:
        """Close the reader, unless the process is gone."""
        if self._reader is not None:
            self._reader.close()

    @property
    def idle_state(self) -> StateBelow | None:
        """The state below a reader whose next look would again find nothing, and mean nothing to the process, which
        remembers no card; else None."""
        return (
            self.state_below()
            if self._last_query is not None and not self._last_query[0] and self._last_result == ([], False)
            else None
        )

    def state_below(self) -> StateBelow | None:
        """Return all that a look depends on; None if it depends on chance, on a microsecond, or on a fault."""
        chip = self._chip
        field, now = chip.field, chip.field.clock.now()
        if not self._is_reachable() or not chip.is_present or chip.miso_stuck_at is not None or field.disturbances:
            return None
        if not all(card.is_awake(now) and card.state in (IDLE, HALT) for card in field.cards):
            return None
        return bytes(chip.registers), bytes(chip.fifo), self._cards()

    def _cards(self) -> list[tuple[NfcCard, bytes, str]]:
        """Return the cards in the field, with their UIDs and states."""
        return [(card, card.uid, card.state) for card in self._chip.field.cards]

    def _do(self, act: Callable[[PadReader], Result]) -> Result:
        """Call a method of the reader. Forget the last query if it fails."""
        try:
            if self._reader is None:
                raise DeviceError("this process is gone")
            return act(self._reader)
        except (DeviceError, OSError):
            self._last_query = None
            raise


class ReaderProxies:
    """The proxies of one process to the readers with these `chips`, by the names of the parts. `is_reachable(part)`
    returns whether nothing between the process and the chip of a part is broken."""

    def __init__(self, chips: Mapping[str, Mfrc522Chip], is_reachable: Callable[[str], bool]) -> None:
        self._chips = chips
        self._is_reachable = is_reachable
        self._proxies: dict[str, ReaderProxy] = {}

    def connect(self, part: str, reader: PadReader) -> ReaderProxy:
        """Return a proxy for a reader."""
        self._proxies[part] = ReaderProxy(reader, self._chips[part], lambda: self._is_reachable(part))
        return self._proxies[part]

    def cut(self) -> None:
        """Cut all proxies: the process is gone."""
        for proxy in self._proxies.values():
            proxy.cut()
        self._proxies.clear()

    async def sleep(self, seconds: float) -> None:
        """Wait between two rounds of looks: for these seconds, or if the last round took longer on the bus and on the
        air, until that is over; and on over every round that would change nothing."""
        loop = asyncio.get_running_loop()
        seconds = max(seconds, self._ahead_s(loop) + MIN_PAUSE_S)
        idle_states = self._idle_states()
        if idle_states is None or not isinstance(loop, GivenTimeLoop):
            await asyncio.sleep(seconds)
            return
        due_s = loop.time() + seconds
        changed: asyncio.Future[None] = loop.create_future()

        def go_along(until_s: float) -> float:
            if changed.done() or self._idle_states() == idle_states:
                return until_s
            changed.set_result(None)
            return loop.time()

        loop.companions.append(go_along)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(MAX_SKIP_S):
                    await changed
        finally:
            loop.companions.remove(go_along)
        rounds = max(0, math.ceil((loop.time() - due_s) / POLL_S))
        await asyncio.sleep(due_s + rounds * POLL_S - loop.time())

    def _ahead_s(self, loop: asyncio.AbstractEventLoop) -> float:
        """Return by how much the models' time is ahead of the loop's: rounds take none of the latter."""
        reached_us = max((chip.field.clock.reached_us() for chip in self._chips.values()), default=0)
        return reached_us / US_PER_S - loop.time()

    def _idle_states(self) -> list[StateBelow] | None:
        """Return the readers' states after the last round, if it found nothing anywhere and the next one would neither;
        else None."""
        states = [below for proxy in self._proxies.values() if (below := proxy.idle_state) and not below[2]]
        return states if len(states) == len(self._chips) else None
