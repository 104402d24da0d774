"""How X.net is played for its transcripts: the sample deck with three, four and six players, and a small deck whose
piles run out.

Every purchase and every way to change the demand is wished for first, then the players do what brings points."""

from __future__ import annotations

import json
from typing import Any

from golden.playthroughs.playthrough import SHOW_LEGAL, Playthrough
from golden.table import answer

SMALL: dict[str, Any] = {
    "game": "xnet",
    "name": "small",
    "topics": {
        topic: {"1": 2, "3": 3, "5": 3, "9": 2} for topic in ("art", "games", "music", "news", "science", "sports")
    },
}
SETTINGS: dict[str, dict[str, str]] = {
    "3": {},
    "4": {"target_points": "90"},
    "6": {"target_points": "60"},
    "3-small": {"target_points": "70"},
}
NAMES = tuple(SETTINGS)

BEGUN_OTHERWISE = ("demand-replace", "swap", "hire-specialist", "to-streamer", "to-hand")
"""The controls that can be given without their topic."""
WISHES = (
    *("demand-new", "demand-replace", "swap", "hire-specialist", "buy-users", "to-hand", "buy-streamer"),
    *("to-streamer", "to-hand", "buy-server", "buy-net"),
)
LIKED = {"buy-users": 8, "hire-specialist": 2, "buy-net": 3, "demand-replace": 0.5, "demand-new": 0.7, "swap": 0.2}
"""The weight of a control against the laying of a card, which has 4; those that aren't here have 0.1."""


def game_options_line(name: str) -> dict[str, Any]:
    """The first line of a transcript."""
    game_options = {"game": "xnet", "players": int(name[0]), "set": SETTINGS[name], "starter": None}
    return game_options | ({"manifest": SMALL} if "small" in name else {})


