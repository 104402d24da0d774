"""The cloth's template: what lies at a seat, what lies in the centre, and the whole table from above. Where it lies,
``places`` says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from drafting.pads import PadLayout, cable_hole, coil, oled_box, reader_pad, seat_pad
from drafting.parts import Table
from drafting.places import (
    EDGE_MM,
    PLUGGED,
    Place,
    SeatPlaces,
    TablePlaces,
    grove_path,
    pocket_behind,
    rows_width,
    seat_in_line,
    table_places,
)
from drafting.sheets import Pen, Sheet

_SCALE = 5.0
"""The factor by which the table from above is reduced."""
_LEAD_MM, _LEAD_COLOUR = 4.0, "#c9bfae"


def seat_sheet(measures: Table) -> Sheet:
    """A seat's part of the cloth where seats have seat boards."""
    seat = seat_in_line(measures, measures["table"]["full"])
    top = max(row.y + row.length / 2 for row in seat.rows)
    size = rows_width(measures) + 4 * EDGE_MM, top + EDGE_MM
    middle = size[0] / 2

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *size, dashed=True)
        placed = seat.turned(0, middle, 0)
        _draw_seat(pen, measures, placed, "button", ring=True)
        pad, button = placed.pad, placed.button
        pad_top, row_bottom = pad.y + pad.length / 2, top - measures["card"]["height"]
        # beside what the pocket needs behind the pad
        x = pad.x + pad.width / 2 + EDGE_MM
        pen.distance((x, pad_top), (x, row_bottom), f"{measures['distances']['pad_to_row']} mm")
        left = pad.x - pad.width / 2, button.y
        pen.distance((button.x + button.width / 2, button.y), left, f"{measures['distances']['button_to_pad']} mm")
        pen.text(middle, EDGE_MM / 2, "the player sits here", 3, faint=True)
        draw_scale(pen, size[0] - 15, 15)

    return Sheet("seat", size, draw)


def centre_sheet(measures: Table) -> Sheet:
    """The centre of the same cloth: discard pad and pile, draw pile, scoreboard and sounder."""
    places = table_places(measures, "full")
    assert places.scoreboard is not None
    assert places.sounder is not None
    named = [places.discard_pad, places.discard_pile, places.draw_pile, places.scoreboard, places.sounder]
    left, right = (edge(each.x + side * each.width / 2 for each in named) for edge, side in ((min, -1), (max, 1)))
    size = right - left + 4 * EDGE_MM, measures["card"]["height"] + 6 * EDGE_MM
    shift = 0, 2 * EDGE_MM - left, size[1] / 2 + EDGE_MM - places.discard_pad.y

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *size, dashed=True)
        _draw_centre(pen, measures, *(each.turned(*shift) for each in named))
        pad, pile = (each.turned(*shift) for each in named[:2])
        y = pad.y + pad.length / 4
        pen.distance(
            (pile.x + pile.width / 2, y), (pad.x - pad.width / 2, y), f"{measures['distances']['pad_to_pile']} mm"
        )
        pen.text(size[0] / 2, EDGE_MM * 1.6, "decks are enrolled at the discard pad, too", 3, faint=True)
        draw_scale(pen, 65, 15)

    return Sheet("centre", size, draw)


def whole_sheet(measures: Table, table: str) -> Sheet:
    """A whole table's cloth at its size."""
    places = table_places(measures, table)

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *places.size, dashed=True)
        for number, seat in enumerate(places.seats, 1):
            _draw_seat(pen, measures, seat, f"button {number}", ring=False)
            x, y = seat.pad.point(*coil(measures, reader_pad(measures)))
            pen.text(x, y - 9, f"seat {number}", 3)
        assert places.scoreboard is not None
        assert places.sounder is not None
        centre = places.discard_pad, places.discard_pile, places.draw_pile, places.scoreboard, places.sounder
        _draw_centre(pen, measures, *centre)
        draw_scale(pen, places.size[0] / 2 + 25, places.size[1] - 120)

    return Sheet(f"{table} table", places.size, draw)


