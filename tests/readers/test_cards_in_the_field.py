"""The model cards against the state diagram of ISO 14443-3, type A."""

from __future__ import annotations

import pytest
from reader_rig import UID_4, UID_7, card
from taptable.sim.air import AirClock, crc_bytes
from taptable.sim.cards import ACTIVE, HALT, IDLE, READY, NfcCard, Phone, shift_uid
from taptable.sim.field import CrossTalk, Field


def checked(*frame: int) -> bytes:
    return bytes(frame) + crc_bytes(frame)


FRAMES: dict[str, tuple[bytes, int]] = {
    "REQA": (b"\x26", 7),
    "WUPA": (b"\x52", 7),
    "anticollision": (b"\x93\x20", 16),
    "anticollision, first bits": (b"\x93\x24\x0e", 20),
    "anticollision, other bits": (b"\x93\x24\x01", 20),
    "anticollision, bits cut": (b"\x93\x24\x0e", 18),
    "anticollision, level 2": (b"\x95\x20", 16),
    "SELECT": (checked(0x93, 0x70, 0x5E, 0x21, 0xC0, 0xA7, 0x18), 72),
    "SELECT another": (checked(0x93, 0x70, 0x5F, 0x21, 0xC0, 0xA7, 0x19), 72),
    "SELECT, wrong CRC": (b"\x93\x70\x5e\x21\xc0\xa7\x18\x00\x00", 72),
    "HLTA": (checked(0x50, 0x00), 32),
    "HLTA, wrong CRC": (b"\x50\x00\x57\xce", 32),
    "noise": (b"\x93", 8),
}

ANSWERED = [
    (IDLE, "REQA", READY, 16),
    (IDLE, "WUPA", READY, 16),
    (HALT, "WUPA", READY, 16),
    (READY, "anticollision", READY, 40),
    (READY, "anticollision, first bits", READY, 36),
    (READY, "SELECT", ACTIVE, 24),
]
SILENT = {
    (HALT, "REQA"): HALT,
    (ACTIVE, "HLTA"): HALT,
}


def in_state(state: str, was_halted: bool = False) -> NfcCard:
    """A card of 4 bytes that was brought there."""
    there = card(UID_4)
    there.state = HALT if was_halted or state == HALT else IDLE
    way = {IDLE: [], HALT: [], READY: ["WUPA"], ACTIVE: ["WUPA", "SELECT"]}[state]
    for name in way:
        there.hear(*FRAMES[name], 0, False)
    assert there.state == state
    return there


@pytest.mark.parametrize(("state", "frame", "then", "bits"), ANSWERED)
def test_a_frame_that_means_something_now_is_answered(state: str, frame: str, then: str, bits: int) -> None:
    there = in_state(state)
    burst = there.hear(*FRAMES[frame], 0, False)
    assert burst is not None
    assert (there.state, len(burst.bits)) == (then, bits)


UNANSWERED = sorted(
    {(state, frame) for state in (IDLE, READY, ACTIVE, HALT) for frame in FRAMES}
    - {(state, frame) for state, frame, _, _ in ANSWERED}
)


@pytest.mark.parametrize("was_halted", [False, True])
def test_any_other_frame_ends_what_was_begun_in_silence(was_halted: bool) -> None:
    for state, frame in UNANSWERED:
        if state != IDLE or not was_halted:
            there = in_state(state, was_halted)
            back = HALT if was_halted or state == HALT else IDLE
            assert there.hear(*FRAMES[frame], 0, False) is None, (state, frame)
            assert there.state == SILENT.get((state, frame), back), (state, frame)


@pytest.mark.parametrize("state", [IDLE, READY, ACTIVE, HALT])
def test_a_garbled_frame_is_never_answered(state: str) -> None:
    there = in_state(state)
    assert there.hear(*FRAMES["WUPA"], 0, True) is None
    assert there.state == (HALT if state == HALT else IDLE)


def test_a_card_hears_nothing_before_it_has_its_power_nor_in_the_pause_after_a_frame() -> None:
    there = card(UID_4)
    there.get_power(1000)
    assert there.hear(*FRAMES["WUPA"], 1000 + there.wake_periods - 1, False) is None
    assert there.hear(*FRAMES["WUPA"], 1000 + there.wake_periods, False) is not None
    there.pause(100_000)
    assert there.hear(*FRAMES["anticollision"], 99_999, False) is None


def test_seven_bytes_take_two_levels() -> None:
    there = card(UID_7)
    assert there.hear(*FRAMES["REQA"], 0, False) is not None
    first = [0x88, *UID_7[:3]]
    first.append(first[0] ^ first[1] ^ first[2] ^ first[3])
    sak = there.hear(checked(0x93, 0x70, *first), 72, 0, False)
    assert sak is not None
    assert sak.bits[2] == 1  # it goes on
    assert there.state == READY
    assert there.hear(*FRAMES["anticollision, level 2"], 0, False) is not None
    second = [*UID_7[3:]]
    second.append(second[0] ^ second[1] ^ second[2] ^ second[3])
    sak = there.hear(checked(0x95, 0x70, *second), 72, 0, False)
    assert sak is not None
    assert sak.bits[2] == 0
    assert there.state == ACTIVE


def test_a_phone_has_another_uid_whenever_it_gets_power() -> None:
    numbers = iter(range(10))
    phone = Phone(lambda: next(numbers).to_bytes(3, "big"))
    first = phone.uid
    phone.lose_power()
    assert first != phone.uid
    assert first[0] == phone.uid[0] == 0x08


def test_the_truth_tells_which_card_was_where_and_no_ghosts() -> None:
    clock = AirClock()
    truth: list[tuple[int, str, str, str]] = []
    one, two = Field("pad 1", clock, truth), Field("pad 2", clock, truth)
    there = card(UID_7)
    one.put(there)
    clock.sleep_us(700)
    one.lift(there)
    one.lift(there)
    two.put(there)
    two.disturbances.append(CrossTalk(card(UID_4)))
    two.switch(True)
    two.exchange(*FRAMES["WUPA"], 0)
    assert truth == [
        (0, "pad 1", "came", UID_7.hex()),
        (700, "pad 1", "left", UID_7.hex()),
        (700, "pad 2", "came", UID_7.hex()),
    ]


@pytest.mark.parametrize("uid", [UID_4, UID_7, b"\x44" * 4, b"\x44" * 7])
def test_a_uid_heard_through_a_neighbour_is_another_one_of_the_same_kind(uid: bytes) -> None:
    late = shift_uid(uid)
    assert late != uid
    assert len(late) == len(uid)
    assert late[0] != 0x88
