"""Whether buttons and shared wires have the resistors and capacitors that keep static and cross-talk from looking like
a press or a bit: a contact takes a pull-up of its own, a resistor in series and a capacitor at the pin; a wire on which
several readers answer through diodes takes a pull-down. And whether what a hand comes near is safe from what the hand
brings along: static, and a short circuit."""

from __future__ import annotations

from collections.abc import Iterator

from drafting.circuit import At, Circuit, Nets
from drafting.parts import Is

MOST_DELAY_US = 50
"""A press is stamped to 0.05 ms: series resistor and capacitor may delay it by no more."""

STURDY_V = 50
"""A pin that survives this voltage, such as a driver with clamping diodes of its own, needs no suppressor diode."""

MOST_LAMP_MA = 200
"""No supply that gives more leads to a lamp without a fuse."""


def contacts(circuit: Circuit, nets: Nets) -> Iterator[str]:
    """Mistakes of contacts, of shared wires and of leads to a hand, in sentences."""
    yield from _leads(circuit, nets)
    for role in circuit.roles:
        if role.reads:
            reached = nets.reached(role.at)
            if any(circuit.parts[other.at.part].switch and not nets.is_fixed(other.at) for other in reached):
                yield from _contact(circuit, nets, role.name, role.at)
            answers = [other for other in reached if circuit.pin(other.at).kind is Is.OUTPUT]
            if len(answers) > 1 and not any(
                nets.joined_of_kind(far, Is.GROUND) for far in _resistors(circuit, nets, role.at)
            ):
                yield f"{role.name} ({role.at}) hears {len(answers)} outputs, and no resistor pulls it down."


def _contact(circuit: Circuit, nets: Nets, name: str, at: At) -> Iterator[str]:
    if not any(other.switched is False and circuit.pin(other.at).kind is Is.SOURCE for other in nets.reached(at)):
        yield f"{name} ({at}) has no pull-up of its own: a contact's wire takes one."
    series = [_ohms(circuit, far) for far in _resistors(circuit, nets, at) if not nets.is_fixed(far)]
    if not series:
        yield f"{name} ({at}) has no resistor between it and the contact: it takes one for the filter."
    filters = list(_filters(circuit, nets, at))
    if not filters:
        yield f"{name} ({at}) has no capacitor to ground: static would look like a press."
    delay_us = sum(series) * sum(filters) / 1000
    if delay_us > MOST_DELAY_US:
        yield f"{name} ({at}) comes {delay_us:g} µs late through its filter: {MOST_DELAY_US} µs are allowed."


def _leads(circuit: Circuit, nets: Nets) -> Iterator[str]:
    """A lead to what a hand touches has a suppressor diode, unless it is a supply, or leads only to what survives a
    lot; a lamp's supply has a fuse."""
    for at, pin in circuit.pins():
        kind = circuit.parts[at.part]
        if not kind.in_hand:
            continue
        net = nets.joined_to(at)
        tender = pin.kind is Is.END or any((circuit.pin(other).most_v or STURDY_V) < STURDY_V for other in net)
        # what is soldered by hand against static is too slow for pulses: there the resistor before it has to do
        tender = tender and not (circuit.by_hand and pin.pulse_ns)
        if tender and not (nets.is_fixed(at) or any(circuit.parts[other.part].suppresses for other in net)):
            yield f"{at} has no suppressor diode: static from a hand would reach what it leads to."
        if pin.kind is Is.POWER and any(other.kind is Is.RETURN for other in kind.pins.values()):
            for source in nets.joined_of_kind(at, Is.SOURCE):
                if (circuit.pin(source).limit_ma or 0) > MOST_LAMP_MA:
                    yield f"{at} is on {source} without a fuse: its lead on ground would take all else with it."


def _resistors(circuit: Circuit, nets: Nets, at: At) -> Iterator[At]:
    """The far ends of the resistors at a pin."""
    for near in nets.joined_of_kind(at, Is.END):
        if circuit.parts[near.part].ohms:
            yield _far(circuit, near)


def _filters(circuit: Circuit, nets: Nets, at: At) -> Iterator[int]:
    """The capacitors between a pin and ground, in nF."""
    for near in nets.joined_of_kind(at, Is.END):
        nf = circuit.parts[near.part].nf
        if nf and nets.joined_of_kind(_far(circuit, near), Is.GROUND):
            yield nf


def _far(circuit: Circuit, near: At) -> At:
    """The other end of a part that has two."""
    (other,) = [name for name in circuit.parts[near.part].pins if name != near.pin]
    return At(near.part, other)


def _ohms(circuit: Circuit, end: At) -> int:
    return circuit.parts[end.part].ohms or 0
