"""Looking for readers on I2C: all are found at their places, nothing else is written to, and a table that runs isn't
disturbed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from i2c_rig import I2cRig
from reader_rig import UID_7, card
from table.rig import a_table, run_in_given_time, with_i2c
from taptable.core.device_events import TagCame
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.driver import I2cDriver, bus_numbers
from taptable.drivers.i2c.finding import find_readers
from taptable.drivers.interface import PartRole
from taptable.sim.i2c_bus import I2cModel, ReaderModel, SwitchModel
from taptable.sim.table import SimulatedTable


class Registers:
    """A device of another make, with registers that are read one after the other. `written` are all writes to it."""

    def __init__(self, *values: int) -> None:
        self.values = values
        self.written: list[bytes] = []
        self._at = 0

    def write(self, payload: bytes) -> None:
        self.written.append(payload)
        self._at = payload[0]

    def read(self, count: int) -> bytes:
        return bytes(self.values[(self._at + place) % len(self.values)] for place in range(count))


def found(*numbers: int) -> list[str]:
    return [str(part.address) for part in find_readers(numbers, {})]


def test_every_reader_is_found_with_its_place_in_words() -> None:
    rig = I2cRig("1.0x2c", "1.0x70/0", "1.0x70/3", "1.0x74/7", "3.0x28")
    rig.chips[5].version = 0x92
    rig.chips[5].reset()
    with rig.wired():
        rig.clock.sleep_us(2_000)
        parts = find_readers([1, 3], {})
        assert [(str(part.address), part.label) for part in parts] == [
            ("i2c:1.0x2c", "reader on I²C bus 1, address 0x2c"),
            ("i2c:1.0x70/0", "reader on I²C bus 1, switch 0x70, channel 0"),
            ("i2c:1.0x70/3", "reader on I²C bus 1, switch 0x70, channel 3"),
            ("i2c:1.0x74/7", "reader on I²C bus 1, switch 0x74, channel 7"),
            ("i2c:3.0x28", "reader on I²C bus 3"),
        ]
        assert [(part.device, part.number, part.product) for part in parts] == [
            *(("i2c:1", number, "WS1850S") for number in (1, 2, 3, 4)),
            ("i2c:3", 1, "MFRC522 version 2"),
        ]
        assert {part.roles for part in parts} == {frozenset({PartRole.PAD})}
        assert all(switch.selected == 0 for switch in rig.switches.values())
        assert not any(bus.is_open for bus in rig.buses.values())


def test_a_channel_that_a_killed_process_left_connected_shows_no_reader_on_the_bus_itself() -> None:
    rig = I2cRig("1.0x70/3")
    rig.switches[1, 0x70].selected = 1 << 3
    with rig.wired():
        rig.clock.sleep_us(2_000)
        assert found(1) == ["i2c:1.0x70/3"]


def test_behind_a_switch_no_reader_is_found_at_an_address_that_answers_on_the_bus_itself() -> None:
    rig = I2cRig("1.0x70/3", "1.0x70/4.0x2c")
    rig.wires[1][0x28] = ReaderModel(rig.chips[1])
    with rig.wired():
        rig.clock.sleep_us(2_000)
        assert found(1) == ["i2c:1.0x28", "i2c:1.0x70/4.0x2c"]


def test_other_devices_get_at_most_the_number_of_a_register() -> None:
    sensor, pressure, digits = Registers(7, 8, 9, 10), Registers(0x60, 1, 2, 3), Registers(0)
    rig = I2cRig("1.0x70/3")
    models: dict[int, I2cModel] = rig.wires[1]
    models |= {0x28: sensor, 0x3C: Registers(1), 0x48: Registers(1), 0x76: pressure, 0x71: digits}
    with rig.wired():
        rig.clock.sleep_us(2_000)
        assert found(1) == []  # the sensor at 0x28 would answer together with the reader behind the switch
        del models[0x28]
        assert found(1) == ["i2c:1.0x70/3"]
    assert sensor.written == [bytes([0x37])]
    assert pressure.written == []
    assert all(payload in (b"\x00", b"\x01") for payload in digits.written)
    assert all(model.written == [] for address in (0x3C, 0x48) if isinstance(model := models[address], Registers))


def test_a_device_that_a_driver_of_the_kernel_has_is_left_alone() -> None:
    touchpad = Registers(0x15)
    rig = I2cRig("1.0x28")
    rig.wires[1][0x2C] = touchpad
    rig.wires.bound.add((1, 0x2C))
    with rig.wired():
        rig.clock.sleep_us(2_000)
        assert found(1) == ["i2c:1.0x28"]
    assert touchpad.written == []


def test_a_bus_that_hangs_or_is_closed_or_gone_hides_no_other() -> None:
    rig = I2cRig("1.0x28", "3.0x28")
    rig.wires.stuck.add(1)
    with rig.wired():
        rig.clock.sleep_us(2_000)
        assert found(1, 2, 3) == ["i2c:3.0x28"]


def test_a_bus_whose_readers_another_process_uses_is_not_touched() -> None:
    rig = I2cRig("1.0x70/3")
    with rig.wired():
        rig.pass_us(300_000)
        before = rig.chips[1].transfers, rig.switches[1, 0x70].selected
        assert found(1) == []
        assert (rig.chips[1].transfers, rig.switches[1, 0x70].selected) == before


def test_the_table_s_own_process_can_look_while_it_reads_and_loses_nothing() -> None:
    rig = I2cRig("1.0x70/0", "1.0x70/1")
    late = SwitchModel(rig.clock)
    with rig.wired():
        rig.fields[1].put(card(UID_7))
        assert [type(event) for event in rig.pass_us(300_000)] == [TagCame]
        rig.wires[1][0x75] = late
        late.channels[2][0x2C] = ReaderModel(rig.chips[2])
        for _ in range(5):
            parts = find_readers([1], rig.buses)
            assert [str(part.address) for part in parts] == ["i2c:1.0x70/0", "i2c:1.0x70/1", "i2c:1.0x75/2.0x2c"]
            assert rig.pass_us(400_000) == []
        assert rig.buses[1].is_open


def test_a_look_that_is_under_way_goes_on_after_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = I2cRig("1.0x70/0", "1.0x70/1")
    with rig.wired():
        rig.pass_us(200_000)
        rig.fields[1].put(card(UID_7))
        read = SharedBus.read
        searched: list[int] = []

        def search_first(bus: SharedBus, *about: object) -> bytes:
            if len(searched) < 20 and not bus.is_searched:
                bus.is_searched = True
                searched.append(len(find_readers([1], rig.buses)))
                bus.is_searched = False
            return read(bus, *about)

        rig.buses[1].is_searched = False
        monkeypatch.setattr(SharedBus, "read", search_first)
        assert [type(event) for event in rig.pass_us(600_000)] == [TagCame]
        assert searched == [2] * 20


def test_at_a_simulated_table_the_driver_finds_the_parts_of_its_configuration(tmp_path: Path) -> None:
    async def look() -> set[str]:
        table = SimulatedTable(with_i2c(a_table(tmp_path)))
        with table.powered() as drivers:
            await asyncio.sleep(0.1)
            return {str(part.address) for part in drivers["i2c"].find()}

    assert run_in_given_time(look) == {"i2c:1.0x70/0", "i2c:1.0x70/1", "i2c:1.0x70/2"}


def test_on_a_computer_without_i2c_nothing_is_found() -> None:
    assert I2cDriver(bus_numbers=list).find() == []
    I2cDriver().find()


@pytest.mark.parametrize(("model", "numbers"), [("Raspberry Pi 4 Model B", [1, 2, 20]), ("A laptop", [2]), (None, [2])])
def test_on_a_laptop_only_buses_of_adapters_on_usb_are_looked_at(
    tmp_path: Path, model: str | None, numbers: list[int]
) -> None:
    """The others belong to its mainboard and its screens."""
    for number, device in (
        (1, "pci0000:00/0000:00:1f.4"),
        (2, "pci0000:00/usb1/1-2/1-2:1.0"),
        (20, "pci0000:00/card0"),
    ):
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / f"dev/i2c-{number}").touch()
        folder = tmp_path / f"sys/devices/{device}/i2c-{number}/i2c-dev/i2c-{number}"
        folder.mkdir(parents=True)
        link = tmp_path / f"sys/class/i2c-dev/i2c-{number}"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(folder)
    if model is not None:
        (tmp_path / "proc/device-tree").mkdir(parents=True)
        (tmp_path / "proc/device-tree/model").write_text(f"{model}\0")
    assert bus_numbers(tmp_path) == numbers
