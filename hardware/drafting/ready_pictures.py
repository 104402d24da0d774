"""Pictures of how the parts of the ready builds are put together: the four single sockets on the Pi's header, all parts
with their cables, and a reader below the cloth. What leads where and how large it is comes from the description; only
the places in a picture are chosen here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from drafting.bodies import Body, Box, Cylinder
from drafting.builds import Build
from drafting.circuit import Cable, Circuit
from drafting.parts import Table
from drafting.rendering import Scene
from drafting.sheets import Pen, Sheet

_COLOURS = {"red": "#c62828", "black": "#26282b", "yellow": "#e0b400", "white": "#b9c2cc"}
"""White is drawn grey, since the paper is white."""
_BOARD, _CASE, _JACK, _OPTIONAL = "#d9e8dc", "#ffffff", "#d6dadf", "#f4f1ea"
_PITCH = 2.54
_TO_THE_PI = "Pi to the splitter"
_SIZE = (40.0, 16.0)
_NAMES = {
    "psu": "supply",
    "pi": "Raspberry Pi",
    "splitter": "splitter",
    "switch_a": "switch",
    "switch_b": "second switch",
    "oled": "display",
    "buzz_a": "Buzz! set",
    "buzz_b": "second Buzz! set",
    "hub": "USB hub,\n7 ports",
    "psu_hub": "supply of the hub",
}


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the parts of a build are in its picture, those whose size isn't `_SIZE`, and for whom only some are; the
    switches or hubs with a column of `ports`, each with the number of its first port."""

    at: Mapping[str, tuple[float, float]]
    sizes: Mapping[str, tuple[float, float]]
    only_for: Mapping[str, str]
    ports: Mapping[str, int]
    size: tuple[float, float]

    def size_of(self, part: str) -> tuple[float, float]:
        return self.sizes.get(part, _SIZE)


_LAYOUTS = {
    "ready": _Layout(
        at={
            "psu": (42.0, 150.0),
            "pi": (42.0, 112.0),
            "buzz_a": (22.0, 62.0),
            "buzz_b": (62.0, 62.0),
            "splitter": (104.0, 112.0),
            "switch_a": (160.0, 118.0),
            "switch_b": (160.0, 30.0),
            "oled": (104.0, 62.0),
            "reader1": (246.0, 156.0),
            "reader2": (246.0, 135.0),
            "reader3": (246.0, 114.0),
            "reader4": (246.0, 93.0),
            "reader5": (246.0, 72.0),
            "discard": (246.0, 51.0),
            "reader6": (246.0, 30.0),
        },
        sizes={
            "pi": (64.0, 34.0),
            "buzz_a": (36.0, 16.0),
            "buzz_b": (36.0, 16.0),
            "oled": (36.0, 16.0),
            "switch_a": (34.0, 60.0),
            "switch_b": (34.0, 16.0),
            "splitter": (30.0, 16.0),
        },
        only_for={
            "buzz_b": "five or six seats",
            "switch_b": "six seats",
            "reader6": "six seats",
            "oled": "if you like",
        },
        ports={"switch_a": 0, "switch_b": 0},
        size=(276.0, 172.0),
    ),
    "ready_usb": _Layout(
        at={
            "psu": (42.0, 154.0),
            "pi": (42.0, 120.0),
            "buzz_a": (22.0, 70.0),
            "buzz_b": (62.0, 70.0),
            "psu_hub": (130.0, 50.0),
            "hub": (130.0, 120.0),
            "reader1": (226.0, 150.0),
            "reader2": (226.0, 129.0),
            "reader3": (226.0, 108.0),
            "reader4": (226.0, 87.0),
            "reader5": (226.0, 66.0),
            "reader6": (226.0, 45.0),
            "discard": (226.0, 24.0),
        },
        sizes={"pi": (64.0, 34.0), "buzz_a": (36.0, 16.0), "buzz_b": (36.0, 16.0), "hub": (34.0, 70.0)},
        only_for={"buzz_b": "five or six seats"},
        ports={"hub": 1},
        size=(256.0, 166.0),
    ),
}


