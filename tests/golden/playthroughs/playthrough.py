"""The common part of the players, each of whom plays all seats at once: a clock, chance, and the conversation with the
referee. It knows only what the referee's lines contain. The name of the transcript is the seed and decides
everything."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from golden.table import answer, open_referee

STATE_EVERY = 25
SHOW_STATE = '{"show": "state"}'
SHOW_LEGAL = '{"show": "legal"}'


class Playthrough:
    """A transcript in the making: the game's options, then lines and their answers."""

    def __init__(self, name: str, game_options: dict[str, Any]) -> None:
        self.lines = [json.dumps(game_options)]
        self._rng = Random(name)
        self._front = open_referee(game_options)
        self._players = game_options["players"]
        self._now_ms = 0
        self._moves = 0

    # talking to the referee

    def _say(self, *, later: bool = True, **line: Any) -> None:
        """Send a line, a little later than the one before."""
        if later:
            self._now_ms += self._rng.randint(400, 3500)
        self._moves += 1
        self._record({"at": self._now_ms / 1000, **line})
        if self._moves % STATE_EVERY == 0:
            self._show_state()

    def _wait(self, seconds: float) -> None:
        self._now_ms += round(1000 * seconds)
        self._record({"at": self._now_ms / 1000})

    def _wait_until(self, at: float) -> None:
        """Until a time of the state, in seconds."""
        self._now_ms = round(1000 * at)
        self._record({"at": self._now_ms / 1000})

    def _show_state(self) -> None:
        if self.lines[-2] != SHOW_STATE:
            self._record(json.loads(SHOW_STATE))

    def _record(self, line: dict[str, Any]) -> None:
        text = json.dumps(line)
        self.lines += [text, answer(self._front, text)]

    def _state(self) -> dict[str, Any]:
        return json.loads(answer(self._front, SHOW_STATE))

    def _legal(self) -> list[list[Any]]:
        return json.loads(answer(self._front, SHOW_LEGAL))["legal"]

    # chance

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _pick(self, things: list[Any]) -> Any:
        return things[self._rng.randrange(len(things))]

    def _shuffled(self, things: list[int]) -> list[int]:
        return sorted(things, key=lambda _: self._rng.random())
