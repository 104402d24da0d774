"""A person who does anything at any time, several things at once too: cards lie where the table believes them, and the
page shows them so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from choosing import mostly_long
from deadline import DEADLINE_S

from demo_page.rig import Visitor, at_the_page

ACTIONS = 60
PAUSES_S = (0.0, 0.0, 0.02, 0.1, 0.4, 1.0)
CONTROLS = ("take-back", "take-back", "take-back", "reshuffle", "pause", "check", "new-game")


class Anybody:
    """Somebody at the page who does what comes to mind, mostly what would count."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self._visitor = visitor
        self._rng = Random(f"anybody {seed}")
        self._under_way: list[asyncio.Task[dict[str, Any]]] = []
        self._resting: list[dict[str, Any]] = []
        self.done: list[str] = []

    async def plays(self) -> None:
        """Do one thing after another, or several at once."""
        for _ in range(ACTIONS):
            verb, message = self._action()
            self.done.append(f"{self._visitor.state.turn and self._visitor.state.turn.seat} {verb} {message}")
            asking = asyncio.create_task(self._visitor.asks(verb, **message))
            self._under_way.append(asking)
            if verb == "put":
                self._resting.append(message)
            if self._rng.random() < 0.6 and not self._resting:
                async with asyncio.timeout(DEADLINE_S):
                    await asking
            await asyncio.sleep(self._rng.choice(PAUSES_S))
            self.looks()
        self._visitor.leaves()
        await asyncio.gather(*self._under_way)
        await asyncio.sleep(5)
        self.looks()

    def looks(self) -> None:
        """Compare what is shown and believed with what is there."""
        wrong = self._visitor.people.disagreements
        assert wrong == [], "\n".join([*wrong[:1], *self.done[-12:]])
        shown = self._visitor.sees()["hands"]
        for seat, hands in shown.items():
            held = [zone["cards"] for zone in hands["zones"] if zone["place"] == "hand"]
            assert held in ([], [self._visitor.hand(int(seat))]), self.done[-5:]

    def _action(self) -> tuple[str, dict[str, Any]]:
        rng, shown = self._rng, self._visitor.sees()
        if self._resting and rng.random() < 0.5:
            return "lift", self._resting.pop()
        if not shown["hands"] or rng.random() < 0.04:
            return rng.choice(("sit", "stand")), {"seat": rng.choice((1, 2))}
        seat = int(rng.choice(sorted(shown["hands"])))
        hands = shown["hands"][str(seat)]
        checking = self._visitor.room.session.prompts.checking
        if checking is not None and not checking.teams:  # to count wrongly is to tell the table something wrong
            return "tap-control", {"seat": seat, "control": "check"}
        verb = rng.choices(("fair", "any", "hold", "press", "draw", "tap-control", "tap-rows"), (8, 3, 2, 5, 3, 2, 1))[
            0
        ]
        if verb == "tap-control":
            return verb, {"seat": seat, "control": rng.choice(CONTROLS)}
        if verb in ("fair", "any", "hold"):
            anything = [[card, pad] for zone in hands["zones"] for card in zone["cards"] for pad in (1, 2, "discard")]
            taps = {"fair": hands["fair"], "hold": hands["holds"]}.get(verb) or anything
            if not taps:
                return "press", {"seat": seat}
            card, pad = rng.choice(taps)
            way = "hold" if verb == "hold" else rng.choice(("tap", "tap", "tap", "put", "hold"))
            return way, {"seat": seat, "card": card, "pad": pad}
        return verb, {"seat": seat}


@pytest.mark.parametrize("seed", mostly_long([1, 16, 24, 37]))
async def test_whatever_a_person_does_the_cards_lie_as_the_table_believes(seed: int, tmp_path: Path) -> None:
    people = ((1,), (1, 2), (2,), ())[seed % 4]
    async with at_the_page(tmp_path, seed=seed, people=people, quota_email="1") as visitor:
        await Anybody(visitor, seed).plays()
