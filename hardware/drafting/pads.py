"""Everything that lies in a pocket of the table with its lid flush: a seat's pad, a pad with a reader alone, the box of
a scoreboard. From the measures: how large each is and what lies where in it, in mm from its front left corner, x
across, y away from the player, z up; the settings of ``pad.scad``; and all bodies of the assembly, for check and
pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from drafting.bodies import Body, Box, Cylinder, Move, Printed, Shape
from drafting.parts import Table
from drafting.placements import BoardParts

Settings: TypeAlias = Mapping[str, object]
Rest: TypeAlias = tuple[float, float, float, float, float]
"""x, y, width, length and upper end of what a board lies on."""

_PRINTED, _LID, _BOARD, _READER, _METAL, _CABLE = "#d8d2c4", "#f6f4ee", "#1f6b45", "#1c4f8f", "#c3c7cc", "#33363b"
_WOOD = "#c79a63"
_LIP = 1.4
"""Of a wall, that stays above an opening in it."""
_REST = 5.0
_PEG = 1.4
"""Length of a spacer's pegs."""
_WIDER = 1.3
"""The lid's posts than the tray's, where there is room."""
_POST_ROOM = 0.15
"""Between a post and the end of its notch."""
_LID_POST = 1.4
"""Of plastic below a thin lid, so that a screw's head has some round it."""


@dataclass(frozen=True, slots=True)
class PadLayout:
    """Where everything is in a box with a lid. `board` and `ring` are only in a seat's pad."""

    size: Move
    reader: Move
    screws: tuple[tuple[float, float], ...]
    rests: tuple[Rest, ...]
    openings: tuple[tuple[float, float, float, float], ...]
    board: Move | None = None
    ring: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Screws:
    """Screws that cut their thread into something: how much of them has to be in it."""

    name: str
    into: str
    least_held: float


@dataclass(frozen=True, slots=True)
class Assembly:
    """Bodies in their places. `antenna` is a room, not a body; `ways` are those on which a unit gets into its place."""

    name: str
    bodies: tuple[Body, ...]
    antenna: Body | None = None
    screws: tuple[Screws, ...] = ()
    ways: Mapping[str, Sequence[Move]] = field(default_factory=dict[str, Sequence[Move]])

    def body(self, name: str) -> Body:
        """The one of a name."""
        return next(body for body in self.bodies if body.name == name)

    def unit(self, *names: str) -> tuple[Body, ...]:
        """All bodies of some units."""
        return tuple(body for body in self.bodies if body.unit in names)


def seat_pad(measures: Table) -> PadLayout:
    """A seat's pad."""
    pad, board, reader, ring = (measures[name] for name in ("pad", "seat_board", "reader_board", "ring"))
    width = board["width"] + 2 * (pad["room"] + pad["wall"])
    reader_y = pad["wall"] + pad["tongue"]
    reader_end = reader_y + reader["length"]
    board_at = (pad["wall"] + pad["room"], reader_end - board["overlap"], pad["floor"] + board["below"])
    # the USB socket stands over the board's edge, and the board goes straight down
    behind = measures["pico"]["usb_over"] + measures["distances"]["clearance"]
    length = board_at[1] + board["length"] + behind + pad["wall"]
    board_top = board_at[2] + board["thickness"]
    reader_z = board_top + board["spacer"]
    height = reader_z + reader["thickness"] + pad["gap"] + pad["cover"]
    reader_x = (width - reader["width"]) / 2
    ring_at = (width / 2, reader_end + pad["room"] + (ring["outside"] + _ring_room(pad)) / 2)
    plug, button = pad["plug"], pad["button_plug"]
    usb_z = board_top + measures["pico"]["thickness"] + measures["pico"]["usb_height"] / 2
    button_z = board_top + measures["button_plug"]["height"] / 2
    front = [
        (x, pad["wall"] - 0.1, _REST, tall, reader_z)
        for tall in [reader_y - pad["wall"] + 4]
        for x in (reader_x, reader_x + reader["width"] - _REST)
    ]
    corners = [
        (x, board_at[1] + y, 4.0, tall, board_at[2])
        for x in (pad["wall"] - 0.1, width - pad["wall"] - 4.0 + 0.1)
        for y, tall in ((0.2, 4.0), (board["hold"][0][1] - 2, 3.5))
    ]
    return PadLayout(
        size=(width, length, height),
        reader=(reader_x, reader_y, reader_z),
        screws=tuple(_post_in(notch, board["width"], pad, board_at) for notch in board["notches"]),
        rests=(*front, *corners),
        openings=(
            _opening(board_at[0] + board["usb"], usb_z, plug, height - pad["cover"]),
            _opening(board_at[0] + board["button_socket"], button_z, button, height - pad["cover"]),
        ),
        board=board_at,
        ring=ring_at,
    )


