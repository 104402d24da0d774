"""Chapter 2: the turn."""

from __future__ import annotations

from games.xnet.table import Game, small


def test_x2_1_only_the_player_on_turn_taps():
    game = Game()
    game.tap("music", 2).refused("X2.1", "not-on-turn")
    game.stop()
    game.tap("music", 1).refused("X2.1", "not-on-turn")
    game.tap("music", 2).accepted()


def test_x2_1_the_own_button_ends_the_turn_without_any_action_too():
    game = Game()
    answer = game.stop()
    assert answer.types == ["turn-started", "scored", "cards-drawn"]
    assert answer.announcement("turn-started") == {"seat": 2}
    assert game.seat == 2


def test_x2_2_the_x_marker_leaves_the_pyramid_when_the_turn_begins():
    game = Game()
    game.play("art")
    game.control("demand-replace", topic="art").accepted()
    game.demand("art-9#1").accepted()
    assert game.state["demand"][0]["x"] == 1
    game.stop()
    game.stop()
    assert game.state["demand"][0]["x"] == 1
    said = game.stop().announcement("x-returned")
    assert said == {"seat": 1, "topic": "art"}
    assert game.state["demand"][0]["x"] is None


def served(truth: dict[int, int], users: dict[int, int]) -> Game:
    """Return a game whose seats have this number of cards of music (level 2) on a server, and users; each gets what it
    needs over some turns, and seat 1 is on turn."""
    game = Game(6)
    for seat in range(1, 7):
        game.gather(seat, 1)
        count = truth.get(seat, 0)
        if count:
            game.play("music")
        if count > 2:
            game.buy("hire-specialist", "travel", topic="music")
        for _ in range(count - 1):
            game.play("music")
        for _ in range(users.get(seat, 0)):
            game.buy("buy-users", "music", "travel", users=1)
    game.advance_to(1)
    return game


def test_x2_3_the_largest_and_the_next_smaller_number_of_cards_score():
    game = served({1: 3, 2: 3, 3: 2, 4: 1}, dict.fromkeys((1, 2, 3, 4), 1))
    scored: dict[int, list[str]] = {}
    for seat in (2, 3, 4, 5):
        said = game.stop().announcement("scored")
        assert said["seat"] == seat
        scored[seat] = [each["topic"] for each in said["topics"]]
    assert scored == {2: ["music"], 3: ["music"], 4: [], 5: []}


def test_x2_3_points_are_the_level_times_the_users_for_every_such_topic():
    game = Game()
    game.play("news", "music", "music")
    game.buy("buy-users", "music", "news", users=1)
    said = game.next_turn_of(1).announcement("scored")
    assert said == {
        "seat": 1,
        "points": 5,
        "topics": [
            {"topic": "music", "level": 2, "users": 1, "points": 2},
            {"topic": "news", "level": 3, "users": 1, "points": 3},
        ],
    }
    assert game.team(1)["points"] == 5
    game.next_turn_of(1)
    assert game.team(1)["points"] == 10


def test_x2_3_streamers_do_not_count():
    game = Game()
    game.gather(1, 20)
    game.play("news")
    game.buy("buy-users", "news", "news", users=2)
    game.buy("buy-streamer", "travel", "travel", "travel")
    game.control("to-streamer", topic="news").accepted()
    assert game.next_turn_of(1).announcement("scored")["topics"] == []


def test_x2_4_five_cards_are_drawn():
    game = Game()
    pile, hand = game.state["draw_pile"], game.hand(2)
    said = game.stop().announcement("cards-drawn")
    assert said == {"seat": 2, "drawn": 5}
    assert (game.state["draw_pile"], game.hand(2)) == (pile - 5, hand + 5)


def drained(*, users: int = 0, specialist: bool = False) -> Game:
    """Return a game with a deck of 60 cards of which one is left to draw; on the discard pile lie two for each user,
    and one for a specialist."""
    game = Game(manifest=small())
    game.play("art")
    for _ in range(users):
        game.buy("buy-users", "art", "travel", users=1)
    if specialist:
        game.buy("hire-specialist", "games", topic="art")
    while game.state["draw_pile"] > 5:
        game.stop()
    assert game.state["draw_pile"] == 1
    return game


def test_x2_5_with_no_discard_pile_the_rest_lapses():
    game = drained()
    seat = game.seat % 3 + 1
    hand = game.hand(seat)
    said = game.stop().announcement("cards-drawn")
    assert said["drawn"] == 1
    assert (game.hand(seat), game.turn["owed"], game.state["draw_pile"]) == (hand + 1, 0, 0)
    assert game.stop().announcement("cards-drawn")["drawn"] == 0
    game.control("reshuffle").refused("X2.5", "no-reshuffle-due")


def owing(*, users: int = 3, specialist: bool = False) -> Game:
    """Return a game with four cards owed."""
    game = drained(users=users, specialist=specialist)
    assert game.stop().announcement("reshuffle-due")["owed"] == 4
    assert game.turn["owed"] == 4
    return game


def test_x2_5_what_is_owed_waits_for_the_reshuffle():
    game = owing()
    seat = game.seat
    hand = game.hand(seat)
    game.tap("news", seat).refused("X2.5", "reshuffle-due")
    game.tap("news", seat % 3 + 1).refused("X2.5", "reshuffle-due")
    game.demand("news").refused("X2.5", "reshuffle-due")
    game.control("buy-server").refused("X2.5", "reshuffle-due")
    game.press().ignored("X5.6")
    said = game.control("reshuffle").accepted().announcement("reshuffled")
    assert (said["drawn"], said["draw_pile"]) == (4, 2)
    assert (game.hand(seat), game.turn["owed"], game.state["discard"]) == (hand + 4, 0, [])
    assert game.state["draw_pile"] == 2
    game.press().accepted()
