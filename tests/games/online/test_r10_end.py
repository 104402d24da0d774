"""R10: the end, the score, and the time limit."""

from __future__ import annotations

from collections import Counter

import pytest
from taptable.core.errors import ConfigError
from taptable.core.scoreboard import Count
from taptable.games.online.options import EDITIONS as RULES

from games.online.table import CATEGORIES, DECK, EDITIONS, Game, quotas, window

SOLO = {"teams": "solo"}


def places(game: Game) -> list[tuple[list[int], int, int]]:
    return [(place["seats"], place["mb"], place["place"]) for place in game.state["outcome"]["ranking"]]


def nearly_won(last: str) -> Game:
    """Return a game in which seat 1 is on turn and lacks one card of this kind; all the others of 6, 4, 2, 2 lie
    there."""
    game = Game()
    game.lay(1, "turbo-line", "extra-memory")
    needed = {"email": 6, "music": 4, "game": 2, "movie": 2}
    needed[last] -= 1
    game.lay(1, *(kind for kind in CATEGORIES for _ in range(needed[kind])))
    return game


def test_r10_1_the_first_team_to_hold_6_4_2_2_wins_at_that_instant():
    for last in CATEGORIES:
        game = nearly_won(last)
        assert game.state["outcome"] is None
        game.play("email" if last != "email" else "music")
        assert game.state["outcome"] is None
        ended = game.tap(last).accepted().announcement("game-ended")
        assert (ended["winner"], ended["by"]) == ([1], "quotas")
        assert game.state["outcome"]["winner"] == [1]


def test_r10_1_other_quotas_may_be_agreed():
    for cards in (("email", "email"), ("music", "movie"), CATEGORIES):
        game = Game(**quotas(**Counter(cards)))
        game.lay(1, "turbo-line", "extra-memory", *cards[:-1])
        assert game.state["outcome"] is None
        game.play(cards[-1])
        assert game.state["outcome"]["winner"] == [1]


def test_r10_1_a_quota_is_from_0_to_the_number_of_that_kind():
    for kind in CATEGORIES:
        Game(**{f"quota_{kind}": DECK[kind]})
        Game(**{f"quota_{kind}": 0})
        for value in (DECK[kind] + 1, -1, "", "1.5", "many"):
            with pytest.raises(ConfigError):
                Game(**{f"quota_{kind}": value})


def test_r10_1_not_all_quotas_are_0():
    with pytest.raises(ConfigError):
        Game(**quotas())


def test_r10_1_from_then_on_every_tap_is_refused_until_a_new_game():
    game = Game(**quotas(email=1))
    game.play("online#1", "email#1")
    taps = (("online", 2), ("email", 1), ("music", "discard"), ("email#1", 1), ("email#1", 2), ("hacker", 1))
    for card, pad in taps:
        game.tap(card, pad).refused("R10.1")
    assert game.legal == []
    game.control("new-game").accepted()
    game.play("online")


def test_r10_2_the_score_runs_all_game_and_a_stolen_card_takes_its_mb_along():
    game = Game(3)
    game.lay(2, "online", "extra-memory", "movie#1", "email#1", "music#1", "game#1")
    assert game.team(2)["mb"] == 200 + 25 + 50 + 100
    game.lay(1, "online")
    game.hack()
    game.tap("music#1", 1).accepted()
    assert (game.team(1)["mb"], game.team(2)["mb"]) == (50, 325)
    game.hack()
    game.tap("email#1", "discard").accepted()
    assert game.team(2)["mb"] == 300


def test_r10_2_places_by_mb_standard_competition_places():
    game = Game(4, **SOLO, time_limit_s=100)
    game.lay(2, "online", "email")
    game.lay(3, "online", "email")
    game.lay(4, "online", "music")
    game.wait(100)
    game.stop()
    assert places(game) == [([4], 50, 1), ([2], 25, 2), ([3], 25, 2), ([1], 0, 4)]


