"""A strip board hole by hole, from the components' side or, mirrored, from the copper's, as SVG at twice its size."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from drafting.circuit import At
from drafting.strips.board import Hole, Placed
from drafting.strips.links import Link
from drafting.strips.proof import Layout

SCALE = 2
_MARGIN = 9.0
_HEAD = 9.0
_COLOURS = (
    "#0072b2",
    "#009e73",
    "#cc79a7",
    "#d55e00",
    "#7b3fa0",
    "#00798c",
    "#8a5a00",
    "#3d5a80",
    "#c2185b",
    "#4b7f1a",
)
_COPPER, _BARE, _INK, _RED = "#e0a878", "#f4efe2", "#1d2733", "#d40000"


def drawing(layout: Layout, *, copper_side: bool) -> str:
    """One side of a board."""
    return "\n".join(_Side(layout, copper_side).lines()) + "\n"


def numbers(layout: Layout) -> dict[Link, int]:
    """The number of every link on drawings and page."""
    return {link: number for number, link in enumerate(layout.links, 1)}


class _Side:
    """A drawing of one side while it is made."""

    def __init__(self, layout: Layout, copper_side: bool) -> None:
        self._layout = layout
        self._board = layout.board
        self._mirrored = copper_side
        nets = sorted({link.net for link in layout.links})
        self._colour = {net: _COLOURS[at % len(_COLOURS)] for at, net in enumerate(nets)}
        self._colour |= {"5V": "#c1121f", "3V3": "#e07a00", "GND": "#111111"}

    def lines(self) -> Iterator[str]:
        board = self._board
        width, height = board.size[0] + 2 * _MARGIN, board.size[1] + _HEAD + 14
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * SCALE:g}mm" height="{height * SCALE:g}mm" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="DejaVu Sans, sans-serif" fill="{_INK}">'
        )
        yield f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
        side = "COPPER SIDE, mirrored: A is at the right" if self._mirrored else "SIDE OF THE PARTS: A is at the left"
        yield self._words(width / 2, 2.4, f"{board.title}: {side}", min(2.3, width / 60), bold=True)
        yield f'<g transform="translate({_MARGIN:g} {_HEAD:g})">'
        yield _rectangle(0, 0, *board.size, f'fill="{_BARE}" stroke="{_INK}" stroke-width="0.25"')
        yield from self._strips()
        yield from self._edges()
        for part in board.parts.values():
            yield from self._body(part)
        yield from self._holes()
        for link in self._layout.links:
            yield self._wire(link)
        for cut in self._layout.cuts:
            yield from self._cut(cut.at, cut.knife)
        for where, at in board.pins().items():
            yield from self._pin_name(where, at)
        if not self._mirrored:
            for part in board.parts.values():
                yield from self._name(part)
        for link, number in numbers(self._layout).items():
            yield from self._ends(link, number)
        yield "</g>"
        said = (
            "Red cross: cut with a drill. Red bar: cut with a knife, between two holes.",
            "Full line: wire on this side. Dashed: wire on the other side. The number is the link's.",
            "Grey: a pin. Framed: pin 1. Green ring: left free for the meter. Twice the size: print at 100 %.",
        )
        for at, text in enumerate(said):
            yield self._words(width / 2, height - 6.6 + 2.2 * at, text, min(1.4, width / 58))
        yield "</svg>"

    def _at(self, where: Hole) -> tuple[float, float]:
        x, y = self._board.place(where)
        return self._x(x), y

    def _x(self, x: float) -> float:
        return self._board.size[0] - x if self._mirrored else x

    def _strips(self) -> Iterator[str]:
        board = self._board
        for row in range(1, board.rows + 1):
            y = board.place(Hole(1, row))[1]
            look = f'fill="{_COPPER}" fill-opacity="{1 if self._mirrored else 0.35:g}"'
            yield _rectangle(0, y - 1.02, board.size[0], 2.04, look)
        for one in board.drilled:
            yield _circle(self._x(one.x), one.y, one.diameter / 2, "#ffffff", _INK, 0.2)

    def _edges(self) -> Iterator[str]:
        board = self._board
        for column in range(1, board.columns + 1):
            letters = str(Hole(column, 1)).rstrip("1")
            x = self._at(Hole(column, 1))[0]
            for y in (-1.3, board.size[1] + 1.3):
                yield self._words(x, y, letters, 1.5)
        for row in range(1, board.rows + 1):
            y = board.place(Hole(1, row))[1]
            for x in (-1.6, board.size[0] + 1.6):
                yield self._words(x, y, str(row), 1.5)
        for edge, y in (("top", -3.4), ("bottom", board.size[1] + 3.4)):
            if text := board.edges.get(edge):
                yield self._words(board.size[0] / 2, y, text, 1.6, bold=True)

    def _body(self, part: Placed) -> Iterator[str]:
        body = part.body
        left = min(self._x(body.left), self._x(body.right))
        wide, high = body.right - body.left, body.bottom - body.top
        if part.form.look == "point":
            x, y = self._at(part.first)
            yield _circle(x, y, 0.95, "none", "#00aa55", 0.25)
        else:
            look = 'fill="none" stroke-dasharray="0.8 0.6"' if self._mirrored else 'fill="#ffffff" fill-opacity="0.6"'
            rounded = 0.8 if part.form.look in ("axial", "diode", "can", "radial") else 0.2
            look += f' rx="{rounded:g}" stroke="#556" stroke-width="0.2"'
            yield _rectangle(left, body.top, wide, high, look)
        x, y = self._at(part.first)
        if part.form.row > 2 or part.form.across:
            look = f'fill="none" stroke="{_INK}" stroke-width="0.22"'
            yield _rectangle(x - 0.95, y - 0.95, 1.9, 1.9, look)
        if self._mirrored:
            return
        if part.form.row == 2 and not part.form.across:
            middle = self._x((body.left + body.right) / 2), (body.top + body.bottom) / 2
            for where in (part.first, part.last):
                x, y = self._at(where)
                edge_x = min(max(x, left), left + wide)
                edge_y = min(max(y, body.top), body.bottom)
                yield _line((x, y), (edge_x, edge_y), "#778", 0.35)
            if part.form.look == "diode":
                yield from self._ring(part, middle)
        if part.form.look == "can":
            x, y = self._at(part.first)
            dx, dy = x - self._at(part.last)[0], y - self._at(part.last)[1]
            yield self._words(x + dx * 0.35, y + dy * 0.35 - 0.1, "+", 1.6, bold=True)

    def _ring(self, part: Placed, middle: tuple[float, float]) -> Iterator[str]:
        x, y = self._at(part.first)
        along_x = (x > middle[0]) - (x < middle[0]) if abs(x - middle[0]) > 0.1 else 0
        along_y = (y > middle[1]) - (y < middle[1]) if abs(y - middle[1]) > 0.1 else 0
        ring_x, ring_y = middle[0] + along_x * 1.5, middle[1] + along_y * 1.5
        side_x, side_y = along_y * 1.0, along_x * 1.0
        start, end = (ring_x - side_x, ring_y - side_y), (ring_x + side_x, ring_y + side_y)
        yield _line(start, end, _INK, 0.6)

    def _holes(self) -> Iterator[str]:
        pins = self._board.pins()
        for row in range(1, self._board.rows + 1):
            for column in range(1, self._board.columns + 1):
                where = Hole(column, row)
                if self._board.is_lost(where):
                    continue
                x, y = self._at(where)
                if where in pins and self._board.parts[pins[where].part].form.look != "point":
                    yield _circle(x, y, 0.62, "#8b98a5", _INK, 0.15)
                else:
                    yield _circle(x, y, 0.45, "#ffffff", "#998", 0.1)

    def _pin_name(self, where: Hole, at: At) -> Iterator[str]:
        """The name of a pin of a part with several, or its number on the Pi's header, where names are too long."""
        part = self._board.parts[at.part]
        x, y = self._at(where)
        if part.form.zigzag:
            yield self._halo(x, y + 1.12, part.kind.pins[at.pin].place, 0.8)
        elif part.form.row > 2:
            yield self._halo(x, y + 1.12, "GND" if at.pin.startswith("GND_") else at.pin, 0.68)

    def _name(self, part: Placed) -> Iterator[str]:
        body = part.body
        x, y = (body.left + body.right) / 2, (body.top + body.bottom) / 2
        wide, high = body.right - body.left, body.bottom - body.top
        value = part.kind.name.removesuffix(", 1 %").replace("Resistor ", "").replace("Capacitor ", "")
        turned = high > wide
        room = max(wide, high)
        if part.form.look == "point":
            yield self._halo(x, y - 1.35, part.name, 0.75)
            return
        if part.form.look == "dip":
            value = part.kind.number
        elif part.form.look not in ("axial", "can"):
            value = ""
        size = min(1.1, room / max(4, len(part.name)) * 1.75)
        if part.form.look in ("header", "wires"):
            off = min(wide, high) / 2 + 0.75
            # on the board, to the right or below where there is no room at the left or above
            if turned:
                x += -off if x - off - size > 0 else off
            else:
                y += -off if y - off - size > 0 else off
        lines = [part.name] + ([value.split(",")[0]] if value else [])
        step = size * 1.2
        for at, text in enumerate(lines):
            off = (at - (len(lines) - 1) / 2) * step
            here = (x - off, y) if turned else (x, y + off)
            small = size if at == 0 else min(size, room / max(4, len(text)) * 1.6)
            yield self._halo(*here, text, small, turned=turned)

    def _wire(self, link: Link) -> str:
        here = link.copper_side == self._mirrored
        dash = "" if here else ' stroke-dasharray="0.7 0.55" stroke-opacity="0.55"'
        look = f'stroke-linecap="round"{dash}'
        return _line(self._at(link.start), self._at(link.end), self._colour[link.net], 0.6 if here else 0.35, look)

    def _ends(self, link: Link, number: int) -> Iterator[str]:
        """The numbers at both ends of a link, over all else."""
        for end_x, end_y in (self._at(link.start), self._at(link.end)):
            yield _circle(end_x, end_y, 0.5, self._colour[link.net])
            yield self._words(end_x, end_y, str(number), 0.62, colour="#ffffff", bold=True)

    def _cut(self, at: Hole, knife: bool) -> Iterator[str]:
        x, y = self._at(at)
        if knife:
            x += -1.27 if self._mirrored else 1.27
            path = f"M{x:.2f} {y - 1.15:.2f}V{y + 1.15:.2f}"
        else:
            path = f"M{x - 0.8:.2f} {y - 0.8:.2f}l1.6 1.6m0 -1.6l-1.6 1.6"
        yield f'<path d="{path}" stroke="{_RED}" stroke-width="0.42" fill="none"/>'

    def _halo(self, x: float, y: float, text: str, height: float, *, turned: bool = False) -> str:
        return self._words(x, y, text, height, turned=turned, halo=True)

    def _words(
        self,
        x: float,
        y: float,
        text: str,
        height: float,
        *,
        colour: str = _INK,
        bold: bool = False,
        turned: bool = False,
        halo: bool = False,
    ) -> str:
        look = ' font-weight="bold"' if bold else ""
        look += ' stroke="#ffffff" stroke-width="0.25" paint-order="stroke"' if halo else ""
        look += f' transform="rotate(-90 {x:.2f} {y:.2f})"' if turned else ""
        return (
            f'<text x="{x:.2f}" y="{y + 0.36 * height * 1.1:.2f}" font-size="{height * 1.1:.2f}" text-anchor="middle" '
            f'fill="{colour}"{look}>{escape(text)}</text>'
        )


def _circle(x: float, y: float, radius: float, fill: str, stroke: str = "none", width: float = 0.0) -> str:
    look = f'fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"'
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" {look}/>'


def _rectangle(left: float, top: float, width: float, height: float, look: str) -> str:
    return f'<rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" {look}/>'


def _line(start: tuple[float, float], end: tuple[float, float], stroke: str, width: float, more: str = "") -> str:
    way = f"M{start[0]:.2f} {start[1]:.2f}L{end[0]:.2f} {end[1]:.2f}"
    return f'<path d="{way}" stroke="{stroke}" stroke-width="{width:g}" {more}/>'
