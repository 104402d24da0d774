"""Holders of the rest of the centre, from the measures: Pi and centre board on a plate below the top, the hub on
another, the sounder in a cup; and those of a seat's pad, the bridge over its plug and the comb below its reader. The
settings of ``holders.scad``, and the assemblies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from drafting.assemblies import Assembly, Screws, on_board
from drafting.bodies import Body, Box, Cylinder, Printed
from drafting.pads import Settings, reader_pad, seat_pad
from drafting.parts import Table
from drafting.placements import BoardParts

_PRINTED, _METAL, _BRASS, _WOOD = "#d8d2c4", "#c3c7cc", "#d1a73d", "#c79a63"


@dataclass(frozen=True, slots=True)
class CentreLayout:
    """The places of the boards on the plate: `pi` and `board` are their corners, `posts` x, y and height above it."""

    size: tuple[float, float, float]
    pi: tuple[float, float, float]
    board: tuple[float, float, float]
    posts: tuple[tuple[float, float, float], ...]
    shared: tuple[tuple[float, float], ...]
    """The holes that Pi and centre board have in common."""
    wood_screws: tuple[tuple[float, float], ...]


def centre_holder(measures: Table) -> CentreLayout:
    """The plate with Pi and centre board."""
    pi, board, holder = measures["pi"], measures["centre_board"], measures["centre_holder"]
    bx, by = board["at"]
    left, low = min(0.0, bx) - holder["rim"], -holder["rim"]
    right = max(pi["length"], bx + board["width"]) + holder["rim"]
    high = max(pi["width"], by + board["length"]) + holder["rim"]
    at = (-left, -low, holder["plate"] + holder["under_pi"])
    board_z = at[2] + pi["thickness"] + board["above_pi"]
    on_pi = [(x, y) for x, y in pi["holes"]]
    on_both = [(bx + x, by + y) for x, y in board["holes"]]
    shared = [hole for hole in on_both if any(_near(hole, other) for other in on_pi)]
    alone = [hole for hole in on_both if hole not in shared]
    posts = [(at[0] + x, at[1] + y, holder["under_pi"]) for x, y in on_pi]
    posts += [(at[0] + x, at[1] + y, board_z - holder["plate"]) for x, y in alone]
    size = right - left, high - low, holder["plate"]
    edge = 8.0
    corners = [(x, y) for x in (edge, size[0] - edge) for y in (edge, size[1] - edge)]
    # where a post is, the screw goes beside it
    screws = [(x + (20.0 if any(_near((x, y), post[:2], 12.0) for post in posts) else 0.0), y) for x, y in corners]
    return CentreLayout(
        size,
        at,
        (at[0] + bx, at[1] + by, board_z),
        tuple(posts),
        tuple((at[0] + x, at[1] + y) for x, y in shared),
        tuple(screws),
    )


def centre_assembly(measures: Table, parts: BoardParts, stl: Mapping[str, bytes]) -> Assembly:
    """Pi and centre board on their plate, as they hang below the top, but the right way up."""
    layout = centre_holder(measures)
    pi, board, screw, standoff = (measures[name] for name in ("pi", "centre_board", "board_screw", "standoff"))
    x, y, z = layout.pi
    bx, by, bz = layout.board
    pi_top = z + pi["thickness"]
    pi_holes = tuple(Cylinder(x + hx, y + hy, z - 1, pi["hole_diameter"], 4) for hx, hy in pi["holes"])
    board_holes = tuple(Cylinder(bx + hx, by + hy, bz - 1, board["hole_diameter"], 4) for hx, hy in board["holes"])
    cx, cy, cw, cl = pi["sd_card"]
    low = [(x + hx, y + hy) for hx, hy in pi["holes"] if not any(_near((x + hx, y + hy), s) for s in layout.shared)]
    high = [(bx + hx, by + hy) for hx, hy in board["holes"]]
    held = frozenset({"the centre's plate", "the standoffs"})
    rests = frozenset({"the centre's plate", "the standoffs", "the Pi", "the centre board"})
    bodies = (
        Body("the centre's plate", "the centre's plate", (Printed(stl["centre-holder"]),), colour=_PRINTED),
        Body(
            "the Pi",
            "the Pi",
            (Box(x, y, z, pi["length"], pi["width"], pi["thickness"]),),
            pi_holes,
            "#2f7d4f",
            touches=held,
        ),
        Body("the SD card", "the Pi", (Box(x + cx, y + cy, z - 2.0, cw, cl, 2.0),), colour="#26282b"),
        *(
            Body(
                part["name"],
                "the Pi",
                (Box(x + part["at"][0], y + part["at"][1], pi_top, *part["size"]),),
                colour=part["colour"],
                touches=frozenset({"the pi"}),
            )
            for part in pi["parts"]
        ),
        Body(
            "the standoffs",
            "the standoffs",
            tuple(
                shape
                for sx, sy in layout.shared
                for shape in (
                    Cylinder(sx, sy, pi_top, standoff["across"], standoff["length"]),
                    Cylinder(sx, sy, pi_top - standoff["thread"], screw["diameter"], standoff["thread"]),
                )
            ),
            colour=_BRASS,
            enters=frozenset({"the centre's plate"}),
            touches=rests,
        ),
        Body(
            "the centre board",
            "the centre board",
            (Box(bx, by, bz, board["width"], board["length"], board["thickness"]),),
            board_holes,
            "#1f6b45",
            touches=held,
        ),
        *on_board(parts, layout.board, board["thickness"], "the centre board"),
        _pan_screws("the Pi's screws", screw, low, pi_top, frozenset({"the Pi"})),
        _pan_screws("the centre board's screws", screw, high, bz + board["thickness"], frozenset({"the centre board"})),
    )
    least = screw["least_held"]
    screws = tuple(
        Screws(name, "the centre's plate", least)
        for name in ("the Pi's screws", "the centre board's screws", "the standoffs")
    )
    return Assembly("the centre", bodies, screws=screws)


def hub_assembly(measures: Table, stl: Mapping[str, bytes]) -> Assembly:
    """The hub between the walls of its plate."""
    hub, holder = measures["hub"], measures["hub_holder"]
    x, y = _hub_at(measures)
    box = Box(x, y, holder["plate"], hub["length"], hub["width"], hub["height"])
    plate = Body("the hub's plate", "the hub's plate", (Printed(stl["hub-holder"]),), colour=_PRINTED)
    strap_x = x + hub["length"] / 2 - holder["strap"][0] / 2 + 1
    top = holder["plate"] + hub["height"]
    out = y - holder["lip_wall"] - holder["room"] - 2.6
    across = hub["width"] + 2 * (y - out)
    strap = (
        Box(strap_x, out, top, holder["strap"][0] - 2, across, 1.5),
        *(Box(strap_x, side, -0.5, holder["strap"][0] - 2, 1.5, top + 2.0) for side in (out, out + across - 1.5)),
    )
    bodies = (
        plate,
        Body("the hub", "the hub", (box,), colour="#3a3f47", touches=frozenset({"the hub's plate", "the strap"})),
        Body("the strap", "the strap", strap, colour="#1b1d20"),
    )
    return Assembly("the hub", bodies)


def sounder_assembly(measures: Table, stl: Mapping[str, bytes]) -> Assembly:
    """The sounder in its cup, in the hole of the top."""
    sounder, cup, top, room = measures["sounder"], measures["sounder_cup"], measures["top"], 0.2
    outside = cup_outside(measures)
    height = sounder["height"] + cup["below"] + cup["roof"]
    wood = Body(
        "the table",
        "the table",
        (Box(-25, -25, height - top["thickness"], 50, 50, top["thickness"]),),
        (Cylinder(0, 0, height - top["thickness"] - 1, outside + 2 * room, top["thickness"] + 2),),
        _WOOD,
        touches=frozenset({"the cup"}),
    )
    bodies = (
        Body("the cup", "the cup", (Printed(stl["sounder-cup"], over=(0, height)),), colour="#f6f4ee"),
        Body(
            "the sounder",
            "the sounder",
            (Cylinder(0, 0, height - cup["roof"] - sounder["height"], sounder["diameter"], sounder["height"]),),
            colour="#15171a",
            touches=frozenset({"the cup"}),
        ),
        wood,
    )
    return Assembly("the sounder", bodies)


def _centre_settings(measures: Table) -> Settings:
    layout, holder, pad = centre_holder(measures), measures["centre_holder"], measures["pad"]
    x, y, _ = layout.pi
    bx, by, _ = layout.board
    pi, board = measures["pi"], measures["centre_board"]
    # air and less plastic: below the Pi, and below the centre board beyond it
    inset = 12.0
    windows = [
        (x + inset, y + inset, pi["length"] - 2 * inset - 10, pi["width"] - 2 * inset),
        (
            bx + inset,
            y + pi["width"] + 8,
            board["width"] - 2 * inset,
            by + board["length"] - y - pi["width"] - 8 - inset,
        ),
    ]
    return {
        "PLATE": layout.size,
        "POSTS": layout.posts,
        "POST": holder["post"],
        "PILOT": pad["pilot"],
        "WALLS": [],
        "CUTS": windows,
        "WOOD_SCREWS": layout.wood_screws,
        "WOOD_SCREW": holder["wood_screw"],
    }


def _hub_at(measures: Table) -> tuple[float, float]:
    holder = measures["hub_holder"]
    return 16.0, holder["room"] + holder["lip_wall"] + holder["strap"][1] + 4.0


def _hub_settings(measures: Table) -> Settings:
    hub, holder, centre = measures["hub"], measures["hub_holder"], measures["centre_holder"]
    x, y = _hub_at(measures)
    size = hub["length"] + 2 * x, hub["width"] + 2 * y, holder["plate"]
    wall, lip, room = holder["lip_wall"], holder["lip"], holder["room"]
    strap = holder["strap"]
    strap_x = (size[0] - strap[0]) / 2
    # in two pieces, so that the strap lies at the hub
    pieces = [(x, strap_x - 3 - x), (strap_x + strap[0] + 3, x + hub["length"] - strap_x - strap[0] - 3)]
    walls = [
        (at, side, length, wall, lip) for at, length in pieces for side in (y - room - wall, y + hub["width"] + room)
    ]
    return {
        "PLATE": size,
        "POSTS": [],
        "WALLS": walls,
        "CUTS": [(strap_x, side, *strap) for side in (y - room - wall - strap[1], y + hub["width"] + room + wall)],
        "WOOD_SCREWS": [(a, b) for a in (7.0, size[0] - 7.0) for b in (7.0, size[1] - 7.0)],
        "WOOD_SCREW": centre["wood_screw"],
    }


def _bridge_settings(measures: Table) -> Settings:
    pocket = measures["pocket"]
    return {"BRIDGE": [*pocket["bridge"], seat_pad(measures).size[2]], "BRIDGE_WALL": pocket["bridge_wall"]}


def _lead_bridge_settings(measures: Table) -> Settings:
    pocket = measures["pocket"]
    return {"BRIDGE": [*pocket["lead_bridge"], reader_pad(measures).size[2]], "BRIDGE_WALL": pocket["bridge_wall"]}


def cup_outside(measures: Table) -> float:
    """How wide a hole the sounder's cup takes, in mm."""
    return measures["sounder"]["diameter"] + 0.3 + 2 * measures["sounder_cup"]["wall"]


