"""*Reading cards*: what tags that come and go on pads mean."""

from __future__ import annotations

import pytest
from taptable.core.device_events import TagCame, TagWent
from taptable.core.notices import CardTwice, PhoneSeen
from taptable.core.observations import CardHeld, CardsTogether, CardTapped
from taptable.referee import taps
from taptable.referee.taps import CardFound, ControlTapped, Taps

MS = 1_000
DECK = {"04aa": "email#1", "04bb": "virus#2", "04dd": "music#1", "04cc": "control:pause", "04ee": "winter:email#9"}
PHONE = "08a1b2c3"
UNHEARD = ("pad 1", "board 1", "flood 1", "twins 1", "firmware 1")
"""Alerts during which the tags on pad 1 aren't reported."""
REFUSED_MS = 4_500
"""A second tag is refused this long after it came."""


class Pads:
    """Tags put on pads at given times, and what came of it."""

    def __init__(self) -> None:
        self.taps = Taps()
        self.seen: list[taps.TapOutcome] = []

    def come(
        self, ms: int, uid: str, pad: int | str = 1, lying: bool = False, late_ms: int = 0, uncertain_ms: int = 0
    ) -> Pads:
        self.until(ms + late_ms)
        came = TagCame(ms * MS, pad, uid, lying, identity=DECK.get(uid), uncertainty_us=uncertain_ms * MS)
        self.taps, seen = taps.handle_tag_came(self.taps, came, (ms + late_ms) * MS)
        self.seen += seen
        return self

    def go(self, ms: int, uid: str, pad: int | str = 1, late_ms: int = 0) -> Pads:
        self.until(ms + late_ms)
        self.taps, seen = taps.handle_tag_went(self.taps, TagWent(ms * MS, pad, uid), (ms + late_ms) * MS)
        self.seen += seen
        return self

    def fail(self, ms: int, part: str) -> Pads:
        self.until(ms)
        self.taps, seen = taps.mark_part_failed(self.taps, part, ms * MS)
        self.seen += seen
        return self

    def recover(self, ms: int, part: str) -> Pads:
        self.until(ms)
        self.taps = taps.mark_part_returned(self.taps, part)
        return self

    def until(self, ms: int, held_up_to_ms: int = 0) -> Pads:
        """Time passes; nothing happens while the table is held up."""
        while (due := taps.deadline(self.taps)) is not None and due <= ms * MS:
            self.taps, seen = taps.pass_time(self.taps, due, max(due, held_up_to_ms * MS))
            self.seen += seen
        return self

    @property
    def said(self) -> list[type[taps.TapOutcome]]:
        return [type(gesture) for gesture in self.seen]


def test_a_tap_is_a_card_that_comes():
    assert Pads().come(0, "04aa").seen == [CardTapped(0, "email#1", 1)]


def test_a_card_on_the_discard_pad_is_a_tap_too():
    assert Pads().come(5, "04bb", "discard").seen == [CardTapped(5 * MS, "virus#2", "discard")]


def test_a_hold_is_the_same_card_still_there_after_a_second_and_a_half():
    pads = Pads().come(0, "04aa").until(5_000)
    assert pads.seen == [CardTapped(0, "email#1", 1), CardHeld(1_800 * MS, "email#1", 1)]


@pytest.mark.parametrize(("lifted_ms", "held"), [(1_190, False), (1_499, False), (1_500, True), (1_700, True)])
def test_a_hold_counts_from_when_the_card_was_lifted_not_from_when_that_was_known(lifted_ms: int, held: bool):
    pads = Pads().come(0, "04aa").go(lifted_ms + 300, "04aa").until(9_000)
    assert any(isinstance(gesture, CardHeld) for gesture in pads.seen) == held


def test_a_card_held_too_long_triggers_once():
    pads = Pads().come(0, "04aa").until(60_000)
    assert len(pads.seen) == 2


def test_two_new_cards_within_200_ms_are_together_and_neither_is_held():
    pads = Pads().come(0, "04aa").come(199, "04bb").until(9_000)
    assert pads.seen == [CardTapped(0, "email#1", 1), CardsTogether(199 * MS, ("email#1", "virus#2"), 1, 0)]


