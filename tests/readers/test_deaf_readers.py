"""Readers that answer on their bus and receive nothing, or nothing right, as pads on the Pi's SPI: a receiver that
hangs, a register that has changed. Each works again within five minutes or is reported as failed; the recoveries are
counted."""

from __future__ import annotations

import logging

import pytest
from reader_rig import UID_4, UID_7, Pads, card
from tapshared import rc522
from tapshared.upkeep import CHECK_US, CHECKS_WITHOUT_CARD
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame
from taptable.drivers.reader_health import FOUND_AFTER_RESET, MANY_ON_BUS, MisreadWatch, ReaderHealth
from taptable.sim.field import Latched

S = 1_000_000
FIVE_MINUTES_US = 300 * S
SETTLED_US = 200_000
DISCARD = "discard"


def settled(*pads: int | str, shared_reset: bool = False) -> Pads:
    table = Pads(*pads, shared_reset=shared_reset)
    table.pass_us(SETTLED_US)
    return table


def pass_slowly(table: Pads, span_us: int) -> list[DeviceEvent]:
    """As `pass_us`, with a look every second, where nothing happens between."""
    seen: list[DeviceEvent] = []
    ends_us = table.clock.now_us() + span_us
    while table.clock.now_us() < ends_us:
        seen += table.poller.poll()
        table.clock.sleep_us(S)
    return seen


def tap_each_minute(table: Pads) -> list[DeviceEvent]:
    """A card is laid on the discard pad for 20 s of each minute, for five of them."""
    seen: list[DeviceEvent] = []
    for _ in range(5):
        there = card(UID_7)
        table.fields[DISCARD].put(there)
        seen += pass_slowly(table, 20 * S)
        table.fields[DISCARD].lift(there)
        seen += pass_slowly(table, 40 * S)
    return seen


KEPT_UNTIL = {
    "any reset": ("pin", "command"),
    "a SoftReset": ("command",),
    "the reset pin": ("pin",),
    **{
        f"a write to register 0x{register:02X}": (register,)
        for register in (
            rc522.MODE_REG,
            rc522.TX_MODE_REG,
            rc522.RX_MODE_REG,
            rc522.TX_CONTROL_REG,
            rc522.TX_ASK_REG,
            rc522.STATUS_2_REG,
            rc522.RF_CFG_REG,
            0x17,
            0x18,
            0x19,
        )
    },
}


@pytest.mark.parametrize("garbling", [False, True], ids=["deaf", "never understands"])
@pytest.mark.parametrize("until", KEPT_UNTIL)
def test_a_receiver_that_hangs_hears_again_within_five_minutes(until: str, garbling: bool) -> None:
    table = settled(DISCARD)
    latched = Latched(KEPT_UNTIL[until], garbling)
    table.fields[DISCARD].disturbances.append(latched)
    assert TagCame in {type(event) for event in tap_each_minute(table)}
    assert latched not in table.fields[DISCARD].disturbances
    assert table.poller.health[DISCARD].set_ups >= 1


@pytest.mark.parametrize("shared_reset", [False, True])
def test_of_several_readers_the_one_that_hangs_hears_again(shared_reset: bool) -> None:
    table = settled(1, 2, DISCARD, shared_reset=shared_reset)
    table.fields[DISCARD].disturbances.append(Latched())
    assert TagCame in {type(event) for event in tap_each_minute(table)}


def test_a_card_that_lies_there_unheard_is_reported_after_the_reset_which_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = settled(DISCARD)
    table.fields[DISCARD].disturbances.append(Latched())
    table.fields[DISCARD].put(card(UID_7))
    [came] = pass_slowly(table, FIVE_MINUTES_US)
    assert came == TagCame(came.at_us, DISCARD, UID_7.hex(), identity=UID_7.hex())
    assert table.poller.health[DISCARD] == ReaderHealth(set_ups=1, healed=1)
    assert FOUND_AFTER_RESET % "discard pad" in caplog.messages


def test_a_reader_that_reads_cards_is_never_reset() -> None:
    table = settled(DISCARD)
    for _ in range(10):
        there = card(UID_4)
        table.fields[DISCARD].put(there)
        table.pass_us(S)
        table.fields[DISCARD].lift(there)
        pass_slowly(table, 60 * S)
    assert table.poller.health[DISCARD] == ReaderHealth()


def test_a_reset_waits_until_the_table_is_quiet() -> None:
    is_quiet = False
    table = settled(DISCARD)
    [pad] = table.poller._pads
    pad._is_quiet = lambda: is_quiet
    pass_slowly(table, FIVE_MINUTES_US)
    assert table.poller.health[DISCARD].set_ups == 0
    is_quiet = True
    pass_slowly(table, 2 * CHECK_US)
    assert table.poller.health[DISCARD].set_ups == 1


