"""From what happened at the table to what the journal keeps of it; the way back is `playback`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from taptable.core.observations import ControlUsed
from taptable.core.sightings import Origin
from taptable.memory.records import Ending, Entry, GameHeader, Record
from taptable.referee.lines import announcement_line, answer_of, line_of
from taptable.referee.session import Happening, Judged
from taptable.referee.step import Table, begins_anew, heir_of

MakeHeader = Callable[[Table, int | None], GameHeader]
"""The header of the game that a table has just begun, with what the game before leaves it."""


def records_of(
    before: Table, happened: Sequence[Happening], origin: Origin | None, now_us: int, make_header: MakeHeader
) -> list[Record]:
    """What goes into one commit: every observation with its verdict, every notice, games that begin or end, and
    the origin."""
    records: list[Record] = []
    table = before
    for happening in happened:
        if isinstance(happening, Judged):
            records += _judged(table, happening, make_header)
            table = happening.table
        else:
            records.append(Entry(happening.at_us, "note", announcement_line(happening)))
    if origin is None:
        return records
    # the last entry that came of a board's event carries its number; an event that led to nothing is taken all the same
    last = next((index for index in reversed(range(len(records))) if isinstance(records[index], Entry)), None)
    if last is None:
        return [*records, Entry(now_us, "taken", origin=origin)]
    carrier = records[last]
    assert isinstance(carrier, Entry)
    return [*records[:last], replace(carrier, origin=origin), *records[last + 1 :]]


def entry_of(judged: Judged) -> Entry:
    """An observation and its verdict as the journal keeps them."""
    observation = judged.observation
    return Entry(observation.at_us, "observation", line_of(observation), answer_of(observation.at_us, judged.verdict))


def _judged(table: Table, judged: Judged, make_header: MakeHeader) -> Iterator[Record]:
    observation, after = judged.observation, judged.table
    yield entry_of(judged)
    if begins_anew(observation, judged.verdict):
        yield make_header(after, heir_of(table, observation))
        if after.paused_at_us is not None:
            # no answer is kept: the pause is the old game's, and the new one only goes on with it
            yield Entry(observation.at_us, "observation", line_of(ControlUsed(observation.at_us, "pause")))
        return
    outcome = after.game.outcome(after.state)
    if outcome != table.game.outcome(table.state):
        yield Ending(observation.at_us, outcome)