def header_picture(measures: Table, build: Build) -> Sheet:
    """The Pi from above with the four single sockets on its header."""
    circuit = build.circuit(build.seats[0])
    (cable,) = [each for each in circuit.cables if each.name == _TO_THE_PI]
    pi, scale, left, low = measures["pi"], 1.6, 14.0, 14.0
    size = pi["length"] * scale + 2 * left, pi["width"] * scale + low + 50

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * scale, low + y * scale

    def draw(pen: Pen) -> None:
        pen.box(left, low, pi["length"] * scale, pi["width"] * scale, corner=4, fill=_BOARD)
        x, y = at(65.0, 2.0)
        pen.box(x, y, 22 * scale, 52 * scale, fill=_JACK)
        pen.text(x + 11 * scale, y + 26 * scale, "USB and\nnetwork", 3)
        x, y = at(0, 22.0)
        pen.box(x - 3, y, 16 * scale, 12 * scale, dashed=True)
        pen.text(x + 7 * scale, y + 6 * scale, "microSD,\nbelow", 2.6)
        used = {circuit.pin(wire.start).place: wire for wire in cable.wires}
        for place in range(1, 41):
            x, y = at(*_pin(pi, place))
            wire = used.get(str(place))
            pen.box(x - 1.6, y - 1.6, 3.2, 3.2, fill=_COLOURS[wire.colour] if wire else "#26282b")
        _draw_four(pen, {place: at(*_pin(pi, int(place))) for place in used}, circuit, cable, size[1])
        x, y = at(*_pin(pi, 1))
        pen.text(x - 5, y, "1", 3)
        pen.text(x - 5, y + _PITCH * scale, "2", 3)

    return Sheet("header", size, draw)


def _pin(pi: Table, place: int) -> tuple[float, float]:
    """Where a pin of the header is: odd places in the inner row, counted from the end beside the microSD card."""
    middle_x, middle_y = pi["header"]
    column = (place - 1) // 2
    return middle_x + (column - 9.5) * _PITCH, middle_y + (_PITCH / 2 if place % 2 == 0 else -_PITCH / 2)


def _draw_four(pen: Pen, pins: Mapping[str, tuple[float, float]], circuit: Circuit, cable: Cable, top: float) -> None:
    """The four wires, up to what is written beside each: of the outer row above the board, of the inner one on it."""
    for number, wire in enumerate(cable.wires):
        place = circuit.pin(wire.start).place
        x, y = pins[place]
        outer = int(place) % 2 == 0
        height = top - 8 - 4 * number if outer else y - 12 - 6 * (2 - number)
        pen.line([(x, y), (x, height), (x + 12, height)], width_mm=1.1, colour=_COLOURS[wire.colour])
        name = wire.start.pin.split("_")[0]
        said = {"GPIO2": "SDA", "GPIO3": "SCL", "GND": "ground", "5V": "5 V"}[name]
        pen.text(x + 14, height, f"{wire.colour}: {said}, on pin {place}", 3.2, left=True)


def plugs_picture(build: Build) -> Sheet:
    """All parts of a table for six with their cables, and what smaller tables leave out."""
    circuit = build.circuit(build.seats[-1])
    layout = _LAYOUTS[build.key]

    def draw(pen: Pen) -> None:
        for cable in circuit.cables:
            _draw_cable(pen, layout, cable)
        for part, (x, y) in layout.at.items():
            width, length = layout.size_of(part)
            optional = part in layout.only_for
            colour = _BOARD if part == "pi" else _OPTIONAL if optional else _CASE
            pen.box(x - width / 2, y - length / 2, width, length, corner=2, fill=colour, dashed=optional)
            pen.text(x, y, "\n".join(_words(circuit, layout, part)), 2.5)

    return Sheet("plugs", layout.size, draw)


def _words(circuit: Circuit, layout: _Layout, part: str) -> Iterator[str]:
    """Return the words written on a part."""
    leads = {cable.wires[0].end.part: cable for cable in circuit.cables}
    if part.startswith("reader") or part == "discard":
        yield f"reader of seat {part.removeprefix('reader')}" if part != "discard" else "discard pad's reader"
        if leads[part].bought or not leads[part].plug.startswith("fixed"):
            yield f"cable of {leads[part].longest_mm / 1000:g} m"
    else:
        yield _NAMES[part]
    if part.startswith("buzz"):
        yield "four buttons"
    elif part in ("splitter", "switch_a"):
        yield circuit.parts[part].name.removeprefix("M5Stack ").split(",")[0]
    if part in layout.only_for:
        yield f"({layout.only_for[part]})"


