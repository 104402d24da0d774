"""Lines for the differential test: random evenings, legal for the most part, with all kinds of wrong lines in between.
`script(seed, length=...)` gives options and lines with the oracle's answers, the same for the same seed. The oracle
says what is legal while a script is written; a few weights make games come to an end, and times are chosen at and
around the deadlines."""

from __future__ import annotations

import json
from random import Random

from .deck import ACCESS, ATTACK, CARDS, CATEGORY, POWER, kind_of
from .online import Oracle

STRANGERS = ["visa", "online#14", "email#0", "email#023", "", "hacker", "Online#1", "movie#9", "zombie#1"]
BROKEN = [
    "",
    "   ",
    "nonsense",
    "[]",
    "null",
    "17",
    '"tap"',
    "{",
    "{}",
    '{"at": NaN}',
    '{"at": Infinity, "press": 1}',
    '{"show": "hands"}',
    '{"show": "state", "at": 1}',
    '{"show": null}',
    '{"tap": "online#1", "pad": 1}',
    '{"press": 1}',
]


# how often a tap of that kind is chosen, against the others that are legal; "again" is a hack of a hacker or a search
LIKINGS = {
    "download": 9,
    "access": 6,
    "attack": 1.5,
    "hacker": 0.9,
    "search": 0.5,
    "discard": 0.7,
    "exchange": 1,
    "react": 1.5,
    "steal": 3,
    "gift": 2,
    "hack": 2,
    "again": 0.5,
    "cyber-patrol": 1,
    "stop": 1.5,
}


def script(seed: int, *, length: int) -> tuple[dict, list[tuple[str, dict]]]:
    """Options (`edition`, `players`, `settings`, `starter`, as for Oracle) and about `length` lines with their
    answers."""
    evening = Playout(Random(seed))
    evening.write(length)
    return evening.options, evening.answered


