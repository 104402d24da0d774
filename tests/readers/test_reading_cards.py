"""One look at a pad, by our reader over the chip model: *Reading cards* of the table's page."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_rig import OTHER_UID_7, UID_4, UID_7, Rig, card
from taptable.sim.air import REQUEST_DELAY
from taptable.sim.cards import HALT
from taptable.sim.field import CrossTalk, Flips, GarbledRequest, Noise, Torn

uids = st.one_of(
    st.binary(min_size=4, max_size=4).filter(lambda uid: uid[0] != 0x88),
    st.binary(min_size=7, max_size=7).filter(lambda uid: uid[0] != 0x88 and uid[3] != 0x88),
    st.binary(min_size=4, max_size=4).map(lambda end: b"\x04\xa2\xb3" + end).filter(lambda uid: uid[3] != 0x88),
)


def transfers_of(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The bytes that are sent to the chip from now on, by transfer."""
    transfers: list[bytes] = []
    transfer = rig.chip.transfer

    def watched(sent: list[int], hz: int) -> list[int]:
        transfers.append(bytes(sent))
        return transfer(sent, hz)

    monkeypatch.setattr(rig.chip, "transfer", watched)
    return transfers


def test_a_frame_is_sent_by_these_transfers_in_this_order(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    rig.put(UID_4, bytes((UID_4[0], UID_4[1] ^ 0x20, *UID_4[2:])))
    transfers = transfers_of(rig, monkeypatch)
    rig.look()
    told = " ".join(transfer.hex() for transfer in transfers)
    assert told.startswith("0200 1480 1252 1a07 020c 087f 1a87 ")
    assert " 0200 1293365e21 1a66 020c 087f 1ae6 " in told  # the bits before the collision; the FIFO has been read out


def test_the_same_is_sent_and_found_where_the_package_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    came_to: list[object] = []
    for own in (False, True):
        rig = Rig()
        from taptable.drivers.spi.reader import OwnRegisters, SpiReader

        if own:
            for name in ("Write_MFRC522", "Read_MFRC522"):
                monkeypatch.setattr(SpiReader, name, getattr(OwnRegisters, name))
        transfers = transfers_of(rig, monkeypatch)
        rig.put(UID_4, UID_7)
        came_to.append((rig.look(), rig.reader.self_test(), rig.reader.version, transfers))
    assert came_to[0] == came_to[1]


def test_without_the_package_registers_of_our_own_are_used() -> None:
    """In a process of its own, where it can't be imported."""
    lines = (
        "import sys",
        "sys.modules['mfrc522'] = None",
        "from taptable.sim import spi_bus as spi",
        "spi.install(spi.Wiring({}))",
        "from taptable.drivers.spi import reader",
        "assert reader.Registers is reader.OwnRegisters",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_a_register_goes_through_the_packages_own_methods_and_several_bytes_past_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = Rig()
    rig.put(UID_7)
    from mfrc522 import MFRC522

    by_package: list[bytes] = []
    write, read = MFRC522.Write_MFRC522, MFRC522.Read_MFRC522

    def watched_write(reader: MFRC522, addr: int, val: int) -> None:
        by_package.append(bytes((addr << 1, val)))
        write(reader, addr, val)

    def watched_read(reader: MFRC522, addr: int) -> int:
        by_package.append(bytes((0x80 | addr << 1, 0)))
        return read(reader, addr)

    monkeypatch.setattr(MFRC522, "Write_MFRC522", watched_write)
    monkeypatch.setattr(MFRC522, "Read_MFRC522", watched_read)
    transfers = transfers_of(rig, monkeypatch)
    rig.reader.restart()
    rig.reader.field_on()
    assert rig.look() == ({UID_7}, False)
    rig.reader.field_off()
    assert by_package == [sent for sent in transfers if len(sent) == 2]
    assert len(by_package) < len(transfers)


@pytest.mark.parametrize(
    "uid", [UID_4, UID_7, bytes(4), bytes(7), b"\xff" * 4, b"\xff" * 7, b"\x04\x88\x88\x01\x88\x88\x88"]
)
def test_cards_of_4_and_7_bytes_are_read_every_time_and_halted(uid: bytes) -> None:
    rig = Rig()
    (there,) = rig.put(uid)
    for known in ((), (), (uid,), (uid,), ()):
        assert rig.look(*known) == ({uid}, False)
        assert there.state == HALT


def test_two_cards_are_distinguished_at_any_bit_of_7_bytes() -> None:
    for bit in range(56):
        rig = Rig()
        other = (int.from_bytes(UID_7, "little") ^ 1 << bit).to_bytes(7, "little")
        rig.put(UID_7, other)
        assert rig.look() == ({UID_7, other}, False), bit


@settings(max_examples=150)
@given(cards=st.sets(uids, min_size=1, max_size=3), known=st.integers(min_value=0, max_value=3))
def test_up_to_three_cards_of_any_kind_are_found_known_or_not(cards: set[bytes], known: int) -> None:
    rig = Rig()
    rig.put(*cards)
    assert rig.look(*sorted(cards)[:known]) == (cards, False)


def test_of_four_cards_three_are_found() -> None:
    rig = Rig()
    four = {bytes((number, 2, 3, 4)) for number in range(4)}
    rig.put(*four)
    found, _ = rig.look()
    assert len(found) == 3
    assert found < four


def test_a_weaker_card_that_is_known_is_found_in_any_order() -> None:
    rig = Rig()
    rig.put(UID_7, strength=5)
    rig.put(UID_4)
    assert rig.look(UID_4, UID_7) == ({UID_7, UID_4}, False)
    assert rig.look(UID_7, UID_4) == ({UID_7, UID_4}, False)


def test_a_known_card_that_went_doesnt_hide_the_others() -> None:
    rig = Rig()
    gone, _ = rig.put(UID_7, UID_4)
    rig.look()
    rig.field.lift(gone)
    assert rig.look(UID_7, UID_4) == ({UID_4}, False)


def test_a_card_that_needs_the_whole_settling_time_is_read_at_the_first_look() -> None:
    rig = Rig(on=False)
    slow = card(UID_7)
    slow.wake_periods = 13_560 * 5
    rig.field.put(slow)
    rig.reader.field_on()
    assert rig.look() == ({UID_7}, False)


@pytest.mark.parametrize("speed_hz", [100_000, 1_000_000, 4_000_000, 10_000_000])
def test_no_frame_comes_sooner_after_an_answer_than_a_card_can_hear(speed_hz: int) -> None:
    rig = Rig(speed_hz=speed_hz)
    rig.put(UID_7, UID_4)
    assert rig.look() == ({UID_7, UID_4}, False)
    assert rig.look(UID_7, UID_4) == ({UID_7, UID_4}, False)
    for before, after in zip(rig.log, rig.log[1:], strict=False):
        assert after.began_at - before.answer_ends_at() >= REQUEST_DELAY


EXCHANGES = range(7)  # of the first look at one card of 7 bytes


@pytest.mark.parametrize("number", EXCHANGES)
def test_a_card_torn_away_at_any_point_is_read_rightly_or_not_at_all(number: int) -> None:
    for bits in (None, 0, 1, 5, 8, 15, 16, 23, 31, 39):
        rig = Rig()
        (there,) = rig.put(UID_7)
        rig.field.disturbances.append(Torn(there, number, bits))
        found, _ = rig.look()
        assert found == (set() if number < 4 or (number == 4 and bits != 31 and bits != 39) else {UID_7}), bits
        assert rig.look(UID_7) == (set(), False), bits


@pytest.mark.parametrize("number", EXCHANGES)
def test_of_two_cards_the_one_that_stays_is_found_in_the_next_look(number: int) -> None:
    rig = Rig()
    goes, _ = rig.put(UID_7, UID_4)
    rig.field.disturbances.append(Torn(goes, number, 3))
    rig.look()
    rig.reader.field_off()
    rig.reader.field_on()
    assert rig.look()[0] == {UID_4}


@pytest.mark.parametrize("positions", [(0,), (1,), (7,), (8, 9), (16,), (17, 22), (0, 9, 18, 27), (3, 35)])
def test_a_garbled_answer_never_makes_a_wrong_uid(positions: tuple[int, ...]) -> None:
    for number in EXCHANGES:
        rig = Rig()
        rig.put(UID_7)
        rig.field.disturbances.append(Flips(number, positions))
        found, garbled = rig.look()
        assert found <= {UID_7}, number
        assert found or garbled, number
        rig.log.clear()
        rig.look(UID_7)  # in which a card that was left selected falls back
        assert (rig.log[0].frame, rig.log[0].bits) == (b"\x52", 7), number  # and nothing that lay in the FIFO
        assert rig.look(UID_7) == ({UID_7}, False), number


@pytest.mark.parametrize("number", EXCHANGES)
def test_a_request_that_no_card_understood_never_makes_a_wrong_uid(number: int) -> None:
    rig = Rig()
    rig.put(UID_7)
    rig.field.disturbances.append(GarbledRequest(number))
    assert rig.look()[0] <= {UID_7}
    rig.look(UID_7)
    assert rig.look(UID_7) == ({UID_7}, False)


@settings(max_examples=60)
@given(
    cards=st.sets(uids, min_size=1, max_size=3),
    chance=st.sampled_from([0.02, 0.1, 0.3]),
    random=st.randoms(use_true_random=False),
)
def test_noise_never_makes_a_wrong_uid_and_ends_without_a_trace(cards: set[bytes], chance: float, random) -> None:
    rig = Rig()
    rig.put(*cards)
    noise = Noise(chance, random.random)
    rig.field.disturbances.append(noise)
    known: set[bytes] = set()
    for _ in range(8):
        known, _ = rig.look(*known)
        assert known <= cards
    noise.chance = 0
    rig.reader.field_off()
    rig.reader.field_on()
    assert rig.look()[0] == cards


def test_an_answer_without_a_card_is_garbled_and_no_time_out() -> None:
    rig = Rig()
    rig.field.disturbances.append(Flips(0, ()))
    rig.field.disturbances.append(Flips(1, ()))
    assert rig.look() == (set(), True)
    assert rig.look() == (set(), False)


def test_a_neighbours_card_can_be_read_once_with_right_check_bytes() -> None:
    rig = Rig()
    rig.field.disturbances.append(CrossTalk(card(OTHER_UID_7)))
    assert rig.look() == ({OTHER_UID_7}, False)
    assert rig.look(OTHER_UID_7) == (set(), False)
