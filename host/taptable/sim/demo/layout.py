"""The screen of the demo: panels arranged by the size of the terminal, as exactly so many lines of exactly so many
columns. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.narration.telling import capital
from taptable.sim.demo import panels
from taptable.sim.demo.helping import help_lines
from taptable.sim.demo.lines import MORE, Line, beside, block, columns_of, fit, flowing, framed, line, text_of
from taptable.sim.demo.piles import levels, piles, stock, tops
from taptable.sim.demo.rows import heap_name, label, teams
from taptable.sim.demo.table_of_keys import keys_now
from taptable.sim.demo.views import Own, Show, View
from taptable.sim.hints import waited_for
from taptable.words import Words

LEAST = (80, 24)
ROOMY = (116, 36)
"""The size from which everything has its own panel."""
IN_BLOCKS = (190, 56)
"""The size from which the display is drawn in half blocks."""
CARD_ROWS = 2
ANSWER_ROWS = 2


def screen(view: View, columns: int, rows: int, words: Words) -> list[Line]:
    """The whole screen."""
    if columns < LEAST[0] or rows < LEAST[1]:
        facts = {"columns": LEAST[0], "rows": LEAST[1], "now": f"{columns}×{rows}"}
        return block(panels.wrapped(words.text("demo", "too-small", facts), columns), columns, rows)
    if view.helping:
        lines = help_lines(view.show, view.teams[0].score.marks, words, columns, rows)
    elif columns >= ROOMY[0] and rows >= ROOMY[1]:
        lines = _roomy(view, columns, rows, words)
    else:
        lines = _tight(view, columns, rows, words)
    return block(lines, columns, rows)


def _tight(view: View, columns: int, rows: int, words: Words) -> list[Line]:
    """The display with the seats and teams beside it, the log, and the own seat in few lines; what lies in levels
    stands in one line, since there is little room beside the display."""
    picture = panels.glass(view.glass, braille=True)
    wide = columns_of(picture[0])
    side = columns - wide - 1
    small = [*panels.window(view, words, side), *stock(view, words), *tops(view, words)]
    small.append(panels.sounder(view, words))
    seats = panels.seats(view, words, side)
    lying = teams(view, words, side, len(picture) - len(seats) - len(small))
    table = block([*seats, *lying, *small], side, len(picture))
    top = [_title(view, columns, words), *beside(picture, table, wide), *flowing(levels(view, words), columns)]
    foot = _foot(view, columns, 1, words)
    own = [] if view.own is None else _own(view, view.own, columns, words)
    return [*top, *_said(view, columns, rows - len(top) - len(own) - len(foot)), *own, *foot]


def _roomy(view: View, columns: int, rows: int, words: Words) -> list[Line]:
    """Everything in its own panel."""
    blocks = columns >= IN_BLOCKS[0] and rows >= IN_BLOCKS[1]
    picture = panels.glass(view.glass, braille=not blocks)
    wide = columns_of(picture[0])
    side = columns - wide - 3
    display = framed(picture, wide, words.text("demo", "title-display"))
    table = [*panels.seats(view, words, side), (), *block(panels.window(view, words, side), side, 2), ()]
    table += [*piles(view, words), panels.sounder(view, words)]
    if len(table) > len(display):
        table = [each for each in table if each]
    top = [
        _title(view, columns, words),
        fit(line(("class:faint", words.text("demo", "explained"))), columns),
        *beside(display, block(table, side, len(display)), wide + 2),
    ]
    foot = _foot(view, columns, 2, words)
    own: list[Line] = []
    if view.own is not None:
        answer = _answer(view.own, columns)
        own = [*block(answer, columns, ANSWER_ROWS), *_own(view, view.own, columns, words)]
    below = rows - len(top) - len(foot) - len(own)
    lying = block(teams(view, words, wide + 2, below), wide + 2, below)
    said = block(panels.log(view.log, side, below), side, below)
    return [*top, *beside(lying, said, wide + 2), *own, *foot]


def _said(view: View, columns: int, rows: int) -> list[Line]:
    """The log, and what came of the person's last key below it, once."""
    answer = [] if view.own is None else _answer(view.own, columns)
    told = () if view.own is None else view.own.answer
    left = rows - len(answer)
    log = panels.log([said for said in view.log if said not in told], columns, left)
    return [*block(log, columns, left), *answer]


