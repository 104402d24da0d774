"""The window in which buttons count (R7.1 to R7.5): half-open, settling, one ruling each, a queue, and its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.core import windows
from taptable.core.arbiter import Press
from taptable.core.windows import BuzzWindow, ClaimWon, Ended, Lapsed, TimeOver, Window

OPENED, CLOSES, SETTLE, CLAIM = 1000, 6000, 30, 10_000
OWNER = 1


def opened(**changes: object) -> BuzzWindow:
    window = BuzzWindow(
        owner=OWNER, seats=6, opened_at_us=OPENED, closes_at_us=CLOSES, settle_us=SETTLE, claim_us=CLAIM
    )
    return replace(window, **changes)


def until(window: BuzzWindow, at_us: int) -> tuple[BuzzWindow, list[tuple[int, windows.WindowEvent]]]:
    """Return the window at `at_us` and its events until then, each with its time; nothing happens after its end."""
    events: list[tuple[int, windows.WindowEvent]] = []
    while not (events and isinstance(events[-1][1], Ended)) and window.due_us <= at_us:
        due_us = window.due_us
        window, event = windows.pass_deadline(window)
        events.append((due_us, event))
    return window, events


def play(
    arrivals: list[tuple[int, int, int, int]], window: BuzzWindow | None = None
) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return the rulings: time, seat and tied seats. The presses (at, seat, pressed at, uncertainty) arrive in order of
    `at`."""
    window = window or opened()
    events: list[tuple[int, windows.WindowEvent]] = []
    for at_us, seat, pressed_at_us, uncertainty_us in sorted(arrivals):
        window, more = until(window, at_us)
        events += more
        if any(isinstance(event, Ended) for _, event in more):
            break
        if windows.press_objection(window, seat, pressed_at_us, at_us) is None:
            window = windows.add_press(window, Press(seat, pressed_at_us, uncertainty_us), at_us)
    else:
        window, more = until(window, 10**9)
        events += more
    return [
        (at_us, event.ruling.press.seat, event.ruling.tied) for at_us, event in events if isinstance(event, ClaimWon)
    ]


@pytest.mark.parametrize(
    ("pressed_at_us", "at_us", "objection"),
    [
        (OPENED - 1, OPENED + 5, "pressed-too-early"),
        (OPENED, OPENED, None),
        (CLOSES - 1, CLOSES - 1, None),
        (CLOSES - 1, CLOSES + SETTLE - 1, None),
        (CLOSES - 1, CLOSES + SETTLE, "pressed-too-late"),
        (CLOSES, CLOSES, "pressed-too-late"),
    ],
)
def test_r7_2_a_press_counts_if_opened_is_at_most_and_closes_after_it(
    pressed_at_us: int, at_us: int, objection: str | None
):
    assert windows.press_objection(opened(), 2, pressed_at_us, at_us) == objection


def test_r3_7_the_owner_the_locked_out_and_who_has_pressed_already_are_not_heard():
    window = opened(locked_out=frozenset({4}))
    window = windows.add_press(window, Press(2, OPENED), OPENED)
    assert windows.press_objection(window, OWNER, OPENED, OPENED) == "own-window"
    assert windows.press_objection(window, 4, OPENED, OPENED) == "locked-out"
    assert windows.press_objection(window, 2, OPENED + 1, OPENED + 1) == "pressed-already"
    assert windows.press_objection(window, 3, OPENED, OPENED) is None
    window, _ = until(window, OPENED + SETTLE)
    assert window.claim is not None
    assert windows.press_objection(window, 2, OPENED + 1, OPENED + 40) == "pressed-already"


def test_r7_2_without_a_press_it_ends_settle_after_it_closed():
    assert until(opened(), CLOSES + SETTLE)[1] == [(CLOSES, TimeOver()), (CLOSES + SETTLE, Ended(None))]
    assert until(opened(), CLOSES + SETTLE - 1)[1] == [(CLOSES, TimeOver())]


@pytest.mark.parametrize("at_us", [OPENED, 3000, CLOSES - SETTLE, CLOSES - 1, CLOSES + SETTLE - 1])
def test_r7_2_the_winner_is_named_settle_after_the_first_press_arrived(at_us: int):
    pressed_at_us = min(at_us, CLOSES - 1)
    assert play([(at_us, 2, pressed_at_us, 0)]) == [(at_us + SETTLE, 2, ())]


