"""The words of X.net: every sentence that can be met is whole, in four languages, on the display too; and its guide."""

from __future__ import annotations

import re
import string
from functools import cache

import pytest
from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement
from taptable.core.verdicts import Accepted, Verdict
from taptable.edges.cues.fonts import font
from taptable.edges.cues.layout import set_text
from taptable.edges.cues.measures import LINE, SMALL
from taptable.games.xnet.game import Xnet
from taptable.words import LANGUAGES, Vocabulary, Words

from games.xnet import test_check as check
from games.xnet import test_x1_setup as setup
from games.xnet import test_x2_turn as turn
from games.xnet import test_x3_demand as demand
from games.xnet import test_x3_offers as offers
from games.xnet import test_x4_end as end
from games.xnet import test_x5_counts as counts
from games.xnet import test_x5_table as at_table
from games.xnet.table import HEARD, TOPICS, Game

GAME = Xnet()
WIDTH, HEIGHT = 128, 43
"""Pixels for a refusal on the reference display."""


def words_of(language: str) -> Words:
    return Words(language, Vocabulary(("taptable.games.xnet",), GAME.pack("")))


TELLING = (
    setup.test_x1_2_else_the_first_press_names_the_starter_and_play_goes_clockwise_from_there,
    setup.test_x1_3_only_topic_cards_are_in_the_deck,
    setup.test_x1_4_a_topic_that_is_already_there_is_refused_and_another_card_comes,
    setup.test_x1_4_other_pads_wait_for_the_pyramid,
    turn.test_x2_1_actions_come_in_any_order_and_number,
    turn.test_x2_2_the_x_marker_leaves_the_pyramid_when_the_turn_begins,
    turn.test_x2_5_with_no_discard_pile_the_rest_lapses,
    turn.test_x2_5_what_is_owed_waits_for_the_reshuffle,
    demand.test_x3_1_once_a_turn,
    demand.test_x3_1_a_level_without_an_empty_place_is_full_and_level_3_always,
    demand.test_x3_1_the_card_goes_onto_the_demand_pad,
    demand.test_x3_2_nobody_can_replace_a_topic_with_an_x_until_it_leaves,
    demand.test_x3_2_all_cards_are_of_one_topic,
    demand.test_x3_2_it_stays_due_even_once_it_is_laid,
    demand.test_x3_4_the_price_is_a_card_of_the_lower_topic,
    demand.test_x3_4_chosen_by_taps_the_lower_first,
    offers.test_x3_5_its_specialist_goes_back_to_the_stock,
    offers.test_x3_5_there_must_be_a_streamer_and_it_must_be_empty,
    offers.test_x3_5_it_cannot_be_added_to_and_frees_its_place_on_the_server,
    offers.test_x3_5_it_is_not_offered,
    offers.test_x3_6_a_new_topic_is_in_demand_and_has_a_place,
    offers.test_x3_7_at_most_two_cards_a_topic_with_a_specialist_any_number,
    offers.test_x3_8_for_one_user_the_second_card_must_fit_if_the_first_did_not,
    offers.test_x3_8_two_users_are_two_cards_of_one_offered_topic,
    offers.test_x3_8_never_more_users_than_the_net_holds,
    offers.test_x3_9_one_specialist_a_topic_on_an_own_server,
    offers.test_x3_9_sixteen_in_the_stock,
    offers.test_x3_9_a_server_costs_5_cards_and_there_are_at_most_3,
    offers.test_x3_9_a_streamer_costs_3_cards_and_there_is_at_most_1,
    offers.test_x3_9_nets_go_4_7_9_10_for_7_cards_each,
    offers.test_x3_10_the_hand_then_has_at_most_10_cards,
    end.test_x4_1_who_reaches_the_target_at_a_score_has_won_at_once,
    end.test_players_may_end_a_running_game_by_points,
    end.test_there_is_nothing_to_end_before_the_start_or_twice,
    at_table.test_x5_1_laying_on_a_server_needs_no_choice_first,
    at_table.test_x5_2_own_cards_choose_on_the_own_pad,
    at_table.test_x5_2_before_the_choice_nothing_is_paid,
    at_table.test_x5_3_one_action_at_a_time,
    at_table.test_x5_6_the_own_button_breaks_an_action_off,
    at_table.test_x5_6_other_presses_are_ignored,
    counts.test_x5_8_at_0_no_hidden_card_can_be_tapped,
    counts.test_x5_8_comes_after_what_is_said_of_the_topic,
    counts.test_x5_9_a_card_tapped_where_it_lies_is_ignored_elsewhere_refused,
    counts.test_x5_9_pending_cards_lie_on_the_pad_they_were_tapped_on,
    check.test_an_action_under_way_is_broken_off,
    check.test_what_cannot_lie_there_is_refused,
)
"""Tests by which everything that can be said is said."""


