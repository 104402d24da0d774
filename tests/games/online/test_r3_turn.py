"""R3: the turn: exchange or play, discards, *Stop*, presses without a meaning, and the counts of hands."""

from __future__ import annotations

from games.online.table import DECK, Game


def test_r3_1_option_a_exchanges_0_to_7_cards_and_the_turn_ends():
    for cards in range(8):
        game = Game()
        for _ in range(cards):
            game.discard("email").accepted()
        assert game.hand(1) == 7 - cards
        game.stop()
        assert (game.seat, game.hand(1), game.state["draw_pile"]) == (2, 7, 98 - cards)


def test_r3_1_option_b_draws_an_8th_card_and_the_next_turn_fills_up_to_7():
    game = Game()
    game.play("online", "email", "extra-memory")
    assert game.hand(1) == 5
    assert game.state["draw_pile"] == 97
    game.stop()
    assert game.hand(1) == 5
    game.stop()
    assert game.hand(1) == 7
    assert game.state["draw_pile"] == 95


def test_r3_2_mode_is_open_until_the_cards_say():
    game = Game()
    assert game.state["turn"]["mode"] is None
    game.discard("email").accepted()
    assert game.state["turn"]["mode"] is None
    game.discard("email").accepted()
    assert game.state["turn"]["mode"] == "exchange"


def test_r3_2_anything_played_makes_it_option_b():
    for discards in (0, 1):
        game = Game()
        for _ in range(discards):
            game.discard("email").accepted()
        game.play("online")
        assert game.state["turn"]["mode"] == "play"


def test_r3_2_a_backup_is_not_a_play():
    game = Game(quota_email=1)
    game.lay(1, "online", "email")
    game.hold("email#1").accepted()
    assert game.state["turn"]["mode"] is None
    for _ in range(2):
        game.discard("music").accepted()
    assert game.state["turn"]["mode"] == "exchange"
    game.tap("extra-memory").refused("R3.3")


def test_r3_3_a_hidden_card_on_the_discard_pad_is_a_plain_discard_power_cards_too():
    for kind in DECK:
        game = Game()
        game.discard(kind).accepted()
        state = game.state
        assert (state["discard"], state["window"], state["pending"]) == ([f"{kind}#1"], None, None)
        assert state["turn"]["mode"] is None
        game.discard("email").accepted()
        assert game.state["turn"]["mode"] == "exchange"


def test_r3_3_in_option_b_at_most_one_plain_discard():
    game = Game()
    game.play("online")
    game.discard("email").accepted()
    game.discard("email").refused("R3.3")
    game.play("email")
    game.discard("email").refused("R3.3")


def test_r3_3_after_two_plain_discards_a_play_is_refused():
    game = Game()
    game.lay(2, "online")
    game.advance_to(1)
    for _ in range(2):
        game.discard("music").accepted()
    for card in ("online", "extra-memory", "email", "hacker", "search", "cyber-patrol"):
        game.tap(card, 1).refused("R3.3")
    game.tap("virus", 2).refused("R3.3")
    game.discard("music").accepted()


def test_r3_4_stop_ends_the_turn_and_only_ones_own_button_does():
    game = Game(3)
    game.play("online")
    for seat in (2, 3):
        game.press(seat).ignored("R3.7")
    game.press(1).accepted()
    assert game.seat == 2


def test_r3_5_nobody_holds_more_than_7_at_the_end_of_a_turn():
    ways = (
        lambda game: game.play("online"),
        lambda game: game.discard("email"),
        lambda game: (game.discard("email"), game.play("online")),
        lambda game: (game.hack(), game.press()),
        lambda game: (game.play("search"), game.press()),
        lambda game: game.waste_hand(leave=0),
        Game.stop,
    )
    for way in ways:
        game = Game()
        way(game)
        game.advance_to(2)
        assert game.hand(1) <= 7


def test_r3_6_the_8th_card_counts_as_drawn_with_the_first_card_that_shows_option_b():
    for first, pad in (("online", 1), ("hacker", 1), ("search", 1), ("virus", 2)):
        game = Game()
        game.lay(2, "online")
        game.advance_to(1)
        pile = game.state["draw_pile"]
        game.discard("email").accepted()
        assert game.state["draw_pile"] == pile
        game.tap(first, pad).accepted()
        assert (game.state["draw_pile"], game.hand(1)) == (pile - 1, 6)


def test_r3_6_the_new_cards_of_an_exchange_count_at_stop():
    game = Game()
    for _ in range(3):
        game.discard("email").accepted()
    assert (game.hand(1), game.state["draw_pile"]) == (4, 98)
    game.stop()
    assert (game.hand(1), game.state["draw_pile"]) == (7, 95)


def test_r3_6_out_of_turn_it_is_the_hand_of_the_seat_whose_pad_was_tapped():
    game = Game(4)
    game.lay(2, "online")
    game.advance_to(1)
    game.tap("virus", 2).accepted()
    hands = {seat: game.hand(seat) for seat in (1, 2, 3, 4)}
    game.tap("antivirus", 4).accepted()
    assert {seat: game.hand(seat) for seat in (1, 2, 3, 4)} == {**hands, 4: hands[4] - 1}


def test_r3_7_a_press_off_turn_without_a_window_is_ignored():
    game = Game(3)
    game.press(2).ignored("R3.7")
    game.press(3).ignored("R3.7")


def test_r3_7_a_press_made_before_the_turn_began_is_ignored():
    game = Game()
    game.wait(5)
    game.stop()
    game.wait(0.2)
    game.press(2, pressed_at=4.999999).ignored("R3.7")
    game.press(2, pressed_at=5).accepted()
    assert game.seat == 1


def test_r3_7_a_press_made_before_the_pending_hack_or_search_began_is_ignored():
    game = Game(patrol_window_s=5, settle_s=0.5)
    game.show_hacker()
    game.wait(7)
    game.press(1, pressed_at=5.499999).ignored("R3.7")
    game.press(1, pressed_at=5.5).accepted()
    assert (game.state["pending"], game.seat) == (None, 1)
    game.play("search")
    game.wait(1)
    game.press(1, pressed_at=6.999999).ignored("R3.7")
    game.press(1, pressed_at=7).accepted()
    assert game.state["pending"] is None


def test_r3_8_an_exchange_has_7_cards():
    game = Game()
    for _ in range(7):
        game.discard("email").accepted()
    game.discard("email").refused("R3.8")
    game.stop()


def test_r3_8_option_b_has_8_cards():
    game = Game()
    game.waste_hand(leave=0)
    for card in ("extra-memory", "email", "search", "turbo-line"):
        game.tap(card).refused("R3.8")