def table_sheet(measures: Table, table: str) -> Sheet:
    """A whole table from above, many times smaller."""
    places = table_places(measures, table)
    width, length = places.size
    border = 60.0
    size = (width + 2 * border) / _SCALE, (length + 2 * border) / _SCALE

    def draw(pen: Pen) -> None:
        def box(place: Place, text: str, height: float, *, frame: bool = True, fill: str = "") -> None:
            x, y = (place.x + border) / _SCALE, (place.y + border) / _SCALE
            size = place.width / _SCALE, place.length / _SCALE
            if frame:
                pen.box(x - size[0] / 2, y - size[1] / 2, *size, fill=fill)
            pen.text(x, y, text, height)

        def circle(x: float, y: float, diameter: float, text: str = "", *, cut: bool = False) -> None:
            x, y = (x + border) / _SCALE, (y + border) / _SCALE
            pen.circle(x, y, diameter / _SCALE, cut=cut)
            pen.text(x, y, text, 1.4)

        def below(place: Place) -> Place:
            return place.turned(0, 0, -place.width / 2 - 8)

        def lead(pad: Place) -> None:
            points = grove_path(places, pad)
            for (x, y), (to_x, to_y) in pairwise(points):
                place = Place((x + to_x) / 2, (y + to_y) / 2, abs(to_x - x) + _LEAD_MM, abs(to_y - y) + _LEAD_MM)
                box(place, "", 1, fill=_LEAD_COLOUR)

        def distance(start: tuple[float, float], end: tuple[float, float]) -> None:
            long = abs(end[0] - start[0]) + abs(end[1] - start[1])
            one, other = (((x + border) / _SCALE, (y + border) / _SCALE) for x, y in (start, end))
            pen.distance(one, other, f"{long:.0f}")

        box(Place(width / 2, length / 2, width, length), "", 1, fill="#efe3cf")
        plugged = measures["table"][table]["layout"] == PLUGGED
        if plugged:
            for seat in places.seats:
                lead(seat.pad)
        for number, seat in enumerate(places.seats, 1):
            box(seat.pad, "", 1, fill="#ffffff")
            if plugged:
                buzzer = seat.button
                box(seat.pad, str(number), 3.2, frame=False)
                box(buzzer, "", 1, fill="#ffffff")
                circle(buzzer.x, buzzer.y, measures["buzzer"]["dome"], "buzzer")
                for row in seat.rows:
                    box(row, "", 1, fill="#e3ebf4")
                continue
            layout = reader_pad(measures) if measures["table"][table]["layout"] == "square" else seat_pad(measures)
            # what is in a box lies in its middle
            room = seat.pad.unturned
            aside, before = (room[0] - layout.size[0]) / 2, (room[1] - layout.size[1]) / 2
            if layout.ring is not None:
                at = seat.pad.point(layout.ring[0] + aside, layout.ring[1] + before)
                circle(*at, measures["ring"]["outside"])
                circle(*at, measures["ring"]["inside"], "ring")
            x, y = coil(measures, layout)
            x, y = seat.pad.point(x + aside, y + before)
            pen.text((x + border) / _SCALE, (y + border) / _SCALE, str(number), 4)
            circle(seat.button.x, seat.button.y, seat.button.width, cut=not measures["table"][table].get("in_boxes"))
            box(below(seat.button), "button", 1.4, frame=False)
            for row in seat.rows:
                box(row, "", 1, fill="#e3ebf4")
        box(places.discard_pad, "discard\npad", 1.2 if plugged else 1.6, fill="#ffffff")
        box(places.discard_pile, "discard\npile", 1.6, fill="#e3ebf4")
        box(places.draw_pile, "draw\npile", 1.6, fill="#e3ebf4")
        if places.scoreboard and places.sounder:
            box(places.scoreboard, "score", 1.6, fill="#d6dadf")
            circle(places.sounder.x, places.sounder.y, places.sounder.width)
            box(below(places.sounder), "sounder", 1.4, frame=False)
        for name, place in places.things:
            box(place, name.removeprefix("the ").replace("second switch", "switch 2"), 1.4, fill="#d6dadf")
        if measures["table"][table]["layout"] != "square":
            for start, end in _distances(places):
                distance(start, end)
        title = f"{table}, {len(places.seats)} seats, {width:.0f} × {length:.0f} mm, 1:{_SCALE:.0f}"
        pen.text(size[0] / 2, border / 4 / _SCALE, title, 2.6)

    return Sheet(f"table, {table}", size, draw)