def reader_pad(measures: Table) -> PadLayout:
    """A pad with a reader alone."""
    pad, box, reader = measures["pad"], measures["discard_pad"], measures["reader_board"]
    width, height = box["width"], box["height"]
    at = (
        (width - reader["width"]) / 2,
        pad["wall"] + pad["tongue"],
        height - pad["cover"] - pad["gap"] - reader["thickness"],
    )
    end = at[1] + reader["length"]
    length = end + box["behind"] + pad["wall"]
    screw_y = end + 1.0 + pad["post"] / 2
    right = at[0] + reader["width"]
    rests = [
        *((x, pad["wall"] - 0.1, _REST, at[1] - pad["wall"] + 4, at[2]) for x in (at[0], right - _REST)),
        *((x, end - _REST, 4.0, _REST, at[2]) for x in (at[0], right - 4.0)),
        # keep it from sliding sideways
        *((pad["wall"] - 0.1, y, at[0] - pad["wall"] - 0.3, 8.0, at[2] + 1.0) for y in (14.0, 50.0)),
        *((right + 0.4, y, at[0] - pad["wall"] - 0.3, 8.0, at[2] + 1.0) for y in (14.0, 50.0)),
    ]
    middle = at[2] - measures["header"]["plastic"] / 2
    return PadLayout(
        size=(width, length, height),
        reader=at,
        screws=tuple(
            (x, screw_y) for x in (pad["wall"] + 1 + pad["post"] / 2, width - pad["wall"] - 1 - pad["post"] / 2)
        ),
        rests=tuple(rests),
        openings=(_opening(width / 2, middle, box["lead_plug"], height - pad["cover"]),),
    )


def oled_box(measures: Table, module: str) -> PadLayout:
    """The box of a scoreboard; `reader` is where its module is."""
    pad, box, oled = measures["pad"], measures["oled_box"], measures[module]
    width = oled["length"] + 2 * (box["beside"] + pad["wall"])
    length = oled["width"] + 2 * (pad["room"] + pad["wall"])
    at = (pad["wall"] + box["beside"], pad["wall"] + pad["room"], pad["floor"] + oled["below"])
    height = at[2] + oled["thickness"] + oled["glass"] + measures["distances"]["clearance"] + box["roof"]
    post = pad["post"] / 2 + 1.0
    corners = [
        (x, y, 4.0, 4.0, at[2])
        for x in (at[0] - 0.1, at[0] + oled["length"] - 3.9)
        for y in (pad["wall"] - 0.1, length - pad["wall"] - 3.9)
    ]
    return PadLayout(
        size=(width, length, height),
        reader=at,
        screws=tuple((x, y) for x in (pad["wall"] + post, width - pad["wall"] - post) for y in (7.0, length - 7.0)),
        rests=tuple(corners),
        openings=(),
    )


