"""R2.5 of docs/referee.md: a seat whose player leaves and whom nobody replaces."""

from __future__ import annotations

from games.online.table import Game, quotas, window


class TestTurns:
    def test_r2_5_its_turns_are_left_out(self):
        game = Game(4)
        game.vacate(3).accepted()
        assert game.seats_on_turn(6) == [1, 2, 4, 1, 2, 4]
        assert game.state["vacated"] == [3]

    def test_r2_5_seat_3_of_five_leaves_both_its_places(self):
        game = Game(5)
        game.vacate(3).accepted()
        assert game.seats_on_turn(5) == [1, 2, 4, 5, 1]

    def test_r2_5_on_turn_the_turn_ends_and_the_next_seat_fills_up(self):
        game = Game(3)
        game.play("online")
        left = game.vacate(1).accepted()
        assert left.types == ["seat-left", "turn-ended", "turn-began"]
        assert (left.announcement("turn-ended")["how"], left.announcement("turn-began")["seat"]) == ("left", 2)
        assert game.state["turn"] == {"seat": 2, "downloads": 0, "mode": None}

    def test_r2_5_a_skip_of_its_own_ends_with_it(self):
        game = window(3)
        game.tap("cyber-patrol", 2).accepted()
        game.wait(1)
        assert game.state["skips"] == [1]
        game.vacate(1).accepted()
        assert game.state["skips"] == []

    def test_r2_5_cards_owed_to_it_are_owed_no_more(self):
        game = Game(6)
        game.drain()
        game.play("online")
        game.vacate(game.seat).accepted()
        before = game.state["draw_pile"]
        assert game.control("reshuffle").accepted().announcement("piles-reshuffled")["drawn"] == 0
        assert game.state["draw_pile"] > before

    def test_r2_5_its_hand_goes_back_into_the_draw_pile(self):
        game = Game(3)
        pile = game.state["draw_pile"]
        assert game.vacate(2).accepted().announcement("seat-left")["returned"] == 7
        assert (game.hand(2), game.state["draw_pile"]) == (0, pile + 7)

    def test_r2_5_a_time_limit_that_is_up_ends_the_game_with_its_turn(self):
        game = Game(3, time_limit_s=10)
        game.wait(11)
        assert game.vacate(1).accepted().announcement("game-ended")["by"] == "time"


class TestWindow:
    def test_r2_5_with_its_own_hacker_the_window_closes(self):
        game = window(3)
        left = game.vacate(1).accepted()
        assert left.types == ["seat-left", "window-closed", "turn-ended", "turn-began"]
        assert game.state["window"] is None

    def test_r2_5_its_hack_or_search_is_dropped(self):
        for way, power in ((Game.hack, "hack"), (lambda game: game.play("search"), "search")):
            game = Game(3)
            way(game)
            assert f"{power}-waived" in game.vacate(1).accepted().types
            assert (game.state["pending"], game.seat) == (None, 2)

    def test_r2_5_its_press_is_gone_and_the_next_is_named(self):
        game = window(3)
        game.buzz(2, 11)
        game.buzz(3, 11.01)
        game.vacate(2).accepted()
        game.until(11.05)
        assert game.claim == 3

    def test_r2_5_with_its_press_alone_gone_nobody_is_named(self):
        game = window(4)
        game.buzz(2, 11)
        game.vacate(2).accepted()
        game.until(11.05)
        assert game.claim is None
        game.until(16)
        assert game.state["pending"] == "hack"

    def test_r2_5_its_claim_goes_to_the_next_press_at_once(self):
        game = window(3)
        game.buzz(2, 11)
        game.until(11.5)
        game.buzz(3, 12)
        left = game.vacate(2).accepted()
        assert left.types == ["seat-left", "claim-failed", "claim-given"]
        assert game.claim == 3
        assert game.state["window"]["claim"]["until"] == 22.0

    def test_r2_5_with_its_claim_gone_after_the_time_the_hack_begins(self):
        game = window(3)
        game.buzz(2, 11)
        game.until(16)
        assert game.vacate(2).accepted().types == ["seat-left", "claim-failed", "window-closed", "hack-began"]

    def test_r2_5_a_card_it_has_shown_goes_back_with_its_hand(self):
        game = window(3)
        game.tap("cyber-patrol#1", 2).accepted()
        game.vacate(2).accepted()
        game.wait(1)
        assert game.state["window"]["claim"] is None
        assert game.tap("cyber-patrol#1", 3).accepted().types == ["buzz-heard", "patrol-shown"]

    def test_r2_5_in_a_pause_a_claim_that_passes_on_has_its_whole_time(self):
        game = window(3)
        game.buzz(2, 11)
        game.until(11.5)
        game.buzz(3, 12)
        game.control("pause").accepted()
        game.wait(100)
        game.vacate(2).accepted()
        game.wait(50)
        game.control("resume").accepted()
        assert game.state["window"]["claim"] == {"seat": 3, "until": game.now + 10}


