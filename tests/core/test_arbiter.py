"""Who buzzed first (R7.2): a ruling that goes by the time of the press and by nothing else."""

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
        ([(3, 100, 5), (2, 109, 5)], 2, (2, 3), 9, 10),
        ([(3, 100, 0), (2, 109, 10)], 2, (2, 3), 9, 10),
        ([(3, 100, 10), (2, 109, 0)], 2, (2, 3), 9, 10),
        # tied with the earliest, not through one that is
        ([(5, 100, 5), (4, 108, 5), (2, 116, 5)], 4, (4, 5), 8, 10),
        ([(5, 100, 5), (4, 108, 0), (2, 102, 0)], 2, (2, 5), 2, 5),
        # the widest interval decides each pair for itself
        ([(5, 100, 0), (4, 102, 1), (2, 150, 60)], 2, (2, 5), 2, 1),
        # at the very same microsecond
        ([(5, 100, 0), (4, 100, 0)], 4, (4, 5), 0, 0),
        # both are the earliest: what ties with either is in the group
        ([(5, 100, 0), (4, 100, 9), (2, 105, 0)], 2, (2, 4, 5), 0, 9),
        ([(4, 100, 9), (5, 100, 0), (2, 105, 0)], 2, (2, 4, 5), 0, 9),
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
        shown=st.none() | st.just("cyber-patrol#1"),
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
def test_r7_2_the_group_is_all_that_tie_with_the_earliest(presses: list[Press]):
    ruling = first_press(tuple(presses), 1, SEATS)
    first_us = min(press.pressed_at_us for press in presses)
    earliest = [press for press in presses if press.pressed_at_us == first_us]
    group = {
        press.seat
        for press in presses
        if press in earliest
        or any(press.pressed_at_us - first_us < press.uncertainty_us + other.uncertainty_us for other in earliest)
    }
    assert set(ruling.tied) == (group if len(group) > 1 else set())
    assert ruling.press.seat == min(group)  # seat 1 is the hacker, so the lowest seat is the nearest clockwise


@given(presses_of)
def test_r7_2_without_uncertainty_the_earliest_wins(presses: list[Press]):
    exact = tuple(Press(press.seat, press.pressed_at_us) for press in presses)
    ruling = first_press(exact, 1, SEATS)
    assert ruling.press.pressed_at_us == min(press.pressed_at_us for press in exact)
    assert all(press.seat in ruling.tied for press in exact if press.pressed_at_us == ruling.press.pressed_at_us) or (
        ruling.tied == ()
    )
