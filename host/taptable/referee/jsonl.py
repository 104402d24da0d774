"""The front end of `taptable referee`: the referee without hardware, one answer line for each line of input. `lines`
has the format of both. Pure: the caller reads and writes. Must not know a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from taptable.core.verdicts import Verdict
from taptable.referee.lines import Show, answer_line, parse_line
from taptable.referee.step import Table, legal_controls, legal_taps, step
from taptable.referee.values import LineError


class JsonlReferee:
    """A table driven by lines. `errors` counts the lines that were in error."""

    def __init__(self, table: Table, say: Callable[[Verdict], str], language: str = "en") -> None:
        self.table = table
        self.errors = 0
        self._say = say
        self._language = language
        self._lines = 0

    def answer(self, line: bytes) -> str:
        """Return the answer to one line of input, which comes without its line break."""
        self._lines += 1
        try:
            answer = self._answer(line.decode("utf-8"))
        except UnicodeDecodeError:
            answer = self._error("not UTF-8")
        except LineError as error:
            answer = self._error(str(error))
        return json.dumps(answer, ensure_ascii=False)

    def _answer(self, text: str) -> dict[str, Any]:
        request = parse_line(text, self.table.game.pads(self.table.state), self.table.game.controls)
        if isinstance(request, Show):
            return show_state(self.table) if request.subject == "state" else show_legal(self.table)
        if request.at_us < self.table.at_us:
            raise LineError(f"at falls: {request.at_us / 1e6} comes after {self.table.at_us / 1e6}")
        self.table, verdict = step(self.table, request)
        return answer_line(request.at_us, verdict, self._say, self._language)

    def _error(self, reason: str) -> dict[str, Any]:
        self.errors += 1
        return {"error": reason, "line": self._lines}


def show_legal(table: Table) -> dict[str, Any]:
    """Return the taps that count now, and the controls too if the game has its own."""
    legal: dict[str, Any] = {"legal": [list(tap) for tap in legal_taps(table)]}
    if table.game.controls:
        legal["controls"] = [{"control": name, **dict(fields)} for name, fields in legal_controls(table)]
    return legal


def show_state(table: Table) -> dict[str, Any]:
    """Return the public state, with `paused` before the outcome as the interface lists it."""
    state = table.game.public_state(table.state)
    outcome = state.pop("outcome")
    return {**state, "paused": table.paused_at_us is not None, "outcome": outcome}