def test_two_cards_200_ms_apart_are_two_taps():
    pads = Pads().come(0, "04aa").come(200, "04bb")
    assert pads.seen == [CardTapped(0, "email#1", 1), CardTapped(200 * MS, "virus#2", 1)]


def test_a_third_card_is_together_with_the_second():
    pads = Pads().come(0, "04aa").come(100, "04bb").come(250, "04dd")
    assert pads.seen[-1] == CardsTogether(250 * MS, ("virus#2", "music#1"), 1, 100 * MS)


def test_cards_are_together_by_when_they_came_and_not_by_when_that_was_reported():
    pads = Pads().come(0, "04aa", late_ms=900).come(700, "04bb", late_ms=200)
    assert [type(gesture) for gesture in pads.seen] == [CardTapped, CardTapped]
    pads = Pads().come(0, "04aa").come(150, "04bb", late_ms=500)
    assert pads.seen[-1] == CardsTogether(650 * MS, ("email#1", "virus#2"), 1, 0)


def test_a_card_that_is_reported_late_is_held_from_then_on():
    pads = Pads().come(0, "04aa", late_ms=5_000).go(5_001, "04aa").until(20_000)
    assert pads.seen == [CardTapped(5_000 * MS, "email#1", 1)]


@pytest.mark.parametrize(
    ("late_ms", "uncertain_ms", "before_ms"),
    [
        (0, 500, 500),
        # a stamp in the middle of half a second, reported at its end, means the same
        (250, 250, 500),
        (900, 250, 1_150),
        # an exact reader's card counts when it is known, however late that is
        (900, 0, 0),
    ],
)
def test_a_tap_with_an_uncertain_stamp_says_how_long_before_the_card_may_have_come(
    late_ms: int, uncertain_ms: int, before_ms: int
):
    pads = Pads().come(1_000, "04aa", late_ms=late_ms, uncertain_ms=uncertain_ms)
    assert pads.seen == [CardTapped((1_000 + late_ms) * MS, "email#1", 1, before_ms * MS)]


def test_a_card_that_was_carried_over_to_such_a_reader_may_have_come_long_before_that_is_known():
    pads = Pads().come(0, "04aa", 1).come(1_000, "04aa", 2, uncertain_ms=500).go(1_200, "04aa", 1, late_ms=400)
    assert pads.seen[-1] == CardTapped(1_600 * MS, "email#1", 2, 1_100 * MS)


def test_two_cards_on_two_pads_are_not_together():
    pads = Pads().come(0, "04aa", 1).come(1, "04bb", 2)
    assert [type(gesture) for gesture in pads.seen] == [CardTapped, CardTapped]


def test_a_card_lying_there_at_the_start_is_no_tap_and_no_hold():
    pads = Pads().come(0, "04aa", lying=True).until(9_000)
    assert pads.seen == [CardFound(0, "email#1", 1)]


def test_a_control_card_lying_there_at_the_start_does_nothing():
    assert Pads().come(0, "04cc", lying=True).until(9_000).seen == [CardFound(0, "pause", 1)]


def test_a_card_lying_there_when_its_board_restarts_is_reported_once():
    pads = Pads().come(0, "04aa").come(500, "04aa", lying=True)
    assert pads.seen == [CardTapped(0, "email#1", 1)]


def test_a_new_card_beside_one_that_lay_there_is_a_tap():
    pads = Pads().come(0, "04aa", lying=True).come(50, "04bb")
    assert pads.seen[-1] == CardTapped(50 * MS, "virus#2", 1)


def test_a_control_card_waits_until_it_is_known_to_be_alone():
    pads = Pads().come(0, "04cc", 2)
    assert pads.seen == []
    assert pads.until(200).seen == [ControlTapped(200 * MS, "pause", 2)]


def test_a_control_card_lifted_at_once_was_tapped_all_the_same():
    assert Pads().come(0, "04cc").go(150, "04cc").until(300).seen == [ControlTapped(200 * MS, "pause", 1)]


@pytest.mark.parametrize("order", [("04cc", "04aa"), ("04aa", "04cc")])
def test_a_control_card_with_another_does_nothing(order: tuple[str, str]):
    pads = Pads().come(0, order[0]).come(100, order[1]).until(9_000)
    assert isinstance(pads.seen[-1], CardsTogether)
    assert not any(isinstance(gesture, ControlTapped) for gesture in pads.seen)