def spacer_holes(measures: Table) -> list[tuple[float, float]]:
    """Where the seat board has holes for the spacers of the reader, in its own measures."""
    at, board, reader = seat_pad(measures), measures["seat_board"], measures["reader_board"]
    return [(at.reader[0] + x - (at.board or at.reader)[0], board["overlap"] - y) for y, x in reader["holes"][:2]]


def reader_header(measures: Table) -> tuple[float, float]:
    """The middle of the pins of the reader's header on the seat board, in the board's own measures."""
    board = measures["seat_board"]
    return board["width"] / 2, board["overlap"] - measures["reader_board"]["header_from_end"]


def _post_in(notch: Sequence[float], width: float, pad: Table, at: Move) -> tuple[float, float]:
    """The middle of a post in a notch of the board's side."""
    left, bottom, right, top = notch
    inwards = pad["post"] / 2 + _POST_ROOM
    x = right - inwards if left <= 0 < width - right else left + inwards
    return at[0] + x, at[1] + (bottom + top) / 2


def settings(measures: Table, which: str) -> Settings:
    """What ``pad.scad`` is told of "pad", "discard_pad", "oled" or "oled_small"."""
    pad, reader = measures["pad"], measures["reader_board"]
    layout = LAYOUTS[which](measures)
    header_y = layout.reader[1] + reader["length"] - reader["header_from_end"]
    common: dict[str, object] = {
        "SIZE": layout.size,
        "WALL": pad["wall"],
        "FLOOR": pad["floor"],
        "ROOF": pad["cover"],
        "CORNER": pad["corner"],
        "SCREWS": layout.screws,
        "POST": pad["post"],
        "POST_TOP": layout.size[2] - pad["cover"] - _LID_POST,
        "LID_POST": pad["post"] + _WIDER,
        "PILOT": pad["pilot"],
        "THROUGH": pad["through"],
        "RESTS": layout.rests,
        "HOLD": [],
        "OPENINGS": layout.openings,
        "TONGUES": [],
        "RING": [],
        "JOINTS": [],
        "WINDOW": pad["window"],
        "MARK": [],
    }
    if which.startswith("oled"):
        oled, box = measures[which], measures["oled_box"]
        width, length, height = layout.size
        view = oled["view_length"], oled["view_width"]
        cable = box["cable"]
        return common | {
            "ROOF": box["roof"],
            "POST_TOP": height - box["roof"] - _LID_POST,
            "VIEW": [(width - view[0]) / 2, (length - view[1]) / 2, *view],
            "FLOOR_OPENING": [(width - cable[0]) / 2, length - pad["wall"] - 1 - cable[1], *cable],
        }
    common |= {
        "TONGUES": [layout.size[0] / 2 + offset for offset in (-8.0, 8.0)],
        "JOINTS": [layout.size[0] / 2 - 12, header_y - 1.8, 24, 3],
        "MARK": coil(measures, layout),
    }
    if layout.board is not None and layout.ring is not None:
        ring, board = measures["ring"], measures["seat_board"]
        common |= {
            "LID_POST": pad["post"],
            "HOLD": [(layout.board[0] + x, layout.board[1] + y) for x, y in board["hold"]],
            "HOLD_DOWN": [
                board["hold_diameter"],
                layout.board[2] + board["thickness"] + measures["distances"]["clearance"],
            ],
            "RING": [*layout.ring, ring["outside"] + _ring_room(pad), ring["inside"] - _ring_room(pad)],
        }
    return common


def coil(measures: Table, layout: PadLayout) -> tuple[float, float]:
    """The middle of a pad's antenna, where the middle of a card belongs."""
    reader = measures["reader_board"]
    return layout.reader[0] + reader["width"] / 2, layout.reader[1] + reader["antenna_length"] / 2


