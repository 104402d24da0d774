"""The oracle of X.net itself: cases worked out by hand from the rules page, and its formulations against each other."""

from __future__ import annotations

import json

import pytest
from choosing import mostly_long

from .compare import compare
from .deck import SAMPLE, read_cards, read_target
from .legal import every_control
from .oracle import Oracle
from .play import script
from .seeds import LONG
from .state import No, Nothing, copied


class Table:
    """Lines to an oracle, a second apart."""

    def __init__(self, players=3, starter=1, manifest="", **settings):
        self.oracle = Oracle(players, settings, starter, manifest)

    def line(self, **what):
        answer = self.oracle.answer(json.dumps({"at": self.oracle.now / 1_000_000 + 1, **what}))
        return tuple(answer[key] for key in ("verdict", "rule", "code") if key in answer) or answer

    def tap(self, card, pad):
        return self.line(tap=card, pad=pad)

    def taps(self, pad, *cards):
        for card in cards:
            assert self.tap(card, pad) == ("accepted",), (card, pad)

    def press(self, *seats):
        for seat in seats:
            assert self.line(press=seat) == ("accepted",)

    def control(self, name, **fields):
        return self.line(control=name, **fields)

    def state(self):
        return self.oracle.answer('{"show": "state"}')

    def team(self, seat=1):
        return self.state()["teams"][seat - 1]


def begun(**options):
    table = Table(**options)
    table.taps("demand", "art-1#1", "music-5#1", "news-9#1")
    return table


def test_the_page_s_example():
    table = Table()
    assert [team["hand"] for team in table.state()["teams"]] == [5, 5, 6]
    assert table.state()["draw_pile"] == 200
    table.taps("demand", "art-1#1", "music-5#1", "news-9#1")
    assert (table.team()["hand"], table.state()["draw_pile"]) == (10, 192)
    table.taps(1, "music-2#1", "music-3#1")
    assert table.tap("music-4#1", 1) == ("refused", "X3.7", "needs-specialist")
    assert table.control("buy-users", users=2) == ("accepted",)
    table.taps("discard", "music-4#1", "music-6#1")
    assert (table.team()["users"], table.team()["hand"]) == (2, 6)
    table.press(1, 2, 3)
    assert table.team()["points"] == 4


def test_x1_1_x1_2_the_first_press_names_the_starter_and_deals_the_rest():
    table = Table(players=6, starter=None)
    assert table.tap("art-1#1", "demand") == ("refused", "X1.2", "no-starter")
    assert [team["hand"] for team in table.state()["teams"]] == [5] * 6
    table.press(5)
    assert [team["hand"] for team in table.state()["teams"]] == [6, 6, 7, 7, 5, 5]
    assert table.state()["draw_pile"] == 216 - 36
    table.control("take-back")
    assert (table.state()["turn"]["seat"], table.state()["draw_pile"]) == (None, 186)


def test_x3_2_the_highest_takes_the_place_and_what_is_brought_in_must_be_offered():
    table = begun()
    table.control("demand-replace", topic="music")
    assert table.state()["pending"]["short"] == 6
    table.taps("demand", "games-2#1")
    table.taps("discard", "games-4#1")
    state = table.state()
    assert state["demand"][1] == {"level": 2, "place": 1, "card": "games-4#1", "x": 1}
    assert state["discard"] == ["music-5#1", "games-2#1"]
    assert state["turn"]["must_offer"] == "games"
    assert table.line(press=1) == ("refused", "X3.2", "must-offer")
    table.taps(1, "games-1#1")
    assert table.state()["turn"]["must_offer"] == "games"
    table.press(1)
    assert table.control("demand-replace", topic="games") == ("refused", "X3.2", "x-marked")


