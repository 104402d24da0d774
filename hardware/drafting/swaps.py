"""Whether a plug in the wrong socket does harm: every cable is plugged into every other socket of its board that takes
the same plug, and both are exchanged. Harm is a short circuit, a pin that gets more volts than it survives, or an
output that carries more than it can. A cable that merely does nothing there is no mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from drafting.circuit import At, Cable, Circuit, Nets, Wire
from drafting.levels import overvoltages
from drafting.parts import Is, Kind

MOST_PIN_MA = 16
"""A pin of a Pi gives no more, and that of a Pico survives it for the time of a mistake."""
_RIGID = (Is.SOURCE, Is.GROUND)


@dataclass(frozen=True, slots=True)
class _Socket:
    """A socket of a board with the cables that lead from it."""

    part: str
    kind: Kind
    cables: tuple[Cable, ...]

    @property
    def plug(self) -> tuple[str, str]:
        """The board that it is on, and the plug that it takes: its land pattern."""
        board, _, _ = self.part.rpartition(".")
        return board, self.kind.pcb.footprint if self.kind.pcb else self.kind.key


def swaps(circuit: Circuit) -> Iterator[str]:
    """The effects of a plug in the wrong socket, in sentences."""
    before = set(_harm(circuit))
    for one, other in permutations(_sockets(circuit), 2):
        if one.plug != other.plug:
            continue
        moved = tuple(_moved(cable, one, other) for cable in one.cables)
        back = tuple(_moved(cable, other, one) for cable in other.cables)
        # the other cable is plugged in nowhere, or where this one belongs
        for cables in (moved, moved + back):
            left = tuple(cable for cable in circuit.cables if cable not in (*one.cables, *other.cables))
            wrong = dict.fromkeys(each for each in _harm(replace(circuit, cables=left + cables)) if each not in before)
            if wrong:
                names = ", ".join(cable.name for cable in one.cables)
                yield from (f"The plug of {names} fits into {other.part}: then {each}" for each in wrong)
                break


def _sockets(circuit: Circuit) -> list[_Socket]:
    """The sockets into which cables are plugged."""
    found: dict[str, list[Cable]] = {}
    for cable in circuit.cables:
        part = cable.wires[0].start.part
        kind = circuit.parts[part]
        if kind.pcb and all(pin.kind is Is.TERMINAL for pin in kind.pins.values()):
            found.setdefault(part, []).append(cable)
    return [_Socket(part, circuit.parts[part], tuple(cables)) for part, cables in found.items()]


def _moved(cable: Cable, own: _Socket, other: _Socket) -> Cable:
    """A cable whose plug is in another socket, pole for pole."""
    pins: Mapping[str, str] = {pin.place: name for name, pin in other.kind.pins.items()}
    places = {wire: own.kind.pins[wire.start.pin].place for wire in cable.wires}
    wires = tuple(
        Wire(At(other.part, pins[place]), wire.end, wire.colour) for wire, place in places.items() if place in pins
    )
    return replace(cable, wires=wires)


def _harm(circuit: Circuit) -> Iterator[str]:
    """Everything in a circuit that would break something, in sentences."""
    nets = Nets(circuit)
    for at, pin in circuit.pins():
        if pin.kind is Is.SOURCE:
            yield from _shorts(circuit, nets, at)
        elif pin.kind is Is.POWER and pin.takes_v:
            for source in nets.joined_of_kind(at, Is.SOURCE):
                volts = circuit.pin(source).gives_v or 0.0
                if volts > pin.takes_v[1]:
                    yield f"{at} takes {pin.takes_v[1]:g} V at most, and {source} gives {volts:g} V."
        elif pin.kind is Is.INPUT:
            yield from overvoltages(circuit, nets, at, pin)
    for role in circuit.roles:
        yield from overvoltages(circuit, nets, role.at, circuit.pin(role.at))
        if role.drives:
            yield from _overloads(circuit, nets, role.at)


def _shorts(circuit: Circuit, nets: Nets, source: At) -> Iterator[str]:
    """Grounds and other supplies that a supply meets without a resistor, as when a button is pressed."""
    for at, ohms in _within_reach(circuit, nets, source).items():
        kind, pin = circuit.pin(at).kind, circuit.pin(at)
        other_supply = kind is Is.SOURCE and pin.gives_v != circuit.pin(source).gives_v
        if not ohms and (kind is Is.GROUND or other_supply):
            yield f"{source} is shorted to {_named(at, kind)}."
            return


def _overloads(circuit: Circuit, nets: Nets, at: At) -> Iterator[str]:
    """The things that a driving pin meets over too few ohms, so that it gives or takes too much."""
    for other, ohms in _within_reach(circuit, nets, at).items():
        pin = circuit.pin(other)
        volts = max(circuit.pin(at).gives_v or 0.0, pin.gives_v or 0.0)
        if pin.kind in _RIGID and volts > MOST_PIN_MA * ohms / 1000:
            yield f"{at} is an output, and meets {_named(other, pin.kind)} over {ohms} Ω."
            return


def _named(at: At, kind: Is) -> str:
    return "ground" if kind is Is.GROUND else str(at)


def _within_reach(circuit: Circuit, nets: Nets, start: At) -> dict[At, int]:
    """The pins that this one meets on its net and through resistors and switches, with the fewest ohms between them;
    not beyond a supply or ground."""
    least: dict[At, int] = {}
    todo = [(start, 0)]
    while todo:
        here, ohms = todo.pop()
        net = nets.joined_to(here)
        if least.get(net[0], ohms + 1) <= ohms:
            continue
        least |= dict.fromkeys(net, ohms)
        if here != start and nets.is_fixed(here):
            continue
        for at in net:
            kind = circuit.parts[at.part]
            for one, other in kind.joins:
                for near, far in ((one, other), (other, one)):
                    # a diode lets something through in one direction alone
                    if near == at.pin and not (kind.one_way and near != one):
                        todo.append((At(at.part, far), ohms + (kind.ohms or 0)))
    return least
