"""The wiring in ``seat_board.toml``, ``full.toml``, ``compact.toml``, ``ready.toml`` and ``ready_usb.toml``, read, and
made into a circuit for a number of seats and a model of the Pi. Must not judge it: that is for the checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from drafting.circuit import I2C_HZ, SPI_HZ, At, Cable, Circuit, Role, Wire
from drafting.parts import DescriptionError, Kind, Table, read_kinds, read_toml

FILES = ("centre", "seat_board", "full", "compact", "ready", "ready_usb")


@dataclass(frozen=True, slots=True)
class Build:
    """One file of wiring, the kinds of parts, and the other files, which it may have for assemblies."""

    key: str
    data: Table
    kinds: Mapping[str, Kind]
    others: Mapping[str, Table]

    @property
    def title(self) -> str:
        """The name of the build."""
        return self.data["title"]

    @property
    def variants(self) -> Sequence[str]:
        """The models of the Pi that it may be built with."""
        return self.data.get("variants", [""])

    @property
    def seats(self) -> range:
        """How many seats it may have; a seat board is for none in particular."""
        most = len(self.data.get("seats", []))
        return range(2, most + 1) if most else range(1)

    def circuit(self, seats: int, variant: int = 0, *, by_hand: bool = False) -> Circuit:
        """The circuit of `seats` seats with one of the variants, and with stand-ins for the rest of the table if it is
        only a part of one; `by_hand` without the parts that only printed boards have."""
        made = _Drafting(self, variant).circuit(seats, alone=True)
        return _wired_by_hand(made, self) if by_hand else made

    def inner_circuit(self) -> Circuit:
        """The circuit as an assembly of another."""
        return _Drafting(self, 0).circuit(0, alone=False)


@dataclass(frozen=True, slots=True)
class Description:
    """All that is described."""

    kinds: Mapping[str, Kind]
    builds: Mapping[str, Build]

    @property
    def seat_board(self) -> Build:
        """The assembly that the full build has at each seat."""
        return self.builds["seat_board"]


def read_description(folder: Path) -> Description:
    """Read the description from the files in `hardware/`. Raises DescriptionError if they can't be read."""
    return describe(read_toml(folder / "parts.toml"), {key: read_toml(folder / f"{key}.toml") for key in FILES})


def describe(parts: Table, wirings: Mapping[str, Table]) -> Description:
    """The same from what the files hold."""
    kinds = read_kinds(parts)
    whole = {key: _with_included(data, wirings) for key, data in wirings.items() if "title" in data}
    builds = {key: Build(key, data, kinds, whole) for key, data in whole.items()}
    return Description(kinds, MappingProxyType(builds))


def _with_included(data: Table, wirings: Mapping[str, Table]) -> Table:
    """A file together with the parts and wires of the one that it includes."""
    common: Table = wirings[data["include"]] if "include" in data else {}
    whole = dict(data)
    for name, more in common.items():
        whole[name] = _joined(more, data[name]) if name in data else more
    return whole


def _joined(one: Any, other: Any) -> Any:
    """Lists one after the other, and tables with what is in either; of two words the second."""
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    if isinstance(one, dict) and isinstance(other, dict):
        here, there = cast("Table", one), cast("Table", other)
        return {**here, **{key: _joined(here[key], value) if key in here else value for key, value in there.items()}}
    return other


