"""R9: the empty draw pile, the reshuffle, and cards owed."""

from __future__ import annotations

from games.online.table import CATEGORIES, Game
from games.table import Answer


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


def exchange(game: Game, count: int) -> Answer:
    """Discard files that are still hidden at the seat on turn, and end its turn."""
    files = [card for card in game.cards if card not in game.visible_cards and card.split("#")[0] in CATEGORIES]
    for card in files[:count]:
        game.discard(card).accepted()
    return game.stop()


def test_r9_2_what_an_exchange_could_not_draw_is_owed_to_it_after_its_turn_too():
    game = Game(6)
    game.drain(left=3)
    me = game.seat
    ended = exchange(game, 5)
    assert (ended.announcement("turn-ended")["how"], ended.announcement("turn-ended")["drawn"]) == ("exchange", 3)
    assert ended.announcement("draw-pile-too-short") == {"seat": me, "owed": 2}
    assert "draw-pile-used-up" in ended.types
    assert (game.hand(me), game.state["draw_pile"]) == (5, 0)
    assert game.state["owed"] == [{"seat": me, "cards": 2}]
    reshuffled = game.control("reshuffle").accepted()
    assert reshuffled.announcement("owed-cards-drawn") == {"seat": me, "drawn": 2}
    assert reshuffled.announcement("piles-reshuffled") == {"draw_pile": 70, "drawn": 0}
    assert (game.hand(me), game.state["draw_pile"], game.state["owed"]) == (7, 70, [])


def test_r9_2_an_exchange_of_the_whole_hand_from_an_empty_pile_may_patrol_after_the_reshuffle():
    game = Game(6)
    game.drain()
    me = game.seat
    assert exchange(game, 7).announcement("draw-pile-too-short") == {"seat": me, "owed": 7}
    assert game.hand(me) == 0
    game.show_hacker()
    game.tap("cyber-patrol", me).refused("R3.8", "hand-used-up")
    game.control("reshuffle").accepted()
    assert game.hand(me) == 7
    game.tap("cyber-patrol", me).accepted()


def test_r9_2_exchanges_are_paid_in_their_order_before_the_player_on_turn_and_as_far_as_it_goes():
    game = Game(6)
    game.drain(left=1)
    seats = [game.seat]
    exchange(game, 4)
    seats.append(game.seat)
    exchange(game, 3)
    game.play("online")  # the 8th card is owed to the player on turn
    owed = [{"seat": seats[0], "cards": 3}, {"seat": seats[1], "cards": 3}, {"seat": game.seat, "cards": 1}]
    assert game.state["owed"] == owed
    spared = game.state["discard"][5:]
    other = game.seat % 6 + 1  # all but five of the cards are said to be in another hand
    game.correct_table(gone=tuple(spared), hands=((other, 7 + len(spared)),)).accepted()
    answer = game.control("reshuffle").accepted()
    paid = [said for said in answer.answer["announcements"] if said["type"] == "owed-cards-drawn"]
    assert [(said["seat"], said["drawn"]) for said in paid] == [(seats[0], 3), (seats[1], 2)]
    assert answer.announcement("piles-reshuffled") == {"draw_pile": 0, "drawn": 0}
    assert game.state["owed"] == [{"seat": seats[1], "cards": 1}, {"seat": game.seat, "cards": 1}]


def test_r9_2_a_pile_that_is_too_short_again_owes_the_rest():
    game = Game(6)
    game.drain()
    me = game.seat
    exchange(game, 7)
    game.correct_table(gone=tuple(game.state["discard"][3:]), hands=((game.seat, 81),)).accepted()
    game.control("reshuffle").accepted()
    assert game.state["owed"] == [{"seat": me, "cards": 4}]
    assert (game.hand(me), game.state["draw_pile"]) == (3, 0)


def test_r9_2_the_next_turn_fills_the_hand_up_and_ends_the_debt():
    game = Game(2)
    game.drain()
    me = game.seat
    exchange(game, 4)
    game.stop()
    assert game.seat == me
    assert game.state["owed"] == [{"seat": me, "cards": 4}]  # of the turn now
    game.control("reshuffle").accepted()
    assert game.hand(me) == 7
    game.stop()
    assert game.state["owed"] == []


def test_r9_2_who_left_is_owed_nothing_and_a_check_that_finds_more_cards_ends_the_debt():
    game = Game(6)
    game.drain()
    first = game.seat
    exchange(game, 4)
    second = game.seat
    exchange(game, 4)
    game.vacate(first).accepted()
    assert game.state["owed"] == [{"seat": second, "cards": 4}]
    for hand, left in ((5, 2), (6, 1)):
        game.correct_table(hands=((second, hand),)).accepted()
        assert game.state["owed"] == [{"seat": second, "cards": left}]


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