def seat_pad_assembly(measures: Table, parts: BoardParts, stl: Mapping[str, bytes]) -> Assembly:
    """A seat's pad in its pocket, with the cable; `stl` are the printed parts by name."""
    layout = seat_pad(measures)
    board = measures["seat_board"]
    assert layout.board is not None
    assert layout.ring is not None
    x, y, z = layout.board
    top = z + board["thickness"]
    spacers = spacer_holes(measures)
    holes = [
        *(
            Box(x + left, y + bottom, z - 1, right - left, top_y - bottom, 4)
            for left, bottom, right, top_y in board["notches"]
        ),
        *(Cylinder(x + hx, y + hy, z - 1, board["spacer_hole_diameter"], 4) for hx, hy in spacers),
    ]
    size = board["width"], board["length"], board["thickness"]
    copper = board["copper_from"]
    spacer = measures["spacer"]
    bodies = [
        *_box(layout, stl, "pad"),
        Body("the seat board", "the seat board", (Box(x, y, z, *size),), tuple(holes), _BOARD),
        Body(
            "the seat board's copper",
            "the seat board",
            (Box(x + 0.5, y + copper, z, size[0] - 1, size[1] - copper - 0.5, size[2]),),
            tuple(holes),
            _BOARD,
            enters=frozenset({"the seat board"}),
            copper=True,
        ),
        *on_board(parts, (x, y, z), board["thickness"], "the seat board"),
        *_reader(measures, layout, "the seat board"),
        Body(
            "the reader's pins",
            "the seat board",
            tuple(
                Box(
                    x
                    + hx
                    + measures["header"]["pitch"] * (pin - (measures["reader_board"]["header_pins"] - 1) / 2)
                    - 0.32,
                    y + hy - 0.32,
                    layout.reader[2] - measures["header"]["plastic"] - measures["header"]["pin"],
                    0.64,
                    0.64,
                    measures["header"]["pin"],
                )
                for hx, hy in [reader_header(measures)]
                for pin in range(measures["reader_board"]["header_pins"])
            ),
            colour="#c9a227",
            enters=frozenset({"the seat board", "the seat board's copper"}),
            copper=True,
        ),
        Body(
            "the spacers",
            "the seat board",
            tuple(
                shape
                for hx, hy in spacers
                for shape in (
                    Cylinder(x + hx, y + hy, top, spacer["diameter"], board["spacer"]),
                    Cylinder(x + hx, y + hy, top - _PEG, spacer["peg"], board["spacer"] + 2 * _PEG),
                )
            ),
            colour=_LID,
        ),
        _ring_body(measures, layout),
        _lid_screws(layout, measures["lid_screw"]),
        *_plugs(measures, layout),
    ]
    bodies += _pocket(measures, layout, stl)
    return Assembly(
        "a seat's pad",
        tuple(bodies),
        _antenna(measures, layout),
        (Screws("the lid's screws", "the tray", measures["lid_screw"]["least_held"]),),
        {"the seat board": [(0, 0, 20), (0, 0, 0.05)]},
    )


def reader_pad_assembly(measures: Table, stl: Mapping[str, bytes]) -> Assembly:
    """A pad with a reader alone in its pocket, with its lead."""
    layout, lead = reader_pad(measures), measures["lead_plug"]
    end = layout.reader[1] + measures["reader_board"]["length"]
    width = layout.size[0]
    middle = layout.reader[2] - measures["header"]["plastic"] / 2
    plug = Box(
        width / 2 - lead["width"] / 2,
        end + 1,
        middle - lead["height"] / 2,
        lead["width"],
        lead["length"],
        lead["height"],
    )
    pins = Box(width / 2 - 10, end, middle - 0.32, 20, lead["pin"], 0.64)
    lead_cable = Box(width / 2 - 6, end + 1 + lead["length"], middle - 0.7, 12, lead["bend"], 1.4)
    bodies = (
        *_box(layout, stl, "discard-pad"),
        *_reader(measures, layout, "the reader"),
        Body("the reader's pins", "the reader", (pins,), colour="#c9a227", copper=True),
        Body("the lead's plug", "the lead", (plug,), colour=_CABLE, enters=frozenset({"the reader's pins"})),
        Body("the lead", "the lead", (lead_cable,), colour="#7a4fb0"),
        _lid_screws(layout, measures["box_screw"]),
        *_pocket(measures, layout, stl),
    )
    screws = Screws("the lid's screws", "the tray", measures["box_screw"]["least_held"])
    return Assembly("a pad with a reader alone", bodies, _antenna(measures, layout), (screws,))


