"""How Cyber Siege is played for its transcripts: the sample deck with each number of players, once until the purple
pile is empty, and a small deck of its own with a sentence for an effect.

Every effect is seen, and launches and attacks are met in each of the ways there are, then in any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from golden.playthroughs.playthrough import Playthrough

EFFECTS = {"sample": ("2.2", "3.2", "4.2", "1.1", "1.2"), "small": ("1.1", "1.2", "2.1", "2.2")}
"""Attack cards that hit somebody on every evening with a deck, so that every icon has its effect."""
LAUNCHES = ("launched", "launched", "heard late", "spared", "launched", "waited")
DEFENCES = ("wrong card", "defended", "admin", "took it", "waited")


def _red(kind: str, copies: int, **icon: Any) -> dict[str, Any]:
    return {"kind": kind, "copies": copies} | ({"icon": icon} if icon else {})


SMALL: dict[str, Any] = {
    "game": "cyber-siege",
    "name": "small",
    "admins": 2,
    "sets": {"1": {"copies": 8, "cards": ["1.1", "1.2", "1.2"]}, "2": {"copies": 8, "cards": ["2.1"]}},
    "red": {
        "1.1": _red("attack", 4, effect="discard", n=3),
        "1.2": _red("attack", 5, effect="text", say={"en": "Swap your hands.", "de": "Tauscht die Hände."}),
        "1.10": _red("defence", 4),
        "2.1": _red("attack", 4, effect="draw-fewer", n=2),
        "2.2": _red("attack", 4, effect="lose-points", n=2),
        "2.3": _red("defence", 3),
    },
}

SETTINGS: dict[str, dict[str, str]] = {
    "2": {},
    "3": {},
    "4": {"launch_s": "3", "settle_s": "0.25"},
    "2-purple": {"target_points": "99"},
    "3-small": {"target_points": "14", "defence_s": "4.5"},
}
NAMES = tuple(SETTINGS)


def game_options_line(name: str) -> dict[str, Any]:
    """The first line of a transcript."""
    game_options = {"game": "cyber-siege", "players": int(name[0]), "set": SETTINGS[name], "starter": None}
    return game_options | ({"manifest": SMALL} if "small" in name else {})


class CyberSiegePlaythrough(Playthrough):
    """One game from the naming of the youngest to its end, and the beginning of the next one."""

    def __init__(self, name: str) -> None:
        super().__init__(name, game_options_line(name))
        self._effects = list(EFFECTS["small" if "small" in name else "sample"])
        self._launches, self._defences = list(LAUNCHES), list(DEFENCES)
        self._sets = 0.5 if "purple" in name else 0.05
        self._reshuffled = False
        self._due: list[tuple[int, Callable[[dict[str, Any]], None]]] = [
            (12, lambda _: self._say(control="take-back")),
            (30, self._have_a_break),
            (45, self._put_right),
            (46, lambda _: self._say(control="take-back")),
            (60, self._empty_a_hand),
        ]

    def play(self) -> list[str]:
        """The lines of the transcript."""
        self._say(tap="1.1#1", pad=1)
        self._say(press=self._rng.randint(1, self._players))
        while (state := self._state())["outcome"] is None:
            self._move(state)
        self._show_state()
        self._say(tap="1.1#1", pad=2)
        self._say(control="new-game")
        self._show_state()
        return self.lines

    # one move of somebody

    def _move(self, state: dict[str, Any]) -> None:
        quiet = state["window"] is None and state["pending"] is None and state["red_pile"] > 0
        if quiet and self._due and self._moves >= self._due[0][0]:
            self._due.pop(0)[1](state)
        elif self._chance(0.06):
            self._blunder(state)
        elif state["window"] is not None:
            self._meet_attack(state["window"])
        elif state["pending"] == "launch":
            self._decide(state)
        elif state["red_pile"] == 0 and state["pending"] in (None, "reshuffle"):
            self._sets, self._reshuffled = max(self._sets, 0.25), True
            self._say(control="reshuffle")
        elif state["pending"] == "set":
            self._fill(state["turn"]["seat"])
        else:
            self._turn(state)

    def _turn(self, state: dict[str, Any]) -> None:
        """Take the top card of the discard pile, lay a set card, or discard."""
        seat, taps = state["turn"]["seat"], self._legal()
        top = [tap for tap in taps if tap[0] in state["discard"]]
        sets = [tap for tap in taps if tap[0].startswith("set-")]
        enough = state["teams"][seat - 1]["red"] >= 4
        if not taps:
            self._say(press=seat)
        elif top and self._chance(0.12):
            self._tap(top)
        elif sets and enough and self._chance(self._sets):
            self._tap(sets)
        else:
            discards = [tap for tap in taps if tap[1] == "discard"]
            wanted = [tap for tap in discards if self._is_wanted(tap[0])]
            self._tap(wanted if wanted and state["pending"] is None and self._chance(0.3) else discards or taps)

    def _is_wanted(self, card: str) -> bool:
        """Return whether this is the attack whose effect the evening needs next."""
        return card.partition("#")[0] in self._effects[:1]

    def _fill(self, seat: int) -> None:
        """A red card that the set misses; a joker where there is no other, or now and then."""
        taps = self._legal()
        cards = [tap for tap in taps if not tap[0].startswith("admin#")]
        if not taps or self._chance(0.03):
            self._say(press=seat)
        else:
            self._tap(cards if cards and self._chance(0.85) else taps)

    def _decide(self, state: dict[str, Any]) -> None:
        """Launch the attack, or spare the next player."""
        if self._is_wanted(state["discard"][-1]):
            how = "launched"
        elif self._launches:
            how = self._launches.pop(0)
        else:
            how = self._pick(["launched", "launched" if self._reshuffled else "waited", "spared", "waited"])
        seat, until = state["turn"]["seat"], state["launch_until"]
        if how == "launched":
            self._say(press=seat, pressed_at=self._now_ms / 1000)
        elif how == "heard late":
            self._now_ms = round(1000 * until) + 20
            self._say(press=seat, pressed_at=until - 0.001, uncertainty_s=0.0005, later=False)
        elif how == "spared":
            self._say(control="spare")
        else:
            self._wait_until(until + 0.25)

    def _meet_attack(self, window: dict[str, Any]) -> None:
        """Defend, take the hit, or wait for it."""
        if self._is_wanted(window["card"]):
            self._effects.pop(0)
            how = self._pick(["took it", "waited"])
        elif self._defences:
            how = self._defences.pop(0)
        else:
            how = self._pick(["defended", "defended", *DEFENCES])
        cards = [tap for tap in self._legal() if tap[0].startswith("admin#") == (how == "admin")]
        if how == "wrong card":
            self._say(tap=window["card"], pad=window["defender"])
        elif how in ("defended", "admin") and cards:
            self._tap(cards)
        elif how == "took it":
            self._say(press=window["defender"])
        else:
            self._wait_until(window["closes_at"])

    def _blunder(self, state: dict[str, Any]) -> None:
        """Something that isn't allowed, or means nothing."""
        if self._chance(0.2):
            self._say(press=self._rng.randint(1, self._players), pressed_at=0)
            return
        if self._chance(0.1):
            self._say(hold="1.2#1", pad=self._rng.randint(1, self._players))
            return
        legal = self._legal()
        laid = [card for team in state["teams"] for card in team["sets"]]
        cards = ["library-card", *(f"{name}#1" for name in ("1.1", "2.2", "admin", "set-1", "set-2"))]
        cards += [*laid, *state["discard"]]
        pads = [*range(1, self._players + 1), "discard"]
        while (tap := [self._pick(cards), self._pick(pads)]) in legal:
            pass
        self._say(tap=tap[0], pad=tap[1])

    # what comes up once

    def _have_a_break(self, _: dict[str, Any]) -> None:
        """A pause, with a card that doesn't count in it."""
        self._say(control="pause")
        self._say(tap="1.1#1", pad="discard")
        self._wait(60)
        self._say(control="resume")

    def _put_right(self, state: dict[str, Any]) -> None:
        """Correct somebody's hand, which was counted wrong."""
        seat = self._rng.randint(1, self._players)
        self._say(control="correct", seat=seat, red=state["teams"][seat - 1]["red"] - 1, one_points=0)

    def _empty_a_hand(self, state: dict[str, Any]) -> None:
        """A hand without a red card after its draw: the button ends the turn. Then the count is put right again."""
        seat = state["turn"]["seat"]
        sets = [tap for tap in self._legal() if tap[0].startswith("set-")]
        if not sets:
            self._due.insert(0, (self._moves + 5, self._empty_a_hand))
            self._turn(state)
            return
        self._tap(sets)
        self._say(press=seat)
        red = self._state()["teams"][seat - 1]["red"]
        self._say(control="correct", seat=seat, red=0)
        self._say(press=seat)
        self._say(control="correct", seat=seat, red=red)

    def _tap(self, taps: list[list[Any]]) -> None:
        """Choose one of these taps; cards of a name count as one."""
        names: dict[str, list[list[Any]]] = {}
        for tap in taps:
            names.setdefault(tap[0].partition("#")[0], []).append(tap)
        card, pad = self._pick(names[self._pick(sorted(names))])
        self._say(tap=card, pad=pad)
