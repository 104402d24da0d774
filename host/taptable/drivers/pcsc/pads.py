"""All pads with a reader of PC/SC: one thread, which waits for all readers at once, and the loop that keeps it going
when pcscd ends, restarts or is upgraded, and when readers are pulled and come back under other names. Must not know
what a card is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from math import ceil
from typing import Any, TypeAlias, TypeVar

from taptable.core.device_events import DeviceEvent, PartFailed, TagCame, TagWent
from taptable.core.observations import Pad
from taptable.drivers.interface import DeviceContext, OpenedParts, Part
from taptable.drivers.pcsc.beeps import silence
from taptable.drivers.pcsc.pad import UNUSABLE_RETRY_US, PadUnusable, PcscPad, ReaderReplaced
from taptable.drivers.pcsc.readers import MOST_SLOTS, PcscReader, ReaderList, readers_called
from taptable.drivers.pcsc.winscard import (
    MOST_WAITED,
    PNP,
    REFUSED,
    REFUSED_BY_POLKIT,
    STATE_CHANGED,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    NoLibrary,
    PcscCode,
    PcscError,
    WinscardCalls,
    spell_no_context,
)
from taptable.drivers.reader_health import ReaderHealth
from taptable.drivers.usb_ports import UsbPorts
from taptable.schema.problems import join_words

WAIT_US = 1_000_000
"""The longest wait. After it the list of readers is compared, since a notice of a change may be lost."""
MIN_WAIT_MS = 5
FIRST_RETRY_S, LAST_RETRY_S = 0.25, 4.0
"""Seconds until pcscd is tried again, doubled each time."""
LATE_S = 10.0
"""Seconds after which a call hangs: the time limits of pcscd's own drivers are shorter."""
CLOSING_S = 2.0
"""The longest wait for pcscd when the pads are closed."""
STARTING_US = 2_000_000
"""Time that pcscd may take after its start until it has all readers."""

ArgumentT = TypeVar("ArgumentT")
ResultT = TypeVar("ResultT")

_log = logging.getLogger(__name__)

Wait: TypeAlias = Callable[[Executor, WinscardCalls, int, int, Sequence[tuple[str, int]]], Awaitable[Sequence[int]]]
"""Waits like `WinscardCalls.get_status_change`, which takes the arguments after the first two."""


async def wait_in_thread(
    executor: Executor, calls: WinscardCalls, context: int, timeout_ms: int, readers: Sequence[tuple[str, int]]
) -> Sequence[int]:
    """Wait in the thread of the executor."""
    loop = asyncio.get_running_loop()
    waiting = loop.run_in_executor(executor, calls.get_status_change, context, timeout_ms, readers)
    try:
        return await asyncio.shield(waiting)
    except asyncio.CancelledError:
        # in another thread, since pcscd may hang
        cancelling = loop.run_in_executor(None, calls.cancel, context)
        for call in (waiting, cancelling):
            call.add_done_callback(_take_result)
        await asyncio.wait([waiting, cancelling], timeout=CLOSING_S)
        raise


def _take_result(call: asyncio.Future[Any]) -> None:
    """Take the result of a call for which nobody waits any more."""
    if not call.cancelled():
        call.exception()


