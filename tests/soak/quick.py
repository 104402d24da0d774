"""A simulated table that takes little time: the readers on the Pi's own buses are stand-ins for `Reader` itself, which
report the cards on their pads without a simulated chip; a pair of sockets replaces a board's cable and terminal. Hands
do only what hands can: a card is in one place at a time."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from table.truth import MAX_CARDS
from tapshared import rc522
from tapshared.rc522 import GAIN_DB
from taptable.config import Config
from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.drivers.board import stand_in as board_stand_in
from taptable.drivers.board.port import READ_BYTES
from taptable.drivers.board.usb_model import Plug, UsbSockets
from taptable.drivers.i2c import stand_in as i2c_stand_in
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.pads import I2cPad
from taptable.drivers.i2c_places import i2c_address
from taptable.drivers.interface import Address, PartRole
from taptable.drivers.rc522_reader import PadReader
from taptable.drivers.spi import stand_in as spi_stand_in
from taptable.drivers.spi.pads import SpiPad
from taptable.sim.cards import Unselectable, ntag213
from taptable.sim.field import CrossTalk, Faint, Latched, heard_share
from taptable.sim.mfrc522_chip import Mfrc522Chip
from taptable.sim.table import SimulatedTable

CONTROLLERS = ("input", "led")
"""The kinds of parts that are on controllers."""
DEAFENING = Faint(200, lambda: 0.5)
"""A tag in whose presence a reader hears nothing."""


def port_of(address: Address) -> str:
    """The USB port of a part on a controller."""
    return address.name.partition("/")[0]


class FieldReader:
    """The reader of one pad, as a driver's caller sees it."""

    version = 0x92
    passes_self_test = True

    def __init__(
        self, part: str, chip: Mfrc522Chip, reach: Callable[[], None], release: Callable[[], None] = lambda: None
    ) -> None:
        """`reach` raises OSError or DeviceError if nothing gets to the chip; `release` gives its bus back."""
        self.set_ups = self.wrong_registers = 0
        self.unread: list[bytes] = []
        self._part = part
        self._chip = chip
        self._reach = reach
        self.close = release
        self.restart()

    def restart(self) -> None:
        self._answer()
        self.set_ups += 1
        self._chip.pull_reset()
        for register, value in rc522.setup_values(GAIN_DB):
            self._chip.registers[register] = value
            self._chip.field.end_latches(register)
        self._chip.field.gain_db = GAIN_DB

    def check(self) -> None:
        self._answer()
        registers = self._chip.registers
        if wrong := [register for register, value in rc522.setup_values(GAIN_DB) if registers[register] != value]:
            self.wrong_registers += len(wrong)
            raise DeviceError(f"{self._part}: register 0x{wrong[0]:02X} is wrong")

    def set_gain(self, gain_db: int) -> None:
        self._answer()
        self._chip.field.gain_db = gain_db

    def field_on(self) -> None:
        self._answer()

    def field_off(self) -> None:
        self._reach()  # a chip that is silent isn't noticed by writing to it

    def look(self, known: Sequence[bytes]) -> tuple[list[bytes], bool]:
        del known
        self._answer()
        field, registers = self._chip.field, self._chip.registers
        field.clock.catch_up()
        self.unread = []
        if not registers[rc522.TX_ASK_REG]:
            return [], False
        if registers[rc522.STATUS_2_REG] and field.cards:
            self.unread.append(b"")
            return [], True
        uids = [card.uid for card in field.cards if not isinstance(card, Unselectable)][:MAX_CARDS]
        self.unread = [card.uid[:4] for card in field.cards if isinstance(card, Unselectable)]
        for each in list(field.disturbances):
            if isinstance(each, CrossTalk):
                uids.append(each._ghost.uid)
                field.disturbances.remove(each)
            elif isinstance(each, Latched) or (
                isinstance(each, Faint) and not heard_share(field.gain_db, each._needs_db)
            ):
                self.unread = []
                return [], False
        return uids, bool(self.unread)

    def _answer(self) -> None:
        self._reach()
        if not self._chip.is_present or self._chip.miso_stuck_at is not None:
            raise DeviceError(f"{self._part}: no reader answers")


class Pair(Plug):
    """A board's end of a cable."""

    def __init__(self, path: str) -> None:
        self._near, self._far = socket.socketpair()
        for end in (self._near, self._far):
            end.setblocking(False)
        self.descriptor, self.path = self._near.fileno(), path

    def open(self) -> PairPort:
        """The other end, for the opener of the port."""
        return PairPort(self.path, self._far.dup())

    def close(self) -> None:
        """Pull it out."""
        self._near.close()
        self._far.close()


