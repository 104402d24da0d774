"""The cloth's template from the measures: what lies at a seat, what lies in the centre, and the whole table from above.
Pads, rows and piles keep the distances that reading cards needs."""

from __future__ import annotations

from dataclasses import dataclass

from drafting.parts import Table
from drafting.sheets import Pen, Sheet

_EDGE = 10.0
_SCALE = 5.0
"""The table from above is so many times smaller than it is."""
_QUARTERS = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}
"""Cosine and sine of so many quarter turns."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle by its middle and size, in mm; for a seat, x is along the table's edge and y away from the player."""

    x: float
    y: float
    width: float
    length: float

    def gap_to(self, other: Place) -> float:
        """How far apart two are, in mm; 0 where they touch or lie over one another."""
        across = max(0.0, abs(self.x - other.x) - (self.width + other.width) / 2)
        along = max(0.0, abs(self.y - other.y) - (self.length + other.length) / 2)
        return (across**2 + along**2) ** 0.5

    def turned(self, quarters: int, x: float, y: float) -> Place:
        """Turned about the origin and moved."""
        c, s = _QUARTERS[quarters % 4]
        size = (self.width, self.length) if quarters % 2 == 0 else (self.length, self.width)
        return Place(x + self.x * c - self.y * s, y + self.x * s + self.y * c, *size)


@dataclass(frozen=True, slots=True)
class SeatPlaces:
    """What lies at one seat."""

    pad: Place
    button: Place
    rows: tuple[Place, ...]

    def turned(self, quarters: int, x: float, y: float) -> SeatPlaces:
        """All of it turned about the origin and moved."""
        rows = tuple(row.turned(quarters, x, y) for row in self.rows)
        return SeatPlaces(self.pad.turned(quarters, x, y), self.button.turned(quarters, x, y), rows)


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """What lies on a whole table, in mm from its lower left corner."""

    seats: tuple[SeatPlaces, ...]
    discard_pad: Place
    discard_pile: Place
    draw_pile: Place


def seat_places(measures: Table, build: str) -> SeatPlaces:
    """A seat with the edge before it at y = 0. In the full build the pad is next to the player and the rows beyond it;
    in the compact build, whose readers are close to the Pi in the centre, it is the other way round."""
    far, hole, card = measures["distances"], measures["button"]["hole_diameter"], measures["card"]
    if build == "full":
        box = measures["pad"]
        pad = Place(0, _EDGE + box["length"] / 2, box["width"], box["length"])
        rows_y = _EDGE + box["length"] + far["pad_to_row"] + card["height"] / 2
        button_x = box["width"] / 2 + far["button_to_pad"] + hole / 2
    else:
        box, half = measures["discard_pad"], measures["table"][build]["width"] / 2
        # the discard pad in the middle is wider than long
        end = half - max(box["width"], box["length"]) / 2 - far["pad_to_pad"]
        pad = Place(0, end - box["length"] / 2, box["width"], box["length"])
        rows_y = pad.y - box["length"] / 2 - far["pad_to_row"] - card["height"] / 2
        button_x = _rows_width(measures) / 2 + _EDGE + hole / 2
    return SeatPlaces(pad, Place(-button_x, _EDGE + hole, hole, hole), _rows(measures, rows_y))


def table_places(measures: Table, build: str) -> TablePlaces:
    """A whole table with all its seats, clockwise: along two edges, or one at each edge of a square."""
    table, box, card = measures["table"][build], measures["discard_pad"], measures["card"]
    width, length, seats = table["length"], table["width"], table["seats"]
    if build == "full":
        along = seats // 2
        xs = [width * (2 * place + 1) / seats for place in range(along)]
        edges = [*((0, x, 0.0) for x in reversed(xs)), *((2, x, length) for x in xs)]
        pile = Place(-(box["width"] + card["width"]) / 2 - measures["distances"]["pad_to_pile"], 0, *_size(measures))
        draw = Place(pile.x - card["width"] - 3 * _EDGE, 0, *_size(measures))
    else:
        edges = [(0, width / 2, 0.0), (3, 0.0, length / 2), (2, width / 2, length), (1, width, length / 2)]
        corner = width / 4
        pile, draw = Place(corner, -corner - _EDGE, *_size(measures)), Place(-corner, corner + _EDGE, *_size(measures))
    seat = seat_places(measures, build)
    middle = width / 2, length / 2
    return TablePlaces(
        tuple(seat.turned(*edge) for edge in edges),
        Place(0, 0, box["width"], box["length"]).turned(0, *middle),
        pile.turned(0, *middle),
        draw.turned(0, *middle),
    )


def seat_sheet(measures: Table) -> Sheet:
    """A seat's part of the full build's cloth."""
    seat = seat_places(measures, "full")
    top = max(row.y + row.length / 2 for row in seat.rows)
    size = _rows_width(measures) + 4 * _EDGE, top + _EDGE
    middle = size[0] / 2

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *size, dashed=True)
        pad, button = seat.pad.turned(0, middle, 0), seat.button.turned(0, middle, 0)
        _draw_pad(pen, measures, pad, ring=True)
        pen.circle(button.x, button.y, button.width, cut=True)
        pen.text(button.x, button.y, "button", 3)
        for row in seat.rows:
            _draw_card(pen, measures, row.turned(0, middle, 0), "")
        pad_top, row_bottom = pad.y + pad.length / 2, top - measures["card"]["height"]
        pen.distance((middle, pad_top), (middle, row_bottom), f"{measures['distances']['pad_to_row']} mm")
        left = pad.x - pad.width / 2, button.y
        pen.distance((button.x + button.width / 2, button.y), left, f"{measures['distances']['button_to_pad']} mm")
        pen.text(middle, _EDGE / 2, "the player sits here", 3, faint=True)
        _draw_scale(pen, size[0] - 15, 15)

    return Sheet("seat", size, draw)


