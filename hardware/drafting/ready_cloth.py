"""The cloth of a table whose parts plug together, at its size: a seat's part and the centre. Readers and leads lie
below the cloth, so nothing is cut unless you lay a sheet of foam round them."""

from __future__ import annotations

from drafting.cloth import draw_card, draw_scale
from drafting.parts import Table
from drafting.places import EDGE_MM, Place, plugged_seat, table_places
from drafting.sheets import Pen, Sheet

_TABLE = "ready"
_LEAD_MM = 6.0
"""How wide a lead's groove in a sheet of foam is."""


def ready_seat_sheet(measures: Table) -> Sheet:
    """A seat's part of the cloth: reader, rows, buzzer and the reader's lead."""
    seat = plugged_seat(measures)
    left = seat.button.x - seat.button.width / 2
    right, top = -seat.rows[0].x + seat.rows[0].width / 2, seat.rows[0].y + seat.rows[0].length / 2
    size = right - left + 2 * EDGE_MM, top + EDGE_MM
    placed = seat.turned(0, EDGE_MM - left, 0)

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *size, dashed=True)
        _draw_reader(pen, placed.pad)
        pad, button = placed.pad, placed.button
        pad_top = pad.y + pad.length / 2
        _draw_lead(pen, pad.x, pad_top, size[1])
        pen.text(pad.x + 28, pad_top + 12, "the lead leaves here,\nbetween two columns", 2.4, faint=True)
        for row in placed.rows:
            draw_card(pen, measures, row, "")
        pen.distance(
            (pad.x + 60, pad_top), (pad.x + 60, pad_top + measures["distances"]["pad_to_row"]),
            f"{measures['distances']['pad_to_row']} mm",
        )  # fmt: skip
        pen.box(button.x - button.width / 2, button.y - button.length / 2, button.width, button.length, corner=8)
        pen.circle(button.x, button.y, measures["buzzer"]["dome"])
        pen.text(button.x, button.y, "buzzer", 3)
        pen.text(pad.x, EDGE_MM / 2, "the player sits here", 3, faint=True)
        draw_scale(pen, size[0] - 15, 15)

    return Sheet("seat", size, draw)


def ready_centre_sheet(measures: Table) -> Sheet:
    """The centre of the same cloth: discard pad and piles, switches, Pi and display."""
    places = table_places(measures, _TABLE)
    named = [places.discard_pad, places.discard_pile, places.draw_pile, *(place for _, place in places.things)]
    left, right = (edge(each.x + side * each.width / 2 for each in named) for edge, side in ((min, -1), (max, 1)))
    size = right - left + 4 * EDGE_MM, measures["card"]["height"] + 8 * EDGE_MM
    shift = 0, 2 * EDGE_MM - left, size[1] / 2 + EDGE_MM - places.discard_pad.y

    def draw(pen: Pen) -> None:
        pen.box(0, 0, *size, dashed=True)
        pad, pile, pile_to_draw = (each.turned(*shift) for each in named[:3])
        _draw_reader(pen, pad)
        draw_card(pen, measures, pile, "discard\npile")
        draw_card(pen, measures, pile_to_draw, "draw\npile")
        for name, place in places.things:
            at = place.turned(*shift)
            pen.box(at.x - at.width / 2, at.y - at.length / 2, at.width, at.length, corner=2, dashed=True)
            pen.text(at.x, at.y, name.removeprefix("the "), 3)
        y = pad.y + pile.length / 3
        far = f"{measures['distances']['pad_to_pile']} mm"
        pen.distance((pile.x + pile.width / 2, y), (pad.x - pad.width / 2, y), far)
        pen.text(size[0] / 2, EDGE_MM * 1.6, "decks are enrolled at the discard pad, too", 3, faint=True)
        draw_scale(pen, 65, 15)

    return Sheet("centre", size, draw)


def _draw_reader(pen: Pen, pad: Place) -> None:
    """A reader below the cloth, and where a card is tapped on it."""
    pen.box(pad.x - pad.width / 2, pad.y - pad.length / 2, pad.width, pad.length, corner=2, dashed=True)
    pen.cross(pad.x, pad.y)
    pen.text(pad.x, pad.y + pad.length / 2 + 4 if pad.quarters else pad.y + 14, "tap here", 3)
    if pad.quarters:
        pen.text(pad.x, pad.y - pad.length / 2 - 5, "discard pad", 3)


def _draw_lead(pen: Pen, x: float, low: float, high: float) -> None:
    for side in (-1, 1):
        edge = x + side * _LEAD_MM / 2
        pen.line([(edge, low), (edge, high)], faint=True)
