"""The library of both boards: a land pattern, a symbol and a body for each kind of part that is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from drafting.boards import Board, Placed
from drafting.footprints import Footprint, Line, Pad, Rectangle
from drafting.kicad.text import Node, Quoted, at, font, identifier, node, to_text
from drafting.parts import Is, Kind

NAME = "taptable"
FOOTPRINT_VERSION, SYMBOL_VERSION = 20241229, 20241209
SILK_MM, GAP_MM = 0.15, 0.22
"""Width of printed lines, and from them to bare copper."""
FIDUCIAL, FIDUCIAL_ROOM_MM = "Fiducial", 0.5
FIDUCIAL_ATTRIBUTES = node("attr", "smd", "board_only", "exclude_from_pos_files", "exclude_from_bom")
PITCH = 2.54
LETTER = 1.27
_SOCKET = 8
"""The most pins of a socket; more make a header."""


def footprint_file(footprint: Footprint) -> str:
    """A land pattern as a file of its own."""
    head = node(
        "footprint",
        Quoted(footprint.name),
        node("version", FOOTPRINT_VERSION),
        node("generator", Quoted("taptable")),
        node("layer", Quoted("F.Cu")),
        _properties(footprint),
        drawn(footprint, footprint.name),
    )
    return to_text(head) + "\n"


def _properties(footprint: Footprint) -> Iterator[Node]:
    yield node("descr", Quoted(footprint.source))
    for name, value, layer, y in (("Reference", "REF**", "F.SilkS", -2.0), ("Value", footprint.name, "F.Fab", 2.0)):
        yield node(
            "property",
            Quoted(name),
            Quoted(value),
            at(0, y),
            node("layer", Quoted(layer)),
            node("hide", "yes") if name == "Value" else None,
            identifier(footprint.name, name),
            font(0.8, thickness=0.12),
        )
    yield attributes(footprint)


def attributes(footprint: Footprint) -> Node:
    """How it is put on a board, and whether it is anything to buy."""
    kind = "smd" if footprint.flat else "through_hole"
    extra = ("exclude_from_pos_files", "exclude_from_bom") if not footprint.body else ()
    return node("attr", kind, *extra)


def drawn(footprint: Footprint, name: str, turn: float = 0, nets: Mapping[str, Node] | None = None) -> Iterator[Node]:
    """Lines, pads and body of a land pattern; on a board turned by some degrees, and each pad with its net."""
    for layer, width, lines in _lines(footprint):
        for number, (x0, y0, x1, y1) in enumerate(lines):
            yield node(
                "fp_line",
                node("start", x0, y0),
                node("end", x1, y1),
                node("stroke", node("width", width), node("type", "solid")),
                node("layer", Quoted(layer)),
                identifier(name, layer, number),
            )
    for number, pad in enumerate(footprint.pads):
        yield _pad(footprint, pad, number, name, turn, nets or {})
    for number, hole in enumerate(footprint.holes):
        size = node("size", hole.diameter, hole.diameter)
        layers = node("layers", Quoted("*.Cu"), Quoted("*.Mask"))
        yield node(
            "pad",
            Quoted(""),
            "np_thru_hole",
            "circle",
            at(hole.x, hole.y, turn),
            size,
            node("drill", hole.diameter),
            layers,
            identifier(name, "hole", number),
        )
    yield node("embedded_fonts", "no")
    if footprint.body:
        zero = node("xyz", 0, 0, 0)
        file = Quoted(f"${{KIPRJMOD}}/../library/{NAME}.3dshapes/{footprint.name}.step")
        yield node("model", file, node("offset", zero), node("scale", node("xyz", 1, 1, 1)), node("rotate", zero))


def _pad(footprint: Footprint, pad: Pad, number: int, name: str, turn: float, nets: Mapping[str, Node]) -> Node:
    many = len(footprint.pads) > 1
    round_or = "oval" if pad.width != pad.height else "rect" if many and pad.number == "1" else "circle"
    shape = round_or if pad.drill else "roundrect"
    flat = ("F.Cu", "F.Mask", "F.Paste") if footprint.paste else ("F.Cu", "F.Mask")
    layers = ("*.Cu", "*.Mask") if pad.drill else flat
    return node(
        "pad",
        Quoted(pad.number),
        "thru_hole" if pad.drill else "smd",
        shape,
        at(pad.x, pad.y, turn),
        node("size", pad.width, pad.height),
        node("drill", pad.drill) if pad.drill else None,
        node("layers", *map(Quoted, layers)),
        node("remove_unused_layers", "no") if pad.drill else None,
        node("roundrect_rratio", 0.2) if shape == "roundrect" else None,
        nets.get(pad.number),
        identifier(name, "pad", number),
    )


def fiducial(name: str) -> Node:
    """A mark for the machine that places parts: a round of copper in a wide opening of the mask, without a net."""
    return node(
        "pad",
        Quoted(""),
        "smd",
        "circle",
        at(0, 0),
        node("size", 1, 1),
        node("layers", Quoted("F.Cu"), Quoted("F.Mask")),
        node("solder_mask_margin", FIDUCIAL_ROOM_MM),
        node("clearance", FIDUCIAL_ROOM_MM),
        identifier(name, "fiducial"),
    )


def fiducial_file() -> str:
    """Its land pattern as a file of its own."""
    head = node(
        "footprint",
        Quoted(FIDUCIAL),
        node("version", FOOTPRINT_VERSION),
        node("generator", Quoted("taptable")),
        node("layer", Quoted("F.Cu")),
        FIDUCIAL_ATTRIBUTES,
        fiducial(FIDUCIAL),
        node("embedded_fonts", "no"),
    )
    return to_text(head) + "\n"


def keep_out(corners: Iterable[tuple[float, float]], layers: Sequence[str], name: str) -> Node:
    """An area without tracks, vias or filled copper."""
    forbidden = [node(what, "not_allowed") for what in ("tracks", "vias", "copperpour")]
    allowed = [node(what, "allowed") for what in ("pads", "footprints")]
    return node(
        "zone",
        node("net", 0),
        node("net_name", Quoted("")),
        node("layers", *map(Quoted, layers)),
        identifier(name, "bare"),
        node("name", Quoted("bare")),
        node("hatch", "full", 0.5),
        node("connect_pads", node("clearance", 0)),
        node("min_thickness", 0.25),
        node("keepout", *forbidden, *allowed),
        node("placement", node("enabled", "no"), node("sheetname", Quoted(""))),
        node("fill", node("thermal_gap", 0.5), node("thermal_bridge_width", 0.5)),
        node("polygon", node("pts", (node("xy", x, y) for x, y in corners))),
    )


def _lines(footprint: Footprint) -> Iterator[tuple[str, float, list[Line]]]:
    """Layer, width and lines: the printed outline where no pad is, the mark of pad 1, the courtyard, the body."""
    if footprint.outline:
        edges = footprint.printed or _edges(footprint.outline, 0.12)
        yield "F.SilkS", SILK_MM, [line for edge in edges for line in _clear(edge, footprint.pads)]
        yield "F.Fab", 0.1, _edges(footprint.outline, 0)
    if footprint.mark:
        yield "F.SilkS", 2 * SILK_MM, _mark(footprint)
    yield "F.CrtYd", 0.05, _edges(footprint.courtyard, 0)


def _edges(area: Rectangle, wider: float) -> list[Line]:
    left, top, right, bottom = area[0] - wider, area[1] - wider, area[2] + wider, area[3] + wider
    return [
        (left, top, right, top),
        (right, top, right, bottom),
        (right, bottom, left, bottom),
        (left, bottom, left, top),
    ]


def _mark(footprint: Footprint) -> list[Line]:
    """Beside pad 1, outside: a dot, a plus, or a bar along the pad's end."""
    first = footprint.pads[0]
    if footprint.mark == "bar":
        x = first.x - first.width / 2 - GAP_MM - SILK_MM
        return [(x, -first.height / 2, x, first.height / 2)]
    if footprint.mark == "plus":
        x = first.x - first.width / 2 - 3 * GAP_MM - SILK_MM
        return [(x - 0.4, 0, x + 0.4, 0), (x, -0.4, x, 0.4)]
    gap = GAP_MM + 2 * SILK_MM
    if footprint.flat:  # a row downwards
        y = first.y - first.height / 2 - gap
        return [(first.x - 0.1, y, first.x + 0.1, y)]
    x = first.x - first.width / 2 - gap
    return [(x, first.y - 0.1, x, first.y + 0.1)]


