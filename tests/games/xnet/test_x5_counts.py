"""Chapter 5, the table's counts: inferred hands, and the places of cards (X5.8, X5.9)."""

from __future__ import annotations

from games.xnet.table import Game


def test_x5_8_at_0_no_hidden_card_can_be_tapped():
    game = Game()
    game.play("music", "music", "art", "art")
    game.buy("buy-streamer", "travel", "travel", "travel")
    game.buy("buy-users", "music", "music", users=2)
    game.buy("hire-specialist", "travel", topic="music")
    assert game.hand(1) == 0
    game.tap("music", 1).refused("X5.8", "hand-used-up")
    game.demand("travel").refused("X5.8", "hand-used-up")
    game.discard("travel").refused("X5.8", "hand-used-up")
    game.tap("music", 2).refused("X2.1", "not-on-turn")
    game.tap("music-1#1", 1).ignored("X5.9", "already-there")
    game.control("to-streamer").accepted()
    game.tap("music-1#1", 1).accepted()


def test_x5_9_a_card_tapped_where_it_lies_is_ignored_elsewhere_refused():
    game = Game()
    game.play("music")
    game.buy("buy-users", "travel-1#1", "music", users=1)
    for card, at in (("art-1#1", "demand"), ("music-1#1", 1), ("travel-1#1", "discard")):
        for pad in (1, 2, 3, "discard", "demand"):
            answer = game.tap(card, pad)
            if pad == at:
                answer.ignored("X5.9", "already-there")
            else:
                answer.refused("X5.9", "lies-elsewhere")


def test_x5_9_pending_cards_lie_on_the_pad_they_were_tapped_on():
    game = Game()
    game.play("music")
    game.control("buy-server").accepted()
    game.discard("travel-1#1").accepted()
    game.discard("travel-1#1").ignored("X5.9", "already-there")
    game.demand("travel-1#1").refused("X5.9", "lies-elsewhere")
    game.tap("travel-1#1", 1).refused("X5.9", "lies-elsewhere")
    game.press().accepted()
    game.control("demand-replace", topic="music").accepted()
    game.demand("travel-1#1").accepted()
    game.demand("travel-1#1").ignored("X5.9", "already-there")
    game.discard("travel-1#1").ignored("X5.9", "already-there")
    game.tap("travel-1#1", 1).refused("X5.9", "lies-elsewhere")
