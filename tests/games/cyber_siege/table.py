"""The words the tests of Cyber Siege are written in: a table that is talked to in lines, as `taptable referee` is, and
answers that say what they must be. Nothing in here knows a rule but how a card gets where a test wants it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from taptable.core.agreed import Agreed
from taptable.core.observations import Arrangement
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.lines import answer_of, line_of
from taptable.referee.step import open_table, step
from taptable.words import Vocabulary, Words

COPIES = {"1": (5, 4, 5, 4), "2": (5, 4, 5, 4), "3": (5, 4, 5, 4), "4": (4, 4, 4, 4)}
DECK = {
    **{f"set-{number}": 5 for number in COPIES},
    **{f"{number}.{index}": count for number, counts in COPIES.items() for index, count in enumerate(counts, 1)},
    "admin": 4,
}
"""The sample deck, counted off the rules page."""
ALL_CARDS = [f"{kind}#{number}" for kind, count in DECK.items() for number in range(1, count + 1)]
RED, PURPLE = 74, 20


def manifest(**changes: Any) -> dict[str, Any]:
    """A small deck: two sets of two cards, with a `text` attack and a name that stands in a set twice."""
    return {
        "game": "cyber-siege",
        "name": "small",
        "admins": 2,
        "sets": {"1": {"copies": 6, "cards": ["1.1", "1.3"]}, "2": {"copies": 6, "cards": ["2.3", "2.3"]}},
        "red": {
            "1.1": {"kind": "attack", "copies": 10, "title": "Flood", "icon": {"effect": "none"}},
            "1.3": {"kind": "defence", "copies": 10, "title": "Dam"},
            "2.1": {"kind": "attack", "copies": 5, "icon": {"effect": "none"}},
            "2.3": {"kind": "defence", "copies": 10},
        },
        **changes,
    }


def with_icon(icon: dict[str, Any]) -> dict[str, Any]:
    """The small deck in which `1.1` does this."""
    plain = manifest()
    plain["red"]["1.1"]["icon"] = icon
    return plain


class Answer:
    """One answer of the referee, and whether the public state is another than before."""

    def __init__(self, line: dict[str, Any], answer: dict[str, Any], changed: bool) -> None:
        self.line = line
        self.answer = answer
        self.changed = changed

    def accepted(self) -> Answer:
        assert self.answer["verdict"] == "accepted", self
        return self

    def refused(self, rule: str, code: str) -> Answer:
        """It is refused by this rule and code, and nothing changed."""
        assert self.answer["rule"] == rule, self
        return self._unchanged("refused", code)

    def ignored(self, code: str) -> Answer:
        """It is ignored with this code, and nothing changed."""
        return self._unchanged("ignored", code)

    def fault(self) -> Answer:
        return self._unchanged("fault", "unknown-card")

    def said(self, kind: str) -> dict[str, Any]:
        """The only announcement of this type."""
        found = [announcement for announcement in self.answer["announcements"] if announcement["type"] == kind]
        assert len(found) == 1, self
        return found[0]

    @property
    def types(self) -> list[str]:
        return [announcement["type"] for announcement in self.answer["announcements"]]

    def _unchanged(self, verdict: str, code: str) -> Answer:
        assert (self.answer["verdict"], self.answer["code"]) == (verdict, code), self
        assert not self.changed, self
        return self

    def __repr__(self) -> str:
        return f"{json.dumps(self.line)} -> {json.dumps(self.answer)}"


class Game:
    """A game in progress. Time stands still until `wait`; a card is an exact id, or a kind: its next hidden card."""

    def __init__(
        self,
        players: int = 2,
        starter: int | None = 1,
        deck: dict[str, Any] | None = None,
        language: str = "en",
        **settings: object,
    ) -> None:
        text = "" if deck is None else json.dumps(deck)
        agreed = Agreed(players, "standard", {key: str(value) for key, value in settings.items()}, starter, text)
        game = find_game("cyber-siege")
        table, _ = open_table(game, agreed)
        self.words = Words(language, Vocabulary(("taptable.games.cyber_siege",), game.pack(text)))
        self.front = Front(table, self.words.verdict, language)
        self.cards = [f"{kind}#{number}" for kind, count in game.pack(text).counts for number in range(1, count + 1)]
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

    def press(self, seat: int | None = None, pressed_at: float | None = None) -> Answer:
        line: dict[str, Any] = {"press": self.seat if seat is None else seat}
        if pressed_at is not None:
            line["pressed_at"] = pressed_at
        return self._send(line)

    def control(self, name: str, **fields: int) -> Answer:
        """A control; those that are listed must be accepted."""
        listed = {"control": name} in self.controls
        answer = self._send({"control": name, **fields})
        if name in ("reshuffle", "spare"):
            assert listed == (answer.answer["verdict"] == "accepted"), answer
        return answer

    def correct(self, seat: int, **counts: int) -> Answer:
        return self.control("correct", seat=seat, **counts)

    def tell(self, make: Callable[[int], Arrangement]) -> Answer:
        """The table is told what no line of the referee can say."""
        before = self.state
        told = make(round(self.now * 1e6))
        self.front.table, verdict = step(self.front.table, told)
        return Answer(line_of(told), answer_of(told.at_us, verdict), before != self.state)

    def wait(self, seconds: float) -> Answer:
        """Time passes."""
        self.now = round(self.now + seconds, 6)
        return self._send({})

    def until(self, moment: float) -> Answer:
        """Time passes until a moment of table time."""
        return self.wait(moment - self.now)

    # what they do in passing, all of it accepted

    def pass_turn(self, card: str = "2.3") -> None:
        """The seat on turn discards a defence card, and the next is on turn."""
        self.discard(card).accepted()

    def to(self, seat: int) -> None:
        """Turns pass until this seat is on turn."""
        while self.seat != seat:
            self.pass_turn()

    def lay(self, set_card: str, *red: str) -> Answer:
        """The seat on turn taps a set card and red cards; the last answer."""
        self.tap(set_card).accepted()
        for card in red:
            answer = self.tap(card).accepted()
        return answer

    def attack(self, card: str = "1.1") -> str:
        """The seat on turn discards an attack and launches it; the card's id."""
        card = self.find(card)
        self.discard(card).accepted()
        self.press().accepted()
        return card

    def hit(self, card: str = "1.1") -> Answer:
        """The seat on turn launches an attack, and the defender takes the hit."""
        self.attack(card)
        return self.press(self.state["window"]["defender"]).accepted()

    def drain(self, left: int = 0) -> None:
        """The last seat holds all red cards but so many, by a correction."""
        seat = self.players
        held = self.team(seat)["red"] + self.state["red_pile"] - left
        self.correct(seat, red=held).accepted()

    # what is to be seen

    @property
    def state(self) -> dict[str, Any]:
        return self._answer({"show": "state"})

    @property
    def legal(self) -> list[list[str | int]]:
        return self._answer({"show": "legal"})["legal"]

    @property
    def controls(self) -> list[dict[str, Any]]:
        return self._answer({"show": "legal"})["controls"]

    @property
    def seat(self) -> int:
        """The seat on turn."""
        return self.state["turn"]["seat"]

    @property
    def players(self) -> int:
        return len(self.state["teams"])

    def team(self, seat: int) -> dict[str, Any]:
        return self.state["teams"][seat - 1]

    def meanings(self) -> tuple[str | None, ...]:
        """What each seat's button means."""
        return self.front.table.game.meanings(self.front.table.state)

    def lies(self, card: str) -> bool:
        """Is this card known to lie somewhere?"""
        return self.front.table.game.where(self.front.table.state, card) is not None

    def find(self, card: str) -> str:
        """The id of the lowest hidden card of a kind; anything else as it is."""
        of_kind = [found for found in self.cards if found.partition("#")[0] == card]
        return next(found for found in of_kind if not self.lies(found)) if of_kind else card

    def line(self, line: dict[str, Any]) -> dict[str, Any]:
        """The answer to any line, valid or not."""
        return self._answer(line)

    def _send(self, line: dict[str, Any]) -> Answer:
        line = {"at": self.now, **line}
        before = self.state
        answer = self._answer(line)
        assert "error" not in answer, (line, answer)
        self._check_counts()
        return Answer(line, answer, before != self.state)

    def _check_counts(self) -> None:
        """No card is ever gained or lost (S8.4)."""
        state, deck = self.state, self.front.table.state.options.deck
        laying = state["laying"]
        red = state["red_pile"] + sum(team["red"] for team in state["teams"]) + len(state["discard"])
        purple = state["purple_pile"] + sum(team["purple"] + len(team["sets"]) for team in state["teams"])
        assert red + (len(laying["red"]) if laying else 0) == deck.red
        assert purple + (1 if laying else 0) == deck.purple

    def _answer(self, line: dict[str, Any]) -> dict[str, Any]:
        return json.loads(self.front.answer(json.dumps(line).encode()))


def launching(players: int = 2, card: str = "1.1", **settings: object) -> Game:
    """Seat 1 has discarded an attack at 10 s, and may launch it until 15 s."""
    game = Game(players, **settings)
    game.until(10)
    game.discard(card).accepted()
    return game


def attacked(players: int = 2, card: str = "1.1", **settings: object) -> Game:
    """Seat 1 has launched an attack at 12 s, and seat 2 may answer until 22 s."""
    game = launching(players, card, **settings)
    game.until(12)
    game.press(1).accepted()
    return game
