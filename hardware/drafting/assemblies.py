"""Assemblies: every body of a pad or box in its pocket, in its place, as the check of the fit and the pictures take
them. ``pads`` has the places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from drafting.bodies import Body, Box, Cylinder, Move, Printed, Shape
from drafting.pads import PadLayout, cable_hole, oled_box, pocket_extension, reader_at, reader_pad, seat_pad
from drafting.parts import Table
from drafting.placements import BoardParts
from drafting.reader_module import Module, antenna, reader_bodies

_PRINTED, _LID, _BOARD, _METAL, _CABLE, _GOLD = "#d8d2c4", "#f6f4ee", "#1f6b45", "#c3c7cc", "#33363b", "#c9a227"
_WOOD = "#c79a63"


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


def seat_pad_assembly(measures: Table, parts: BoardParts, stl: Mapping[str, bytes], module: Module) -> Assembly:
    """A seat's pad in its pocket, with the cable; `stl` are the printed parts by name, `module` is the reader in it."""
    layout = seat_pad(measures)
    at = reader_at(measures, layout, module)
    board = measures["seat_board"]
    assert layout.board is not None
    assert layout.ring is not None
    x, y, z = layout.board
    holes = [
        Box(x + left, y + bottom, z - 1, right - left, top_y - bottom, 4)
        for left, bottom, right, top_y in board["notches"]
    ]
    size = board["width"], board["length"], board["thickness"]
    copper = board["copper_from"]
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
        *reader_bodies(measures, module, at, "the seat board"),
        *_below_header(measures, layout.board, stl),
        _ring_body(measures, layout),
        _lid_screws(layout, measures["lid_screw"]),
        *_plugs(measures, layout),
    ]
    bodies += _pocket(measures, layout, stl)
    return Assembly(
        "a seat's pad",
        tuple(bodies),
        antenna(measures, at),
        (Screws("the lid's screws", "the tray", measures["lid_screw"]["least_held"]),),
        {"the seat board": [(0, 0, 20), (0, 0, 0.05)]},
    )


def _below_header(measures: Table, board_at: Move, stl: Mapping[str, bytes]) -> list[Body]:
    """The pins of the reader's header in the seat board, and the comb between both."""
    board, header, comb = measures["seat_board"], measures["header"], measures["comb"]
    count, half = measures["reader_board"]["header_pins"], 0.32
    middle, row = board_at[0] + board["width"] / 2, board_at[1] + board["reader_row"]
    top = board_at[2] + board["thickness"]
    low = top + board["below_reader"] - header["plastic"] - header["pin"]
    xs = [middle + header["pitch"] * (pin - (count - 1) / 2) for pin in range(count)]
    return [
        Body(
            "the reader's pins",
            "the seat board",
            tuple(Box(x - half, row - half, low, 2 * half, 2 * half, header["pin"]) for x in xs),
            colour=_GOLD,
            enters=frozenset({"the seat board", "the seat board's copper"}),
            copper=True,
        ),
        Body(
            "the comb",
            "the seat board",
            (Printed(stl["comb"], middle - comb["length"] / 2, row - comb["tooth"], top),),
            colour=_LID,
        ),
    ]


def reader_pad_assembly(measures: Table, stl: Mapping[str, bytes], module: Module) -> Assembly:
    """A pad with a reader alone in its pocket, with its lead."""
    layout, lead = reader_pad(measures), measures["lead_plug"]
    at = reader_at(measures, layout, module)
    end = at[1] + measures["reader_board"]["length"]
    row = end - module.header_from_end
    width = layout.size[0]
    middle = layout.reader[2] - measures["header"]["plastic"] / 2
    plug = Box(
        width / 2 - lead["width"] / 2,
        row + lead["from_row"],
        middle - lead["height"] / 2,
        lead["width"],
        lead["length"],
        lead["height"],
    )
    pins = Box(width / 2 - 10, end, middle - 0.32, 20, row + lead["pin"] - end, 0.64)
    lead_cable = Box(width / 2 - 6, row + lead["from_row"] + lead["length"], middle - 0.7, 12, lead["bend"], 1.4)
    bodies = (
        *_box(layout, stl, "discard-pad"),
        *reader_bodies(measures, module, at, "the reader"),
        Body("the reader's pins", "the reader", (pins,), colour=_GOLD, copper=True),
        Body("the lead's plug", "the lead", (plug,), colour=_CABLE, enters=frozenset({"the reader's pins"})),
        Body("the lead", "the lead", (lead_cable,), colour="#7a4fb0"),
        _lid_screws(layout, measures["box_screw"]),
        *_pocket(measures, layout, stl),
    )
    screws = Screws("the lid's screws", "the tray", measures["box_screw"]["least_held"])
    return Assembly("a pad with a reader alone", bodies, antenna(measures, at), (screws,))


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
