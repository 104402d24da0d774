"""The arbiter of buzzes (R7.2): its ruling depends on the times of the presses and on nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.core.arbiter import Press, first_press

SEATS = 6


@pytest.mark.parametrize(
    ("presses", "winner", "tied", "margin_us", "uncertainty_us"),
    [
        # (seat, pressed at, uncertainty) in order of arrival; seat 1 is the hacker
        ([(3, 100, 7)], 3, (), None, 7),
        ([(3, 100, 0), (2, 101, 0)], 3, (), 1, 0),
        ([(2, 101, 0), (3, 100, 0)], 3, (), 1, 0),
        ([(3, 100, 5), (2, 110, 5)], 3, (), 10, 10),
        ([(3, 100, 5), (2, 109, 5)], 2, (2, 3), None, 5),
        ([(3, 100, 0), (2, 109, 10)], 2, (2, 3), None, 10),
        ([(3, 100, 10), (2, 109, 0)], 2, (2, 3), None, 0),
        # the last is certainly after the first, though not after the second
        ([(5, 100, 5), (4, 108, 5), (2, 116, 5)], 4, (4, 5), None, 5),
        # the first is certainly before none of the others, but one of them is before the other
        ([(5, 100, 5), (4, 108, 0), (2, 102, 0)], 2, (2, 5), None, 0),
        # an uncertain press in the group isn't a bridge for one that a third has certainly beaten (R7.2's own example)
        ([(5, 412_000, 100), (4, 412_000, 4_000), (3, 414_000, 100)], 4, (4, 5), None, 4_000),
        ([(4, 500_000, 100), (3, 500_000, 4_000), (2, 502_000, 100)], 3, (3, 4), None, 4_000),
        # a late one that is vague enough stays in
        ([(5, 100, 0), (4, 102, 1), (2, 150, 60)], 2, (2, 5), None, 60),
        # the next press counts for the margin, whatever is beyond it
        ([(5, 100, 1), (4, 110, 2), (2, 111, 9)], 5, (), 10, 3),
        # at the very same microsecond
        ([(5, 100, 0), (4, 100, 0)], 4, (4, 5), None, 0),
        ([(5, 100, 0), (4, 100, 9), (2, 105, 0)], 4, (4, 5), None, 9),
        ([(4, 100, 9), (5, 100, 0), (2, 105, 0)], 4, (4, 5), None, 9),
    ],
)
def test_r7_2_rulings(
    presses: list[tuple[int, int, int]],
    winner: int,
    tied: tuple[int, ...],
    margin_us: int | None,
    uncertainty_us: int,
):
    ruling = first_press(tuple(Press(*press) for press in presses), after=1, seats=SEATS)
    assert ruling.press.seat == winner
    assert ruling.tied == tied
    assert ruling.margin_us == margin_us
    assert ruling.uncertainty_us == uncertainty_us


@pytest.mark.parametrize(
    ("hacker", "seats", "winner"),
    [(1, (2, 6), 2), (1, (6, 3), 3), (4, (3, 6), 6), (6, (5, 1), 1), (6, (5, 4), 4), (3, (2, 1), 1)],
)
def test_r7_2_a_tie_goes_to_the_seat_nearest_clockwise_after_the_hacker(
    hacker: int, seats: tuple[int, ...], winner: int
):
    ruling = first_press(tuple(Press(seat, 0, 10) for seat in seats), after=hacker, seats=SEATS)
    assert ruling.press.seat == winner


presses_of = st.lists(
    st.builds(
        Press,
        seat=st.integers(2, SEATS),
        pressed_at_us=st.integers(0, 40),
        uncertainty_us=st.integers(0, 15),
        shown_card=st.none() | st.just("cyber-patrol#1"),
    ),
    min_size=1,
    max_size=SEATS - 1,
    unique_by=lambda press: press.seat,
)


@given(presses_of, st.randoms(use_true_random=False))
def test_r7_2_the_ruling_never_depends_on_the_order_of_arrival(presses: list[Press], random):
    arrived = list(presses)
    random.shuffle(arrived)
    assert first_press(tuple(arrived), 1, SEATS) == first_press(tuple(presses), 1, SEATS)


@given(presses_of)
def test_r7_2_the_group_is_every_press_that_no_other_is_certainly_before(presses: list[Press]):
    ruling = first_press(tuple(presses), 1, SEATS)

    def beats(one: Press, other: Press) -> bool:
        apart_us = other.pressed_at_us - one.pressed_at_us
        return apart_us > 0 and apart_us >= one.uncertainty_us + other.uncertainty_us

    group = {press.seat for press in presses if not any(beats(other, press) for other in presses)}
    assert set(ruling.tied) == (group if len(group) > 1 else set())
    assert ruling.press.seat == min(group)  # seat 1 is the hacker, so the lowest seat is the nearest clockwise


@given(presses_of)
def test_r7_2_a_lone_winner_has_the_time_to_the_next_press_and_a_tie_has_none(presses: list[Press]):
    ruling = first_press(tuple(presses), 1, SEATS)
    others = [press for press in presses if press is not ruling.press]
    if ruling.tied or not others:
        assert (ruling.margin_us, ruling.uncertainty_us) == (None, ruling.press.uncertainty_us)
        return
    following = min(others, key=lambda press: (press.pressed_at_us, press.seat))
    assert ruling.margin_us == following.pressed_at_us - ruling.press.pressed_at_us
    assert ruling.uncertainty_us == following.uncertainty_us + ruling.press.uncertainty_us
    assert ruling.margin_us >= ruling.uncertainty_us


@given(presses_of)
def test_r7_2_without_uncertainty_the_earliest_wins(presses: list[Press]):
    exact = tuple(Press(press.seat, press.pressed_at_us) for press in presses)
    ruling = first_press(exact, 1, SEATS)
    assert ruling.press.pressed_at_us == min(press.pressed_at_us for press in exact)
    assert all(press.seat in ruling.tied for press in exact if press.pressed_at_us == ruling.press.pressed_at_us) or (
        ruling.tied == ()
    )
