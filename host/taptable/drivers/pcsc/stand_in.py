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
from taptable.sim.stand_in import HardwareStandIn, Surroundings
from taptable.sim.usb_tree import DeviceKind, UsbTree


class PcscStandIn(HardwareStandIn):
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

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        reader = self.readers[pad]
        if uid not in reader.cards:
            reader.cards.append(uid)
        self.model.schedule_poll(reader)

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        reader = self.readers[pad]
        if uid in reader.cards:
            reader.cards.remove(uid)
        self.model.schedule_poll(reader)

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return list(self.readers[pad].cards)

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Pull the reader of a pad out, or plug it in again: under another name."""
        (self.pull_out if deaf else self.plug_in)(self.readers[pad])

    def tear(self, pad: Pad, uid: str) -> None:
        """Tear a card away before the reader has looked."""
        self.put(uid, pad)
        self.lift(uid, pad)

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
