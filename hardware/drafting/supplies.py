"""The load of each supply: the draws of all parts that it feeds, straight or through a regulator or a board, added up.
A milliampere behind a regulator is counted as one before it, which holds for a linear one and is too much for a
switching one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from drafting.circuit import At, Circuit, Nets
from drafting.parts import Draw, Is


@dataclass(frozen=True, slots=True)
class Rail:
    """A supply with its limit and what is drawn from it, in mA."""

    at: At
    gives_v: float
    limit_ma: int
    limit_source: str
    typical_ma: int
    peak_ma: int


@dataclass(frozen=True, slots=True)
class _Consumer:
    kind: str
    draw: Draw


def rails(circuit: Circuit) -> list[Rail]:
    """Every supply of the circuit that feeds something, in the order of the parts."""
    nets = Nets(circuit)
    found: list[Rail] = []
    for at, pin in circuit.pins():
        if pin.kind is not Is.SOURCE or pin.gives_v is None or pin.limit_ma is None:
            continue
        consumers = list(_consumers(circuit, nets, at))
        if consumers:
            typical, peak = _sums(consumers, circuit.one_at_a_time)
            found.append(Rail(at, pin.gives_v, pin.limit_ma, pin.limit_source, typical, peak))
    return found


def _consumers(circuit: Circuit, nets: Nets, source: At) -> Iterator[_Consumer]:
    for at in nets.joined_of_kind(source, Is.POWER):
        kind = circuit.parts[at.part]
        if at.pin in kind.draws:
            yield _Consumer(kind.key, kind.draws[at.pin])
        for name, pin in kind.pins.items():
            if pin.kind is Is.SOURCE and pin.fed_by == at.pin:
                yield from _consumers(circuit, nets, At(at.part, name))
    for at in nets.joined_of_kind(source, Is.END):
        yield from _pull(circuit, at, circuit.pin(source).gives_v or 0.0)


def _pull(circuit: Circuit, at: At, volts: float) -> Iterator[_Consumer]:
    """The current through a resistor when its other end is pulled to ground."""
    kind = circuit.parts[at.part]
    if kind.ohms:
        yield _Consumer(kind.key, Draw(0, -round(-1000 * volts // kind.ohms), 0, "Ohm's law"))


def _sums(consumers: list[_Consumer], one_at_a_time: str | None) -> tuple[int, int]:
    """Typical and peak of all, of those of which one works at a time only the heaviest working."""
    always = [consumer.draw for consumer in consumers if consumer.kind != one_at_a_time]
    turns = [consumer.draw for consumer in consumers if consumer.kind == one_at_a_time]
    typical = sum(draw.typical_ma for draw in always)
    peak = sum(draw.peak_ma for draw in always)
    if turns:
        resting = sum(draw.resting_ma for draw in turns)
        typical += resting + max(draw.typical_ma - draw.resting_ma for draw in turns)
        peak += resting + max(draw.peak_ma - draw.resting_ma for draw in turns)
    return typical, peak
