"""The SAK decides where a UID ends, whatever its bytes are. Cards that answer and can't be selected hide no other card
and are reported once."""

from __future__ import annotations

from random import Random

import pytest
from reader_rig import OTHER_UID_7, UID_4, UID_7, Pads, Rig, card
from taptable.core.device_events import DeviceEvent, TagCame, TagUnreadable, TagWent
from taptable.sim.cards import Unselectable
from taptable.sim.field import Noise

S = 1_000_000
WITH_88 = [
    bytes.fromhex(uid)
    for uid in ("88776655", "88888888", "04a2b388d5e680", "0488b3c4d5e680", "8804b3c4d5e680", "04a2b38888e688")
]
TEN = bytes.fromhex("04a2b3c4d5e680010203")
FAULTS = ("bcc", "crc", "nonsense", "ten bytes")


def unselectable(fault: str, uid: bytes = OTHER_UID_7, strength: int = 1) -> Unselectable:
    return Unselectable(TEN if fault == "ten bytes" else uid, fault, strength)


def kinds(events: list[DeviceEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


@pytest.mark.parametrize("uid", WITH_88, ids=bytes.hex)
def test_a_uid_with_88_in_it_is_read_alone_known_and_beside_others(uid: bytes) -> None:
    rig = Rig()
    rig.put(uid)
    assert rig.look() == ({uid}, False)
    assert rig.look(uid) == ({uid}, False)
    rig.put(UID_7, UID_4)
    assert rig.look(uid) == ({uid, UID_7, UID_4}, False)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_card_that_cant_be_selected_hides_none_that_can(fault: str) -> None:
    chance = Random(fault)
    for number in range(60):
        good = bytes((0x04, *chance.randbytes(6))) if number % 2 else bytes((0x5E, *chance.randbytes(3)))
        bad = unselectable(
            fault,
            chance.randbytes(4 + number % 4 // 2 * 3),
            strength=1 + (number % 3 // 2 if fault != "nonsense" else 0),
        )
        if number % 5 == 0 and fault in ("bcc", "crc"):
            bad.uid = bytes((good[0] if len(good) == 4 else 0x88, *bad.uid[1:4]))  # alike at first
        rig = Rig()
        rig.put(good)
        rig.field.put(bad)
        rig.clock.sleep_us(5000)
        found = set[bytes]()
        for _ in range(4):
            rig.reader.field_on()
            found |= rig.look(*found)[0]
            rig.reader.field_off()
        assert found == {good}, (number, good.hex(), bad.uid.hex())
        rig.reader.field_on()
        assert rig.look(good)[0] == {good}, (number, good.hex(), bad.uid.hex())


@pytest.mark.parametrize("pads", [("discard",), (1, "discard")])
@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_reported_once_for_as_long_as_it_lies_there(fault: str, pads: tuple[int | str, ...]) -> None:
    table = Pads(*pads)
    table.pass_us(300_000)
    for _ in range(2):
        bad = unselectable(fault)
        table.fields["discard"].put(bad)
        [told] = table.pass_us(10 * S)
        assert told == TagUnreadable(told.at_us, "discard")
        assert told.at_us - table.truth[-1][0] < 3 * S
        table.fields["discard"].lift(bad)
        assert table.pass_us(S) == []
    assert table.poller.health["discard"].unread == 2


@pytest.mark.parametrize("fault", FAULTS)
def test_a_good_card_beside_it_comes_at_once_and_goes(fault: str) -> None:
    table = Pads(1, "discard")
    table.fields["discard"].put(unselectable(fault, UID_4 if fault == "nonsense" else OTHER_UID_7))
    assert kinds(table.pass_us(5 * S)) == ["TagUnreadable"]
    good = card(UID_7)
    table.fields["discard"].put(good)
    [came] = table.pass_us(2 * S)
    assert came == TagCame(came.at_us, "discard", UID_7.hex(), identity=UID_7.hex())
    assert came.at_us - table.truth[-1][0] < 300_000
    table.fields["discard"].lift(good)
    [went] = table.pass_us(3 * S)
    assert went == TagWent(went.at_us, "discard", UID_7.hex())
    assert went.at_us - table.truth[-1][0] < 1_500_000


@pytest.mark.parametrize("fault", ["bcc", "crc", "ten bytes"])
def test_it_is_reported_where_it_comes_to_a_good_one(fault: str) -> None:
    table = Pads("discard")
    table.fields["discard"].put(card(UID_4))
    table.pass_us(S)
    table.fields["discard"].put(unselectable(fault))
    assert kinds(table.pass_us(5 * S)) == ["TagUnreadable"]


def test_a_card_that_is_pulled_through_too_fast_and_one_in_noise_are_none() -> None:
    table = Pads("discard")
    table.pass_us(300_000)
    for _ in range(20):
        bad = unselectable("bcc")
        table.fields["discard"].put(bad)
        assert table.pass_us(600_000) == []
        table.fields["discard"].lift(bad)
        table.pass_us(500_000)
    for chance in (0.05, 0.2):
        noise = Noise(chance, Random(7).random)
        table.fields["discard"].disturbances.append(noise)
        there = card(UID_7)
        assert kinds(table.pass_us(20 * S)) == []
        table.fields["discard"].put(there)
        assert kinds(table.pass_us(60 * S)) == ["TagCame"]
        table.fields["discard"].lift(there)
        assert kinds(table.pass_us(5 * S)) == ["TagWent"]
        table.fields["discard"].disturbances.remove(noise)
