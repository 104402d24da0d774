"""MicroPython's `rp2` on a seat board: it keeps programs for the PIO as lists of instructions, and reports what the DMA
hands to their state machine, to be run and examined outside. Runs in the VM."""

import json

import utime  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
from firmware.vm.inside.world import this
from machine import Pin  # pyright: ignore[reportMissingModuleSource]  # beside this one
from seatboard import pins

_LONGEST_DELAY = 15  # four of the five bits for it, since one is the side-set's (RP2040 data sheet, 3.4.1)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

_WORD_US = 35  # about what a pixel takes on its wire
_FIFO = 0x50200010  # what the first state machine sends lies here (RP2040 data sheet, 3.7)
_TIMERAWL = {"RP2040": 0x40054028, "RP2350": 0x400B0028}
_RX_ASKS = 4  # of the first state machine (RP2040 data sheet, 2.5.3.1)
_FIFO_WORDS = 4
_CALL_US = 10  # that asking a state machine or the DMA takes


class PIO:
    """The names of a program's options."""

    OUT_LOW = 0
    OUT_HIGH = 1
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


class _Instruction:
    """An instruction, with its side-set and its delay."""

    def __init__(self, *words: "str | int") -> None:
        self.words = list(words)
        self.sides: int | None = None
        self.delays = 0

    def side(self, value: int) -> "_Instruction":
        if value > 1:
            raise ValueError("sideset too large")
        self.sides = value
        return self

    def __getitem__(self, cycles: int) -> "_Instruction":
        if cycles > _LONGEST_DELAY:
            raise ValueError("delay too large")
        self.delays = cycles
        return self


class _Program:
    """As the assembler leaves it: instructions, labels and options."""

    def __init__(self, options: "dict[str, int]") -> None:
        self.options = options
        self.instructions: list[_Instruction] = []
        self.labels: dict[str, int] = {}
        self.wraps = [0, 0]

    def said(self) -> "dict[str, object]":
        """The whole program as plain values."""
        return {
            "options": self.options,
            "labels": self.labels,
            "wrap": self.wraps,
            "instructions": [[each.words, each.sides, each.delays] for each in self.instructions],
        }


def asm_pio(**options: int) -> "Callable[[Callable[[], None]], _Program]":
    """Assemble the function that follows, in whose body the instructions are global names."""

    def assemble(function: "Callable[[], None]") -> _Program:
        program = _Program(options)

        def instruction(name: str) -> "Callable[..., _Instruction]":
            def add(*words: "str | int") -> _Instruction:
                program.instructions.append(_Instruction(name, *words))
                return program.instructions[-1]

            return add

        def label(name: str) -> None:
            program.labels[name] = len(program.instructions)

        def wrap_target() -> None:
            program.wraps[0] = len(program.instructions)

        def wrap() -> None:
            program.wraps[1] = len(program.instructions) - 1

        names = function.__globals__
        before = dict(names)
        names.update({name: instruction(name) for name in ("out", "jmp", "nop", "set", "pull", "mov", "wait", "push")})
        names.update({name: name for name in ("x", "y", "pins", "null", "osr", "not_x", "not_y", "x_dec", "y_dec")})
        names.update({"pin": "pin", "noblock": "noblock"})
        names.update({"label": label, "wrap_target": wrap_target, "wrap": wrap})
        function()
        names.clear()
        names.update(before)
        return program

    return assemble