def test_r10_3_when_time_is_up_the_current_turn_is_finished_then_the_most_mb_win():
    game = Game(time_limit_s=60)
    game.lay(2, "online", "email")
    game.advance_to(1)
    game.wait(59.999999)
    assert game.state["outcome"] is None
    assert game.wait(0.000001).types == ["time-is-up"]
    game.play("online", "music")
    assert game.state["outcome"] is None
    game.stop()
    assert game.state["outcome"]["by"] == "time"
    assert places(game) == [([1], 50, 1), ([2], 25, 2)]


def test_r10_3_fr_counts_category_cards_also_for_the_places_and_equal_is_shared():
    game = Game(3, "fr", time_limit_s=100)
    game.lay(1, "online", "extra-memory", "movie")
    game.lay(2, "online", "email", "email")
    game.lay(3, "online", "email", "music")
    game.wait(100)
    game.stop()
    assert game.state["outcome"]["winner"] == [2, 3]
    assert places(game) == [([2], 50, 1), ([3], 75, 1), ([1], 200, 3)]


def decisive(game: Game) -> list[Count | None]:
    table = game.front.table
    return [team.decisive for team in table.game.scoreboard(table.state).teams]


@pytest.mark.parametrize("edition", ["fr", "nl"])
def test_r10_3_where_cards_decide_the_scoreboard_has_them_and_lines_and_outcome_are_as_ever(edition: str):
    game = Game(3, edition, time_limit_s=100)
    game.lay(1, "online", "extra-memory", "movie")
    game.lay(2, "online", "email", "email")
    assert decisive(game) == [Count("category-cards", cards) for cards in (1, 2, 0)]
    game.wait(100)
    ended = game.stop()
    assert decisive(game) == [Count("category-cards", cards) for cards in (1, 2, 0)]
    assert ended.announcement("game-ended") == {"winner": [2], "by": "time"}
    assert game.state["outcome"]["ranking"][0] == {"seats": [2], "mb": 50, "place": 1}


@pytest.mark.parametrize(("edition", "given"), [("de", {}), ("fr", quotas(email=1))])
def test_r10_3_where_megabytes_decide_or_quotas_won_there_is_nothing_more_to_say(edition: str, given: dict):
    game = Game(2, edition, time_limit_s=100, **given)
    game.wait(100)
    game.play("online", "email")
    if game.state["outcome"] is None:
        game.stop()
    assert game.state["outcome"]["winner"] == [1]
    assert decisive(game) == [None, None]


@pytest.mark.parametrize(("edition", "given"), [("de", {"time_limit_s": 100}), ("fr", {})])
def test_r10_3_cards_decide_nothing_where_megabytes_do_or_no_time_was_agreed(edition: str, given: dict):
    game = Game(3, edition, **given)
    game.play("online", "email")
    assert decisive(game) == [None, None, None]


class TestEndsAt:
    """R10.3: the end of the time limit is part of the public state."""

    def ends(self, game: Game) -> tuple[float | None, int | None]:
        return game.state["ends_at"], game.front.table.scoreboard.ends_at_us

    def test_without_a_limit_and_before_the_start_there_is_no_such_time(self):
        assert self.ends(Game()) == (None, None)
        game = Game(time_limit_s=60, starter=None)
        game.wait(50)
        assert self.ends(game) == (None, None)
        game.press(1).accepted()
        assert self.ends(game) == (110, 110_000_000)

    def test_a_pause_moves_it_like_a_window(self):
        game = Game(time_limit_s=60)
        game.wait(10)
        game.control("pause").accepted()
        game.wait(30)
        assert self.ends(game) == (60, 60_000_000)
        game.control("resume").accepted()
        assert self.ends(game) == (90, 90_000_000)

    def test_it_stays_in_the_last_turn_and_after_the_end(self):
        game = Game(time_limit_s=60)
        game.wait(70)
        assert self.ends(game) == (60, 60_000_000)
        assert game.front.table.scoreboard.left_us(game.front.table.at_us) == 0
        game.stop().announcement("game-ended")
        assert self.ends(game) == (60, 60_000_000)
        assert game.front.table.scoreboard.left_us(game.front.table.at_us) is None

    def test_a_take_back_of_the_start_takes_it_back(self):
        game = Game(time_limit_s=60, starter=None)
        game.press(1).accepted()
        game.control("take-back").accepted()
        assert self.ends(game) == (None, None)


