"""A whole table without hardware: everything a configuration names, as models below the real drivers, under the
same names.

Cards are put on pads and lifted, buttons pressed; what happened at the fields and contacts is kept as the
truth. The daemon over it is the daemon of a real table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from random import Random
from typing import ParamSpec, TypeVar

from gpiozero import Factory
from PIL import Image

from taptable.config import Config, OnBoard, OnGpio, OnSpi
from taptable.core.errors import DeviceError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.devices import Openers
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.usb_model import Sockets
from taptable.drivers.gpio.pin_model import SimulatedPins
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.oled.i2c_model import I2cModel, i2c_wired
from taptable.drivers.spi import spidev_model as spi
from taptable.drivers.spi.leads import Leads
from taptable.drivers.spi.pad import PadReader, SpiPad
from taptable.sim.air import AirClock
from taptable.sim.cards import Card, mifare_classic, ntag213
from taptable.sim.field import Field
from taptable.sim.mfrc522_chip import Mfrc522Chip

OLED_BUS, OLED_ADDRESS = 1, 0x3C


class SimulatedTable:
    """The hardware of `config`. To be made on the loop that runs it; all chance comes from `seed`. Boards are plugged
    into `sockets`, where they aren't the usual ones."""

    def __init__(self, config: Config, seed: int = 0, sockets: Sockets | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.config = config
        self.display = DisplayModel()
        self.pins = SimulatedPins(loop, seed)
        self.sockets = sockets or Sockets()
        self.boards: dict[Pad, VirtualBoard] = {}
        self.fields: dict[Pad, Field] = {}
        self._cards: dict[str, Card] = {}
        self._bus: dict[int, I2cModel] = {}
        self._is_free = True
        self._air = AirClock(lambda: round(loop.time() * US_PER_S))
        chips: dict[str, Mfrc522Chip] = {}
        chance = Random(seed)
        for pad, parts in config.all_pads.items():
            if isinstance(parts.pad, OnBoard):
                ppm = chance.uniform(-50, 50)
                self.boards[pad] = VirtualBoard(
                    parts.pad.board, self.sockets, loop, seed=seed, ppm=ppm, first_ticks=chance.randrange(1 << 30)
                )
            else:
                chips[str(parts.pad)] = self._chip(pad, parts.pad)
        self.wiring = spi.Wiring(chips)
        self._leads = Leads(self.wiring)

    @contextmanager
    def powered(self) -> Generator[Openers]:
        """While this lasts the stand-ins lie below the drivers and the boards are plugged in; gives the
        daemon's openers."""
        spi.install(self.wiring)
        self._bus[OLED_ADDRESS] = self.display
        with i2c_wired({OLED_BUS: self._bus}):
            for board in self.boards.values():
                board.plug_in()
            try:
                yield Openers(
                    factory=self._open_pins,
                    port=self.sockets.open,
                    socket_of=self.sockets.socket_of,
                    reader=self._open_reader,
                    executor=InlineExecutor,
                    rest=self._leads.rest,
                )
            finally:
                for board in self.boards.values():
                    board.pull_out()
                self.pins.close()

    def let_go(self) -> None:
        """The daemon is gone at once, as when its process is killed: nothing that it still does reaches any part, and
        all of them stay as they are. Nothing can be opened until `take_up`."""
        self._is_free = False
        self._leads.cut()
        self._bus.clear()
        for board in self.boards.values():
            board.line.hang_up()
        self.pins.let_go()

    def take_up(self) -> None:
        """The next daemon may have every part."""
        self._is_free = True
        self._bus[OLED_ADDRESS] = self.display
        for board in self.boards.values():
            board.line.pick_up()

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad."""
        if pad in self.boards:
            self.boards[pad].put(uid)
        else:
            self.fields[pad].put(self._card(uid))

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted from a pad."""
        if pad in self.boards:
            self.boards[pad].lift(uid)
        else:
            self.fields[pad].take(self._card(uid))

    def nearest(self, pad: Pad) -> Pad:
        """The pad itself, or the one in the centre at a table that hasn't got this one."""
        return pad if pad in self.boards or pad in self.fields else DISCARD_PAD

    def lying(self, pad: Pad) -> list[str]:
        """The tags that are on a pad now."""
        if pad in self.boards:
            return [uid.hex() for uid in self.boards[pad].lying]
        return [card.uid.hex() for card in self.fields[pad].cards]

    def deafen(self, pad: Pad, deaf: bool = True) -> None:
        """The reader of a pad answers no more, or answers again: on the Pi its device is gone."""
        if pad in self.boards:
            self.boards[pad].deafen(deaf)
        elif deaf:
            self.wiring.missing.add(self.fields[pad].name)
        else:
            self.wiring.missing.discard(self.fields[pad].name)

    def is_deaf(self, pad: Pad) -> bool:
        """Does the reader of a pad not answer?"""
        if pad in self.boards:
            return self.boards[pad].deaf
        return self.fields[pad].name in self.wiring.missing

    def press(self, pad: Pad, hold_s: float = 0.12) -> None:
        """A seat's button, or that on the board of another pad, is pressed and let go after `hold_s`."""
        button = self.config.seats[pad - 1].button if isinstance(pad, int) else None
        if isinstance(button, OnGpio):
            self.pins.press(button.bcm, hold_s)
        else:
            self.boards[pad].press()
            asyncio.get_running_loop().call_later(hold_s, self.boards[pad].release)

    def ring(self, pad: Pad) -> str:
        """What the ring at a pad shows."""
        return self.boards[pad].ring.pattern if pad in self.boards else "off"

    def lamp(self, seat: int) -> bool:
        """Whether a seat's lamp is lit now; one on a board counts as lit while it blinks."""
        lamp = self.config.seats[seat - 1].lamp
        if isinstance(lamp, OnGpio):
            return self.pins.lit(lamp.bcm)
        return seat in self.boards and self.boards[seat].ring.lamp != "off"

    def tone_hz(self) -> float | None:
        """What the sounder gives."""
        return None if self.config.sounder is None else self.pins.tone_hz(self.config.sounder.pin.bcm)

    def picture(self) -> Image.Image:
        """What stands on the glass of the display, from the bytes the driver sent."""
        return self.display.image()

    def _chip(self, pad: Pad, place: OnSpi) -> Mfrc522Chip:
        field = Field(str(place), self._air)
        self.fields[pad] = field
        return Mfrc522Chip(field)

    def _card(self, uid: str) -> Card:
        if uid not in self._cards:
            number = bytes.fromhex(uid)
            self._cards[uid] = ntag213(number) if len(number) == 7 else mifare_classic(number)
        return self._cards[uid]

    def _open_pins(self) -> Factory:
        self._check_free()
        return self.pins.factory

    def _check_free(self) -> None:
        if not self._is_free:
            raise DeviceError("this process is gone")

    def _open_reader(self, place: SpiPad) -> PadReader:
        self._check_free()
        # imported here: it stands on modules that are there only once the stand-ins are
        from taptable.drivers.spi.reader import Reader

        reader = Reader(
            place.bus,
            place.device,
            pin_rst=place.pin_rst,
            speed_hz=place.speed_hz,
            pulse_reset=place.own_reset,
            gain_db=place.gain_db,
            sleep_us=self._air.sleep_us,
        )
        return self._leads.lay(str(OnSpi(place.bus, place.device)), reader)


P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor(Executor):
    """Does at once what it is given."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call it, and give what came of it."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # whatever it is, it belongs to who waits for the future
            future.set_exception(error)
        return future
