"""The virtual players of X.net: they finish games, carry through what they begin, and their cards lie where the
referee believes them to lie, whatever is broken off or taken back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement
from taptable.core.observations import ButtonPressed, CardsTogether, CardTapped, ControlUsed, Observation
from taptable.core.player import Push, Tap, UseControl
from taptable.core.verdicts import Accepted, Verdict
from taptable.games.xnet.announcements import ActionBrokenOff
from taptable.games.xnet.game import Xnet
from taptable.games.xnet.state import State
from taptable.referee.step import Table, legal_taps, open_table, step
from taptable.sim.evening import Evening, begin, observe, play

from games.xnet.table import Game, small

GAME = Xnet()


def evening(players: int = 3, seed: int = 1, manifest: str = "", **settings: str) -> Evening:
    return begin(GAME, Agreed(players, "standard", settings, 1, manifest), Random(seed))


def nothing(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
    """Nobody listens."""


def open_the_demand(played: Evening) -> None:
    """The first three cards of the pyramid."""
    while played.table.state.opening:
        deed = decided(played)
        assert isinstance(deed, Tap)
        observe(played, CardTapped(0, deed.card, deed.pad), nothing)


@pytest.mark.parametrize(("players", "manifest"), [(3, small()), (4, ""), (6, "")])
def test_they_play_a_game_to_its_end_without_a_refusal(players: int, manifest: str):
    said: list[Announcement] = []

    def listen(_before: Table, observation: Observation, verdict: Verdict, _after: Table) -> None:
        assert isinstance(verdict, Accepted), (observation, verdict)
        said.extend(verdict.announcements)

    played = evening(players, manifest=manifest, target_points="60")
    assert play(played, listen)
    outcome = GAME.outcome(played.table.state)
    assert outcome is not None
    assert outcome["by"] == "points"
    assert not [each for each in said if isinstance(each, ActionBrokenOff)]


def test_a_game_that_nobody_wins_is_ended_by_agreement():
    played = evening()
    open_the_demand(played)
    assert decided(played) != UseControl(1, "end-game")
    played.holdings = replace(played.holdings, turns=10_000)
    deed = decided(played)
    assert deed == UseControl(1, "end-game")
    observe(played, ControlUsed(0, "end-game"), nothing)
    outcome = GAME.outcome(played.table.state)
    assert outcome is not None
    assert outcome["by"] == "agreement"
    assert decided(played) is None


def decided(played: Evening, seat: int = 1):
    """What a seat wants to do."""
    return GAME.players.decide(played.table.state, played.holdings, seat)


def test_who_begins_presses_and_the_others_wait():
    state, _ = GAME.new_game(Agreed(3, "standard", {}, None), 0, None)
    holdings = GAME.players.deal(state, Random(5))
    deeds = [GAME.players.decide(state, holdings, seat) for seat in (1, 2, 3)]
    assert sorted(map(str, deeds)) == sorted(["None", "None", str(Push(holdings.youngest))])


def test_for_the_first_demands_the_draw_pile_is_turned_up_as_far_as_needed():
    played = evening()
    hand, pile = GAME.players.reachable(played.table.state, played.holdings, 2)
    assert hand.place == "hand"
    assert pile.cards == (played.holdings.pile[-1],)
    fair = GAME.players.fair(played.table.state, played.holdings, 2, legal_taps(played.table))
    assert set(fair) == {(pile.cards[0], "discard"), (pile.cards[0], "demand")}


def test_a_choice_is_made_among_the_cards_it_is_about():
    played = evening()
    open_the_demand(played)
    observe(played, ControlUsed(0, "swap"), nothing)
    hand, *others = GAME.players.reachable(played.table.state, played.holdings, 1)
    assert [heap.place for heap in others] == ["demand-1-1", "demand-2-1", "demand-3-1"]
    assert GAME.players.reachable(played.table.state, played.holdings, 2)[1:] == ()
    fair = GAME.players.fair(played.table.state, played.holdings, 1, legal_taps(played.table))
    assert {pad for _, pad in fair} == {"discard", "demand"}
    assert not {card for card, _ in fair} & set(hand.cards)


def test_who_cannot_bring_in_what_somebody_else_demanded_takes_it_back_and_breaks_it_off():
    game = Game()
    game.control("demand-replace", topic="music").accepted()
    game.demand("travel-1#1").accepted()
    for hand in (("travel-9#1", "sports-1#1"), ("sports-1#1",)):
        holdings = GAME.players.deal(game.front.table.state, Random(1)).with_hand(1, hand)
        assert GAME.players.decide(game.front.table.state, holdings, 1) == Push(1)
    game.demand("travel-9#1").accepted()
    assert game.turn["must_offer"] == "travel"
    holdings = GAME.players.deal(game.front.table.state, Random(1)).with_hand(1, ("sports-1#1",))
    assert GAME.players.decide(game.front.table.state, holdings, 1) == UseControl(1, "take-back")
    holdings = holdings.with_hand(1, ("sports-1#1", "travel-3#1"))
    assert GAME.players.decide(game.front.table.state, holdings, 1) == Tap(1, "travel-3#1", 1)


def test_a_blunder_is_refused():
    played = evening(seed=3)
    rng = Random(3)
    for _ in range(40):
        deed = decided(played, played.table.state.turn.seat)
        if isinstance(deed, Tap):
            observe(played, CardTapped(played.now_us, deed.card, deed.pad), nothing)
        elif isinstance(deed, UseControl):
            observe(played, ControlUsed(played.now_us, deed.control, deed.fields), nothing)
        else:
            observe(played, ButtonPressed(played.now_us, played.table.state.turn.seat, played.now_us), nothing)
        blunder = GAME.players.blunder(played.table.state, played.holdings, 1, rng)
        if blunder is not None:
            _, verdict = step(played.table, CardTapped(played.now_us, blunder.card, blunder.pad))
            assert not isinstance(verdict, Accepted)


def gesture(table: Table, holdings: object, rng: Random, at_us: int) -> Observation:
    """What people might do, slips included."""
    state: State = table.state
    seat = state.turn.seat if state.turn else 2
    fair = GAME.players.fair(state, holdings, seat, legal_taps(table))
    controls = GAME.legal_controls(state)
    match rng.choices(range(6), (8, 4, 2, 1.5, 1, 1))[0]:
        case 0 if fair:
            return CardTapped(at_us, *rng.choice(fair))
        case 1 if controls:
            name, fields = rng.choice(controls)
            bare = name not in ("demand-new", "buy-users") and rng.random() < 0.5
            return ControlUsed(at_us, name, () if bare else fields)
        case 2:
            return ButtonPressed(at_us, seat, at_us)
        case 3:
            return ControlUsed(at_us, "take-back")
        case 4 if table.past is not None and isinstance(table.past.observation, CardTapped):
            tap = table.past.observation
            return CardsTogether(at_us, (tap.card, "another"), tap.pad, tap.at_us)
        case _:
            return ControlUsed(at_us, rng.choice(("reshuffle", "pause", "resume", "resume")))


@pytest.mark.parametrize("seed", range(4))
def test_the_cards_lie_where_the_referee_believes_whatever_is_broken_off_or_taken_back(seed: int):
    rng = Random(seed)
    table, _ = open_table(GAME, Agreed(3, "standard", {"target_points": "40"}, None, small()))
    holdings = GAME.players.deal(table.state, rng)
    for number in range(300):
        observation = gesture(table, holdings, rng, number * 100_000)
        before = table
        table, verdict = step(table, observation)
        accepted = isinstance(verdict, Accepted)
        holdings = GAME.players.settle(before.state, table.state, observation, accepted, holdings, rng)
        assert GAME.players.disagreement(table.state, holdings) is None
        assert GAME.players.lying(holdings) == GAME.lying(table.state)