class ReaderWatch:
    """The pads, and the context in which their readers are used. Its methods block, and are called by one thread at a
    time."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part], calls: WinscardCalls, ports: UsbPorts) -> None:
        self.pads = [PcscPad(part, context, calls) for part in parts]
        self.context: int | None = None
        self.retry_s = FIRST_RETRY_S / 2
        """Seconds after which to call `look` again while there is no context."""
        self._calls = calls
        self._ports = ports
        self._now_us = context.now_us
        self._list: ReaderList | None = None
        self._has_worked = False  # whether readers could be listed since pcscd was tried last
        self._pnp = 0
        self._since_us = 0
        self._taken_us = 0  # when the states were taken last
        self._forget: set[str] = set()

    def look(self, result: Sequence[int] | PcscError | None = None) -> list[DeviceEvent]:
        """Take the result of a wait (None: there was none), look at all pads, and return what is new."""
        before_us, self._taken_us = self._taken_us, self._now_us()
        try:
            if self.context is None:
                self._begin()
            elif result is not None:
                self._take(result)
            return self._look_at_readers(before_us)
        except (PcscError, NoLibrary) as error:
            return self.lose(error)

    def waits_for(self) -> list[tuple[str, int]]:
        """Return the names and states to wait for."""
        states = {pad.reader.name: pad.state for pad in self.pads if pad.reader is not None}
        return [*states.items(), (PNP, self._pnp)]

    @property
    def timeout_ms(self) -> int:
        """The longest time to wait."""
        now_us = self._now_us()
        due_us = [pad.recheck_us for pad in self.pads if pad.recheck_us is not None]
        due_us += [pad.retry_us for pad in self.pads if pad.retry_us > now_us]
        return max(MIN_WAIT_MS, ceil((min([now_us + WAIT_US, *due_us]) - now_us) / 1000))

    def close(self) -> None:
        """End the use of pcscd."""
        context, self.context = self.context, None
        if context is not None:
            with suppress(PcscError):
                self._calls.release_context(context)

    def _begin(self) -> None:
        self.context = self._calls.establish_context()
        self._list = ReaderList(self._calls, self.context, self._ports)
        self._since_us = self._taken_us = self._now_us()
        self._pnp = 0
        self._forget.clear()

    def _take(self, result: Sequence[int] | PcscError) -> None:
        """Take the states after a wait."""
        if isinstance(result, PcscError):
            if result.code not in (PcscCode.TIMEOUT, PcscCode.CANCELLED, PcscCode.UNKNOWN_READER):
                raise result
            return
        waited = {pad.reader.name: pad for pad in self.pads if pad.reader is not None}
        *states, pnp = result
        for (name, pad), state in zip(waited.items(), states, strict=True):
            restarted = state >> 16 < pad.state >> 16
            if restarted or state & (STATE_UNKNOWN | STATE_UNAVAILABLE):
                self._forget.add(name)  # another reader may have the name now
            pad.state = state & ~STATE_CHANGED
        if pnp & STATE_CHANGED:
            self._forget.update(waited)
        self._pnp = pnp & ~STATE_CHANGED

    def _look_at_readers(self, before_us: int) -> list[DeviceEvent]:
        assert self._list is not None
        self._list.refresh(forget=self._forget)
        self._forget.clear()
        self._has_worked, self.retry_s = True, FIRST_RETRY_S / 2
        events: list[DeviceEvent] = []
        used: dict[str, Part] = {}
        for pad in self.pads:
            try:
                reader = self._reader_of(pad, used)
                used[reader.name] = pad.part
                if reader != pad.reader:
                    if pad.reader is not None:
                        events += pad.fail("its reader was pulled out")
                    if pad.retry_us > self._now_us():
                        continue
                    pad.use(reader, silence(self._calls, self._context_now, reader))
                events += pad.look(self._context_now, before_us)
            except ReaderReplaced:
                self._forget.update(self._list.names)
                return events + self._look_at_readers(before_us)
            except PadUnusable as error:
                if pad.reader is not None:
                    pad.retry_us = self._now_us() + UNUSABLE_RETRY_US
                elif not pad.has_failed and self._now_us() < self._since_us + STARTING_US:
                    continue  # pcscd may just have started, and not have it yet
                events += pad.fail(str(error))
        return events

    @property
    def _context_now(self) -> int:
        assert self.context is not None
        return self.context

    def _reader_of(self, pad: PcscPad, used: Mapping[str, Part]) -> PcscReader:
        """Return the reader of a pad. Raises PadUnusable if it has none now."""
        assert self._list is not None
        name = pad.part.address.name
        found = readers_called(name, self._list.readers)
        if not found:
            raise PadUnusable(self._spell_missing(name))
        if len(found) > 1:
            ports = join_words([f'"{pad.part.address.kind}:{reader.port}"' for reader in found if reader.port], "or")
            raise PadUnusable(f"{len(found)} readers are called {name}: name it by its USB port instead: {ports}")
        if found[0].name in used:
            raise PadUnusable(f"its reader is that of {used[found[0].name].name} already")
        if len(used) >= MOST_WAITED - 1:
            raise PadUnusable(f"the table can wait for {MOST_WAITED - 1} readers at a time, and there are more")
        return found[0]

    def _spell_missing(self, name: str) -> str:
        assert self._list is not None
        refused = self._list.refused
        if any(error.code in REFUSED for error in refused.values()):
            return REFUSED_BY_POLKIT
        found = f"no reader {name} is plugged in" if self._list.readers else "pcscd knows no reader"
        for slot, error in refused.items():
            found += f"; {slot} can't be asked who it is: {error}"
        if len(self._list.names) >= MOST_SLOTS:
            found += f"; {len(self._list.names)} slots are in use, and pcscd before 2.5.0 has no more than {MOST_SLOTS}"
        return found

    def lose(self, error: PcscError | NoLibrary) -> list[DeviceEvent]:
        """Give the context up, and report the pads as failed."""
        reason = f"pcscd has ended ({error})" if self._has_worked else spell_no_context(error)
        if self._has_worked:
            _log.warning("Service of card readers lost: %s. The table tries again", error)
        self._has_worked, self.retry_s = False, min(2 * self.retry_s, LAST_RETRY_S)
        self.close()
        self._list = None
        return [event for pad in self.pads for event in pad.fail(reason)]


class PcscParts(OpenedParts):
    """The pads of a table on PC/SC, watched in one thread while they are open. `wait` waits for a change."""

    def __init__(
        self,
        context: DeviceContext,
        parts: Sequence[Part],
        calls: WinscardCalls,
        ports: UsbPorts,
        wait: Wait = wait_in_thread,
    ) -> None:
        self.rounds = 0
        """How often all readers have been waited for."""
        self._context = context
        self._calls = calls
        self._wait = wait
        self._watch = ReaderWatch(context, parts, calls, ports)
        self._executor = context.executor()
        self._watching: asyncio.Task[None] | None = None
        self._hangs = False

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each pad's reader."""
        return {pad.pad: pad.health for pad in self._watch.pads}

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """How often all readers have been waited for."""
        return {"the readers on PC/SC": lambda: self.rounds} if self._watch.pads else {}

    def open(self) -> None:
        """Start to watch the readers."""
        if self._watch.pads:
            self._watching = self._context.loop.create_task(self._run(), name="readers on PC/SC")

    async def close(self) -> None:
        """Stop to watch the readers."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
            await asyncio.wait([watching])
            # after the last call of its thread: a context must not be released while it is in use
            closing = self._context.loop.run_in_executor(self._executor, self._watch.close)
            await asyncio.wait([closing], timeout=CLOSING_S)
        self._executor.shutdown(wait=False)

    async def _run(self) -> None:
        result: Sequence[int] | PcscError | None = None
        while True:
            events = await self._patiently(self._in_thread(self._watch.look, result))
            if self._hangs:
                lost = await self._patiently(self._in_thread(self._watch.lose, PcscError(PcscCode.SERVICE_STOPPED)))
                events = list(_departures([*events, *lost]))
                self._hangs = False
            for event in events:
                self._context.report(event)
            self.rounds += 1
            result = await self._patiently(self._wait_for_change())

    async def _in_thread(self, call: Callable[[ArgumentT], ResultT], argument: ArgumentT) -> ResultT:
        return await self._context.loop.run_in_executor(self._executor, call, argument)

    async def _patiently(self, call: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Return the result of a call. While pcscd hangs in it, all pads are reported as failed."""
        task = asyncio.ensure_future(call)
        try:
            while not task.done():
                for _ in range(2):  # one of them may be over because the loop itself stood still
                    await asyncio.wait([task], timeout=LATE_S / 2)
                if not task.done():
                    self.rounds += 1  # to restart the table would mend nothing
                    self._report_hanging()
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        return task.result()

    def _report_hanging(self) -> None:
        if self._hangs:
            return
        self._hangs = True
        _log.warning("Service of card readers hangs: nothing for %.0f s. The table waits for it", LATE_S)
        for pad in self._watch.pads:
            if not pad.has_failed:
                self._context.report(PartFailed(self._context.now_us(), pad.part.name, "pcscd doesn't answer"))

    async def _wait_for_change(self) -> Sequence[int] | PcscError | None:
        watch = self._watch
        if watch.context is None:
            await asyncio.sleep(watch.retry_s)
            return None
        try:
            readers = watch.waits_for()
            return await self._wait(self._executor, self._calls, watch.context, watch.timeout_ms, readers)
        except PcscError as error:
            return error


def _departures(events: Iterable[DeviceEvent]) -> Iterator[DeviceEvent]:
    """Yield what is new of pads that were reported as failed before: the tags that have gone since, and no others."""
    unreported: set[tuple[Pad, str]] = set()
    for event in events:
        match event:
            case TagCame(pad=pad, uid=uid):
                unreported.add((pad, uid))
            case TagWent(pad=pad, uid=uid):
                if (pad, uid) not in unreported:
                    yield event
                unreported.discard((pad, uid))
            case _:
                pass