class XnetPlaythrough(Playthrough):
    """One game from the naming of the starter to its end, and the beginning of the next one."""

    def __init__(self, name: str) -> None:
        super().__init__(name, game_options_line(name))
        self._wishes = list(WISHES)
        self._due = [(20, "take-back"), (35, "pause"), (50, "break-off"), (65, "take-back"), (80, "end-game")]

    def play(self) -> list[str]:
        """The lines of the transcript."""
        self._say(tap="art-1#1", pad="demand")
        self._say(press=self._rng.randint(1, self._players))
        while (state := self._state())["outcome"] is None:
            self._move(state)
        self._show_state()
        self._say(tap="art-1#1", pad=2)
        self._say(control="new-game")
        self._show_state()
        return self.lines

    # one move of somebody

    def _move(self, state: dict[str, Any]) -> None:
        shown = self._shown()
        if state["turn"]["phase"] == "setup":
            self._tap(shown["legal"])
        elif state["turn"]["owed"]:
            self._say(tap="art-1#1", pad=state["turn"]["seat"])
            self._say(control="reshuffle")
        elif state["pending"] is not None:
            self._go_on(state, shown["legal"])
        elif self._due and self._moves >= self._due[0][0]:
            self._second_thoughts(self._due.pop(0)[1], shown["controls"])
        elif self._chance(0.06):
            self._blunder(state, shown["legal"])
        else:
            self._turn(state, shown)

    def _go_on(self, state: dict[str, Any], taps: list[list[Any]]) -> None:
        """Choose, or pay; an action that can't be done is broken off, and the turn ended."""
        if self._due and self._moves >= self._due[0][0] and self._due[0][1] == "break-off":
            self._due.pop(0)
            taps = []
        if taps:
            self._tap(taps)
        else:
            self._say(press=state["turn"]["seat"])
            self._say(press=state["turn"]["seat"])

    def _turn(self, state: dict[str, Any], shown: dict[str, Any]) -> None:
        """Play a turn: lay what was brought in, fulfil a wish, lay or buy something, or end the turn."""
        turn, me = state["turn"], state["teams"][state["turn"]["seat"] - 1]
        offered = [one["topic"] for one in me["topics"] if one["on"] == "server"]
        if turn["must_offer"] is not None and turn["must_offer"] not in offered:
            self._bring_in(turn, shown["legal"])
            return
        controls = [one for one in shown["controls"] if self._is_wise(one, me, offered)]
        wished = [one for one in controls if one["control"] in self._wishes[:3]]
        saving = set(self._wishes[:3]) & {"buy-server", "buy-net"} and me["hand"] < 7
        if wished and self._chance(0.6):
            control = self._pick(wished)
            self._wishes.remove(control["control"])
            self._begin(control)
        elif self._chance(0.5 if saving else 0.12 if me["hand"] > 2 else 0.5):
            self._say(press=turn["seat"])
        else:
            self._lay_or_buy(turn["seat"], shown["legal"], controls)

    def _is_wise(self, control: dict[str, Any], me: dict[str, Any], offered: list[str]) -> bool:
        """Return whether it would do its player any good. Nobody stakes a hand that is needed, or takes up what has
        just been laid."""
        match control["control"]:
            case "demand-replace":
                return len(offered) < 2 * me["servers"] and me["hand"] > 4
            case "to-hand" | "to-streamer":
                return control["control"] in self._wishes and len(me["topics"]) > 1
            case "buy-streamer" | "buy-server":
                return control["control"] in self._wishes or me["hand"] > 9
            case "buy-net":
                return control["control"] in self._wishes or me["users"] == me["net"]
            case _:
                return True

    def _lay_or_buy(self, seat: int, taps: list[list[Any]], controls: list[dict[str, Any]]) -> None:
        names = sorted({one["control"] for one in controls})
        likings = [LIKED.get(name, 0.1) for name in names]
        if taps:
            names, likings = [*names, "lay"], [*likings, 4]
        if not names:
            self._say(press=seat)
            return
        name = self._rng.choices(names, likings)[0]
        if name == "lay":
            self._tap(taps)
        else:
            self._begin(self._pick([one for one in controls if one["control"] == name]))

    def _bring_in(self, turn: dict[str, Any], taps: list[list[Any]]) -> None:
        """A card of the topic that must be offered; the button does nothing before."""
        fitting = [tap for tap in taps if _topic(tap[0]) == turn["must_offer"]]
        if not fitting or self._chance(0.3):
            self._say(press=turn["seat"])
        if fitting:
            self._tap(fitting)
        else:
            self._say(control="take-back")

    def _begin(self, control: dict[str, Any]) -> None:
        """At the page with all that is known, or by an action card and taps."""
        by_card = control["control"] in BEGUN_OTHERWISE and self._chance(0.5)
        self._say(**({"control": control["control"]} if by_card else control))

    def _second_thoughts(self, what: str, controls: list[dict[str, Any]]) -> None:
        if what == "take-back":
            self._say(control="take-back")
        elif what == "end-game":
            self._say(control="end-game")
            self._say(control="take-back")
        elif what == "pause":
            self._say(control="pause")
            self._say(tap="art-1#1", pad="discard")
            self._wait(60)
            self._say(control="resume")
        else:
            self._due.insert(0, (0, "break-off"))
            self._say(**self._pick([one for one in controls if one["control"].startswith("demand-")] or controls))

    def _blunder(self, state: dict[str, Any], legal: list[list[Any]]) -> None:
        """Something that isn't allowed, or means nothing."""
        if self._chance(0.25):
            self._say(press=self._pick([seat for seat in range(1, self._players + 1) if seat != state["turn"]["seat"]]))
        elif self._chance(0.1):
            self._say(tap="library-card", pad=self._rng.randint(1, self._players))
        elif self._chance(0.3):
            self._say(control=self._pick(["reshuffle", "buy-net", "to-streamer"]))
            if (pending := self._state()["pending"]) is not None:
                self._say(control=pending["action"], **({"topic": "art"} if pending["action"] == "to-streamer" else {}))
                self._say(press=state["turn"]["seat"])
        else:
            lying = [place["card"] for place in state["demand"]] + state["discard"][-3:]
            lying += [card for team in state["teams"] for one in team["topics"] for card in one["cards"]]
            hidden = [f"{topic}-1#1" for topic in SMALL["topics"]]
            pads = [*range(1, self._players + 1), "discard", "demand"]
            while (tap := [self._pick([*lying, *hidden]), self._pick(pads)]) in legal:
                pass
            self._say(tap=tap[0], pad=tap[1])

    # talking to the referee

    def _tap(self, taps: list[list[Any]]) -> None:
        """Choose one of these taps; cards of a topic count as one."""
        topics: dict[str, list[list[Any]]] = {}
        for tap in taps:
            topics.setdefault(_topic(tap[0]), []).append(tap)
        card, pad = self._pick(topics[self._pick(sorted(topics))])
        self._say(tap=card, pad=pad)

    def _shown(self) -> dict[str, Any]:
        """The legal taps and controls."""
        return json.loads(answer(self._front, SHOW_LEGAL))


def _topic(card: str) -> str:
    return card.rpartition("-")[0]
