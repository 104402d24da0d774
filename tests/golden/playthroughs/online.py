"""How ONLINE is played for its transcripts: one evening for each edition and team layout.

Chosen among the taps that are listed as legal, with the power cards met in each of the ways there are."""

from __future__ import annotations

from typing import Any

from golden.playthroughs.playthrough import Playthrough

WAIVE_AFTER = 100
OTHERS = ("virus", "memory-full", "antivirus", "password-ok", "hacker", "cyber-patrol", "search")
LIKED = {"email": 6, "music": 6, "game": 9, "movie": 9, "online": 5, "turbo-line": 3, "extra-memory": 4}
"""The weight of a kind on a pad of one's own team; all others have 1."""

EDITIONS = ("de", "en", "fr")
LAYOUTS: dict[str, tuple[int, dict[str, str]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "4-solo": (4, {"teams": "solo", "time_limit_s": "400"}),
    "5": (5, {}),
    "5-two": (5, {"teams": "two"}),
    "6": (6, {}),
    "6-two": (6, {"teams": "two", "who_may_patrol": "opponents"}),
}
NAMES = tuple(f"{edition}-{layout}" for edition in EDITIONS for layout in LAYOUTS)


def game_options_line(name: str) -> dict[str, Any]:
    """The first line of a transcript."""
    edition, _, layout = name.partition("-")
    players, settings = LAYOUTS[layout]
    return {"game": "online", "edition": edition, "players": players, "set": settings, "starter": None}


class OnlinePlaythrough(Playthrough):
    """One game from the naming of the youngest to its end, and the beginning of the next one."""

    def __init__(self, name: str) -> None:
        super().__init__(name, game_options_line(name))
        self._hackers = ["stopped", "false alarm", "nobody", "tapped"]
        self._due = [
            (12, "take-back"),
            (30, "pause"),
            (40, "take-back"),
            (45, "end-game"),
            (60, "reshuffle"),
            (90, "take-back"),
        ]

    def play(self) -> list[str]:
        """The lines of the transcript."""
        self._say(tap="online#1", pad=1)
        self._say(press=self._rng.randint(1, self._players))
        while (state := self._state())["outcome"] is None:
            self._move(state)
        self._show_state()
        self._say(tap="virus#1", pad=2)
        self._say(control="new-game")
        self._show_state()
        return self.lines

    # one move of somebody

    def _move(self, state: dict[str, Any]) -> None:
        if self._due and self._moves >= self._due[0][0] and state["window"] is None:
            _, control = self._due.pop(0)
            self._say(control=control)
            if control == "pause":
                self._resume()
            elif control == "end-game":
                self._say(control="take-back")
        elif self._chance(0.08):
            self._blunder(state)
        elif state["window"] is not None:
            self._meet_hacker(state)
        elif state["draw_pile"] == 0 and self._chance(0.7):
            self._say(control="reshuffle")
        elif state["pending"] is not None:
            self._use_power(state)
        elif state["turn"]["mode"] is None and self._chance(0.1):
            self._exchange()
        else:
            self._go_on(state)

    def _go_on(self, state: dict[str, Any]) -> None:
        """Back up, play something, or stop."""
        seat = state["turn"]["seat"]
        team = next(team for team in state["teams"] if seat in team["seats"])
        complete = [
            row
            for row, need in (("email", 6), ("music", 4), ("game", 2), ("movie", 2))
            if len(team["rows"][row]) >= need and row not in team["backed_up"]
        ]
        if complete and self._chance(0.4):
            card = team["rows"][self._pick(complete)][0]
            self._say(tap=card, pad=seat)
            self._now_ms += 1500
            self._say(hold=card, pad=seat, later=False)
            return
        forced = self._hackers and self._chance(0.12)
        taps = [tap for tap in self._legal() if not forced or tap[0].startswith("hacker#")]
        if taps and self._chance(0.72):
            self._tap(taps, team["seats"])
        else:
            self._say(press=seat)

    def _use_power(self, state: dict[str, Any]) -> None:
        """Execute a hack or play a searched card, or waive it."""
        seat = state["turn"]["seat"]
        team = next(team for team in state["teams"] if seat in team["seats"])
        taps = self._legal()
        if taps and (self._moves < WAIVE_AFTER or self._chance(0.8)):
            self._tap(taps, team["seats"])
        else:
            self._say(press=seat)

    def _exchange(self) -> None:
        for _ in range(self._rng.randint(2, 7)):
            if discards := [tap for tap in self._legal() if tap[1] == "discard"]:
                self._tap(discards, [])
        self._say(press=self._state()["turn"]["seat"])

    def _meet_hacker(self, state: dict[str, Any]) -> None:
        """The others answer a hacker: in each of the ways in turn at first, then in any."""
        how = self._hackers[0] if self._hackers else self._pick(["nobody", "nobody", "false alarm", "stopped"])
        patrols = [tap for tap in self._legal() if tap[0].startswith("cyber-patrol#")]
        if how in ("stopped", "tapped") and not patrols:
            how = "nobody"
        elif self._hackers:
            self._hackers.pop(0)
        if how == "tapped":
            card, pad = self._pick(patrols)
            self._say(tap=card, pad=pad)
        elif how == "stopped":
            self._buzz(sorted({pad for _, pad in patrols}))
            self._wait(0.1)
            if claim := self._state()["window"]["claim"]:
                self._say(tap=patrols[0][0], pad=claim["seat"])
        elif how == "false alarm":
            self._buzz([seat for seat in range(1, self._players + 1) if seat != state["window"]["hacker"]])
        while (window := self._state()["window"]) is not None:
            self._wait_until(window["claim"]["until"] if window["claim"] else window["closes_at"] + 0.03)

    def _buzz(self, seats: list[int]) -> None:
        """One to three seats press close together; their presses arrive in another order."""
        first_ms = self._now_ms + self._rng.randint(300, 1500)
        pressed = [(first_ms + self._rng.randint(0, 15), seat) for seat in self._shuffled(seats)[:3]]
        self._now_ms = first_ms + 16
        for pressed_ms, seat in pressed:
            self._say(
                press=seat, pressed_at=pressed_ms / 1000, uncertainty_s=self._pick([0, 0.001, 0.004]), later=False
            )

    def _blunder(self, state: dict[str, Any]) -> None:
        """Something that isn't allowed, or means nothing."""
        if self._chance(0.2):
            self._say(press=self._rng.randint(1, self._players), pressed_at=0)
            return
        if self._chance(0.1):
            self._say(tap="library-card", pad=self._rng.randint(1, self._players))
            return
        legal = self._legal()
        hidden = [f"{kind}#1" for kind in (*LIKED, *OTHERS)]
        rows = [row for team in state["teams"] for row in (team["connection"], *team["rows"].values())]
        lying = [card for row in rows for card in row]
        pads = [*range(1, self._players + 1), "discard"]
        while (tap := [self._pick(self._pick([hidden, hidden, lying or hidden])), self._pick(pads)]) in legal:
            pass
        self._say(tap=tap[0], pad=tap[1])

    def _resume(self) -> None:
        """The pause is over, after a card that didn't count."""
        self._say(tap="email#1", pad="discard")
        self._wait(60)
        self._say(control="resume")

    def _tap(self, taps: list[list[Any]], own: list[int]) -> None:
        """Choose one of these taps by weight; hidden cards of a kind count as one."""
        kinds: dict[tuple[str, Any], list[str]] = {}
        for card, pad in taps:
            kinds.setdefault((card.partition("#")[0], pad), []).append(card)
        choices = sorted(kinds, key=str)
        likings = [LIKED.get(kind, 1) if pad in own else 0.6 for kind, pad in choices]
        kind, pad = self._rng.choices(choices, likings)[0]
        self._say(tap=self._pick(kinds[kind, pad]), pad=pad)
