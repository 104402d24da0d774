"""Whether every input is driven, by a level that it survives and takes for high, and by one output at a time."""

from __future__ import annotations

from collections.abc import Iterator

from drafting.circuit import At, Circuit, Nets, Reached, Role
from drafting.parts import Is, Pin

_LEVELS = frozenset({Is.OUTPUT, Is.SOURCE})


def levels(circuit: Circuit, nets: Nets) -> Iterator[str]:
    """Mistakes of levels, in sentences."""
    roles = {role.at: role for role in circuit.roles}
    for at, pin in circuit.pins():
        role = roles.get(at)
        if pin.kind is Is.INPUT or (role and role.reads):
            yield from _driven(circuit, nets, at, roles)
        if pin.kind is Is.INPUT or role:
            yield from overvoltages(circuit, nets, at, pin)
        if pin.kind is Is.OUTPUT or (role and role.drives):
            yield from _alone(circuit, nets, at, roles)
        if pin.through_resistor:
            for other in nets.joined_of_kind(at, Is.GPIO) + nets.joined_of_kind(at, Is.OUTPUT):
                yield f"{at} is on {other} without a resistor between them."


def _drives(circuit: Circuit, at: At, roles: dict[At, Role]) -> bool:
    """Whether a pin can put a level on a wire by itself."""
    role = roles.get(at)
    return circuit.pin(at).kind is Is.OUTPUT or (role is not None and not role.reads)


def _driven(circuit: Circuit, nets: Nets, at: At, roles: dict[At, Role]) -> Iterator[str]:
    """An input hears an output loudly enough, or a contact, or lies on a supply or ground for good."""
    pin = circuit.pin(at)
    reached = nets.reached(at)
    drivers = [other for other in reached if _drives(circuit, other.at, roles)]
    if not drivers and not _held(circuit, reached) and (nets.is_wired(at) or not pin.may_be_open):
        yield f"{at} is an input, and nothing drives it."
    for other in drivers:
        volts = _volts(circuit, other)
        if pin.high_from_v is not None and volts < pin.high_from_v:
            yield f"{at} takes {pin.high_from_v:g} V or more for high, and {other.at} gives {volts:g} V."


def _held(circuit: Circuit, reached: list[Reached]) -> bool:
    """Return whether a supply or ground gives the level, through any parts."""
    return any(circuit.pin(other.at).kind in (Is.SOURCE, Is.GROUND) for other in reached)


def overvoltages(circuit: Circuit, nets: Nets, at: At, pin: Pin) -> Iterator[str]:
    """Levels on a pin that it doesn't survive, in sentences."""
    if pin.most_v is None:
        return
    for other in nets.reached(at):
        volts = _volts(circuit, other)
        kind = circuit.pin(other.at).kind
        if (kind in _LEVELS or kind is Is.GPIO) and volts > pin.most_v:
            yield f"{at} survives {pin.most_v:g} V, and {other.at} puts {volts:g} V on it."
        pulled_v = circuit.pin(other.at).pulled_up_v
        if pulled_v is not None and pulled_v > pin.most_v:
            yield f"{at} survives {pin.most_v:g} V, and {other.at} pulls it up to {pulled_v:g} V."


def _volts(circuit: Circuit, other: Reached) -> float:
    return (circuit.pin(other.at).gives_v or 0.0) - other.drop_v


def _alone(circuit: Circuit, nets: Nets, at: At, roles: dict[At, Role]) -> Iterator[str]:
    """Report two outputs on one wire: readers on a common MISO take a diode each, since not all of them release it."""
    for other in nets.joined_to(at):
        role = roles.get(other)
        drives = circuit.pin(other).kind is Is.OUTPUT or (role is not None and role.drives)
        if drives and str(at) < str(other):
            yield f"{at} and {other} drive the same wire: it takes a diode behind each."
        if circuit.pin(other).kind in (Is.SOURCE, Is.GROUND):
            yield f"{at} is an output, and joined to {other}."