LOST = {
    "TxASK is off": (rc522.TX_ASK_REG, 0x00),
    "the CRC's preset": (rc522.MODE_REG, 0x3F),
    "the prescaler": (rc522.T_PRESCALER_REG, 0x00),
    "the timer's reload value": (rc522.T_RELOAD_REG_L, 0x01),
    "the gain": (rc522.RF_CFG_REG, 0x08),
    "the crypto bit": (rc522.STATUS_2_REG, rc522.CRYPTO_ON),
    "the rate of what is sent": (rc522.TX_MODE_REG, 0x10),
    "the rate of what is heard": (rc522.RX_MODE_REG, 0x10),
    "one half of the antenna": (rc522.TX_CONTROL_REG, 0x81),
    "bits after a collision": (rc522.COLL_REG, 0x80),
    "the receiver's threshold": (0x18, 0x00),
    "the receiver's input": (0x17, 0x00),
    "the demodulator": (0x19, 0x00),
}


@pytest.mark.parametrize("lost", LOST)
def test_a_register_that_has_changed_is_found_within_seconds_and_counted(
    lost: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = settled(DISCARD)
    register, value = LOST[lost]
    before = table.chips[DISCARD].registers[register]
    table.chips[DISCARD].registers[register] = value
    assert pass_slowly(table, CHECK_US + 3 * S) == []
    assert table.chips[DISCARD].registers[register] == before
    assert table.poller.health[DISCARD] == ReaderHealth(set_ups=1, wrong=1)
    assert f"register 0x{register:02X} of the reader reads as" in caplog.text
    table.fields[DISCARD].put(card(UID_7))
    assert [type(event) for event in table.pass_us(S)] == [TagCame]


def test_a_register_lost_while_a_card_lies_there_makes_it_go_and_come_at_most_once() -> None:
    table = settled(DISCARD)
    table.fields[DISCARD].put(card(UID_7))
    table.pass_us(S)
    table.chips[DISCARD].registers[rc522.TX_ASK_REG] = 0
    told = [type(event).__name__ for event in table.pass_us(CHECK_US + S)]
    assert told in ([], ["TagWent", "TagCame"])


@pytest.mark.parametrize("lost", ["TxASK is off", "the crypto bit", "the gain", "the prescaler"])
def test_a_register_that_keeps_a_wrong_value_is_a_pad_that_has_failed_until_it_is_right(lost: str) -> None:
    table = settled(1, DISCARD)
    register, value = LOST[lost]
    table.chips[DISCARD].stick_register(register, value)
    [failed] = pass_slowly(table, FIVE_MINUTES_US)
    assert isinstance(failed, PartFailed)
    assert (failed.part, f"register 0x{register:02X}" in failed.reason) == ("discard pad", True)
    table.chips[DISCARD].stuck_registers.clear()
    assert [type(event) for event in pass_slowly(table, 5 * S)] == [PartReturned]


def test_a_register_that_changes_again_after_each_set_up_is_a_pad_that_has_failed() -> None:
    table = settled(DISCARD)
    chip = table.chips[DISCARD]
    switch = chip.field.switch

    def switch_and_lose(on: bool) -> None:
        switch(on)
        chip.registers[rc522.TX_ASK_REG] = 0

    chip.field.switch = switch_and_lose  # type: ignore[method-assign]
    chip.registers[rc522.TX_ASK_REG] = 0
    assert [type(event) for event in pass_slowly(table, FIVE_MINUTES_US)] == [PartFailed]


def test_in_ten_quiet_hours_healthy_readers_raise_no_alarm(caplog: pytest.LogCaptureFixture) -> None:
    table = settled(1, DISCARD)
    ends_us = table.clock.now_us() + 36_000 * S
    told: list[DeviceEvent] = []
    while table.clock.now_us() < ends_us:
        told += table.poller.poll()
        table.clock.sleep_us(10 * S)
    assert told == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    resets = 36_000 * S // (CHECKS_WITHOUT_CARD * CHECK_US)
    for health in table.poller.health.values():
        assert resets * 0.8 <= health.set_ups <= resets
        assert health == ReaderHealth(set_ups=health.set_ups)


def test_many_misread_looks_are_warned_of_once_in_ten_minutes(caplog: pytest.LogCaptureFixture) -> None:
    watch = MisreadWatch("pad 3", MANY_ON_BUS)
    for look in range(8 * 60 * 20):  # eight minutes
        watch.add(look * 50_000)
    assert [message.partition(":")[0] for message in caplog.messages] == ["Misread looks (pad 3)"]
    for look in range(8 * 60 * 20, 12 * 60 * 20):
        watch.add(look * 50_000)
    assert len(caplog.messages) == 2


def test_a_few_misread_looks_with_each_tap_are_not_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    watch = MisreadWatch("pad 3", MANY_ON_BUS)
    for tap in range(3_000):
        for look in range(5):
            watch.add(tap * 6 * S + look * 50_000)
    assert caplog.messages == []