def _draw_cable(pen: Pen, layout: _Layout, cable: Cable) -> None:
    """A cable from edge to edge; one with single sockets wire by wire."""
    first = cable.wires[0]
    port = None
    if first.start.part in layout.ports:
        port = int(first.start.pin[4]) - layout.ports[first.start.part]
    start, end = _edges(layout, first.start.part, first.end.part, port)
    # cables from the upper ports turn nearest to the readers, so that none crosses another
    middle = (start[0] + end[0]) / 2 if port is None else end[0] - 5 - 4 * port
    points = [start, end] if start[0] == end[0] else [start, (middle, start[1]), (middle, end[1]), end]
    if not cable.mm2:
        pen.line(points, width_mm=1.4, colour="#6b7684")
        return
    for number, wire in enumerate(cable.wires):
        aside = (number - 1.5) * 1.4
        pen.line([(x, y + aside) for x, y in points], width_mm=0.9, colour=_COLOURS[wire.colour])


def _edges(layout: _Layout, one: str, other: str, port: int | None) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a cable leaves one part and reaches the other: between a lower and an upper edge, or a right and a left."""
    (x, y), (to_x, to_y) = layout.at[one], layout.at[other]
    (width, length), (to_width, to_length) = layout.size_of(one), layout.size_of(other)
    if abs(x - to_x) < width / 2:
        side = 1 if to_y > y else -1
        return (to_x, y + side * length / 2), (to_x, to_y - side * to_length / 2)
    if port is not None and length > _SIZE[1]:
        y += length / 2 - 5 - 10 * port
    return (x + width / 2, y), (to_x - to_width / 2, to_y)


def reader_scene(measures: Table) -> Scene:
    """A reader on the table, the cloth over it, and a card with its sticker over both."""
    reader, card, tag = measures["unit_reader"], measures["card"], measures["tag"]
    side, top, lead = 150.0, 10.0, 4.0
    x, y = side / 2 - reader["width"] / 2, 24.0
    far, middle = y + reader["length"], side / 2
    cloth_z, card_z = 40.0, 76.0
    tag_y = y + reader["length"] / 2
    bodies = (
        Body("the table", "the table", (Box(0, 0, -top, side, side, top),), colour="#c79a63"),
        Body("the tape", "the reader", (Box(x + 4, y + 6, 0, 16, 36, 0.5),), colour="#f2e394"),
        Body(
            "the reader",
            "the reader",
            (Box(x, y, 12, reader["width"], reader["length"], reader["height"]),),
            colour="#f6f4ee",
        ),
        Body("the plug", "the lead", (Box(middle - 5, far, 14, 10, 8, 5),), colour="#e6e2d8"),
        Body(
            "the lead", "the lead", (Box(middle - lead / 2, far + 8, 15, lead, side - far - 8, 2.5),), colour="#33363b"
        ),
        Body("the cloth", "the cloth", (Box(6, 6, cloth_z, side - 12, side - 12, 0.8),), colour="#4f7f63"),
        Body(
            "the sticker",
            "the card",
            (Cylinder(middle, tag_y, card_z - tag["thickness"], tag["diameter"], tag["thickness"]),),
            colour="#c9a227",
        ),
        Body(
            "the card",
            "the card",
            (Box(middle - card["width"] / 2, tag_y - card["height"] / 2, card_z, card["width"], card["height"], 0.5),),
            colour="#e3ebf4",
        ),
    )
    return Scene(
        "ready-3-reader",
        bodies,
        (
            ("the table", "table, no metal"),
            ("the tape", "double-sided tape"),
            ("the reader", f"Unit RFID2, {reader['height']:g} mm high,\nits plug away from the player"),
            ("the lead", "Grove cable\nto the switch"),
            ("the cloth", "cloth below 1 mm,\ndirectly on the reader"),
            ("the card", "card; its sticker over\nthe reader's middle"),
            ("the sticker", "sticker"),
        ),
        guides=(((middle, tag_y, 20), (middle, tag_y, card_z)),),
        clear=frozenset({"the cloth", "the card"}),
        turn=-32,
        tilt=24,
        size=(1300, 620),
    )