def oled_assembly(measures: Table, module: str, stl: Mapping[str, bytes]) -> Assembly:
    """A scoreboard in its box, in its pocket."""
    layout, oled = oled_box(measures, module), measures[module]
    x, y, z = layout.reader
    width, length, _ = layout.size
    glass = oled["view_length"] + 3, oled["view_width"] + 5
    middle = width / 2, length / 2
    inset = 5.0
    bodies = (
        *_box(layout, stl, "oled-box" if module == "oled" else "oled-small-box"),
        Body(
            "the scoreboard's board",
            "the scoreboard",
            (Box(x, y, z, oled["length"], oled["width"], oled["thickness"]),),
            colour="#1d3f8a",
            touches=frozenset({"the tray"}),
        ),
        Body(
            "the scoreboard's glass",
            "the scoreboard",
            (Box(middle[0] - glass[0] / 2, middle[1] - glass[1] / 2, z + oled["thickness"], *glass, oled["glass"]),),
            colour="#15171a",
        ),
        Body(
            "the parts below the scoreboard",
            "the scoreboard",
            (
                Box(
                    x + inset,
                    y + inset,
                    z - oled["below"] + 0.3,
                    oled["length"] - 2 * inset,
                    oled["width"] - 2 * inset,
                    oled["below"] - 0.3,
                ),
            ),
            colour="#2b2f36",
        ),
        _lid_screws(layout, measures["box_screw"]),
        table_body(measures, layout),
    )
    screws = Screws("the lid's screws", "the tray", measures["box_screw"]["least_held"])
    return Assembly("the scoreboard" if module == "oled" else "the small scoreboard", bodies, None, (screws,))


def on_board(parts: BoardParts, at: Move, thickness: float, unit: str) -> list[Body]:
    """The parts of a printed board that lies somewhere."""
    x, y, z = at
    return [
        Body(
            part.name,
            unit,
            (
                Box(
                    x + part.x,
                    y + part.y,
                    z + thickness + part.low,
                    part.width,
                    part.length,
                    part.high - part.low,
                ),
            ),
            colour=part.colour,
            # pins go through; whether parts of one board meet is KiCad's to say
            enters=frozenset({unit, f"{unit}'s copper", *(other.name for other in parts if other is not part)}),
            copper=True,
        )
        for part in parts
    ]


def _pocket(measures: Table, layout: PadLayout, stl: Mapping[str, bytes]) -> list[Body]:
    """The bridge over the plugs behind a pad, and the top round both."""
    pocket, name = measures["pocket"], "lead_bridge" if layout.board is None else "bridge"
    x, y, *_ = pocket_extension(measures, layout)
    printed = Printed(
        stl[name.replace("_", "-")],
        x + pocket["room"],
        y + pocket["room"],
        over=(pocket[name][1], layout.size[2]),
    )
    bridge = Body("the bridge", "the bridge", (printed,), colour=_LID, touches=frozenset({"the table"}))
    return [bridge, table_body(measures, layout)]


def pocket_extension(measures: Table, layout: PadLayout) -> tuple[float, float, float, float]:
    """What a pocket needs behind a box, for plug and cable, from the box's front left corner: x, y, width, length; of
    no length where the cable leaves downwards."""
    pocket, (width, length, _) = measures["pocket"], layout.size
    if not layout.openings:
        return width / 2, length, 0.0, 0.0
    across, along = (each + 2 * pocket["room"] for each in pocket["lead_bridge" if layout.board is None else "bridge"])
    left, right = min(each[0] for each in layout.openings), max(each[0] + each[2] for each in layout.openings)
    return (left + right - across) / 2, length, across, along


