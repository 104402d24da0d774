"""Model of pcsc-lite's calls, of pcscd behind them, and of the readers that it polls: each knows one card at a time,
and finds out only at its own interval that it came or went. It stands in for `winscard.PcscLite`. Nothing here was
compared with a real reader. Must not know the driver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from random import Random

from taptable.drivers.pcsc.winscard import (
    ATTR_CHANNEL_ID,
    ATTR_SERIAL_NO,
    ESCAPE_CONTROL,
    PNP,
    SHARE_DIRECT,
    STATE_CHANGED,
    STATE_EMPTY,
    STATE_EXCLUSIVE,
    STATE_MUTE,
    STATE_PRESENT,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    NoLibrary,
    PcscCode,
    PcscError,
    WinscardCalls,
)

POLL_S = (0.25, 0.4)
"""The shortest and the longest interval of a reader, by the makers' manuals and pcscd's own interval."""
SLOTS = 16
BEEPS = 0x8F
"""How an ACR1252U behaves when it is new."""


@dataclass(frozen=True, slots=True)
class ReaderKind:
    """A make of reader: its USB ids, how its USB device calls itself, and the names of its slots at pcscd. `beeps` says
    which command would stop it."""

    ids: str
    product: str
    slots: Sequence[str]
    beeps: str = ""


ACR1252U_KIND = ReaderKind(
    "072f:223b",
    "ACR1252 Dual Reader",
    ("ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC]", "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM]"),
    "E0",
)
UTRUST_KIND = ReaderKind(
    "04e6:5790", "uTrust 3700 F CL Reader", ("Identiv uTrust 3700 F CL Reader [uTrust 3700 F CL Reader]",)
)
ACR122U_KIND = ReaderKind("072f:2200", "ACR122U PICC Interface", ("ACS ACR122U PICC Interface",), "FF")


@dataclass(slots=True, eq=False)
class PcscReaderModel:
    """A reader, and the cards on it, of which it knows the first one that it found. `number` is that of its USB device
    on the bus, and changes with plugging."""

    kind: ReaderKind
    port: str
    serial: str
    interval_s: float
    number: int = 0
    cards: list[str] = field(default_factory=list[str])
    hears: bool = True
    """Whether it hears cards at all."""
    unreadable: set[str] = field(default_factory=set[str])
    """Cards that answer and that the reader can't select."""
    answers: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Answers to GET UID instead of the right ones."""
    known: str | None = None
    events: int = 0
    names: Sequence[str] = ()
    """Its slots' names at pcscd; none while it isn't plugged in."""
    is_taken: bool = False
    """Whether another program has it for itself."""
    is_stuck: bool = False
    """Whether pcscd can't talk to it."""
    behaviour: int = BEEPS
    takes_escapes: bool = True
    is_quiet: bool = False
    """Whether an ACR122U has had the command that stops it from beeping."""
    contactless: int = 0
    """The slot that reads these cards."""
    due: asyncio.TimerHandle | None = None

    @property
    def is_plugged_in(self) -> bool:
        """Whether pcscd has it."""
        return bool(self.names)

    @property
    def is_behind(self) -> bool:
        """Whether it doesn't know yet what is there."""
        return self.known not in self.cards if self.hears and self.cards else self.known is not None

    def poll(self) -> bool:
        """Find out which card is there. Return whether that has changed."""
        before, cards = self.known, self.cards if self.hears else []
        if self.known not in cards:
            self.known = None
        if self.known is None and before is None and cards:
            self.known = cards[0]
        self.events += self.known != before
        return self.known != before

    def state(self, slot: int) -> int:
        """Return the state of a slot."""
        if self.is_stuck:
            return STATE_UNAVAILABLE
        if slot != self.contactless:
            return STATE_EMPTY
        if self.known is None:
            return STATE_EMPTY | self.events << 16
        flags = STATE_PRESENT | self.events << 16 | (STATE_MUTE if self.known in self.unreadable else 0)
        return flags | (STATE_EXCLUSIVE if self.is_taken else 0)


@dataclass(slots=True)
class _Context:
    """A context, and the readers that are connected in it by their handles: the name, and whether its card is."""

    pnp: int
    cards: dict[int, tuple[str, bool]] = field(default_factory=dict[int, tuple[str, bool]])