def test_a_tag_nobody_knows_is_tapped_by_its_number():
    assert Pads().come(0, "04ff").seen == [CardTapped(0, "04ff", 1)]


def test_a_card_of_another_deck_is_tapped_by_the_deck_and_its_name():
    assert Pads().come(0, "04ee").seen == [CardTapped(0, "winter:email#9", 1)]


def test_a_phone_is_reported_once_until_something_else_comes():
    pads = Pads().come(0, PHONE).come(400, "08ffffff").come(800, "04aa").come(1_500, PHONE)
    assert pads.seen == [PhoneSeen(0, 1), CardTapped(800 * MS, "email#1", 1), PhoneSeen(1_500 * MS, 1)]


def test_nothing_is_held_on_a_pad_that_stopped_answering():
    for part in UNHEARD:
        assert len(Pads().come(0, "04aa").fail(500, part).until(9_000).seen) == 1


def test_a_control_card_whose_board_is_gone_before_it_is_known_to_be_alone_was_tapped():
    pads = Pads().come(0, "04cc").fail(100, "board 1").until(9_000)
    assert pads.seen == [ControlTapped(200 * MS, "pause", 1)]
    assert Pads().come(0, "04cc").come(100, "04cc", lying=True).until(9_000).seen == pads.seen


def test_the_same_card_tapped_again_is_a_new_tap():
    pads = Pads().come(0, "04aa").go(700, "04aa").come(900, "04aa")
    assert pads.seen == [CardTapped(0, "email#1", 1), CardTapped(900 * MS, "email#1", 1)]


