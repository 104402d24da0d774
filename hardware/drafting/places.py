"""The places of everything on a table, from the measures: pads, buttons, rows and piles at the distances that reading
cards needs, and sentences about those that don't keep them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from drafting.holders import cup_outside
from drafting.pads import PadLayout, oled_box, pocket_extension, reader_pad, seat_pad
from drafting.parts import Table
from drafting.table_box import table_box

EDGE_MM = 10.0
PLUGGED = "plugged together"
_BESIDE_MM = 60.0
"""How far from the middle of the table leads run along it: half a card and some room."""
SEATS_OF_A_SWITCH = 5
"""How many readers hang on a switch besides that of the discard pad."""
_QUARTERS = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}
"""Cosine and sine of a number of quarter turns."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle by its middle and size, in mm; for a seat, x is along the table's edge and y away from the player.
    `turned` is the number of quarters to the left by which a thing with a front has been turned."""

    x: float
    y: float
    width: float
    length: float
    quarters: int = 0

    def gap_to(self, other: Place) -> float:
        """How far apart two are, in mm; 0 where they touch or lie over one another."""
        across = max(0.0, abs(self.x - other.x) - (self.width + other.width) / 2)
        along = max(0.0, abs(self.y - other.y) - (self.length + other.length) / 2)
        return (across**2 + along**2) ** 0.5

    def turned(self, quarters: int, x: float, y: float) -> Place:
        """Turned about the origin and moved."""
        c, s = _QUARTERS[quarters % 4]
        size = (self.width, self.length) if quarters % 2 == 0 else (self.length, self.width)
        return Place(x + self.x * c - self.y * s, y + self.x * s + self.y * c, *size, (self.quarters + quarters) % 4)

    @property
    def unturned(self) -> tuple[float, float]:
        """Its size before it was turned."""
        return (self.width, self.length) if self.quarters % 2 == 0 else (self.length, self.width)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point that is x and y from its front left corner, before it was turned."""
        size = self.unturned
        across, along = x - size[0] / 2, y - size[1] / 2
        c, s = _QUARTERS[self.quarters]
        return self.x + across * c - along * s, self.y + across * s + along * c

    def within(self, width: float, length: float) -> bool:
        """Whether it lies on a board of a size, from the board's lower left corner."""
        across, along = self.width / 2, self.length / 2
        return across <= self.x <= width - across and along <= self.y <= length - along


@dataclass(frozen=True, slots=True)
class SeatPlaces:
    """The places at one seat."""

    pad: Place
    button: Place
    rows: tuple[Place, ...]

    def turned(self, quarters: int, x: float, y: float) -> SeatPlaces:
        """All of it turned about the origin and moved."""
        rows = tuple(row.turned(quarters, x, y) for row in self.rows)
        return SeatPlaces(self.pad.turned(quarters, x, y), self.button.turned(quarters, x, y), rows)


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """The places on a whole table, in mm from its lower left corner. `things` lie in the centre besides, with what they
    are called."""

    size: tuple[float, float]
    seats: tuple[SeatPlaces, ...]
    discard_pad: Place
    discard_pile: Place
    draw_pile: Place
    scoreboard: Place | None = None
    sounder: Place | None = None
    things: tuple[tuple[str, Place], ...] = ()

    def named(self) -> Iterator[tuple[str, Place]]:
        """Everything, with what it is called."""
        for number, seat in enumerate(self.seats, 1):
            yield f"the pad of seat {number}", seat.pad
            yield f"the button of seat {number}", seat.button
            for row, place in enumerate(seat.rows, 1):
                yield f"row {row} of seat {number}", place
        yield "the discard pad", self.discard_pad
        yield "the discard pile", self.discard_pile
        yield "the draw pile", self.draw_pile
        if self.scoreboard and self.sounder:
            yield "the scoreboard", self.scoreboard
            yield "the sounder", self.sounder
        yield from self.things

    def thing(self, name: str) -> Place:
        """The place of one of the things."""
        return dict(self.things)[name]


def table_places(measures: Table, table: str) -> TablePlaces:
    """A whole table with all its seats, clockwise: along two edges, or one at each edge of a square."""
    return _LAYOUTS[measures["table"][table]["layout"]](measures, measures["table"][table])


def misplacements(measures: Table) -> list[str]:
    """The places that aren't on the table, or are too near to others, in sentences."""
    return [f"{name} table: {said}" for name in measures["table"] for said in _misplaced(measures, name)]


