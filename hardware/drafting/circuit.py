"""The circuit for a number of seats and a model of the Pi: parts, named pins, cables; and the nets that the wires make.
Checks and drawings use this and nothing of the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from drafting.parts import Is, Kind, Pin

_DRIVEN = frozenset({"SCLK", "SCK", "MOSI", "TX", "CSn", "CE0", "CE1", "CE2", "OUT"})
_READ = frozenset({"MISO", "RX"})
AT_REST = "out at rest"
SPI_HZ = 1_000_000
"""How fast the daemon talks to readers on the Pi's own SPI."""
I2C_HZ = 400_000
"""How fast the Pi's I2C is, as `taptable-buses` sets it for the display."""


@dataclass(frozen=True, slots=True)
class At:
    """A pin of a part."""

    part: str
    pin: str

    def __str__(self) -> str:
        return f"{self.part}.{self.pin}"


@dataclass(frozen=True, slots=True)
class Role:
    """A pin of a board by its name in the description, and what it has to be able to do: `in`, `out`, `out at rest`
    or one of the pin's functions."""

    name: str
    at: At
    needs: str

    @property
    def drives(self) -> bool:
        """Whether the board puts a level on it."""
        return self.needs in ("out", AT_REST) or self.needs.split()[-1] in _DRIVEN

    @property
    def reads(self) -> bool:
        """Whether the board only listens to it."""
        return self.needs == "in" or self.needs.split()[-1] in _READ


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire, drawn from left to right."""

    start: At
    end: At
    colour: str


@dataclass(frozen=True, slots=True)
class Cable:
    """Wires between two parts, and the sheets on which they are drawn. `plug` says what to buy, unless the plug comes
    with something else; `mm2` is for a cable whose wires end one by one: open, to be soldered, or in single
    sockets."""

    name: str
    wires: tuple[Wire, ...]
    plug: str
    longest_mm: int
    mm2: float | None = None
    sheets: tuple[str, ...] = ()
    bought: bool = True


@dataclass(frozen=True, slots=True)
class Circuit:
    """Everything that is connected: by the nets of its boards, each with its pins, and by cables. `unresolved` says
    which of them lead to what there isn't; `by_hand` that its boards are wired by hand."""

    title: str
    main: str
    parts: Mapping[str, Kind]
    roles: tuple[Role, ...]
    nets: Mapping[str, tuple[At, ...]]
    cables: tuple[Cable, ...]
    one_at_a_time: str | None = None
    spi_hz: int = SPI_HZ
    i2c_hz: int = I2C_HZ
    unresolved: tuple[str, ...] = ()
    by_hand: bool = False

    def pin(self, at: At) -> Pin:
        """The pin at a place."""
        return self.parts[at.part].pins[at.pin]

    def wires(self) -> Iterator[Wire]:
        """All wires."""
        for cable in self.cables:
            yield from cable.wires

    def pins(self) -> Iterator[tuple[At, Pin]]:
        """All pins of all parts."""
        for part, kind in self.parts.items():
            for name, pin in kind.pins.items():
                yield At(part, name), pin


@dataclass(frozen=True, slots=True)
class Reached:
    """A pin that puts a level on another one: over how many volts of diodes, through a switch, straight or not."""

    at: At
    drop_v: float
    straight: bool
    switched: bool


class Nets:
    """The pins that are joined on a board, by wires, or inside a part as grounds are."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._group = {at: {at} for at, _ in circuit.pins()}
        joined = [*circuit.nets.values(), *((wire.start, wire.end) for wire in circuit.wires())]
        self._wired = {at for ends in joined if len(ends) > 1 for at in ends}
        for first, *others in joined:
            for other in others:
                self._join(first, other)
        for part, kind in circuit.parts.items():
            grounds = [At(part, name) for name, pin in kind.pins.items() if pin.kind is Is.GROUND]
            for ground in grounds[1:]:
                self._join(grounds[0], ground)
            for name, pin in kind.pins.items():
                if pin.same_as:
                    self._join(At(part, name), At(part, pin.same_as))

    def _join(self, one: At, other: At) -> None:
        if self._group[one] is not self._group[other]:
            joined = self._group[one] | self._group[other]
            for at in joined:
                self._group[at] = joined

    def is_wired(self, at: At) -> bool:
        """Whether a net or a wire joins that pin to another."""
        return at in self._wired

    def joined_to(self, at: At) -> list[At]:
        """All pins that are joined to this one, itself included, in an order that is always the same."""
        return sorted(self._group[at], key=str)

    def joined_of_kind(self, at: At, kind: Is) -> list[At]:
        """The places of one kind."""
        return [other for other in self.joined_to(at) if self._circuit.pin(other).kind is kind]

    def is_fixed(self, at: At) -> bool:
        """Whether a supply or ground is joined straight to it."""
        return bool(self.joined_of_kind(at, Is.SOURCE) or self.joined_of_kind(at, Is.GROUND))

    def reached(self, at: At) -> list[Reached]:
        """The pins that can put a level on this one: on its net, and through resistors, diodes and switches, but not
        beyond a supply or ground."""
        found: list[Reached] = []
        seen: set[At] = set()
        todo = [Reached(at, 0.0, straight=True, switched=False)]
        while todo:
            here = todo.pop()
            net = self.joined_to(here.at)
            if net[0] in seen:
                continue
            seen.add(net[0])
            found += [Reached(other, here.drop_v, here.straight, here.switched) for other in net if other != at]
            if not self.is_fixed(here.at):
                todo += [step for other in net for step in self._steps(other, here)]
        return found

    def _steps(self, at: At, here: Reached) -> Iterator[Reached]:
        """The other ends of what conducts from somewhere to this pin."""
        kind = self._circuit.parts[at.part]
        for one, other in kind.joins:
            ends = [(one, other)] if kind.one_way else [(one, other), (other, one)]
            for far, near in ends:
                if near == at.pin:
                    switched = here.switched or kind.switch
                    yield Reached(At(at.part, far), here.drop_v + kind.drop_v, straight=False, switched=switched)