def _cup_settings(measures: Table) -> Settings:
    sounder, cup = measures["sounder"], measures["sounder_cup"]
    height = sounder["height"] + cup["below"] + cup["roof"]
    return {"CUP": [sounder["diameter"] + 0.3, height, cup["wall"], cup["roof"]], "CUP_HOLE": cup["hole"]}


def _comb_settings(measures: Table) -> Settings:
    comb, header = measures["comb"], measures["header"]
    height = measures["seat_board"]["below_reader"] - header["plastic"]
    return {
        "COMB": [comb["length"], comb["tooth"] + comb["back"], height],
        "PINS": [measures["reader_board"]["header_pins"], header["pitch"]],
        "SLOT": [comb["slot"], comb["tooth"] + comb["slot"] / 2],
    }


def _pan_screws(
    name: str, screw: Table, places: Sequence[tuple[float, float]], top: float, boards: frozenset[str]
) -> Body:
    """Screws whose heads lie on a board."""
    shapes = tuple(
        shape
        for x, y in places
        for shape in (
            Cylinder(x, y, top - screw["length"], screw["diameter"], screw["length"]),
            Cylinder(x, y, top, screw["head_diameter"], screw["head_height"]),
        )
    )
    into = frozenset({"the centre's plate", "the standoffs"})
    return Body(name, name, shapes, colour=_METAL, enters=into, touches=boards, metal=True)


def _near(one: Sequence[float], other: Sequence[float], most: float = 0.01) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= most


HOLDERS: Mapping[str, tuple[str, Callable[[Table], Settings]]] = {
    "bridge": ("bridge", _bridge_settings),
    "lead-bridge": ("bridge", _lead_bridge_settings),
    "comb": ("comb", _comb_settings),
    "centre-holder": ("plate", _centre_settings),
    "hub-holder": ("plate", _hub_settings),
    "sounder-cup": ("cup", _cup_settings),
}
"""Every other printed part by its name: the part of ``holders.scad``, and its settings."""
