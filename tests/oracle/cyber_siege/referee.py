"""The oracle: Cyber Siege refereed once more, slowly and plainly. Here: lines, presses, controls, and time going by.

How a tap is judged stands in `judging`, what happens then in `rules`. The state is a dictionary that is changed in
place, with times in whole microseconds; history is copies of it.
"""

from __future__ import annotations

from collections import Counter

from ..lines import Malformed, is_seat, read_line
from .deck import read_deck, read_settings
from .judging import Tap, judge
from .legal import legal_controls, legal_taps
from .rules import Rules
from .state import copied, new_game, public_state

COUNTS = ("red", "purple", "one_points")


class Oracle(Rules):
    """Answers lines; ValueError for a manifest or settings that can't be. `counts` and `notes` count what came up."""

    def __init__(
        self, manifest: dict, players: int, settings: dict[str, str], starter: int | None, language: str = "en"
    ) -> None:
        if players not in range(2, 5):
            raise ValueError("players")
        self.players = players
        self.deck = read_deck(manifest, players)
        self.settings = read_settings(settings)
        self.starter = starter
        self.language = language
        self.lines = 0
        self.now = 0
        self.paused_at: int | None = None
        self.history: list[dict] = []
        self.said: list[dict] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self.notes: Counter[str] = Counter()
        self.begin(0)

    def begin(self, at: int) -> None:
        """S2.2, S2.3."""
        self.game = new_game(self.players, self.deck)
        self.history = []
        if self.starter is not None:
            self.begin_turn(self.starter, at)

    # ---- the lines

    def answer(self, line: str) -> dict:
        """The answer to one input line, without its sentence."""
        self.lines += 1
        try:
            said = read_line(line, self.players, self.is_own)
            if said["what"] != "show" and said["at"] < self.now:
                raise Malformed("the time falls")
        except Malformed as why:
            self.counts["-", "error"] += 1
            return {"error": str(why), "line": self.lines}
        if said["what"] == "show":
            return self.show(said["show"])
        return self.observe(said)

    def is_own(self, name: object, fields: dict) -> bool:
        """`spare`, or `correct` with a seat and at least one count (S5.2, S8.3)."""
        if name != "correct":
            return name == "spare" and not fields
        counts = {key: value for key, value in fields.items() if key != "seat"}
        whole = all(type(count) is int and count >= 0 for count in counts.values())
        return is_seat(fields.get("seat"), self.players) and bool(counts) and counts.keys() <= {*COUNTS} and whole

    def show(self, what: str) -> dict:
        paused = self.paused_at is not None
        if what == "state":
            return public_state(self.game, paused=paused)
        return {"legal": [] if paused else legal_taps(self), "controls": legal_controls(self)}

    def observe(self, said: dict) -> dict:
        self.now = said["at"]
        self.said = []
        if self.paused_at is None:
            self.pass_time(self.now)
        before, paused = copied(self.game), self.paused_at is not None
        verdict, rule, code = self.act(said)
        self.look_at_piles()
        undoable = said["what"] in ("tap", "press") or said.get("control") in ("spare", "correct")
        if verdict == "accepted" and undoable and self.game != before:
            self.history.append(before)
        what = code or rule or said.get("control", said["what"])
        self.counts[what, verdict] += 1
        self.notes[f"{what} {verdict} {situation_of(before)}{' in a pause' if paused else ''}"] += 1
        answer = {"at": self.now / 1_000_000, "verdict": verdict, "announcements": self.said}
        return answer | ({"rule": rule} if rule else {}) | ({"code": code} if code else {})

    def act(self, said: dict) -> tuple[str, str | None, str | None]:
        """Do what the line says: verdict, rule, code."""
        what = said["what"]
        if what == "time":
            return "accepted", None, None
        if what == "control":
            return self.control(said, self.now if self.paused_at is None else self.paused_at)
        if self.paused_at is not None:
            return "refused", "R11", "paused"
        if what == "press":
            return self.press(said["seat"], said["pressed"], self.now)
        if what == "hold":
            return ("ignored", None, None) if said["card"] in self.deck else ("fault", None, "unknown-card")
        verdict, *more = judge(Tap(self, said["card"], said["pad"]))
        if verdict != "accepted":
            return verdict, more[0], more[1]
        more[0](self.now)
        return "accepted", None, None

    # ---- presses

    def press(self, seat: int, pressed: int, at: int) -> tuple[str, str | None, str | None]:
        act = self.meaning(seat, pressed, at)
        if act is None:
            return "ignored", None, None
        act()
        return "accepted", None, None

    def meaning(self, seat: int, pressed: int, at: int):
        """What a press does, or None."""
        game = self.game
        if game["outcome"] is not None:
            return None
        if game["seat"] is None:
            return lambda: self.begin_turn(seat, at)  # S2.2
        if game["window"] is not None:
            window = game["window"]
            mine = seat == window["defender"] and pressed >= window["opened"]
            self.notes["S6.4 pressed before the window"] += seat == window["defender"] and not mine
            return (lambda: self.hit(at)) if mine else None
        if seat != game["seat"]:
            return None
        if game["pending"] == "set":
            early = pressed < game["laying"]["began"]
            self.notes["S4.4 pressed before the set card"] += early
            return None if early else self.break_off_set
        if game["pending"] == "launch":
            launch = game["launch"]
            counts = launch["began"] <= pressed < launch["until"]
            if not counts:
                self.notes["S5.3 pressed early" if pressed < launch["began"] else "S5.3 pressed late"] += 1
            elif at >= launch["until"]:
                self.notes["S5.3 pressed in time, heard in the settling"] += 1
            return (lambda: self.launch(at)) if counts else None
        empty = game["pending"] is None and game["draw"] is not None and game["teams"][seat]["red"] == 0
        if empty and pressed < game["began"]:
            self.notes["S5.4 pressed before the turn"] += 1
            return None
        self.notes["S5.4 no red card left"] += empty
        return (lambda: self.begin_turn(self.next_after(seat), at)) if empty else None

    # ---- controls

    def control(self, said: dict, at: int) -> tuple[str, str | None, str | None]:
        """`at` is when the pause began, while paused."""
        name = said["control"]
        if name == "take-back":
            return self.take_back(at)
        if name == "new-game":
            self.begin(at)
        elif name == "pause":
            if self.paused_at is not None:
                return "ignored", None, None
            self.paused_at = at
        elif name == "resume":
            if self.paused_at is None:
                return "ignored", None, None
            self.move_times(lambda time: time + self.now - at)
            self.paused_at = None
        else:
            return self.not_playing() or self.own_control(said, at)
        return "accepted", None, None

    def own_control(self, said: dict, at: int) -> tuple[str, str | None, str | None]:
        name = said["control"]
        if name == "reshuffle":
            if not self.may_reshuffle():
                return "refused", "S3.4", "no-reshuffle-due"
            self.reshuffle()
            self.history = []
        elif name == "spare":
            if not self.may_spare():
                return "refused", "S5.2", "nothing-to-spare"
            self.spare(at)
        else:
            counts = dict(said["fields"])
            seat = counts.pop("seat")
            if not self.can_correct(seat, counts):
                return "refused", "S8.3", "no-correction"
            self.correct(seat, counts, at)
        return "accepted", None, None

    def may_reshuffle(self) -> bool:
        game = self.game
        waits = game["pending"] in (None, "reshuffle") and game["window"] is None
        return waits and game["red_pile"] == 0 and len(game["discard"]) > 0

    def may_spare(self) -> bool:
        return self.game["pending"] == "launch"

    def take_back(self, at: int) -> tuple[str, str | None, str | None]:
        """S8.5: what is open again begins anew."""
        if not self.history:
            return "ignored", None, "nothing-to-take-back"
        if self.game["outcome"] is not None:
            self.notes["S8.5 an end is taken back"] += 1
        self.game = self.history.pop()
        game = self.game
        self.move_times(lambda _: at)
        if game["launch"] is not None:
            game["launch"]["until"] = at + self.settings["launch_s"]
            self.notes["S8.5 a launch begins anew"] += 1
        if game["window"] is not None:
            game["window"]["closes"] = at + self.settings["defence_s"]
            self.notes["S8.5 a window begins anew"] += 1
        if game["laying"] is not None:
            self.notes["S8.5 a set is open again"] += 1
        return "accepted", None, None

    # ---- time

    def move_times(self, move) -> None:
        """S3.5: all beginnings and deadlines."""
        game = self.game
        game["began"] = move(game["began"])
        for what, times in (("laying", ("began",)), ("launch", ("began", "until")), ("window", ("opened", "closes"))):
            for time in times:
                if game[what] is not None:
                    game[what][time] = move(game[what][time])

    def pass_time(self, until: int) -> None:
        """S5.3, S6.4: a launch or a window that is over ends when it was over."""
        launch, window = self.game["launch"], self.game["window"]
        if launch is not None and launch["until"] + self.settings["settle_s"] <= until:
            self.notes["S5.2 spared by time"] += 1
            self.spare(launch["until"] + self.settings["settle_s"])
        elif window is not None and window["closes"] <= until:
            self.notes["S6.4 hit by time"] += 1
            self.hit(window["closes"])
        self.look_at_piles()


def situation_of(game: dict) -> str:
    """In a word, for the notes."""
    if game["outcome"] is not None:
        return "after the end"
    if game["seat"] is None:
        return "before the start"
    return "in a window" if game["window"] is not None else f"with {game['pending']} pending"
