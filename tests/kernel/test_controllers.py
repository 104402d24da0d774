"""Buttons and lamps of controllers on the kernel's own USB, HID, input and LED drivers: a Buzz! set, an encoder and a
keyboard, in sockets whose other end is in the test. The table's time of a press is compared with the time at which the
controller had it to report, by the same kernel's clock."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from deadline import DEADLINE_S
from taptable.core.arbiter import Press, first_press, is_certainly_before
from taptable.core.cues import Lamp
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, PartReturned
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.gpio.buttons import Buttons
from taptable.drivers.gpio.header import Header
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.interface import Address, DeviceContext, OpenedParts, Part, PartRole, Receipt
from taptable.drivers.led.driver import LedDriver
from taptable.drivers.registry import installed_drivers

from kernel.controllers import BUZZ, ENCODER, KEYBOARD, Controller
from kernel.header import Contacts, now_us
from kernel.sockets import GadgetSockets

pytestmark = [pytest.mark.long, pytest.mark.kernel("time-travel=inf-cpu")]
DOMES = ["BTN_TRIGGER_HAPPY1", "BTN_TRIGGER_HAPPY6", "BTN_TRIGGER_HAPPY11", "BTN_TRIGGER_HAPPY16"]
PINS = {5: 17, 6: 27}
BOARD, BOARD_SEAT = "e6614103e7a2b3c4", 7
CLOCKS_US = 100
"""How far the clock of the board's model, the kernel's raw one, may be from the clock that stamps presses."""
RACES = 60


class Table:
    """Parts of some drivers, opened as the daemon opens them, with their reports."""

    def __init__(self) -> None:
        self.said: list[DeviceEvent] = []
        self._news = asyncio.Event()
        self.context = DeviceContext(self.report, now_us, lambda _: None)

    @property
    def edges(self) -> list[ButtonEdge]:
        return [event for event in self.said if isinstance(event, ButtonEdge)]

    @property
    def failed(self) -> set[str]:
        failed: set[str] = set()
        for event in self.said:
            if isinstance(event, PartFailed):
                failed.add(event.part)
            elif isinstance(event, PartReturned):
                failed.discard(event.part)
        return failed

    def report(self, event: DeviceEvent) -> Receipt:
        self.said.append(event)
        self._news.set()
        return Receipt.COMMITTED

    async def hear(self, edges: int) -> list[ButtonEdge]:
        """Wait until there are `edges` edges."""
        async with asyncio.timeout(DEADLINE_S):
            while len(self.edges) < edges:
                self._news.clear()
                await self._news.wait()
        return self.edges

    async def until_failed(self, *parts: str) -> None:
        """Wait until exactly these parts have failed."""
        async with asyncio.timeout(DEADLINE_S):
            while self.failed != set(parts):
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def opened(**addresses: str) -> AsyncGenerator[tuple[Table, OpenedParts]]:
    """Open buttons (``button1``) or lamps (``lamp1``) at these addresses, of one driver."""
    table, parts = Table(), list[Part]()
    for name, text in addresses.items():
        address = installed_drivers().parse_address(text)
        assert address is not None
        role = PartRole.LAMP if name.startswith("lamp") else PartRole.BUTTON
        parts.append(Part((name,), role, address, int(name[-1])))
    driver = InputDriver() if parts[0].address.kind == "input" else LedDriver()
    all_parts = driver.open(table.context, parts)
    all_parts.open()
    try:
        yield table, all_parts
    finally:
        all_parts.close()


def assert_inside(edge: ButtonEdge, moved_us: tuple[int, int]) -> None:
    """The true time of an edge is within its stated bound."""
    after_us, by_us = moved_us
    most_us = edge.uncertainty_us + (CLOCKS_US if edge.pad == BOARD_SEAT else 0)
    assert after_us - most_us <= edge.at_us <= by_us + most_us, (edge, moved_us)


def grabbed(port: str) -> bool:
    """Whether a program has the device at a port for itself."""
    from fcntl import ioctl

    from taptable.drivers.input.evdev import EVIOCGRAB
    from taptable.drivers.usb_ports import UsbPorts

    (name,) = (node.name for node in UsbPorts(Path("/")).nodes("input", "event") if node.port == port)
    descriptor = os.open(f"/dev/input/{name}", os.O_RDONLY)
    try:
        ioctl(descriptor, EVIOCGRAB, 1)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


async def test_a_buzz_set_is_found_its_presses_are_within_their_bounds_and_its_lamps_are_lit() -> None:
    buzz = Controller(BUZZ, 0)
    buzz.plug_in()
    found = InputDriver().find()
    assert [(str(each.address), each.label) for each in found] == [
        (f"input:1-1/{key}", f"Buzz! controller, button {number}") for number, key in enumerate(DOMES, 1)
    ]
    lamps = LedDriver().find()
    assert [(str(each.address), each.number) for each in lamps] == [(f"led:1-1/buzz{n}", n) for n in range(1, 5)]
    assert {each.device for each in lamps} == {each.device for each in found}
    async with opened(**{f"button{n}": str(each.address) for n, each in enumerate(found, 1)}) as (table, _):
        assert table.said == []
        assert grabbed(buzz.port)
        chance, moves = Random(1), list[tuple[int, int]]()
        for turn in range(40):
            for down in (True, False):
                moves.append(buzz.move(DOMES[turn % 4], down=down))
                await asyncio.sleep(chance.uniform(0.03, 0.06))
        edges = await table.hear(80)
        assert [edge.pad for edge in edges[::2]] == [1, 2, 3, 4] * 10
        for edge, moved_us in zip(edges, moves, strict=True):
            assert_inside(edge, moved_us)
        buzz.move(DOMES[3], DOMES[0], down=True)
        one, other = (await table.hear(82))[80:]
        assert (one.at_us, {one.pad, other.pad}) == (other.at_us, {1, 4})
    async with opened(lamp1="led:1-1/buzz1", lamp2="led:1-1/buzz2") as (table, parts):
        buzz.lamp_reports(1)
        parts.show_lamp(1, Lamp.ON_TURN)
        assert buzz.lamp_reports(1) == [bytes.fromhex("00 ff 00 00 00 00 00")]
        parts.show_lamp(2, Lamp.ON_TURN)
        assert buzz.lamp_reports(1) == [bytes.fromhex("00 ff ff 00 00 00 00")]
        assert table.said == []


async def test_an_encoder_that_bounces_is_pressed_once_and_static_is_no_press() -> None:
    encoder = Controller(ENCODER, 0)
    encoder.plug_in()
    assert [str(each.address) for each in InputDriver().find()[:2]] == ["input:1-1/BTN_TRIGGER", "input:1-1/BTN_THUMB"]
    async with opened(button1="input:1-1/BTN_TRIGGER") as (table, _):
        moved_us = encoder.move("BTN_TRIGGER", down=True)
        for down in (False, True, False, True):
            time.sleep(0.001)
            encoder.move("BTN_TRIGGER", down=down)
        await asyncio.sleep(0.1)
        encoder.move("BTN_TRIGGER", down=False)
        press, release = await table.hear(2)
        assert (press.pressed, release.pressed) == (True, False)
        assert_inside(press, moved_us)
        encoder.move("BTN_TRIGGER", down=True)
        time.sleep(0.002)
        encoder.move("BTN_TRIGGER", down=False)
        await asyncio.sleep(0.2)
        assert len(table.edges) == 2


async def test_a_keyboard_is_not_found_and_is_a_button_where_it_is_named_without_being_grabbed() -> None:
    keyboard = Controller(KEYBOARD, 0)
    keyboard.plug_in()
    assert InputDriver().find() == []
    async with opened(button1="input:1-1/KEY_SPACE") as (table, _):
        assert not grabbed(keyboard.port)
        for key in ("KEY_A", "KEY_SPACE"):
            keyboard.move(key, down=True)
            await asyncio.sleep(0.05)
            keyboard.move(key, down=False)
            await asyncio.sleep(0.05)
        assert [edge.pressed for edge in await table.hear(2)] == [True, False]


async def test_two_sets_stay_apart_however_often_they_are_plugged_in() -> None:
    sets = [Controller(BUZZ, number) for number in range(2)]
    for each in sets:
        each.plug_in()
    buttons = {f"button{seat}": f"input:{each.port}/{DOMES[0]}" for seat, each in enumerate(sets, 1)}
    async with opened(**buttons) as (table, _), opened(lamp1="led:1-1/buzz1", lamp2="led:2-1/buzz1") as (lit, lamps):
        lamps.show_lamp(2, Lamp.ON_TURN)
        names = sorted(path.name for path in Path("/sys/class/leds").iterdir())
        for each in sets:
            each.pull_out()
        await table.until_failed("button 1", "button 2")
        await lit.until_failed("lamp 1", "lamp 2")
        for each in reversed(sets):
            each.plug_in()
        await table.until_failed()
        await lit.until_failed()
        assert sorted(path.name for path in Path("/sys/class/leds").iterdir()) != names
        assert sets[1].lamp_reports(2)[-1] == bytes.fromhex("00 ff 00 00 00 00 00")
        for seat in (2, 1):
            moved_us = sets[seat - 1].move(DOMES[0], down=True)
            edge = (await table.hear(len(table.edges) + 1))[-1]
            assert edge.pad == seat
            assert_inside(edge, moved_us)


@pytest.mark.kernel("time-travel=inf-cpu", "dummy_hcd.num=3")
async def test_buttons_of_two_controllers_on_pins_and_on_a_board_in_a_race() -> None:
    buzz, encoder, contacts, chance = Controller(BUZZ, 0), Controller(ENCODER, 1), Contacts(), Random(3)
    for each in (buzz, encoder):
        each.plug_in()
    board = VirtualBoard(BOARD, GadgetSockets({BOARD: 2}), asyncio.get_running_loop())
    board.plug_in()
    keys = {1: (buzz, DOMES[0]), 2: (buzz, DOMES[1]), 3: (encoder, "BTN_TRIGGER"), 4: (encoder, "BTN_THUMB")}
    addresses = {f"button{seat}": f"input:{each.port}/{key}" for seat, (each, key) in keys.items()}

    def move(seat: int, down: bool) -> tuple[int, int]:
        if seat in PINS:
            change = contacts.move(PINS[seat], down)
            return change.after_us, change.by_us
        if seat in keys:
            return keys[seat][0].move(keys[seat][1], down=down)
        after_us = now_us()
        (board.press if down else board.release)()
        return after_us, now_us()

    decided = 0
    async with opened(**addresses) as (table, _):
        header = Header(loop=asyncio.get_running_loop(), report=table.report, now_us=now_us)
        pins = Buttons(header, PINS)
        pins.open()
        place = Address("board", BOARD)
        on_board = [
            Part(("pad",), PartRole.PAD, place, BOARD_SEAT, {"gain_db": 33}),
            Part(("button",), PartRole.BUTTON, place, BOARD_SEAT),
        ]
        boards = installed_drivers()["board"].open(table.context, on_board)
        boards.open()
        await asyncio.sleep(5)  # the board's clock is known
        assert table.failed == set()
        for _ in range(RACES):
            table.said.clear()
            moved_us: dict[int, tuple[int, int]] = {}
            for seat in chance.sample(range(1, 8), 7):
                moved_us[seat] = move(seat, True)
                await asyncio.sleep(chance.uniform(0, 0.02))
            presses = [Press(int(edge.pad), edge.at_us, edge.uncertainty_us) for edge in await table.hear(7)]
            for edge in table.edges:
                assert_inside(edge, moved_us[int(edge.pad)])
            ruling = first_press(tuple(presses), 1, 7)
            decided += not ruling.tied
            for press in presses:
                if is_certainly_before(press, ruling.press):
                    raise AssertionError(f"{press} had certainly beaten {ruling}")
                for other in presses:
                    if is_certainly_before(press, other):
                        assert moved_us[press.seat][0] <= moved_us[other.seat][1] + CLOCKS_US, (press, other, moved_us)
            for seat in moved_us:
                move(seat, False)
            await table.hear(14)
        pins.close()
        closing = boards.close()
        if closing is not None:
            await closing
    assert decided > RACES // 10


async def test_events_that_the_kernel_had_no_room_for_are_recovered_from_the_state() -> None:
    buzz = Controller(BUZZ, 0)
    buzz.plug_in()
    async with opened(button1=f"input:1-1/{DOMES[0]}", button2=f"input:1-1/{DOMES[1]}") as (table, _):
        for number in range(81):  # while the loop stands still
            buzz.move(DOMES[0], down=number % 2 == 0)
        moved_us = buzz.move(DOMES[1], down=True)
        edges = await table.hear(2)
        assert {(edge.pad, edge.pressed) for edge in edges} == {(1, True), (2, True)}
        assert_inside(next(edge for edge in edges if edge.pad == 2), moved_us)
        buzz.move(DOMES[0], DOMES[1], down=False)
        assert [edge.pressed for edge in (await table.hear(4))[2:]] == [False, False]
