"""The pictures of ``BUILD.md``: what lies in an assembly, taken apart as it is put together, from where it is best
seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drafting.assemblies import Assembly
from drafting.bodies import Body, Box, Cylinder, Move, Printed
from drafting.pads import seat_pad
from drafting.parts import Table
from drafting.rendering import Scene

_HIDDEN = frozenset({"the seat board's copper"})
_READER = (
    "the reader",
    "the parts below the reader",
    "the reader's crystal",
    "the crystal's legs",
    "the reader's header",
    "the reader's joints",
    "the reader's pins",
)
_TRAY, _LID, _POCKET = ("the tray",), ("the lid", "the ring", "the lid's screws"), ("the table", "the bridge")
_SCREWS = ("M2.5 × 12", "M2.5 × 8")


def scenes(measures: Table, assembled: Sequence[Assembly], stl: Mapping[str, bytes]) -> tuple[Scene, ...]:
    """Every picture."""
    by_name = {assembly.name: assembly for assembly in assembled}
    return (
        *_seat_pad(measures, by_name["a seat's pad"], stl),
        _reader_pad(by_name["a pad with a reader alone"]),
        _table_box(by_name["a pad in a box of cardboard"]),
        *_centre(by_name["the centre"]),
        _oled(by_name["the scoreboard"]),
        _hub(by_name["the hub"]),
        _sounder(by_name["the sounder"]),
    )


def _seat_pad(measures: Table, pad: Assembly, stl: Mapping[str, bytes]) -> tuple[Scene, ...]:
    board = tuple(body for body in pad.unit("the seat board") if body.name not in (*_READER, *_HIDDEN, "the comb"))
    comb, reader = _named(pad, "the comb"), _named(pad, *_READER)
    tray, lid, ring, screws = (_named(pad, name) for name in ("the tray", "the lid", "the ring", "the lid's screws"))
    cables = pad.unit("the USB cable", "the button's cable")
    pocket, bridge = _named(pad, "the table"), _named(pad, "the bridge")
    unit = (*board, *comb, *reader)
    return (
        Scene(
            "pad-exploded",
            (
                *tray,
                *_up(board, 26),
                *_up(comb, 44),
                *_up(reader, 58),
                *_up(ring, 84),
                *_up(lid, 98),
                *_up(screws, 118),
            ),
            (
                ("the tray", "tray"),
                ("the seat board", "seat board", (0.75, 0.06, 1.0)),
                ("the comb", "comb, printed,\nround the pins"),
                ("the reader", "RC522 reader,\nparts downwards"),
                ("the ring", "ring, glued\ninto the lid"),
                ("the lid", "lid"),
                ("the lid's screws", f"four screws\n{_SCREWS[0]}"),
                ("the pico, piece 2", "USB"),
            ),
            guides=_down(pad, 26, 58),
            turn=-35,
            tilt=24,
            size=(1300, 1150),
        ),
        Scene(
            "pad-1-board",
            board,
            (
                ("the pico", "Pico, flat,\nby its edges"),
                ("the pico, piece 2", "USB socket,\nover the edge"),
                ("the button socket", "socket for\nthe button"),
                ("the ring socket", "socket for\nthe ring"),
                ("the seat board", "front edge:\nthe reader", (0.5, 0.08, 1.0)),
            ),
            turn=-30,
            tilt=45,
        ),
        Scene(
            "pad-2-reader",
            (*board, *comb, *_up(reader, 24)),
            (
                ("the reader", "reader: antenna away\nfrom the Pico,\nparts below"),
                ("the reader's pins", "its eight pins,\ninto the board"),
                ("the comb", "comb, between\nthe pins"),
                ("the pico", "Pico"),
                ("the seat board", "seat board", (0.04, 0.5, 1.0)),
            ),
            guides=_down(pad, 0, 24),
            turn=140,
            tilt=24,
        ),
        Scene(
            "pad-3-tray",
            (*tray, *(body.moved(0, 0, 40) for body in unit)),
            (
                ("the tray", "tray"),
                ("the reader", "the reader\nin front"),
                ("the pico, piece 2", "USB at its\nopening"),
            ),
            turn=-35,
            tilt=30,
        ),
        Scene(
            "pad-4-ring",
            _lid_from_below(measures, stl),
            (
                ("the lid", "lid, its\noutside down"),
                ("the ring", "ring: lights\ndown"),
                ("the ring's pads", "its pads 5V, GND\nand DI to you; go by\nthe names on yours"),
            ),
            turn=-30,
            tilt=48,
        ),
        Scene(
            "pad-5-lid",
            (*tray, *unit, *(_up((*ring, *lid), 26)), *_up(screws, 48)),
            (
                ("the lid's screws", f"four screws\n{_SCREWS[0]}"),
                ("the lid", "lid: tongues first,\ninto the front wall"),
                ("the tray", "tray", (1.0, 0.3, 0.5)),
            ),
            turn=-35,
            tilt=28,
        ),
        Scene(
            "pad-closed",
            (*tray, *unit, *ring, *lid, *screws),
            (("the lid", "lid"), ("the tray", "tray"), ("the pico, piece 2", "USB"), ("the button socket", "button")),
            turn=150,
            tilt=30,
        ),
        Scene(
            "pad-6-pocket",
            (*pocket, *tray, *unit, *ring, *lid, *screws, *cables, *_up(bridge, 38)),
            (
                ("the table", "the table's top", (0.9, 0.15, 1.0)),
                ("the lid", "lid, flush", (0.5, 0.6, 1.0)),
                ("the bridge", "bridge over\nthe plugs"),
                ("the USB plug", "USB cable,\nfrom below"),
                ("the bend of the button's cable", "the button's\ncable"),
            ),
            turn=-40,
            tilt=42,
        ),
    )


def _reader_pad(pad: Assembly) -> Scene:
    reader = pad.unit("the reader")
    return Scene(
        "reader-pad",
        (
            *_named(pad, "the tray"),
            *_up((*reader, *pad.unit("the lead")), 24),
            *_up(_named(pad, "the lid"), 48),
            *_up(_named(pad, "the lid's screws"), 64),
        ),
        (
            ("the tray", "tray"),
            ("the reader", "RC522 reader,\nparts downwards"),
            ("the lid", "lid"),
            ("the lid's screws", f"two screws\n{_SCREWS[1]}"),
            ("the lead's plug", "plug of the lead,\nout at the back"),
            ("the lead", "lead to the\ncentre board"),
        ),
        turn=-40,
        tilt=30,
    )


def _table_box(box: Assembly) -> Scene:
    board = tuple(body for body in box.unit("the seat board") if body.name not in _HIDDEN)
    return Scene(
        "table-box",
        (
            *_named(box, "the tray"),
            *_up(_named(box, "the packing"), 20),
            *_up(board, 62),
            *_up(_named(box, "the lid"), 104),
            *_up(_named(box, "the ring"), 128),
            *_up(_named(box, "the paper"), 142),
        ),
        (
            ("the tray", "floor and walls:\nlayers of cardboard"),
            ("the packing", "two strips below the\nboard, a block below\nthe antenna"),
            ("the button socket", "button, at the\ngap beside it"),
            ("the reader", "RC522 reader,\nparts downwards"),
            ("the pico, piece 2", "USB, at the gap\nin the wall"),
            ("the lid", "lid, with holes for\nring and joints"),
            ("the ring", "ring, in its hole"),
            ("the paper", "white paper over\nall (seen through)"),
        ),
        clear=frozenset({"the paper"}),
        turn=-35,
        tilt=30,
        size=(1300, 1350),
    )


def _centre(centre: Assembly) -> tuple[Scene, ...]:
    plate, pi, board = (centre.unit(name) for name in ("the centre's plate", "the Pi", "the centre board"))
    standoffs, low, high = (
        _named(centre, name) for name in ("the standoffs", "the Pi's screws", "the centre board's screws")
    )
    labels = (
        ("the centre's plate", "plate, printed"),
        ("the Pi", "Raspberry Pi"),
        ("the centre board", "centre board"),
    )
    exploded = (*plate, *_up(pi, 30), *_up(low, 48), *_up(standoffs, 48), *_up(board, 76), *_up(high, 92))
    return (
        Scene(
            "centre-exploded",
            exploded,
            (
                *labels,
                ("the standoffs", "two standoffs\nM2.5 × 11 + 6"),
                ("the Pi's screws", "screws\nM2.5 × 6"),
                ("the centre board's screws", "screws\nM2.5 × 6"),
            ),
            turn=-28,
            tilt=28,
            size=(1300, 1100),
        ),
        Scene(
            "centre",
            centre.bodies,
            (*labels, ("the Pi's cooler", "room for\na cooler"), ("the Pi's USB and network jacks", "USB, network")),
            turn=-28,
            tilt=38,
        ),
    )


def _oled(box: Assembly) -> Scene:
    return Scene(
        "scoreboard-box",
        (
            *_named(box, "the tray"),
            *_up(box.unit("the scoreboard"), 22),
            *_up(_named(box, "the lid"), 44),
            *_up(_named(box, "the lid's screws"), 60),
        ),
        (
            ("the tray", "tray"),
            ("the scoreboard's board", "display", (0.85, 0.02, 1.0)),
            ("the lid", "lid"),
            ("the lid's screws", f"four screws\n{_SCREWS[1]}"),
        ),
        turn=-30,
        tilt=34,
    )


def _hub(hub: Assembly) -> Scene:
    return Scene(
        "hub",
        hub.bodies,
        (("the hub", "hub", (0.15, 0.5, 1.0)), ("the hub's plate", "plate, printed"), ("the strap", "strap of 20 mm")),
        turn=-30,
        tilt=36,
    )


def _sounder(sounder: Assembly) -> Scene:
    return Scene(
        "sounder",
        (
            *_named(sounder, "the table"),
            *_up(_named(sounder, "the cup"), 34),
            *_up(_named(sounder, "the sounder"), 14),
        ),
        (
            ("the cup", "cup, printed,\nglued in from above"),
            ("the sounder", "sounder, pushed\ninto the cup"),
            ("the table", "the table's top"),
        ),
        turn=-30,
        tilt=24,
    )


def _lid_from_below(measures: Table, stl: Mapping[str, bytes]) -> tuple[Body, ...]:
    layout, ring, window = seat_pad(measures), measures["ring"], measures["pad"]["window"]
    assert layout.ring is not None
    x, y = layout.ring[0], layout.size[1] - layout.ring[1]
    body = Body(
        "the ring",
        "the lid",
        (Cylinder(x, y, window, ring["outside"], ring["thickness"]),),
        (Cylinder(x, y, window - 1, ring["inside"], ring["thickness"] + 2),),
        "#2a2d31",
    )
    middle = (ring["outside"] + ring["inside"]) / 4
    pads = Body(
        "the ring's pads",
        "the lid",
        tuple(
            Box(x + offset - 0.8, y - middle - 0.8, window + ring["thickness"], 1.6, 1.6, 0.1) for offset in (-3, 0, 3)
        ),
        colour="#c9a227",
    )
    return Body("the lid", "the lid", (Printed(stl["pad-lid"]),), colour="#f6f4ee"), body, pads


def _down(pad: Assembly, board: float, reader: float) -> tuple[tuple[Move, Move], ...]:
    """The lines from the outer pins of a reader to their holes in a board, each lifted by its height."""
    (pins,), (plate,) = _named(pad, "the reader's pins"), _named(pad, "the seat board")
    top = plate.shapes[0]
    assert isinstance(top, Box)
    ends = [pin for pin in (pins.shapes[0], pins.shapes[-1]) if isinstance(pin, Box)]
    return tuple(
        (
            (pin.x + pin.width / 2 + pins.at[0], pin.y + pin.length / 2 + pins.at[1], pin.z + pins.at[2] + reader),
            (
                pin.x + pin.width / 2 + pins.at[0],
                pin.y + pin.length / 2 + pins.at[1],
                top.z + top.height + plate.at[2] + board,
            ),
        )
        for pin in ends
    )


def _named(assembly: Assembly, *names: str) -> tuple[Body, ...]:
    return tuple(body for body in assembly.bodies if body.name in names)


def _up(bodies: Sequence[Body], by: float) -> tuple[Body, ...]:
    return tuple(body.moved(z=by) for body in bodies)