class PairPort:
    """The daemon's end of a serial port; bytes that came before it was opened are gone."""

    def __init__(self, path: str, end: socket.socket) -> None:
        self.port = path
        self._end = end
        with suppress(BlockingIOError):
            while end.recv(READ_BYTES):
                pass

    def fileno(self) -> int:
        return self._end.fileno()

    def read(self, size: int) -> bytes:
        if not (data := self._end.recv(size)):
            raise OSError(errno.EIO, "device disconnected")
        return data

    def close(self) -> None:
        self._end.close()


class Pairs(UsbSockets):
    """The ports of boards that are plugged in by such cables."""

    def __init__(self) -> None:
        super().__init__()
        self._plugged = 0

    def plug_in(self, board: str) -> Plug:
        self._plugged += 1
        self._plugs[board] = Pair(f"pair {self._plugged}")
        return self._plugs[board]

    def open(self, board: str) -> Any:
        plug = self._plugs.get(board)
        if not isinstance(plug, Pair):
            raise DeviceError(f"no socket has the plug of board {board}")
        return plug.open()


class QuickReaders(spi_stand_in.SpiStandIn):
    """Readers over models of chips that nobody talks to register by register."""

    def reader(self, place: SpiPad) -> PadReader:
        part = f"spi:{place.bus}.{place.device}"

        def reach() -> None:
            if part in self.wiring.missing:
                raise OSError(errno.ENODEV, "No such device")

        return FieldReader(part, self.wiring.chips[part], reach)


class QuickReadersOnI2c(i2c_stand_in.I2cStandIn):
    """The same on I2C: of the transfers there is only one to the switch, and one to the chip."""

    def reader(self, pad: I2cPad, bus: SharedBus) -> PadReader:
        part = str(i2c_address(pad.place))

        def reach() -> None:
            bus.open(part)
            bus.read_plain(pad.place, 1)

        return FieldReader(part, self.chips[pad.pad], reach, lambda: bus.release(part))


class QuickBoards(board_stand_in.BoardStandIn):
    """Boards on pairs of sockets."""

    def make_sockets(self) -> UsbSockets:
        return Pairs()


