"""Replay: puts the lines of a recorded game through the referee again, and compares its answers with the recorded ones.
With it the daemon recovers after a power cut, and the history retells and verifies games. Pure. Must not know where the
lines come from."""

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
    """A recorded game can't have gone like this: the rules differ, the record was changed, or the referee has a bug."""


def replay_line(table: Table, number: int, line: Mapping[str, Any], answer: Mapping[str, Any] | None) -> Decision:
    """Judge line `number` of a recorded game again; `ReplayMismatch` if the answer differs from the recorded one."""
    try:
        observation = parse_recorded(line, table.game.pads(table.state), table.game.controls)
        refused = isinstance(observation, GameSetUp) and (answer or {}).get("code") == "cant-be-agreed"
        # whether options for a next game could be agreed on depends on the rules of that day, and a refusal changed
        # nothing
        after, verdict = step(table, TimePassed(observation.at_us) if refused else observation)
        if refused:
            verdict = TABLE_CODES.refuse("cant-be-agreed", {}, verdict.announcements)
    except LineError as error:
        raise ReplayMismatch(f"Line {number} of the recorded game is no line of the referee: {error}.") from error
    except RefereeError as error:
        raise ReplayMismatch(f"Line {number} of the recorded game is impossible: {error}") from error
    new_answer = answer_line(observation.at_us, verdict)
    carried_over = number == 1 and isinstance(observation, ControlUsed) and observation.control == "pause"
    if new_answer != answer and not (answer is None and carried_over):
        raise ReplayMismatch(
            f"Line {number} of the recorded game, {dict(line)}, has the answer {new_answer}, not {answer} as recorded."
        )
    return Decision(observation, verdict, after)
