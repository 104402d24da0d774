"""R2: seats, teams, the order of turns, the starter, and the deal."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError

from games.online.table import EDITIONS, Game, quotas

SOLO = {"teams": "solo", "time_limit_s": 600}
TWO = {"teams": "two"}
ONE_EMAIL = quotas(email=1)


def starter_after(seat: int, edition: str, players: int) -> int:
    """R2.3: return the next starter: the winner, in EN the player to the left (clockwise next)."""
    return seat % players + 1 if edition == "en" else seat


def test_r2_1_other_numbers_of_players_are_refused():
    for players in (-1, 0, 1, 7):
        with pytest.raises(ConfigError):
            Game(players)


def test_r2_1_a_team_owns_one_set_of_rows_on_every_pad_of_its_seats():
    for pad in (1, 3):
        game = Game(4)
        game.tap("online", pad).accepted()
        assert game.team(1) == game.team(3)
        assert game.team(3)["connection"] == ["online#1"]
        game.tap("virus", pad).refused("R6.1")


@pytest.mark.parametrize(
    ("players", "settings", "teams", "order"),
    [
        (2, {}, [[1], [2]], [1, 2]),
        (3, {}, [[1], [2], [3]], [1, 2, 3]),
        (4, {}, [[1, 3], [2, 4]], [1, 2, 3, 4]),
        (4, TWO, [[1, 3], [2, 4]], [1, 2, 3, 4]),
        (4, SOLO, [[1], [2], [3], [4]], [1, 2, 3, 4]),
        (5, {}, [[1, 4], [2, 5], [3]], [1, 2, 3, 4, 5, 3]),
        (5, TWO, [[1, 3, 5], [2, 4]], [1, 2, 3, 4, 5]),
        (6, {}, [[1, 4], [2, 5], [3, 6]], [1, 2, 3, 4, 5, 6]),
        (6, TWO, [[1, 3, 5], [2, 4, 6]], [1, 2, 3, 4, 5, 6]),
    ],
)
def test_r2_2_teams_and_order_of_turns(players: int, settings: dict, teams: list, order: list):
    game = Game(players, **settings)
    assert [team["seats"] for team in game.state["teams"]] == teams
    assert game.seats_on_turn(2 * len(order)) == 2 * order


def test_r2_2_other_teams_are_refused():
    alone = [(players, SOLO) for players in (2, 3, 5, 6)]
    for players, settings in (*alone, (2, TWO), (3, TWO), (4, {"teams": "pairs"})):
        with pytest.raises(ConfigError):
            Game(players, **settings)


def test_r2_3_the_first_press_names_the_youngest():
    for seat in (1, 2, 3):
        game = Game(3, starter=None)
        assert game.state["turn"]["seat"] is None
        game.tap("online", 1).refused("R2.3")
        game.tap("online", "discard").refused("R2.3")
        assert game.legal == []
        game.press(seat).accepted()
        assert game.seat == seat
        game.play("online")


def test_r2_3_a_starter_must_be_at_the_table():
    for starter in (0, 4):
        with pytest.raises(ConfigError):
            Game(3, starter=starter)


@pytest.mark.parametrize("edition", EDITIONS)
def test_r2_3_the_next_game_is_begun_by_the_winner_or_left_of_the_winner(edition: str):
    for winner in (1, 2, 3):
        game = Game(3, edition, starter=winner, **ONE_EMAIL)
        game.play("online", "email")
        game.control("new-game").accepted()
        assert game.seat == starter_after(winner, edition, 3)


@pytest.mark.parametrize("edition", EDITIONS)
def test_r2_3_of_a_team_the_member_who_made_the_winning_download_begins(edition: str):
    for member, pad in ((1, 1), (1, 3), (3, 3), (3, 1)):
        game = Game(4, edition, starter=member, **ONE_EMAIL)
        game.play("online")
        game.tap("email", pad).accepted()
        game.control("new-game").accepted()
        assert game.seat == starter_after(member, edition, 4)


@pytest.mark.parametrize("edition", EDITIONS)
def test_r2_3_after_a_gift_the_seat_whose_pad_was_tapped_begins(edition: str):
    for pad in (3, 6):
        game = Game(6, edition, **quotas(email=2))
        game.lay(2, "online", "email#1")
        game.lay(3, "online", "email#2")
        game.advance_to(1)
        game.hack()
        game.tap("email#1", pad).accepted().announcement("game-ended")
        game.control("new-game").accepted()
        assert game.seat == starter_after(pad, edition, 6)


@pytest.mark.parametrize("edition", EDITIONS)
def test_r2_3_after_a_win_by_time_the_teams_last_downloader_begins(edition: str):
    game = Game(4, edition, time_limit_s=100)
    game.lay(1, "online", "email")
    game.lay(3, "email")
    game.advance_to(2)
    game.wait(100)
    game.stop().announcement("game-ended")
    assert game.state["outcome"]["winner"] == [1, 3]
    game.control("new-game").accepted()
    assert game.seat == starter_after(3, edition, 4)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("second_game", ["unfinished", "tie"])
def test_r2_3_after_a_later_tie_or_unfinished_game_the_last_known_winner_rules(edition: str, second_game: str):
    game = Game(3, edition, starter=1, time_limit_s=50, **ONE_EMAIL)
    game.advance_to(2)
    game.play("online", "email")
    for _ in range(2):
        game.control("new-game").accepted()
        assert game.seat == starter_after(2, edition, 3)
        if second_game == "tie":
            game.wait(50)
            game.stop().announcement("game-ended")
        else:
            game.stop()


def test_r2_4_seven_cards_each_and_the_rest_is_the_draw_pile():
    for players in range(2, 7):
        game = Game(players)
        assert [game.hand(seat) for seat in range(1, players + 1)] == [7] * players
        assert game.state["draw_pile"] == 112 - 7 * players