def cable_hole(measures: Table, layout: PadLayout) -> tuple[float, float]:
    """The middle of the hole down for the cable."""
    x, y, width, length = pocket_extension(measures, layout)
    if not length:
        return x + width / 2, y - measures["pad"]["wall"] - 1 - measures["oled_box"]["cable"][1] / 2
    return x + width / 2, y + length - measures["pocket"]["cable_hole"] / 2 - 2


def table_body(measures: Table, layout: PadLayout) -> Body:
    """The top round the pocket of a box."""
    top, border, size = measures["top"], 15.0, layout.size
    room, bottom = measures["pocket"]["room"], size[2] - top["thickness"]
    x, y, width, length = pocket_extension(measures, layout)
    cuts: list[Shape] = [
        Box(-room, -room, 0, size[0] + 2 * room, size[1] + 2 * room, size[2] + 1),
        Cylinder(*cable_hole(measures, layout), bottom - 1, measures["pocket"]["cable_hole"], top["thickness"] + 2),
    ]
    if length:
        cuts.append(Box(x, y, 0, width, length, size[2] + 1))
    block = Box(-border, -border, bottom, size[0] + 2 * border, size[1] + length + 2 * border, top["thickness"])
    lies_on = frozenset({"the tray", "the bridge"})
    return Body("the table", "the table", (block,), tuple(cuts), _WOOD, touches=lies_on)


def _ring_room(pad: Table) -> float:
    return pad["room"] + 0.1


def _opening(middle: float, z: float, size: Sequence[float], roof: float) -> tuple[float, float, float, float]:
    """An opening in a wall by its middle: x, z, width, height; what is left above it has to hold."""
    return middle - size[0] / 2, min(z - size[1] / 2, roof - _LIP - size[1]), size[0], size[1]


def _box(layout: PadLayout, stl: Mapping[str, bytes], name: str) -> list[Body]:
    lid = Printed(stl[f"{name}-lid"], over=(layout.size[1], layout.size[2]))
    inside = frozenset({"the seat board", "the tray"})
    return [
        Body(
            "the tray",
            "the tray",
            (Printed(stl[f"{name}-tray"]),),
            colour=_PRINTED,
            touches=frozenset({"the table", "the seat board", "the seat board's copper"}),
        ),
        Body("the lid", "the lid", (lid,), colour=_LID, touches=inside),
    ]


def _reader(measures: Table, layout: PadLayout, unit: str) -> list[Body]:
    """The reader with its parts below it, and the plastic and the joints of its header."""
    reader, header = measures["reader_board"], measures["header"]
    x, y, z = layout.reader
    end, middle = y + reader["length"], x + reader["width"] / 2
    row = end - reader["header_from_end"]
    across = reader["header_pins"] * header["pitch"]
    between = y + reader["antenna_length"]
    beside = reader["holes"][0][1] + 4
    before_holes = reader["length"] - reader["antenna_length"] - reader["holes"][0][0] - 4
    parts = (
        Box(
            x + 2,
            between + 0.5,
            z - reader["tallest_part"],
            reader["width"] - 4,
            before_holes - 0.5,
            reader["tallest_part"],
        ),
        Box(
            x + beside,
            between + before_holes,
            z - reader["tallest_part"],
            reader["width"] - 2 * beside,
            row - 2 - between - before_holes,
            reader["tallest_part"],
        ),
    )
    holes = tuple(
        Cylinder(x + hx, end - hy, z - 1, reader["hole_diameter"], reader["thickness"] + 2)
        for hy, hx in reader["holes"]
    )
    size = reader["width"], reader["length"], reader["thickness"]
    rests = frozenset({"the tray"})
    return [
        Body("the reader", unit, (Box(x, y, z, *size),), holes, _READER, touches=rests),
        Body("the parts below the reader", unit, parts, colour="#2b2f36"),
        Body(
            "the reader's header",
            unit,
            (Box(middle - across / 2, row - 1.27, z - header["plastic"], across, 2.54, header["plastic"]),),
            colour="#26282b",
            copper=True,
            enters=frozenset({"the reader's pins"}),
        ),
        Body(
            "the reader's joints",
            unit,
            (Box(middle - across / 2, row - 0.9, z + reader["thickness"], across, 1.8, reader["joint"]),),
            colour="#c9c9c9",
        ),
    ]


