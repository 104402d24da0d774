"""The events made of looks at a pad: absence, garbled looks, second reads, cards lying at the start, as in *Reading
cards*."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tapshared.presence import ABSENCE_US, CAME, MAX_GARBLED_US, Presence, PresenceChange
from tapshared.ticks import ticks_diff

A, B = b"\x04\x01\x02\x03\x04\x05\x06", b"\x5e\x21\xc0\xa7"
PHONE, SAME_PHONE = b"\x08\x01\x02\x03", b"\x08\x04\x05\x06"
NAMES = {A: "A", B: "B", PHONE: "P", SAME_PHONE: "p"}

# A look every 50 ms: the cards read, `~` where something was garbled, `.` for a clean time-out. Then what is told, by
# the number of the look: `+A` came, `(A)` was lying, `-A` went.
BOARD = {
    "a card comes at its first read and is confirmed at its second": (". A A A", "1+A1 2+A2"),
    "a card read once comes and goes": (". A . . . . . . .", "1+A1 8-A1"),
    "a card is gone after 300 ms of clean time-outs": (". A A . . . . . . .", "1+A1 2+A2 9-A2"),
    "a shorter absence is none": (". A A . . . . . . A . . . . . . A", "1+A1 2+A2"),
    "a corrupted answer restarts the absence": (". A A . . . . . . ~ . . . . . . .", "1+A1 2+A2 16-A2"),
    "a corrupted answer is no card": (". ~ ~ ~", ""),
    "cards at the first look are lying": ("A A A", "0(A)1 1(A)2"),
    "the first clear look ends the beginning": (". A", "1+A1"),
    "a corrupted first look doesn't": ("~ ~ A B B", "2(A)1 3+B1 4+B2"),
    "cards come and go one by one": (". A AB AB B B B B B B B", "1+A1 2+A2 2+B1 3+B2 10-A3"),
    "one garbled card holds the others": (". AB AB B~ B~ B~ B~ B~ B~ B~ B~", "1+A1 1+B1 2+A2 2+B2"),
    "a phone with a new uid each time is one card": (". P p p", "1+P1 2+P2"),
    "a card that went and comes back comes again": (". A A . . . . . . . A", "1+A1 2+A2 9-A2 10+A1"),
}
ENROLLED = {
    "an enrolled card comes at its first read, once": (". A A A A", "1+A1"),
    "an unknown tag needs a second read, and came at its first": (". B . B", "3+B2"),
    "an unknown tag read once is never told": (". B . . . . . . . . B . . . . . . . .", ""),
    "an unknown tag that lay there needs two reads as well": ("B B", "1(B)2"),
}


def told(looks: str, presence: Presence) -> str:
    """Run a row of looks and return the events."""
    said: list[str] = []
    for number, look in enumerate(looks.split()):
        uids = [uid for uid, name in NAMES.items() if name in look]
        for change in presence.look(number * 50_000, uids, "~" in look):
            name = NAMES[change.uid]
            mark = ("({})" if change.already_there else "+{}") if change.kind == CAME else "-{}"
            said.append(f"{number}{mark.format(name)}{change.reads}")
    return " ".join(said)


@pytest.mark.parametrize("rule", BOARD)
def test_on_a_board(rule: str) -> None:
    looks, expected = BOARD[rule]
    assert told(looks, Presence()) == expected


@pytest.mark.parametrize("rule", ENROLLED)
def test_where_the_enrolled_cards_are_known(rule: str) -> None:
    looks, expected = ENROLLED[rule]
    assert told(looks, Presence(lambda uid: (1,) if uid == A else (2,))) == expected


def test_a_card_enrolled_while_it_lies_there_is_reported_once() -> None:
    enrolled: set[bytes] = set()
    presence = Presence(lambda uid: (1,) if uid in enrolled else (2,))
    assert presence.look(0, [], False) == []
    assert presence.look(50_000, [B], False) == []
    enrolled.add(B)
    assert [change.uid for change in presence.look(100_000, [B], False)] == [B]
    assert presence.look(150_000, [B], False) == []


def test_a_card_that_nobody_could_look_for_goes_after_300_ms_of_clean_time_outs_since() -> None:
    presence = Presence(minus=ticks_diff)
    presence.look(0, [], False)
    presence.look(50_000, [A], False)
    presence.look(100_000, [], False)
    began_us = 600_000_000  # more than half of the period of the ticks
    presence.resume(began_us)
    looks_us = range(began_us + 50_000, began_us + 1_000_000, 50_000)
    assert next(at_us for at_us in looks_us if presence.look(at_us, [], False)) == looks_us[0] + ABSENCE_US


def test_garbled_looks_keep_a_card_at_most_1_s_after_its_last_clean_select() -> None:
    presence = Presence()
    presence.look(0, [A], False)
    looks_us = range(50_000, 1_500_000, 50_000)
    went_us = next(at_us for at_us in looks_us if presence.look(at_us, [], True))
    assert went_us == MAX_GARBLED_US


def test_the_beginning_lasts_no_longer_than_garbled_looks_may() -> None:
    presence = Presence()
    for at_us in range(0, MAX_GARBLED_US + 1, 50_000):
        presence.look(at_us, [], True)
    (change,) = presence.look(MAX_GARBLED_US + 50_000, [A], True)
    assert not change.already_there


def test_the_times_are_those_of_the_first_read_and_of_the_look_that_found_it_gone() -> None:
    presence = Presence(lambda _: (2,))
    presence.look(0, [], False)
    presence.look(70_000, [A], False)
    (came,) = presence.look(110_000, [A], False)
    assert came.at_us == 70_000
    presence.look(150_000, [], False)
    assert presence.look(150_000 + ABSENCE_US - 1, [], False) == []
    (went,) = presence.look(150_000 + ABSENCE_US, [], False)
    assert went.at_us == 150_000 + ABSENCE_US


def test_ticks_may_wrap_in_the_middle_of_an_absence() -> None:
    presence = Presence(minus=ticks_diff)
    period = 1 << 30
    presence.look(period - 200_000, [A], False)
    presence.look(period - 150_000, [], False)
    assert presence.look(100_000, [], False) == []
    (went,) = presence.look(150_000, [], False)
    assert went.uid == A


def test_known_cards_are_those_read_and_not_gone() -> None:
    presence = Presence(lambda _: (2,))
    presence.look(0, [A, B], False)
    assert sorted(presence.known_uids()) == sorted([A, B])
    for number in range(1, 10):
        presence.look(number * 50_000, [B], False)
    assert presence.known_uids() == [B]


@given(
    st.lists(st.tuples(st.sets(st.sampled_from([A, B])), st.sets(st.sampled_from([A, B])), st.booleans()), max_size=40)
)
def test_a_card_that_is_taken_out_of_a_look_before_its_end_counts_once(
    looks: list[tuple[set[bytes], set[bytes], bool]],
) -> None:
    ahead, afterwards = Presence(), Presence()
    for number, (uids, early, garbled) in enumerate(looks):
        told = [change for uid in sorted(uids & early) for change in ahead.add_card(number * 50_000 - 3_000, uid)]
        told += ahead.look(number * 50_000, sorted(uids), garbled)
        expected = afterwards.look(number * 50_000, sorted(uids), garbled)
        assert sorted((c.kind, c.uid, c.already_there, c.reads) for c in told) == sorted(
            (c.kind, c.uid, c.already_there, c.reads) for c in expected
        )


@given(
    st.lists(st.tuples(st.integers(1_000, 200_000), st.sets(st.sampled_from([A, B])), st.booleans()), max_size=60),
    st.sampled_from([(1,), (2,), (1, 2)]),
)
def test_every_card_comes_before_it_goes_and_never_twice(
    looks: list[tuple[int, set[bytes], bool]], tell_at: tuple[int, ...]
) -> None:
    presence = Presence(lambda _: tell_at)
    there: dict[bytes, int] = {}
    at_us = 0
    for passed_us, uids, garbled in looks:
        at_us += passed_us
        changes: list[PresenceChange] = presence.look(at_us, sorted(uids), garbled)
        for change in changes:
            if change.kind == CAME:
                assert change.reads in tell_at
                assert change.reads > there.get(change.uid, 0)
                there[change.uid] = change.reads
            else:
                assert there.pop(change.uid) >= 1
                assert change.uid not in uids