@pytest.mark.parametrize(
    ("arrivals", "named"),
    [
        # within the settling time the earlier press wins though it arrives later
        ([(2000, 2, 2000, 0), (2029, 3, 1990, 0)], [(2030, 3, ()), (12_030, 2, ())]),
        # at the naming it is too late: it queues
        ([(2000, 2, 2000, 0), (2030, 3, 1990, 0)], [(2030, 2, ()), (12_030, 3, ())]),
        # after a false alarm the queue is ruled by time of press again
        (
            [(2000, 2, 2000, 0), (2100, 3, 2100, 0), (2110, 4, 2090, 0)],
            [(2030, 2, ()), (12_030, 4, ()), (22_030, 3, ())],
        ),
        # with its own ties
        (
            [(2000, 6, 2000, 0), (2100, 3, 2100, 6), (2110, 2, 2110, 5)],
            [(2030, 6, ()), (12_030, 2, (2, 3)), (22_030, 3, ())],
        ),
        # a claim that runs while the time of the window goes by
        ([(5990, 2, 5990, 0), (6019, 3, 5989, 0)], [(6020, 3, ()), (16_020, 2, ())]),
    ],
)
def test_r7_2_r7_4_namings_and_the_queue(arrivals: list, named: list):
    assert play(arrivals) == named


def test_r7_4_a_failed_claim_locks_out_and_the_window_runs_on_while_its_time_is_not_over():
    window = windows.add_press(opened(claim_us=100), Press(2, 2000), 2000)
    window, events = until(window, 2130)
    assert events[-1] == (2130, Lapsed(2))
    assert window.locked_out == {2}
    assert window.claim is None
    assert window.due_us == CLOSES
    assert windows.press_objection(window, 3, 2200, 2200) is None
    window = windows.add_press(window, Press(3, 2200), 2200)
    assert window.due_us == 2200 + SETTLE


@pytest.mark.parametrize(
    ("claim_us", "events"),
    [
        # the claim fails as late arrivals are still waited for
        (CLOSES + 10 - 5930, [(CLOSES, TimeOver()), (CLOSES + 10, Lapsed(2)), (CLOSES + SETTLE, Ended(None))]),
        (CLOSES + SETTLE - 5930, [(CLOSES, TimeOver()), (CLOSES + SETTLE, Ended(2))]),
        (CLAIM, [(CLOSES, TimeOver()), (5930 + CLAIM, Ended(2))]),
    ],
)
def test_r7_4_a_claim_that_fails_after_the_windows_time_ends_it(claim_us: int, events: list):
    window = windows.add_press(opened(claim_us=claim_us), Press(2, 5900), 5900)
    window, _ = until(window, 5930)
    assert until(window, 10**9)[1] == events


def test_r7_5_a_card_shown_before_the_naming_comes_with_the_ruling():
    window = windows.add_press(opened(), Press(2, 2000), 2000)
    window = windows.attach_card(window, 2, "cyber-patrol#1")
    _, event = windows.pass_deadline(window)
    assert isinstance(event, ClaimWon)
    assert event.ruling.press.shown_card == "cyber-patrol#1"


@pytest.mark.parametrize(
    ("at_us", "uncertainty_us", "since_us", "until_us"),
    [
        (3000, 0, 3000, 3000),
        (3000, 500, 2500, 3000),
        (3000, 501, 2498, 3000),  # half a microsecond is rounded to the uncertain side
        # what lies outside the window is no answer to it
        (OPENED, 500, OPENED, OPENED),
        (OPENED + 100, 500, OPENED, OPENED + 100),
        (CLOSES + 10, 500, CLOSES - 490, CLOSES),
        (CLOSES + SETTLE - 1, SETTLE, CLOSES - 2, CLOSES),
    ],
)
def test_r7_5_a_card_was_laid_in_its_uncertainty_before_it_was_known_as_far_as_the_window_was_open(
    at_us: int, uncertainty_us: int, since_us: int, until_us: int
):
    press = windows.press_by_card(opened(), 2, "cyber-patrol#1", at_us, uncertainty_us)
    assert press is not None
    assert (press.pressed_at_us - press.uncertainty_us, press.pressed_at_us + press.uncertainty_us) == (
        since_us,
        until_us,
    )
    assert OPENED <= press.pressed_at_us < CLOSES
    assert (press.seat, press.shown_card) == (2, "cyber-patrol#1")


