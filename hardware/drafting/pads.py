"""Everything that lies in a pocket of the table with its lid flush: a seat's pad, a pad with a reader alone, the box of
a scoreboard. From the measures: how large each is and what lies where in it, in mm from its front left corner, x
across, y away from the player, z up; and the settings of ``pad.scad``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from drafting.bodies import Move
from drafting.parts import Table
from drafting.reader_module import Module, extreme_modules, holes, usual_module

Settings: TypeAlias = Mapping[str, object]
Rest: TypeAlias = tuple[float, float, float, float, float]
"""x, y, width, length and upper end of what a board lies on."""
Stand: TypeAlias = tuple[float, float, float, float]
"""x and y of the middle, upper end, and how far a peg stands above that, of what lies below a reader's hole."""

_LIP = 1.4
"""Height of the wall above an opening in it, in mm."""
_WIDER = 1.3
"""The lid's posts than the tray's, where there is room."""
_POST_ROOM = 0.15
"""Between a post and the end of its notch."""
_LID_POST = 1.4
"""Plastic below a thin lid, so that a screw's head has some round it, in mm."""


@dataclass(frozen=True, slots=True)
class PadLayout:
    """The places of everything in a box with a lid. `board` and `ring` are only in a seat's pad; `reader` is the place
    of the usual one, or of a scoreboard's module."""

    size: Move
    reader: Move
    screws: tuple[tuple[float, float], ...]
    rests: tuple[Rest, ...]
    openings: tuple[tuple[float, float, float, float], ...]
    stands: tuple[Stand, ...] = ()
    board: Move | None = None
    ring: tuple[float, float] | None = None


