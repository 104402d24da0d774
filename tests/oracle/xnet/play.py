"""Lines for the differential test: evenings at random, sensible for the most part, with all that is wrong in between.

`script(seed, length=...)` gives the options and the lines with the oracle's answers, the same for the same seed. The
oracle says what is legal while a script is written; each evening likes some things more than others.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from .deck import SAMPLE
from .legal import every_control
from .oracle import Oracle
from .state import No, Nothing, copied

SHOW = ('{"show": "state"}', '{"show": "legal"}')
STRANGERS = ["visa", "art-1#3", "art-0#1", "art-10#1", "", "music", "Music-1#1", "art-1", "art-1#01", "opera-1#1"]
BROKEN = [
    "",
    "   ",
    "nonsense",
    "[]",
    "null",
    "{}",
    '{"at": NaN}',
    '{"show": "demand"}',
    '{"show": "state", "at": 1}',
    '{"tap": "art-1#1", "pad": 1}',
    '{"control": "buy-server"}',
]
WRONG_LINES = [
    {"control": "demand-new"},
    {"control": "demand-new", "level": 0},
    {"control": "demand-new", "level": 4},
    {"control": "demand-new", "level": "2"},
    {"control": "demand-new", "level": 2.0},
    {"control": "demand-new", "level": None},
    {"control": "demand-new", "level": True},
    {"control": "demand-new", "level": 2, "topic": "art"},
    {"control": "demand-replace", "topic": None},
    {"control": "demand-replace", "topic": 1},
    {"control": "demand-replace", "level": 1},
    {"control": "swap", "lower": "art"},
    {"control": "swap", "upper": "art"},
    {"control": "swap", "lower": "art", "upper": None},
    {"control": "swap", "topic": "art"},
    {"control": "to-streamer", "topic": ["art"]},
    {"control": "buy-users"},
    {"control": "buy-users", "users": 0},
    {"control": "buy-users", "users": 3},
    {"control": "buy-users", "users": False},
    {"control": "buy-server", "topic": "art"},
    {"control": "buy-net", "net": 7},
    {"control": "hire-specialist", "topic": {}},
    {"control": "to-hand", "hand": 1},
    {"control": "take-back", "topic": "art"},
    {"control": "reshuffle", "level": 1},
    {"control": "pause", "users": 1},
    {"control": "sell-server"},
    {"control": "demand"},
    {"control": ""},
    {"control": None},
    {"control": 1},
    {"control": ["swap"]},
    {"tap": "art-1#1", "pad": 0},
    {"tap": "art-1#1", "pad": 7},
    {"tap": "art-1#1", "pad": "1"},
    {"tap": "art-1#1", "pad": "Demand"},
    {"tap": "art-1#1", "pad": None},
    {"tap": "art-1#1", "pad": True},
    {"tap": 1, "pad": 1},
    {"tap": "art-1#1"},
    {"hold": "art-1#1", "pad": 1, "for": 2},
    {"press": 0},
    {"press": 7},
    {"press": "demand"},
    {"press": 1, "control": "pause"},
    {"press": 1, "pressed_at": 10**9},
    {"press": 1, "uncertainty_s": -1},
    {"wait": 1},
]
TOPICS_OF_OTHERS = [
    ["a", "a-1", "b c", "élan", "日本", 'say "hi"', "Ω\\", "zebra"],
    ["six", "{topic}", "{}", "100%s", "%(card)s", "deck"],
    ["-", "--", "1", "1-1", "null", "discard", "demand"],
]
# how much is liked, against one another: taps by what they are, controls by name, and the own button
LIKINGS = {
    "lay": 6,
    "stop": 1.2,
    "demand-new": 2,
    "demand-replace": 1.5,
    "swap": 0.6,
    "to-streamer": 0.5,
    "buy-users": 2,
    "hire-specialist": 1.5,
    "buy-server": 1.5,
    "buy-streamer": 1,
    "buy-net": 1.5,
    "to-hand": 0.4,
}
SCENES = ["free", "free", "free", "rich", "rich", "streamers", "specialists", "poor", "poor", "lapse"]
LIKINGS_OF = {
    "rich": {"stop": 4, "lay": 1, "buy-users": 0.5, "buy-net": 20, "buy-server": 9, "buy-streamer": 3, "swap": 0.1},
    "streamers": {"buy-streamer": 20, "to-streamer": 5, "to-hand": 1, "lay": 4, "stop": 2},
    # sixteen of them
    "specialists": {
        **dict.fromkeys(LIKINGS, 0.02),
        "hire-specialist": 50,
        "lay": 5,
        "buy-server": 20,
        "demand-new": 1,
        "stop": 0.5,
    },
    # the piles run out, with a discard pile and without one
    "poor": {"stop": 8, "lay": 3},
    "lapse": {**dict.fromkeys(LIKINGS, 0.0), "lay": 2, "stop": 3, "demand-new": 0.2},
}


def script(seed: int, *, length: int) -> tuple[dict, list[tuple[str, dict]]]:
    """Options (`players`, `settings`, `starter`, `manifest`, as for Oracle) and about `length` lines, with what
    is shown after each, and the answers."""
    evening = Playout(Random(seed))
    evening.write(length)
    return evening.options, evening.answered


class Playout:
    """One script in the making."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.scene = rng.choice(SCENES)
        self.options = self.agree()
        self.oracle = Oracle(**self.options)
        self.topics = sorted({topic for topic, _ in self.oracle.cards.values()})
        self.answered: list[tuple[str, dict]] = []
        self.legal: dict[str, list] = {"legal": [], "controls": []}
        self.trouble = rng.choice([0.02, 0.1, 0.25])
        self.by_tap = rng.choice([0.1, 0.5, 0.9])
        self.likes = {one: liking * rng.choice([0.2, 1, 1, 1, 4]) for one, liking in LIKINGS.items()}
        self.likes |= LIKINGS_OF.get(self.scene, {})

    def agree(self) -> dict:
        rng = self.rng
        players = rng.choice([3, 3, 3, 4, 5, 6])
        points = rng.choice(["10", "10", "10", "15", "40", "120"])
        if self.scene == "specialists":
            players, points = rng.choice([5, 6]), "999"
        small = self.scene in ("poor", "lapse") or rng.random() < 0.2
        return {
            "players": players,
            "settings": {} if points == "120" else {"target_points": points},
            "starter": rng.choice([None, rng.randint(1, players)]),
            "manifest": self.small_deck(players) if small else "",
        }

    def small_deck(self, players: int) -> str:
        """Just enough cards, of few topics; so the piles run out."""
        rng = self.rng
        topics = list(SAMPLE["topics"])[: rng.randint(6, 9)] if rng.random() < 0.6 else rng.choice(TOPICS_OF_OTHERS)
        numbers = {topic: {rng.choice("123456789"): 1} for topic in topics}
        while sum(sum(each.values()) for each in numbers.values()) < 20 * players + rng.choice([0, 0, 7]):
            each, number = numbers[rng.choice(topics)], rng.choice("123456789")
            each[number] = each.get(number, 0) + 1
        return json.dumps({"game": "xnet", "name": "small", "topics": numbers})

    # ---- writing

    def write(self, length: int) -> None:
        while len(self.answered) < length * len((1, *SHOW)):
            self.step()

    def put(self, **line: object) -> None:
        """A line a little later than the one before, or at the same time."""
        at = self.oracle.now + self.rng.choice([0, 1, 40_000, 1_500_000])
        self.put_text(json.dumps({"at": at / 1_000_000, **line}))

    def put_text(self, text: str) -> None:
        """A line, and what is shown after it."""
        for asked in (text, *SHOW):
            self.answered.append((asked, self.oracle.answer(asked)))
        self.legal = self.answered[-1][1]

    def step(self) -> None:
        rng, game = self.rng, self.oracle.game
        if self.oracle.paused and rng.random() < 0.4:
            self.put(control="resume")
        elif rng.random() < self.trouble:
            odd = [self.any_tap, self.lying, self.any_control, self.broken, self.any_press, self.shared, self.hold]
            rng.choice(
                [
                    *odd,
                    self.stranger,
                    self.given_control,
                    *[self.wrong_control] * 2,
                    *[self.near_tap] * 2,
                    *[self.wrong_tap] * 3,
                ]
            )()
        elif rng.random() < 0.012:
            for _ in range(rng.choice([1, 1, 2, 3, 7, 20])):
                self.put(control="take-back")
        elif game["outcome"] is not None:
            self.after_the_end()
        elif game["turn"]["seat"] is None:
            rng.choice([self.any_tap, self.given_control, self.any_press, self.any_press, self.any_press])()
        elif game["turn"]["phase"] == "setup":
            self.tap_one(self.legal["legal"]) if rng.random() < 0.6 else self.near_tap()
        elif game["turn"]["owed"]:
            rng.choice([self.any_tap, self.lying, self.given_control, self.any_press, self.reshuffle, self.reshuffle])()
        elif game["pending"] is not None:
            self.go_on()
        else:
            self.turn()

    def turn(self) -> None:
        """Something that is legal, by liking."""
        taps, controls = self.legal["legal"], self.legal["controls"]
        if self.must_offer(taps):
            return
        names = sorted({control["control"] for control in controls} | ({"lay"} if taps else set()) | {"stop"})
        name = self.rng.choices(names, [self.likes[name] + 0.001 for name in names])[0]
        saving = self.scene == "rich" and self.oracle.me()["hand"] < 8 and self.rng.random() < 0.7
        if name == "stop" or saving:
            self.put(press=self.oracle.game["turn"]["seat"])
        elif name == "lay":
            self.tap_one(taps)
        else:
            control = self.rng.choice([one for one in controls if one["control"] == name])
            if self.rng.random() < self.by_tap and name in ("demand-replace", "swap", "hire-specialist", "to-hand"):
                control = {"control": name}
            if self.rng.random() < self.by_tap and name == "to-streamer":
                control = {"control": name}
            self.put(**control)

    def must_offer(self, taps: list) -> bool:
        """What was brought in is laid, sooner or later; if it can't be, the replacement is taken back."""
        topic = self.oracle.game["turn"]["must_offer"]
        if topic is None or self.oracle.mine(topic) is not None or self.rng.random() < 0.5:
            return False
        fitting = [tap for tap in taps if self.oracle.topic(tap[0]) == topic]
        if fitting:
            self.tap_one(fitting)
        else:
            self.put(press=self.oracle.game["turn"]["seat"])
            for _ in range(4):
                self.put(control="take-back")
        return True

    def go_on(self) -> None:
        """A card or a choice for the action begun, or something close to it, or it is broken off."""
        taps, pick = self.legal["legal"], self.rng.random()
        if pick < 0.06 or (not taps and pick < 0.3):
            self.put(press=self.oracle.game["turn"]["seat"])
        elif pick < 0.16 or not taps:
            self.rng.choice([self.any_tap, self.lying, self.near_tap, self.wrong_tap, self.wrong_control])()
        elif pick < 0.19:
            self.put(control="take-back")
        else:
            self.tap_one(taps)

    def after_the_end(self) -> None:
        odd = [self.any_tap, self.lying, self.given_control, self.any_press, self.reshuffle, self.hold]
        if self.rng.random() < 0.6:
            self.rng.choice(odd)()
        else:
            self.put(control=self.rng.choice(["new-game", "new-game", "take-back"]))

    # ---- single lines

    def tap_one(self, taps: list) -> None:
        if not taps:
            self.any_tap()
            return
        card, pad = self.rng.choice(taps)
        self.put(tap=card, pad=pad)

    def pads(self) -> list:
        return [*range(1, self.options["players"] + 1), "discard", "demand"]

    def any_tap(self) -> None:
        self.put(tap=self.rng.choice(list(self.oracle.cards)), pad=self.rng.choice(self.pads()))

    def near_tap(self) -> None:
        """A card of a topic that counts now, on a pad that counts now."""
        oracle = self.oracle
        seat = oracle.game["turn"]["seat"] or 1
        counted = {oracle.topic(place["card"]) for place in oracle.game["demand"]}
        counted |= {one["topic"] for one in oracle.game["teams"][seat - 1]["topics"]}
        topic = self.rng.choice(sorted(counted) or self.topics)
        cards = [card for card in oracle.cards if oracle.topic(card) == topic]
        hidden = [card for card in cards if oracle.home(card) is None]
        self.put(tap=self.rng.choice(hidden or cards), pad=self.rng.choice([seat, seat, "discard", "demand"]))

    def lying(self) -> None:
        """A card that lies somewhere, where it lies or elsewhere."""
        game = self.oracle.game
        cards = [*game["discard"][-3:], *(place["card"] for place in game["demand"])]
        cards += [card for team in game["teams"] for one in team["topics"] for card in one["cards"]]
        cards += (game["pending"] or {"cards": []})["cards"] * 3
        if not cards:
            self.any_tap()
            return
        card = self.rng.choice(cards)
        pad = self.rng.choice([self.oracle.home(card), *self.pads()])
        self.put(tap=card, pad=pad)

    def stranger(self) -> None:
        self.put(tap=self.rng.choice(STRANGERS), pad=self.rng.choice(self.pads()))

    def hold(self) -> None:
        card = self.rng.choice([*list(self.oracle.cards)[:30], *STRANGERS[:2]])
        self.put(hold=card, pad=self.rng.choice(self.pads()))

    def any_press(self) -> None:
        line: dict = {"press": self.rng.randint(1, self.options["players"])}
        if self.rng.random() < 0.2:
            line |= {"pressed_at": 0, "uncertainty_s": 0.01}
        self.put(**line)

    def any_control(self) -> None:
        """A control with or without its fields, for better or worse."""
        topics = [*self.topics, "opera", ""]
        name = self.rng.choice(["demand-replace", "swap", "to-streamer", "hire-specialist", "to-hand"])
        if self.rng.random() < 0.3:
            self.put(control=name)
        elif name == "swap":
            self.put(control=name, lower=self.rng.choice(topics), upper=self.rng.choice(topics))
        else:
            self.put(control=name, topic=self.rng.choice(topics))

    def given_control(self) -> None:
        """A control with fields that have to do with what lies on the table."""
        oracle = self.oracle
        topics = {oracle.topic(place["card"]) for place in oracle.game["demand"]}
        topics |= {one["topic"] for team in oracle.game["teams"] for one in team["topics"]}
        controls = every_control(sorted(topics))
        name = self.rng.choice(sorted({control["control"] for control in controls}))
        self.put(**self.rng.choice([control for control in controls if control["control"] == name]))

    def wrong_control(self) -> None:
        """A control that is refused, for one of the reasons there are just now, each as likely as the others."""
        controls = every_control([*self.topics, "opera"])
        whatever = [
            (one["control"], {key: value for key, value in one.items() if key != "control"}) for one in controls
        ]
        name, fields = self.one_of_each_reason(self.oracle.act, whatever)
        self.put(control=name, **fields)

    def wrong_tap(self) -> None:
        """The same for taps, of a few cards."""
        homes = {card: self.oracle.home(card) for card in self.oracle.cards}
        lying = [card for card, home in homes.items() if home is not None]
        hidden = [card for card, home in homes.items() if home is None]
        cards = [self.rng.choice(some) for some in (lying, hidden, hidden) if some for _ in range(12)]
        whatever = [(card, pad) for card in cards for pad in self.pads()]
        card, pad = self.one_of_each_reason(self.oracle.tap, whatever)
        self.put(tap=card, pad=pad)

    def one_of_each_reason(self, judge: Callable[..., None], whatever: list[tuple]) -> tuple:
        """One by chance, by the refusals that they would get; nothing comes of trying them."""
        oracle = self.oracle
        game, said, notes = oracle.game, oracle.said, oracle.notes.copy()
        reasons: dict[str, list[tuple]] = {}
        oracle.game = copied(game)
        for what in whatever:
            try:
                judge(*what)
            except (No, Nothing) as why:
                reasons.setdefault(str(why), []).append(what)
            else:
                reasons.setdefault("accepted", []).append(what)
                oracle.game = copied(game)
        oracle.game, oracle.said, oracle.notes = game, said, notes
        return self.rng.choice(reasons[self.rng.choice(sorted(reasons))])

    def reshuffle(self) -> None:
        self.put(control="reshuffle")

    def shared(self) -> None:
        names = ["take-back", "take-back", "reshuffle", "pause", "pause", "resume"]
        self.put(control=self.rng.choice(["new-game", "end-game"] if self.rng.random() < 0.03 else names))

    def broken(self) -> None:
        if self.rng.random() < 0.25:
            self.put_text(self.rng.choice(BROKEN))
        elif self.rng.random() < 0.1 and self.oracle.now:
            self.put_text(json.dumps({"at": (self.oracle.now - 1) / 1_000_000}))
        else:
            self.put(**self.rng.choice(WRONG_LINES))