class StateMachine:
    """A state machine: the ring's, which reports its program when it is switched on; or one that waits for the button's
    pin and runs its program here at each edge."""

    def __init__(
        self,
        number: int,
        program: _Program,
        freq: int = -1,
        *,
        sideset_base: "Pin | None" = None,
        in_base: "Pin | None" = None,
    ) -> None:
        wires = tuple([None if pin is None else pin.number for pin in (sideset_base, in_base)])
        if wires != ((None, pins.BUTTON) if number else (pins.RING, None)) or number > 1:
            raise ValueError("the ring hangs elsewhere, or the button")
        self._number = number
        self._program = program
        self._hz = freq
        self._pin = in_base
        self._place = 0
        self._words: list[int] = []  # said, and not taken

    def active(self, on: int) -> None:
        """Switch it on or off."""
        if self._pin is None:
            this.tell("program", self._hz, json.dumps(self._program.said()) if on else "")
            return
        this.felt[self._pin.number] = self._run
        _asking[_RX_ASKS + self._number] = self._words
        self._run(this.levels.get(pins.BUTTON, 1))

    def rx_fifo(self) -> int:
        """The number of words in the FIFO."""
        this.spend(_CALL_US)
        return len(self._words)

    def get(self) -> int:
        """Take one."""
        return self._words.pop(0)

    def _run(self, level: int) -> None:
        """Until it waits."""
        first, last = self._program.wraps
        while True:
            what, *about = self._program.instructions[self._place].words
            if what == "wait" and about[1:] == ["pin", 0]:
                if about[0] != level:
                    return
            elif what == "push" and about == ["noblock"]:
                if len(self._words) < _FIFO_WORDS:
                    self._words.append(0)
                    for channel in _channels:
                        channel.asked(_RX_ASKS + self._number)
            else:
                raise NotImplementedError(what)
            self._place = first if self._place == last else self._place + 1


_asking: "dict[int, list[int]]" = {}  # the words that wait where somebody is asked for each
_channels: "list[DMA]" = []


class DMA:
    """A channel that copies bytes from memory into a state machine, one for each request; or, at a state machine's
    request, the timer into memory. It counts requests that come before a transfer, and serves them first."""

    def __init__(self) -> None:
        if len(_channels) >= this.setup.get("channels", 12):
            raise OSError(16)
        self.channel = len(_channels)
        _channels.append(self)
        self._ends = 0
        self._asked_by: int | None = None  # where it copies the timer
        self._target: array[int] | bytearray = bytearray(0)
        self._waits = False

    def pack_ctrl(self, default: "dict[str, int] | None" = None, **options: int) -> "dict[str, int]":
        """The options of a transfer, over the port's own."""
        packed = dict(default or {"inc_read": True, "inc_write": True, "size": 2, "treq_sel": 0x3F})
        packed.update(options)
        return packed

    def active(self, on: "int | None" = None) -> bool:
        """Begin a transfer if `on`; return whether one is under way."""
        this.spend(_CALL_US)
        if on:
            self._waits = True
            if this.credits.get(self.channel, 0) or _asking.get(self._asked_by or -1):
                self._copy()
        return self._waits or this.now() < self._ends

    def asked(self, by: int) -> None:
        """A state machine has something for it."""
        if by != self._asked_by:
            return
        this.credits[self.channel] = this.credits.get(self.channel, 0) + 1
        if self._waits:
            self._copy()

    def config(
        self,
        *,
        read: "bytes | int",
        write: "int | StateMachine | array[int]",
        count: int,
        ctrl: "dict[str, int]",
        trigger: bool = False,
    ) -> None:
        """Set a transfer up, and begin it. MicroPython 1.22 takes no StateMachine to write to."""
        if isinstance(read, int):
            self._copy_timer(read, write, count, ctrl, trigger)
            return
        if not isinstance(write, int):
            raise TypeError("can't convert StateMachine to int")
        if write != _FIFO or ctrl != {"inc_read": True, "inc_write": False, "size": 0, "treq_sel": 0}:
            raise ValueError("not a transfer of bytes at the pace of the state machine")
        if self.active():
            raise RuntimeError("the last transfer is still under way")
        if trigger:
            self._ends = this.now() + count * _WORD_US // 3
            if this.given:  # outside it nobody may be there to read so much
                this.tell("pixels", bytes(read[:count]).hex())

    def _copy_timer(self, read: int, write: "object", count: int, ctrl: "dict[str, int]", trigger: bool) -> None:
        usual = {"inc_read": False, "inc_write": False, "size": 2, "treq_sel": _RX_ASKS + 1}
        if read != _TIMERAWL[this.chip_name] or count != 1 or ctrl != usual or trigger:
            raise ValueError("not one copy of the timer at the button's edge")
        self._target = write  # pyright: ignore[reportAttributeAccessIssue]  # an array
        self._asked_by = ctrl["treq_sel"]

    def _copy(self) -> None:
        this.credits[self.channel] = max(0, this.credits.get(self.channel, 0) - 1)
        self._waits = False
        self._target[0] = this.timer() if this.given else utime.ticks_us()