def test_r10_3_the_limit_runs_from_the_start_of_the_game():
    game = Game(time_limit_s=60, starter=None)
    game.wait(50)
    game.press(1).accepted()
    assert game.wait(59.999999).types == []
    assert game.wait(0.000001).types == ["time-is-up"]
    game.stop().announcement("game-ended")
    game.control("new-game").accepted()
    game.press(2).accepted()
    assert game.wait(59).types == []
    assert game.wait(1).types == ["time-is-up"]


def test_r10_3_the_limit_takes_1_to_86400_seconds():
    Game(time_limit_s=1)
    Game(time_limit_s=86_400)
    for seconds in ("0", "0.5", "86401", "-1", "", "inf", "nan", "long"):
        with pytest.raises(ConfigError):
            Game(time_limit_s=seconds)


def test_r10_3_solo_needs_a_limit_but_in_en_it_may_have_one():
    for edition in EDITIONS:
        Game(4, edition, **SOLO, time_limit_s=60)
    for edition in ("de", "fr"):
        with pytest.raises(ConfigError, match=r"R10\.3"):
            Game(4, edition, **SOLO)
    game = Game(4, "en", **SOLO)
    assert len(game.state["teams"]) == 4
    assert game.wait(86_400).types == []


@pytest.mark.parametrize(
    ("players", "settings", "losses"),
    [
        (2, {}, [0, 0]),
        (3, {}, [0, 13, 14]),
        (4, {}, [0, 0]),
        (4, SOLO, [0, 0, 0, 0]),
        (5, {}, [0, 13, 14]),
        (5, {"teams": "two"}, [0, 0]),
        (6, {}, [0, 13, 14]),
    ],
)
def test_r10_4_losses_are_the_shortfalls_of_a_game_of_three_parties(players: int, settings: dict, losses: list[int]):
    game = Game(players, "fr", time_limit_s=100, **settings)
    game.lay(1, "turbo-line", "email", "music")
    game.lay(2, "online", "email")
    game.wait(100)
    game.stop()
    table = game.front.table
    tallied = table.game.tally(table.state)
    assert [each.loss for each in tallied] == losses
    assert [each.won for each in tallied] == [True, *[False] * (len(losses) - 1)]


def test_r10_4_only_fr_keeps_a_tally():
    assert {name for name in EDITIONS if RULES[name].tally} == {"fr"}


@pytest.mark.parametrize(("edition", "best"), [("de", 2), ("fr", 1)])
def test_r10_5_the_players_end_the_game_with_places_as_it_stands(edition: str, best: int):
    game = Game(3, edition)
    game.lay(1, "online", "email", "email")
    game.lay(2, "online", "extra-memory", "movie")
    ended = game.control("end-game").accepted()
    assert ended.announcement("game-ended") == {"winner": [best], "by": "agreement"}
    assert game.state["outcome"]["winner"] == [best]
    assert [team["place"] for team in game.state["outcome"]["ranking"]] == [1, 2, 3]


@pytest.mark.parametrize("paused", [False, True])
def test_r10_5_taken_back_the_game_goes_on_where_it_was(paused: bool):
    game = window(3)
    game.buzz(2, 11)
    if paused:
        game.control("pause").accepted()
        game.wait(100)
    before = game.state
    game.control("end-game").accepted()
    assert (game.state["window"], game.state["paused"]) == (None, paused)
    game.control("take-back").accepted()
    assert game.state == before


def test_r10_5_a_tie_leaves_the_next_starter_to_the_setting():
    game = Game(4, starter=2)
    game.control("end-game").accepted()
    assert game.control("new-game").accepted().announcement("game-began")["seat"] == 2
