"""The layers of a box of cardboard at their real size, on one page of A4, drawn from the bodies that the fit check
looks at."""

from __future__ import annotations

from drafting.assemblies import Assembly
from drafting.bodies import Body, Box, Cylinder, Shape
from drafting.sheets import A4, Pen, Sheet

_MARGIN, _BETWEEN = 9.0, 3.0


def box_sheet(box: Assembly) -> Sheet:
    """Lid, walls and floor of a box of cardboard; what only lies there is dashed."""
    tray, packing, lid, board = (box.body(name) for name in ("the tray", "the packing", "the lid", "the seat board"))
    outline = tray.shapes[0]
    assert isinstance(outline, Box)
    right, upper = A4[0] - _MARGIN - outline.width, A4[1] - _MARGIN - outline.length
    lower = upper - _BETWEEN - outline.length

    def draw(pen: Pen) -> None:
        for x, y, text in (
            (_MARGIN, upper, "lid, once\n(discard pad: without the round hole)"),
            (right, upper, "walls, four times"),
            (_MARGIN, lower, "floor, once; dashed:\nwhat lies on it"),
        ):
            pen.box(x, y, outline.width, outline.length, cut=True)
            pen.text(x + outline.width / 2, y + 5, text, 2.2, faint=True)
        for hole in lid.holes:
            _shape(pen, lid, hole, _MARGIN, upper, outline)
        for hole in tray.holes:
            _shape(pen, tray, hole, right, upper, outline)
        ring = next(hole for hole in lid.holes if isinstance(hole, Cylinder))
        pen.text(_MARGIN + ring.x, upper + ring.y, "ring", 2.2, faint=True)
        joints = max((hole for hole in lid.holes if isinstance(hole, Box)), key=lambda hole: hole.length)
        pen.text(_MARGIN + joints.x + joints.width / 2, upper + joints.y + 7, "solder of\nthe reader", 2.0, faint=True)
        for hole, text in zip(tray.holes[1:], ("USB", "button"), strict=True):
            assert isinstance(hole, Box)
            pen.text(right + hole.x + hole.width / 2, upper + hole.y + 5, text, 2.0, faint=True)
        for part in packing.shapes:
            _shape(pen, packing, part, _MARGIN, lower, outline, cut=False)
        _shape(pen, board, board.shapes[0], _MARGIN, lower, outline, cut=False)
        pen.text(_MARGIN + outline.width / 2, lower + 44, "block: three layers", 2.2, faint=True)
        pen.text(_MARGIN + outline.width / 2, lower + 100, "seat board,\non two strips:\none layer", 2.2, faint=True)
        x, y = right, lower + 40
        said = (
            "A box for a pad, taken apart, at 1:1.",
            "Print at 100 %; red is cut.",
            "The player sits at the lower edges,",
            "the plugs leave through the gaps above.",
            "50 mm:",
        )
        for number, text in enumerate(said):
            pen.text(x, y + 12 + 6 * (len(said) - number), text, 2.4, left=True)
        pen.line([(x, y + 9), (x, y + 11), (x, y + 10), (x + 50, y + 10), (x + 50, y + 9), (x + 50, y + 11)])

    return Sheet("box", A4, draw)


def _shape(pen: Pen, body: Body, shape: Shape, x: float, y: float, outline: Box, *, cut: bool = True) -> None:
    """A box or a hole from above, no farther than the outline."""
    x, y = x + body.at[0], y + body.at[1]
    if isinstance(shape, Cylinder):
        pen.circle(x + shape.x, y + shape.y, shape.diameter, cut=cut, dashed=not cut)
    elif isinstance(shape, Box):
        length = min(shape.length, outline.length - shape.y)
        pen.box(x + shape.x, y + shape.y, shape.width, length, cut=cut, dashed=not cut)
