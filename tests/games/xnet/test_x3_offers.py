"""Chapter 3, a provider's belongings: servers, streamer, users and purchases (X3.5–X3.10)."""

from __future__ import annotations

import pytest

from games.xnet.table import Game


def rich(hand: int = 20) -> Game:
    """Return a game in which seat 1 is on turn with many cards; art, music and news are in demand."""
    game = Game()
    game.gather(1, hand)
    return game


def with_streamer() -> Game:
    """Return the same game with music on a server, and an empty streamer."""
    game = rich()
    game.play("music", "music")
    game.buy("buy-streamer", "travel", "travel", "travel")
    return game


def test_x3_5_a_whole_topic_goes_to_the_empty_streamer():
    game = with_streamer()
    game.play("art")
    hand = game.hand(1)
    said = game.control("to-streamer", topic="music").accepted().announcement("topic-to-streamer")
    assert (said["seat"], said["topic"]) == (1, "music")
    assert game.team(1)["topics"] == [
        {"topic": "music", "cards": ["music-1#1", "music-1#2"], "on": "streamer", "specialist": False},
        {"topic": "art", "cards": ["art-1#2"], "on": "server", "specialist": False},
    ]
    assert (game.hand(1), game.pending) == (hand, None)


def test_x3_5_its_specialist_goes_back_to_the_stock():
    game = with_streamer()
    game.buy("hire-specialist", "travel", topic="music")
    game.play("music")
    assert game.state["specialists"] == 15
    answer = game.control("to-streamer", topic="music").accepted()
    assert answer.announcement("specialist-returned")["topic"] == "music"
    assert game.state["specialists"] == 16
    assert len(game.topic(1, "music")["cards"]) == 3


def test_x3_5_there_must_be_a_streamer_and_it_must_be_empty():
    game = rich()
    game.play("music", "art")
    game.control("to-streamer", topic="music").refused("X3.5", "no-empty-streamer")
    game.control("to-streamer").refused("X3.5", "no-empty-streamer")
    game.buy("buy-streamer", "travel", "travel", "travel")
    game.control("to-streamer", topic="music").accepted()
    game.control("to-streamer", topic="art").refused("X3.5", "no-empty-streamer")
    game.control("to-streamer", topic="music").refused("X3.5", "no-empty-streamer")


def test_x3_10_eleven_cards_are_one_too_many():
    game = Game()
    game.next_turn_of(3)
    game.play("music")
    assert game.hand(3) == 10
    game.control("to-hand", topic="music").refused("X3.10", "over-ten")
    game.play("art")
    game.control("to-hand", topic="music").accepted()
    assert game.hand(3) == 10


def test_x3_6_a_new_topic_is_in_demand_and_has_a_place():
    game = Game()
    game.tap("travel", 1).refused("X3.6", "not-in-demand")
    said = game.tap("art").accepted().announcement("topic-laid")
    assert (said["seat"], said["card"]) == (1, "art-1#2")
    game.play("music")
    game.tap("news", 1).refused("X3.6", "servers-full")


def test_x3_6_two_topics_a_server():
    game = rich()
    game.play("art", "music")
    game.tap("news", 1).refused("X3.6", "servers-full")
    game.buy("buy-server", *["travel"] * 5)
    game.play("news")
    game.new_demand("sports", 1)
    game.play("sports")
    game.stop()
    game.new_demand("games", 1)
    game.advance_to(1)
    game.tap("games", 1).refused("X3.6", "servers-full")


def test_x3_6_three_full_servers_are_the_most():
    game = rich(40)
    for topic in ("travel", "science"):
        game.buy("buy-server", *[topic] * 5)
    game.control("buy-server").refused("X3.9", "enough-servers")
    laid = [(f"{topic}-1#1", 1) for topic in ("music", "news", "sports", "games", "health", "nature")]
    game.correct_table(*laid).accepted()
    game.tap("art", 1).refused("X3.6", "servers-full")