def _distances(places: TablePlaces) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Distances that place the seats' and the centre's sheets on a table with seats along two edges: from the left edge
    to each pad's middle and to the draw pile, and from the edge to pad and rows."""
    near = sorted((seat for seat in places.seats if seat.pad.y < places.size[1] / 2), key=lambda seat: seat.pad.x)
    xs = [0.0, *(seat.pad.x for seat in near)]
    yield from (((left, -28.0), (right, -28.0)) for left, right in pairwise(xs))
    pad, row = near[-1].pad, near[-1].rows[0]
    x = pad.x + pad.width / 2 + 2 * EDGE_MM
    ys = [0.0, pad.y - pad.length / 2, pad.y + pad.length / 2, row.y - row.length / 2]
    yield from (((x, low), (x, high)) for low, high in pairwise(ys))
    left, middle = places.draw_pile.x - places.draw_pile.width / 2, places.draw_pile.y
    yield (0.0, middle), (left, middle)


def _draw_seat(pen: Pen, measures: Table, seat: SeatPlaces, button: str, *, ring: bool) -> None:
    _draw_pad(pen, measures, seat.pad, ring=ring)
    pen.circle(seat.button.x, seat.button.y, seat.button.width, cut=True)
    pen.text(seat.button.x, seat.button.y, button.replace(" ", "\n"), 3)
    for row in seat.rows:
        draw_card(pen, measures, row, "")


def _draw_centre(
    pen: Pen, measures: Table, pad: Place, pile: Place, draw_pile: Place, scoreboard: Place, sounder: Place
) -> None:
    _draw_pad(pen, measures, pad, ring=False)
    draw_card(pen, measures, pile, "discard\npile")
    draw_card(pen, measures, draw_pile, "draw\npile")
    module = min(("oled", "oled_small"), key=lambda name: abs(oled_box(measures, name).size[0] - scoreboard.width))
    view = measures[module]["view_length"], measures[module]["view_width"]
    corner = measures["pad"]["corner"]
    left, bottom = scoreboard.x - scoreboard.width / 2, scoreboard.y - scoreboard.length / 2
    pen.box(left, bottom, scoreboard.width, scoreboard.length, corner=corner, dashed=True)
    pen.box(scoreboard.x - view[0] / 2, scoreboard.y - view[1] / 2, *view, cut=True)
    pen.text(scoreboard.x, bottom - 5, "scoreboard", 3)
    pen.circle(sounder.x, sounder.y, sounder.width, dashed=True)
    pen.text(sounder.x, sounder.y - sounder.width / 2 - 5, "sounder", 3)


def _draw_pad(pen: Pen, measures: Table, pad: Place, *, ring: bool) -> None:
    """A pad's outline, where a card is tapped on it, the ring's light, and what its pocket needs behind it."""
    layout = seat_pad(measures) if ring else reader_pad(measures)
    pen.box(
        pad.x - pad.width / 2,
        pad.y - pad.length / 2,
        pad.width,
        pad.length,
        corner=measures["pad"]["corner"],
    )
    pen.text(pad.x, pad.y - pad.length / 2 + 5, "pocket, in the wood only", 2, faint=True)
    middle = pad.point(*coil(measures, layout))
    pen.cross(*middle)
    pen.text(middle[0], middle[1] + 9, "tap here", 3)
    _draw_behind(pen, measures, pad, layout)
    if layout.ring is not None:
        at = pad.point(*layout.ring)
        pen.circle(*at, measures["ring"]["outside"], dashed=True)
        pen.circle(*at, measures["ring"]["inside"], dashed=True)
        pen.text(*at, "ring", 3)


def _draw_behind(pen: Pen, measures: Table, pad: Place, layout: PadLayout) -> None:
    """The pocket's extension for plug and cable, and the hole down; only for who routs, the cloth stays whole there."""
    place = pocket_behind(measures, pad, layout)
    pen.box(place.x - place.width / 2, place.y - place.length / 2, place.width, place.length, dashed=True)
    hole = pad.point(*cable_hole(measures, layout))
    pen.circle(*hole, measures["pocket"]["cable_hole"], dashed=True)
    pen.text(*hole, "cable", 2.4, faint=True)


def draw_card(pen: Pen, measures: Table, place: Place, text: str) -> None:
    """The place of a card, with what lies there."""
    x, y = place.x - place.width / 2, place.y - place.length / 2
    pen.box(x, y, place.width, place.length, corner=measures["card"]["corner"])
    pen.text(place.x, place.y, text, 4)


def draw_scale(pen: Pen, right: float, y: float) -> None:
    """Draw a scale that shows whether a printer has kept the size."""
    pen.line([(right - 50, y - 1), (right - 50, y + 1), (right - 50, y), (right, y), (right, y - 1), (right, y + 1)])
    pen.text(right - 25, y + 4, "50 mm when printed at 100 %", 2.4, faint=True)
