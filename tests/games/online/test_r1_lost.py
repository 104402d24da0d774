"""R1.1 of docs/referee.md: lost cards."""

from __future__ import annotations

from games.online.table import Game, quotas, window


class TestLost:
    def test_r1_1_from_a_row_it_is_taken_away_and_what_was_under_it_shows(self):
        game = Game()
        game.lay(1, "online", "virus")
        game.lose("virus#1").accepted()
        assert game.team(1)["connection"] == ["online#1"]
        assert game.team(1)["line"] == "up"
        assert game.state["lost"] == ["virus#1"]

    def test_r1_1_from_the_discard_pile_it_is_taken_away(self):
        game = Game()
        game.discard("virus#1").accepted()
        game.lose("virus#1").accepted()
        assert game.state["discard"] == []

    def test_r1_1_hidden_it_is_counted_off_the_draw_pile(self):
        game = Game()
        pile = game.state["draw_pile"]
        assert game.lose("virus#1").accepted().announcement("card-taken-out")["draw_pile"] == pile - 1
        assert (game.state["draw_pile"], game.hand(1)) == (pile - 1, 7)

    def test_r1_1_the_last_card_of_the_pile_leaves_it_used_up(self):
        game = Game(6)
        game.drain(1)
        assert game.lose("online").accepted().types == ["card-taken-out", "draw-pile-used-up"]

    def test_r1_1_with_an_empty_pile_somebody_must_hold_it(self):
        game = Game(6)
        game.drain()
        game.lose("online").refused("R1.1", "lost-with-empty-pile")
        game.control("reshuffle").accepted()
        game.lose("online").accepted()

    def test_r1_1_a_tap_of_it_is_refused_on_every_pad(self):
        game = Game()
        game.lose("online#1").accepted()
        for pad in (1, 2, "discard"):
            game.tap("online#1", pad).refused("R1.1", "card-lost")
        game.tap("online#2", 1).accepted()

    def test_r1_1_a_patrol_that_was_shown_is_played_no_more(self):
        game = window(3)
        game.tap("cyber-patrol#1", 2).accepted()
        game.lose("cyber-patrol#1").accepted()
        game.wait(1)
        assert game.claim == 2
        game.tap("cyber-patrol#2", 2).accepted()

    def test_r1_1_a_hacker_whose_own_card_is_lost_takes_nothing_from_the_pile(self):
        game = Game()
        game.discard("virus#1").accepted()
        game.discard("virus#2").accepted()
        game.stop()
        game.hack("hacker#1")
        game.lose("hacker#1").accepted()
        game.tap("virus#1", 1).refused("R7.7", "hack-not-under-hacker")
        game.tap("virus#2", 1).refused("R7.7", "hack-not-under-hacker")

    def test_r1_1_a_backup_that_holds_too_little_is_none(self):
        game = Game(**quotas(email=2, movie=1))
        game.lay(1, "online", "email#1", "email#2", "email#3")
        game.hold("email#1", 1).accepted()
        game.lose("email#3").accepted()
        assert game.team(1)["backed_up"] == ["email"]
        game.lose("email#1").accepted()
        assert game.team(1)["backed_up"] == []
        game.tap("email#4", 1).accepted()

    def test_r1_1_before_the_first_turn_too(self):
        game = Game(starter=None)
        game.lose("virus#1").accepted()
        game.press(1).accepted()
        game.tap("virus#1", 2).refused("R1.1")

    def test_r1_1_twice_is_ignored_and_after_the_end_refused(self):
        game = Game()
        game.lose("virus#1").accepted()
        game.lose("virus#1").ignored("R1.1", "lost-already")
        game.lose("visa").fault()
        game.control("end-game").accepted()
        game.lose("virus#2").refused("R10.1")


class TestFound:
    def test_r1_1_found_again_it_is_in_the_draw_pile(self):
        game = Game()
        game.lay(1, "online#1")
        pile = game.state["draw_pile"]
        game.lose("online#1").accepted()
        game.recover("online#1").accepted()
        assert (game.state["lost"], game.state["draw_pile"]) == ([], pile + 1)
        game.tap("online#1", 1).accepted()

    def test_r1_1_what_isnt_lost_cant_be_found(self):
        Game().recover("virus#1").ignored("R1.1", "not-lost")

    def test_r1_1_in_a_check_of_the_table_it_is_found_where_it_lies(self):
        game = Game()
        game.lose("online#1").accepted()
        game.correct_table(("online#1", 2)).accepted()
        assert (game.team(2)["connection"], game.state["lost"]) == (["online#1"], [])

    def test_r1_1_it_isnt_taken_back_nor_what_was_before_it(self):
        game = Game()
        game.play("online#2")
        for tell in (game.lose, game.recover):
            tell("virus#1").accepted()
            game.control("take-back").ignored("R11", "nothing-to-take-back")

    def test_r1_1_a_new_game_begins_with_all_cards(self):
        game = Game()
        game.lose("virus#1").accepted()
        game.control("new-game").accepted()
        assert (game.state["lost"], game.state["draw_pile"]) == ([], 98)