def test_x3_8_the_largest_net_may_be_full_too():
    game = rich(50)
    game.play("music")
    for topic in ("travel", "science", "sports"):
        game.buy("buy-net", *[topic] * 7)
    for _ in range(5):
        game.buy("buy-users", "music", "music", users=2)
    assert (game.team(1)["net"], game.team(1)["users"]) == (10, 10)
    game.control("buy-users", users=1).refused("X3.8", "net-full")


def test_x3_7_at_most_two_cards_a_topic_with_a_specialist_any_number():
    game = rich()
    game.play("music")
    assert game.tap("music").accepted().announcement("card-added")["lying"] == 2
    game.tap("music").refused("X3.7", "needs-specialist")
    game.buy("hire-specialist", "travel", topic="music")
    game.play("music", "music", "music")
    assert len(game.topic(1, "music")["cards"]) == 5


@pytest.mark.parametrize("laid", [("art", "music"), ("art", "art")])
def test_x3_7_a_topic_no_longer_in_demand_stays_but_takes_no_cards(laid: tuple[str, ...]):
    """This refusal takes precedence over that about the specialist."""
    game = Game()
    game.play(*laid)
    game.stop()
    game.play("music")
    game.control("demand-replace", topic="art").accepted()
    game.demand("travel-2#1").accepted()
    game.play("travel")
    game.advance_to(1)
    game.tap("art", 1).refused("X3.7", "not-in-demand")
    assert len(game.topic(1, "art")["cards"]) == laid.count("art")


@pytest.mark.parametrize("cards", [("music", "travel"), ("travel", "music"), ("music", "music")])
def test_x3_8_one_user_is_two_cards_one_of_them_offered_in_any_order(cards: tuple[str, str]):
    game = Game()
    game.play("music")
    hand = game.hand(1)
    said = game.buy("buy-users", *cards, users=1).announcement("users-bought")
    assert (said["users"], said["have"], said["net"]) == (1, 1, 4)
    assert (game.team(1)["users"], game.hand(1), len(game.state["discard"])) == (1, hand - 2, 2)


def test_x3_8_two_users_are_two_cards_of_one_offered_topic():
    game = Game()
    game.play("music", "art")
    game.control("buy-users", users=2).accepted()
    game.discard("news").refused("X3.8", "wrong-topic")
    game.discard("travel").refused("X3.8", "wrong-topic")
    game.discard("music").accepted()
    game.discard("art").refused("X3.8", "wrong-topic")
    game.discard("music").accepted()
    assert game.team(1)["users"] == 2


def test_x3_8_never_more_users_than_the_net_holds():
    game = rich()
    game.play("music")
    game.buy("buy-users", "music", "music", users=2)
    game.buy("buy-users", "music", "travel", users=1)
    game.control("buy-users", users=2).refused("X3.8", "net-full")
    game.buy("buy-users", "music", "travel", users=1)
    game.control("buy-users", users=1).refused("X3.8", "net-full")
    game.buy("buy-net", *["travel"] * 7)
    game.control("buy-users", users=2).accepted()


def test_x3_9_a_specialist_costs_one_card_of_any_topic_and_stays():
    game = rich()
    game.play("music")
    hand = game.hand(1)
    said = game.buy("hire-specialist", "travel", topic="music").announcement("specialist-hired")
    assert (said["seat"], said["topic"]) == (1, "music")
    assert (game.topic(1, "music")["specialist"], game.state["specialists"], game.hand(1)) == (True, 15, hand - 1)


def test_x3_9_one_specialist_a_topic_on_an_own_server():
    game = rich()
    game.play("music", "art")
    game.buy("hire-specialist", "travel", topic="music")
    game.control("hire-specialist", topic="music").refused("X3.9", "has-specialist")
    game.control("hire-specialist", topic="news").refused("X3.9", "not-on-server")
    game.control("hire-specialist", topic="no such topic").refused("X3.9", "not-on-server")
    game.buy("hire-specialist", "travel", topic="art")