def _clear(line: Line, pads: Iterable[Pad]) -> list[Line]:
    """The pieces of a level or upright line that keep away from all pads."""
    pieces = [line]
    for pad in pads:
        pieces = [rest for piece in pieces for rest in _around(piece, pad)]
    return [piece for piece in pieces if abs(piece[2] - piece[0]) + abs(piece[3] - piece[1]) > 0.2]


def _around(line: Line, pad: Pad) -> Iterator[Line]:
    room = GAP_MM + SILK_MM / 2
    left, right = pad.x - pad.width / 2 - room, pad.x + pad.width / 2 + room
    top, bottom = pad.y - pad.height / 2 - room, pad.y + pad.height / 2 + room
    x0, x1 = sorted((line[0], line[2]))
    y0, y1 = sorted((line[1], line[3]))
    if x1 <= left or x0 >= right or y1 <= top or y0 >= bottom:
        yield line
    elif y0 == y1:
        yield from ((a, y0, b, y0) for a, b in ((x0, left), (right, x1)) if b > a)
    else:
        yield from ((x0, a, x0, b) for a, b in ((y0, top), (bottom, y1)) if b > a)


@dataclass(frozen=True, slots=True)
class SymbolPin:
    """A pin of a symbol: where a wire meets it, from the symbol's middle in mm, y upwards, and its direction."""

    number: str
    name: str
    x: float
    y: float
    turn: int
    type: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A box with pins on both sides."""

    name: str
    prefix: str
    width: float
    height: float
    pins: tuple[SymbolPin, ...]

    @property
    def top(self) -> float:
        """How high the first pin is above the middle."""
        return self.pins[0].y


_TYPES = {
    Is.GPIO: "bidirectional",
    Is.INPUT: "input",
    Is.OUTPUT: "output",
    Is.SINK: "open_collector",
    Is.POWER: "power_in",
    Is.SOURCE: "power_out",
    Is.GROUND: "passive",
}


def symbol(part: Placed) -> Symbol:
    """The symbol of a part: its pads counted down the left and up the right side, those of a socket all on the left."""
    kind, names = part.kind, part.pin_at
    pads = sorted({pad.number for pad in part.footprint.pads}, key=int)
    is_socket = part.footprint.prefix == "J" and len(pads) <= _SOCKET
    left = len(pads) if is_socket else (len(pads) + 1) // 2
    longest = max((len(name) for name in names.values()), default=0)
    # two names side by side, in whole steps of the sheet's grid to either side
    width = 2 * PITCH * (2 if len(pads) <= 2 else ceil((2 * longest + 4) * LETTER / (2 * PITCH)))
    top = (left - 1) // 2 * PITCH
    pins = [
        SymbolPin(
            pad,
            names.get(pad, "~"),
            (-1 if n < left else 1) * (width / 2 + PITCH),
            top - (n if n < left else len(pads) - 1 - n) * PITCH,
            0 if n < left else 180,
            _type(kind, names.get(pad)),
        )
        for n, pad in enumerate(pads)
    ]
    return Symbol(kind.key, part.footprint.prefix, width, left * PITCH + PITCH, tuple(pins))


def _type(kind: Kind, pin: str | None) -> str:
    if pin is None:
        return "no_connect" if kind.pins else "passive"
    return _TYPES.get(kind.pins[pin].kind, "passive")


def symbol_node(found: Symbol, *, prefix: str = "") -> Node:
    """A symbol as the library has it, and, with the library's name before it, as a schematic keeps it."""
    half, top = found.width / 2, found.top + PITCH
    low = top - found.height
    return node(
        "symbol",
        Quoted(prefix + found.name),
        node("pin_names", node("offset", 0.5)),
        node("exclude_from_sim", "no"),
        node("in_bom", "yes"),
        node("on_board", "yes"),
        (
            node("property", Quoted(name), Quoted(value), at(0, y), font(LETTER, hidden=hidden))
            for name, value, y, hidden in (
                ("Reference", found.prefix, top + 1.5, False),
                ("Value", found.name, low - 1.5, False),
                ("Footprint", "", 0, True),
                ("Datasheet", "", 0, True),
                ("Description", "", 0, True),
            )
        ),
        node(
            "symbol",
            Quoted(f"{found.name}_1_1"),
            node(
                "rectangle",
                node("start", -half, top),
                node("end", half, low),
                node("stroke", node("width", 0.254), node("type", "default")),
                node("fill", node("type", "background")),
            ),
            (
                node(
                    "pin",
                    pin.type,
                    "line",
                    node("at", pin.x, pin.y, pin.turn),
                    node("length", PITCH),
                    node("name", Quoted(pin.name), font(1.0)),
                    node("number", Quoted(pin.number), font(1.0)),
                )
                for pin in found.pins
            ),
        ),
        node("embedded_fonts", "no"),
    )


def symbol_file(boards: Iterable[Board]) -> str:
    """All symbols that the boards use."""
    found = {part.kind.key: symbol(part) for board in boards for part in board.parts}
    head = (node("version", SYMBOL_VERSION), node("generator", Quoted("taptable")))
    return to_text(node("kicad_symbol_lib", head, (symbol_node(found[name]) for name in sorted(found)))) + "\n"