def _antenna(measures: Table, layout: PadLayout) -> Body:
    reader = measures["reader_board"]
    return Body(
        "the antenna",
        "the antenna",
        (Box(*layout.reader, reader["width"], reader["antenna_length"], reader["thickness"]),),
    )


def _ring_body(measures: Table, layout: PadLayout) -> Body:
    assert layout.ring is not None
    ring, x, y = measures["ring"], *layout.ring
    z = layout.size[2] - measures["pad"]["window"] - ring["thickness"]
    hole = Cylinder(x, y, z - 1, ring["inside"], ring["thickness"] + 2)
    return Body(
        "the ring",
        "the lid",
        (Cylinder(x, y, z, ring["outside"], ring["thickness"]),),
        (hole,),
        "#2a2d31",
        copper=True,
    )


def _lid_screws(layout: PadLayout, screw: Table) -> Body:
    top = layout.size[2]
    shapes = tuple(
        shape
        for x, y in layout.screws
        for shape in (
            Cylinder(x, y, top - screw["length"], screw["diameter"], screw["length"] - 0.05),
            Cylinder(
                x, y, top - screw["head_height"] - 0.05, screw["diameter"], screw["head_height"], screw["head_diameter"]
            ),
        )
    )
    return Body(
        "the lid's screws",
        "the lid's screws",
        shapes,
        colour=_METAL,
        enters=frozenset({"the tray"}),
        touches=frozenset({"the lid"}),
        metal=True,
    )


def _plugs(measures: Table, layout: PadLayout) -> list[Body]:
    """The USB plug in the Pico's socket, that of the button's cable, and both cables as far as they bend."""
    assert layout.board is not None
    board, pico = measures["seat_board"], measures["pico"]
    usb, button = measures["plug"], measures["button_plug"]
    x, y, z = layout.board
    top, end = z + board["thickness"], y + board["length"]
    usb_x, usb_z = x + board["usb"], top + pico["thickness"] + pico["usb_height"] / 2
    start = end + pico["usb_over"]
    button_x = x + board["button_socket"]
    return [
        Body(
            "the USB plug",
            "the USB cable",
            (
                Box(
                    usb_x - usb["width"] / 2,
                    start,
                    usb_z - usb["height"] / 2,
                    usb["width"],
                    usb["length"],
                    usb["height"],
                ),
            ),
            colour=_CABLE,
            touches=frozenset({"the seat board"}),
        ),
        Body(
            "the bend of the USB cable",
            "the USB cable",
            (Cylinder(usb_x, start + usb["length"], usb_z, usb["cable"], usb["bend"], axis="y"),),
            colour=_CABLE,
        ),
        Body(
            "the button's plug",
            "the button's cable",
            (Box(button_x - button["width"] / 2, end, top, button["width"], button["length"], button["height"]),),
            colour="#efe9da",
            touches=frozenset({"the seat board"}),
        ),
        Body(
            "the bend of the button's cable",
            "the button's cable",
            (Box(button_x - 4, end + button["length"], top + 1, 8, button["bend"], 2),),
            colour="#b3261e",
        ),
    ]


LAYOUTS: Mapping[str, Callable[[Table], PadLayout]] = {
    "pad": seat_pad,
    "discard_pad": reader_pad,
    "oled": partial(oled_box, module="oled"),
    "oled_small": partial(oled_box, module="oled_small"),
}
"""Every box with a lid, by its name."""