def test_x3_9_a_server_costs_5_cards_and_there_are_at_most_3():
    game = rich(25)
    for servers in (2, 3):
        hand = game.hand(1)
        said = game.buy("buy-server", *["travel"] * 5).announcement("server-bought")
        assert said["servers"] == game.team(1)["servers"] == servers
        assert game.hand(1) == hand - 5
    game.control("buy-server").refused("X3.9", "enough-servers")


def test_x3_9_a_streamer_costs_3_cards_and_there_is_at_most_1():
    game = rich()
    hand = game.hand(1)
    game.buy("buy-streamer", "travel", "sports", "games").announcement("streamer-bought")
    assert (game.team(1)["streamers"], game.hand(1)) == (1, hand - 3)
    game.control("buy-streamer").refused("X3.9", "has-streamer")


def test_x3_9_nets_go_4_7_9_10_for_7_cards_each():
    game = rich(30)
    for net, topic in ((7, "travel"), (9, "sports"), (10, "games")):
        hand = game.hand(1)
        assert game.buy("buy-net", *[topic] * 7).announcement("net-bought")["net"] == net
        assert (game.team(1)["net"], game.hand(1)) == (net, hand - 7)
    game.control("buy-net").refused("X3.9", "largest-net")


def test_x3_10_a_whole_topic_comes_back_to_the_hand_with_its_specialist_to_the_stock():
    game = Game()
    game.play("music", "music")
    game.buy("hire-specialist", "travel", topic="music")
    hand = game.hand(1)
    answer = game.control("to-hand", topic="music").accepted()
    assert answer.announcement("topic-to-hand")["topic"] == "music"
    assert answer.announcement("specialist-returned")["topic"] == "music"
    assert (game.team(1)["topics"], game.hand(1), game.state["specialists"]) == ([], hand + 2, 16)


def test_x3_5_it_is_not_offered():
    game = with_streamer()
    game.control("to-streamer", topic="music").accepted()
    game.control("buy-users", users=1).refused("X3.8", "no-such-topic")
    game.control("hire-specialist", topic="music").refused("X3.9", "not-on-server")


def test_x3_6_the_streamer_comes_before_the_demand_and_the_demand_before_the_place():
    game = with_streamer()
    game.control("to-streamer", topic="music").accepted()
    game.play("art", "news")
    game.tap("music", 1).refused("X3.6", "on-streamer")
    game.tap("travel", 1).refused("X3.6", "not-in-demand")


def test_x3_9_sixteen_in_the_stock():
    game = Game(6)
    game.new_demand("sports", 1)
    for seat in (1, 2, 3, 4, 5):
        game.gather(seat, 11)
        game.buy("buy-server", *["travel", "games", "cooking", "health", "nature"])
        for topic in ("art", "music", "news"):
            game.play(topic)
            game.buy("hire-specialist", "hobbies", topic=topic)
    game.gather(5, 3)
    game.play("sports")
    game.buy("hire-specialist", "hobbies", topic="sports")
    assert game.state["specialists"] == 0
    game.gather(6, 3)
    game.play("art")
    game.control("hire-specialist", topic="art").refused("X3.9", "no-specialist-left")
    game.control("hire-specialist", topic="news").refused("X3.9", "no-specialist-left")
    game.control("hire-specialist").refused("X3.9", "no-specialist-left")
    game.gather(5, 1)
    game.control("to-hand", topic="sports").accepted()
    game.gather(6, 1)
    game.control("hire-specialist", topic="art").accepted()


def test_x3_10_the_topic_is_one_s_own():
    game = Game()
    game.play("music")
    game.stop()
    game.play("art")
    game.advance_to(1)
    for topic in ("art", "no such topic"):
        game.control("to-hand", topic=topic).refused("X3.10", "not-yours")


def test_x3_8_for_one_user_the_second_card_must_fit_if_the_first_did_not():
    game = Game()
    game.play("music")
    game.control("buy-users", users=1).accepted()
    game.discard("art").accepted()  # in demand, but on no own server
    game.discard("travel").refused("X3.8", "wrong-topic")
    game.discard("news").refused("X3.8", "wrong-topic")
    game.discard("music").accepted()
