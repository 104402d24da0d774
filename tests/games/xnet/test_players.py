"""The virtual players of X.net: they finish games, and complete what they begin."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from taptable.core.errors import RefereeError
from taptable.core.game_options import GameOptions
from taptable.core.player import Push, Tap, TapControl
from taptable.games.xnet.game import Xnet
from taptable.referee.step import open_table

from games.at_the_table import Round
from games.xnet.table import Game

GAME = Xnet()


def begun(players: int = 3, starter: int | None = 1, manifest: str = "", **settings: str) -> Round:
    table, _ = open_table(GAME, GameOptions(players, "standard", settings, starter, manifest))
    return Round(GAME, table, GAME.players.deal(table.state, Random(1)), Random(1), ())


def opened() -> Round:
    """Return a game with the first three cards of the pyramid laid."""
    played = begun()
    while played.table.state.opening:
        action = played.decide(1)
        assert isinstance(action, Tap)
        played.tap(action.card, action.pad)
    return played


def test_a_game_that_nobody_wins_is_ended_by_agreement():
    played = opened()
    assert played.decide(1) != TapControl(1, "end-game")
    played.truth = replace(played.truth, turns=10_000)
    assert played.decide(1) == TapControl(1, "end-game")
    played.control("end-game")
    assert (GAME.outcome(played.table.state) or {})["by"] == "agreement"
    assert played.decide(1) is None


def test_who_begins_presses_and_the_others_wait():
    played = begun(starter=None)
    youngest = played.truth.youngest
    assert {seat: played.decide(seat) for seat in (1, 2, 3)} == {1: None, 2: None, 3: None, youngest: Push(youngest)}


def test_for_the_first_demands_the_draw_pile_is_turned_up_as_far_as_needed():
    played = begun()
    assert played.places(2) == ["hand", "draw-pile"]
    top = played.truth.pile[-1]
    assert played.fair(2) == {(top, "discard"), (top, "demand")}


def test_a_card_of_a_hand_that_is_taken_for_a_first_demand_is_in_that_hand_no_more():
    played = begun()
    card = played.truth.hand(2)[0]
    with pytest.raises(RefereeError, match=r"hands \[5, 5, 6\] and pile 199 believed, \[5, 4, 6\] and 200 there"):
        played.tap(card, "discard")


def test_a_choice_is_made_among_the_cards_it_is_about():
    played = opened()
    played.control("swap")
    assert played.places(1) == ["hand", "demand-1-1", "demand-2-1", "demand-3-1"]
    assert played.places(2) == ["hand"]
    assert {pad for _, pad in played.fair(1)} == {"discard", "demand"}
    assert not {card for card, _ in played.fair(1)} & set(played.truth.hand(1))


def test_who_cannot_bring_in_what_somebody_else_demanded_takes_it_back_and_breaks_it_off():
    game = Game()

    def wants(*hand: str) -> object:
        truth = GAME.players.deal(game.front.table.state, Random(1))
        truth.put_hand(1, hand)
        return GAME.players.decide(game.front.table.state, truth, 1)

    game.control("demand-replace", topic="music").accepted()
    game.demand("travel-1#1").accepted()
    assert wants("travel-9#1", "sports-1#1") == wants("sports-1#1") == Push(1)
    game.demand("travel-9#1").accepted()
    assert game.turn["must_offer"] == "travel"
    assert wants("sports-1#1") == TapControl(1, "take-back")
    assert wants("sports-1#1", "travel-3#1") == Tap(1, "travel-3#1", 1)
