"""The oracle: X.net refereed once more, slowly and plainly. Here: the lines, the shared controls, the history.

The state is one mutable object (see `state`), and history is copies of it. Nothing is cached: where a card lies is
found by looking.
"""

from __future__ import annotations

from collections import Counter

from ..lines import Malformed, read_line
from .deck import read_cards, read_target
from .legal import legal_controls, legal_taps
from .state import No, Nothing, Unknown, copied, fresh
from .taps import Taps

NO_MOVES = ("take-back", "reshuffle", "new-game", "pause", "resume")
"""The controls that can't be taken back."""


class Oracle(Taps):
    """Answers lines; ValueError for options that are refused. `counts` and `notes` count what came up."""

    def __init__(self, players: int, settings: dict[str, str], starter: int | None, manifest: str = "") -> None:
        if players not in range(3, 7) or starter not in (None, *range(1, players + 1)):
            raise ValueError("players or starter")
        self.players = players
        self.target = read_target(settings)
        self.starter = starter
        self.cards = read_cards(manifest, players)
        self.lines = 0
        self.now = 0
        self.paused = False
        self.history: list[dict] = []
        self.said: list[dict] = []
        self.counts: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self.new_game()

    def new_game(self) -> None:
        """X1.2: as at the start of the program."""
        self.game = fresh(self.players, len(self.cards))
        self.history = []
        if self.starter is not None:
            self.deal_extra(self.starter)

    # ---- the lines

    def answer(self, line: str) -> dict:
        """The answer to one input line, without sentences; announcements with the fields that the page names."""
        self.lines += 1
        try:
            said = read_line(line, self.players, is_own, ("discard", "demand"))
            if said["what"] != "show" and said["at"] < self.now:
                raise Malformed("the time falls")
        except Malformed as why:
            self.counts["error"] += 1
            return {"error": str(why), "line": self.lines}
        if said["what"] == "show":
            return self.shown(said["show"])
        self.now = said["at"]
        self.said = []
        answer = {"at": self.now / 1_000_000, **self.judged(said)}
        self.counts[" ".join(str(answer[key]) for key in ("verdict", "rule", "code") if key in answer)] += 1
        return {**answer, "announcements": copied(self.said)}

    def judged(self, said: dict) -> dict:
        """The verdict, with rule and code where the page fixes them. A refusal changes nothing."""
        before = copied(self.game)
        try:
            self.do(said)
        except No as no:
            self.game = before
            return {"verdict": "refused", "rule": no.rule, "code": no.code}
        except Nothing as nothing:
            return {"verdict": "ignored"} if nothing.code is None else {"verdict": "ignored", "code": nothing.code}
        except Unknown:
            return {"verdict": "fault", "code": "unknown-card"}
        if said["what"] in ("tap", "press") or (said["what"] == "control" and said["control"] not in NO_MOVES):
            self.history.append(before)
        return {"verdict": "accepted"}

    def do(self, said: dict) -> None:
        what = said["what"]
        if what == "time":
            return
        if what == "control":
            self.control(said["control"], said["fields"])
            return
        if self.paused:
            raise No("R11", "paused")
        if what == "press":
            self.press(said["seat"])
        elif what == "tap":
            self.tap(said["card"], said["pad"])
        elif said["card"] not in self.cards:
            raise Unknown
        else:  # X5.6: a hold
            raise Nothing

    def control(self, control: str, fields: dict) -> None:
        if control == "take-back":
            self.take_back()
        elif control == "reshuffle":
            self.reshuffle()
            self.history = []
        elif control == "new-game":
            self.new_game()
            if self.paused:
                self.notes["X1.2 a new game in a pause"] += 1
        elif control == "end-game":
            self.end_by_agreement()
        elif control == "pause":
            if self.paused:
                raise Nothing
            self.paused = True
        elif control == "resume":
            if not self.paused:
                raise Nothing
            self.paused = False
        else:
            self.act(control, fields)
            if self.paused:
                self.notes["X5.11 an action begun in a pause"] += 1

    def take_back(self) -> None:
        """X5.7"""
        if not self.history:
            raise Nothing("nothing-to-take-back")
        after, self.game = self.game, self.history.pop()
        if self.paused:
            self.notes["X5.7 in a pause"] += 1
        turn = self.game["turn"]
        if after["outcome"] is not None:
            self.notes["X5.7 an end taken back"] += 1
        if turn["seat"] is None:
            self.notes["X5.7 the naming of the starter taken back"] += 1
        elif turn["seat"] != after["turn"]["seat"]:
            self.notes["X5.7 across a turn's end"] += 1
        elif turn["phase"] != after["turn"]["phase"]:
            self.notes["X5.7 the first demand taken back"] += 1
        elif self.game["pending"] is not None and after["pending"] is None:
            self.notes["X5.7 a thing done, or a breaking off, taken back"] += 1
        elif self.game["pending"] is not None:
            self.notes["X5.7 within an action"] += 1

    # ---- what is shown

    def shown(self, what: str) -> dict:
        if what == "state":
            return {**copied(self.game), "paused": self.paused}
        return {"legal": [] if self.paused else legal_taps(self), "controls": legal_controls(self)}


def is_own(name: object, fields: dict) -> bool:
    """Is this a control of the page's section on controls, with fields that are right for it?"""
    if name in ("buy-server", "buy-streamer", "buy-net"):
        return not fields
    if name in ("demand-new", "buy-users"):
        key, numbers = ("level", (1, 2, 3)) if name == "demand-new" else ("users", (1, 2))
        return fields.keys() == {key} and type(fields[key]) is int and fields[key] in numbers
    if not all(isinstance(topic, str) for topic in fields.values()):
        return False
    if name == "swap":
        return fields.keys() in (set(), {"lower", "upper"})
    return name in ("demand-replace", "to-streamer", "hire-specialist", "to-hand") and fields.keys() <= {"topic"}