class Playout:
    """One script in the making; `oracle` has answered all its lines."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        # some evenings empty the draw pile before anything else, some are about hackers
        self.scene = rng.choice(["free", "free", "free", "empty", "hackers", "hackers"])
        self.options = _options(rng, self.scene)
        self.oracle = Oracle(**self.options)
        self.answered: list[tuple[str, dict]] = []
        self.trouble = rng.choice([0.04, 0.12, 0.3])  # share of steps that do something odd
        self.pace_us = rng.choice([50_000, 400_000, 1_500_000])
        self.likes = {one: rng.choice([0.3, 1, 1, 1, 3]) for one in LIKINGS}
        if self.scene == "empty":
            self.likes |= {"search": 0.05, "exchange": 0.1, "attack": 3}
        if self.scene == "hackers":
            self.likes |= {"hacker": 4, "gift": 6, "steal": 6, "discard": 0.3}

    def write(self, length: int) -> None:
        while len(self.answered) < length:
            self.step()
            if self.rng.random() < 0.35:
                self.put({"show": "state"})
            if self.rng.random() < 0.15:
                self.put({"show": "legal"})

    def put(self, line: dict) -> None:
        self.put_text(json.dumps(line))

    def put_text(self, text: str) -> None:
        self.answered.append((text, self.oracle.answer(text)))

    # ---- times

    def soon(self) -> int:
        """A time from now on, in µs: a little later, or now, or (now and then) at a deadline or 1 µs beside it."""
        now = self.oracle.now
        deadlines = [at + off for at in self.deadlines() for off in (-1, 0, 0, 1)]
        deadlines = [at for at in deadlines if at >= now]
        if deadlines and self.rng.random() < 0.12:
            return self.rng.choice(deadlines)
        pick = self.rng.random()
        if pick < 0.15:
            return now
        if pick < 0.25:
            return now + self.rng.randrange(1, 40_000)
        return now + self.rng.randrange(1, 2 * self.pace_us)

    def deadlines(self) -> list[int]:
        game = self.oracle.game
        found = [] if game.ends is None else [game.ends]
        window = game.window
        if window is not None:
            settle, claim = self.oracle.settings["settle_s"], self.oracle.settings["claim_s"]
            found += [window.closes, window.closes + settle, window.closes - claim, window.closes - settle]
            if window.name_at is not None:
                found.append(window.name_at)
            if window.claim is not None:
                found.append(window.claim["until"])
        return found

    def at(self, at: int) -> dict:
        return {"at": at / 1_000_000}

    # ---- steps

    def step(self) -> None:
        rng, game = self.rng, self.oracle.game
        if self.oracle.paused_at is not None:
            self.in_a_pause()
        elif rng.random() < self.trouble:
            odd = [self.wrong, self.nearly, self.nearly, self.broken, self.odd_press, self.controls, self.any_hold]
            rng.choice(odd)()
        elif rng.random() < 0.004:
            self.take_back(rng.choice([1, 1, 2, 5, 12]))
        elif game.outcome is not None:
            self.after_the_end()
        elif game.seat is None:
            rng.choice([self.wrong, self.time, self.odd_press, self.odd_press])()
            if game.seat is not None and rng.random() < 0.2:
                self.take_back(rng.choice([1, 2]))
        elif game.window is not None:
            self.in_the_window()
        elif (game.owed or game.exchanges or game.pile == 0) and rng.random() < (
            0.02 if self.scene == "empty" and game.hands[game.seat] else 0.12
        ):
            self.control("reshuffle")
        elif game.pending is not None:
            self.with_something_pending()
        else:
            self.turn()

    def turn(self) -> None:
        game = self.oracle.game
        if self.back_up() and self.rng.random() < 0.5:
            return
        emptying = self.scene == "empty" and game.pile > 10
        if not game.played and (emptying or self.rng.random() < 0.05 * self.likes["exchange"]):
            cards = [card for card in self.hidden() if not emptying or kind_of(card) not in POWER] or CARDS
            count = 7 if emptying else self.rng.choice([1, 2, 3, 5, 7, 8])
            for card in self.rng.sample(cards, min(count, len(cards))):
                self.tap(card, "discard")
            if self.rng.random() < 0.3:
                self.nearly()
            self.press_own()
            return
        if self.rng.random() < 0.01:
            self.spend_the_hand()
        # without anything worthwhile the turn ends sooner
        if not self.choose(stop=self.weight("stop")):
            self.press_own()

    def spend_the_hand(self) -> None:
        """Play until the count says that the hand is used up."""
        for _ in range(25):
            game = self.oracle.game
            if game.outcome is not None or game.window is not None:
                break
            taps = [tap for tap in self.oracle.legal() if tap[1] != "discard" and kind_of(tap[0]) not in POWER]
            if not taps:
                break
            self.tap(*self.rng.choice(taps))
        for _ in range(2):
            self.wrong()

    def choose(self, *, stop: float) -> bool:
        """Choose one of the legal taps, by weight; False if it is better to stop (or nothing is legal)."""
        taps = self.oracle.legal()
        if not taps:
            return False
        groups: dict[str, list] = {}
        for tap in taps:
            groups.setdefault(self.name(*tap), []).append(tap)
        names = sorted(groups)
        weights = [self.weight(name) for name in names]
        pick = self.rng.choices([*names, None], [*weights, stop])[0]
        if pick is None:
            return False
        taps = groups[pick]
        if pick == "gift":
            taps = [tap for tap in taps if self.would_win(*tap)] or taps
        self.tap(*self.rng.choice(taps))
        return True

    def would_win(self, card: str, seat: int) -> bool:
        """Return whether this category card would complete the quotas of the seat's team."""
        team = self.oracle.game.teams[self.oracle.team_of(seat)]
        lacking = {kind: quota - len(team.rows[kind]) for kind, quota in self.oracle.settings["quotas"].items()}
        lacking[kind_of(card)] -= 1
        return max(lacking.values()) <= 0

    def name(self, card: str, pad: int | str) -> str:
        """The kind of a tap, for the weights."""
        oracle, kind = self.oracle, kind_of(card)
        lies = oracle.where(card)
        mine = pad != "discard" and oracle.team_of(int(pad)) == oracle.my_team()
        if lies is not None:
            if kind in CATEGORY and pad != "discard":
                return "steal" if mine else "gift"
            return "again" if kind in POWER else "hack"
        if pad == "discard":
            return "discard"
        if kind in ACCESS:
            return "access" if mine else "react"
        if kind in ATTACK:
            return "attack"
        return "download" if kind in CATEGORY else kind

    def weight(self, name: str) -> float:
        if name == "search" and self.scene == "empty" and self.oracle.game.pile == 0:
            return 30
        return LIKINGS[name] * self.likes[name]

    def with_something_pending(self) -> None:
        if self.oracle.game.pile == 0 and self.oracle.game.pending == "search" and self.rng.random() < 0.7:
            self.rng.choice([self.nearly, self.nearly, self.wrong])()
        elif self.rng.random() < 0.2:
            self.nearly()
        elif self.rng.random() < 0.08 or not self.choose(stop=0.2):
            self.press_own()

    def in_the_window(self) -> None:
        """Buzzes near one another, late ones, patrols with and without a buzz, false alarms, and waiting."""
        rng, oracle = self.rng, self.oracle
        window = oracle.game.window
        assert window is not None
        pick = rng.random()
        if self.scene == "hackers" and rng.random() < 0.4:
            self.put(self.at(max([oracle.now, *self.deadlines()])))
        elif window.claim is not None and pick < 0.3:
            if rng.random() < 0.45:
                self.tap(self.patrol_card(), window.claim["seat"])
            else:
                self.put(self.at(window.claim["until"] - rng.choice([0, 0, 0, 1])))
        elif pick < 0.5:
            for _ in range(rng.choice([1, 1, 2, 3, 5])):
                self.buzz()
        elif pick < 0.62:
            self.patrol()
        elif pick < 0.7:
            self.wrong()
        elif pick < 0.74:
            self.back_up()
        elif pick < 0.79:
            self.choose(stop=1)
        elif pick < 0.8:
            self.control(rng.choice(["reshuffle", "pause", "take-back"]))
        else:
            self.put(self.at(max(oracle.now, rng.choice([oracle.now, window.closes, *self.deadlines()]))))

    def buzz(self) -> None:
        """A press in a window; several in a row arrive together and were pressed close to one another."""
        rng, oracle = self.rng, self.oracle
        window = oracle.game.window
        if window is None:
            return
        at = self.soon() if rng.random() < 0.4 else oracle.now + rng.choice([0, 0, 1, 5_000, 20_000])
        line = {**self.at(at), "press": rng.randint(1, oracle.players)}
        pick = rng.random()
        if pick < 0.6:
            times = [
                at - rng.randrange(1, 60_000),
                at - 1,
                window.opened,
                window.opened - 1,
                window.closes - 1,
                window.closes,
            ]
            times += [
                press["pressed"] + off for press in window.queue for off in (-3_000, -1, 0, 0, 1, 3_000, 5_999, 6_000)
            ] * 2
            times = [time for time in times if 0 <= time <= at]
            if times:
                line["pressed_at"] = rng.choice(times) / 1_000_000
        if rng.random() < 0.6:
            line["uncertainty_s"] = rng.choice([0, 0.001, 0.003, 0.003, 0.01])
        self.put(line)

    def patrol(self) -> None:
        """A patrol, with a buzz or not; every other one at a reader without stamps, soon after another's buzz."""
        rng, oracle = self.rng, self.oracle
        line = {"tap": self.patrol_card(), "pad": rng.randint(1, oracle.players)}
        uncertain = rng.random() < 0.5
        if uncertain and rng.random() < 0.7:
            self.buzz()
        window = oracle.game.window
        if window is None or not uncertain:
            self.put({**self.at(self.soon()), **line})
            return
        moments = [oracle.now + rng.choice([0, 1, 10_000, 300_000]), window.closes + rng.choice([0, 1, 20_000])]
        at = max(oracle.now, rng.choice(moments))
        edges = [at - edge + off for edge in (window.opened, window.closes) for off in (-1, 0, 1)]
        uncertainty = rng.choice([1, 1_001, 100_000, 500_000, 500_000, 500_000, *(edge for edge in edges if edge > 0)])
        self.put({**self.at(at), **line, "uncertainty_s": uncertainty / 1_000_000})

    def after_the_end(self) -> None:
        pick = self.rng.random()
        if pick < 0.25:
            self.wrong()
        elif pick < 0.4:
            self.odd_press()
        elif pick < 0.5:
            self.control(self.rng.choice(["reshuffle", "take-back", "pause", "end-game"]))
        elif pick < 0.6:
            self.any_hold()
        else:
            self.control("new-game")

    def in_a_pause(self) -> None:
        pick = self.rng.random()
        if pick < 0.4:
            self.control("resume")
        elif pick < 0.55:
            self.control(self.rng.choice(["pause", "take-back", "take-back", "new-game", "reshuffle", "end-game"]))
        else:
            self.rng.choice([self.wrong, self.odd_press, self.any_hold, self.time])()
            self.put({"show": self.rng.choice(["state", "legal"])})

    # ---- single lines

    def tap(self, card: str, pad: int | str) -> None:
        self.put({**self.at(self.soon()), "tap": card, "pad": pad})

    def time(self) -> None:
        self.put(self.at(self.soon()))

    def press_own(self) -> None:
        game, at = self.oracle.game, self.soon()
        line = {**self.at(at), "press": game.seat}
        if self.rng.random() < 0.15:
            began = game.pending_since if game.pending is not None else game.began
            times = [time for time in (began, began - 1, at - 1, at, game.began - 1) if 0 <= time <= at]
            line["pressed_at"] = self.rng.choice(times) / 1_000_000
        self.put(line)

    def odd_press(self) -> None:
        at = self.soon()
        line = {**self.at(at), "press": self.rng.randint(1, self.oracle.players)}
        if self.rng.random() < 0.3:
            line["pressed_at"] = self.rng.randint(max(0, at - 3_000_000), at) / 1_000_000
        if self.rng.random() < 0.2:
            line["uncertainty_s"] = 0.002
        self.put(line)

    def wrong(self) -> None:
        """Any card on any pad: often refused, for every reason there is."""
        rng = self.rng
        lying = [card for card in CARDS if self.oracle.where(card) is not None]
        pick = rng.random()
        if pick < 0.06:
            card = rng.choice(STRANGERS)
        elif pick < 0.4 and lying:
            card = rng.choice(lying)
        elif pick < 0.7:
            # by kind, so that rare kinds come as often as others
            kind = kind_of(rng.choice(sorted({kind_of(card) for card in CARDS})))
            card = rng.choice([card for card in CARDS if kind_of(card) == kind])
        else:
            card = rng.choice(CARDS)
        self.tap(card, self.pad())

    def nearly(self) -> None:
        """A tap that is legal but for one thing: the wrong row, the rate used up, below the top, the wrong side."""
        rng, oracle = self.rng, self.oracle
        game = oracle.game
        if game.seat is None:
            self.wrong()
            return
        mine = game.teams[oracle.my_team()].seats
        others = [seat for team in game.teams if team.seats != mine for seat in team.seats]
        if game.pending == "hack":
            rows = [cards for team in game.teams for cards in team.rows.values() if cards]
            rows += [game.discard[-3:]] * 3 if game.discard else []
            if rng.random() < 0.5:
                rows = [cards for team in game.teams for kind in CATEGORY if (cards := team.rows[kind])] or rows
            card = rng.choice(rng.choice(rows)) if rows else "online#1"
            self.tap(card, rng.choice([*mine, *others]) if kind_of(card) in CATEGORY else self.pad())
            return
        kinds = rng.choice([[*ACCESS], [*ATTACK], [*CATEGORY], ["movie", "game"], ["hacker", "search", "cyber-patrol"]])
        kind = rng.choice(kinds)
        cards = [card for card in self.hidden() if kind_of(card) == kind]
        side = mine if (kind in ATTACK) == (rng.random() < 0.2) else others
        self.tap(rng.choice(cards or ["online#1"]), rng.choice(side))

    def any_hold(self) -> None:
        lying = [card for card in CARDS if self.oracle.where(card) is not None]
        card = self.rng.choice(lying) if lying and self.rng.random() < 0.6 else self.rng.choice([*CARDS, *STRANGERS])
        self.put({**self.at(self.soon()), "hold": card, "pad": self.pad()})

    def back_up(self) -> bool:
        """Hold a card of an own row that may be backed up; False if there is none."""
        oracle = self.oracle
        team = oracle.game.teams[oracle.my_team()]
        quotas = oracle.settings["quotas"]
        ready = [
            kind
            for kind in CATEGORY
            if kind not in team.backed_up and team.rows[kind] and len(team.rows[kind]) >= quotas[kind]
        ]
        if not ready or self.rng.random() < 0.7:
            return False
        card = self.rng.choice(team.rows[self.rng.choice(ready)])
        self.put({**self.at(self.soon()), "hold": card, "pad": self.rng.choice(team.seats)})
        return True

    def broken(self) -> None:
        rng = self.rng
        now, at = self.oracle.now, self.soon()
        some = [
            {**self.at(at), "tap": "online#1"},
            {**self.at(at), "tap": "online#1", "pad": self.oracle.players + 1},
            {**self.at(at), "tap": "online#1", "pad": 0},
            {**self.at(at), "tap": "online#1", "pad": "demand"},
            {**self.at(at), "tap": "online#1", "pad": "1"},
            {**self.at(at), "tap": "online#1", "pad": True},
            {**self.at(at), "tap": "online#1", "pad": None},
            {**self.at(at), "tap": 7, "pad": 1},
            {**self.at(at), "tap": "online#1", "pad": 1, "seat": 1},
            {**self.at(at), "tap": "online#1", "hold": "online#1", "pad": 1},
            {**self.at(at), "press": 7},
            {**self.at(at), "press": "2"},
            {**self.at(at), "press": False},
            {**self.at(at), "press": 1, "pressed_at": (at + 1) / 1_000_000},
            {**self.at(at), "press": 1, "uncertainty_s": -0.001},
            {**self.at(at), "press": 1, "uncertainty_s": None},
            {**self.at(at), "tap": "online#1", "pad": 1, "uncertainty_s": -0.001},
            {**self.at(at), "hold": "online#1", "pad": 1, "uncertainty_s": 0.5},
            {**self.at(at), "press": 1, "pad": 1},
            {**self.at(at), "control": "deal"},
            {**self.at(at), "control": "pause", "why": "tea"},
            {**self.at(at), "sing": 1},
            {"at": str(at)},
            {"at": None, "press": 1},
            {"at": True},
            {"at": -1.0},
            {"at": (now - 1) / 1_000_000, "tap": "online#1", "pad": 1},
            {"at": (now - 1) / 1_000_000},
        ]
        self.put_text(rng.choice([*BROKEN, *(json.dumps(one) for one in some)]))

    def controls(self) -> None:
        pick = self.rng.random()
        if pick < 0.35:
            self.take_back(self.rng.choice([1, 1, 2, 3]))
        elif pick < 0.65:
            self.control("pause")
        elif pick < 0.75:
            self.control("resume")
        elif pick < 0.93:
            self.control("reshuffle")
        else:
            self.control(self.rng.choice(["new-game", "end-game"]))

    def take_back(self, times: int) -> None:
        for _ in range(times):
            self.control("take-back")

    def control(self, control: str) -> None:
        self.put({**self.at(self.soon()), "control": control})

    # ---- choices

    def hidden(self) -> list[str]:
        return [card for card in CARDS if self.oracle.where(card) is None]

    def patrol_card(self) -> str:
        hidden = [card for card in self.hidden() if kind_of(card) == "cyber-patrol"]
        return self.rng.choice(hidden or ["cyber-patrol#1"])

    def pad(self) -> int | str:
        return self.rng.choice([*range(1, self.oracle.players + 1), "discard"])