class _Drafting:
    """One circuit while it is put together."""

    def __init__(self, build: Build, variant: int) -> None:
        self._build = build
        self._data = build.data
        self._variant = variant
        self._parts: dict[str, Kind] = {}
        self._roles: dict[str, Role] = {}
        self._nets: dict[str, list[At]] = {}
        self._cables: list[Cable] = []
        self._unresolved: list[str] = []

    def circuit(self, seats: int, *, alone: bool) -> Circuit:
        self._add_parts(self._data["parts"])
        rest: Table = self._data.get("alone", {}) if alone else {}
        self._add_parts(rest.get("parts", {}))
        for seat in range(1, seats + 1):
            self._add_parts(self._data.get("seat_parts", {}), str(seat))
            for name, key in self._data.get("seat_assemblies", {}).items():
                self._add_assembly(f"{name}{seat}", key)
        for chosen in self._data.get("seats", [])[:seats]:
            self._add_parts(chosen.get("parts", {}))
        self._add_roles(self._data["pins"])
        for seat, chosen in enumerate(self._data.get("seats", [])[:seats], 1):
            self._add_roles(chosen.get("pins", {}), str(seat))
        self._add_nets(self._data.get("nets", {}), {})
        for seat, chosen in enumerate(self._data.get("seats", [])[:seats], 1):
            self._add_nets(self._data.get("seat_nets", {}), {"seat": str(seat), **chosen.get("words", {})})
        for cable in [*self._data["cables"], *rest.get("cables", [])]:
            self._add_cable(cable, {"build": self._build.key})
        for chosen in self._data.get("seats", [])[:seats]:
            for cable in chosen.get("cables", []):
                self._add_cable(cable, {"build": self._build.key})
        for cable in self._data.get("seat_cables", []):
            for seat, chosen in enumerate(self._data["seats"][:seats], 1):
                self._add_cable(cable, {"build": self._build.key, "seat": str(seat), **chosen.get("words", {})})
        return Circuit(
            title=self._build.title,
            main=self._data["main"],
            parts=MappingProxyType(self._parts),
            roles=tuple(self._roles.values()),
            nets=MappingProxyType({name: tuple(ends) for name, ends in self._nets.items()}),
            cables=tuple(self._cables),
            one_at_a_time=self._data.get("one_at_a_time"),
            spi_hz=self._data.get("firmware", {}).get("SPI_HZ", SPI_HZ),
            i2c_hz=self._data.get("i2c_hz", I2C_HZ),
            unresolved=tuple(dict.fromkeys(self._unresolved)),
        )

    def _add_parts(self, parts: Table, number: str = "") -> None:
        for name, keys in parts.items():
            key: str = keys if isinstance(keys, str) else keys[self._variant]
            if key not in self._build.kinds:
                raise DescriptionError(f'{self._build.key}.toml: {name} can\'t be "{key}": parts.toml has none.')
            self._parts[name + number] = self._build.kinds[key]

    def _add_assembly(self, name: str, key: str) -> None:
        inner = Build(key, self._build.others[key], self._build.kinds, self._build.others).inner_circuit()
        self._parts |= {f"{name}.{part}": kind for part, kind in inner.parts.items()}
        for role in inner.roles:
            full = f"{name}.{role.name}"
            self._roles[full] = Role(full, _within(name, role.at), role.needs)
        for net, ends in inner.nets.items():
            self._nets[f"{name}.{net}"] = [_within(name, at) for at in ends]
        for cable in inner.cables:
            wires = tuple(Wire(_within(name, w.start), _within(name, w.end), w.colour) for w in cable.wires)
            self._cables.append(replace(cable, name=f"{name}: {cable.name}", wires=wires, sheets=()))

    def _add_roles(self, pins: Table, number: str = "") -> None:
        for name, (text, needs) in pins.items():
            if at := self._pin(text, f"pin {name}{number}"):
                self._roles[name + number] = Role(name + number, at, needs)

    def _add_nets(self, nets: Table, words: Mapping[str, str]) -> None:
        for text, ends in nets.items():
            name = _filled(text, words)
            role = [self._roles[name].at] if name in self._roles else []
            pins = [self._pin(_filled(end, words), f"net {name}") for end in ends]
            net = self._nets.setdefault(name, role)
            net += [at for at in pins if at]

    def _add_cable(self, cable: Table, words: Mapping[str, str]) -> None:
        name = _filled(cable["name"], words)
        self._cables.append(
            Cable(
                name,
                tuple(self._wires(name, cable["wires"], words)),
                cable["plug"],
                cable["longest_mm"],
                cable.get("mm2"),
                tuple(_filled(sheet, words) for sheet in cable.get("sheets", [])),
                cable.get("bought", True),
            )
        )

    def _wires(self, cable: str, wires: list[Any], words: Mapping[str, str]) -> Iterator[Wire]:
        for start, end, colour in wires:
            ends = [self._pin(_filled(text, words), f"cable {cable}") for text in (start, end)]
            if ends[0] and ends[1]:
                yield Wire(ends[0], ends[1], colour)

    def _pin(self, text: str, where: str) -> At | None:
        for part, kind in self._parts.items():
            if text.startswith(f"{part}."):
                name = text.removeprefix(f"{part}.")
                if name in kind.pins:
                    return At(part, name)
                self._unresolved.append(f"{where}: {part} ({kind.name}) has no pin {name}.")
                return None
        self._unresolved.append(f"{where}: there is no part of the name {text.split('.')[0]}.")
        return None


def _wired_by_hand(circuit: Circuit, build: Build) -> Circuit:
    files = [build.data, *(build.others[key] for key in build.data.get("seat_assemblies", {}).values())]
    left_out = {name for file in files for name in file.get("only_printed", [])}

    def stays(part: str) -> bool:
        return part.rpartition(".")[2] not in left_out

    return replace(
        circuit,
        parts=MappingProxyType({part: kind for part, kind in circuit.parts.items() if stays(part)}),
        nets=MappingProxyType({net: tuple(at for at in ends if stays(at.part)) for net, ends in circuit.nets.items()}),
        by_hand=True,
    )


def _within(assembly: str, at: At) -> At:
    return At(f"{assembly}.{at.part}", at.pin)


def _filled(text: str, words: Mapping[str, str]) -> str:
    """A text with what stands in braces filled in."""
    for word, value in words.items():
        text = text.replace(f"{{{word}}}", value)
    return text