@pytest.mark.parametrize(
    ("at_us", "uncertainty_us"),
    [(CLOSES, 0), (CLOSES + 10, 10), (CLOSES + SETTLE, 500), (CLOSES + SETTLE + 10, 500)],
)
def test_r7_5_a_card_that_was_certainly_late_or_isnt_known_before_the_end_is_too_late(at_us: int, uncertainty_us: int):
    assert windows.press_by_card(opened(), 2, "cyber-patrol#1", at_us, uncertainty_us) is None


def test_settle_0_names_at_the_moment_of_arrival_and_ends_as_it_closes():
    window = opened(settle_us=0)
    assert play([(2000, 2, 1990, 0), (2000, 3, 1980, 0)], window) == [(2000, 2, ()), (12_000, 3, ())]
    assert until(window, CLOSES)[1] == [(CLOSES, TimeOver()), (CLOSES, Ended(None))]
    assert windows.press_objection(window, 2, CLOSES - 1, CLOSES) == "pressed-too-late"


def test_a_pause_moves_every_time_of_the_window():
    window = windows.add_press(opened(), Press(2, 2000, 5), 2000)
    moved = windows.shift(window, 500)
    assert moved.due_us == window.due_us + 500
    assert (moved.opened_at_us, moved.closes_at_us) == (OPENED + 500, CLOSES + 500)
    assert moved.presses == (Press(2, 2500, 5),)
    named, _ = until(window, 2030)
    assert replace(windows.shift(named, 500), listening=False).due_us == 2030 + CLAIM + 500


delayed = st.lists(
    st.tuples(st.integers(2, 6), st.integers(2000, 2020), st.integers(0, 8), st.integers(0, 29)),
    min_size=1,
    max_size=5,
    unique_by=lambda press: press[0],
)


@given(delayed, st.integers(0, 29))
def test_r7_2_the_winner_never_depends_on_the_order_of_arrival_within_the_settling_time(presses: list, start: int):
    """All presses arrive within one settling time: in any order of arrival the same seats win, in the same order."""
    first_us = 2020 + start
    one_way = [(first_us + late % SETTLE, seat, at, u) for seat, at, u, late in presses]
    other_way = [(first_us + (SETTLE - 1 - late) % SETTLE, seat, at, u) for seat, at, u, late in presses]
    assert [named[1:] for named in play(one_way)] == [named[1:] for named in play(other_way)]


@given(
    st.lists(
        st.tuples(st.integers(2, 6), st.integers(OPENED - 50, CLOSES + 50), st.integers(0, 20), st.integers(0, 60)),
        max_size=12,
    )
)
def test_every_window_ends_and_names_each_seat_at_most_once(presses: list):
    arrivals = [(max(OPENED, at) + late, seat, at, u) for seat, at, u, late in presses]
    named = play(arrivals)
    assert len({seat for _, seat, _ in named}) == len(named)
    assert all(later[0] - earlier[0] >= CLAIM for earlier, later in pairwise(named))


DETECTION = 500
"""The time within which a reader without stamps reports a card, far above the time to settle."""


@dataclass(frozen=True)
class Buzz:
    """One seat's answer: a press, or a card at a reader without stamps. It was made at `made_us` and known to the table
    at `known_us`; the table knows that it was made from `since_us` to `until_us`."""

    seat: int
    is_card: bool
    made_us: int
    known_us: int
    since_us: int
    until_us: int

    def certainly_beats(self, other: Buzz) -> bool:
        return self.until_us <= other.since_us and self.since_us < other.until_us


