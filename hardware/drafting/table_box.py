"""A pad that stands on the table, for people without a router and a 3D printer: a box of layers of cardboard, or a
bought case. Its inside is that of a printed pad; this module has the outside, and the height to which it has to be
packed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from drafting.assemblies import Assembly, seat_pad_assembly
from drafting.bodies import Body, Box, Cylinder, Move, Shape
from drafting.pads import recesses, seat_pad
from drafting.parts import Table
from drafting.placements import BoardParts
from drafting.reader_module import Module

_CARDBOARD, _PLASTIC, _PAPER = "#c8a977", "#b9bec4", "#fbfaf5"
_BOARD = frozenset({"the seat board"})
_INSIDE = ("the seat board", "the USB cable", "the button's cable")
NAMES = {"cardboard": "a box of cardboard", "case": "a bought case"}


@dataclass(frozen=True, slots=True)
class TableBox:
    """A box round a seat board with its reader: `inside` is its room from the corner of its floor, in mm, `packing`
    what lies below the board, and `block` how high it is below the antenna. `ring_in_lid`: the lid has a hole for the
    ring."""

    inside: Move
    wall: float
    floor: float
    cover: float
    packing: float
    block: float
    ring_in_lid: bool

    @property
    def outside(self) -> Move:
        """How large the box is."""
        width, length, height = self.inside
        return width + 2 * self.wall, length + 2 * self.wall, self.floor + height + self.cover


def above_packing(measures: Table) -> float:
    """How much room a case has to have above the packing, in mm: the board, the tallest part below the ring, the
    ring."""
    board, clearance = measures["seat_board"], measures["distances"]["clearance"]
    reader, joint = measures["reader_board"]["thickness"], measures["reader_board"]["joint"]
    below_ring = measures["table_box"]["tallest_below_ring"] + clearance + measures["ring"]["thickness"]
    return board["thickness"] + max(below_ring, board["below_reader"] + reader + joint + clearance)


def table_box(measures: Table, kind: str) -> TableBox:
    """The box of layers ("cardboard") or the bought one ("case")."""
    box = measures["table_box"]
    if kind == "case":
        case = box["case"]
        packing = case["inside"][2] - above_packing(measures)
        # from the packing's top to just below the reader
        block = packing + measures["seat_board"]["thickness"] + measures["seat_board"]["below_reader"] - 1.0
        return TableBox(tuple(case["inside"]), case["wall"], case["floor"], case["cover"], packing, block, False)
    layer = box["sheet"] + box["tape"]
    layout, board = seat_pad(measures), measures["seat_board"]
    assert layout.board is not None
    pad = measures["pad"]
    # the printed pad's own room, and a little more, since scissors are less exact
    inside = layout.size[0] - 2 * pad["wall"] + 2 * box["room"], layout.size[1] - 2 * pad["wall"] + box["room"]
    height = box["layers"] * layer + box["tape"]
    blocks = int((layer + board["thickness"] + board["below_reader"]) // layer)
    return TableBox(
        (*inside, height), box["wall"], box["sheet"], box["sheet"] + box["tape"], layer, blocks * layer, True
    )


def table_box_assembly(
    measures: Table, kind: str, parts: BoardParts, stl: Mapping[str, bytes], module: Module
) -> Assembly:
    """A seat board with everything in a box that stands on the table."""
    box, layout = table_box(measures, kind), seat_pad(measures)
    pad = seat_pad_assembly(measures, parts, stl, module)
    assert pad.antenna is not None
    assert layout.board is not None
    assert layout.ring is not None
    width, length, height = box.inside
    # in the middle, and at the back wall as in the printed pad
    by = (
        box.wall + width / 2 - layout.size[0] / 2,
        box.wall + length - (layout.size[1] - measures["pad"]["wall"]),
        box.floor + box.packing - layout.board[2],
    )
    top = box.floor + height
    ring = pad.body("the ring")
    ring_z = layout.size[2] - measures["pad"]["window"] - measures["ring"]["thickness"]
    ring_to = top + (box.cover if box.ring_in_lid else 0.0) - measures["ring"]["thickness"]
    lid = _lid(measures, box, by)
    bodies = [
        *_walls(measures, box, by),
        lid,
        *(body.moved(*by) for body in pad.unit(*_INSIDE)),
        ring.moved(by[0], by[1], ring_to - ring_z),
    ]
    if box.ring_in_lid:
        paper = Box(0, 0, top + box.cover, box.outside[0], box.outside[1], measures["table_box"]["paper"])
        bodies.append(Body("the paper", "the lid", (paper,), colour=_PAPER))
    name = f"a pad in {NAMES[kind]}"
    way = {"the seat board": [(0.0, 0.0, 20.0), (0.0, 0.0, 0.05)]}
    return Assembly(name, tuple(bodies), replace(pad.antenna, at=by), ways=way)


def _walls(measures: Table, box: TableBox, by: Move) -> list[Body]:
    """Floor and walls with their openings; and what the board lies on, with a block below the antenna."""
    layout, board = seat_pad(measures), measures["seat_board"]
    assert layout.board is not None
    width, length, height = box.inside
    x, y, strip = by[0] + layout.board[0], by[1] + layout.board[1], measures["table_box"]["strip"]
    packing = [
        Box(x + side, y + 20.0, box.floor, strip, board["length"] - 28.0, box.packing)
        for side in (0.3, board["width"] - strip - 0.3)
    ]
    block = Box(box.wall + width / 2 - 10, by[1] + layout.reader[1] + 3, box.floor, 20, 20, box.block)
    outside = box.outside
    room = Box(box.wall, box.wall, box.floor, width, length, height + 1)
    openings = [
        Box(by[0] + left, box.wall + length - 0.1, by[2] + low, across, box.wall + 1, high)
        for left, low, across, high in layout.openings
    ]
    whole = Box(0, 0, 0, outside[0], outside[1], box.floor + height)
    colour = _CARDBOARD if box.ring_in_lid else _PLASTIC
    return [
        Body("the tray", "the tray", (whole,), (room, *openings), colour, touches=_BOARD),
        Body("the packing", "the tray", (*packing, block), (), _CARDBOARD, touches=_BOARD),
    ]


def _lid(measures: Table, box: TableBox, by: Move) -> Body:
    layout, ring = seat_pad(measures), measures["ring"]
    assert layout.ring is not None
    top, outside = box.floor + box.inside[2], box.outside
    plate = Box(0, 0, top, outside[0], outside[1], box.cover)
    cuts: list[Shape] = []
    if box.ring_in_lid:
        cuts.append(Cylinder(by[0] + layout.ring[0], by[1] + layout.ring[1], top - 1, ring["outside"] + 1, 9))
        cuts += [
            Box(by[0] + x, by[1] + y, top - 1, across, along, 9) for x, y, across, along in recesses(measures, layout)
        ]
    colour = _CARDBOARD if box.ring_in_lid else "#dfe6ec"
    return Body("the lid", "the lid", (plate,), tuple(cuts), colour, touches=frozenset({"the tray"}))
