"""The tables of ``docs/wiring.md``: which pin does what and where it leads, what is joined on a board, and the header
as one looks at it."""

from __future__ import annotations

from collections.abc import Mapping

from drafting.builds import Build, Description
from drafting.circuit import At, Circuit, Nets, Role
from drafting.pages import table
from drafting.parts import Is

HEADER_ROWS = 20


def wiring_tables(description: Description) -> Mapping[str, str]:
    """The tables by the names of their places on the page."""
    made: dict[str, str] = {}
    for key, build in description.builds.items():
        circuit = build.circuit(build.seats[-1])
        if not circuit.roles:
            continue  # nothing is on a pin
        made[f"{key} pins"] = _pins(circuit)
        if circuit.nets:
            made[f"{key} nets"] = _nets(circuit)
        if circuit.main == "pi":
            made[f"{key} header"] = _header(circuit)
            if "pins" in build.data["seats"][0]:
                made[f"{key} seats"] = _seats(build)
            if build.data.get("seat_parts", {}).get("reader") == "unit_rfid2":
                made[f"{key} ports"] = _ports(build)
    return made


def _pins(circuit: Circuit) -> str:
    """All named pins of the main board."""
    nets = Nets(circuit)
    rows = [
        (f"`{role.name}`", role.at.pin, circuit.pin(role.at).place, role.needs, _leads_to(circuit, nets, role))
        for role in circuit.roles
        if role.at.part == circuit.main
    ]
    return table(("name", "pin", "place", "is", "leads to"), rows)


def _nets(circuit: Circuit) -> str:
    """The nets on the board, without those of the boards that are plugged into it."""
    rows = [
        (f"`{name}`", ", ".join(_placed(circuit, at) for at in ends))
        for name, ends in circuit.nets.items()
        if "." not in name
    ]
    return table(("net", "joins"), rows)


def _placed(circuit: Circuit, at: At) -> str:
    """A pin with its place, which the two ends of a small part don't need."""
    return f"{at} ({circuit.pin(at).place})" if len(circuit.parts[at.part].pins) > 2 else str(at)


def _leads_to(circuit: Circuit, nets: Nets, role: Role) -> str:
    """The other end of a pin's connection, past resistors and diodes."""
    found: list[str] = []
    for other in nets.reached(role.at):
        if nets.is_fixed(other.at):
            continue
        pin, kind = circuit.pin(other.at), circuit.parts[other.at.part]
        if other.at.part != circuit.main and (
            pin.kind in (Is.INPUT, Is.OUTPUT) or (kind.switch and pin.kind is Is.END)
        ):
            found.append(f"{other.at}")
    return ", ".join(sorted(name for name in found if not name.endswith(".COM")))


def _header(circuit: Circuit) -> str:
    """The 2×20 header, pin 1 at the upper left."""
    names = {role.at: f"**{role.name}**" for role in circuit.roles}
    nets = Nets(circuit)
    at_place: dict[int, str] = {}
    for name, pin in circuit.parts[circuit.main].pins.items():
        if pin.place:
            at = At(circuit.main, name)
            shown = name if pin.kind is Is.GPIO else name.split("_")[0]
            at_place[int(pin.place)] = (
                f"{names[at]} {shown}" if at in names else shown if nets.is_wired(at) else f"({shown})"
            )
    rows = [
        (at_place[2 * row + 1], str(2 * row + 1), str(2 * row + 2), at_place[2 * row + 2]) for row in range(HEADER_ROWS)
    ]
    return table(("", "", "", ""), rows)


def _seats(build: Build) -> str:
    """The pins of each seat."""
    seats: list[dict[str, list[str]]] = [seat["pins"] for seat in build.data["seats"]]
    circuit = build.circuit(len(seats))
    rows = [
        (str(number), *(_spelled(circuit, At(*pin.split(".", 1))) for pin, _ in seat.values()))
        for number, seat in enumerate(seats, 1)
    ]
    return table(("seat", *(f"`{name}`" for name in seats[0])), rows)


def _ports(build: Build) -> str:
    """Return where each cable leads, for a build of parts that plug together."""
    circuit = build.circuit(build.seats[-1])
    rows = [
        (
            cable.name,
            f"`{cable.wires[0].start}`",
            f"`{cable.wires[0].end.part}`",
            cable.plug,
            f"{cable.longest_mm / 1000:g} m",
        )
        for cable in circuit.cables
    ]
    return table(("cable", "from", "to", "what it is", "length, at most"), rows)


def _spelled(circuit: Circuit, at: At) -> str:
    return f"{at.pin} (pin {circuit.pin(at).place})"
