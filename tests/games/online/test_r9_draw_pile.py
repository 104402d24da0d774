"""R9: the empty draw pile, the reshuffle, and cards that are owed."""

from __future__ import annotations

from games.online.table import Game


def test_r9_1_connection_and_memory_rows_keep_their_top_card_and_category_rows_stay():
    game = Game()
    game.lay(1, "online#1", "extra-memory#1", "email#1", "email#2", "virus#1", "antivirus#1", "memory-full#1")
    game.lay(2, "online#2")
    game.discard("music").accepted()
    pile = game.state["draw_pile"]
    game.control("reshuffle").accepted()
    state = game.state
    first, second = state["teams"]
    assert (first["connection"], first["memory"]) == (["antivirus#1"], ["memory-full#1"])
    assert second["connection"] == ["online#2"]
    assert first["rows"]["email"] == ["email#1", "email#2"]
    assert state["discard"] == []
    assert state["draw_pile"] == pile + 3 + 1


def test_r9_2_the_table_announces_it_when_the_8th_card_was_the_last():
    game = Game(6)
    game.drain(left=1)
    assert "draw-pile-used-up" in game.tap("online").accepted().types
    assert game.state["draw_pile"] == 0


def test_r9_2_the_table_announces_it_when_filling_up_took_the_last():
    game = Game(6)
    game.drain(left=3)
    game.play("online", "extra-memory", "email", "turbo-line")
    assert (game.hand(game.seat), game.state["draw_pile"]) == (4, 2)
    me = game.seat
    for _ in range(5):
        game.stop()
    assert "draw-pile-used-up" in game.stop().types
    assert game.seat == me
    assert (game.hand(me), game.state["draw_pile"]) == (6, 0)


def test_r9_2_it_takes_effect_when_the_players_confirm_it():
    game = Game(6)
    game.drain()
    game.stop()
    assert game.state["draw_pile"] == 0
    discarded = len(game.state["discard"])
    assert discarded == 70
    game.control("reshuffle").accepted()
    assert game.state["draw_pile"] == 70


def test_r9_2_accepted_at_any_moment_of_a_running_game():
    def nothing(game: Game) -> None:
        pass

    for way in (nothing, Game.show_hacker, Game.hack, lambda game: game.play("search"), lambda game: game.stop()):
        game = Game(3)
        way(game)
        before = game.state
        game.control("reshuffle").accepted()
        after = game.state
        for key in ("turn", "window", "pending", "skips"):
            assert after[key] == before[key]


def test_r9_2_an_8th_card_that_could_not_be_drawn_is_owed_and_drawn_then():
    game = Game(6)
    game.drain()
    game.play("online")
    assert game.hand(game.seat) == 6
    game.control("reshuffle").accepted()
    assert game.hand(game.seat) == 7
    assert game.state["draw_pile"] == 69
    game.control("reshuffle").accepted()
    assert game.hand(game.seat) == 7


def test_r9_2_cards_missing_at_the_start_of_a_turn_are_owed_and_drawn_then():
    game = Game(6)
    game.drain(left=1)
    me = game.seat
    game.play("online", "extra-memory", "email", "turbo-line")
    for _ in range(6):
        game.stop()
    assert game.seat == me
    assert game.hand(me) == 4
    game.control("reshuffle").accepted()
    assert game.hand(me) == 7