def _answer(own: Own, columns: int) -> list[Line]:
    """What came of the last key, in a few lines."""
    return [each for said in own.answer for each in panels.sentence(said, columns)][:ANSWER_ROWS]


def _title(view: View, columns: int, words: Words) -> Line:
    """The line on top: what is seen, and how fast."""
    speed = f" ×{view.speed:g} "
    said = fit(line(f" {title(view.show, view.own, words)}"), columns - len(speed))
    return line(("class:title", text_of(said) + speed))


def title(show: Show, own: Own | None, words: Words) -> str:
    """What is seen, in a sentence."""
    facts = {"edition": show.agreed.edition, "game": words.text("simulate", "game"), "players": show.agreed.players}
    if own is None:
        return words.text("demo", "title", facts)
    return words.text("demo", "title-own", {**facts, "seat": own.seat})


def _own(view: View, own: Own, columns: int, words: Words) -> list[Line]:
    """The person's seat: what is waited for, the heap under the cursor, and its cards; or the list of controls."""
    cards: list[Line] = []
    if own.offered is not None:
        name = label(capital(words.text("demo", "key-menu")), words)
        cards = _choices(name, own.offers, own.offered, columns, words)
    elif own.heaps:
        heap = next((heap for heap in own.heaps if own.chosen in heap.cards), own.heaps[0])
        filled = [each for each in own.heaps if each.cards]
        where = f" ({filled.index(heap) + 1}/{len(filled)})" if len(filled) > 1 else ""
        name = label(heap_name(heap, words) + where, words)
        cards = _choices(name, heap.cards, own.chosen, columns, words)
    return [fit(line(("class:you", prompt(view, own, words))), columns), *block(cards, columns, CARD_ROWS)]


def _choices(name: str, cards: Sequence[str], chosen: str | None, columns: int, words: Words) -> list[Line]:
    """Cards or controls with their numbers behind the name of what they are, from the first on or from a later one, so
    that the chosen one, which stands in brackets, is seen."""
    cells = [
        line(("class:chosen", f"[{number} {words.kind(card)}]") if card == chosen else f" {number} {words.kind(card)} ")
        for number, card in enumerate(cards, 1)
    ]
    lines: list[Line] = []
    for first in range(max(1, len(cells))):
        more = [line(MORE)] if first else []
        lines = flowing([line(("class:seat", name)), *more, *cells[first:]], columns, " ")
        if chosen not in cards or any(style == "class:chosen" for each in lines[:CARD_ROWS] for style, _ in each):
            break
    return lines


def prompt(view: View, own: Own, words: Words) -> str:
    """What the person is waited for, where the table hasn't just said something."""
    now = _now(view, own)
    if now in ("turn", "break-off") and view.hint is not None and view.on_turn == own.seat:
        return view.hint
    known = words.message("demo", f"now-{now}") is not None
    return words.text("demo" if known else "hands", f"now-{now}", {"card": own.chosen or "", "seat": view.on_turn})


def _now(view: View, own: Own) -> str:
    if own.doing:
        return "doing"
    if own.offered is not None:
        return "menu"
    if own.asking_pad and not view.over:
        return "pad"
    return waited_for(
        own.seat,
        meaning=view.seats[own.seat - 1].meaning,
        over=view.over,
        in_window=view.window is not None,
        claimant=view.window.claimant if view.window is not None else None,
        on_turn=view.on_turn,
        reshuffles=view.reshuffles,
    )


def _foot(view: View, columns: int, rows: int, words: Words) -> list[Line]:
    """The keys, the most important first, as many as there is room for; help and the way out always."""
    keys, always = keys_now(view, words)
    lines = panels.flowing_keys([*keys, *always], columns)
    while len(lines) > rows and keys:
        keys = keys[:-1]
        lines = panels.flowing_keys([*keys, *always], columns)
    return block(lines, columns, rows)