class TestATagOnTwoPads:
    def test_the_second_pad_is_refused_and_named(self):
        pads = Pads().come(0, "04aa", 1).come(500, "04aa", 2).until(9_000)
        refused = CardTwice((500 + REFUSED_MS) * MS, "email#1", 2, 1)
        assert pads.seen == [CardTapped(0, "email#1", 1), CardHeld(1_800 * MS, "email#1", 1), refused]

    def test_one_that_is_lifted_meanwhile_is_refused_all_the_same(self):
        pads = Pads().come(0, "04aa", 1).come(3_000, "04aa", 2).go(3_500, "04aa", 2).until(9_000)
        assert pads.seen[-1] == CardTwice((3_000 + REFUSED_MS) * MS, "email#1", 2, 1)
        assert pads.go(20_000, "04aa", 1).until(30_000).taps.tags_on(2) == ()
        assert pads.said == [CardTapped, CardHeld, CardTwice]

    def test_it_is_refused_at_each_pad_and_each_time(self):
        pads = Pads().come(0, "04aa", 1)
        for at_ms, pad in ((10_000, 2), (20_000, 2), (30_000, "discard")):
            pads.come(at_ms, "04aa", pad).go(at_ms + 400, "04aa", pad)
        refused = [(said.pad, said.also_at) for said in pads.until(40_000).seen if isinstance(said, CardTwice)]
        assert refused == [(2, 1), (2, 1), ("discard", 1)]
        assert sum(isinstance(said, CardTapped) for said in pads.seen) == 1

    def test_one_that_flickers_on_the_second_pad_is_refused_in_time(self):
        pads = Pads().come(0, "04aa", 1)
        for at_ms in range(2_000, 6_400, 400):
            pads.come(at_ms, "04aa", 2).go(at_ms + 300, "04aa", 2)
        assert CardTwice((2_000 + REFUSED_MS) * MS, "email#1", 2, 1) in pads.until(2_000 + REFUSED_MS).seen

    def test_it_is_refused_at_once_where_the_first_pad_saw_its_own_after_it_came(self):
        pads = Pads().come(0, "04aa", 1).come(2_500, "04aa", 2).go(4_000, "04aa", 1)
        assert pads.seen[-1] == CardTwice(4_000 * MS, "email#1", 2, 1)

    @pytest.mark.parametrize("gone_ms", [2_001, 2_300, 3_499])
    def test_a_hand_that_is_faster_than_a_reader_has_tapped(self, gone_ms: int):
        pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2).go(gone_ms, "04aa", 1).until(9_000)
        held = CardHeld(3_800 * MS, "email#1", 2)
        assert pads.seen[2:] == [CardTapped(gone_ms * MS, "email#1", 2), held]

    def test_it_counts_by_when_it_went_and_not_by_when_that_is_heard(self):
        for gone_ms in (1_900, 2_300, 3_400):
            for late_ms in (0, 900, 2_900):
                pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2).go(gone_ms, "04aa", 1, late_ms)
                assert pads.seen[2:] == [CardTapped((gone_ms + late_ms) * MS, "email#1", 2)], (gone_ms, late_ms)
                assert pads.until(20_000).said[3:] == [CardHeld]

    def test_it_counts_though_it_was_refused_if_word_comes_after_all(self):
        for lifted_ms in (2_400, 6_800, 9_000):
            pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2)
            for at_ms in sorted((lifted_ms, 7_000)):
                pads.go(at_ms, "04aa", 2) if at_ms == lifted_ms else pads.go(2_300, "04aa", 1, late_ms=4_700)
            assert pads.said[:4] == [CardTapped, CardHeld, CardTwice, CardTapped], lifted_ms
            assert pads.until(20_000).taps.tags_on(2) == (), lifted_ms

    def test_word_is_not_missed_while_the_table_is_held_up(self):
        pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2)
        for at_ms in range(2_500, 60_000, 10_000):
            pads.until(at_ms, held_up_to_ms=at_ms + 9_500)
        assert pads.said == [CardTapped, CardHeld]
        assert pads.go(2_300, "04aa", 1, late_ms=60_000).said == [CardTapped, CardHeld, CardTapped]

    def test_a_stay_that_is_heard_of_when_it_is_over_was_a_tap(self):
        pads = Pads().come(2_000, "04aa", 1).come(0, "04aa", 2, late_ms=3_000).go(1_300, "04aa", 2, late_ms=2_000)
        assert pads.seen == [CardTapped(2_000 * MS, "email#1", 1), CardTapped(3_300 * MS, "email#1", 2)]
        assert pads.until(20_000).said == [CardTapped, CardTapped, CardHeld]

    @pytest.mark.parametrize("part", UNHEARD)
    def test_a_pad_that_is_not_heard_holds_no_card(self, part: str):
        pads = Pads().come(0, "04aa", 1).come(2_500, "04aa", 2).fail(2_600, part)
        assert pads.seen[-1] == CardTapped(2_600 * MS, "email#1", 2)
        pads = Pads().come(0, "04aa", 1).fail(2_600, part).come(9_000, "04aa", 2)
        assert pads.seen[-1] == CardTapped(9_000 * MS, "email#1", 2)

    @pytest.mark.parametrize("part", UNHEARD)
    def test_a_pad_that_is_heard_again_holds_what_it_held(self, part: str):
        pads = Pads().come(0, "04aa", 1).fail(2_000, part).recover(3_000, part)
        assert pads.come(9_000, "04aa", 2).until(20_000).said[2:] == [CardTwice]
        pads = Pads().come(0, "04aa", 1).fail(2_000, part).recover(3_000, part).go(2_500, "04aa", 1, late_ms=600)
        assert pads.come(9_000, "04aa", 2).said[2:] == [CardTapped]

    def test_a_pad_of_which_two_parts_failed_is_heard_when_both_are_back(self):
        pads = Pads().come(0, "04aa", 1).fail(2_000, "pad 1").fail(2_100, "board 1").recover(3_000, "pad 1")
        assert pads.come(9_000, "04aa", 2).said[2:] == [CardTapped]

    @pytest.mark.parametrize("gone_ms", [3_000, 9_000])
    def test_what_waits_for_word_is_settled_though_its_own_pad_fails(self, gone_ms: int):
        verdict = CardTapped if gone_ms == 3_000 else CardTwice
        pads = Pads().come(0, "04aa", 1).come(2_500, "04aa", 2).fail(2_600, "board 2")
        assert pads.go(gone_ms, "04aa", 1).said[2:] == [verdict]
        pads = Pads().come(0, "04aa", 1).come(2_500, "04aa", 2).go(2_600, "04aa", 2)
        assert pads.come(2_700, "04aa", 2, lying=True).go(gone_ms, "04aa", 1).said[2:] == [verdict]

    def test_what_waits_for_word_when_nothing_is_heard_any_more_is_a_tap(self):
        pads = Pads().come(0, "04aa", 1).come(2_500, "04aa", 2)
        assert taps.resolve_doubts(pads.taps, 3_000 * MS)[1] == [CardTapped(3_000 * MS, "email#1", 2)]

    def test_of_three_pads_one_is_the_next(self):
        pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2).come(2_100, "04aa", 3).go(2_200, "04aa", 1)
        assert pads.seen[-1] == CardTapped(2_200 * MS, "email#1", 2)
        assert pads.until(9_000).seen[-1] == CardTwice(6_700 * MS, "email#1", 3, 2)

    @pytest.mark.parametrize("order", [(1, 2), (2, 1)])
    def test_a_card_that_is_carried_over_three_pads_has_three_taps(self, order: tuple[int, int]):
        pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2).come(2_200, "04aa", 3)
        for pad in order:
            pads.go(2_200 + 100 * pad, "04aa", pad, late_ms=700 if pad != order[0] else 0)
        assert [(said.card, said.pad) for said in pads.seen if isinstance(said, CardTapped)] == [
            ("email#1", pad) for pad in (1, 2, 3)
        ]
        assert CardTwice not in pads.until(20_000).said

    def test_a_card_that_is_carried_there_and_back_has_three_taps(self):
        pads = Pads().come(0, "04aa", 1).come(2_000, "04aa", 2).come(2_200, "04aa", 1).go(2_500, "04aa", 2)
        assert [said.pad for said in pads.seen if isinstance(said, CardTapped)] == [1, 2, 1]
        assert CardTwice not in pads.until(20_000).said

    def test_the_right_one_counts_again_where_the_second_is_left_lying(self):
        def second(pads: Pads) -> Pads:
            return pads.come(2_500, "04aa", 2)

        for began in (
            second(Pads().come(0, "04aa", 1)),
            second(Pads().come(0, "04aa", 1)).come(2_600, "04bb", 2),
            second(Pads().come(0, "04aa", 1).come(2_450, "04bb", 2)),
            Pads().come(0, "04aa", 1).come(2_500, "04aa", 2, lying=True),
            second(Pads().come(0, "04aa", 1)).until(8_000).come(8_100, "04aa", 2, lying=True),
        ):
            assert began.go(9_000, "04aa", 1).come(9_500, "04aa", 1).seen[-1] == CardTapped(9_500 * MS, "email#1", 1)

    def test_a_control_card_that_was_lifted_early_lies_nowhere(self):
        pads = Pads().come(0, "04cc", 1).go(100, "04cc", 1).come(150, "04cc", 2).go(2_000, "04cc", 2)
        assert pads.until(9_000).seen == [ControlTapped(200 * MS, "pause", 1), ControlTapped(350 * MS, "pause", 2)]
        assert (pads.taps.tags_on(1), pads.taps.tags_on(2)) == ((), ())

    def test_a_control_card_on_two_pads_is_refused_at_the_second(self):
        pads = Pads().come(0, "04cc", 1).come(500, "04cc", 2).until(9_000)
        assert pads.seen == [
            ControlTapped(200 * MS, "pause", 1),
            CardTwice((500 + REFUSED_MS) * MS, "pause", 2, 1),
        ]

    def test_a_control_card_that_is_carried_over_fast_is_tapped(self):
        pads = Pads().come(0, "04cc", 1).come(500, "04cc", 2).go(600, "04cc", 2).go(700, "04cc", 1).until(9_000)
        assert pads.seen == [ControlTapped(200 * MS, "pause", 1), ControlTapped(700 * MS, "pause", 2)]

    def test_beside_another_card_that_came_with_it_it_is_one_too_many(self):
        pads = Pads().come(0, "04aa", 1).come(500, "04aa", 2).come(600, "04bb", 2).until(9_000)
        assert CardsTogether(600 * MS, ("email#1", "virus#2"), 2, 500 * MS) in pads.seen
        assert CardTwice not in pads.said
