"""Pads on I2C, from the models of bus, switch and chip through the driver up: one channel and one field at a time,
and a clear sentence about each part that can fail."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from collections.abc import Callable, Iterator
from random import Random

import pytest
import smbus2
from deadline import DEADLINE_S
from i2c_rig import I2cRig, place
from reader_rig import OTHER_UID_7, UID_4, UID_7, card
from taptable.core.device_events import (
    DeviceEvent,
    PartFailed,
    PartReturned,
    Receipt,
    TagCame,
    TagUnreadable,
    TagWent,
)
from taptable.core.errors import DeviceError
from taptable.drivers.i2c.bus import BusInUse, HangingBus, SharedBus
from taptable.drivers.i2c.driver import I2cDriver
from taptable.drivers.i2c.reader import I2cReader
from taptable.drivers.i2c_places import i2c_address
from taptable.drivers.interface import DeviceContext, OpenedParts, Part, PartRole
from taptable.drivers.rc522_reader import FailingReader, NoReader
from taptable.sim.cards import Unselectable
from taptable.sim.field import Faint
from taptable.sim.i2c_bus import ReaderModel, SwitchModel, i2c_wired

BEHIND_ONE = ("1.0x70/0", "1.0x70/1", "1.0x70/7.0x2c")
SETTLED_US = 300_000


@pytest.fixture
def rig(request: pytest.FixtureRequest) -> Iterator[I2cRig]:
    rig = I2cRig(*getattr(request, "param", BEHIND_ONE))
    with rig.wired():
        yield rig


def with_readers(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rig", [names], indirect=True, ids=["-".join(names)])


def failures(events: list[DeviceEvent]) -> dict[str, str]:
    """The parts that were reported lost, with the reasons."""
    return {event.part: event.reason for event in events if isinstance(event, PartFailed)}


def returns(events: list[DeviceEvent]) -> set[str]:
    return {event.part for event in events if isinstance(event, PartReturned)}


def tags(events: list[DeviceEvent]) -> list[tuple[str, object, str]]:
    return [(type(event).__name__, event.pad, event.uid) for event in events if isinstance(event, TagCame | TagWent)]


# reading


@with_readers("1.0x28", "1.0x70/3.0x2c", "3.0x77/7")
def test_cards_of_both_lengths_and_three_at_once_are_read_at_every_kind_of_place(rig: I2cRig) -> None:
    uids = [UID_4, UID_7, OTHER_UID_7]
    for field in rig.fields.values():
        for uid in uids:
            field.put(card(uid))
    came = tags(rig.pass_us(SETTLED_US))
    assert sorted(came, key=str) == sorted((("TagCame", pad, uid.hex()) for pad in rig.fields for uid in uids), key=str)


def test_a_card_goes_and_one_that_can_t_be_selected_hides_no_other(rig: I2cRig) -> None:
    there = card(UID_7)
    rig.fields[2].put(there)
    assert tags(rig.pass_us(SETTLED_US)) == [("TagCame", 2, UID_7.hex())]
    rig.fields[2].put(Unselectable(UID_4, "bcc"))
    assert [type(event) for event in rig.pass_us(3_000_000)] == [TagUnreadable]
    rig.fields[2].lift(there)
    assert tags(rig.pass_us(1_000_000)) == [("TagWent", 2, UID_7.hex())]


def test_one_channel_is_connected_and_one_field_is_on_at_a_time(rig: I2cRig, monkeypatch: pytest.MonkeyPatch) -> None:
    selected: list[int] = []
    switch = rig.switches[1, 0x70]
    write = switch.write

    def watched(payload: bytes) -> None:
        write(payload)
        selected.append(switch.selected)
        assert sum(field.is_on for field in rig.fields.values()) == 0

    rig.pass_us(100_000)
    monkeypatch.setattr(switch, "write", watched)
    rig.pollers[0].poll()
    assert selected == [1 << 0, 1 << 1, 1 << 7]


def test_the_gain_is_that_of_the_key(rig: I2cRig) -> None:
    with rig.wired():
        reader = I2cReader(rig.buses[1], rig.places[1], gain_db=48, sleep_us=rig.clock.sleep_us)
        assert rig.chips[1].gain_db == 48
        reader.set_gain(18)
        assert rig.chips[1].gain_db == 18
        reader.close()


def test_registers_are_sent_as_they_are_numbered_and_a_burst_stays_at_the_fifo() -> None:
    rig = I2cRig("1.0x28")
    sent: list[bytes] = []
    model = rig.wires[1][0x28]
    assert isinstance(model, ReaderModel)
    write = model.write
    model.write = lambda payload: (sent.append(payload), write(payload))[0]  # pyright: ignore[reportAttributeAccessIssue]
    with rig.wired():
        reader = I2cReader(rig.buses[1], rig.places[1], sleep_us=rig.clock.sleep_us)
        rig.fields[1].put(card(UID_7))
        reader.field_on()
        sent.clear()
        assert reader.look() == ([UID_7], False)
        reader.close()
    told = " ".join(payload.hex() for payload in sent)
    assert told.startswith("0100 0a80 0952 0d07 010c 047f 0d87 04 06 0a 0c 09 ")
    assert " 09937004" not in told
    assert " 099370" in told


def test_a_signal_that_is_too_weak_is_read_with_more_gain() -> None:
    rig = I2cRig("1.0x28")
    with rig.wired():
        reader = I2cReader(rig.buses[1], rig.places[1], gain_db=18, sleep_us=rig.clock.sleep_us)
        rig.fields[1].put(card(UID_7))
        rig.fields[1].disturbances.append(Faint(43, lambda: 0.9))
        reader.field_on()
        assert reader.look() == ([], False)
        reader.set_gain(43)
        reader.field_on()
        assert reader.look() == ([UID_7], False)
        reader.close()


# switches


def test_a_switch_that_hangs_fails_its_pads_with_one_reason_and_they_return_by_themselves() -> None:
    rig = I2cRig("1.0x70/0", "1.0x70/1", "1.0x71/0", "1.0x2c")
    with rig.wired():
        rig.pass_us(SETTLED_US)
        rig.switches[1, 0x70].hangs = True
        rig.switches[1, 0x70].selected = 0
        rig.fields[3].put(card(UID_4))
        rig.fields[4].put(card(UID_7))
        began_us = rig.clock.now_us()
        events = rig.pass_us(2_000_000)
        reason = "i2c:1.0x70: the switch doesn't answer: check its lead, its power and its address jumpers"
        assert failures(events) == {"pad 1": reason, "pad 2": reason}
        assert all(event.at_us - began_us < 1_000_000 for event in events if isinstance(event, PartFailed))
        assert tags(events) == [("TagCame", 3, UID_4.hex()), ("TagCame", 4, UID_7.hex())]
        rig.switches[1, 0x70].plug()
        assert returns(rig.pass_us(1_000_000)) == {"pad 1", "pad 2"}


def test_a_silent_switch_is_tried_once_in_a_round() -> None:
    rig = I2cRig(*(f"1.0x70/{channel}" for channel in range(7)))
    tried: list[bytes] = []
    with rig.wired():
        rig.pass_us(SETTLED_US)
        switch = rig.switches[1, 0x70]
        switch.hangs = True
        write = switch.write
        switch.write = lambda payload: (tried.append(payload), write(payload))[0]  # pyright: ignore
        rig.pollers[0].poll()
        assert len(tried) == 1


def test_a_switch_that_lost_its_power_is_connected_again_and_nobody_is_bothered() -> None:
    rig = I2cRig("1.0x70/5")
    with rig.wired():
        rig.fields[1].put(card(UID_7))
        rig.pass_us(SETTLED_US)
        rig.switches[1, 0x70].plug()
        rig.chips[1].reset()
        assert rig.pass_us(1_000_000) == []
        assert rig.switches[1, 0x70].selected == 1 << 5


def test_a_switch_that_stops_with_a_channel_connected_shows_its_reader_nowhere_else() -> None:
    rig = I2cRig("1.0x70/0", "1.0x71/0")
    with rig.wired():
        rig.pass_us(SETTLED_US)
        rig.buses[1].connect(rig.places[1])
        rig.switches[1, 0x70].hangs = True
        rig.fields[1].put(card(UID_7))
        events = rig.pass_us(2_000_000)
        assert {pad for _, pad, _ in tags(events)} == {1}
        assert failures(events)["pad 2"] == (
            "i2c:1.0x71/0: switch 0x70 doesn't answer, and a part behind it still does: unplug that switch"
        )
        rig.switches[1, 0x70].plug()
        events = rig.pass_us(2_000_000)
        assert returns(events) == {"pad 1", "pad 2"}
        assert tags(events) == [("TagCame", 1, UID_7.hex())]


def test_what_takes_every_byte_and_connects_nothing_is_no_switch(rig: I2cRig) -> None:
    class Memory(SwitchModel):
        def read(self, count: int) -> bytes:
            return bytes([0x55]) * count

    rig.wires[1][0x70] = Memory()
    events = rig.pass_us(1_000_000)
    assert set(failures(events).values()) == {
        "i2c:1.0x70: the switch reads as 0x55 after 0x01 was written: is it a TCA9548A?",
        "i2c:1.0x70: the switch reads as 0x55 after 0x02 was written: is it a TCA9548A?",
        "i2c:1.0x70: the switch reads as 0x55 after 0x80 was written: is it a TCA9548A?",
    }


def test_channels_are_disconnected_before_a_reader_on_the_bus_itself_is_talked_to() -> None:
    rig = I2cRig("1.0x70/0", "1.0x2c")
    with rig.wired():
        rig.pass_us(SETTLED_US)
        rig.buses[1].connect(rig.places[1])
        assert rig.switches[1, 0x70].selected == 1
        rig.buses[1].read(rig.places[2], 0x37, 1)
        assert rig.switches[1, 0x70].selected == 0


def test_the_last_reader_that_is_closed_leaves_no_channel_connected(rig: I2cRig) -> None:
    rig.pass_us(SETTLED_US)
    for poller in rig.pollers:
        poller.close()
    assert rig.switches[1, 0x70].selected == 0
    assert not rig.buses[1].is_open


# readers and buses


def test_a_reader_that_is_unplugged_is_reported_with_its_place_and_comes_back(rig: I2cRig) -> None:
    rig.fields[2].put(card(UID_7))
    rig.pass_us(SETTLED_US)
    reader = rig.switches[1, 0x70].channels[1].pop(0x28)
    events = rig.pass_us(2_000_000)
    assert failures(events) == {
        "pad 2": "i2c:1.0x70/1: nothing answers at 0x28 (Remote I/O error): check its lead and its address"
    }
    assert tags(events) == [("TagWent", 2, UID_7.hex())]
    rig.chips[2].reset()
    rig.switches[1, 0x70].channels[1][0x28] = reader
    events = rig.pass_us(1_000_000)
    assert returns(events) == {"pad 2"}
    assert [event.already_present for event in events if isinstance(event, TagCame)] == [True]


def test_a_dip_in_a_reader_s_supply_is_mended_and_nothing_went(rig: I2cRig) -> None:
    rig.fields[1].put(card(UID_7))
    rig.pass_us(SETTLED_US)
    rig.chips[1].reset()
    assert rig.pass_us(1_000_000) == []


@pytest.mark.parametrize("version", [0x00, 0xFF])
def test_what_answers_and_is_no_reader(version: int) -> None:
    rig = I2cRig("1.0x28", version=version)
    with rig.wired(), pytest.raises(NoReader, match=rf"version register 0x{version:02X}\): check its lead, and"):
        I2cReader(rig.buses[1], rig.places[1], sleep_us=rig.clock.sleep_us)


@pytest.mark.parametrize("version", [0x15, 0x92, 0x77], ids=["WS1850S", "MFRC522", "unknown"])
def test_a_copy_of_the_chip_is_used_whether_it_is_known_or_not(version: int) -> None:
    rig = I2cRig("1.0x28", version=version)
    with rig.wired():
        reader = I2cReader(rig.buses[1], rig.places[1], sleep_us=rig.clock.sleep_us)
        assert (reader.version, reader.passes_self_test) == (version, True if version == 0x92 else None)
        rig.fields[1].put(card(UID_7))
        reader.field_on()
        assert reader.look() == ([UID_7], False)
        reader.close()


def test_a_register_that_changed_is_found_and_named(rig: I2cRig) -> None:
    reader = I2cReader(rig.buses[1], rig.places[1], sleep_us=rig.clock.sleep_us)
    rig.chips[1].registers[0x26] = 0x78
    with pytest.raises(FailingReader, match=r"^i2c:1\.0x70/0: register 0x26 of the reader reads as 0x78, not 0x48$"):
        reader.check()
    reader.close()


def test_a_bus_that_hangs_fails_all_its_pads_at_once_and_no_pad_of_another_bus() -> None:
    rig = I2cRig("1.0x70/0", "1.0x28", "3.0x28")
    with rig.wired():
        rig.pass_us(SETTLED_US)
        rig.wires.stuck.add(1)
        rig.fields[3].put(card(UID_7))
        events = rig.pass_us(2_000_000)
        reason = "I²C bus 1 hangs (Connection timed out): a part holds a line low: unplug one part after the other"
        assert failures(events) == {"pad 1": reason, "pad 2": reason}
        assert tags(events) == [("TagCame", 3, UID_7.hex())]
        rig.wires.stuck.clear()
        assert returns(rig.pass_us(1_000_000)) == {"pad 1", "pad 2"}


def test_a_hanging_bus_is_tried_once_in_a_round(rig: I2cRig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.pass_us(SETTLED_US)
    tried: list[int] = []

    def time_out(_bus: object, *_messages: object) -> None:
        tried.append(1)
        raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")

    monkeypatch.setattr(smbus2.SMBus, "i2c_rdwr", time_out)
    rig.pollers[0].poll()
    assert len(tried) == 1


def test_a_bus_that_is_not_there_or_closed_to_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with i2c_wired({}), pytest.raises(DeviceError, match=r"^/dev/i2c-1 isn't there: is I2C enabled\?$"):
        SharedBus(1).open("test")

    def refuse(_bus: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(smbus2, "SMBus", refuse)
    with pytest.raises(DeviceError, match=r"^/dev/i2c-1 can't be opened: Permission denied$"):
        SharedBus(1).open("test")


def test_an_adapter_that_was_pulled_out_and_came_back_is_opened_again() -> None:
    rig = I2cRig("7.0x28")
    with rig.wired():
        rig.pass_us(SETTLED_US)
        bus = rig.buses[7]._bus
        assert bus is not None
        bus.i2c_rdwr = gone  # pyright: ignore[reportAttributeAccessIssue]
        assert rig.pass_us(100_000) == []
        assert rig.buses[7]._bus is not bus


def gone(*_messages: object) -> None:
    raise OSError(errno.ENODEV, "No such device")


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP])
def test_any_other_trouble_of_a_bus_is_named(number: int, rig: I2cRig, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_bus: object, *_messages: object) -> None:
        raise OSError(number, os.strerror(number))

    rig.pass_us(SETTLED_US)
    monkeypatch.setattr(smbus2.SMBus, "i2c_rdwr", fail)
    reasons = set(failures(rig.pass_us(1_000_000)).values())
    assert reasons == {f"I²C bus 1 can't be used: {os.strerror(number)}"}


def test_two_processes_can_t_use_the_readers_of_one_bus_and_a_display_beside_them_needs_no_lock(rig: I2cRig) -> None:
    rig.pass_us(SETTLED_US)
    other = SharedBus(1)
    with pytest.raises(BusInUse, match=r"^another program uses the readers on I²C bus 1$"):
        other.open("test")
    smbus2.SMBus(1).close()
    for poller in rig.pollers:
        poller.close()
    other.open("test")
    other.release("test")


async def test_pads_that_one_process_opens_one_after_the_other_share_the_bus() -> None:
    rig = I2cRig("1.0x70/0", "1.0x71/0")
    driver = I2cDriver(lambda pad, bus: I2cReader(bus, pad.place, sleep_us=rig.clock.sleep_us))
    events: list[DeviceEvent] = []
    seen = asyncio.Event()

    def report(event: DeviceEvent) -> Receipt:
        events.append(event)
        seen.set()
        return Receipt.COMMITTED

    with rig.wired():
        opened: list[OpenedParts] = []
        for pad, at in rig.places.items():
            part = Part(("seats", pad, "pad"), PartRole.PAD, i2c_address(at), pad, {"gain_db": 33})
            opened.append(driver.open(DeviceContext(report, rig.clock.now_us, lambda uid: uid), [part]))
            opened[-1].open()
            rig.fields[pad].put(card(UID_7))
            async with asyncio.timeout(DEADLINE_S):
                while ("TagCame", pad, UID_7.hex()) not in tags(events):
                    seen.clear()
                    await seen.wait()
        for parts in opened:
            closing = parts.close()
            assert closing is not None
            await closing
        assert failures(events) == {}
        other = SharedBus(1)
        other.open("test")  # nobody has it any more
        other.drop()


def test_a_transfer_before_the_bus_is_open_is_an_error_and_not_a_crash() -> None:
    with pytest.raises(DeviceError, match=r"^I²C bus 1 isn't open$"):
        SharedBus(1).read(place("1.0x28"), 0x37, 1)


def test_one_fault_is_logged_and_the_reader_set_up_again(rig: I2cRig, caplog: pytest.LogCaptureFixture) -> None:
    rig.pass_us(SETTLED_US)
    rig.wires.stuck.add(1)
    with caplog.at_level(logging.WARNING):
        rig.pollers[0].poll()
    rig.wires.stuck.clear()
    assert rig.pass_us(1_000_000) == []
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    assert "I²C bus 1 hangs" in caplog.text


def test_after_any_mischief_every_pad_works_and_no_card_was_read_at_another_pad() -> None:
    rig = I2cRig("1.0x70/0", "1.0x70/1", "1.0x71/0", "1.0x2c")
    random, uids = Random(5), {pad: bytes((4, 1, 2, 3, 4, 5, pad)) for pad in range(1, 5)}
    with rig.wired():
        seen = rig.pass_us(SETTLED_US)
        for _ in range(150):
            pad, field = random.choice(list(rig.fields.items()))
            switch = random.choice(list(rig.switches.values()))
            match random.randrange(6):
                case 0:
                    there = card(uids[pad])
                    field.put(there)
                    seen += rig.pass_us(400_000)
                    field.lift(there)
                case 1:
                    switch.hangs = True
                case 2:
                    switch.plug()
                case 3:
                    rig.chips[pad].is_present = not rig.chips[pad].is_present
                    rig.chips[pad].reset()
                    field.switch(False)
                case 4:
                    rig.wires.stuck ^= {1}
                case _:
                    rig.chips[pad].reset()
            seen += rig.pass_us(random.randrange(10_000, 900_000))
        rig.wires.stuck.clear()
        for chip in rig.chips.values():
            chip.is_present = True
        for switch in rig.switches.values():
            switch.plug()
        seen += rig.pass_us(2_000_000)
        assert {
            event.uid for event in seen if isinstance(event, TagCame) and event.uid != uids[event.pad].hex()
        } == set()
        lost = [event.part for event in seen if isinstance(event, PartFailed)]
        assert sorted(lost) == sorted(event.part for event in seen if isinstance(event, PartReturned))
        assert set(lost) == {f"pad {pad}" for pad in rig.fields}
        for pad, field in rig.fields.items():
            field.put(card(uids[pad]))
        assert sorted(tags(rig.pass_us(500_000)), key=str) == [("TagCame", pad, uids[pad].hex()) for pad in rig.fields]


@pytest.mark.parametrize("cause", [HangingBus, BusInUse])
def test_the_faults_of_a_bus_are_device_errors(cause: Callable[[str], Exception]) -> None:
    assert isinstance(cause("x"), DeviceError)
