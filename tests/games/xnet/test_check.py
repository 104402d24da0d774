"""*Check the table* for X.net: topics and hands as the players find them, and the table's belief about places."""

from __future__ import annotations

from games.xnet.table import OPENING, Game


def test_a_card_that_lies_there_is_added_and_the_draw_pile_is_what_is_left():
    game = Game()
    game.play("music")
    pile = game.state["draw_pile"]
    game.correct_table(("music-9#1", 1), ("art-3#1", 2)).accepted()
    assert game.topic(1, "music")["cards"] == ["music-1#1", "music-9#1"]
    assert game.topic(2, "art")["cards"] == ["art-3#1"]
    assert game.state["draw_pile"] == pile - 2


def test_what_is_gone_takes_its_specialist_along():
    game = Game()
    game.play("music", "art")
    game.buy("hire-specialist", "travel", topic="music")
    game.correct_table(gone=("music-1#1",)).accepted()
    assert [each["topic"] for each in game.team(1)["topics"]] == ["art"]
    assert game.state["specialists"] == 16


def test_hands_are_as_they_were_counted():
    game = Game()
    game.correct_table(hands=((1, 3), (2, 9))).accepted()
    assert (game.hand(1), game.hand(2)) == (3, 9)


def test_an_action_under_way_is_broken_off():
    game = Game()
    game.control("buy-server").accepted()
    game.discard("travel").accepted()
    answer = game.correct_table(("art-3#1", 1)).accepted()
    assert answer.types == ["action-broken-off", "table-put-right"]
    assert (game.pending, game.hand(1)) == (None, 10)


def test_what_cannot_lie_there_is_refused():
    game = Game()
    game.play("music", "music", "art")
    game.correct_table(("music-9#1", 1)).refused("X3.7", "needs-specialist")
    game.correct_table(("news-3#1", 1)).refused("X3.6", "servers-full")
    game.correct_table(("art-1#1", 2)).refused("X1.4", "demand-stays")
    game.correct_table(gone=("art-1#1",)).refused("X1.4", "demand-stays")
    game.correct_table(("no such card", 1)).fault()


def test_x5_10_more_cards_than_there_are_are_refused():
    game = Game()
    rest = game.state["draw_pile"] + game.hand(1)
    game.correct_table(hands=((1, rest + 1),)).refused("X5.10", "counts-too-high")
    game.correct_table(hands=((1, rest),)).accepted()
    assert (game.hand(1), game.state["draw_pile"]) == (rest, 0)


def test_before_the_start_and_after_the_end_there_is_nothing_to_check():
    Game(starter=None, opening=()).correct_table().refused("X1.2", "no-starter")
    game = Game()
    game.control("end-game").accepted()
    game.correct_table().refused("X4.2", "game-over")


def test_where_cards_lie():
    game = Game()
    game.play("music-1#1")
    game.buy("buy-users", "music-2#1", "travel-1#1", users=1)
    game.control("buy-server").accepted()
    game.discard("travel-2#1").accepted()
    table = game.front.table
    assert table.game.where(table.state, "music-1#1") == (1,)
    assert table.game.where(table.state, "art-1#1") == "demand"
    assert table.game.where(table.state, "travel-1#1") == "discard"
    assert table.game.where(table.state, "travel-2#1") is None
    assert table.game.where(table.state, "sports-9#1") is None
    zones = {(zone.place, zone.seats): zone for zone in table.game.layout(table.state)}
    assert zones["server-1", (1,)].cards == ("music-1#1",)
    assert zones["server-2", (1,)].cards == ()
    assert zones["demand-3-1", ()].cards == ("news-9#1",)
    assert zones["discard-pile", ()].cards == ("music-2#1", "travel-1#1")
    assert zones["paid", ()].cards == ("travel-2#1",)


def test_markers_lie_with_their_cards():
    game = Game()
    game.play("art")
    game.buy("hire-specialist", "travel", topic="art")
    game.control("demand-replace", topic="art").accepted()
    game.demand("art-9#1").accepted()
    table = game.front.table
    zones = {(zone.place, zone.seats): zone for zone in table.game.layout(table.state)}
    assert zones["server-1", (1,)].token == "specialist"
    assert (zones["demand-1-1", ()].token, zones["demand-1-1", ()].token_seat) == ("x", 1)
    assert zones["demand-2-1", ()].token == ""


def test_what_each_button_means():
    game = Game(starter=None, opening=())
    assert game.button_actions == ("youngest",) * 3
    game.press(2).accepted()
    assert game.button_actions == (None, None, None)
    game.play(*OPENING, pad="demand")
    assert game.button_actions == (None, "stop", None)
    game.control("buy-server").accepted()
    assert game.button_actions == (None, "break-off", None)
    game.control("end-game").accepted()
    assert game.button_actions == (None, None, None)
