"""A board's layout as KiCad keeps it: outline, parts with their pads' nets, tracks, ground on both sides, and the words
printed on it. Its zones are filled by KiCad afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from drafting.boards import THICKNESS_MM, Board, Placed
from drafting.footprints import Rectangle
from drafting.kicad.lettering import Text, lettering
from drafting.kicad.library import (
    FIDUCIAL,
    FIDUCIAL_ATTRIBUTES,
    FOOTPRINT_VERSION,
    NAME,
    attributes,
    drawn,
    fiducial,
    keep_out,
)
from drafting.kicad.routing import CLEARANCE_MM, DRILL_MM, EDGE_MM, GROUND, VIA_MM, Track, Via
from drafting.kicad.schematic import unconnected
from drafting.kicad.text import Node, Quoted, at, font, identifier, key, node, to_text

ORIGIN = (100.0, 100.0)
"""The place of the board's upper left corner on the sheet, in mm."""
_LAYERS = """0 F.Cu signal|2 B.Cu signal|9 F.Adhes user|11 B.Adhes user|13 F.Paste user|15 B.Paste user|5 F.SilkS user
|7 B.SilkS user|1 F.Mask user|3 B.Mask user|17 Dwgs.User user|19 Cmts.User user|21 Eco1.User user|23 Eco2.User user
|25 Edge.Cuts user|27 Margin user|31 F.CrtYd user|29 B.CrtYd user|35 F.Fab user|33 B.Fab user""".replace("\n", "")
_SIDES = ("F.Cu", "B.Cu")


def layout(board: Board, tracks: Sequence[Track], vias: Sequence[Via], made_from: str = "") -> str:
    """The file of a board, its zones not yet filled; it says what it was made from."""
    nowhere = _nowhere(board)
    numbers = {net: number for number, net in enumerate(["", *board.nets, *sorted(nowhere.values())])}
    nets = {net: node("net", number, Quoted(net)) for net, number in numbers.items()}
    return (
        to_text(
            node(
                "kicad_pcb",
                node("version", FOOTPRINT_VERSION),
                node("generator", Quoted("taptable")),
                node("generator_version", Quoted("9.0")),
                node("general", node("thickness", THICKNESS_MM), node("legacy_teardrops", "no")),
                node("paper", Quoted("A4")),
                node(
                    "title_block",
                    node("title", Quoted(board.title)),
                    node("date", Quoted(board.date)),
                    node("rev", Quoted(board.revision)),
                    node("comment", 1, Quoted(made_from)),
                ),
                node("layers", (_layer(*each.split()) for each in _LAYERS.split("|"))),
                _setup(board),
                nets.values(),
                (_part(board, part, nets, nowhere) for part in board.parts),
                (_fiducial(board, number) for number in range(len(board.fiducials))),
                _holes(board),
                _outline(board),
                (_bare(board, area, _SIDES) for area in board.bare),
                (_bare(board, part.area(area), _SIDES[:1]) for part in board.parts for area in part.footprint.bare),
                (_text(board, text) for text in lettering(board)),
                (_track(board, track, numbers) for track in tracks),
                (_via(board, via, numbers) for via in vias),
                _ground(board, numbers[GROUND]),
                node("embedded_fonts", "no"),
            )
        )
        + "\n"
    )


def _setup(board: Board) -> Node:
    return node(
        "setup",
        node("pad_to_mask_clearance", 0),
        node("allow_soldermask_bridges_in_footprints", "no"),
        node("aux_axis_origin", *_on_sheet(board, 0, 0)),
    )


def _layer(number: str, name: str, use: str) -> Node:
    return node(number, Quoted(name), use)


def _on_sheet(board: Board, x: float, y: float) -> tuple[float, float]:
    """A point of the board on KiCad's sheet, where y goes downwards."""
    return round(ORIGIN[0] + x, 4), round(ORIGIN[1] + board.size[1] - y, 4)


def _nowhere(board: Board) -> dict[tuple[str, str], str]:
    """The names that KiCad gives pads which lead nowhere."""
    parts = {part.reference: part for part in board.parts}
    return {(reference, pad): unconnected(parts[reference], pad) for reference, pad in board.loose}


def _part(board: Board, part: Placed, nets: Mapping[str, Node], nowhere: Mapping[tuple[str, str], str]) -> Node:
    of_pads: dict[str, Node] = {}
    for pad in part.footprint.pads:
        end = (part.reference, pad.number)
        of_pads[pad.number] = nets[nowhere[end] if end in nowhere else board.net_of(*end) or ""]
    values = (("Reference", part.reference), ("Value", part.value), ("Datasheet", ""), ("Description", ""))
    own = (("Part", part.name), ("Number", part.pcb.number))
    return node(
        "footprint",
        Quoted(f"{NAME}:{part.footprint.name}"),
        node("layer", Quoted("F.Cu")),
        identifier(board.folder, part.name, "placed"),
        at(*_on_sheet(board, part.x, part.y), part.turn),
        node("descr", Quoted(part.footprint.source)),
        (
            node(
                "property",
                Quoted(name),
                Quoted(value),
                at(0, 0, part.turn),
                node("layer", Quoted("F.Fab")),
                node("hide", "yes"),
                identifier(board.folder, part.name, name),
                font(0.8, thickness=0.12),
            )
            for name, value in (*values, *own)
        ),
        node("path", Quoted(f"/{key(board.folder, part.name)}")),
        node("sheetname", Quoted("/")),
        node("sheetfile", Quoted(f"{board.folder}.kicad_sch")),
        attributes(part.footprint),
        drawn(part.footprint, f"{board.folder}/{part.name}", part.turn, of_pads),
    )


