"""The example at the end of the rules page, to the letter."""

from __future__ import annotations

from games.xnet.table import Game


def test_the_page_s_example():
    game = Game(3, starter=1, opening=())
    assert [game.hand(seat) for seat in (1, 2, 3)] == [5, 5, 6]
    assert game.state["draw_pile"] == 200
    for card in ("art-1#1", "music-5#1", "news-9#1"):
        game.tap(card, "demand").accepted()
    assert (game.seat, game.hand(1), game.state["draw_pile"]) == (1, 10, 192)
    game.tap("music-2#1", 1).accepted()
    game.tap("music-3#1", 1).accepted()
    game.tap("music-4#1", 1).refused("X3.7", "needs-specialist")
    game.control("buy-users", users=2).accepted()
    game.tap("music-4#1", "discard").accepted()
    game.tap("music-6#1", "discard").accepted()
    assert (game.team(1)["users"], game.hand(1)) == (2, 6)
    game.press(1).accepted()
    game.press(2).accepted()
    scored = game.press(3).accepted().announcement("scored")
    assert scored == {
        "seat": 1,
        "points": 4,
        "topics": [{"topic": "music", "level": 2, "users": 2, "points": 4}],
    }
    assert game.team(1)["points"] == 4
