"""A seat board in the VM on a loop of given time, in the place of a virtual one. Cards are put on it and lifted, its
button is pressed, it is unplugged and restarted, and its cable carries the firmware's sentences. Its field and its
contact report the truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from taptable.drivers.board.board_model import BoardAction
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise, Line, UsbSockets
from taptable.sim.loops import GivenTimeLoop

from firmware.vm.process import Vm, VmReport

START_S = 0.4
"""From a reset until the firmware runs; the port is gone meanwhile."""
_US = 1_000_000
_ENDS_FOR_GOOD = "prompt"
_LASTING = ("unplug", "hold", "stall", "noise")
"""Actions that last across a restart of the board."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A board's clock: its value at power-up, and its error in speed."""

    first_ticks: int = 0
    ppm: int = 0


ON_TIME = Clock()


@dataclass(frozen=True, slots=True)
class Weight:
    """Bytes of memory that are free after a collection; transfers and bytes over SPI and exchanges in the air since
    power-up."""

    free: int
    transfers: int
    moved_bytes: int
    exchanges: int


class VmBoard:
    """The board with this id, whose flash is the folder `flash`; `program` is the VM. `actions` is the truth since it
    was made, `ends` how its power-ups ended, `frames` what its ring was sent and when, `lamp` whether it is lit."""

    def __init__(
        self,
        board: str,
        sockets: UsbSockets,
        loop: GivenTimeLoop,
        program: Path,
        flash: Path,
        *,
        clock: Clock = ON_TIME,
        noise: CableNoise = NO_NOISE,
        seed: int = 0,
    ) -> None:
        self.board = board
        self.flash = flash
        self.actions: list[BoardAction] = []
        self.ends: list[VmReport] = []
        self.frames: list[tuple[float, bytes]] = []
        self.lamp = False
        self.lying: dict[str, None] = {}
        self.line = Line(board, sockets, loop, self._hear, Random(f"{seed} {board}"), noise)
        self._loop = loop
        self._program = program
        self._clock = clock
        self._vm: Vm | None = None
        self._reached_us = 0
        self._lasting: dict[str, tuple[str | int | float | None, ...]] = {}
        self._weighed: list[VmReport] = []

    @property
    def boot(self) -> int:
        """The number of its last start."""
        return int((self.flash / "boots").read_text())

    @boot.setter
    def boot(self, boot: int) -> None:
        (self.flash / "boots").write_text(str(boot))

    def plug_in(self) -> None:
        """Plug its cable in; a board that had no power starts."""
        self.line.plug_in()
        if self._vm is None:
            self._power_up()

    def pull_out(self, *, powered: bool = False) -> None:
        """Unplug the board. Unless it is powered from elsewhere, it stops and loses its memory."""
        self.line.pull_out()
        if not powered:
            self._power_off()

    def reset(self) -> None:
        """Its power fails, and comes back at once."""
        self._power_off()
        self._start_anew()

    def put(self, uid: str, strength: int = 1) -> None:
        """A card is put on the pad."""
        self.do("put", uid, strength)

    def lift(self, uid: str) -> None:
        """A card is lifted from the pad."""
        self.do("lift", uid)

    def press(self) -> None:
        """The button is pressed."""
        self.do("press", 1)

    def release(self) -> None:
        """The button is released."""
        self.do("press", 0)

    def do(self, action: str, *about: str | int | float | None, after_us: int = 0) -> None:
        """Any action of `inside/actions.py`, now or a little later."""
        if action in _LASTING:
            self._lasting[action] = about
        if self._vm is not None:
            self._vm.do(self._now_us + after_us, action, *about)

    def printed(self) -> str:
        """The firmware's output beside the wire since its last start: a traceback, or nothing."""
        return self._vm.output.read_text(errors="replace") if self._vm is not None else ""

    def weigh(self) -> Weight:
        """Weigh the board now; it runs on for the moment that this takes."""
        assert self._vm is not None
        self._vm.do(0, "weigh")
        for told in self._vm.until(self._reached_us + 1):
            self._take(told)
        return Weight(*[int(count or 0) for count in self._weighed.pop().about])

    @property
    def _now_us(self) -> int:
        return round(self._loop.time() * _US)

    def _power_up(self) -> None:
        self._reached_us = self._now_us
        self._vm = Vm(
            self._program,
            self.flash,
            begin_us=self._reached_us,
            id=self.board,
            first_ticks=self._clock.first_ticks,
            ppm=self._clock.ppm,
        )
        for uid in self.lying:
            self._vm.do(0, "lie", uid)
        for action, about in self._lasting.items():
            self._vm.do(0, action, *about)
        self._loop.companions.append(self._go_along)

    def _power_off(self) -> None:
        if self._vm is not None:
            if self._go_along in self._loop.companions:
                self._loop.companions.remove(self._go_along)
            self._vm.kill()
            self._vm = None

    def _start_anew(self) -> None:
        plugged = self.line.plugged
        self.line.pull_out()
        self._loop.call_later(START_S, self.plug_in if plugged else self._power_up)

    def _go_along(self, until_s: float) -> float:
        """Let the board run until then, or until it has sent something."""
        until_us = int(until_s * _US)
        while self._vm is not None and self._reached_us < until_us:
            said = [self._take(told) for told in self._vm.until(until_us)]
            if any(said):
                return min(until_s, self._reached_us / _US)
        return until_s

    def _take(self, told: VmReport) -> bool:
        """Handle a report of the board; return whether the loop has to know at once."""
        at_s = told.at_us / _US
        self._reached_us = max(self._reached_us, told.at_us)
        match told.what:
            case "said":
                self._loop.call_at(at_s, self.line.send, bytes.fromhex(str(told.about[0])))
                return True
            case "ended":
                self.ends.append(told)
                self._loop.call_soon(self._end, told)
                self._loop.companions.remove(self._go_along)
                return True
            case "came" | "left":
                uid = str(told.about[0])
                self.actions.append(BoardAction(at_s, "put" if told.what == "came" else "lift", uid))
                if told.what == "came":
                    self.lying[uid] = None
                else:
                    del self.lying[uid]
            case "contact":
                self.actions.append(BoardAction(at_s, "press" if told.about[0] else "release"))
            case "pixels":
                self.frames.append((at_s, bytes.fromhex(str(told.about[0]))))
            case "lamp":
                self.lamp = bool(told.about[0])
            case "weighed":
                self._weighed.append(told)
            case _:
                pass
        return False

    def _hear(self, said: bytes) -> None:
        if self._vm is not None:
            self._vm.hear(said)

    def _end(self, ended: VmReport) -> None:
        """The firmware has ended by itself, or the watchdog has bitten it."""
        if self._vm is None or self._vm.ended is not ended:
            return
        self._vm.kill()
        self._vm = None
        if ended.about[0] != _ENDS_FOR_GOOD:
            self._start_anew()