class TestPad:
    def test_r2_5_its_button_means_nothing(self):
        game = Game(3)
        game.vacate(3).accepted()
        game.press(3).ignored("R2.5", "seat-left")

    def test_r2_5_a_teammate_plays_on_its_pad(self):
        game = Game(4)
        game.vacate(3).accepted()
        game.tap("online", 3).accepted()
        game.tap("email", 3).accepted()
        assert game.hand(1) == 6
        assert game.team(1)["rows"]["email"] == ["email#1"]

    def test_r2_5_a_reaction_on_its_pad_is_of_a_teammates_hand(self):
        game = Game(4)
        game.lay(2, "online")
        game.advance_to(1)
        game.vacate(2).accepted()
        game.tap("virus", 2).accepted()
        reaction = game.tap("antivirus", 2).accepted()
        assert reaction.announcement("card-laid") == {"seat": 4, "card": "antivirus#1", "onto": 2}
        assert (game.hand(2), game.hand(4)) == (0, 6)

    def test_r2_5_a_patrol_on_its_pad_is_of_the_next_teammate_clockwise(self):
        game = Game(6, teams="two")
        game.vacate(4).accepted()
        game.show_hacker()
        assert game.tap("cyber-patrol", 4).accepted().announcement("buzz-heard")["seat"] == 6

    def test_r2_5_a_patrol_of_the_hackers_own_seat_counts_no_more_on_another_pad(self):
        game = window(4)
        game.vacate(3).accepted()
        game.tap("cyber-patrol", 3).refused("R7.2", "patrol-by-hacker")

    def test_r2_5_a_gift_on_its_pad_counts_for_a_teammate_who_would_begin_the_next_game(self):
        game = Game(6, **quotas(email=1, movie=1))
        game.lay(3, "online", "email#1")
        game.lay(2, "online", "extra-memory", "movie#1")
        game.advance_to(1)
        game.vacate(2).accepted()
        game.hack()
        assert game.tap("email#1", 2).accepted().announcement("card-downloaded")["seat"] == 5
        assert game.control("new-game").accepted().announcement("game-began")["seat"] == 5


class TestTeamWithoutPlayers:
    def empty(self) -> Game:
        """Return a game in which seat 3 of three has left an online row and two e-mails behind; seat 1 is on turn."""
        game = Game(3)
        game.lay(3, "online", "email#1", "email#2")
        game.lay(2, "online")
        game.advance_to(1)
        game.vacate(3).accepted()
        return game

    def test_r2_5_its_rows_lie_on_and_can_be_hacked(self):
        game = self.empty()
        assert game.team(3)["rows"]["email"] == ["email#1", "email#2"]
        game.hack()
        game.tap("email#2", 2).accepted()

    def test_r2_5_nothing_more_is_laid_there(self):
        for card in ("virus", "online", "email", "cyber-patrol", "hacker"):
            self.empty().tap(card, 3).refused("R2.5", "nobody-plays-there")

    def test_r2_5_nor_given_by_a_hacker(self):
        game = self.empty()
        game.hack()
        game.tap("online#2", 3).refused("R2.5", "nobody-plays-there")

    def test_r2_5_it_cant_win_whatever_a_check_of_the_table_finds(self):
        game = Game(3, **quotas(email=1))
        game.vacate(3).accepted()
        game.correct_table(("email#1", 3)).accepted()
        assert game.team(3)["rows"]["email"] == ["email#1"]
        assert game.state["outcome"] is None

    def test_r2_5_its_cards_are_already_there(self):
        self.empty().tap("email#1", 3).ignored("R11", "already-there")

    def test_r2_5_it_keeps_its_place(self):
        game = self.empty()
        game.control("end-game").accepted()
        assert game.state["outcome"]["ranking"][0] == {"seats": [3], "mb": 50, "place": 1}

    def test_r2_5_nobody_patrols_from_its_pad(self):
        game = self.empty()
        game.show_hacker()
        game.tap("cyber-patrol", 3).refused("R2.5", "nobody-plays-there")
        game.press(3).ignored("R2.5", "seat-left")


class TestEnd:
    def test_r2_5_with_one_team_left_the_game_ends_as_it_stands(self):
        game = Game(2)
        game.lay(1, "online", "email")
        left = game.vacate(1).accepted()
        assert left.announcement("game-ended") == {"winner": [1], "by": "agreement"}
        assert game.state["outcome"]["ranking"] == [
            {"seats": [1], "mb": 25, "place": 1},
            {"seats": [2], "mb": 0, "place": 2},
        ]

    def test_r2_5_a_teammate_keeps_a_team_in_the_game(self):
        game = Game(4)
        game.vacate(1).accepted()
        assert game.state["outcome"] is None
        assert game.vacate(3).accepted().types[-1] == "game-ended"

    def test_r2_5_a_winner_who_has_left_begins_no_next_game(self):
        game = Game(3, starter=2)
        game.lay(1, "online", "email")
        game.vacate(1).accepted()
        game.control("end-game").accepted()
        assert game.control("new-game").accepted().announcement("game-began")["seat"] == 2  # as agreed at the start

    def test_r2_5_for_a_downloader_who_has_left_a_teammate_begins_the_next_game(self):
        game = Game(4, starter=2)
        game.lay(1, "online", "email")
        game.vacate(1).accepted()
        game.control("end-game").accepted()
        assert game.control("new-game").accepted().announcement("game-began")["seat"] == 3

    def test_r2_5_in_a_new_game_every_seat_is_played_again(self):
        game = Game(3)
        game.vacate(2).accepted()
        game.control("new-game").accepted()
        assert game.state["vacated"] == []
        assert game.hand(2) == 7


class TestAsAMove:
    def test_r2_5_it_is_taken_back(self):
        game = window(3)
        game.buzz(2, 11)
        game.until(11.5)
        before = game.state
        game.vacate(2).accepted()
        game.control("take-back").accepted()
        assert game.state == before

    def test_r2_5_nobody_leaves_twice(self):
        game = Game(3)
        game.vacate(2).accepted()
        game.vacate(2).ignored("R2.5", "vacated-already")

    def test_r2_5_nobody_leaves_before_the_game_has_begun_or_when_it_is_over(self):
        Game(3, starter=None).vacate(2).refused("R2.3")
        game = Game(3)
        game.control("end-game").accepted()
        game.vacate(2).refused("R10.1")

    def test_r2_5_in_a_pause_too(self):
        game = Game(3)
        game.control("pause").accepted()
        game.wait(5)
        game.vacate(1).accepted()
        assert (game.seat, game.state["paused"]) == (2, True)
