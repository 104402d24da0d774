"""The kinds of parts in ``parts.toml``: their pins, what their data sheets say of those, and what they draw. Must not
know which parts are used, or where."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

Table: TypeAlias = Mapping[str, Any]


class Is(StrEnum):
    """The function of a pin."""

    GPIO = "gpio"
    INPUT = "input"
    OUTPUT = "output"
    SINK = "sink"  # pulls down only
    POWER = "power"
    SOURCE = "source"
    GROUND = "ground"
    RETURN = "return"  # the cold end of a load
    END = "end"  # of a resistor and the like
    TERMINAL = "terminal"  # holds wires together


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a kind of part. `gives_v` is what it puts out, `takes_v` the range of a power pin, `most_v` the highest
    that an input survives, `high_from_v` the lowest that it surely takes for high, `pulse_ns` the shortest pulse that
    has to reach it, `pulled_up_ohms` the resistor with which its own module holds it up, and `pulled_up_v` the voltage
    behind that resistor."""

    name: str
    kind: Is
    place: str = ""
    can: tuple[str, ...] = ()
    gives_v: float | None = None
    takes_v: tuple[float, float] | None = None
    most_v: float | None = None
    high_from_v: float | None = None
    limit_ma: int | None = None
    limit_source: str = ""
    fed_by: str | None = None
    same_as: str | None = None
    may_be_open: bool = False
    through_resistor: bool = False
    pulse_ns: int | None = None
    pulled_up_ohms: int | None = None
    pulled_up_v: float | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """The current that a part draws at a power pin."""

    typical_ma: int
    peak_ma: int
    resting_ma: int
    source: str


@dataclass(frozen=True, slots=True)
class OnPcb:
    """How a kind of part is on a printed board: its land pattern, what is bought for it, at which pad each pin is, and
    the numbers of its maker and of LCSC by which a board house has it."""

    footprint: str
    number: str
    pads: Mapping[str, str]
    pf: int | None = None
    part: str = ""
    lcsc: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of part. `joins` are the pairs of pins between which it conducts: a resistor, a diode, a switch. `number`
    is what is bought to be soldered by hand on a perfboard, or what has no other form; `pcb` what a printed board
    takes. What is `in_hand` brings static to its leads, and what `suppresses` keeps it from going further."""

    key: str
    name: str
    number: str
    what: str
    source: str
    pins: Mapping[str, Pin]
    draws: Mapping[str, Draw] = field(default_factory=lambda: MappingProxyType({}))
    joins: tuple[tuple[str, str], ...] = ()
    switch: bool = False
    one_way: bool = False
    drop_v: float = 0.0
    ohms: int | None = None
    nf: int | None = None
    pulled_up_at_start: frozenset[str] = frozenset()
    spoken_for: frozenset[str] = frozenset()
    pcb: OnPcb | None = None
    bought: bool = True
    in_hand: bool = False
    suppresses: bool = False
    hand_pf: int = 0

    def pf(self, *, by_hand: bool) -> int:
        """Its capacitance in pF, which the form for a board wired by hand may have more of."""
        return self.hand_pf if by_hand or self.pcb is None or self.pcb.pf is None else self.pcb.pf


class DescriptionError(Exception):
    """The description can't be read; the message says what is wrong with it."""


def read_toml(path: Path) -> Table:
    """A file of the description; DescriptionError if it is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"{path.name}: this is no TOML: {error}.") from error


def read_kinds(data: Table) -> Mapping[str, Kind]:
    """All kinds of parts by their keys, from what `parts.toml` holds."""
    headers: Table = data["headers"]
    return MappingProxyType({key: _kind(key, part, headers) for key, part in data.items() if key != "headers"})


def _kind(key: str, part: Table, headers: Table) -> Kind:
    header: Table = headers[part["header"]] if "header" in part else {}
    gpio: dict[str, list[str]] = {**part.get("gpio", {}), **header.get("gpio", {})}
    levels: Table = {**part.get("gpio_levels", {}), **header.get("gpio_levels", {})}
    pins = {name: _gpio(name, words, levels) for name, words in gpio.items()}
    described: dict[str, Table] = {**part.get("pins", {}), **header.get("pins", {})}
    pins |= {name: _pin(key, name, pin) for name, pin in described.items()}
    draws: dict[str, Table] = part.get("draws", {})
    return Kind(
        key=key,
        name=part["name"],
        number=part["number"],
        what=part.get("what", ""),
        source=part.get("source", ""),
        pins=MappingProxyType(pins),
        draws=MappingProxyType({name: _draw(draw) for name, draw in draws.items()}),
        joins=tuple((one, other) for one, other in part.get("joins", [])),
        switch=part.get("switch", False),
        one_way=part.get("one_way", False),
        drop_v=part.get("drop_v", 0.0),
        ohms=part.get("ohms"),
        nf=part.get("nf"),
        pulled_up_at_start=frozenset(header.get("pulled_up_at_start", part.get("pulled_up_at_start", []))),
        spoken_for=frozenset(header.get("spoken_for", part.get("spoken_for", []))),
        pcb=_on_pcb(part, pins) if "pcb" in part else None,
        bought=part.get("bought", True),
        in_hand=part.get("in_hand", False),
        suppresses=part.get("suppresses", False),
        hand_pf=part.get("pf", 0),
    )


def _on_pcb(part: Table, pins: Mapping[str, Pin]) -> OnPcb:
    pcb: Table = part["pcb"]
    places: Table = {name: pin.place for name, pin in pins.items() if pin.place} | pcb.get("at", {})
    return OnPcb(
        pcb["footprint"],
        pcb.get("number", part["number"]),
        MappingProxyType(places),
        pcb.get("pf"),
        pcb.get("part", ""),
        pcb.get("lcsc", ""),
    )


def _gpio(name: str, words: list[str], levels: Table) -> Pin:
    place, *functions = words
    return Pin(
        name,
        Is.GPIO,
        place,
        can=tuple(functions),
        gives_v=levels["volts"],
        most_v=levels["most"],
        high_from_v=levels["high_from"],
    )


def _pin(key: str, name: str, pin: Table) -> Pin:
    kinds = [kind.value for kind in Is]
    if pin["is"] not in kinds:
        raise DescriptionError(f'parts.toml: {key}.{name} can\'t be "{pin["is"]}": it takes one of {", ".join(kinds)}.')
    kind = Is(pin["is"])
    volts = pin.get("volts")
    return Pin(
        name,
        kind,
        pin.get("at", ""),
        gives_v=volts if kind in (Is.SOURCE, Is.OUTPUT) else None,
        takes_v=(volts[0], volts[1]) if kind is Is.POWER and volts else None,
        most_v=pin.get("most"),
        high_from_v=pin.get("high_from"),
        limit_ma=pin.get("limit_ma"),
        limit_source=pin.get("limit_source", ""),
        fed_by=pin.get("fed_by"),
        same_as=pin.get("same_as"),
        may_be_open=pin.get("may_be_open", False),
        through_resistor=pin.get("through_resistor", False),
        pulse_ns=pin.get("pulse_ns"),
        pulled_up_ohms=pin.get("pulled_up_ohms"),
        pulled_up_v=pin.get("pulled_up_v"),
    )


def _draw(draw: Table) -> Draw:
    return Draw(draw["typical_ma"], draw["peak_ma"], draw.get("resting_ma", draw["typical_ma"]), draw["source"])