def test_x3_4_x5_4_the_choices_of_a_swap_may_be_tapped_on_the_discard_pad():
    table = begun()
    table.control("swap")
    assert table.tap("news-9#1", "demand") == ("refused", "X3.4", "not-neighbours")
    table.taps("discard", "music-5#1")
    table.taps("demand", "news-9#1")
    assert table.tap("music-7#1", "demand") == ("refused", "X5.3", "action-open")
    assert table.tap("news-7#1", "discard") == ("refused", "X3.4", "wrong-topic")
    table.taps("discard", "music-7#1")
    assert [place["card"] for place in table.state()["demand"]] == ["art-1#1", "news-9#1", "music-5#1"]


def test_x2_3_numbers_of_cards_are_ranked_not_players():
    table = Table(players=4)
    holdings = {1: 5, 2: 5, 3: 3, 4: 2}
    table.taps("demand", "art-1#1", "music-5#1", "news-9#1")
    music = iter(card for card in table.oracle.cards if card.startswith("music") and card != "music-5#1")
    for team in table.oracle.game["teams"]:
        seat = team["seats"][0]
        cards = [next(music) for _ in range(holdings[seat])]
        team["topics"] = [{"topic": "music", "cards": cards, "on": "server", "specialist": False}]
        team["users"] = 1
    table.press(1, 2, 3, 4)
    assert [team["points"] for team in table.state()["teams"]] == [2, 2, 2, 0]


def test_x4_1_places():
    table = begun(target_points="10")
    for team, points in zip(table.oracle.game["teams"], (3, 9, 3), strict=True):
        team["points"] = points
    table.oracle.game["teams"][1] |= {
        "users": 1,
        "topics": [{"topic": "art", "cards": ["art-2#1"], "on": "server", "specialist": False}],
    }
    table.press(1)
    outcome, hand = table.state()["outcome"], table.team(2)["hand"]
    assert (outcome["winner"], outcome["by"]) == ([2], "points")
    assert [(one["seats"], one["points"], one["place"]) for one in outcome["ranking"]] == [
        ([2], 10, 1),
        ([1], 3, 2),
        ([3], 3, 2),
    ]
    assert (hand, table.state()["turn"]["seat"]) == (5, 2)
    assert table.line(press=2) == ("ignored",)
    assert table.tap("art-2#1", 2) == ("refused", "X4.2", "game-over")


def test_x5_6_x5_7_x5_8_broken_off_and_taken_back():
    table = begun()
    table.control("buy-net")
    table.taps("discard", "art-9#1", "art-8#1")
    assert (table.team()["hand"], table.state()["pending"]["owed"]) == (8, 5)
    table.press(1)
    assert (table.team()["hand"], table.state()["pending"], table.state()["discard"]) == (10, None, [])
    table.control("take-back")
    assert table.state()["pending"]["cards"] == ["art-9#1", "art-8#1"]
    table.control("take-back")
    assert (table.state()["pending"]["cards"], table.team()["hand"]) == (["art-9#1"], 9)
    table.control("take-back")
    table.control("take-back")
    assert table.state()["pending"] is None
    table.press(1)
    assert table.tap("art-1#1", "demand") == ("ignored", "already-there")


def test_x5_11_controls_count_in_a_pause_and_are_listed_there():
    table = begun()
    table.control("pause")
    assert table.tap("art-2#1", 1) == ("refused", "R11", "paused")
    shown = table.oracle.answer('{"show": "legal"}')
    assert shown["legal"] == []
    assert {"control": "buy-server"} in shown["controls"]
    assert table.control("buy-server") == ("accepted",)
    assert table.oracle.answer('{"show": "legal"}')["controls"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"game": "online"},
        {"name": ""},
        {"more": 1},
        {"topics": {}},
        {"topics": dict(list(SAMPLE["topics"].items())[:5])},
        {"topics": {**SAMPLE["topics"], "x": {}}},
        {"topics": {**SAMPLE["topics"], "": {"1": 1}}},
        {"topics": {**SAMPLE["topics"], "a#b": {"1": 1}}},
        {"topics": {**SAMPLE["topics"], "x": {"0": 1}}},
        {"topics": {**SAMPLE["topics"], "x": {"10": 1}}},
        {"topics": {**SAMPLE["topics"], "x": {"1": 0}}},
        {"topics": {topic: {"1": 9} for topic in list(SAMPLE["topics"])[:6]}},
    ],
)
def test_manifests_that_are_refused(change):
    with pytest.raises(ValueError):  # noqa: PT011
        read_cards(json.dumps({**SAMPLE, **change}), 3)