class SoakedTable(SimulatedTable):
    """The hardware of an evening; with `chips` the readers are the real driver's over models of their chips, and the
    boards' ports pyserial's over terminals. `puts` counts the cards that came to each pad."""

    def __init__(self, config: Config, seed: int, *, chips: bool) -> None:
        own = {} if chips else {"spi": QuickReaders, "i2c": QuickReadersOnI2c, "board": QuickBoards}
        super().__init__(config, seed, own)
        self.boards_below = self.stand_in("board").boards
        self.puts: Counter[Pad] = Counter()
        self._clones: dict[tuple[Pad, str], Callable[[], None]] = {}
        self._lifts: list[tuple[Pad, asyncio.Future[str]]] = []

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad, from wherever it lies."""
        where = self._where(uid)
        if where is not None:
            self.lift(uid, where)
        self._take_clone_away(uid, pad)
        self.puts[pad] += 1
        super().put(uid, pad)

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted, if it lies there."""
        if self._where(uid) == pad:
            super().lift(uid, pad)
            for where, lifted in self._lifts:
                if where == pad and not lifted.done():
                    lifted.set_result(uid)

    def lay_clone(self, uid: str, pad: Pad) -> Callable[[], None]:
        """Lay a second tag with the number of one that lies elsewhere; return the function that takes it away."""
        if pad in self.boards_below:
            self.boards_below[pad].put(uid)
            self._clones[pad, uid] = partial(self.boards_below[pad].lift, uid)
        else:
            clone = ntag213(bytes.fromhex(uid))
            self.fields[pad].put(clone)
            self._clones[pad, uid] = partial(self.fields[pad].lift, clone)
        return partial(self._take_clone_away, uid, pad)

    def _take_clone_away(self, uid: str, pad: Pad) -> None:
        take_away = self._clones.pop((pad, uid), None)
        if take_away is not None:
            take_away()

    async def next_lifted(self, pad: Pad, within_s: float) -> str | None:
        """The next tag that is lifted from a pad; None if none is in time."""
        lifted: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._lifts.append((pad, lifted))
        try:
            return await asyncio.wait_for(lifted, within_s)
        except TimeoutError:
            return None
        finally:
            self._lifts.remove((pad, lifted))

    def chip_at(self, pad: Pad) -> Mfrc522Chip:
        """The chip of a reader on one of the Pi's own buses."""
        if self.kind_of(pad) == "i2c":
            return self.stand_in("i2c").chips[pad]
        return self.stand_in("spi").wiring.chips[self.fields[pad].name]

    def kind_of(self, pad: Pad) -> str:
        """The kind of the driver of a pad's reader."""
        return next(part.address.kind for part in self.config.parts if part.role is PartRole.PAD and part.pad == pad)

    def plug_in_controller(self, port: str, plugged_in: bool) -> None:
        """Plug in a controller at a USB port, or pull it out."""
        for kind in CONTROLLERS:
            for pad in self.on_controllers(kind, port):
                self.stand_in(kind).plug(pad, plugged_in)

    def cut_power(self) -> None:
        """Take the power from all parts."""
        for board in self.boards_below.values():
            board.pull_out()
        self.display.unplug()
        for port in self.controller_ports:
            self.plug_in_controller(port, False)
        for reader in self.stand_in("pcsc").readers.values():
            self.stand_in("pcsc").pull_out(reader)
        for chip in self.stand_in("i2c").chips.values():
            chip.reset()
        for switch in self.stand_in("i2c").switches.values():
            switch.plug()

    def restore_power(self) -> None:
        """Give all parts their power back."""
        for board in self.boards_below.values():
            board.plug_in()
        self.display.plug()
        for port in self.controller_ports:
            self.plug_in_controller(port, True)
        for reader in self.stand_in("pcsc").readers.values():
            self.stand_in("pcsc").plug_in(reader)

    @property
    def controller_ports(self) -> list[str]:
        """The USB ports of all controllers."""
        return sorted({port_of(part.address) for part in self.config.parts if part.address.kind in CONTROLLERS})

    def on_controllers(self, kind: str, port: str = "") -> list[Pad]:
        """The seats whose buttons, or lamps, are on controllers, at any USB port or at this one."""
        parts = [part for part in self.config.parts if part.address.kind == kind and part.pad is not None]
        return [part.pad for part in parts if port in ("", port_of(part.address))]

    def unheard(self, pad: Pad, unheard: bool) -> None:
        """Let the reader of a pad hear no card any more, or hear them again; it answers all the same."""
        if pad in self.boards_below:
            board = self.boards_below[pad]
            board._count_looks()
            board.needs_db = DEAFENING._needs_db if unheard else 0
            board._look_soon()
        elif self.kind_of(pad) == "pcsc":
            self.stand_in("pcsc").mute(pad, unheard)
        elif unheard:
            self.fields[pad].disturbances.append(DEAFENING)
        else:
            self.fields[pad].disturbances.remove(DEAFENING)

    def latch(self, pad: Pad, register: int = 0) -> None:
        """Let the reader of a pad hear nothing right until it is set up again: its receiver hangs, or this register is
        lost. It answers all the same."""
        if pad in self.boards_below:
            self.boards_below[pad].latch(register=bool(register))
        elif register:
            chip = self.chip_at(pad)
            chip.registers[register] = 0 if register == rc522.TX_ASK_REG else rc522.CRYPTO_ON
        else:
            self.fields[pad].disturbances.append(Latched())

    def is_latched(self, pad: Pad) -> bool:
        """Return whether the reader still hears nothing."""
        if pad in self.boards_below:
            return self.boards_below[pad].latched
        registers = self.chip_at(pad).registers
        return (
            not registers[rc522.TX_ASK_REG]
            or bool(registers[rc522.STATUS_2_REG])
            or any(isinstance(each, Latched) for each in self.fields[pad].disturbances)
        )

    def lay_unselectable(self, pad: Pad, fault: str) -> Callable[[], None]:
        """Lay a card that can't be selected; return the function that takes it away."""
        if pad in self.boards_below:
            self.boards_below[pad].set_unselectable()
            return lambda: self.boards_below[pad].set_unselectable(present=False)
        card = Unselectable(bytes.fromhex("04a2b3c4d5e680"), fault)
        self.fields[pad].enter(card)
        return lambda: self.fields[pad].leave(card)

    def _where(self, uid: str) -> Pad | None:
        pads = (*self.boards_below, *self.fields)
        return next((pad for pad in pads if uid in self.tags_on(pad) and (pad, uid) not in self._clones), None)
