"""The words the tests of ONLINE are written in: a table that is talked to in lines, as `taptable referee` is, and
answers that say what they must be. Nothing in here knows a rule but how a card gets where a test wants it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from taptable.core.agreed import Agreed
from taptable.core.observations import Arrangement, CardLost, CardRecovered, GameSetUp, SeatVacated
from taptable.core.verdicts import Verdict
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.lines import answer_of, line_of
from taptable.referee.step import open_table, step

DECK = {
    "online": 13,
    "turbo-line": 3,
    "password-ok": 8,
    "antivirus": 8,
    "extra-memory": 5,
    "virus": 3,
    "password-error": 3,
    "under-construction": 3,
    "memory-full": 4,
    "email": 22,
    "music": 14,
    "game": 8,
    "movie": 8,
    "hacker": 6,
    "cyber-patrol": 2,
    "search": 2,
}
ATTACKS = ("virus", "password-error", "under-construction", "memory-full")
CATEGORIES = ("email", "music", "game", "movie")

ROADS = {
    "empty": (),
    "online": ("online",),
    "turbo-line": ("turbo-line",),
    "virus": ("online", "virus"),
    "password-error": ("online", "password-error"),
    "under-construction": ("online", "under-construction"),
    "antivirus": ("online", "virus", "antivirus"),
    "password-ok": ("online", "password-error", "password-ok"),
}
"""The cards that bring each kind to the top of a connection row, bottom to top."""

MEMORY_ROADS = {
    "empty": (),
    "extra-memory": ("extra-memory",),
    "memory-full": ("extra-memory", "memory-full"),
}


def quotas(email: int = 0, music: int = 0, game: int = 0, movie: int = 0) -> dict[str, int]:
    """Settings under which these few cards win."""
    return {"quota_email": email, "quota_music": music, "quota_game": game, "quota_movie": movie}


class Answer:
    """One answer of the referee, and whether the public state is another than before."""

    def __init__(self, line: dict[str, Any], answer: dict[str, Any], changed: bool) -> None:
        self.line = line
        self.answer = answer
        self.changed = changed

    def accepted(self) -> Answer:
        assert self.answer["verdict"] == "accepted", self
        return self

    def refused(self, rule: str, code: str | None = None) -> Answer:
        """It is refused by this rule, and nothing changed."""
        return self._unchanged("refused", rule, code)

    def ignored(self, rule: str, code: str | None = None) -> Answer:
        """It is ignored by this rule, and nothing changed."""
        return self._unchanged("ignored", rule, code)

    def fault(self) -> Answer:
        return self._unchanged("fault", "R11", None)

    def said(self, kind: str) -> dict[str, Any]:
        """The only announcement of this type."""
        found = [announcement for announcement in self.answer["announcements"] if announcement["type"] == kind]
        assert len(found) == 1, self
        return found[0]

    @property
    def types(self) -> list[str]:
        return [announcement["type"] for announcement in self.answer["announcements"]]

    def _unchanged(self, verdict: str, rule: str, code: str | None) -> Answer:
        assert (self.answer["verdict"], self.answer.get("rule")) == (verdict, rule), self
        assert code in (None, self.answer["code"]), self
        assert not self.changed, self
        return self

    def __repr__(self) -> str:
        return f"{json.dumps(self.line)} -> {json.dumps(self.answer)}"


class Game:
    """A game in progress. Time stands still until `wait`; a card is an exact id, or a kind: its next hidden card."""

    def __init__(self, players: int = 2, edition: str = "de", starter: int | None = 1, **settings: object) -> None:
        agreed = Agreed(players, edition, {key: str(value) for key, value in settings.items()}, starter)
        table, _ = open_table(find_game("online"), agreed)
        self.front = Front(table, lambda _: "")
        self.now = 0.0

    # what players do

    def tap(self, card: str, pad: int | str | None = None) -> Answer:
        """A card is tapped, by default on the pad of the seat on turn; what is listed as legal must be accepted, and
        nothing else."""
        card = self.find(card)
        pad = self.seat if pad is None else pad
        listed = [card, pad] in self.legal
        answer = self._send({"tap": card, "pad": pad})
        assert listed == (answer.answer["verdict"] == "accepted"), answer
        return answer

    def discard(self, card: str) -> Answer:
        return self.tap(card, "discard")

    def hold(self, card: str, pad: int | str | None = None) -> Answer:
        return self._send({"hold": self.find(card), "pad": self.seat if pad is None else pad})

    def press(self, seat: int | None = None, pressed_at: float | None = None, uncertainty: float = 0) -> Answer:
        line: dict[str, Any] = {"press": self.seat if seat is None else seat}
        if pressed_at is not None:
            line["pressed_at"] = pressed_at
        if uncertainty:
            line["uncertainty_s"] = uncertainty
        return self._send(line)

    def control(self, name: str) -> Answer:
        return self._send({"control": name})

    def vacate(self, seat: int) -> Answer:
        """A seat's player leaves for good."""
        return self.tell(lambda at_us: SeatVacated(at_us, seat))

    def lose(self, card: str) -> Answer:
        return self.tell(lambda at_us: CardLost(at_us, self.find(card)))

    def recover(self, card: str) -> Answer:
        return self.tell(lambda at_us: CardRecovered(at_us, card))

    def set_up(
        self,
        players: int,
        *,
        edition: str = "de",
        starter: int | None = None,
        heir_kept: bool = False,
        **settings: object,
    ) -> Answer:
        """A new game, agreed on otherwise."""
        agreed = Agreed(players, edition, {key: str(value) for key, value in settings.items()}, starter)
        return self.tell(lambda at_us: GameSetUp(at_us, "online", agreed, heir_kept))

    def tell(self, make: Callable[[int], Arrangement]) -> Answer:
        """The table is told what no line of the referee can say."""
        before = self.state
        told = make(round(self.now * 1e6))
        self.front.table, verdict = step(self.front.table, told)
        self._judged(verdict)
        return Answer(line_of(told), answer_of(told.at_us, verdict), before != self.state)

    def wait(self, seconds: float) -> Answer:
        """Time passes."""
        self.now = round(self.now + seconds, 6)
        return self._send({})

    def until(self, moment: float) -> Answer:
        """Time passes until a moment of table time."""
        return self.wait(moment - self.now)

    # what they do in passing, all of it accepted

    def play(self, *cards: str) -> None:
        """The seat on turn taps cards on its own pad."""
        for card in cards:
            self.tap(card).accepted()

    def stop(self) -> Answer:
        """The seat on turn ends its turn."""
        return self.press().accepted()

    def to(self, seat: int) -> None:
        """Turns pass until this seat is on turn."""
        while self.seat != seat:
            self.stop()

    def next_turn_of(self, seat: int) -> None:
        """A new turn of this seat begins."""
        self.stop()
        self.to(seat)

    def lay(self, seat: int, *cards: str) -> None:
        """Cards come onto the rows of a seat's team, attacks by an opponent; leaves this seat at a new turn."""
        team = self.team(seat)["seats"]
        opponent = next(other for other in range(1, self.players + 1) if other not in team)
        for card in cards:
            if card.partition("#")[0] in ATTACKS:
                self.to(opponent)
                self.tap(card, seat).accepted()
                continue
            self.to(seat)
            if card.partition("#")[0] in CATEGORIES and self.state["turn"]["downloads"] >= self.team(seat)["rate"]:
                self.next_turn_of(seat)
            self.tap(card, seat).accepted()
        self.next_turn_of(seat)

    def show_hacker(self, card: str = "hacker") -> str:
        """A hacker is shown and its window runs; the card's id."""
        card = self.find(card)
        self.tap(card).accepted()
        return card

    def hack(self, card: str = "hacker") -> str:
        """A hacker is shown, nobody stops it, and the hack is pending; the card's id."""
        card = self.show_hacker(card)
        self.until(self.state["window"]["closes_at"] + 1)
        assert self.state["pending"] == "hack"
        return card

    def buzz(self, seat: int, at: float, pressed_at: float | None = None, uncertainty: float = 0) -> None:
        """A press that counts arrives at a moment of table time."""
        self.until(at)
        self.press(seat, pressed_at, uncertainty).accepted()

    def waste_hand(self, leave: int) -> None:
        """The seat on turn uses up its 8 cards of option B, but for so many: a discard, an `online`, and hackers
        that are waived."""
        self.discard("password-ok").accepted()
        self.play("online")
        while self.hand(self.seat) > leave:
            self.hack()
            self.press().accepted()

    def drain(self, left: int = 0) -> None:
        """Exchanges leave so many cards in the draw pile; of each kind the lowest numbers stay hidden."""
        waste = sorted((card for card in ALL_CARDS if not self.lies(card)), key=lambda card: int(card.split("#")[1]))
        while (surplus := self.state["draw_pile"] - left) > 0:
            for _ in range(min(7, surplus)):
                self._answer({"at": self.now, "tap": waste.pop(), "pad": "discard"})
            self.stop()
        assert self.state["draw_pile"] == left

    # what is to be seen

    @property
    def state(self) -> dict[str, Any]:
        return self._answer({"show": "state"})

    @property
    def legal(self) -> list[list[str | int]]:
        return self._answer({"show": "legal"})["legal"]

    @property
    def seat(self) -> int:
        """The seat on turn."""
        return self.state["turn"]["seat"]

    @property
    def claim(self) -> int | None:
        """The seat that has the claim."""
        running = self.state["window"]
        return running["claim"]["seat"] if running and running["claim"] else None

    @property
    def players(self) -> int:
        return sum(len(team["seats"]) for team in self.state["teams"])

    def team(self, seat: int) -> dict[str, Any]:
        return next(team for team in self.state["teams"] if seat in team["seats"])

    def hand(self, seat: int) -> int:
        return self.team(seat)["hands"][str(seat)]

    def lies(self, card: str) -> bool:
        """Does this card lie in a row or on the discard pile, or nowhere any more?"""
        state = self.state
        rows = [row for team in state["teams"] for row in (team["connection"], team["memory"], *team["rows"].values())]
        return any(card in row for row in (*rows, state["discard"], state["lost"]))

    def find(self, card: str) -> str:
        """The id of the lowest hidden card of a kind; anything else as it is."""
        if card not in DECK:
            return card
        return next(found for found in ALL_CARDS if found.startswith(f"{card}#") and not self.lies(found))

    def _judged(self, verdict: Verdict) -> None:
        """To be told of verdicts on what is no line."""

    def _send(self, line: dict[str, Any]) -> Answer:
        line = {"at": self.now, **line}
        before = self.state
        answer = self._answer(line)
        assert "error" not in answer, (line, answer)
        return Answer(line, answer, before != self.state)

    def _answer(self, line: dict[str, Any]) -> dict[str, Any]:
        return json.loads(self.front.answer(json.dumps(line).encode()))


def window(players: int = 4, **settings: object) -> Game:
    """Seat 1 has shown hacker#1 at 10 s; its window runs until 15 s, and 30 ms longer for what is under way."""
    game = Game(players, **settings)
    game.wait(10)
    game.show_hacker("hacker#1")
    return game


def three(
    edition: str = "de",
    *,
    seat1: tuple[str, ...] = (),
    seat2: tuple[str, ...] = (),
    seat3: tuple[str, ...] = (),
    **settings: object,
) -> Game:
    """Three players alone; rows of seats 2, 3 and 1 are laid, then seat 1 is on turn."""
    game = Game(3, edition, **settings)
    for seat, cards in ((2, seat2), (3, seat3), (1, seat1)):
        if cards:
            game.lay(seat, *cards)
    game.to(1)
    return game


ALL_CARDS = [f"{kind}#{number}" for kind, count in DECK.items() for number in range(1, count + 1)]