def seat_pad(measures: Table) -> PadLayout:
    """A seat's pad."""
    pad, board, reader, ring = (measures[name] for name in ("pad", "seat_board", "reader_board", "ring"))
    width = board["width"] + 2 * (pad["room"] + pad["wall"])
    # the reader's pins are where the board has its holes, so that its two ends are where the module has them
    nearest, farthest = reader["header_from_end"]
    row = pad["wall"] + pad["tongue"] + reader["length"] - nearest
    reader_end = row + farthest
    board_at = (pad["wall"] + pad["room"], row - board["reader_row"], pad["floor"] + board["below"])
    # the USB socket stands over the board's edge, and the board goes straight down
    behind = measures["pico"]["usb_over"] + measures["distances"]["clearance"]
    length = board_at[1] + board["length"] + behind + pad["wall"]
    board_top = board_at[2] + board["thickness"]
    reader_z = board_top + board["below_reader"]
    height = reader_z + reader["thickness"] + pad["gap"] + pad["cover"]
    usual_at = (width - reader["width"]) / 2, row - reader["length"] + usual_module(measures).header_from_end, reader_z
    ring_at = (width / 2, reader_end + pad["room"] + (ring["outside"] + _ring_room(pad)) / 2)
    plug, button = pad["plug"], pad["button_plug"]
    usb_z = board_top + measures["pico"]["thickness"] + measures["pico"]["usb_height"] / 2
    button_z = board_top + measures["button_plug"]["height"] / 2
    rests = [
        (x, board_at[1] + y, 4.0, tall, board_at[2])
        for x in (pad["wall"] - 0.1, width - pad["wall"] - 4.0 + 0.1)
        for y, tall in ((0.2, 4.0), (board["hold"][0][1] - 2, 3.5))
    ]
    return PadLayout(
        size=(width, length, height),
        reader=usual_at,
        screws=tuple(_post_in(notch, board["width"], pad, board_at) for notch in board["notches"]),
        rests=tuple(rests),
        openings=(
            _opening(board_at[0] + board["usb"], usb_z, plug, height - pad["cover"]),
            _opening(board_at[0] + board["button_socket"], button_z, button, height - pad["cover"]),
        ),
        # only at the antenna: the board carries the header's end
        stands=tuple((*_on(usual_at, hole), reader_z, 0.0) for hole in holes(measures, usual_module(measures))[:2]),
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
    *at_antenna, _, beside_3v3 = holes(measures, usual_module(measures))
    peg = measures["stand"]["peg_height"]
    middle = at[2] - measures["header"]["plastic"] / 2
    return PadLayout(
        size=(width, length, height),
        reader=at,
        screws=tuple(
            (x, screw_y) for x in (pad["wall"] + 1 + pad["post"] / 2, width - pad["wall"] - 1 - pad["post"] / 2)
        ),
        rests=(),
        openings=(_opening(width / 2, middle, box["lead_plug"], height - pad["cover"]),),
        # three, and none on the side of SDA, where the crystal may be
        stands=(*((*_on(at, hole), at[2], peg) for hole in at_antenna), (*_on(at, beside_3v3), at[2], 0.0)),
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


def reader_at(measures: Table, layout: PadLayout, module: Module) -> Move:
    """The place of the front left corner of a reader of the range: its pins are at the seat board's, or its holes on
    the pegs."""
    x, y, z = layout.reader
    behind = module.header_from_end - usual_module(measures).header_from_end
    return x, y + (behind if layout.board else 0.0), z


def _on(at: Move, hole: tuple[float, float]) -> tuple[float, float]:
    return at[0] + hole[0], at[1] + hole[1]


def recesses(measures: Table, layout: PadLayout) -> list[tuple[float, float, float, float]]:
    """The areas where the lid is thin over parts that stand out of the reader's upper face: over the joints of the
    header, and over the half in which the crystal's legs may be. x, y, width, length."""
    reader, room = measures["reader_board"], 0.3
    ends = [reader_at(measures, layout, each)[1] + reader["length"] for each in extreme_modules(measures)]
    rows = [
        reader_at(measures, layout, each)[1] + reader["length"] - each.header_from_end
        for each in extreme_modules(measures)
    ]
    middle, leg = layout.reader[0] + reader["width"] / 2, measures["crystal"]["leg_from_edge"]
    across = reader["header_pins"] * measures["header"]["pitch"] / 2 + 1.8
    back = max(*rows, max(ends) - leg - 1.2) + 1.5
    start = min(ends) - reader["length"] + reader["antenna_length"] - room
    left = layout.reader[0] + leg - room
    return [
        (middle - across, min(rows) - 1.8, 2 * across, back - min(rows) + 1.8),
        (left, start, middle + room - left, back - start),
    ]


def _post_in(notch: Sequence[float], width: float, pad: Table, at: Move) -> tuple[float, float]:
    """The middle of a post in a notch of the board's side."""
    left, bottom, right, top = notch
    inwards = pad["post"] / 2 + _POST_ROOM
    x = right - inwards if left <= 0 < width - right else left + inwards
    return at[0] + x, at[1] + (bottom + top) / 2


def settings(measures: Table, which: str) -> Settings:
    """The settings of ``pad.scad`` for "pad", "discard_pad", "oled" or "oled_small"."""
    pad, stand = measures["pad"], measures["stand"]
    layout = LAYOUTS[which](measures)
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
        "STANDS": layout.stands,
        "STAND": [stand["diameter"], stand["peg"]],
        "HOLD": [],
        "OPENINGS": layout.openings,
        "TONGUES": [],
        "RING": [],
        "THIN": [],
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
        "THIN": recesses(measures, layout),
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


def pocket_extension(measures: Table, layout: PadLayout) -> tuple[float, float, float, float]:
    """The room that a pocket needs behind a box, for plug and cable, from the box's front left corner: x, y, width,
    length; the length is 0 if the cable leaves downwards."""
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


def _ring_room(pad: Table) -> float:
    return pad["room"] + 0.1


def _opening(middle: float, z: float, size: Sequence[float], roof: float) -> tuple[float, float, float, float]:
    """An opening in a wall by its middle: x, z, width, height; what is left above it has to hold."""
    return middle - size[0] / 2, min(z - size[1] / 2, roof - _LIP - size[1]), size[0], size[1]


LAYOUTS: Mapping[str, Callable[[Table], PadLayout]] = {
    "pad": seat_pad,
    "discard_pad": reader_pad,
    "oled": partial(oled_box, module="oled"),
    "oled_small": partial(oled_box, module="oled_small"),
}
"""Every box with a lid, by its name."""
