"""Replaying: a recorded game through the referee once more, line by line, and whether it says the same again.

The daemon comes back by it after a power cut, and the journal is told and proved by it. Pure: lines in, steps out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from taptable.core.errors import RefereeError
from taptable.core.observations import ControlUsed, Observation
from taptable.core.verdicts import Verdict
from taptable.referee.lines import LineError, answer_of, parse_recorded
from taptable.referee.step import Table, step

Recorded = tuple[Mapping[str, Any], Mapping[str, Any] | None]
"""A line and the answer that was given to it then, if any."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One line played again: what it was, the verdict on it, and the table after it."""

    observation: Observation
    verdict: Verdict
    table: Table


class Departure(RefereeError):
    """A line got another answer than it had: other rules, or a bug of ours."""


def replay(table: Table, recorded: Iterable[Recorded]) -> Iterator[Replayed]:
    """Play the lines of one game again; `Departure` at the first that is answered otherwise, RefereeError at
    one that is no line.

    A new game at the end belongs to the next recording, and ends this one.
    """
    for number, (line, answer) in enumerate(recorded, 1):
        try:
            observation = parse_recorded(line, table.game.pads(table.state))
        except LineError as error:
            raise RefereeError(f"Line {number} of the recorded game is no line of the referee: {error}.") from error
        if isinstance(observation, ControlUsed) and observation.control == "new-game":
            return
        table, verdict = step(table, observation)
        if answer is not None:
            given = answer_of(observation.at_us, verdict)
            if given != answer:
                raise Departure(
                    f"Line {number} of the recorded game, {dict(line)}, had the answer {answer}; now {given}."
                )
        yield Replayed(observation, verdict, table)
