"""What lies in the middle of the table, set in lines: counted piles, cards that lie open, and those that lie in levels
one above the other. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from taptable.core.player import Heap
from taptable.core.scoreboard import Count
from taptable.edges.cues.scores import counted
from taptable.narration.telling import capital
from taptable.sim.demo.lines import Line, line
from taptable.sim.demo.rows import label, place_name, token
from taptable.sim.demo.views import View
from taptable.words import Words

_LEVEL = re.compile(r"(.+)-(\d+)-(\d+)")
"""A heap that is a place of a level: ``demand-2-1``."""


def piles(view: View, words: Words) -> list[Line]:
    """The counted piles, the levels, and the top of whatever else lies there."""
    return [*stock(view, words), *levels(view, words), *tops(view, words)]


def stock(view: View, words: Words) -> list[Line]:
    """The counted piles."""
    return [line(_count(count, words)) for count in view.stock]


def levels(view: View, words: Words) -> list[Line]:
    """The cards that lie in levels, the highest first."""
    found: dict[tuple[str, str], list[Heap]] = {}
    for heap in view.middle:
        if (place := _LEVEL.fullmatch(heap.place)) is not None:
            found.setdefault((place[1], place[2]), []).append(heap)
    return [_level(name, level, heaps, words) for (name, level), heaps in reversed(found.items())]


def tops(view: View, words: Words) -> list[Line]:
    """The top of whatever else lies open; the last heap is named though it is empty."""
    heaps = [heap for heap in view.middle if not _LEVEL.fullmatch(heap.place)]
    return [line(_top(heap, words)) for heap in heaps if heap.cards or heap is heaps[-1]]


def _count(count: Count, words: Words) -> str:
    if words.message("demo", count.name) is not None:
        return words.text("demo", count.name, {"number": count.have})
    return f"{label(capital(words.text('count-of', count.name)), words)} {counted(count)}"


def _level(name: str, level: str, heaps: Sequence[Heap], words: Words) -> Line:
    known = words.message("demo", f"level-{name}") is not None
    head = words.text("demo", f"level-{name}", {"level": level}) if known else f"{name} {level}"
    return line(("class:faint", f"{label(head, words)} "), " · ".join(_top_card(heap, words) for heap in heaps))


def _top(heap: Heap, words: Words) -> str:
    top, key = _top_card(heap, words), f"top-{heap.place}"
    if words.message("demo", key) is not None:
        return words.text("demo", key, {"top": top})
    more = f" (+{len(heap.cards) - 1})" if len(heap.cards) > 1 else ""
    return f"{label(place_name(heap, words), words)} {top}{more}"


def _top_card(heap: Heap, words: Words) -> str:
    return f"{words.kind(heap.cards[-1])}{token(heap, words)}" if heap.cards else "–"
