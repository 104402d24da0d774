"""The words for tests of every game: a table that gets lines, as `taptable referee` does, and answers with their
expected verdicts as methods. This module tells no game from another."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, ClassVar, Self

from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import Observation, TableCorrected
from taptable.core.verdicts import Verdict
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.lines import answer_line, observation_line
from taptable.referee.step import Table, open_table, step
from taptable.words import Words


class Answer:
    """One answer of the referee, the options of its game, and whether the public state has changed."""

    def __init__(self, game_options: GameOptions, line: dict[str, Any], answer: dict[str, Any], changed: bool) -> None:
        self.game_options = game_options
        self.line = line
        self.answer = answer
        self.changed = changed

    def accepted(self) -> Answer:
        assert self.answer["verdict"] == "accepted", self
        return self

    def refused(self, rule: str, code: str | None = None) -> Answer:
        """Expect a refusal by this rule and no change."""
        return self._unchanged("refused", rule, code)

    def ignored(self, rule: str, code: str | None = None) -> Answer:
        """Expect that it is ignored by this rule, with no change."""
        return self._unchanged("ignored", rule, code)

    def fault(self) -> Answer:
        """Expect a card of no deck and no change."""
        return self._unchanged("fault", None, "unknown-card")

    def announcement(self, kind: str) -> dict[str, Any]:
        """Return the only announcement of this type, without its type."""
        found = [announcement for announcement in self.answer["announcements"] if announcement["type"] == kind]
        assert len(found) == 1, self
        return {key: value for key, value in found[0].items() if key != "type"}

    @property
    def types(self) -> list[str]:
        return [announcement["type"] for announcement in self.answer["announcements"]]

    def _unchanged(self, verdict: str, rule: str | None, code: str | None) -> Answer:
        assert self.answer["verdict"] == verdict, self
        assert rule in (None, self.answer["rule"]), self
        assert code in (None, self.answer["code"]), self
        assert not self.changed, self
        return self

    def __repr__(self) -> str:
        return f"{self.game_options}: {json.dumps(self.line)} -> {json.dumps(self.answer)}"


class Played:
    """A game in progress; `heard` has its verdicts. Time stands still until `wait`. A card is an exact id, or a kind:
    its next hidden card."""

    listeners: ClassVar[list[Callable[[Verdict], object]]] = []
    """Callbacks for the verdicts of all games."""

    def __init__(
        self,
        game: Game[Any],
        players: int,
        starter: int | None,
        settings: Mapping[str, object],
        *,
        edition: str | None = None,
        manifest: str = "",
        words: Words | None = None,
    ) -> None:
        texts = {key: str(value) for key, value in settings.items()}
        edition = game.editions[0] if edition is None else edition
        table, _ = open_table(game, GameOptions(players, edition, texts, starter, manifest))
        self.cards = game.pack(manifest).cards
        self.verdicts: list[Verdict] = []
        self.words = words
        self.front = JsonlReferee(table, self._hear, words.language if words else "en")
        self.now = 0.0
        self._shown: tuple[Table | None, dict[str, Any]] = (None, {})

    # what players do

    def tap(self, card: str, pad: int | str | None = None) -> Answer:
        """Tap a card, by default on the pad of the seat on turn. Check that a tap is accepted exactly if it is listed
        as legal."""
        legal = self.legal
        answer = self._tap(card, pad)
        listed = [answer.line["tap"], answer.line["pad"]] in legal
        assert listed == (answer.answer["verdict"] == "accepted"), answer
        return answer

    def discard(self, card: str) -> Answer:
        return self.tap(card, "discard")

    def hold(self, card: str, pad: int | str | None = None) -> Answer:
        return self._send(hold=self.find(card), pad=self.seat if pad is None else pad)

    def press(self, seat: int | None = None, pressed_at: float | None = None, uncertainty: float = 0) -> Answer:
        line: dict[str, Any] = {"press": self.seat if seat is None else seat}
        if pressed_at is not None:
            line["pressed_at"] = pressed_at
        if uncertainty:
            line["uncertainty_s"] = uncertainty
        return self._send(**line)

    def control(self, name: str, **fields: object) -> Answer:
        """Use a control. If it is ever listed as legal, check that it is accepted exactly if it is listed now."""
        line = {"control": name, **fields}
        listed = line in self.controls
        answer = self._send(**line)
        assert listed == (self.is_ever_listed(line) and answer.answer["verdict"] == "accepted"), answer
        return answer

    def is_ever_listed(self, control: dict[str, object]) -> bool:
        """Return whether a control in this form is among those that are listed when they are legal."""
        del control
        return False

    def tell(self, make: Callable[[int], Observation]) -> Answer:
        """Observe something that no line of the referee can express."""
        told = make(round(self.now * 1e6))
        before = self.state
        self.front.table, verdict = step(self.front.table, told)
        self._hear(verdict)
        return self._answer(observation_line(told), answer_line(told.at_us, verdict), before)

    def correct_table(
        self,
        *laid: tuple[str, int | str],
        gone: tuple[str, ...] = (),
        hands: tuple[tuple[int, int], ...] = (),
        counts: tuple[tuple[int, str, int], ...] = (),
    ) -> Answer:
        """Observe the result of a check of the table."""
        return self.tell(lambda at_us: TableCorrected(at_us, laid, gone, hands, counts))

    def wait(self, seconds: float) -> Answer:
        """Let time pass."""
        self.now = round(self.now + seconds, 6)
        return self._send()

    def until(self, moment: float) -> Answer:
        """Let time pass until this table time."""
        return self.wait(moment - self.now)

    # what they do in passing, all of it accepted

    def play(self, *cards: str, pad: int | str | None = None) -> None:
        """Tap cards, by default on the pad of the seat on turn."""
        for card in cards:
            self._tap(card, pad).accepted()

    def stop(self) -> Answer:
        """End the turn of the seat on turn."""
        return self.press().accepted()

    def advance_to(self, seat: int) -> Answer | None:
        """Let turns pass until this seat is on turn; return the answer that began its turn."""
        answer = None
        while self.seat != seat:
            answer = self.stop()
        return answer

    def next_turn_of(self, seat: int) -> Answer:
        """Begin a new turn of this seat; return the answer that began it."""
        answer = self.stop()
        return self.advance_to(seat) or answer

    def seats_on_turn(self, turns: int) -> list[int]:
        """Return the seat on turn and those of the turns that follow; this number of turns pass."""
        seats: list[int] = []
        for _ in range(turns):
            seats.append(self.seat)
            self.stop()
        return seats

    def fork(self) -> Self:
        """Return a copy of the game, to be continued in another way."""
        other = copy(self)
        other.verdicts = [*self.verdicts]
        other.front = JsonlReferee(self.front.table, other._hear, self.words.language if self.words else "en")
        return other

    # what is to be seen

    @property
    def state(self) -> dict[str, Any]:
        of, shown = self._shown
        if of is not self.front.table:
            self._shown = (self.front.table, shown := self.line({"show": "state"}))
        return shown

    @property
    def legal(self) -> list[list[str | int]]:
        return self.line({"show": "legal"})["legal"]

    @property
    def controls(self) -> list[dict[str, Any]]:
        """Return the legal controls that are the game's own."""
        return self.line({"show": "legal"}).get("controls", [])

    @property
    def seat(self) -> int:
        """Return the seat on turn."""
        return self.state["turn"]["seat"]

    @property
    def players(self) -> int:
        return self.front.table.game_options.players

    @property
    def button_actions(self) -> tuple[str | None, ...]:
        """Return the action of each seat's button."""
        return self.front.table.game.button_actions(self.front.table.state)

    def team(self, seat: int) -> dict[str, Any]:
        return next(team for team in self.state["teams"] if seat in team["seats"])

    @property
    def visible_cards(self) -> set[str]:
        """Return all cards that aren't hidden, the lost ones included."""
        game, state = self.front.table.game, self.front.table.state
        return {card for zone in game.layout(state) for card in zone.cards} | {*game.scoreboard(state).lost}

    def find(self, card: str) -> str:
        """Return the id of the lowest hidden card of a kind; any other text unchanged."""
        of_kind = [found for found in self.cards if self.kind_of(found) == card]
        lying = self.visible_cards if of_kind else ()
        return next(found for found in of_kind if found not in lying) if of_kind else card

    def kind_of(self, card: str) -> str:
        return card.partition("#")[0]

    def line(self, line: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to any line, valid or not."""
        return json.loads(self.front.answer(json.dumps(line).encode()))

    def error(self, line: dict[str, Any]) -> str:
        """Return the error of an invalid line, and check that it changes nothing."""
        before = self.state
        answer = self.line({"at": self.now, **line})
        assert set(answer) == {"error", "line"}, answer
        assert self.state == before
        return answer["error"]

    def _tap(self, card: str, pad: int | str | None) -> Answer:
        return self._send(tap=self.find(card), pad=self.seat if pad is None else pad)

    def _send(self, **line: object) -> Answer:
        line = {"at": self.now, **line}
        before = self.state
        answer = self.line(line)
        assert "error" not in answer, (line, answer)
        return self._answer(line, answer, before)

    def _answer(self, line: dict[str, Any], answer: dict[str, Any], before: dict[str, Any]) -> Answer:
        self._check_counts()
        return Answer(self.front.table.game_options, line, answer, before != self.state)

    def _check_counts(self) -> None:
        """Check that no card is gained or lost."""
        scoreboard = self.front.table.game.scoreboard(self.front.table.state)
        held = [count.have for hand in scoreboard.hands for count in hand]
        piles = [count.have for count in scoreboard.stock if count.name.endswith("-pile")]
        assert sum(held) + sum(piles) + len(self.visible_cards) == len(self.cards)

    def _hear(self, verdict: Verdict) -> str:
        for hear in (self.verdicts.append, *self.listeners):
            hear(verdict)
        return self.words.verdict(verdict) if self.words else ""
