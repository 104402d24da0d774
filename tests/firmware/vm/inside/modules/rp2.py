"""In place of MicroPython's `rp2` on a seat board: programs for the PIO are kept as lists of instructions, and what the
DMA hands to their state machine is told, to be run and looked at outside. Runs in the VM."""

import json

from firmware.vm.inside.world import this
from machine import Pin  # pyright: ignore[reportMissingModuleSource]  # beside this one
from seatboard import pins

_LONGEST_DELAY = 15  # four of the five bits for it, since one is the side-set's (RP2040 data sheet, 3.4.1)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WORD_US = 35  # about what a pixel takes on its wire
_FIFO = 0x50200010  # what the first state machine sends lies here (RP2040 data sheet, 3.7)


class PIO:
    """What the options of a program are called."""

    OUT_LOW = 0
    OUT_HIGH = 1
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


class _Instruction:
    """One, with its side-set and its delay."""

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
        """All of it as plain values."""
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
        names.update({name: instruction(name) for name in ("out", "jmp", "nop", "set", "pull", "mov")})
        names.update({name: name for name in ("x", "y", "pins", "null", "osr", "not_x", "not_y", "x_dec", "y_dec")})
        names.update({"label": label, "wrap_target": wrap_target, "wrap": wrap})
        function()
        names.clear()
        names.update(before)
        return program

    return assemble


class StateMachine:
    """One; its program is told when it is switched on."""

    def __init__(self, number: int, program: _Program, freq: int, sideset_base: Pin) -> None:
        if number or sideset_base.number != pins.RING:
            raise ValueError("the ring hangs elsewhere")
        self._program = program
        self._hz = freq

    def active(self, on: int) -> None:
        """Switch it on or off."""
        this.tell("program", self._hz, json.dumps(self._program.said()) if on else "")


class DMA:
    """A channel that reads bytes out of memory into a state machine, one each time it asks."""

    def __init__(self) -> None:
        self._ends = 0

    def pack_ctrl(self, default: "dict[str, int] | None" = None, **options: int) -> "dict[str, int]":
        """The options of a transfer, over the port's own."""
        packed = dict(default or {"inc_read": True, "inc_write": True, "size": 2, "treq_sel": 0x3F})
        packed.update(options)
        return packed

    def active(self) -> bool:
        """Is a transfer under way?"""
        return this.now() < self._ends

    def config(
        self, *, read: bytes, write: "int | StateMachine", count: int, ctrl: "dict[str, int]", trigger: bool = False
    ) -> None:
        """Set a transfer up, and begin it. MicroPython 1.22 takes no StateMachine to write to."""
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
