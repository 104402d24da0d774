"""The rules of Colours, one test for each number, in the referee's own lines."""

from __future__ import annotations

import json
from typing import Any

from taptable.core.game_options import GameOptions
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.step import open_table
from taptable.words import Words

from tiny.game import Tiny


class Played:
    """A game that is played in lines; each line is a second later."""

    def __init__(self, players: int = 2, starter: int | None = 1, **rules: str) -> None:
        table, _ = open_table(Tiny(), GameOptions(players, "standard", rules, starter))
        self.front = JsonlReferee(table, Words("en", ("tiny",)).verdict)
        self.at = 0

    def tell(self, **line: object) -> dict[str, Any]:
        self.at += 1
        return json.loads(self.front.answer(json.dumps({"at": self.at, **line}).encode()))

    def tap(self, card: str, pad: int) -> tuple[str, str | None]:
        answer = self.tell(tap=card, pad=pad)
        return answer["verdict"], answer.get("code")

    def show(self, topic: str = "state") -> dict[str, Any]:
        return json.loads(self.front.answer(json.dumps({"show": topic}).encode()))


def test_c1_two_cards_each_and_the_youngest_begins():
    game = Played(3, None)
    assert game.tap("red#1", 1) == ("refused", "waiting-for-youngest")
    assert [team["hand"] for team in game.show()["teams"]] == [2, 2, 2]
    assert game.tell(press=2)["announcements"] == [{"type": "turn-began", "seat": 2, "drawn": 1}]
    assert game.tap("purple#1", 2) == ("fault", "unknown-card")


def test_c2_who_is_on_turn_draws_and_lays_one_card_on_the_own_pad():
    game = Played()
    assert game.tap("red#1", 2) == ("refused", "not-on-turn")
    assert game.tap("red#1", 1) == ("accepted", None)
    state = game.show()
    assert (state["turn"]["seat"], state["draw_pile"]) == (2, 6)
    assert [(team["row"], team["hand"]) for team in state["teams"]] == [(["red#1"], 2), ([], 3)]
    assert game.tap("red#1", 1) == ("ignored", "already-there")
    assert game.tap("red#1", 2) == ("refused", "lies-elsewhere")


def test_c2_a_tap_is_that_of_the_pads_player_and_in_the_centre_of_who_is_on_turn():
    table = Played(3).front.table
    assert [table.game.who_taps(table.state, "red#1", pad) for pad in table.game.pads(table.state)] == [1, 2, 3, 1]


def test_c3_the_colour_laid_just_before_is_refused_until_somebody_passes():
    game = Played()
    game.tap("red#1", 1)
    assert game.tap("red#2", 2) == ("refused", "same-colour")
    assert ["red#2", 2] not in game.show("legal")["legal"]
    assert game.tell(press=2)["say"] == "Seat 2 passes: any colour goes. Seat 1 is on turn and draws 1 card."
    assert game.tap("red#2", 1) == ("accepted", None)


def test_c4_the_first_to_have_laid_enough_cards_has_won():
    game = Played(cards_to_win="2")
    for card, seat in (("red#1", 1), ("blue#1", 2)):
        game.tap(card, seat)
    assert game.tell(tap="red#2", pad=1)["say"].endswith("All cards are laid. Victory for seat 1!")
    assert game.show()["outcome"]["ranking"] == [
        {"seats": [1], "cards": 2, "place": 1},
        {"seats": [2], "cards": 1, "place": 2},
    ]
    assert game.tap("green#1", 2) == ("refused", "game-over")


def test_c4_ended_by_agreement_those_with_the_most_cards_have_won():
    game = Played(3)
    game.tap("red#1", 1)
    game.tap("blue#1", 2)
    ended = game.tell(control="end-game")["announcements"]
    assert ended == [{"type": "game-ended", "winner": [1, 2], "by": "agreement"}]