class PcscModel:
    """The calls of the library. They fail if it isn't installed (not `has_library`), if pcscd doesn't run (not
    `is_running`) or `is_of_other_version`, or if polkit or pcscd `refuses` or `drops` the table."""

    def __init__(self, loop: asyncio.AbstractEventLoop, random: Random) -> None:
        self.readers: list[PcscReaderModel] = []
        self.has_library = self.is_running = True
        self.refuses = self.refuses_cards = self.drops = self.is_of_other_version = False
        self.lost = PcscCode.NO_SERVICE
        """The code with which calls fail after pcscd has ended; nobody knows which one comes when."""
        self.calls = 0
        """How often the state of readers was asked for."""
        self.before_transmit: Callable[[], None] = lambda: None
        """Runs before a command is sent to a card."""
        self._loop = loop
        self._random = random
        self._contexts: dict[int, _Context] = {}
        self._handles = count(1000)
        self._numbers = count(5)
        self._changes = 0
        self._changed = asyncio.Event()

    # --- what happens to it ---

    def plug_in(self, reader: PcscReaderModel) -> None:
        """Plug a reader in: under the names of some free slot, with a new number of its device."""
        if reader.is_plugged_in:
            return
        reader.number = next(self._numbers)
        if reader not in self.readers:
            self.readers.append(reader)
        self._list(reader)
        self._changes += 1
        self._notify()

    def pull_out(self, reader: PcscReaderModel) -> None:
        """Pull a reader out."""
        reader.names, reader.known = (), None
        self._changes += 1
        self._notify()

    def stop(self) -> None:
        """End pcscd: all contexts are of no use any more."""
        self.is_running = False
        self._contexts.clear()
        self._notify()

    def start(self) -> None:
        """Start pcscd, which has its readers in another order, and counts from 0 again."""
        self.is_running, self._changes = True, 0
        for reader in (there := [reader for reader in self.readers if reader.is_plugged_in]):
            reader.names = ()
        for reader in there:
            self._list(reader)

    def drop(self) -> None:
        """Drop all contexts, as if the process that has them had ended."""
        self._contexts.clear()
        self._notify()

    def touch(self, reader: PcscReaderModel) -> None:
        """Take that something about a reader has changed which pcscd sees at once."""
        del reader
        self._notify()

    def schedule_poll(self, reader: PcscReaderModel) -> None:
        """Let a reader look at its cards when its interval is over, and again until it knows what is there."""
        if reader.due is None and reader.is_plugged_in:
            beats = ceil(self._loop.time() / reader.interval_s + 1e-6)
            reader.due = self._loop.call_at(max(self._loop.time(), beats * reader.interval_s), self._poll, reader)

    def _list(self, reader: PcscReaderModel) -> None:
        """Let pcscd have a reader, of which it knows nothing yet, under a number that is free."""
        used = {name[-5:-3] for each in self.readers for name in each.names}
        number = self._random.choice([text for index in range(2 * SLOTS) if (text := f"{index:02X}") not in used])
        serial = f" ({reader.serial})" if reader.serial else ""
        reader.names = [f"{name}{serial} {number} {slot:02X}" for slot, name in enumerate(reader.kind.slots)]
        reader.known, reader.events = None, 0
        self.schedule_poll(reader)

    def _poll(self, reader: PcscReaderModel) -> None:
        reader.due = None
        if reader.is_plugged_in and self.is_running:
            if reader.poll():
                self._notify()
            if reader.is_behind:
                self.schedule_poll(reader)

    def _notify(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    # --- the calls ---

    def establish_context(self) -> int:
        """Begin to use PC/SC."""
        if not self.has_library:
            raise NoLibrary("libpcsclite.so.1: cannot open shared object file: No such file or directory")
        if not self.is_running:
            raise PcscError(PcscCode.NO_SERVICE)
        if self.refuses:
            raise PcscError(PcscCode.SECURITY_VIOLATION)
        if self.is_of_other_version:
            raise PcscError(PcscCode.SERVICE_STOPPED)
        context = next(self._handles)
        self._contexts[context] = _Context(self._changes)
        return context

    def release_context(self, context: int) -> None:
        """End the use of a context."""
        self._context(context)
        del self._contexts[context]

    def list_readers(self, context: int) -> list[str]:
        """Return the names of all slots, of which there are no more than 16."""
        self._context(context)
        if self.drops:
            raise PcscError(PcscCode.COMM_ERROR)
        return [name for reader in self.readers for name in reader.names][:SLOTS]

    def get_status_change(self, context: int, timeout_ms: int, readers: Sequence[tuple[str, int]]) -> list[int]:
        """Return the states of readers if one has changed. This model doesn't wait: `wait` does."""
        assert timeout_ms == 0, "the model can't block"
        self.calls += 1
        ours = self._context(context)
        if len(readers) > SLOTS:
            raise PcscError(PcscCode.INVALID_PARAMETER)
        states: list[int] = []
        for name, current in readers:
            if name == PNP:
                has_changed, state = ours.pnp != self._changes, 0
                ours.pnp = self._changes
            else:
                state = self._state(name)
                if state & STATE_UNKNOWN and not current:
                    raise PcscError(PcscCode.UNKNOWN_READER)
                has_changed = state != current
            states.append(state | STATE_CHANGED if has_changed else state)
        if not any(state & STATE_CHANGED for state in states):
            raise PcscError(PcscCode.TIMEOUT)
        return states

    async def wait(
        self,
        executor: Executor,
        calls: WinscardCalls,
        context: int,
        timeout_ms: int,
        readers: Sequence[tuple[str, int]],
    ) -> Sequence[int]:
        """Wait on the loop as the real call waits in a thread."""
        del executor
        until_s = self._loop.time() + timeout_ms / 1000
        while True:
            changed = self._changed
            try:
                return calls.get_status_change(context, 0, readers)
            except PcscError as error:
                if error.code != PcscCode.TIMEOUT or self._loop.time() >= until_s:
                    raise
            with suppress(TimeoutError):
                async with asyncio.timeout_at(until_s):
                    await changed.wait()

    def cancel(self, context: int) -> None:
        """End a wait. There is none in another thread."""
        self._context(context)

    def connect(self, context: int, reader: str, share: int) -> tuple[int, int]:
        """Connect to a card or a reader."""
        ours, model = self._context(context), self._reader(reader)
        if self.refuses_cards:
            raise PcscError(PcscCode.SECURITY_VIOLATION)
        if model.is_taken:
            raise PcscError(PcscCode.SHARING_VIOLATION)
        if share != SHARE_DIRECT:
            self._require_card(model, reader)
            if model.known in model.unreadable:
                raise PcscError(PcscCode.UNRESPONSIVE_CARD)
        card = next(self._handles)
        ours.cards[card] = reader, share != SHARE_DIRECT
        return card, 0 if share == SHARE_DIRECT else 2

    def disconnect(self, card: int) -> None:
        """End a connection."""
        self._connected(card)
        for context in self._contexts.values():
            context.cards.pop(card, None)

    def transmit(self, card: int, protocol: int, command: bytes) -> bytes:
        """Answer GET UID."""
        del protocol
        self.before_transmit()
        name, has_card = self._connected(card)
        reader = self._reader(name)
        if not has_card:
            raise PcscError(PcscCode.NOT_TRANSACTED)
        self._require_card(reader, name)
        assert reader.known is not None
        if command == bytes.fromhex("FFCA000000"):
            return reader.answers.get(reader.known, bytes.fromhex(reader.known) + b"\x90\x00")
        if command == bytes.fromhex("FF00520000") and reader.kind.beeps == "FF":
            reader.is_quiet = True
            return b"\x90\x00"
        return b"\x6a\x81"

    def control(self, card: int, code: int, command: bytes) -> bytes:
        """Answer the commands of known readers about their beeps."""
        reader = self._reader(self._connected(card)[0])
        if code != ESCAPE_CONTROL or not reader.takes_escapes:
            raise PcscError(PcscCode.UNSUPPORTED_FEATURE)
        if reader.kind.beeps == "E0" and command[:4] == bytes.fromhex("E0000021"):
            if command[4]:
                reader.behaviour = command[5]
            return bytes.fromhex("E100000001") + bytes([reader.behaviour])
        if reader.kind.beeps == "FF" and command == bytes.fromhex("FF00520000"):
            reader.is_quiet = True
            return b"\x90\x00"
        raise PcscError(PcscCode.NOT_TRANSACTED)

    def get_attrib(self, card: int, attribute: int) -> bytes:
        """Return a reader's serial number or channel."""
        reader = self._reader(self._connected(card)[0])
        if attribute == ATTR_SERIAL_NO and reader.serial:
            return reader.serial.encode()
        if attribute == ATTR_CHANNEL_ID and reader.port:
            bus = int(reader.port.partition("-")[0])
            return (0x0020 << 16 | bus << 8 | reader.number).to_bytes(4, "little")
        raise PcscError(PcscCode.UNSUPPORTED_FEATURE)

    # --- inside ---

    def _context(self, context: int) -> _Context:
        if context not in self._contexts:
            raise PcscError(self.lost)
        return self._contexts[context]

    def _connected(self, card: int) -> tuple[str, bool]:
        for context in self._contexts.values():
            if card in context.cards:
                return context.cards[card]
        raise PcscError(self.lost)

    def _reader(self, name: str) -> PcscReaderModel:
        found = next((reader for reader in self.readers if name in reader.names), None)
        if found is None:
            raise PcscError(PcscCode.UNKNOWN_READER)
        if found.is_stuck:
            raise PcscError(PcscCode.READER_UNAVAILABLE)
        return found

    def _require_card(self, reader: PcscReaderModel, name: str) -> None:
        """Raise PcscError unless a card is in this slot: one that went is noticed as soon as it is needed."""
        if reader.names.index(name) != reader.contactless or reader.known is None:
            raise PcscError(PcscCode.NO_SMARTCARD)
        if reader.known not in reader.cards:
            raise PcscError(PcscCode.REMOVED_CARD)

    def _state(self, name: str) -> int:
        for reader in self.readers:
            if name in reader.names:
                return reader.state(reader.names.index(name))
        return STATE_UNKNOWN | STATE_UNAVAILABLE
