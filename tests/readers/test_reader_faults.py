"""A reader that is missing, wrongly wired or broken, as our driver sees it; and how it treats the pins and the bus."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from random import Random

import pytest
from reader_rig import PIN_RST, UID_7, Rig
from tapshared import rc522
from taptable.core.errors import DeviceError
from taptable.sim.field import Faint


@pytest.mark.parametrize(("held", "version"), [(0x00, "0x00"), (0xFF, "0xFF")])
def test_no_chip_is_reported_with_its_place_and_what_to_check(held: int, version: str) -> None:
    rig = Rig()
    rig.chip.miso_stuck_at = held
    with pytest.raises(DeviceError, match=rf"spi:0\.0: no reader answers \(version register {version}\): check"):
        rig.reader.restart()


@pytest.mark.parametrize("held", [0x00, 0x01, 0x21, 0x92, 0xFF])
@pytest.mark.parametrize("after", range(0, 56, 5))
def test_miso_held_at_any_level_and_time_is_a_fault_and_no_card(
    held: int, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = Rig()
    rig.put(UID_7)
    transfer, left = rig.chip.transfer, [after]

    def failing(sent: list[int], hz: int) -> list[int]:
        left[0] -= 1
        if left[0] < 0:
            rig.chip.miso_stuck_at = held
        return transfer(sent, hz)

    monkeypatch.setattr(rig.chip, "transfer", failing)  # the wire breaks in the middle of a look
    with suppress(DeviceError):
        assert rig.look()[0] <= {UID_7}  # it broke where what was read had check bytes, or after all that matters
    with pytest.raises(DeviceError):
        rig.look()


def test_a_chip_without_power_is_a_fault_and_comes_back() -> None:
    rig = Rig()
    rig.put(UID_7)
    rig.chip.is_present = False
    with pytest.raises(DeviceError, match="the reader is lost"):
        rig.look()
    with pytest.raises(DeviceError, match="no reader answers"):
        rig.reader.restart()
    rig.chip.is_present = True
    rig.chip.reset()
    rig.reader.restart()
    rig.reader.field_on()
    assert rig.look() == ({UID_7}, False)


def test_a_chip_that_has_reset_itself_is_noticed_in_the_next_look() -> None:
    rig = Rig()
    rig.put(UID_7)
    rig.look()
    rig.chip.reset()
    rig.clock.sleep_us(1000)
    with pytest.raises(DeviceError, match="no answer and no time-out"):
        rig.look(UID_7)
    rig.reader.restart()
    rig.reader.field_on()
    assert rig.look(UID_7) == ({UID_7}, False)


@pytest.mark.parametrize("gain_db", rc522.GAINS)
def test_another_gain_arrives_in_the_chip_and_is_there_after_every_start(gain_db: int) -> None:
    rig = Rig()
    rig.put(UID_7)
    rig.reader.set_gain(gain_db)
    rig.reader.field_on()
    assert rig.chip.gain_db == gain_db
    assert rig.look() == ({UID_7}, False)
    rig.chip.reset()
    assert rig.chip.gain_db == 33  # as at power-up
    rig.reader.restart()
    rig.reader.field_on()
    assert rig.chip.gain_db == gain_db


def test_a_faint_card_is_read_more_often_with_more_gain() -> None:
    rig = Rig()
    rig.put(UID_7)
    rig.field.disturbances.append(Faint(43, Random(1).random))
    reads: dict[int, int] = {}
    for gain_db in rc522.GAINS:
        rig.reader.set_gain(gain_db)
        reads[gain_db] = 0
        for _ in range(200):
            rig.reader.field_on()
            reads[gain_db] += len(rig.look()[0])
            rig.reader.field_off()
    assert reads[18] == 0
    assert 0 < reads[33] < reads[38] < 200
    assert reads[43] == reads[48] == 200


@pytest.mark.parametrize("version", [0x91, 0x92])
def test_a_sound_chip_passes_its_self_test(version: int) -> None:
    rig = Rig(version=version)
    assert rig.reader.self_test() is True


def test_a_copy_whose_self_test_nobody_knows_is_used() -> None:
    rig = Rig(version=0x88)
    rig.put(UID_7)
    assert rig.reader.self_test() is None
    rig.reader.restart()
    rig.reader.field_on()
    assert rig.look() == ({UID_7}, False)


def test_a_chip_that_fails_the_self_test_it_once_passed_is_broken() -> None:
    rig = Rig()
    rig.chip.passes_self_test = False
    with pytest.raises(DeviceError, match="fails its self-test, which it passed before"):
        rig.reader.restart()


def test_a_chip_that_never_passed_its_self_test_is_used(caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig()
    rig.reader.close()
    rig.chip.passes_self_test = False
    from taptable.drivers.spi.reader import SpiReader

    reader = SpiReader(0, 0, pin_rst=PIN_RST, sleep_us=rig.clock.sleep_us)
    assert "Reader self-test failed (spi:" in caplog.text
    reader.restart()
    reader.field_on()
    assert reader.look() == ([], False)


def test_only_the_own_pin_is_released_and_the_field_is_off() -> None:
    rig = Rig()
    rig.wiring.pins[4] = 1  # somebody else's
    assert rig.wiring.pins[PIN_RST] == 1
    rig.reader.close()
    rig.reader.Close_MFRC522()
    assert rig.wiring.pins == {4: 1}
    assert not rig.field.is_on


def test_a_reset_pin_that_others_share_is_never_pulled_low(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    from taptable.drivers.spi.reader import SpiReader

    lows: list[int] = []
    output = rig.wiring.set_output

    def watched(pin: int, value: int) -> None:
        if not value:
            lows.append(pin)
        output(pin, value)

    monkeypatch.setattr(rig.wiring, "set_output", watched)
    SpiReader(0, 0, pin_rst=PIN_RST, pulse_reset=False, sleep_us=rig.clock.sleep_us).restart()
    assert lows == []
    rig.reader.restart()
    assert lows == [PIN_RST]


def test_a_reader_that_cant_be_opened_leaves_nothing_behind() -> None:
    rig = Rig()
    rig.reader.close()
    rig.chip.miso_stuck_at = 0
    from taptable.drivers.spi.reader import SpiReader

    handlers = list(logging.getLogger("mfrc522Logger").handlers)
    for _ in range(3):
        with pytest.raises(DeviceError):
            SpiReader(0, 0, pin_rst=PIN_RST, sleep_us=rig.clock.sleep_us)
    assert rig.wiring.pins == {}
    assert logging.getLogger("mfrc522Logger").handlers == handlers  # where the package would add one for each


def test_a_reader_whose_reset_is_wired_to_3v3_touches_no_pin() -> None:
    rig = Rig()
    rig.reader.close()
    rig.put(UID_7)
    from taptable.drivers.spi.reader import SpiReader

    reader = SpiReader(0, 0, pin_rst=None, sleep_us=rig.clock.sleep_us)
    assert rig.wiring.pins == {}
    reader.field_on()
    assert reader.look() == ([UID_7], False)
    reader.restart()
    reader.close()
    assert rig.wiring.pins == {}


def test_a_bus_that_vanishes_is_an_os_error_and_can_be_closed() -> None:
    rig = Rig()
    rig.wiring.missing.add("spi:0.0")
    with pytest.raises(OSError, match=r"/dev/spidev0\.0"):
        rig.look()
    with pytest.raises(OSError, match=r"/dev/spidev0\.0"):
        rig.reader.restart()
    rig.reader.close()


def test_the_stand_ins_refuse_to_come_above_the_real_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    monkeypatch.setattr(sys.modules["mfrc522.MFRC522"], "spidev", object())
    from taptable.sim import spi_bus as spi

    with pytest.raises(RuntimeError, match="simulate in another process"):
        spi.install(rig.wiring)