@cache
def heard() -> tuple[Verdict, ...]:
    """What is said in all these, and a little more."""
    for test in TELLING:
        test()
    at_table.test_x5_1_there_are_no_plain_discards("demand")
    at_table.test_x5_6_a_hold_means_nothing_and_is_a_fault_if_not_in_the_deck(1)
    counts.test_x5_8_an_action_that_costs_more_cards_than_the_hand_has_is_refused_at_once("buy-users", {"users": 2}, 2)
    offers.test_x3_10_the_topic_is_one_s_own("art")
    over = Game()
    over.control("end-game").accepted()
    over.tap("music", 1).refused("X4.2", "game-over")
    over.press(1).ignored("game-is-over")
    return tuple(HEARD)


def announced() -> list[Announcement]:
    own = set(GAME.announcements)
    return [said for verdict in heard() for said in verdict.announcements if type(said) in own]


def objections() -> list[Verdict]:
    codes = {code for code, _, _ in GAME.codes}
    return [verdict for verdict in heard() if not isinstance(verdict, Accepted) and verdict.code in codes]


def is_whole(sentence: str) -> bool:
    """Does it begin and end as a sentence does, with nothing left open in it?"""
    return re.fullmatch(r"[A-ZÀ-Ý][^{}_]*[.!?]", sentence) is not None and not re.search("None|  ", sentence)


def test_everything_is_met():
    assert {type(said) for said in announced()} == set(GAME.announcements)
    met = {verdict.code for verdict in objections() if not isinstance(verdict, Accepted)}
    assert {code for code, _, _ in GAME.codes} - met == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announcement_that_is_made_is_a_whole_sentence(language: str):
    words = words_of(language)
    sentences = {words.announcement(said) for said in announced()}
    assert [sentence for sentence in sentences if not is_whole(sentence)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_objection_that_is_made_is_a_whole_sentence_and_stands_whole_on_the_display(language: str):
    words = words_of(language)
    sentences = {words.verdict(verdict) for verdict in objections()}
    assert [sentence for sentence in sentences if not is_whole(sentence)] == []
    said = {words.text("verdict", v.code, v.facts) for v in objections() if not isinstance(v, Accepted)}
    assert [each for each in said if not set_text(each, [font("small")], WIDTH, HEIGHT).whole] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announcement_that_the_scoreboard_spells_out_stands_whole_along_its_bottom(language: str):
    words = words_of(language)
    said = {words.announcement(said) for said in announced() if said.written}
    assert [each for each in said if not set_text(each, [SMALL], WIDTH - 4, 2 * LINE + 1).whole] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_counted_and_all_places_actions_and_topics_have_names(language: str):
    words = words_of(language)
    state, _ = GAME.new_game(Agreed(6, "standard", {}, 1), 0, None)
    board = GAME.scoreboard(state)
    counted = {each.name for each in (*board.hands[0], *board.stock, *board.teams[0].counts)}
    places = {heap.place for heap in GAME.lying(state)} | {"streamer", "hand", "draw-pile"}
    controls = {name for control in GAME.controls for name in (control.name, *(card for card, _ in control.cards))}
    cards = {card for control in GAME.controls for card, _ in control.cards}
    asked = [
        *(("count-of", name) for name in counted),
        *(("place", place) for place in places),
        *(("control", name) for name in controls),
        *(("control-card", name) for name in cards),
        *(("card", kind.face) for kind in GAME.pack("").kinds),
        *(("figure", figure.key) for figure in GAME.figures),
        *(("meaning", meaning) for meaning in ("youngest", "stop", "break-off")),
        *(("now", control.name) for control in GAME.controls),
        *(("can", control.name) for control in GAME.controls),
        *(("token", token) for token in ("x", "specialist")),
        *(("setting", key) for key in GAME.settings),
        *(("edition", edition) for edition in GAME.editions),
        ("card", "topic"),
        ("pad", "demand"),
        ("unit", "points"),
    ]
    known = {context: words.all(context) for context in {context for context, _ in asked}}
    assert [each for each in asked if each[1] not in known[each[0]]] == []


def test_the_guide_shows_every_topic_of_the_sample():
    assert {face for section in GAME.guide for face in section} == set(TOPICS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_has_words_for_its_sections_and_no_more(language: str):
    words = words_of(language)
    for section in range(1, len(GAME.guide) + 1):
        assert words.message("guide", f"guide-{section}-title")
        text = words.message("guide", f"guide-{section}-text") or ""
        assert {field for _, field, _, _ in string.Formatter().parse(text) if field} <= set(GAME.settings)
    assert words.message("guide", f"guide-{len(GAME.guide) + 1}-title") is None
    assert words.message("guide", "aim")