def test_settings():
    assert read_target({"target_points": "999"}) == 999
    for settings in ({"target_points": "9"}, {"target_points": "1000"}, {"target_points": "ten"}, {"quota": "1"}):
        with pytest.raises(ValueError):  # noqa: PT011
            read_target(settings)


@pytest.mark.parametrize("seed", mostly_long(range(8), 3))
def test_legal_is_what_is_accepted_and_all_cards_add_up(seed):
    options, answered = script(seed, length=150)
    oracle = Oracle(**options)
    pads = [*range(1, options["players"] + 1), "discard", "demand"]
    topics = [*sorted({topic for topic, _ in oracle.cards.values()}), "opera"]
    for number, (line, expected) in enumerate(answered):
        assert oracle.answer(line) == expected
        game = oracle.game
        lying = len(game["discard"]) + len(game["demand"]) + len((game["pending"] or {"cards": []})["cards"])
        with_providers = [one for team in game["teams"] for one in team["topics"]]
        lying += sum(len(one["cards"]) for one in with_providers)
        assert game["draw_pile"] + sum(team["hand"] for team in game["teams"]) + lying == len(oracle.cards)
        assert game["specialists"] + sum(one["specialist"] for one in with_providers) == 16
        if number % 90 == 89 and not oracle.paused:
            shown = oracle.shown("legal")
            accepted = accepted_of(oracle, oracle.tap, [(card, pad) for card in oracle.cards for pad in pads])
            assert shown["legal"] == sorted(map(list, accepted), key=lambda tap: (tap[0], str(tap[1])))
            fields = [
                (one["control"], {k: v for k, v in one.items() if k != "control"}) for one in every_control(topics)
            ]
            accepted = [{"control": name, **rest} for name, rest in accepted_of(oracle, oracle.act, fields)]
            assert shown["controls"] == sorted(accepted, key=lambda one: json.dumps(one, ensure_ascii=False))


def accepted_of(oracle, judge, whatever) -> list[tuple]:
    game, accepted = oracle.game, []
    oracle.game = copied(game)
    for what in whatever:
        try:
            judge(*what)
        except (No, Nothing):
            continue
        accepted.append(what)
        oracle.game = copied(game)
    oracle.game = game
    return accepted


def test_compare_tells_what_differs():
    state = Oracle(3, {}, 1).answer('{"show": "state"}')
    assert compare(copied(state), state) is None
    assert compare({**copied(state), "draw_pile": 97}, state) == "shown.draw_pile: ours 97, oracle 200"
    refused = {"at": 1.0, "verdict": "refused", "rule": "X3.7", "code": "needs-specialist", "announcements": []}
    assert compare({**refused, "say": "…"}, refused) is None
    assert compare({**refused, "code": "not-in-demand"}, refused) is not None
    assert compare({"error": "x", "line": 3}, {"error": "y", "line": 3}) is None
    laid = {"type": "demand-laid", "seat": 1}
    assert (
        compare({**refused, "announcements": [laid]}, {**refused, "announcements": [{"type": "demand-laid"}]}) is None
    )
    assert compare({**refused, "announcements": [laid]}, refused) is not None


@pytest.mark.parametrize(("lines", "refusal"), list(zip(LONG, ("no-specialist-left", "largest-net"), strict=True)))
def test_long_evenings_come_to_what_is_rare(lines, refusal):
    seed, length = lines
    answered = script(seed, length=length)[1]
    assert refusal in {answer.get("code") for _, answer in answered}
