"""The oracle: ONLINE refereed once more, slowly and plainly. Here: the lines, the controls, and time going by.

The rules stand in `turns` and `hacks`, a section of code a section of the rules page. The state is mutable; history is
deep copies of it. Nothing is cached: where a card lies is found by looking.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

from .deck import CARDS, EDITIONS, read_settings, turn_order
from .hacks import Hacks
from .legal import legal_taps
from .lines import Malformed, read_line
from .state import Game, NoEffect, Refusal, UnknownCard, public_state
from .turns import Turns


class Oracle(Turns, Hacks):
    """Answers lines. Raises ValueError for settings out of range. `counts` and `notes` count the events."""

    def __init__(self, edition: str, players: int, settings: dict[str, str], starter: int | None) -> None:
        if edition not in EDITIONS or players not in range(2, 7):
            raise ValueError("edition or players")
        if starter is not None and starter not in range(1, players + 1):
            raise ValueError("starter")
        self.edition = EDITIONS[edition]
        self.players = players
        self.settings = read_settings(edition, players, settings)
        self.starter = starter
        self.order = turn_order(players, self.settings["teams"])
        self.lines = 0
        self.now = 0
        self.paused_at: int | None = None
        self.history: list[Game] = []
        self.named: list[int] = []  # who has won the claims of all windows
        self.counts: Counter[tuple[str, str]] = Counter()
        self.notes: Counter[str] = Counter()
        self.game = self.new_game(None, 0)

    # ---- the lines

    def answer(self, line: str) -> dict:
        """The answer to one input line, without sentences and announcements."""
        self.lines += 1
        try:
            said = read_line(line, self.players)
            if said["what"] != "show" and said["at"] < self.now:
                raise Malformed("the time falls")
        except Malformed as why:
            self.counts["-", "error"] += 1
            return {"error": str(why), "line": self.lines}
        if said["what"] == "show":
            if said["show"] == "legal":
                return {"legal": self.legal()}
            return public_state(self.game, paused=self.paused_at is not None)
        self.now = said["at"]
        if self.paused_at is None:
            self.pass_time(self.now)
        answer: dict = {"at": self.now / 1_000_000}
        moves = said["what"] in ("tap", "hold", "press") or said.get("control") == "end-game"
        before = deepcopy(self.game) if moves else None
        try:
            rule, code, verdict = self.act(said), None, "accepted"
        except Refusal as no:
            rule, code, verdict = no.rule, no.code, "refused"
        except NoEffect as nothing:
            rule, code, verdict = nothing.rule, nothing.code, "ignored"
        except UnknownCard:
            rule, code, verdict = "R11", None, "fault"
        if verdict == "accepted" and before is not None:
            self.history.append(before)
        self.close_reactions()
        # a deadline that the line itself has brought (settle_s=0) or brought back (take-back)
        self.pass_time(self.now if self.paused_at is None else self.paused_at)
        self.counts[rule, verdict] += 1
        answer.update(verdict=verdict, rule=rule)
        if code is not None:
            answer["code"] = code
        return answer

    def act(self, said: dict) -> str:
        """Perform the line, and return the rule by which it was accepted."""
        what, at = said["what"], said["at"]
        if what == "time":
            return "-"
        if what == "control":
            return self.control(said["control"], at)
        if self.paused_at is not None:
            raise Refusal("R11", "paused")
        if what == "press":
            return self.press(said["seat"], at, said["pressed"], said["uncertainty"])
        if said["card"] not in CARDS:
            raise UnknownCard
        if what == "hold":
            return self.hold(said["card"], said["pad"])
        return self.tap(said["card"], said["pad"], at, said["uncertainty"])

    # ---- controls, pause, take back

    def control(self, control: str, at: int) -> str:
        if control == "take-back":
            if not self.history:
                raise NoEffect("R11", "nothing-to-take-back")
            if self.paused_at is not None:
                self.notes["take-back in a pause"] += 1
            if self.game.window is not None:
                self.notes["take-back in a window"] += 1
            if self.game.outcome is not None:
                self.notes["take-back of an end"] += 1
            if self.history[-1].seat is None:
                self.notes["take-back of the naming of the starter"] += 1
            elif self.history[-1].seat != self.game.seat:
                self.notes["take-back across a turn's end"] += 1
            self.game = self.history.pop()
        elif control == "new-game":
            self.game = self.new_game(self.game, at)
            self.history = []
            if self.paused_at is not None:
                self.paused_at = at  # what stood still before belongs to the old game
                self.notes["new-game in a pause"] += 1
        elif control == "end-game":
            self.end_by_agreement()
        elif control == "pause":
            if self.paused_at is not None:
                raise NoEffect("R11")
            self.paused_at = at
            if self.game.window is not None:
                self.notes["pause in a window"] += 1
        elif control == "resume":
            if self.paused_at is None:
                raise NoEffect("R11")
            for game in [self.game, *self.history]:
                self.shift(game, at - self.paused_at)
            self.paused_at = None
        else:
            self.reshuffle()
        return control

    def shift(self, game: Game, by: int) -> None:
        """Shift the deadlines, which stood still."""
        if game.ends is not None:
            game.ends += by
        window = game.window
        if window is not None:
            window.opened += by
            window.closes += by
            if window.name_at is not None:
                window.name_at += by
            if window.claim is not None:
                window.claim["until"] += by

    # ---- time

    def pass_time(self, until: int) -> None:
        """Pass all deadlines up to `until`, in their order; at the same instant the time limit first."""
        while True:
            game = self.game
            if game.outcome is not None or game.seat is None:
                return
            due = []
            if game.ends is not None and not game.time_up:
                due.append((game.ends, 0, self.time_is_up))
            if game.window is not None:
                due.append(self.window_deadline(game.window))
            due = [deadline for deadline in due if deadline[0] <= until]
            if not due:
                return
            at, _, effect = min(due, key=lambda deadline: deadline[:2])
            effect(at)

    def time_is_up(self, at: int) -> None:  # noqa: ARG002 - all deadlines are told when they fell
        self.game.time_up = True

    # ---- what is shown

    def legal(self) -> list[list[str | int]]:
        if self.paused_at is not None:
            return []
        return legal_taps(self)
