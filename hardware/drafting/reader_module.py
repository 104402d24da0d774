"""The reader as it is sold: a board with an antenna at one end, a pin header at the other, and four holes. Makers
differ, so it is a range, with corners; where its parts may be is known, where they are is not. Must not know what
holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from drafting.bodies import Body, Box, Cylinder, Move
from drafting.parts import Table

_BOARD, _PARTS, _PLASTIC, _SOLDER, _CAN = "#1c4f8f", "#2b2f36", "#26282b", "#c9c9c9", "#b8bcc2"
_BESIDE = 0.3
"""Room beside the header that no part of the reader takes, in mm."""
_RESTS = frozenset({"the tray"})


@dataclass(frozen=True, slots=True)
class Module:
    """One reader of the range, in mm: from the header's pins to the board's edge behind them, from the pins to the two
    holes at that end, and from one of those holes to the other. `anywhere` fills all the room in which a crystal and
    its legs may be, as the check of the fit takes it."""

    header_from_end: float
    hole_from_pins: float
    holes_apart: float
    anywhere: bool = False

    @property
    def words(self) -> str:
        """The description of the module in words."""
        numbers = self.header_from_end, self.hole_from_pins, self.holes_apart
        end, holes, apart = (f"{number:g}" for number in numbers)
        return f"pins {end} mm from the edge, holes {holes} mm from them and {apart} mm apart"


def extreme_modules(measures: Table) -> Iterator[Module]:
    """The readers at the ends of the range, in every combination."""
    reader = measures["reader_board"]
    for numbers in product(reader["header_from_end"], reader["hole_from_pins"], reader["holes_apart"]):
        yield Module(*numbers, anywhere=True)


def usual_module(measures: Table) -> Module:
    """A reader from the middle of the range, with a crystal of the usual size, as it is drawn."""
    reader = measures["reader_board"]
    end, holes_at, apart = (sum(reader[name]) / 2 for name in ("header_from_end", "hole_from_pins", "holes_apart"))
    return Module(end, holes_at, apart)


def holes(measures: Table, module: Module) -> list[tuple[float, float]]:
    """The middles of its holes from the antenna's end and the side of SDA: first the two at the antenna, then that on
    the side of SDA and that on the side of 3.3V."""
    reader, middle = measures["reader_board"], measures["reader_board"]["width"] / 2
    far, near = reader["antenna_holes"], reader["length"] - module.header_from_end - module.hole_from_pins
    apart = far["apart"] / 2, module.holes_apart / 2
    return [
        (middle - apart[0], far["from_end"]),
        (middle + apart[0], far["from_end"]),
        (middle - apart[1], near),
        (middle + apart[1], near),
    ]


def reader_bodies(measures: Table, module: Module, at: Move, unit: str) -> list[Body]:
    """A reader that lies with its parts down and its antenna towards the player; `at` is its board's front left
    corner."""
    reader, header = measures["reader_board"], measures["header"]
    x, y, z = at
    middle, row = x + reader["width"] / 2, y + reader["length"] - module.header_from_end
    across, above = reader["header_pins"] * header["pitch"], z + reader["thickness"]
    drilled = tuple(
        Cylinder(x + hx, y + hy, z - 1, reader["hole_diameter"], reader["thickness"] + 2)
        for hx, hy in holes(measures, module)
    )
    plastic = Box(middle - across / 2, row - 1.27, z - header["plastic"], across, 2.54, header["plastic"])
    joints = Box(middle - across / 2, row - 0.9, above, across, 1.8, reader["joint"])
    return [
        Body(
            "the reader",
            unit,
            (Box(x, y, z, reader["width"], reader["length"], reader["thickness"]),),
            drilled,
            _BOARD,
            touches=_RESTS,
        ),
        *_parts(measures, module, at, unit),
        Body(
            "the reader's header",
            unit,
            (plastic,),
            colour=_PLASTIC,
            copper=True,
            enters=frozenset({"the reader's pins"}),
        ),
        Body("the reader's joints", unit, (joints,), colour=_SOLDER),
    ]


def _parts(measures: Table, module: Module, at: Move, unit: str) -> list[Body]:
    """The parts below the header's end, the crystal, and what stands out of the other face of its legs."""
    reader, header, crystal = measures["reader_board"], measures["header"], measures["crystal"]
    x, y, z = at
    half, end = reader["width"] / 2, y + reader["length"]
    start = y + reader["antenna_length"]
    beside = reader["header_pins"] * header["pitch"] / 2 + _BESIDE
    row = end - module.header_from_end
    low = z - reader["tallest_part"]
    # behind the pins there is no room for any part, nor within a screw's head of a hole
    free = [Box(x + half - beside, row - 1.27 - _BESIDE, z - 10, 2 * beside, 10, 20)]
    screws = [Cylinder(x + hx, y + hy, z - 10, reader["free_round_hole"], 20) for hx, hy in holes(measures, module)]
    all_parts = Box(x, start, low, reader["width"], reader["length"] - reader["antenna_length"], reader["tallest_part"])
    length, width = crystal["size"]
    if module.anywhere:
        inset = crystal["leg_from_edge"]
        can = Box(x, start, z - crystal["height"], half, end - start, crystal["height"])
        legs = Box(x + inset, start, z + reader["thickness"], half - inset, end - inset - start, crystal["legs"])
    else:
        can = Box(x + 1.0, row - 1.27 - _BESIDE - width, z - crystal["height"], length, width, crystal["height"])
        legs = Box(
            can.x + length / 2 - 2.7, can.y + width / 2 - 0.3, z + reader["thickness"], 5.4, 0.6, crystal["legs"]
        )
    return [
        Body("the parts below the reader", unit, (all_parts,), (*free, *screws), colour=_PARTS),
        Body(
            "the reader's crystal",
            unit,
            (can,),
            tuple(free),
            colour=_CAN,
            enters=frozenset({"the parts below the reader"}),
        ),
        Body(
            "the crystal's legs", unit, (legs,), tuple(free), colour=_SOLDER, enters=frozenset({"the reader's joints"})
        ),
    ]


def antenna(measures: Table, at: Move) -> Body:
    """The room of the antenna."""
    reader = measures["reader_board"]
    room = Box(*at, reader["width"], reader["antenna_length"], reader["thickness"])
    return Body("the antenna", "the antenna", (room,))