def _misplaced(measures: Table, table: str) -> Iterator[str]:
    places, far, kind = table_places(measures, table), measures["distances"], measures["table"][table]
    seat_layout = reader_pad(measures) if kind["layout"] == "square" else seat_pad(measures)
    named = list(places.named())
    if not (kind.get("in_boxes") or kind["layout"] == PLUGGED):
        named += [
            (
                f"the pocket behind {name}",
                pocket_behind(measures, place, reader_pad(measures) if "discard" in name else seat_layout),
            )
            for name, place in named
            if name.startswith("the pad") or name == "the discard pad"
        ]
    for name, place in named:
        if not place.within(*places.size):
            yield f"{name} doesn't lie on the board."
    for (one, a), (other, b) in combinations(named, 2):
        if other == f"the pocket behind {one}":
            continue
        wanted = max(_wanted(one, other, far), _wanted(other, one, far))
        if (room := a.gap_to(b)) < wanted - 1e-6 or room == 0:
            yield f"{one} and {other} are {room:.0f} mm apart, and {wanted:.0f} are needed."
    if kind["layout"] == "square":
        for name, place in named:
            if name.startswith("the pad") and (lead := lead_length(measures, places, place)) > far["reader_lead"]:
                yield f"{name} needs a lead of {lead:.0f} mm, and a reader's may have {far['reader_lead']:.0f}."
    if kind["layout"] == PLUGGED:
        cable, longest = ("reader's", far["usb_lead"]) if kind.get("on_usb") else ("Grove", far["grove_lead"])
        for name, place in named:
            if name.startswith("the pad") and (lead := grove_lead(places, place)) > longest:
                yield f"{name} needs a lead of {lead:.0f} mm, and a {cable} cable has {longest:.0f}."


def _wanted(one: str, other: str, far: Table) -> float:
    """How far apart two have to be, by what they are called."""
    if not (one.startswith("the pad") or one == "the discard pad"):
        return 0.0
    for word, distance in (
        ("row", far["pad_to_row"]),
        ("the discard pile", far["pad_to_pile"]),
        ("the draw pile", far["pad_to_pile"]),
        ("the pad", far["pad_to_pad"]),
        ("the discard pad", far["pad_to_pad"]),
        ("the button", far["button_to_pad"]),
        ("the s", far["metal_to_antenna"]),
        ("the Pi", far["metal_to_antenna"]),
        ("the display", far["metal_to_antenna"]),
        ("the hub", far["metal_to_antenna"]),
        ("the tablet", far["metal_to_antenna"]),
    ):
        if other.startswith(word):
            return distance
    return 0.0


def lead_length(measures: Table, places: TablePlaces, pad: Place) -> float:
    """How long the lead from a pad with a reader alone to the centre board is, in mm: down through the top, along the
    table's edges to the middle, where the centre board hangs, and from there to the socket that is farthest."""
    layout = reader_pad(measures)
    x, y = pad.point(layout.size[0] / 2, layout.size[1])
    middle = places.size[0] / 2, places.size[1] / 2
    return (
        abs(x - middle[0]) + abs(y - middle[1]) + measures["top"]["thickness"] + measures["centre_board"]["width"] / 2
    )


def grove_path(places: TablePlaces, pad: Place) -> list[tuple[float, float]]:
    """The way of the lead from a seat's pad to the switch or hub: away from the player between two columns of cards,
    then along the table, beside what lies in its middle."""
    width, length = pad.unturned
    x, y = pad.point(width / 2, length)
    _, middle = places.things[0]
    beside = middle.y + (_BESIDE_MM if y > middle.y else -_BESIDE_MM)
    return [(x, y), (x, beside), (middle.x, beside), (middle.x, middle.y)]


def grove_lead(places: TablePlaces, pad: Place) -> float:
    """How long that way is, in mm."""
    steps = pairwise(grove_path(places, pad))
    return sum(abs(to_x - x) + abs(to_y - y) for (x, y), (to_x, to_y) in steps)


