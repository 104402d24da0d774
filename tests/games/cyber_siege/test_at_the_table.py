"""The cards within reach of people at the table, the taps that are theirs to make, and the choices of virtual players;
their cards follow the moves and agree with the referee's belief."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from taptable.core.game_options import GameOptions
from taptable.core.player import Push, Tap, TapControl
from taptable.games.cyber_siege import policy
from taptable.games.cyber_siege.announcements import SetTakenBack
from taptable.games.cyber_siege.game import CyberSiege
from taptable.games.cyber_siege.ground_truth import CyberSiegeTruth
from taptable.referee.step import open_table
from taptable.sim import simulation

from games.at_the_table import Round

GAME = CyberSiege()
PLAYERS = GAME.players


def begun(players: int, *hands: Sequence[str], starter: int | None = 1, **settings: str) -> Round:
    """Return a game in which the first hands have these cards, each 5 red ones and 2 set cards in all."""
    table, _ = open_table(GAME, GameOptions(players, "standard", settings, starter))
    truth = PLAYERS.deal(table.state, Random(1))
    for seat, cards in enumerate(hands, 1):
        for card in cards:
            if card in truth.hand(seat):
                continue
            same = [held for held in truth.hand(seat) if truth.is_red(held) == truth.is_red(card)]
            truth = _swapped(truth, card, next(held for held in same if held not in cards))
    return Round(GAME, table, truth, Random(1), ())


def _swapped(truth: CyberSiegeTruth, one: str, other: str) -> CyberSiegeTruth:
    swapped = {one: other, other: one}

    def put(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(swapped.get(card, card) for card in cards)

    return replace(
        truth,
        hands=tuple(map(put, truth.hands)),
        pile=put(truth.pile),
        purple_pile=put(truth.purple_pile),
    )


SET_1 = ("set-1#1", "1.1#1", "1.2#1", "1.3#1", "1.4#1")

# what is theirs to do


def test_a_player_on_turn_may_draw_once_from_one_of_the_piles():
    table = begun(2, ("1.3#1",))
    assert table.places(1) == ["hand"]
    table.tap("1.3#1", "discard")
    assert (table.places(1), table.places(2)) == (["hand"], ["hand", "discard-pile"])
    assert ("1.3#1", 2) in table.fair(2)
    assert not table.draw(1)
    assert table.draw(2)
    assert not table.draw(2)
    assert table.places(2) == ["hand"]
    assert ("1.3#1", 2) not in table.fair(2)


def test_only_the_player_on_turn_has_taps_and_in_an_attack_only_the_defender():
    table = begun(3, ("1.1#1",), ("1.3#1", "2.3#1"))
    assert table.fair(2) == set()
    table.tap("1.1#1", "discard")
    assert table.fair(1) == table.fair(2) == set()
    table.press(1)
    admins = {(card, 2) for card in table.truth.hand(2) if card.startswith(("admin", "1.4"))}
    assert table.fair(2) == {("1.3#1", 2)} | admins
    assert table.fair(1) == table.fair(3) == set()
    assert not table.draw(2)


# where the cards are


def test_the_cards_of_a_set_lie_before_its_player_then_on_the_discard_pile():
    table = begun(2, SET_1)
    for card in SET_1[:3]:
        table.tap(card)
    assert table.truth.layout() == GAME.layout(table.table.state)
    zones = {(zone.place, zone.seats): zone.cards for zone in table.truth.layout()}
    assert zones["laying", (1,)] == SET_1[:3]
    for card in SET_1[3:]:
        table.tap(card)
    zones = {(zone.place, zone.seats): zone.cards for zone in table.truth.layout()}
    assert (zones["sets", (1,)], zones["discard-pile", ()]) == (("set-1#1",), SET_1[1:])
    assert table.truth.layout() == GAME.layout(table.table.state)


# what they want


def test_a_set_that_is_complete_is_laid():
    table = begun(2, SET_1)
    laid = Counter[str]()
    while table.truth.laid[0] == ():
        action = table.decide(1)
        assert isinstance(action, Tap)
        laid[action.card] += 1
        table.tap(action.card, action.pad)
    assert laid.total() == 5


def test_the_top_of_the_discard_pile_is_taken_if_it_completes_a_set():
    table = begun(2, ("1.4#1", "2.1#1"), (*SET_1[:4], "2.2#1", "2.2#2", "set-4#1"))
    table.tap("1.4#1", "discard")
    assert table.decide(2) == Tap(2, "1.4#1", 2)


def test_an_attack_is_defended_if_there_is_a_defence():
    table = begun(2, ("1.1#1",), ("1.3#1", "2.3#1"))
    table.tap("1.1#1", "discard")
    assert table.decide(1) in (Push(1), None)
    table.press(1)
    action = table.decide(2)
    assert isinstance(action, Tap)
    assert action.card.startswith(("1.3", "1.4"))
    assert table.decide(1) is None


def test_nobody_risks_to_give_the_last_point_away():
    table = begun(2, ("1.1#1",))
    table.control("correct", seat=2, one_points=15)
    table.tap("1.1#1", "discard")
    assert table.decide(1) == TapControl(1, "spare")


def test_an_empty_red_pile_is_reshuffled():
    table = begun(2, ("1.3#1", "2.3#1"), ("set-4#1", "set-4#2"))
    table.control("correct", seat=1, red=68)
    table.tap("1.3#1", "discard")
    assert table.decide(2) == TapControl(2, "reshuffle")
    table.control("reshuffle")
    assert table.truth.pile == ("1.3#1",)


def test_a_game_without_an_end_is_ended():
    table = begun(2)
    table.truth = replace(table.truth, turns=policy.LONG_GAME + 1)
    assert table.decide(1) == TapControl(1, "end-game")


def test_every_figure_and_milestone_occurs_in_a_game():
    announced = {type(each) for each in _evening()}
    assert {figure.announcement for figure in GAME.figures} - announced <= {
        SetTakenBack
    }  # nobody has to break a set off
    assert set(GAME.milestones) <= announced
    for figure in GAME.figures:
        assert figure.seat in figure.announcement.__dataclass_fields__


def _evening() -> list[object]:
    said: list[object] = []
    for seed in (1, 2, 5):
        played = simulation.new_simulation(GAME, GameOptions(4, "standard", {}, None), Random(seed))
        simulation.play(played, lambda _b, _o, verdict, _a: said.extend(verdict.announcements))
    return said
