"""The readers on PC/SC of a simulated table: a model of pcscd and its readers below the driver, and the files of sysfs
about their USB devices."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from random import Random

from taptable.core.observations import Pad
from taptable.drivers.interface import Part
from taptable.drivers.pcsc.driver import PcscDriver
from taptable.drivers.pcsc.winscard_model import ACR1252U_KIND, POLL_S, UTRUST_KIND, PcscModel, PcscReaderModel
from taptable.drivers.usb_ports import is_port
from taptable.sim.air import AirClock
from taptable.sim.cards import NfcCard, Unselectable
from taptable.sim.field import Field
from taptable.sim.stand_in import NoSuchPart, PadsInFields, Surroundings
from taptable.sim.usb_tree import DeviceKind, UsbTree


class _SeenField(Field):
    """The field of a boxed reader, which finds cards by means of its own."""

    def __init__(self, name: str, clock: AirClock, model: PcscModel, reader: PcscReaderModel) -> None:
        super().__init__(name, clock)
        self._model = model
        self._reader = reader

    def enter(self, card: NfcCard) -> None:
        """Add a card, which the reader finds when it looks."""
        super().enter(card)
        uid = card.uid.hex()
        self._reader.cards.append(uid)
        if isinstance(card, Unselectable):
            self._reader.unreadable.add(uid)
        self._model.schedule_poll(self._reader)

    def leave(self, card: NfcCard) -> None:
        """Remove a card, which the reader misses when it looks."""
        super().leave(card)
        uid = card.uid.hex()
        self._reader.cards.remove(uid)
        if isinstance(card, Unselectable):
            self._reader.unreadable.discard(uid)
        self._model.schedule_poll(self._reader)


class PcscStandIn(PadsInFields):
    """A reader at each address: an ACR1252U in a USB port, or a uTrust 3700 F with a serial number."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        random = Random(f"readers {around.seed}")
        self.model = PcscModel(around.loop, random)
        self.pcsc = PcscDriver(self.model, self.model.wait)
        self.driver = self.pcsc
        self.readers: dict[Pad | None, PcscReaderModel] = {}
        self.tree: UsbTree | None = None
        ports = [part.address.name for part in parts if is_port(part.address.name)]
        free = (f"2-{number}" for number in range(1, 100) if f"2-{number}" not in ports)
        for part in parts:
            name = part.address.name
            kind, port, serial = (ACR1252U_KIND, name, "") if name in ports else (UTRUST_KIND, next(free), name)
            self.readers[part.pad] = PcscReaderModel(kind, port, serial, random.uniform(*POLL_S))
        self.fields = {
            part.pad: _SeenField(str(part.address), self.air_clock, self.model, self.readers[part.pad])
            for part in parts
            if part.pad is not None
        }

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the readers plugged in within this context."""
        if not self.readers:
            yield
            return
        self.tree = UsbTree()
        self.pcsc.root = self.tree.root
        for reader in self.readers.values():
            self.plug_in(reader)
        try:
            yield
        finally:
            self.model.stop()
            self.tree.remove()
            self.tree = None

    def let_go(self) -> None:
        """Detach the process: its contexts end, and it gets no other."""
        self.model.stop()

    def take_up(self) -> None:
        """Let the next process use pcscd."""
        self.model.start()

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Pull the reader of a pad out, or plug it in again: under another name."""
        (self.pull_out if deaf else self.plug_in)(self.readers[pad])

    def tear(self, pad: Pad, uid: str) -> None:
        """Tear a card away before the reader has looked."""
        self.put(uid, pad)
        self.lift(uid, pad)

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """Raise NoSuchPart: how such a reader takes a neighbour's card is unknown."""
        del pad, uid
        raise NoSuchPart

    def mute(self, pad: Pad, muted: bool) -> None:
        """Let the reader of a pad hear no card any more, or hear them again; it answers pcscd all the same."""
        self.readers[pad].hears = not muted
        self.model.schedule_poll(self.readers[pad])

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether the reader of a pad is pulled out."""
        return not self.readers[pad].is_plugged_in

    def plug_in(self, reader: PcscReaderModel) -> None:
        """Plug a reader into its port."""
        if self.tree is not None and not reader.is_plugged_in:
            self.model.plug_in(reader)
        if self.tree is not None and reader.port and not self.tree.is_plugged_in(reader.port):
            kind = DeviceKind(reader.kind.ids, reader.kind.product, "16ms")
            self.tree.plug_in(reader.port, kind, reader.serial, number=reader.number)

    def pull_out(self, reader: PcscReaderModel) -> None:
        """Pull a reader out of its port."""
        if self.tree is not None and reader.is_plugged_in:
            self.model.pull_out(reader)
        if self.tree is not None and reader.port and self.tree.is_plugged_in(reader.port):
            self.tree.pull_out(reader.port)


STAND_IN = PcscStandIn