def centre_sheet(measures: Table) -> Sheet:
    """The centre of the full build's cloth: discard pad and pile, draw pile, scoreboard and sounder."""
    places, oled = table_places(measures, "full"), measures["oled"]
    size = 420.0, 240.0
    shift = 0, size[0] - 80 - places.discard_pad.x, 85 - places.discard_pad.y
    pad, pile, draw_pile = (each.turned(*shift) for each in (places.discard_pad, places.discard_pile, places.draw_pile))

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *size, dashed=True)
        _draw_pad(pen, measures, pad, ring=False)
        _draw_card(pen, measures, pile, "discard\npile")
        _draw_card(pen, measures, draw_pile, "draw\npile")
        left = pad.x - pad.width / 2, pad.y
        pen.distance((pile.x + pile.width / 2, pile.y), left, f"{measures['distances']['pad_to_pile']} mm")
        x, y = pile.x, 190.0
        pen.box(x - oled["length"] / 2, y - oled["width"] / 2, oled["length"], oled["width"], dashed=True)
        view = oled["view_length"], oled["view_width"]
        pen.box(x - view[0] / 2, y - view[1] / 2, *view, cut=True)
        pen.text(x, y, "scoreboard", 4)
        pen.circle(pad.x, y, measures["sounder"]["diameter"], cut=True)
        pen.text(pad.x, y - measures["sounder"]["diameter"], "sounder", 3)
        pen.text(size[0] / 2, 15, "decks are enrolled at the discard pad, too", 3, faint=True)
        _draw_scale(pen, 65, 15)

    return Sheet("centre", size, draw)


def table_sheet(measures: Table, build: str) -> Sheet:
    """The whole table of a build from above, many times smaller."""
    table, places = measures["table"][build], table_places(measures, build)
    width, length = table["length"], table["width"]
    border = 60.0
    size = (width + 2 * border) / _SCALE, (length + 2 * border) / _SCALE

    def draw(pen: Pen) -> None:
        def box(place: Place, text: str, height: float, *, cut: bool = False) -> None:
            x, y = (place.x + border) / _SCALE, (place.y + border) / _SCALE
            size = place.width / _SCALE, place.length / _SCALE
            pen.box(x - size[0] / 2, y - size[1] / 2, *size, cut=cut)
            pen.text(x, y, text, height)

        box(Place(width / 2, length / 2, width, length), "", 1)
        for number, seat in enumerate(places.seats, 1):
            box(seat.pad, str(number), 4, cut=True)
            pen.circle((seat.button.x + border) / _SCALE, (seat.button.y + border) / _SCALE, seat.button.width / _SCALE)
            for row in seat.rows:
                box(row, "", 1)
        box(places.discard_pad, "discard\npad", 1.6, cut=True)
        box(places.discard_pile, "discard\npile", 1.6)
        box(places.draw_pile, "draw\npile", 1.6)
        title = f"{build} build, {table['seats']} seats, {width:.0f} × {length:.0f} mm, 1:{_SCALE:.0f}"
        pen.text(size[0] / 2, border / 4 / _SCALE, title, 2.6)

    return Sheet(f"table, {build}", size, draw)


def _size(measures: Table) -> tuple[float, float]:
    return measures["card"]["width"], measures["card"]["height"]


def _rows_width(measures: Table) -> float:
    columns, gap = measures["rows"]["columns"], measures["rows"]["gap"]
    return columns * measures["card"]["width"] + (columns - 1) * gap


def _rows(measures: Table, y: float) -> tuple[Place, ...]:
    step = measures["card"]["width"] + measures["rows"]["gap"]
    first = (measures["card"]["width"] - _rows_width(measures)) / 2
    return tuple(Place(first + step * column, y, *_size(measures)) for column in range(measures["rows"]["columns"]))


def _draw_pad(pen: Pen, measures: Table, pad: Place, *, ring: bool) -> None:
    """A pad's outline, where a card is tapped on it, and the ring's light."""
    reader, enclosure, light = measures["reader_board"], measures["pad"], measures["ring"]
    bottom = pad.y - pad.length / 2
    pen.box(pad.x - pad.width / 2, bottom, pad.width, pad.length, corner=enclosure["corner"], cut=True)
    reader_y = bottom + enclosure["wall"] + enclosure["tongue"]
    coil = pad.x + (reader["length"] - reader["antenna_length"]) / 2, reader_y + reader["width"] / 2
    pen.cross(*coil)
    pen.text(coil[0] - 14, coil[1] + 13, "tap here", 3)
    if ring:
        y = reader_y + reader["width"] + light["antenna_to_ring"] + light["outside"] / 2
        pen.circle(pad.x, y, light["outside"], dashed=True)
        pen.circle(pad.x, y, light["inside"], dashed=True)
        pen.text(pad.x, y, "ring", 3)


def _draw_card(pen: Pen, measures: Table, place: Place, text: str) -> None:
    x, y = place.x - place.width / 2, place.y - place.length / 2
    pen.box(x, y, place.width, place.length, corner=measures["card"]["corner"])
    pen.text(place.x, place.y, text, 4)


def _draw_scale(pen: Pen, right: float, y: float) -> None:
    """What tells whether a printer has kept the size."""
    pen.line([(right - 50, y - 1), (right - 50, y + 1), (right - 50, y), (right, y), (right, y - 1), (right, y + 1)])
    pen.text(right - 25, y + 4, "50 mm when printed at 100 %", 2.4, faint=True)
