"""Lines for the differential test: evenings at random, legal for the most part, with all the wrong things in between.

`script(seed, length=...)` gives options and lines with the oracle's answers, the same for the same seed. The oracle
says what is legal while a script is written.
"""

from __future__ import annotations

import json
from random import Random

from . import odd
from .judging import Tap, judge
from .options import options_of
from .referee import Oracle

SHOWS = ('{"show": "state"}', '{"show": "legal"}')
LIKINGS = {"set": 3, "attack": 4, "defence": 1, "admin": 0.3, "discard pile": 1.5, "fitting": 6}
"""How often a legal tap of that kind is chosen, against the others."""


def script(seed: int, *, length: int) -> tuple[dict, list[tuple[str, dict]]]:
    """Options, as for Oracle, and about `length` lines with their answers; after each the state and what is legal."""
    evening = Playout(Random(seed))
    evening.write(length)
    return evening.options, evening.answered


class Playout:
    """One script in the making; `oracle` has answered all its lines."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.options = options_of(rng)
        self.oracle = Oracle(**self.options)
        self.answered: list[tuple[str, dict]] = []
        self.trouble = rng.choice([0.04, 0.12, 0.3])  # share of steps that do something odd
        self.corrects = rng.choice([0, 0.02, 0.1])
        self.poor = rng.random() < 0.3  # hands are emptied, and cards tapped all the same
        self.pace_us = rng.choice([50_000, 400_000, 1_500_000])
        self.likes = {one: liking * rng.choice([0.3, 1, 1, 3]) for one, liking in LIKINGS.items()}

    def write(self, length: int) -> None:
        while len(self.answered) < length * (1 + len(SHOWS)):
            self.step()

    def put(self, line: dict) -> None:
        self.put_text(json.dumps(line))

    def put_text(self, text: str) -> None:
        self.answered += [(asked, self.oracle.answer(asked)) for asked in (text, *SHOWS)]

    # ---- times

    def soon(self) -> int:
        """A time from now on, in µs: a little later, or now, or (now and then) at a deadline or 1 µs beside it."""
        now = self.oracle.now
        beside = [at + off for at in self.deadlines() for off in (-1, 0, 0, 1) if at + off >= now]
        if beside and self.rng.random() < 0.12:
            return self.rng.choice(beside)
        return now + self.rng.choice([0, self.rng.randrange(1, 40_000), *[self.rng.randrange(1, 2 * self.pace_us)] * 6])

    def deadlines(self) -> list[int]:
        game = self.oracle.game
        if game["launch"] is not None:
            return [game["launch"]["until"], game["launch"]["until"] + self.oracle.settings["settle_s"]]
        return [] if game["window"] is None else [game["window"]["closes"]]

    def beginnings(self) -> list[int]:
        """When what is open began, and a little beside that."""
        game = self.oracle.game
        times = [game["began"]]
        times += [one["began"] for one in (game["laying"], game["launch"]) if one is not None]
        times += [] if game["window"] is None else [game["window"]["opened"]]
        return [time + off for time in times for off in (-1, 0, 1)]

    def at(self, at: int) -> dict:
        return {"at": at / 1_000_000}

    # ---- steps

    def step(self) -> None:
        rng, game = self.rng, self.oracle.game
        if self.oracle.paused_at is not None:
            self.in_a_pause()
        elif rng.random() < self.trouble:
            mischief = [self.wrong, self.nearly, self.broken, self.any_press, self.controls, self.hold]
            rng.choice([*mischief, self.with_a_reason, self.with_a_reason])()
        elif rng.random() < 0.01:
            for _ in range(rng.choice([1, 1, 2, 5, 12])):
                self.control("take-back")
        elif game["outcome"] is not None:
            self.after_the_end()
        elif game["seat"] is None:
            rng.choice([self.wrong, self.time, self.any_press, self.any_press])()
        elif rng.random() < self.corrects:
            self.correct()
        elif game["pending"] == "launch":
            self.at_a_launch()
        elif game["window"] is not None:
            self.in_the_window()
        else:
            self.turn()

    def turn(self) -> None:
        rng, game = self.rng, self.oracle.game
        if self.poor and rng.random() < 0.3:
            self.beyond_the_hand()
            return
        due = game["red_pile"] == 0 and (game["pending"] == "reshuffle" or game["draw"] is None)
        empty = game["teams"][game["seat"]]["red"] == 0 and game["draw"] is not None
        if due or (game["red_pile"] == 0 and rng.random() < 0.1):
            mischief = [self.with_a_reason, self.any_press, self.controls, self.correct, self.hold]
            rng.choice([*mischief, *[self.reshuffle] * 5])()
        elif (game["pending"] == "set" and rng.random() < 0.05) or (empty and rng.random() < 0.7):
            self.press(game["seat"])
        elif not self.choose():
            rng.choice([self.correct, self.reshuffle, lambda: self.press(game["seat"])])()

    def choose(self) -> bool:
        """One of the legal taps, by its kind; False if there is none."""
        kinds: dict[str, list] = {}
        for card, pad in self.oracle.show("legal")["legal"]:
            kind = self.oracle.deck[card]["kind"]
            if pad != "discard" and kind != "set":
                kind = "fitting" if self.oracle.is_hidden(card) else "discard pile"
            kinds.setdefault(kind, []).append((card, pad))
        if not kinds:
            return False
        names = sorted(kinds)
        name = self.rng.choices(names, [self.likes[one] for one in names])[0]
        self.tap(*self.rng.choice(kinds[name]))
        return True

    def at_a_launch(self) -> None:
        rng, game = self.rng, self.oracle.game
        pick = rng.random()
        if pick < 0.55:
            self.press(game["seat"])
        elif pick < 0.7:
            self.control("spare")
        elif pick < 0.8:
            rng.choice([self.any_press, self.nearly, self.reshuffle, self.correct, self.pause])()
        else:
            self.put(self.at(max(self.oracle.now, rng.choice(self.deadlines()) - rng.choice([0, 0, 1]))))

    def in_the_window(self) -> None:
        rng, window = self.rng, self.oracle.game["window"]
        pick = rng.random()
        if pick < 0.35:
            if not self.choose():
                self.tap(
                    rng.choice([card for card in self.oracle.deck if "admin" in card] or ["1.1#1"]), window["defender"]
                )
        elif pick < 0.55:
            self.press(window["defender"])
        elif pick < 0.75:
            rng.choice([self.any_press, self.nearly, self.wrong, self.reshuffle, self.correct, self.pause])()
        else:
            self.put(self.at(max(self.oracle.now, window["closes"] - rng.choice([0, 0, 1]))))

    def after_the_end(self) -> None:
        self.rng.choice(
            [self.wrong, self.nearly, self.any_press, self.controls, self.hold, self.new_game, self.new_game]
        )()

    def in_a_pause(self) -> None:
        if self.rng.random() < 0.4:
            self.control("resume")
            return
        mischief = [self.wrong, self.any_press, self.hold, self.time, self.pause, self.take_back, self.take_back]
        self.rng.choice([*mischief, self.reshuffle, self.correct, self.spare, self.new_game])()

    # ---- single lines

    def tap(self, card: str, pad: int | str) -> None:
        self.put({**self.at(self.soon()), "tap": card, "pad": pad})

    def time(self) -> None:
        self.put(self.at(self.soon()))

    def press(self, seat: int) -> None:
        at = self.soon()
        line = {**self.at(at), "press": seat}
        if self.rng.random() < 0.3:
            times = [*self.beginnings(), *(one - off for one in self.deadlines() for off in (0, 1)), at - 1, at]
            line["pressed_at"] = self.rng.choice([time for time in times if time <= at]) / 1_000_000
        if self.rng.random() < 0.1:
            line["uncertainty_s"] = self.rng.choice([0, 0.002, 3])
        self.put(line)

    def any_press(self) -> None:
        self.press(self.rng.randint(1, self.oracle.players))

    def wrong(self) -> None:
        """Any card on any pad."""
        lying = [card for card in self.oracle.deck if not self.oracle.is_hidden(card)]
        pick = self.rng.random()
        if pick < 0.06:
            card = self.rng.choice(odd.STRANGERS)
        else:
            card = self.rng.choice(lying if pick < 0.4 and lying else list(self.oracle.deck))
        self.tap(card, self.pad())

    def nearly(self) -> None:
        """A card that fits somewhere, on a pad where it may not be: below the top, just used, of another set."""
        game, rng = self.oracle.game, self.rng
        kind = rng.choice(["set", "attack", "defence", "admin"])
        cards = [card for card, one in self.oracle.deck.items() if one["kind"] == kind and self.oracle.is_hidden(card)]
        cards += 3 * [*game["discard"][-3:], *game["used"]]
        pads = [self.pad(), game["seat"] or "discard", self.oracle.next_after(game["seat"] or 1)]
        self.tap(rng.choice(cards or ["admin#1"]), rng.choice(pads))

    def with_a_reason(self) -> None:
        """A tap that isn't accepted, for one of the reasons there are just now, each as likely as the others."""
        cards = list(self.oracle.deck)
        lying = [card for card in cards if not self.oracle.is_hidden(card)]
        some = [*self.rng.choices(cards, k=12), *self.rng.choices(lying or cards, k=12)]
        reasons: dict[str, list] = {}
        for card in some:
            for pad in [*range(1, self.oracle.players + 1), "discard"]:
                verdict, *why = judge(Tap(self.oracle, card, pad))
                if verdict != "accepted":
                    reasons.setdefault(why[1], []).append((card, pad))
        if reasons:
            self.tap(*self.rng.choice(reasons[self.rng.choice(sorted(reasons))]))

    def beyond_the_hand(self) -> None:
        """A hand that is empty by count, on turn or about to be attacked, and a card of it, or a press."""
        rng, game = self.rng, self.oracle.game
        empty = {"red": 0} if rng.random() < 0.7 else {"purple": 0}
        for seat in rng.choice([[game["seat"]], [self.oracle.next_after(game["seat"])], [game["seat"]]]):
            self.put({**self.at(self.soon()), "control": "correct", "seat": seat} | empty)
        for _ in range(rng.randint(0, 2)):
            rng.choice([self.with_a_reason, self.choose, lambda: self.press(self.oracle.game["seat"])])()

    def hold(self) -> None:
        self.put({**self.at(self.soon()), "hold": self.rng.choice([*self.oracle.deck, "visa"]), "pad": self.pad()})

    def broken(self) -> None:
        texts = odd.lines(self.oracle.now, self.soon(), self.oracle.players)
        self.put_text(self.rng.choice(texts))

    def correct(self) -> None:
        """Counts put right, or wrong: sometimes such that a pile or a hand is empty, or the game over."""
        rng, game = self.rng, self.oracle.game
        seat = rng.choice([game["seat"] or 1, rng.randint(1, self.oracle.players)])
        team = game["teams"][seat]
        red, purple = team["red"] + game["red_pile"], team["purple"] + game["purple_pile"]
        near = self.oracle.settings["target_points"] - team["points"] + team["one_points"]
        chances = {
            "red": [team["red"], team["red"] + 1, max(0, team["red"] - 1), 0, 0, red, red, red + 1],
            "purple": [team["purple"], team["purple"] + 1, 0, purple - 1, purple, purple + 1],
            "one_points": [
                team["one_points"],
                team["one_points"] + 1,
                max(0, near - 1),
                max(0, near - 1),
                max(0, near),
            ],
        }
        which = rng.choice([["red"], ["red"], ["purple"], ["one_points"], ["red", "one_points"], list(chances)])
        self.put(
            {**self.at(self.soon()), "control": "correct", "seat": seat}
            | {one: rng.choice(chances[one]) for one in which}
        )

    def controls(self) -> None:
        self.rng.choice([*[self.take_back, self.pause] * 3, self.reshuffle, self.spare, self.correct, self.resume])()
        if self.rng.random() < 0.03:
            self.new_game()

    def control(self, control: str) -> None:
        self.put({**self.at(self.soon()), "control": control})

    def take_back(self) -> None:
        self.control("take-back")

    def pause(self) -> None:
        self.control("pause")

    def resume(self) -> None:
        self.control("resume")

    def reshuffle(self) -> None:
        self.control("reshuffle")

    def spare(self) -> None:
        self.control("spare")

    def new_game(self) -> None:
        self.control("new-game")

    def pad(self) -> int | str:
        return self.rng.choice([*range(1, self.oracle.players + 1), "discard"])
