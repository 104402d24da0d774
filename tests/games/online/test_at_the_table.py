"""The cards within reach of people at the table, and the taps that are theirs to make, which the referee can't see:
`fair` never names a tap that would count as another player's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from taptable.core.errors import RefereeError
from taptable.core.game_options import GameOptions
from taptable.core.observations import TableCorrected
from taptable.games.online.game import Online
from taptable.referee.step import open_table

from games.at_the_table import Round

GAME = Online()
PLAYERS = GAME.players


def begun(players: int, *hands: Sequence[str]) -> Round:
    """Return a game that seat 1 begins; the first hands begin with these cards."""
    table, _ = open_table(GAME, GameOptions(players, "de", {}, 1))
    truth = PLAYERS.deal(table.state, Random(1))
    for seat, cards in enumerate(hands, 1):
        for index, card in enumerate(cards):
            there = truth.hand(seat)[index]
            swapped = {card: there, there: card}
            truth = replace(
                truth,
                hands=tuple(tuple(swapped.get(held, held) for held in hand) for hand in truth.hands),
                pile=tuple(swapped.get(lying, lying) for lying in truth.pile),
            )
    return Round(GAME, table, truth, Random(1), ())


def test_r5_5_the_own_category_rows_are_in_reach_for_a_backup():
    game = begun(2, ["online#1", "email#1"])
    assert game.places(1) == ["hand"]
    game.tap("online#1")
    game.tap("email#1")
    assert game.places(1) == ["hand", "email"]
    assert game.places(2) == ["hand"]


def test_r8_1_a_search_opens_the_draw_pile_one_of_each_kind_and_closes_the_hand():
    game = begun(2, ["search#1", "online#1"])
    game.tap("search#1")
    assert game.places(1) == ["hand", "draw-pile"]
    pile = PLAYERS.reachable(game.table.state, game.truth, 1)[1].cards
    assert len({card.partition("#")[0] for card in pile}) == len(pile)
    assert {card for card, _ in game.fair(1)} <= set(pile)
    assert ("online#1", 1) in GAME.legal_taps(game.table.state)


def test_r7_7_a_hack_opens_what_lies_on_the_table():
    game = begun(2, ["online#1", "hacker#1"], ["online#2"])
    game.tap("online#1")
    game.press(1)
    game.tap("online#2", 2)
    game.press(2)
    game.tap("hacker#1")
    assert game.fair(1) == set()
    game.wait(10)
    assert game.places(1) == ["hand", "connection", "connection", "discard-pile"]
    assert game.fair(1) == {("online#2", "discard")}
    assert game.fair(2) == set()


def test_out_of_turn_nothing_is_fair_but_repairs_and_the_patrol():
    game = begun(3, ["online#1", "hacker#1"], ["online#2", "cyber-patrol#1", "virus#1", "antivirus#1"])
    assert game.fair(2) == set()
    game.tap("online#1")
    game.press(1)
    game.tap("online#2", 2)
    game.tap("virus#1", 1)
    assert all(pad == 1 for _, pad in game.fair(1))
    assert all(card.startswith("antivirus") for card, _ in game.fair(1))
    assert not any(pad == 1 and card.startswith("antivirus") for card, pad in game.fair(2))


def test_r7_2_in_a_window_only_the_patrol_on_the_own_pad_is_fair():
    game = begun(3, ["hacker#1"], ["cyber-patrol#1"])
    game.tap("hacker#1")
    assert game.fair(1) == set()
    assert game.fair(2) == {("cyber-patrol#1", 2)}
    assert game.fair(3) == set()


def test_r3_1_the_8th_card_is_drawn_unseen_and_counts_once_played():
    game = begun(2, ["online#1"])
    assert PLAYERS.must_first(game.table.state, game.truth, 1) is None
    assert game.draw(1)
    assert not game.draw(1)
    assert len(game.truth.hand(1)) == 8
    assert PLAYERS.must_first(game.table.state, game.truth, 1) == "play-or-discard"
    assert PLAYERS.disagreement(game.table.state, game.truth) is None
    game.tap("online#1")
    assert (len(game.truth.hand(1)), len(game.truth.pile)) == (7, 97)
    assert PLAYERS.must_first(game.table.state, game.truth, 1) is None


def taken_for_another(first: str, *, pile: int = 98) -> Round:
    """Return a game in which seat 1 is on turn and the table takes a card of seat 2 for the first one that seat 1
    plays. Everybody sees that, and the hands are counted. The draw pile has `pile` cards."""
    game = begun(2, ["turbo-line#1", "extra-memory#1", "online#1"], [first])
    if pile == 0:
        state = replace(game.table.state, draw_pile=0, discard=game.truth.pile)
        game.table = replace(game.table, state=state)
        game.truth = replace(game.truth, pile=(), discard=game.truth.pile)
    with pytest.raises(RefereeError, match=r"hands \(7, 7\)" if pile else r"hands \(6, 7\)"):
        game.tap(first)
    game.observe_accepted(TableCorrected(game.now_us + 1_000_000, (), (), ((1, 7), (2, 6))))
    assert len(game.truth.hand(1)) == 7
    return game


@pytest.mark.parametrize(
    ("first", "over_s"), [("online#2", 0), ("extra-memory#2", 0), ("hacker#1", 10), ("search#1", 0)]
)
def test_r3_6_who_is_on_turn_leaves_the_8th_card_that_counts_as_drawn_with_another_players_card(
    first: str, over_s: int
):
    game = taken_for_another(first)
    if over_s:
        game.wait(over_s)
    if game.table.state.pending is not None:
        game.press(1)
    game.tap("extra-memory#1" if first.startswith("online") else "online#1")
    assert (len(game.truth.hand(1)), len(game.truth.pile)) == (6, 98)
    game.press(1)
    game.press(2)
    # in another turn it is drawn again
    game.tap("turbo-line#1")
    assert len(game.truth.hand(1)) == 7


def test_r3_6_a_card_of_the_pile_that_is_taken_for_one_of_a_hand_counts_as_the_8th():
    game = begun(2, ["extra-memory#1"])
    one_of_the_pile = next(card for card in game.truth.pile if card.startswith("online"))
    game.tap(one_of_the_pile)
    game.tap("extra-memory#1")
    assert (len(game.truth.hand(1)), len(game.truth.pile)) == (6, 97)


def test_r9_2_the_8th_card_that_an_empty_pile_lacked_is_drawn_when_it_is_shuffled():
    game = taken_for_another("online#2", pile=0)
    game.control("reshuffle")
    assert len(game.truth.hand(1)) == 8
    game.tap("extra-memory#1")
    assert len(game.truth.hand(1)) == 7


def test_r3_1_once_another_players_card_is_taken_back_the_8th_card_is_drawn():
    game = begun(2, ["online#1"], ["online#2"])
    with pytest.raises(RefereeError):
        game.tap("online#2")
    game.control("take-back")
    game.tap("online#1")
    assert len(game.truth.hand(1)) == 7


def test_a_move_of_before_a_power_cut_can_be_taken_back():
    game = begun(2, ["online#1"])
    game.tap("online#1")
    game.truth = PLAYERS.deal(game.table.state, Random(2))
    game.control("take-back")
    assert game.truth.rows == ((((),) * 6),) * 2
