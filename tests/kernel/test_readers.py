"""Readers on an I2C bus of the kernel's: the driver and smbus2 on a real /dev/i2c-1, with a display beside them. Below
the kernel's adapter are the models of switch, chip and air."""

from __future__ import annotations

import asyncio
import errno
import os
import time

import pytest
from deadline import DEADLINE_S
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, Receipt, TagCame, TagWent
from taptable.core.observations import Pad
from taptable.drivers.i2c.bus import BusInUse, SharedBus
from taptable.drivers.i2c.driver import I2cDriver
from taptable.drivers.interface import Address, DeviceContext, Part, PartRole
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.oled.oled import Oled
from taptable.sim.air import AirClock
from taptable.sim.cards import ntag213
from taptable.sim.field import Field
from taptable.sim.i2c_bus import I2cWires, ReaderModel, SwitchModel
from taptable.sim.mfrc522_chip import Mfrc522Chip

from kernel.bus import BUS

pytestmark = pytest.mark.long
UID, OTHER = "04a2b3c4d5e680", "04b2b3c4d5e681"
ADDRESSES: dict[Pad, str] = {"discard": "1.0x70/0", 1: "1.0x70/7", 2: "1.0x2c"}


def now_us() -> int:
    return time.monotonic_ns() // 1000


class Table:
    """Three readers, two of them behind a switch, and what the driver reports of them."""

    def __init__(self, wires: I2cWires) -> None:
        clock = AirClock(now_us)
        self.wires = wires
        self.fields = {pad: Field(str(pad), clock) for pad in ADDRESSES}
        self.models = {pad: ReaderModel(Mfrc522Chip(field, 0x15)) for pad, field in self.fields.items()}
        self.switch = wires[BUS][0x70] = SwitchModel(clock)
        self.switch.channels[0][0x28] = self.models["discard"]
        self.switch.channels[7][0x28] = self.models[1]
        wires[BUS][0x2C] = self.models[2]
        self.driver = I2cDriver()
        self.events: list[DeviceEvent] = []
        self._reported = asyncio.Event()
        parts = [
            Part(("pads", str(pad)), PartRole.PAD, Address("i2c", name), pad, {"gain_db": 33})
            for pad, name in ADDRESSES.items()
        ]
        self.opened = self.driver.open(DeviceContext(self._report, now_us, lambda uid: uid), parts)

    def _report(self, event: DeviceEvent) -> Receipt:
        self.events.append(event)
        self._reported.set()
        return Receipt.COMMITTED

    async def until(self, *expected: tuple[type[DeviceEvent], object]) -> list[DeviceEvent]:
        """Wait until these events, of a kind and about a pad or part, have been reported; return and forget all."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                seen = [(type(event), getattr(event, "pad", getattr(event, "part", None))) for event in self.events]
                if all(each in seen for each in expected):
                    events, self.events = self.events, []
                    return events
                self._reported.clear()
                await self._reported.wait()


async def test_cards_are_read_through_the_kernel_behind_a_switch_and_beside_a_display(
    wires: I2cWires, display: DisplayModel
) -> None:
    oled = Oled(["--display=ssd1309", "--interface=i2c"], lambda _event: None, now_us)
    table = Table(wires)
    table.opened.open()
    for pad, uids in (("discard", [UID, OTHER]), (1, [UID]), (2, [OTHER])):
        for uid in uids:
            table.fields[pad].put(ntag213(bytes.fromhex(uid)))
    picture = DisplayModel().image().point(lambda _pixel: 255)
    await asyncio.to_thread(oled.show, picture)
    came = await table.until((TagCame, "discard"), (TagCame, 1), (TagCame, 2))
    while len(came) < 4:
        came += await table.until((TagCame, "discard"))
    assert {(event.pad, event.uid) for event in came if isinstance(event, TagCame)} == {
        *(("discard", UID), ("discard", OTHER), (1, UID), (2, OTHER))
    }
    assert display.image().tobytes() == picture.tobytes()
    table.fields[1].lift(table.fields[1].cards[0])
    assert [event.uid for event in await table.until((TagWent, 1)) if isinstance(event, TagWent)] == [UID]
    closing = table.opened.close()
    assert closing is not None
    await closing
    assert table.switch.selected == 0
    assert not any(field.is_on for field in table.fields.values())
    oled.close()


async def test_parts_that_vanish_and_hang_are_named_in_the_kernel_s_words_and_come_back(wires: I2cWires) -> None:
    table = Table(wires)
    table.opened.open()
    for field in table.fields.values():
        field.put(ntag213(bytes.fromhex(UID)))
    await table.until(*((TagCame, pad) for pad in ADDRESSES))
    del wires[BUS][0x2C]
    reasons = [event.reason for event in await table.until((PartFailed, "pad 2")) if isinstance(event, PartFailed)]
    assert reasons == [
        f"i2c:1.0x2c: nothing answers at 0x2c ({os.strerror(errno.EREMOTEIO)}): check its lead and its address"
    ]
    wires[BUS][0x2C] = table.models[2]
    await table.until((PartReturned, "pad 2"), (TagCame, 2))
    table.switch.hangs = True
    await table.until((PartFailed, "pad 1"), (PartFailed, "discard pad"))
    table.switch.plug()
    await table.until((PartReturned, "pad 1"), (PartReturned, "discard pad"))
    wires.stuck.add(BUS)
    failed = await table.until(*((PartFailed, part) for part in ("pad 1", "pad 2", "discard pad")))
    hangs = (
        f"I²C bus 1 hangs ({os.strerror(errno.ETIMEDOUT)}): a part holds a line low: unplug one part after the other"
    )
    assert {event.reason for event in failed if isinstance(event, PartFailed)} == {hangs}
    wires.stuck.clear()
    await table.until(*((PartReturned, part) for part in ("pad 1", "pad 2", "discard pad")))
    closing = table.opened.close()
    assert closing is not None
    await closing


async def test_readers_are_found_on_the_kernel_s_bus_unless_another_process_has_them(wires: I2cWires) -> None:
    table = Table(wires)
    places = {f"i2c:{name}" for name in ADDRESSES.values()}
    assert {str(part.address) for part in I2cDriver().find()} == places
    table.opened.open()
    table.fields[1].put(ntag213(bytes.fromhex(UID)))
    await table.until((TagCame, 1))
    assert {str(part.address) for part in table.driver.find()} == places
    assert I2cDriver().find() == []
    with pytest.raises(BusInUse):
        SharedBus(BUS).open("another")
    closing = table.opened.close()
    assert closing is not None
    await closing
    assert {str(part.address) for part in I2cDriver().find()} == places
