"""The words the tests of X.net are written in: a table that is talked to in lines, as `taptable referee` is, and
answers that say what they must be. Nothing in here knows a rule but how a card gets where a test wants it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from taptable.core.agreed import Agreed
from taptable.core.observations import Arrangement
from taptable.core.verdicts import Accepted, Verdict
from taptable.games.xnet.game import Xnet
from taptable.referee.jsonl import Front
from taptable.referee.lines import answer_of, line_of
from taptable.referee.step import open_table, step

TOPICS = (
    *("art", "business", "cooking", "games", "health", "hobbies"),
    *("music", "nature", "news", "science", "sports", "travel"),
)
OPENING = ("art-1#1", "music-5#1", "news-9#1")
"""The first demands of most tests, level by level."""


def manifest(topics: dict[str, dict[str, int]], name: str = "own") -> str:
    """A manifest with these topics."""
    return json.dumps({"game": "xnet", "name": name, "topics": topics})


def small() -> str:
    """A manifest of 60 cards: six topics with the numbers 1 to 9, of the 1 two copies."""
    numbers = {str(number): 2 if number == 1 else 1 for number in range(1, 10)}
    return manifest(dict.fromkeys(("art", "music", "news", "games", "sports", "travel"), numbers))


HEARD: list[Verdict] = []
"""Every verdict of every game so far, what was announced at its beginning first."""


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
        """It is refused by this rule with this code, and nothing changed."""
        assert (self.answer["verdict"], self.answer["rule"], self.answer["code"]) == ("refused", rule, code), self
        assert not self.changed, self
        return self

    def ignored(self, code: str | None = None) -> Answer:
        """It is ignored, and nothing changed."""
        assert self.answer["verdict"] == "ignored", self
        assert code in (None, self.answer["code"]), self
        assert not self.changed, self
        return self

    def fault(self) -> Answer:
        assert (self.answer["verdict"], self.answer["code"]) == ("fault", "unknown-card"), self
        assert not self.changed, self
        return self

    def said(self, kind: str) -> dict[str, Any]:
        """The only announcement of this type, without its type."""
        found = [announcement for announcement in self.answer["announcements"] if announcement["type"] == kind]
        assert len(found) == 1, self
        return {key: value for key, value in found[0].items() if key != "type"}

    @property
    def types(self) -> list[str]:
        return [announcement["type"] for announcement in self.answer["announcements"]]

    def __repr__(self) -> str:
        return f"{json.dumps(self.line)} -> {json.dumps(self.answer)}"


class Game:
    """A game in progress; the three first demands lie unless `opening` says otherwise. A card is an exact id, or a
    topic: its next hidden card."""

    def __init__(
        self,
        players: int = 3,
        starter: int | None = 1,
        opening: tuple[str, ...] = OPENING,
        manifest: str = "",
        **settings: object,
    ) -> None:
        agreed = Agreed(players, "standard", {key: str(value) for key, value in settings.items()}, starter, manifest)
        table, self.began = open_table(Xnet(), agreed)
        self.front = Front(table, self._hear)
        HEARD.append(Accepted(self.began))
        self.now = 0.0
        self.cards = tuple(table.state.options.deck.cards)
        for card in opening:
            self.tap(card, "demand").accepted()

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

    def demand(self, card: str) -> Answer:
        return self.tap(card, "demand")

    def discard(self, card: str) -> Answer:
        return self.tap(card, "discard")

    def hold(self, card: str, pad: int | str) -> Answer:
        return self._send({"hold": card, "pad": pad})

    def press(self, seat: int | None = None) -> Answer:
        return self._send({"press": self.seat if seat is None else seat})

    def control(self, name: str, **fields: object) -> Answer:
        """A control; one of the game's own with all its fields is listed as legal if it is accepted, and only then."""
        line = {"control": name, **fields}
        listed = line in self.controls
        answer = self._send(line)
        complete = name not in NEEDING or fields
        if name in ACTIONS and complete:
            assert listed == (answer.answer["verdict"] == "accepted"), answer
        else:
            assert not listed
        return answer

    def tell(self, make: Callable[[int], Arrangement]) -> Answer:
        """The table is told what no line of the referee can say."""
        before = self.state
        told = make(round(self.now * 1e6))
        self.front.table, verdict = step(self.front.table, told)
        HEARD.append(verdict)
        return Answer(line_of(told), answer_of(told.at_us, verdict), before != self.state)

    def wait(self, seconds: float) -> Answer:
        """Time passes."""
        self.now = round(self.now + seconds, 6)
        return self._send({})

    # what they do in passing, all of it accepted

    def serve(self, *cards: str) -> None:
        """The seat on turn taps cards on its own pad."""
        for card in cards:
            self.tap(card).accepted()

    def pay(self, *cards: str) -> Answer:
        """The seat on turn taps cards on the discard pad; the answer to the last one."""
        answers = [self.discard(card).accepted() for card in cards]
        return answers[-1]

    def buy(self, control: str, *cards: str, **fields: object) -> Answer:
        """An action is begun and paid for; the answer to the last card."""
        self.control(control, **fields).accepted()
        return self.pay(*cards)

    def new_demand(self, card: str, level: int) -> Answer:
        self.control("demand-new", level=level).accepted()
        return self.demand(card).accepted()

    def stop(self) -> Answer:
        """The seat on turn ends its turn."""
        return self.press().accepted()

    def to(self, seat: int) -> None:
        """Turns pass until this seat is on turn."""
        while self.seat != seat:
            self.stop()

    def next_turn_of(self, seat: int) -> Answer:
        """A new turn of this seat begins; the answer to the press that began it."""
        answer = self.stop()
        while self.seat != seat:
            answer = self.stop()
        return answer

    def gather(self, seat: int, hand: int) -> None:
        """Turns pass until this seat is on turn and holds at least so many cards."""
        self.to(seat)
        while self.hand(seat) < hand:
            self.next_turn_of(seat)

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
    def turn(self) -> dict[str, Any]:
        return self.state["turn"]

    @property
    def pending(self) -> dict[str, Any] | None:
        return self.state["pending"]

    @property
    def pyramid(self) -> dict[tuple[int, int], str]:
        """The cards in demand by level and place."""
        return {(each["level"], each["place"]): each["card"] for each in self.state["demand"]}

    def team(self, seat: int) -> dict[str, Any]:
        return self.state["teams"][seat - 1]

    def topic(self, seat: int, topic: str) -> dict[str, Any]:
        return next(each for each in self.team(seat)["topics"] if each["topic"] == topic)

    def hand(self, seat: int) -> int:
        return self.team(seat)["hand"]

    def lying(self) -> set[str]:
        """All cards that aren't hidden."""
        state = self.state
        lying = {*state["discard"], *(each["card"] for each in state["demand"])}
        lying.update(card for team in state["teams"] for topic in team["topics"] for card in topic["cards"])
        return lying | set(state["pending"]["cards"] if state["pending"] else ())

    def find(self, card: str) -> str:
        """The lowest hidden card of a topic; anything else as it is."""
        if card not in TOPICS:
            return card
        lying = self.lying()
        return next(found for found in self.cards if found.startswith(f"{card}-") and found not in lying)

    def _send(self, line: dict[str, Any]) -> Answer:
        line = {"at": self.now, **line}
        before = self.state
        answer = self._answer(line)
        assert "error" not in answer, (line, answer)
        return Answer(line, answer, before != self.balanced())

    def balanced(self) -> dict[str, Any]:
        """The state, whose cards and specialists are all there (X5.10)."""
        state = self.state
        lying, hands = len(self.lying()), sum(team["hand"] for team in state["teams"])
        assert state["draw_pile"] + hands + lying == len(self.cards), state
        helped = sum(topic["specialist"] for team in state["teams"] for topic in team["topics"])
        assert state["specialists"] + helped == 16, state
        return state

    def _hear(self, verdict: Verdict) -> str:
        HEARD.append(verdict)
        return ""

    def _answer(self, line: dict[str, Any]) -> dict[str, Any]:
        return json.loads(self.front.answer(json.dumps(line).encode()))

    def error(self, line: dict[str, Any]) -> str:
        """The sentence about a line that isn't valid, by which nothing changes."""
        before = self.state
        answer = self._answer({"at": self.now, **line})
        assert set(answer) == {"error", "line"}, answer
        assert self.state == before
        return answer["error"]


ACTIONS = (
    *("demand-new", "demand-replace", "swap", "to-streamer", "buy-users", "hire-specialist"),
    *("buy-server", "buy-streamer", "buy-net", "to-hand"),
)
NEEDING = ("demand-replace", "swap", "to-streamer", "hire-specialist", "to-hand")
"""The controls that may be given without their topics."""
