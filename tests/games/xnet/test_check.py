"""*Check the table* for X.net: topics and hands as they are found; and where the table believes a card to lie."""

from __future__ import annotations

from taptable.core.observations import CardLost, SeatVacated, TableCorrected

from games.xnet.table import Answer, Game


def correct(
    game: Game,
    *laid: tuple[str, int | str],
    gone: tuple[str, ...] = (),
    hands: tuple[tuple[int, int], ...] = (),
) -> Answer:
    return game.tell(lambda at_us: TableCorrected(at_us, laid, gone, hands))


def test_a_card_that_lies_there_is_added_and_the_draw_pile_is_what_is_left():
    game = Game()
    game.serve("music")
    pile = game.state["draw_pile"]
    correct(game, ("music-9#1", 1), ("art-3#1", 2)).accepted()
    assert game.topic(1, "music")["cards"] == ["music-1#1", "music-9#1"]
    assert game.topic(2, "art")["cards"] == ["art-3#1"]
    assert game.balanced()["draw_pile"] == pile - 2


def test_what_is_gone_takes_its_specialist_along():
    game = Game()
    game.serve("music", "art")
    game.buy("hire-specialist", "travel", topic="music")
    correct(game, gone=("music-1#1",)).accepted()
    assert [each["topic"] for each in game.team(1)["topics"]] == ["art"]
    assert game.balanced()["specialists"] == 16


def test_hands_are_as_they_were_counted():
    game = Game()
    correct(game, hands=((1, 3), (2, 9))).accepted()
    assert (game.hand(1), game.hand(2)) == (3, 9)
    game.balanced()


def test_an_action_under_way_is_broken_off():
    game = Game()
    game.control("buy-server").accepted()
    game.discard("travel").accepted()
    answer = correct(game, ("art-3#1", 1)).accepted()
    assert answer.types == ["action-broken-off", "table-put-right"]
    assert (game.pending, game.hand(1)) == (None, 10)
    game.balanced()


def test_what_cannot_lie_there_is_refused():
    game = Game()
    game.serve("music", "music", "art")
    correct(game, ("music-9#1", 1)).refused("X3.7", "needs-specialist")
    correct(game, ("news-3#1", 1)).refused("X3.6", "servers-full")
    correct(game, ("art-1#1", 2)).refused("X1.4", "demand-stays")
    correct(game, gone=("art-1#1",)).refused("X1.4", "demand-stays")
    correct(game, hands=((1, 500),)).refused("X5.10", "counts-too-high")
    correct(game, ("no such card", 1)).fault()


def test_before_the_start_and_after_the_end_there_is_nothing_to_check():
    correct(Game(starter=None, opening=())).refused("X1.2", "no-starter")
    game = Game()
    game.control("end-game").accepted()
    correct(game).refused("X4.2", "game-over")


def test_what_this_game_knows_nothing_of_is_refused():
    game = Game()
    game.tell(lambda at_us: SeatVacated(at_us, 1)).refused("R11", "not-in-this-game")
    game.tell(lambda at_us: CardLost(at_us, "art-1#1")).refused("R11", "not-in-this-game")


def test_where_cards_lie():
    game = Game()
    game.serve("music-1#1")
    game.buy("buy-users", "music-2#1", "travel-1#1", users=1)
    game.control("buy-server").accepted()
    game.discard("travel-2#1").accepted()
    table = game.front.table
    assert table.game.where(table.state, "music-1#1") == (1,)
    assert table.game.where(table.state, "art-1#1") == "demand"
    assert table.game.where(table.state, "travel-1#1") == "discard"
    assert table.game.where(table.state, "travel-2#1") is None
    assert table.game.where(table.state, "sports-9#1") is None
    heaps = {(heap.place, heap.seats): heap for heap in table.game.lying(table.state)}
    assert heaps["server-1", (1,)].cards == ("music-1#1",)
    assert heaps["server-2", (1,)].cards == ()
    assert heaps["demand-3-1", ()].cards == ("news-9#1",)
    assert heaps["discard-pile", ()].cards == ("music-2#1", "travel-1#1")
    assert heaps["paid", ()].cards == ("travel-2#1",)


def test_markers_lie_with_their_cards():
    game = Game()
    game.serve("art")
    game.buy("hire-specialist", "travel", topic="art")
    game.control("demand-replace", topic="art").accepted()
    game.demand("art-9#1").accepted()
    table = game.front.table
    heaps = {(heap.place, heap.seats): heap for heap in table.game.lying(table.state)}
    assert heaps["server-1", (1,)].token == "specialist"
    assert (heaps["demand-1-1", ()].token, heaps["demand-1-1", ()].token_seat) == ("x", 1)
    assert heaps["demand-2-1", ()].token == ""


def test_what_each_button_means():
    game = Game(starter=None, opening=())
    meanings = game.front.table.game.meanings
    assert meanings(game.front.table.state) == ("youngest",) * 3
    game.press(2).accepted()
    assert meanings(game.front.table.state) == (None, None, None)
    for card in ("art-1#1", "music-5#1", "news-9#1"):
        game.demand(card).accepted()
    assert meanings(game.front.table.state) == (None, "stop", None)
    game.control("buy-server").accepted()
    assert meanings(game.front.table.state) == (None, "break-off", None)
    game.control("end-game").accepted()
    assert meanings(game.front.table.state) == (None, None, None)
