"""The page of a strip board: what to cut, link and solder, in which order, and what the meter has to say."""

from __future__ import annotations

from drafting.pages import table
from drafting.strips.board import Hole
from drafting.strips.drawing import numbers
from drafting.strips.meter import Apart, holes_apart, holes_joined
from drafting.strips.proof import Layout

_LAST = ("module", "header")
"""The looks of parts that are soldered after the meter's tests, since a fault would destroy them."""


def page(layout: Layout) -> str:
    """The page in Markdown."""
    board, key = layout.board, layout.board.key
    drilled = [cut for cut in layout.cuts if not cut.knife]
    knifed = [cut for cut in layout.cuts if cut.knife]
    below = sum(link.copper_side for link in layout.links)
    lines = [
        f"# {board.title}: a strip board, hole by hole",
        "",
        "Made by scripts/hardware from hardware/stripboards.toml and the wiring. A check compared all joints of",
        "copper, cuts, links and parts with the wiring. No bare leg touches a body or another net. Nobody has soldered",
        "one yet *(bench)*.",
        "",
        f"The board is {board.size[0]:g} × {board.size[1]:g} mm. It has {board.rows} strips of {board.columns} holes",
        "from left to right. Numbers count the strips from the top, letters the holes from the left. You look at the",
        "side of the parts. The copper side is drawn mirrored, as you see it when you turn the board over sideways.",
        "",
        *(f"- {note}" for note in board.notes),
        *([""] if board.notes else []),
        f"![Side of the parts](stripboard-{key}-parts.svg)",
        "",
        f"![Copper side](stripboard-{key}-copper.svg)",
        "",
        f"## 1. {len(layout.cuts)} cuts",
        "",
        f"Turn a drill of {layout.drill_mm:g} mm by hand, at the hole, until the strip is cut. Stop there: the next",
        f"strip begins 1.5 mm from the hole ({len(drilled)}):",
        "",
        *_by_row([cut.at for cut in drilled]),
        "",
    ]
    if knifed:
        lines += [
            f"Cut with a knife: two strokes half a millimetre apart. Lift the copper between them off ({len(knifed)}):",
            "",
            ", ".join(str(cut) for cut in knifed) + ".",
            "",
        ]
    lines += [
        f"## 2. {len(layout.links)} links",
        "",
        f"Use insulated wire. {below} lie on the copper side. There, lay an end below a part on the hole and solder",
        "it; don't push it through. Solder an end *at the pin* to the pin's joint, once that is there.",
        "",
        table(("no.", "net", "from", "to", "side"), _links(layout)),
        "",
        "## 3. The meter, for the first time: before any part",
        "",
        "Set the meter to beep, and hold a probe to the copper of each of two holes. These must not beep; the most",
        "harmful come first. If one beeps, look for a forgotten cut, or a hair of copper or solder.",
        "",
        table(("probe", "probe", "between", "if they are joined"), (_apart(test) for test in holes_apart(layout))),
        "",
        "These must beep: one probe stays in the first hole, the other goes through the rest. Test a link that ends at",
        "a pin when the pin is there.",
        "",
        table(
            ("net", "stays in", "beeps in each of"),
            ((net, str(first), ", ".join(map(str, rest))) for net, (first, *rest) in holes_joined(layout).items()),
        ),
        "",
        "## 4. Parts, the low ones first",
        "",
        table(("part", "what", "pin and hole", "how"), _parts(layout)),
        "",
        "## 5. The meter, for the second time",
        "",
        f"Before you solder {_last_ones(layout)}, test the first table above once more. Only these may beep now, since",
        f"a part of few ohms lies between: {_may_beep(layout)}.",
        "",
        "Then solder the last parts, and test the first ten lines a third time. Now plug it in.",
    ]
    return "\n".join(lines) + "\n"


def _by_row(holes: list[Hole]) -> list[str]:
    rows = sorted({one.row for one in holes})
    return [f"- strip {row}: {', '.join(str(one) for one in holes if one.row == row)}" for row in rows]


def _links(layout: Layout) -> list[tuple[str, ...]]:
    pins = layout.board.pins()

    def end(where: Hole) -> str:
        return f"{where}, at the pin" if where in pins else f"{where}"

    rows = numbers(layout).items()
    return [
        (str(number), link.net, end(link.start), end(link.end), "copper" if link.copper_side else "parts")
        for link, number in rows
    ]


def _apart(test: Apart) -> tuple[str, ...]:
    one, other = test.between
    return str(test.one), str(test.other), f"{one} – {other}", test.harm


def _parts(layout: Layout) -> list[tuple[str, ...]]:
    parts = [part for part in layout.board.parts.values() if part.form.look != "point"]
    parts.sort(key=lambda part: (part.form.look in _LAST, part.form.height, part.name))
    points = [part for part in layout.board.parts.values() if part.form.look == "point"]
    return [
        (part.name, f"{part.kind.name}, {part.kind.number}", _pins(layout, part.name), part.form.how)
        for part in [*parts, *points]
    ]


def _pins(layout: Layout, name: str) -> str:
    part = layout.board.parts[name]
    if part.form.row > 9:
        return f"pin 1 in {part.first}, its row to {part.last}"
    return ", ".join(f"{pin} {where}" for pin, where in part.pins.items())


def _last_ones(layout: Layout) -> str:
    return " and ".join(part.name for part in layout.board.parts.values() if part.form.look in _LAST)


def _may_beep(layout: Layout) -> str:
    found = [f"{test.one}–{test.other} ({test.through})" for test in holes_apart(layout) if test.through]
    return ", ".join(found) or "none"
