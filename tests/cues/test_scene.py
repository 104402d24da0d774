"""The choice of the screen, its brightness and its place: they follow from the table's state and from time, without
polling in between."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from boards import THREE_TEAMS, TWO_TEAMS, board
from display_rig import look, same_pixels
from hypothesis import given
from hypothesis import strategies as st
from taptable.core.scoreboard import RunningWindow
from taptable.core.settings import US_PER_S
from taptable.cues.prompts import Check, Code, Enrolment, paint_address, paint_check, paint_code, paint_enrolment
from taptable.cues.scene import (
    BAR_STEP_US,
    BURN_IN_STEP_US,
    CODE_HIDDEN_US,
    CODE_STEP_US,
    DIM_AFTER_US,
    DIM_CONTRAST,
    FULL_CONTRAST,
    NEWS_US,
    NOTICE_US,
    News,
    Refusal,
    Scene,
    burn_in_offset,
    contrast,
    next_change_us,
    render,
    select_screen,
)
from taptable.cues.screens import (
    paint_boot,
    paint_over,
    paint_paused,
    paint_play,
    paint_refusal,
    paint_window,
    paint_youngest,
)

NOW_US = 1_000 * US_PER_S
PLAYING = Scene("0.1.0", board(TWO_TEAMS, 1, 1), last_activity_us=NOW_US)
WINDOW = RunningWindow(1, NOW_US - US_PER_S, NOW_US + 4 * US_PER_S)
IN_WINDOW = replace(PLAYING, board=replace(board(TWO_TEAMS, 1), window=WINDOW))
OVER = replace(PLAYING, board=replace(board(TWO_TEAMS, 1), over=True, by="time"))
CODE = Code("402917", NOW_US + 300 * US_PER_S, 300 * US_PER_S)
ADDRESS = {"address": "192.168.1.7:8137", "address_until_us": NOW_US + 120 * US_PER_S}
REFUSAL = Refusal("Movie, seat 1", "Big files need open memory.", NOW_US + 4 * US_PER_S)


@pytest.mark.parametrize(
    ("scene", "screen"),
    [
        (Scene("0.1.0"), paint_boot),
        (replace(PLAYING, board=board(TWO_TEAMS, None)), paint_youngest),
        (PLAYING, paint_play),
        (IN_WINDOW, paint_window),
        (replace(PLAYING, paused=True), paint_paused),
        (replace(IN_WINDOW, paused=True), paint_paused),
        (OVER, paint_over),
        (replace(PLAYING, refusal=REFUSAL), paint_refusal),
        (replace(OVER, refusal=REFUSAL), paint_refusal),
        (replace(PLAYING, paused=True, refusal=REFUSAL), paint_refusal),
        (replace(Scene("0.1.0"), refusal=REFUSAL), paint_boot),
        (Scene("0.1.0", **ADDRESS), paint_address),
        (Scene("0.1.0", code=CODE, **ADDRESS), paint_code),
        (replace(PLAYING, board=board(TWO_TEAMS, None), **ADDRESS), paint_address),
        (replace(PLAYING, board=board(TWO_TEAMS, None), code=CODE), paint_code),
        (replace(PLAYING, paused=True, code=CODE), paint_code),
        (replace(OVER, code=CODE), paint_code),
        (replace(IN_WINDOW, code=CODE, last_activity_us=0, **ADDRESS), paint_window),
        (replace(PLAYING, code=CODE, last_activity_us=0, refusal=REFUSAL), paint_refusal),
    ],
)
def test_every_state_of_the_table_has_its_screen(scene, screen):
    assert select_screen(scene, NOW_US).func is screen


def test_a_refusal_ends_when_its_time_is_over():
    scene = replace(PLAYING, refusal=REFUSAL)
    assert select_screen(scene, REFUSAL.until_us - 1).func is paint_refusal
    assert select_screen(scene, REFUSAL.until_us).func is paint_play
    assert next_change_us(scene, NOW_US) == REFUSAL.until_us


def test_a_window_runs_on_beneath_a_refusal():
    screen = select_screen(replace(IN_WINDOW, refusal=REFUSAL), NOW_US).keywords
    assert screen["countdown"].left_us == 4 * US_PER_S


def test_the_bar_moves_ten_times_a_second_while_a_window_runs_and_not_at_all_otherwise():
    moments = [NOW_US]
    while moments[-1] < WINDOW.closes_at_us:
        moments.append(next_change_us(IN_WINDOW, moments[-1]))
    assert moments == list(range(NOW_US, WINDOW.closes_at_us + 1, BAR_STEP_US))
    assert next_change_us(PLAYING, NOW_US) - NOW_US > 10 * US_PER_S
    assert next_change_us(IN_WINDOW, WINDOW.closes_at_us) - WINDOW.closes_at_us > 10 * US_PER_S


def test_a_paused_window_stands_still():
    assert next_change_us(replace(IN_WINDOW, paused=True), NOW_US) - NOW_US > 10 * US_PER_S


def test_a_claim_shows_the_claimant_and_the_claims_own_time():
    claim = replace(WINDOW, claim_seat=2, claim_until_us=NOW_US + 7 * US_PER_S, claim_us=10 * US_PER_S)
    screen = select_screen(replace(PLAYING, board=replace(board(TWO_TEAMS, 1), window=claim)), NOW_US).keywords
    assert (screen["seat"], screen["claim"], screen["countdown"].left_us) == (2, True, 7 * US_PER_S)


def test_a_code_is_shown_for_as_long_as_it_holds():
    scene = replace(PLAYING, paused=True, code=CODE)
    assert select_screen(scene, CODE.until_us - 1).func is paint_code
    assert select_screen(scene, CODE.until_us).func is paint_paused


@pytest.mark.parametrize(
    ("busy", "screen"),
    [
        (PLAYING, paint_play),
        (replace(PLAYING, paused=True, check=Check((1,), "Tap the cards.", 0, 3)), paint_check),
        (replace(PLAYING, paused=True, enrolment=Enrolment("", "E-Mail 7", "email", 6, 22)), paint_enrolment),
    ],
    ids=["a game", "a check", "enrolling"],
)
def test_a_code_is_out_of_the_way_whenever_something_happens_that_has_to_be_seen(busy, screen):
    scene = replace(busy, code=CODE)
    assert select_screen(scene, NOW_US + CODE_HIDDEN_US - 1).func is screen
    assert next_change_us(scene, NOW_US + CODE_HIDDEN_US - 1) == NOW_US + CODE_HIDDEN_US
    assert select_screen(scene, NOW_US + CODE_HIDDEN_US).func is paint_code


def test_the_bar_under_a_code_moves_in_steps_that_can_be_seen():
    scene = replace(PLAYING, paused=True, code=CODE)
    first_us = next_change_us(scene, NOW_US + 2 * CODE_HIDDEN_US)
    assert next_change_us(scene, first_us) - first_us == CODE_STEP_US
    assert CODE_STEP_US / CODE.whole_us <= 2 / 120


def test_an_invitation_ends_when_its_time_is_over():
    scene = replace(PLAYING, board=board(TWO_TEAMS, None), **ADDRESS)
    assert select_screen(scene, ADDRESS["address_until_us"]).func is paint_youngest
    assert next_change_us(scene, ADDRESS["address_until_us"] - 1) == ADDRESS["address_until_us"]


@pytest.mark.parametrize("guests", [{"code": CODE}, ADDRESS], ids=["a code", "the address"])
def test_what_people_with_phones_look_for_is_not_dimmed(guests):
    scene = replace(PLAYING, paused=True, last_activity_us=NOW_US - DIM_AFTER_US)
    assert contrast(scene, NOW_US) == DIM_CONTRAST
    assert contrast(replace(scene, **guests), NOW_US) == FULL_CONTRAST


def test_several_notices_take_turns():
    scene = replace(PLAYING, notices=("one", "two"))
    seen = [select_screen(scene, NOW_US + n * NOTICE_US).keywords["notice"] for n in range(4)]
    assert seen in (["one", "two"] * 2, ["two", "one"] * 2)
    assert next_change_us(scene, NOW_US) - NOW_US <= NOTICE_US


def test_news_come_before_notices_for_as_long_as_they_are_news():
    scene = replace(PLAYING, notices=("one",), news=News("new", NOW_US + NEWS_US))
    assert select_screen(scene, NOW_US + NEWS_US - 1).keywords["notice"] == "new"
    assert select_screen(scene, NOW_US + NEWS_US).keywords["notice"] == "one"
    assert next_change_us(scene, NOW_US) == NOW_US + NEWS_US


def test_the_display_dims_when_nobody_has_done_anything_for_a_while():
    assert contrast(PLAYING, NOW_US + DIM_AFTER_US - 1) == FULL_CONTRAST
    assert contrast(PLAYING, NOW_US + DIM_AFTER_US) == DIM_CONTRAST
    assert contrast(replace(PLAYING, last_activity_us=NOW_US + 1), NOW_US + DIM_AFTER_US) == FULL_CONTRAST


TIMED = replace(PLAYING, board=replace(board(TWO_TEAMS, 1, 1), ends_at_us=NOW_US + 70 * US_PER_S))


def test_the_time_left_is_drawn_once_a_minute_and_in_its_last_minute_once_a_second():
    now_us, ends_at_us = NOW_US, TIMED.board.ends_at_us
    moments = []
    while now_us < ends_at_us + 10 * US_PER_S:
        now_us = next_change_us(TIMED, now_us)
        moments.append(now_us)
    by_the_clock = [moment for moment in moments if moment % BURN_IN_STEP_US and moment <= ends_at_us]
    assert by_the_clock == [ends_at_us - 60 * US_PER_S + n * US_PER_S for n in range(61)]
    assert len(moments) <= len(by_the_clock) + 2


def test_a_pause_stops_the_time_left_and_nothing_is_drawn_for_it():
    paused = replace(TIMED, paused=True, paused_at_us=NOW_US + 30 * US_PER_S)
    for now_us in (NOW_US + 30 * US_PER_S, NOW_US + 900 * US_PER_S):
        assert select_screen(paused, now_us).keywords["left_us"] == 40 * US_PER_S
    assert next_change_us(paused, NOW_US + 31 * US_PER_S) - NOW_US > 40 * US_PER_S


SCENES = st.sampled_from(
    [
        PLAYING,
        TIMED,
        replace(TIMED, board=replace(TIMED.board, ends_at_us=NOW_US + 900 * US_PER_S, skips=(2,))),
        replace(TIMED, board=replace(TIMED.board, ends_at_us=NOW_US + 10 * US_PER_S + 5)),
        replace(TIMED, paused=True, paused_at_us=NOW_US + 30 * US_PER_S),
        IN_WINDOW,
        OVER,
        replace(PLAYING, refusal=REFUSAL),
        replace(IN_WINDOW, refusal=REFUSAL, notices=("one", "two", "three")),
        Scene("0.1.0", last_activity_us=NOW_US),
        replace(PLAYING, code=CODE),
        replace(PLAYING, paused=True, code=replace(CODE, until_us=NOW_US + 10 * US_PER_S + 1)),
        replace(OVER, address="10.0.0.1:8137", address_until_us=NOW_US + 9 * US_PER_S),
    ]
)


@given(SCENES, st.integers(0, 20 * US_PER_S), st.data())
def test_between_now_and_the_next_change_the_picture_stays_the_same(scene, later_us, data):
    now_us = NOW_US + later_us
    due_us = next_change_us(scene, now_us)
    assert due_us > now_us
    between_us = data.draw(st.integers(now_us, due_us - 1))
    size = (128, 64)
    assert same_pixels(render(scene, between_us, size, look("en")), render(scene, now_us, size, look("en")))
    assert contrast(scene, between_us) == contrast(scene, now_us)


@pytest.mark.parametrize("reach", [(2, 1), (1, 1), (0, 0)])
def test_the_picture_wanders_a_pixel_at_a_time_and_visits_every_place(reach):
    walk = [burn_in_offset(step * BURN_IN_STEP_US, reach) for step in range(200)]
    assert walk[0] == (0, 0)
    for (x, y), (next_x, next_y) in pairwise(walk):
        assert abs(next_x - x) <= 1
        assert abs(next_y - y) <= 1
    places = {(x, y) for x in range(-reach[0], reach[0] + 1) for y in range(-reach[1], reach[1] + 1)}
    assert set(walk) == places


@given(st.integers(0, 10**13))
def test_wherever_it_wanders_the_picture_stays_whole(now_us):
    scene = replace(PLAYING, board=board(THREE_TEAMS, 1), last_activity_us=now_us)
    here = render(scene, now_us, (128, 64), look("en"))
    x, y = burn_in_offset(now_us, (2, 1))
    at_home = render(replace(scene, last_activity_us=0), 0, (128, 64), look("en"))
    assert same_pixels(here.crop((2 + x, 1 + y, 126 + x, 63 + y)), at_home.crop((2, 1, 126, 63)))