def plugged_seat(measures: Table, reader_name: str = "unit_reader") -> SeatPlaces:
    """A seat of parts that plug together, the edge before it at y = 0: the reader's lead leaves away from the player,
    and the buzzer lies beside the rows."""
    reader, buzzer = measures[reader_name], measures["buzzer"]
    rows_y = EDGE_MM + reader["length"] + measures["distances"]["pad_to_row"] + measures["card"]["height"] / 2
    buzzer_x = rows_width(measures) / 2 + EDGE_MM + buzzer["width"] / 2
    return SeatPlaces(
        Place(0, EDGE_MM + reader["length"] / 2, reader["width"], reader["length"]),
        Place(-buzzer_x, EDGE_MM + buzzer["length"] / 2, buzzer["width"], buzzer["length"]),
        _rows(measures, rows_y),
    )


def _plugged(measures: Table, table: Table) -> TablePlaces:
    """Seats along two edges, the switch or the hub in the very middle, so that one length of cable reaches every
    seat."""
    on_usb = table.get("on_usb", False)
    reader_name, *names = ("usb_reader", "hub", "tablet") if on_usb else ("unit_reader", "switch", "display")
    width, length, seats = table["length"], table["width"], table["seats"]
    xs = [width * (2 * place + 1) / seats for place in range(seats // 2)]
    edges = [*((0, x, 0.0) for x in reversed(xs)), *((2, x, length) for x in xs)]
    card, far, between = measures["card"]["width"], measures["distances"], 3 * EDGE_MM
    switch, pi, display = (
        Place(0, 0, measures[name]["length"], measures[name]["width"])
        for name in (("hub", "pi_case", "tablet") if on_usb else ("unit_switch", "pi_case", "unit_display"))
    )
    reader = measures[reader_name]
    pad = Place(0, 0, reader["width"], reader["length"]).turned(3, -(switch.width + reader["length"]) / 2 - between, 0)
    pile = Place(pad.x - pad.width / 2 - far["pad_to_pile"] - card / 2, 0, *_size(measures))
    things = [(f"the {names[0]}", switch)]
    if seats > SEATS_OF_A_SWITCH and not on_usb:
        things.append(("the second switch", Place(0, -1.5 * switch.length, switch.width, switch.length)))
    pi_x = (switch.width + pi.width) / 2 + between
    things.append(("the Pi", Place(pi_x, 0, pi.width, pi.length)))
    things.append(
        (f"the {names[1]}", Place(pi_x + (pi.width + display.width) / 2 + EDGE_MM, 0, display.width, display.length))
    )
    draw = Place(pile.x - card - EDGE_MM, 0, *_size(measures))
    return _placed((width, length), plugged_seat(measures, reader_name), edges, [pad, pile, draw], things)


def seat_in_line(measures: Table, table: Table) -> SeatPlaces:
    """A seat with a seat board, the edge before it at y = 0: the pad is next to the player, the rows beyond it."""
    far, hole, card = measures["distances"], measures["button"]["hole_diameter"], measures["card"]
    width, length, _ = _seat_size(measures, table)
    rows_y = EDGE_MM + length + far["pad_to_row"] + card["height"] / 2
    button_x = width / 2 + far["button_to_pad"] + hole / 2
    return SeatPlaces(
        Place(0, EDGE_MM + length / 2, width, length),
        Place(-button_x, EDGE_MM + hole, hole, hole),
        _rows(measures, rows_y),
    )


def _in_lines(measures: Table, table: Table) -> TablePlaces:
    width, length, seats = table["length"], table["width"], table["seats"]
    along = seats // 2
    xs = [width * (2 * place + 1) / seats for place in range(along)]
    edges = [*((0, x, 0.0) for x in reversed(xs)), *((2, x, length) for x in xs)]
    in_boxes = table.get("in_boxes", False)
    discard = _seat_size(measures, table) if in_boxes else reader_pad(measures).size
    pad = Place(0, 0, discard[0], discard[1]).turned(1, 0, 0)
    pile = Place(
        -(pad.width + measures["card"]["width"]) / 2 - measures["distances"]["pad_to_pile"], 0, *_size(measures)
    )
    draw = Place(pile.x - measures["card"]["width"] - EDGE_MM, 0, *_size(measures))
    seat = seat_in_line(measures, table)
    if in_boxes:
        shift = -(draw.x - draw.width / 2 + pad.width / 2) / 2
        return _placed((width, length), seat, edges, [each.turned(0, shift, 0) for each in (pad, pile, draw)])
    board = _pad_place(oled_box(measures, "oled"))
    scoreboard = Place((pad.width + board.width) / 2 + 3 * EDGE_MM, 0, board.width, board.length)
    cup = cup_outside(measures)
    sounder = Place(scoreboard.x + board.width / 2 + 2 * EDGE_MM, 0, cup, cup)
    # so that everything in the centre lies on a small table, too
    middle = (draw.x - draw.width / 2 + sounder.x + sounder.width / 2) / 2
    return _placed(
        (width, length),
        seat,
        edges,
        [each.turned(0, -middle, 0) for each in (pad, pile, draw, scoreboard, sounder)],
    )


def _in_a_square(measures: Table, table: Table) -> TablePlaces:
    """The rows lie at the edges. Each seat's pad lies across, to the left of its middle, and so in a corner of what
    the rows leave free: there it is far enough from the discard pad in the middle. The piles lie in corners."""
    width, length = table["length"], table["width"]
    hole, card, edge = measures["button"]["hole_diameter"], measures["card"], measures["rows"]["to_edge"]
    pad = _pad_place(reader_pad(measures))
    inner = edge + card["height"] + measures["distances"]["pad_to_row"]
    rows = _rows(measures, edge + card["height"] / 2)
    seat = SeatPlaces(
        # the header's end towards the middle, so that the lead is short
        pad.turned(3, inner + pad.length / 2 - width / 2, inner + pad.width / 2),
        Place(-rows_width(measures) / 2 - EDGE_MM - hole / 2, EDGE_MM + hole / 2, hole, hole),
        rows,
    )
    edges = [(0, width / 2, 0.0), (3, 0.0, length / 2), (2, width / 2, length), (1, width, length / 2)]
    corner = width / 2 - edge
    # lying across, it leaves room for the button of the seat on the right
    pile = Place(-corner + card["width"] / 2, -corner + card["height"] / 2, *_size(measures)).turned(1, 0, 0)
    board = _pad_place(oled_box(measures, "oled_small"))
    free = (inner - edge) / 2
    cup = cup_outside(measures)
    return _placed(
        (width, length),
        seat,
        edges,
        [
            pad,
            pile,
            pile.turned(2, 0, 0),
            Place(0, inner - width / 2 + free, board.width, board.length),
            Place(-width / 8, 0, cup, cup),
        ],
    )


def _placed(
    size: tuple[float, float],
    seat: SeatPlaces,
    edges: list[tuple[int, float, float]],
    centre: list[Place],
    things: Iterable[tuple[str, Place]] = (),
) -> TablePlaces:
    """The whole table; what is in the `centre`, and the `things` there, are placed from its middle."""
    middle = size[0] / 2, size[1] / 2
    pad, pile, draw, *shown = (each.turned(0, *middle) for each in centre)
    scoreboard, sounder = shown or (None, None)
    placed = tuple((name, each.turned(0, *middle)) for name, each in things)
    return TablePlaces(size, tuple(seat.turned(*edge) for edge in edges), pad, pile, draw, scoreboard, sounder, placed)


def _seat_size(measures: Table, table: Table) -> tuple[float, float, float]:
    """How large a seat's pad is: the printed one, or a box that stands on the table."""
    return table_box(measures, "cardboard").outside if table.get("in_boxes") else seat_pad(measures).size


def _pad_place(layout: PadLayout) -> Place:
    return Place(0, 0, layout.size[0], layout.size[1])


_LAYOUTS = {"seats in two lines": _in_lines, "square": _in_a_square, PLUGGED: _plugged}


def _size(measures: Table) -> tuple[float, float]:
    return measures["card"]["width"], measures["card"]["height"]


def rows_width(measures: Table) -> float:
    """How wide the rows of a seat are together, in mm."""
    columns, gap = measures["rows"]["columns"], measures["rows"]["gap"]
    return columns * measures["card"]["width"] + (columns - 1) * gap


def _rows(measures: Table, y: float) -> tuple[Place, ...]:
    step = measures["card"]["width"] + measures["rows"]["gap"]
    first = (measures["card"]["width"] - rows_width(measures)) / 2
    return tuple(Place(first + step * column, y, *_size(measures)) for column in range(measures["rows"]["columns"]))


def pocket_behind(measures: Table, pad: Place, layout: PadLayout) -> Place:
    """The continuation of a pad's pocket behind it."""
    x, y, width, length = pocket_extension(measures, layout)
    size = (width, length) if pad.quarters % 2 == 0 else (length, width)
    return Place(*pad.point(x + width / 2, y + length / 2), *size)