def _options(rng: Random, scene: str) -> dict:
    players = rng.choice([2, 3, 4, 4, 5, 5, 6])
    settings: dict[str, str] = {}
    if rng.random() < 0.6:
        settings["patrol_window_s"] = rng.choice(["2", "3", "5", "12.5", "30"])
    if rng.random() < 0.6:
        settings["claim_s"] = rng.choice(["1", "2", "5", "120"])
    if rng.random() < 0.5:
        settings["settle_s"] = rng.choice(["0", "0.03", "0.25", "1"])
    if rng.random() < 0.35:
        settings["time_limit_s"] = rng.choice(
            {
                "free": ["1", "20", "60", "150", "150", "400"],
                "hackers": ["150", "400", "86400"],
                "empty": ["1000", "86400"],
            }[scene]
        )
    if rng.random() < 0.4:
        settings["who_may_patrol"] = rng.choice(["anyone", "opponents", "opponents"])
    if rng.random() < 0.3:
        settings["hack_reach"] = rng.choice(["top", "any"])
    edition = rng.choice(["de", "en", "fr", "fr", "nl"])
    if players == 4 and ("time_limit_s" in settings or edition == "en") and rng.random() < 0.6:
        settings["teams"] = "solo"
    elif players >= 4 and rng.random() < 0.35:
        settings["teams"] = rng.choice(["two", "two", "auto"])
    quotas = rng.choice(["usual", "usual", "few", "few", "odd", "many"])
    if scene == "hackers" and rng.random() < 0.5:
        quotas = "few"
    if scene == "empty":
        quotas = rng.choice(["usual", "many"])
    if quotas == "few":
        settings |= {"quota_email": "2", "quota_music": "1", "quota_game": rng.choice(["0", "1"]), "quota_movie": "0"}
    elif quotas == "odd":
        settings |= {
            "quota_email": rng.choice(["0", "1", "3"]),
            "quota_music": "2",
            "quota_game": "1",
            "quota_movie": "1",
        }
    elif quotas == "many":
        settings |= {"quota_email": "22", "quota_music": "14", "quota_game": "8", "quota_movie": "8"}
    return {
        "edition": edition,
        "players": players,
        "settings": settings,
        "starter": rng.choice([None, rng.randint(1, players), rng.randint(1, players)]),
    }
