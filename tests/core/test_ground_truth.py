"""The ground truth of virtual players across undone taps."""

from __future__ import annotations

from random import Random

from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardsTogether, CardTapped
from tiny.game import Tiny
from tiny.players import TinyPlayers
from tiny.rules import State


def test_cards_that_came_together_go_back_to_before_the_tap_though_a_press_followed_it():
    game: Game[State] = Tiny()
    players, rng = TinyPlayers(game.play), Random(1)
    state, _ = game.new_game(GameOptions(2, "standard", {}, 1), 0, None)
    dealt = players.deal(state, rng)
    card, truth, now = dealt.hand(1)[0], dealt, state
    for observation in (CardTapped(100, card, 1), ButtonPressed(150, 2, 150)):
        played = game.play(now, observation)
        assert isinstance(played, tuple)
        truth = players.settle(now, played[0], observation, True, truth, rng)
        now = played[0]
    assert truth.hand(1) != dealt.hand(1)
    together = CardsTogether(200, (card, "blue#3"), 1, since_us=100)
    assert players.settle(now, state, together, False, truth, rng) == dealt
