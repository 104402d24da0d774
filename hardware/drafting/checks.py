"""Mistakes in a circuit, each in a sentence that names the pins. Functions of the circuit alone; the data sheets named
in ``parts.toml`` and the README of ``hardware/`` have the reason of each demand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from drafting.circuit import AT_REST, At, Circuit, Nets
from drafting.contacts import contacts
from drafting.levels import levels
from drafting.parts import Is
from drafting.speeds import slow_wires
from drafting.supplies import rails
from drafting.swaps import swaps

LONGEST_SPI_MM = {1_000_000: 300, 4_000_000: 200}
"""How long the lead of a reader may be, up to each speed in Hz."""


def mistakes(circuit: Circuit) -> list[str]:
    """Everything that is wrong, in sentences; none if the circuit is right."""
    if circuit.unresolved:
        return list(circuit.unresolved)
    nets = Nets(circuit)
    return [
        *_pins_used_twice(circuit),
        *_pins_that_cannot(circuit),
        *_pins_without_a_name(circuit, nets),
        *_pins_in_two_nets(circuit),
        *_ends_in_the_air(circuit, nets),
        *_cables(circuit, nets),
        *_grounds(circuit, nets),
        *_supplies(circuit, nets),
        *levels(circuit, nets),
        *contacts(circuit, nets),
        *slow_wires(circuit, nets),
        *swaps(circuit),
        *overloads(circuit),
    ]


def overloads(circuit: Circuit) -> Iterator[str]:
    """Supplies from which more may be drawn than they give."""
    for rail in rails(circuit):
        if rail.peak_ma > rail.limit_ma:
            yield f"{rail.at} gives {rail.limit_ma} mA ({rail.limit_source}), and up to {rail.peak_ma} mA are drawn."


def _pins_used_twice(circuit: Circuit) -> Iterator[str]:
    for one, other in combinations(circuit.roles, 2):
        if one.at == other.at:
            yield f"{one.at} is used twice: for {one.name} and for {other.name}."


def _pins_that_cannot(circuit: Circuit) -> Iterator[str]:
    for role in circuit.roles:
        pin = circuit.pin(role.at)
        kind = circuit.parts[role.at.part]
        if pin.kind is not Is.GPIO:
            yield f"{role.name} can't be on {role.at}: that is no pin to choose."
        elif role.at.pin in kind.spoken_for:
            yield f"{role.name} can't be on {role.at}: the system uses that pin itself."
        elif role.needs == AT_REST and role.at.pin in kind.pulled_up_at_start:
            yield f"{role.name} can't be on {role.at}: it is pulled up while the board starts, and would be on."
        elif role.needs not in ("in", "out", AT_REST, *pin.can):
            able = [name for name, other in kind.pins.items() if role.needs in other.can]
            instead = f"{', '.join(able)} can" if able else "no pin of it can"
            yield f"{role.name} can't be on {role.at}: it can't do {role.needs}; {instead}."


def _pins_without_a_name(circuit: Circuit, nets: Nets) -> Iterator[str]:
    named = {role.at for role in circuit.roles}
    for at, pin in circuit.pins():
        if pin.kind is Is.GPIO and nets.is_wired(at) and at not in named:
            yield f"{at} leads somewhere, but no name under [pins] says what it is for."
    for role in circuit.roles:
        if not nets.is_wired(role.at):
            yield f"{role.name} ({role.at}) leads nowhere."


def _pins_in_two_nets(circuit: Circuit) -> Iterator[str]:
    found: dict[At, str] = {}
    for name, ends in circuit.nets.items():
        for at in dict.fromkeys(ends):
            if at in found:
                yield f"{at} is in two nets: {found[at]} and {name}."
            found[at] = name


def _ends_in_the_air(circuit: Circuit, nets: Nets) -> Iterator[str]:
    """Ends of small parts and of contacts lead to something that isn't merely a socket, nor to their own other end."""
    for at, pin in circuit.pins():
        if pin.kind is not Is.END:
            continue
        others = [other for other in nets.joined_to(at) if other != at]
        if all(circuit.pin(other).kind is Is.TERMINAL for other in others):
            yield f"{at} leads nowhere."
        for other in others:
            if other.part == at.part and str(at) < str(other):
                yield f"{at} and {other} are joined: {at.part} is bridged."


def _cables(circuit: Circuit, nets: Nets) -> Iterator[str]:
    spi = {at for role in circuit.roles if role.needs.startswith("SPI") for at in nets.joined_to(role.at)}
    longest_mm = next((mm for hz, mm in LONGEST_SPI_MM.items() if circuit.spi_hz <= hz), 0)
    for cable in circuit.cables:
        if len({(wire.start.part, wire.end.part) for wire in cable.wires}) > 1:
            yield f"cable {cable.name} leads to several parts: make it several cables."
        ends = {at for wire in cable.wires for at in (wire.start, wire.end)}
        if ends & spi and cable.longest_mm > longest_mm:
            at = f"SPI at {circuit.spi_hz / 1e6:g} MHz takes {longest_mm} mm at most"
            yield f"cable {cable.name} may be {cable.longest_mm} mm long: {at}."


def _grounds(circuit: Circuit, nets: Nets) -> Iterator[str]:
    main = next(At(circuit.main, name) for name, pin in _pins_of(circuit, circuit.main) if pin is Is.GROUND)
    common = set(nets.joined_to(main))
    for part in circuit.parts:
        grounds = [At(part, name) for name, kind in _pins_of(circuit, part) if kind is Is.GROUND]
        if grounds and grounds[0] not in common:
            yield f"{grounds[0]} isn't joined to the ground of {circuit.main}."


def _pins_of(circuit: Circuit, part: str) -> Iterator[tuple[str, Is]]:
    for name, pin in circuit.parts[part].pins.items():
        yield name, pin.kind


def _supplies(circuit: Circuit, nets: Nets) -> Iterator[str]:
    for at, pin in circuit.pins():
        if pin.kind is Is.POWER and pin.takes_v:
            sources = nets.joined_of_kind(at, Is.SOURCE)
            low, high = pin.takes_v
            if not sources:
                yield f"{at} has no supply: it takes {low:g} to {high:g} V."
            for source in sources:
                volts = circuit.pin(source).gives_v or 0.0
                if not low <= volts <= high:
                    yield f"{at} takes {low:g} to {high:g} V, and {source} gives {volts:g} V."
        if pin.kind is Is.SOURCE:
            for other in nets.joined_of_kind(at, Is.SOURCE):
                if str(at) < str(other):
                    yield f"{at} and {other} are both supplies, and joined."
        if pin.kind is Is.RETURN and not (nets.joined_of_kind(at, Is.GROUND) or nets.joined_of_kind(at, Is.SINK)):
            yield f"{at} leads neither to ground nor to a transistor."
