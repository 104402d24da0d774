"""What lies before the teams, set in lines: scores, lines, rows, quotas or counts; and heaps by their names. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.player import Heap
from taptable.core.scoreboard import Count, Mark, TeamScore
from taptable.edges.cues.scores import counted
from taptable.sim.demo.lines import Line, fit, line
from taptable.sim.demo.views import TeamView, View
from taptable.words import Words

FULL_COLUMNS = 46
"""Columns from which the cards of the rows are named."""
NAMED_COLUMNS = 30
"""Columns from which the quotas have names."""
INDENT = "   "

STYLE_OF_LINE = {"up": "class:good", "blocked": "class:bad", "offline": "class:faint"}


def teams(view: View, words: Words, columns: int, rows: int) -> list[Line]:
    """Each team's score, line and rows; as much of it as so many rows hold, the first teams at least."""
    unit = words.text("unit", view.unit)
    full = [_team(team, unit, words, columns) for team in view.teams]
    if columns >= FULL_COLUMNS and sum(map(len, full)) <= rows:
        return [each for lines in full for each in lines]
    return [each for team in view.teams for each in _team_in_short(team, unit, words, columns)][: max(0, rows)]


def heap_name(heap: Heap, words: Words) -> str:
    """A heap by its name, and whose it is."""
    name = place_name(heap, words)
    return name if not heap.seats or heap.place == "hand" else f"{name} {_seats(heap.seats)}"


def label(name: str, words: Words) -> str:
    """A name before what it is the name of."""
    return words.text("demo", "label", {"name": name})


def _team(team: TeamView, unit: str, words: Words, columns: int) -> list[Line]:
    score = team.score
    place = f"{score.place}. " if score.place is not None else ""
    head = line(("class:seat", f"{place}{_seats(score.seats)}"), f"  {score.score} {unit}  ", *_line_word(team, words))
    if score.decisive is not None:
        head = line(*head, "  ", *_counted(score.decisive, words))
    if not score.marks:
        lying = [_row(row, words) for row in team.rows if row.cards]
        return [line(*head, *_joined(_counts(score, words))), *([line(INDENT, *_joined(lying))] if lying else [])]
    marked = {mark.name for mark in score.marks}
    rows = [heap for heap in team.rows if heap.place not in marked]
    room = (columns - len(INDENT)) // max(1, len(rows)) - 2
    cards = [fit(_row(row, words), room) for row in rows]
    marks = [line(("class:faint", f"{words.kind(mark.name)} "), *_blocks(mark)) for mark in _wanted(score.marks)]
    return [head, line(INDENT, *_joined(cards)), line(INDENT, *_joined(marks))]


def _team_in_short(team: TeamView, unit: str, words: Words, columns: int) -> list[Line]:
    score = team.score
    seats = ("class:seat", _seats(score.seats))
    if not score.marks:
        if columns < NAMED_COLUMNS:
            return [line(seats, f" {score.score} ", *_joined([line(counted(count)) for count in score.counts], " "))]
        return [line(seats, f" {score.score} {unit}  ", *_joined(_counts(score, words)))]
    marks = _wanted(score.marks)
    counts = [f"{mark.have}{'▪' if mark.secured else '/'}{mark.need}" for mark in marks]
    if columns < NAMED_COLUMNS:
        return [line(seats, " ", *_line_word(team, words)), line(" ".join(counts))]
    names = [words.kind(mark.name)[:2] for mark in marks]
    named = [line(("class:faint", f"{name} "), count) for name, count in zip(names, counts, strict=True)]
    return [line(seats, f" {score.score} {unit} ", *_line_word(team, words)), line("  ", *_joined(named, " "))]


def _counts(score: TeamScore, words: Words) -> list[Line]:
    """What is counted for a team, by its names."""
    return [_counted(count, words) for count in score.counts]


def _counted(count: Count, words: Words) -> Line:
    return line(("class:faint", f"{words.text('count-of', count.name)} "), counted(count))


def _row(row: Heap, words: Words) -> Line:
    return line(("class:faint", f"{label(place_name(row, words), words)} "), *_cards(row, words))


def _wanted(marks: Sequence[Mark]) -> list[Mark]:
    """The quotas that count for something in this game."""
    return [mark for mark in marks if mark.need or mark.have]


def _cards(row: Heap, words: Words) -> list[tuple[str, str]]:
    """A row's cards, the top one first."""
    if not row.cards:
        return [("", "–")]
    top, *under = [words.kind(card) for card in reversed(row.cards)]
    return [("", top + token(row, words)), ("class:faint", "".join(f" · {each}" for each in under))]


def token(heap: Heap, words: Words) -> str:
    """The marker that lies with a heap, behind what it lies with."""
    return f" [{words.text('token', heap.token)}{heap.token_seat or ''}]" if heap.token else ""


def _blocks(mark: Mark) -> list[tuple[str, str]]:
    """Full and hollow blocks for what a team has and needs, and a sign for a row that is backed up."""
    full = min(mark.have, mark.need)
    blocks = [("class:good", "■" * full), ("", "□" * (mark.need - full))]
    if mark.have > mark.need:
        blocks.append(("", f"+{mark.have - mark.need}"))
    return [*blocks, ("class:good", "▪")] if mark.secured else blocks


def _line_word(team: TeamView, words: Words) -> list[tuple[str, str]]:
    """The state of a team's line; nothing in a game without."""
    state = team.score.state
    if not state:
        return []
    return [(STYLE_OF_LINE.get(state, ""), words.text("demo", f"line-{state}", {"rate": team.score.allowance}))]


def place_name(heap: Heap, words: Words) -> str:
    """Where a heap lies."""
    place = heap.place
    return words.message("demo", f"place-{place}") or words.message("place", place) or words.kind(place)


def _seats(numbers: Sequence[int]) -> str:
    return "·".join(map(str, numbers))


def _joined(parts: Sequence[Line], gap: str = "  ") -> Line:
    return tuple(piece for part in parts for piece in (*part, ("", gap)))
