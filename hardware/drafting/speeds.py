"""Whether levels arrive in time: resistors, and what the parts and leads behind them have of capacitance, make edges
slow. How slow they may be follows from how fast a wire is: readers' buses, the scoreboard's, and the data of a
ring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from drafting.circuit import At, Circuit, Nets, Reached, Role
from drafting.parts import Is

DRIVER_OHMS = 50
"""The resistance of an output itself."""
BUS_PULL_UP_OHMS = 1800
"""The Pi's own resistors at its I2C."""
BUS_RISE_NS = {100_000: 1000, 400_000: 300}
"""How long an edge of I2C may take to rise, at each speed in Hz (UM10204, table 10)."""
PIN_PF, BOARD_PF, LEAD_PF_A_MM = 10, 20, 0.1
"""The capacitance of a chip's pin, of a board's tracks, and of a millimetre of a lead."""
_SHARE = 0.6
"""The share of a pulse that an edge may take from 10 to 90 per cent."""
_EDGE, _TO_70_PER_CENT = 2.2, 0.85


@dataclass(frozen=True, slots=True)
class _Wire:
    """An output, and what it drives over how many ohms; the pins of all nets on the way."""

    ohms: int
    pins: frozenset[At]


def slow_wires(circuit: Circuit, nets: Nets) -> Iterator[str]:
    """Inputs whose pulses would not arrive, in sentences."""
    roles = {role.at: role for role in circuit.roles}
    for at, pin in circuit.pins():
        role = roles.get(at)
        if role is not None and role.needs.startswith("I2C"):
            yield from _late_bus(circuit, nets, at, BUS_PULL_UP_OHMS)
        elif pin.kind is Is.TERMINAL and pin.pulled_up_ohms and nets.is_wired(at):
            yield from _late_bus(circuit, nets, at, _behind_switch_ohms(circuit, nets, at))
        elif pin.kind is Is.INPUT or (role is not None and role.reads):
            for driver in nets.reached(at):
                pulse_ns = pin.pulse_ns or _spi_ns(circuit, roles.get(at), roles.get(driver.at))
                if pulse_ns and _drives(circuit, driver.at, roles):
                    yield from _late(circuit, at, _wire(circuit, nets, at, driver), _EDGE, _SHARE * pulse_ns)


def _late_bus(circuit: Circuit, nets: Nets, at: At, ohms: int) -> Iterator[str]:
    wire = _Wire(ohms, frozenset(nets.joined_to(at)))
    yield from _late(circuit, at, wire, _TO_70_PER_CENT, BUS_RISE_NS[circuit.i2c_hz])


def _behind_switch_ohms(circuit: Circuit, nets: Nets, at: At) -> int:
    """The resistors that pull a line up behind a port of an I2C switch, which passes no high level on."""
    pulls = [circuit.pin(other).pulled_up_ohms for other in nets.joined_to(at)]
    return round(1 / sum(1 / ohms for ohms in pulls if ohms))


def _spi_ns(circuit: Circuit, *roles: Role | None) -> float | None:
    """Half a period of the bus, if one of both ends is on it."""
    on_bus = any(role is not None and role.needs.startswith("SPI") for role in roles)
    return 5e8 / circuit.spi_hz if on_bus else None


def _drives(circuit: Circuit, at: At, roles: dict[At, Role]) -> bool:
    return circuit.pin(at).kind is Is.OUTPUT or (at in roles and roles[at].drives)


def _wire(circuit: Circuit, nets: Nets, at: At, driver: Reached) -> _Wire:
    """The load that the driver has to charge; if it drives through a diode, the load that the resistor to ground has to
    discharge."""
    own, far = nets.joined_to(at), nets.joined_to(driver.at)
    if own == far:
        return _Wire(DRIVER_OHMS, frozenset(own))
    between = {
        end.part: circuit.parts[end.part]
        for end in far
        if any(other.part == end.part for other in own) and circuit.parts[end.part].joins
    }
    if driver.drop_v:
        ends = [end for end in own if circuit.parts[end.part].ohms]
        downs = [circuit.parts[end.part].ohms or 0 for end in ends if _to_ground(circuit, nets, end)]
        return _Wire(min(downs, default=0), frozenset(own))
    return _Wire(DRIVER_OHMS + sum(kind.ohms or 0 for kind in between.values()), frozenset(own) | frozenset(far))


def _to_ground(circuit: Circuit, nets: Nets, end: At) -> bool:
    """Whether a part of two pins leads from one of them to ground."""
    others = [At(end.part, name) for name in circuit.parts[end.part].pins if name != end.pin]
    return any(nets.joined_of_kind(other, Is.GROUND) for other in others)


def _late(circuit: Circuit, at: At, wire: _Wire, factor: float, most_ns: float) -> Iterator[str]:
    pf = _capacitance(circuit, wire.pins)
    late_ns = factor * wire.ohms * pf / 1000
    if late_ns > most_ns:
        yield (
            f"{at} takes {late_ns:.0f} ns to get a level over {wire.ohms} Ω, with {pf:.0f} pF on the wire: "
            f"{most_ns:.0f} ns are allowed."
        )


def _capacitance(circuit: Circuit, pins: Iterable[At]) -> float:
    """The capacitance of all pins of a wire, of the leads that end there, and of the board."""
    on_wire = set(pins)
    total = float(BOARD_PF)
    for at in on_wire:
        kind, pin = circuit.parts[at.part], circuit.pin(at)
        total += kind.pf(by_hand=circuit.by_hand) if pin.kind is Is.END else 0
        is_chip = pin.kind in (Is.INPUT, Is.OUTPUT, Is.GPIO) or (pin.kind is Is.TERMINAL and pin.pulled_up_ohms)
        total += PIN_PF if is_chip else 0
    for cable in circuit.cables:
        if any(wire.start in on_wire for wire in cable.wires):
            total += LEAD_PF_A_MM * cable.longest_mm
    return total