def _fiducial(board: Board, number: int) -> Node:
    name = f"{board.folder}/{FIDUCIAL}{number + 1}"
    hidden = (("Reference", f"FID{number + 1}"), ("Value", FIDUCIAL))
    return node(
        "footprint",
        Quoted(f"{NAME}:{FIDUCIAL}"),
        node("layer", Quoted("F.Cu")),
        identifier(name, "placed"),
        at(*_on_sheet(board, *board.fiducials[number])),
        (
            node(
                "property",
                Quoted(key_of),
                Quoted(value),
                at(0, 0),
                node("layer", Quoted("F.Fab")),
                node("hide", "yes"),
                identifier(name, key_of),
                font(0.8, thickness=0.12),
            )
            for key_of, value in hidden
        ),
        FIDUCIAL_ATTRIBUTES,
        fiducial(name),
        node("embedded_fonts", "no"),
    )


def _holes(board: Board) -> Iterator[Node]:
    """Holes for screws, which are cut out like the outline."""
    for number, (x, y, diameter) in enumerate(board.holes):
        yield node(
            "gr_circle",
            node("center", *_on_sheet(board, x, y)),
            node("end", *_on_sheet(board, x + diameter / 2, y)),
            node("stroke", node("width", 0.1), node("type", "default")),
            node("fill", "no"),
            node("layer", Quoted("Edge.Cuts")),
            identifier(board.folder, "hole", number),
        )


def _outline(board: Board) -> Iterator[Node]:
    corners = list(_corners(board))
    for number, (start, end) in enumerate(zip(corners, [*corners[1:], corners[0]], strict=True)):
        yield node(
            "gr_line",
            node("start", *_on_sheet(board, *start)),
            node("end", *_on_sheet(board, *end)),
            node("stroke", node("width", 0.1), node("type", "default")),
            node("layer", Quoted("Edge.Cuts")),
            identifier(board.folder, "edge", number),
        )


def _corners(board: Board) -> list[tuple[float, float]]:
    """The outline, counterclockwise from the lower left: a rectangle less what is cut out of its sides and corners."""
    width, height = board.size
    left = [notch for notch in board.notches if notch[0] <= 0]
    right = [notch for notch in board.notches if notch[2] >= width]
    found = [(0.0, 0.0), (width, 0.0)]
    for notch in sorted(right, key=lambda each: each[1]):
        found += [(width, notch[1]), (notch[0], notch[1]), (notch[0], notch[3]), (width, notch[3])]
    found += [(width, height), (0.0, height)]
    for notch in sorted(left, key=lambda each: -each[1]):
        found += [(0.0, notch[3]), (notch[2], notch[3]), (notch[2], notch[1]), (0.0, notch[1])]
    return [here for n, here in enumerate(found) if not _between(found[n - 1], here, found[(n + 1) % len(found)])]


def _between(before: tuple[float, float], here: tuple[float, float], after: tuple[float, float]) -> bool:
    """Whether a corner is none, since before and after it the edge has one line, or it is there twice."""
    return before[0] == here[0] == after[0] or before[1] == here[1] == after[1]


def _bare(board: Board, area: Rectangle, sides: Sequence[str]) -> Node:
    left, low, right, top = area
    corners = [_on_sheet(board, x, y) for x, y in ((left, low), (right, low), (right, top), (left, top))]
    return keep_out(corners, sides, f"{board.folder}/{area}")


def _text(board: Board, text: Text) -> Node:
    return node(
        "gr_text",
        Quoted(text.words),
        at(*_on_sheet(board, text.x, text.y), text.turn),
        node("layer", Quoted("B.SilkS" if text.back else "F.SilkS")),
        identifier(board.folder, "text", text.words, text.x, text.y),
        font(text.height, thickness=round(text.height * 0.15, 3), justify="mirror" if text.back else ""),
    )


def _track(board: Board, track: Track, numbers: dict[str, int]) -> Node:
    return node(
        "segment",
        node("start", *_on_sheet(board, *track.start)),
        node("end", *_on_sheet(board, *track.end)),
        node("width", track.width),
        node("layer", Quoted(_SIDES[track.layer])),
        node("net", numbers[track.net]),
        identifier(board.folder, track),
    )


def _via(board: Board, via: Via, numbers: dict[str, int]) -> Node:
    return node(
        "via",
        node("at", *_on_sheet(board, *via.at)),
        node("size", VIA_MM),
        node("drill", DRILL_MM),
        node("layers", *map(Quoted, _SIDES)),
        node("net", numbers[via.net]),
        identifier(board.folder, via),
    )


def _ground(board: Board, number: int) -> Node:
    inset = EDGE_MM
    width, height = board.size
    corners = ((inset, inset), (width - inset, inset), (width - inset, height - inset), (inset, height - inset))
    return node(
        "zone",
        node("net", number),
        node("net_name", Quoted(GROUND)),
        node("layers", *map(Quoted, _SIDES)),
        identifier(board.folder, "ground"),
        node("name", Quoted("ground")),
        node("hatch", "edge", 0.5),
        node("connect_pads", node("clearance", CLEARANCE_MM)),
        node("min_thickness", 0.25),
        node("filled_areas_thickness", "no"),
        node("fill", "yes", node("thermal_gap", 0.3), node("thermal_bridge_width", 0.5)),
        node("polygon", node("pts", (node("xy", *_on_sheet(board, *corner)) for corner in corners))),
    )
