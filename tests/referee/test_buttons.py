"""*Clocks and the window*: which edges of a button are a press."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.core.device_events import ButtonEdge, Clock, Origin
from taptable.core.notices import PressUnheard
from taptable.core.observations import ButtonPressed
from taptable.core.part_notices import ButtonFreed, ButtonStuck
from taptable.drivers.contacts import Movement
from taptable.referee import buttons
from taptable.referee.buttons import ButtonState

MS = 1_000


class Contact:
    """A button on a pin: its edges at given times in milliseconds, as the driver and then the filter take them, and
    what came of them."""

    def __init__(self) -> None:
        self.button = ButtonState(2, action="stop")
        self.movement = Movement(2)
        self.seen: list[buttons.ButtonOutcome] = []

    def edge(self, ms: float, pressed: bool, uncertainty_us: int = 0) -> Contact:
        self.until(ms)
        self.movement.add_edge(pressed, round(ms * MS), uncertainty_us)
        return self

    def down(self, *ms: float) -> Contact:
        for moment in ms:
            self.edge(moment, True)
        return self

    def up(self, ms: float) -> Contact:
        return self.edge(ms, False)

    def until(self, ms: float) -> Contact:
        for settled in self.movement.take_settled(round(ms * MS)):
            known_us = settled.at_us + settled.settle_us
            self._pass_time(known_us)
            self.button, seen = buttons.handle_edge(self.button, settled, known_us)
            self.seen += seen
        self._pass_time(round(ms * MS))
        return self

    def _pass_time(self, until_us: int) -> None:
        while (due := buttons.deadline(self.button)) is not None and due <= until_us:
            self.button, seen = buttons.pass_time(self.button, due)
            self.seen += seen

    def means(self, ms: float, meaning: str | None) -> Contact:
        self.until(ms)
        self.button = buttons.set_action(self.button, meaning, round(ms * MS))
        return self

    @property
    def presses_ms(self) -> list[float]:
        return [outcome.pressed_at_us / MS for outcome in self.seen if isinstance(outcome, ButtonPressed)]


def test_the_first_edge_is_the_stamp_and_the_look_comes_3_ms_later():
    contact = Contact().edge(100, True, 50).until(200)
    assert contact.seen == [ButtonPressed(103 * MS, 2, 100 * MS, 50)]


def test_what_is_up_at_the_look_was_static_or_a_brush():
    assert Contact().down(100).up(102).until(500).seen == []


def test_a_press_after_static_counts_at_once():
    assert Contact().down(100).up(102).down(110).until(500).presses_ms == [110]


def test_bounces_don_t_move_the_stamp():
    contact = Contact().down(100).up(100.4).down(100.9).up(101.3).down(101.6).until(500)
    assert contact.presses_ms == [100]


def test_a_contact_that_chatters_at_the_look_keeps_the_stamp_of_its_first_edge():
    contact = Contact().down(100).up(102.8).down(103.3).up(103.7).down(104.2).until(500)
    assert contact.seen == [ButtonPressed(round(104.7 * MS), 2, 100 * MS)]


def test_a_meaning_that_changes_between_a_press_and_its_look_deafens_it():
    contact = Contact().down(100).means(101, "buzz").until(500)
    assert contact.seen == [PressUnheard(103 * MS, 2)]


def test_a_board_s_press_from_before_the_meaning_changed_is_the_game_s_to_judge():
    button = buttons.set_action(ButtonState(2, action="stop"), "buzz", 101 * MS)
    late = ButtonEdge(100 * MS, 2, True, 300, Origin("b2", 1, 1), Clock.BOARD)
    assert buttons.handle_edge(button, late, 150 * MS)[1] == [ButtonPressed(150 * MS, 2, 100 * MS, 300)]


def test_a_contact_that_chatters_at_the_look_and_stays_up_was_none():
    assert Contact().down(100).up(102.8).down(103.3).up(103.7).until(500).seen == []


def test_bounces_of_the_release_are_no_press():
    contact = Contact().down(100).up(300).down(301).up(306).down(310).up(330).until(2_000)
    assert contact.presses_ms == [100]


def test_a_press_whose_first_bounce_was_over_before_its_level_was_read_counts_from_its_first_edge():
    contact = Contact().down(100).up(300).up(1_000).down(1_000.05).up(1_100).until(2_000)
    assert contact.presses_ms == [100, 1_000]
    assert Contact().means(0, "buzz").up(1_000).down(1_000.05).until(2_000).presses_ms == [1_000]


def test_static_that_was_over_before_its_level_was_read_is_no_press():
    assert Contact().down(100).up(300).up(1_000).up(1_001).until(2_000).presses_ms == [100]


def test_bounces_of_the_release_that_were_over_before_their_level_was_read_are_no_press():
    assert Contact().down(100).up(300).up(301).up(301.5).down(302).up(303).until(2_000).presses_ms == [100]


def test_a_press_locks_out_until_it_is_released():
    contact = Contact().down(100, 150, 260).up(300).down(400).until(900)
    assert contact.presses_ms == [100, 400]


def test_a_button_that_never_releases_is_stuck_once_and_freed_when_it_comes_up():
    contact = Contact().down(0).until(30_000).up(31_000).until(32_000)
    assert contact.seen[1:] == [ButtonStuck(10_003 * MS, 2), ButtonFreed(31_003 * MS, 2)]


def test_a_stuck_button_that_bounces_as_it_comes_up_is_freed_once():
    contact = Contact().down(0).up(12_000).down(12_000.3).up(12_000.7).until(30_000)
    assert contact.seen[1:] == [ButtonStuck(10_003 * MS, 2), ButtonFreed(12_003 * MS, 2)]


def test_a_rested_button_hears_its_new_meaning_at_once():
    assert Contact().means(0, "buzz").down(1).until(9).presses_ms == [1]


@pytest.mark.parametrize(("released_ms", "pressed_ms", "heard"), [(500, 1_199, False), (500, 1_200, True)])
def test_a_button_in_use_is_deaf_until_it_has_been_up_for_700_ms(released_ms: int, pressed_ms: int, heard: bool):
    contact = Contact().down(400).means(450, "buzz").up(released_ms).down(pressed_ms).until(5_000)
    assert (pressed_ms in contact.presses_ms) == heard
    assert any(isinstance(outcome, PressUnheard) for outcome in contact.seen) != heard


def test_mashing_to_buzz_doesn_t_pass_the_turn_that_was_won():
    contact = Contact().means(0, "buzz").down(1_000).means(1_030, "stop")
    for ms in range(1_100, 3_000, 200):
        contact.up(ms).down(ms + 100)
    assert contact.until(4_000).presses_ms == [1_000]


def test_once_it_has_rested_it_hears_quick_presses_too():
    contact = Contact().down(0).up(100).means(150, "stop!").down(900).up(960).down(1_100).until(2_000)
    assert contact.presses_ms == [0, 900, 1_100]


def test_the_same_meaning_sent_again_deafens_nobody():
    assert Contact().down(0).up(100).means(150, "stop").down(300).until(900).presses_ms == [0, 300]


@given(st.lists(st.tuples(st.integers(1, 400), st.booleans()), max_size=60))
def test_whatever_the_edges_presses_are_in_order_and_no_two_without_a_release(steps: list[tuple[int, bool]]):
    contact, ms = Contact(), 0
    ups: list[int] = []
    for after_ms, pressed in steps:
        ms += after_ms
        contact.edge(ms, pressed)
        if not pressed:
            ups.append(ms)
    stamps = contact.until(ms + 10).presses_ms
    assert stamps == sorted(stamps)
    for first, second in pairwise(stamps):
        assert any(first < up < second for up in ups)
