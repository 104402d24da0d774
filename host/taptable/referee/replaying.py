"""Replaying: the lines of a recorded game through the referee once more, and whether it says the same again.

The daemon comes back by it after a power cut, and the journal is told and proved by it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taptable.core.errors import RefereeError
from taptable.core.observations import ControlUsed, GameSetUp, TimePassed
from taptable.referee.codes import TABLE_CODES
from taptable.referee.lines import answer_line, parse_recorded
from taptable.referee.session import Decision
from taptable.referee.step import Table, step
from taptable.referee.values import LineError


class ReplayMismatch(RefereeError):
    """A recorded game can't have gone like this: other rules, a changed record, or a bug of ours."""


def replay_line(table: Table, number: int, line: Mapping[str, Any], answer: Mapping[str, Any] | None) -> Decision:
    """Line `number` of a recorded game, judged once more; `ReplayMismatch` if that isn't the answer it had."""
    try:
        observation = parse_recorded(line, table.game.pads(table.state), table.game.controls)
        refused = isinstance(observation, GameSetUp) and (answer or {}).get("code") == "cant-be-agreed"
        # what could be agreed on for a next game is the affair of the rules of that day, and it changed nothing
        after, verdict = step(table, TimePassed(observation.at_us) if refused else observation)
        if refused:
            verdict = TABLE_CODES.refuse("cant-be-agreed", {}, verdict.announcements)
    except LineError as error:
        raise ReplayMismatch(f"Line {number} of the recorded game is no line of the referee: {error}.") from error
    except RefereeError as error:
        raise ReplayMismatch(f"Line {number} of the recorded game can't be: {error}") from error
    given = answer_line(observation.at_us, verdict)
    carried_over = number == 1 and isinstance(observation, ControlUsed) and observation.control == "pause"
    if given != answer and not (answer is None and carried_over):
        raise ReplayMismatch(f"Line {number} of the recorded game, {dict(line)}, had the answer {answer}; now {given}.")
    return Decision(observation, verdict, after)