@st.composite
def races(draw: st.DrawFn) -> list[Buzz]:
    """Draw a race near some moment, often at an end of the window, in the order in which the table knows of it."""
    around_us = draw(st.sampled_from((OPENED, 3000, CLOSES - DETECTION)))
    race: list[Buzz] = []
    for seat in draw(st.sets(st.integers(2, 6), min_size=1)):
        made_us = around_us + draw(st.integers(0, DETECTION - 1))
        if draw(st.booleans()):
            known_us = made_us + draw(st.integers(0, SETTLE - 1))
            race.append(Buzz(seat, False, made_us, known_us, made_us, made_us))
        else:
            known_us = made_us + draw(st.integers(0, DETECTION))
            since_us, until_us = max(known_us - DETECTION, OPENED), min(known_us, CLOSES)
            since_us -= (until_us - since_us) % 2  # half a microsecond is rounded to the uncertain side
            race.append(Buzz(seat, True, made_us, known_us, since_us, until_us))
    return sorted(race, key=lambda buzz: (buzz.known_us, buzz.seat))


@given(races())
def test_r7_5_in_a_race_of_presses_and_cards_nobody_wins_whom_another_certainly_beat(race: list[Buzz]):
    window, counted = opened(), list[Buzz]()
    for buzz in race:
        window, events = until(window, buzz.known_us)
        if events and isinstance(events[-1][1], Ended):
            break
        press: Press | None = Press(buzz.seat, buzz.made_us)
        if buzz.is_card:
            press = windows.press_by_card(window, buzz.seat, "cyber-patrol#1", buzz.known_us, DETECTION)
        elif windows.press_objection(window, buzz.seat, buzz.made_us, buzz.known_us) is not None:
            press = None
        if press is not None:
            window = windows.add_press(window, press, buzz.known_us)
            counted.append(buzz)
    named = next_named(window) if window.claim is None else window.claim.seat
    if not counted:
        assert named is None
        return
    heard = [buzz for buzz in counted if buzz.known_us < counted[0].known_us + SETTLE]
    first = [buzz for buzz in heard if not any(other.certainly_beats(buzz) for other in heard)]
    winner = min(first, key=lambda buzz: buzz.seat)  # seat 1 has opened the window
    assert named == winner.seat
    # and nobody whom the ruling didn't wait for
    assert not any(other.certainly_beats(winner) for other in race)


def next_named(window: BuzzWindow) -> int | None:
    """Return the seat that is named next; None if the window ends before."""
    _, events = until(window, window.settled_at_us + SETTLE)
    return next((event.ruling.press.seat for _, event in events if isinstance(event, ClaimWon)), None)


# the plain window, which one seat answers


def plain(settle_us: int = SETTLE) -> Window:
    return Window(owner=OWNER, opened_at_us=OPENED, closes_at_us=CLOSES, settle_us=settle_us)


@pytest.mark.parametrize(
    ("pressed_at_us", "at_us", "objection"),
    [
        (OPENED - 1, CLOSES - 1, "pressed-too-early"),
        (OPENED, OPENED, None),
        (CLOSES - 1, CLOSES + SETTLE - 1, None),
        (CLOSES - 1, CLOSES + SETTLE, "pressed-too-late"),
        (CLOSES, CLOSES, "pressed-too-late"),
    ],
)
def test_a_plain_window_hears_what_was_pressed_in_time(pressed_at_us: int, at_us: int, objection: str | None):
    assert windows.timing_objection(plain(), pressed_at_us, at_us) == objection


@pytest.mark.parametrize("settle_us", [0, SETTLE])
def test_a_plain_window_listens_until_it_closes_and_is_over_when_it_has_settled(settle_us: int):
    window = plain(settle_us)
    assert (window.due_us, window.listening) == (CLOSES, True)
    deaf = windows.pass_time(window)
    assert deaf is not None
    assert (deaf.due_us, deaf.listening) == (CLOSES + settle_us, False)
    assert windows.pass_time(deaf) is None


def test_a_plain_window_moves_with_a_pause_and_restarts_with_its_full_time():
    moved = windows.shift(plain(), 500)
    assert (moved.opened_at_us, moved.closes_at_us, moved.settle_us) == (OPENED + 500, CLOSES + 500, SETTLE)
    deaf = windows.pass_time(moved)
    assert deaf is not None
    again = windows.restart(deaf, 9_000)
    assert (again.opened_at_us, again.closes_at_us, again.listening) == (9_000, 9_000 + CLOSES - OPENED, True)
