"""Lamps of controllers on USB, over files like the kernel's: patterns, plugs, rights, and what is found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from taptable.core.cues import Lamp
from taptable.core.device_events import PartFailed, PartReturned
from taptable.drivers.led.driver import LedDriver
from taptable.drivers.led.leds import LOOK_S
from taptable.drivers.led.stand_in import LedStandIn
from taptable.sim.usb_tree import BUZZ_SET, KEYBOARD, DeviceKind, UsbTree
from taptable.testing.bench import Bench
from test_input import as_nobody
from usb_bench import PORT, with_lamps


def test_a_lamp_blinks_as_its_pattern_says(tmp_path: Path) -> None:
    async def test(bench: Bench, stand_in: LedStandIn) -> None:
        bench.opened.show_lamp(2, Lamp.MAY_BUZZ)
        await asyncio.sleep(0.1)
        seen: list[bool] = []
        for _ in range(4):
            seen.append(stand_in.is_lit(2))
            await asyncio.sleep(0.25)
        assert seen == [True, False, True, False]
        assert not stand_in.is_lit(1)

    with_lamps(tmp_path, test)


def test_a_lamp_that_is_pulled_out_and_put_in_again_shows_its_pattern_under_another_name(tmp_path: Path) -> None:
    async def test(bench: Bench, stand_in: LedStandIn) -> None:
        bench.opened.show_lamp(1, Lamp.ON_TURN)
        stand_in.plug(1, False)
        await asyncio.sleep(LOOK_S + 0.1)
        bench.opened.show_lamp(2, Lamp.ON_TURN)
        assert bench.failed == {"lamp 1", "lamp 2"}
        stand_in.plug(1, True)
        assert not stand_in.is_lit(1)
        await asyncio.sleep(LOOK_S + 0.1)
        assert bench.failed == set()
        assert stand_in.is_lit(1)
        assert stand_in.is_lit(2)
        # so quickly that nobody has looked meanwhile
        stand_in.plug(1, False)
        stand_in.plug(1, True)
        bench.opened.show_lamp(2, Lamp.OFF)
        await asyncio.sleep(LOOK_S + 0.1)
        assert stand_in.is_lit(1)
        assert bench.failed == set()
        events = [event for _, event in bench.reports if isinstance(event, PartFailed | PartReturned)]
        assert [type(event) for event in events if event.part == "lamp 1"] == [PartFailed, PartReturned] * 2

    with_lamps(tmp_path, test)


@pytest.mark.parametrize(
    ("kind", "suffixes", "reason"),
    [
        (None, [], f"nothing is plugged in at USB port {PORT}"),
        (BUZZ_SET, [], f"Buzz! controller (054c:0002) at USB port {PORT} has no lamps that the kernel knows"),
        (BUZZ_SET, ["buzz3", "buzz4"], f"Buzz! controller (054c:0002) at USB port {PORT} has no lamp buzz1, but buzz3"),
    ],
)
def test_the_reason_says_what_is_there_instead(
    tmp_path: Path, kind: DeviceKind | None, suffixes: list[str], reason: str
) -> None:
    async def test(bench: Bench, stand_in: LedStandIn) -> None:
        assert stand_in.tree is not None
        stand_in.plug(1, False)
        if kind is not None:
            stand_in.tree.plug_in(PORT, kind)
            stand_in.tree.add_leds(PORT, suffixes)
        await asyncio.sleep(LOOK_S + 0.1)
        (found,) = (
            event.reason for _, event in bench.reports if isinstance(event, PartFailed) and event.part[-1] == "1"
        )
        assert found.startswith(reason)

    with_lamps(tmp_path, test)


def test_a_lamp_that_is_closed_to_the_table_is_reported_so_and_lit_once_it_is_open(tmp_path: Path) -> None:
    async def test(bench: Bench, stand_in: LedStandIn) -> None:
        assert stand_in.tree is not None
        stand_in.tree.root.parent.chmod(0o755)
        with as_nobody():
            bench.opened.show_lamp(1, Lamp.ON_TURN)
        (failed,) = (event for _, event in bench.reports if isinstance(event, PartFailed))
        assert failed.reason == f"the table has no right to switch the lamp at USB port {PORT}: Permission denied"
        await asyncio.sleep(LOOK_S + 0.1)
        assert bench.failed == set()
        assert stand_in.is_lit(1)

    with_lamps(tmp_path, test)


def test_the_lamps_of_controllers_are_found_with_the_numbers_of_their_buttons(tmp_path: Path) -> None:
    tree = UsbTree()
    tree.plug_in("1-1", BUZZ_SET)
    tree.add_leds("1-1", ["buzz1", "buzz2", "buzz3", "buzz4"])
    tree.plug_in("1-2", KEYBOARD)
    tree.add_keyboard_leds("1-2", ["capslock", "numlock"])
    tree.plug_in("1-3", DeviceKind("054c:05c4", "Wireless Controller", "5ms"))
    tree.add_leds("1-3", ["red", "green"])
    found = LedDriver(tree.root).find()
    assert [(str(each.address), each.label, each.device, each.number) for each in found] == [
        *((f"led:1-1/buzz{n}", f"Buzz! controller, lamp {n}", "1-1", n) for n in range(1, 5)),
        ("led:1-3/red", "Wireless Controller, lamp 1", "1-3", 1),
        ("led:1-3/green", "Wireless Controller, lamp 2", "1-3", 2),
    ]
    tree.remove()
    assert LedDriver(tmp_path).find() == []


def test_lamps_that_are_closed_to_this_user_are_named_once() -> None:
    tree = UsbTree()
    tree.root.parent.chmod(0o755)
    tree.plug_in("1-1", BUZZ_SET)
    tree.add_leds("1-1", ["buzz1", "buzz2"])
    driver = LedDriver(tree.root)
    lamps = [led.folder / "brightness" for led in driver.ports.nodes("leds")]
    with as_nobody():
        assert [part.label for part in driver.find_closed()] == [
            "the lamps of the Buzz! controller (054c:0002) at USB port 1-1"
        ]
    for lamp in lamps:
        lamp.chmod(0o666)
    with as_nobody():
        assert driver.find_closed() == []
    tree.remove()
