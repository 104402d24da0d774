"""Buttons of controllers on USB, over a model of the kernel's event devices: stamps and their bound, bounce and static,
lost events, plugs, other programs, and what is found."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from taptable.core.arbiter import Press, first_press
from taptable.core.device_events import DeviceEvent, PartReturned, Receipt
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.input.evdev import EVIOCGRAB, KernelAccess
from taptable.drivers.input.keys import CODES
from taptable.drivers.input.nodes import BOUNCE_US, HANDED_OVER_US, UNBOUNDED_US
from taptable.drivers.input.parts import RETRY_S
from taptable.drivers.interface import ClosedPart, Limit, SystemRule
from taptable.sim.usb_tree import BUZZ_SET, ENCODER, KEYBOARD, WIRELESS_BUZZ_SET, DeviceKind, UsbTree
from usb_bench import OTHER_PORT, PORT, TWO_DOMES, TWO_ENCODERS, ButtonBench, is_inside, with_buttons

HEADER = Path("/usr/include/linux/input-event-codes.h")
NOBODY = 65534


@pytest.mark.skipif(not HEADER.exists(), reason="the kernel's header isn't here: apt-get install linux-libc-dev")
def test_the_names_are_the_kernels() -> None:
    defined = re.findall(r"^#define\s+((?:BTN|KEY)_\w+)\s+(0x[0-9a-f]+|\d+)\b", HEADER.read_text(), re.MULTILINE)
    codes = {name: int(code, 0) for name, code in defined}
    assert {name: codes.get(name) for name in CODES} == CODES


# --- stamps ---


@pytest.mark.parametrize("buttons", [TWO_DOMES, TWO_ENCODERS], ids=["Buzz!", "encoders that bounce"])
def test_every_press_lies_within_its_bound(tmp_path: Path, buttons: list[str]) -> None:
    async def test(bench: ButtonBench) -> None:
        random, off_us, bounds_us = Random(1), list[int](), set[int]()
        for _ in range(150):
            await asyncio.sleep(random.random() / 10)
            pressed_us, press = await bench.press(random.choice((1, 2)), random.uniform(0.05, 0.3))
            assert is_inside(pressed_us, press), (pressed_us, press)
            off_us.append(press.at_us - pressed_us)
            bounds_us.add(press.uncertainty_us)
        # the model's reports come at any time within the interval, so the bound isn't far too wide
        assert max(off_us) - min(off_us) > 7_000
        assert bounds_us == {(10_000 + HANDED_OVER_US + BOUNCE_US) // 2}

    with_buttons(tmp_path, buttons, test)


def test_two_presses_in_one_report_have_one_stamp_and_tie(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        for seat in (2, 1):
            bench.bench.table.press(seat)
        await asyncio.sleep(0.5)
        one, other = (edge for edge in bench.edges if edge.pressed)
        assert one.at_us == other.at_us
        presses = tuple(Press(seat, each.at_us, each.uncertainty_us) for seat, each in ((1, one), (2, other)))
        ruling = first_press(presses, 1, 2)
        assert ruling.tied == (1, 2)

    with_buttons(tmp_path, TWO_DOMES, test)


def test_static_is_no_press_whenever_the_controller_is_asked(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        random = Random(2)
        for _ in range(60):
            await asyncio.sleep(random.uniform(0.1, 0.2))
            bench.bench.table.button_stand_in(1).spark(1)
        await asyncio.sleep(0.5)
        assert bench.edges == []
        await bench.press(1)

    with_buttons(tmp_path, TWO_ENCODERS, test)


def test_presses_that_wait_in_the_kernel_are_reported_when_the_table_asks(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        pressed_us = bench.now_us()
        bench.bench.table.press(2, 0.1)
        bench.bench.stall(0.4)
        assert bench.bench.opened.deliver is not None
        bench.bench.opened.deliver()
        press, release = bench.edges
        assert is_inside(pressed_us, press)
        assert is_inside(pressed_us + 100_000, release)

    with_buttons(tmp_path, TWO_DOMES, test)


@pytest.mark.parametrize(
    ("interval", "told", "uncertainty_us"),
    [("125us", "0", 3_562), ("8ms", "0", 7_500), ("4ms", "16", 11_500), ("255ms", "0", UNBOUNDED_US + 3_500)],
)
def test_the_bound_follows_from_the_endpoint_and_from_what_the_kernel_was_told(
    tmp_path: Path, interval: str, told: str, uncertainty_us: int
) -> None:
    async def test(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        bench.stand_in.kinds[PORT] = DeviceKind("0079:0006", "Encoder", interval)
        bench.stand_in.plug(1, True)
        told_in = bench.tree.root / "sys/module/usbhid/parameters/jspoll"
        told_in.parent.mkdir(parents=True)
        told_in.write_text(f"{told}\n")
        bench.bench.opened.open()
        _, press = await bench.press(1)
        assert press.uncertainty_us == pytest.approx(uncertainty_us, abs=1)
        limits = bench.bench.driver.limits_of(bench.bench.parts[0])
        assert limits == ((Limit.NO_BOUND,) if interval == "255ms" else ())

    with_buttons(tmp_path, TWO_ENCODERS, test, opened=False)


def test_a_wireless_controller_beats_nobody_within_a_quarter_of_a_second(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        bench.stand_in.kinds[PORT] = WIRELESS_BUZZ_SET
        bench.stand_in.plug(1, True)
        bench.bench.opened.open()
        assert bench.bench.driver.limits_of(bench.bench.parts[0]) == (Limit.NO_BOUND,)
        _, press = await bench.press(1)
        assert press.uncertainty_us > UNBOUNDED_US
        wireless = Press(1, press.at_us, press.uncertainty_us)
        pin = Press(2, press.at_us + UNBOUNDED_US, 50)
        assert first_press((wireless, pin), 1, 2).tied == (1, 2)

    with_buttons(tmp_path, TWO_DOMES, test, opened=False)


# --- lost events ---


def test_a_press_among_lost_events_is_reported_with_a_bound_that_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(bench: ButtonBench) -> None:
        await bench.press(1)
        await bench.press(2)
        before = len(bench.edges)
        pressed_us = bench.now_us() + 2_050_000
        for number in range(40):
            bench.controller().press(CODES["BTN_TRIGGER_HAPPY1"], 0.025, after_s=number * 0.05)
        bench.controller().press(CODES["BTN_TRIGGER_HAPPY6"], 0.5, after_s=2.05)
        bench.bench.stall(2.1)
        await asyncio.sleep(1)
        press, release = bench.edges[before:]
        assert (press.pad, press.pressed, release.pressed) == (2, True, False)
        assert is_inside(pressed_us, press)
        assert press.uncertainty_us > 1_000_000
        assert "Events of a controller lost (USB port 1-1.3)" in caplog.text
        pressed_us, press = await bench.press(1)
        assert is_inside(pressed_us, press)
        assert press.uncertainty_us < 10_000

    with_buttons(tmp_path, TWO_DOMES, test)


# --- plugs ---


def test_two_identical_controllers_are_told_apart_by_their_ports_whatever_the_kernel_calls_them(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        gone = f"the device at USB port {PORT} was unplugged"
        bench.stand_in.plug(1, False)
        bench.stand_in.plug(2, False)
        await asyncio.sleep(RETRY_S)
        bench.stand_in.plug(2, True)  # it gets the first free name
        bench.stand_in.plug(1, True)
        await asyncio.sleep(RETRY_S + 0.1)
        assert bench.parts[:2] == [("button 1", gone), ("button 2", gone.replace(PORT, OTHER_PORT))]
        assert sorted(bench.parts[2:]) == [("button 1", ""), ("button 2", "")]
        await bench.press(1)
        await bench.press(2)

    with_buttons(tmp_path, TWO_ENCODERS, test)


def test_a_button_that_is_down_when_its_plug_is_pulled_counts_as_released(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        bench.stand_in.stick(1)
        await asyncio.sleep(0.2)
        bench.stand_in.plug(1, False)
        await asyncio.sleep(0.2)
        assert [(edge.pad, edge.pressed) for edge in bench.edges] == [(1, True), (1, False)]
        bench.stand_in.plug(1, True)
        await asyncio.sleep(RETRY_S + 0.1)
        assert bench.parts[-1][0] == "button 1"
        assert "pressed since before" in bench.parts[-1][1]
        bench.stand_in.plug(1, False)  # which is no second failure
        await asyncio.sleep(0.2)
        bench.stand_in.unstick(1)
        bench.stand_in.plug(1, True)
        await asyncio.sleep(RETRY_S + 0.1)
        await bench.press(1)

    with_buttons(tmp_path, TWO_ENCODERS, test)


def test_a_device_that_goes_while_its_return_is_reported_is_missing_again(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        parts: Any = bench.bench.opened
        context = parts._context

        def report(event: DeviceEvent) -> Receipt:
            receipt = context.report(event)
            if isinstance(event, PartReturned):
                parts._context = context
                bench.stand_in.plug(1, False)
                parts._deliver()  # as the controller does before it takes another event
            return receipt

        bench.stand_in.plug(1, False)
        await asyncio.sleep(0.2)
        parts._context = replace(context, report=report)
        bench.stand_in.plug(1, True)
        await asyncio.sleep(RETRY_S + 0.1)
        assert [bool(reason) for _, reason in bench.parts] == [True, False, True]
        bench.stand_in.plug(1, True)
        await asyncio.sleep(RETRY_S + 0.1)
        await bench.press(1)

    with_buttons(tmp_path, TWO_ENCODERS, test)


@pytest.mark.parametrize(
    ("kind", "keys", "reason"),
    [
        (BUZZ_SET, [], "Buzz! controller (054c:0002) at USB port 1-1.3 has no keys that the kernel knows: its driver"),
        (ENCODER, [0x130], "Generic USB Joystick (0079:0006) at USB port 1-1.3 has no such key"),
        (None, [], "nothing is plugged in at USB port 1-1.3"),
    ],
)
def test_the_reason_says_what_is_there_instead(
    tmp_path: Path, kind: DeviceKind | None, keys: list[int], reason: str
) -> None:
    async def test(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        if kind is not None:
            bench.tree.plug_in(PORT, kind)
            if keys:
                bench.tree.add_event_node(PORT, keys)
        bench.bench.opened.open()
        ((part, found),) = bench.parts
        assert part == "button 1"
        assert found.startswith(reason)
        bench.tree.pull_out(PORT)
        bench.stand_in.plug(1, True)
        await asyncio.sleep(RETRY_S + 0.1)
        await bench.press(1)

    with_buttons(tmp_path, TWO_ENCODERS, test, opened=False)


# --- other programs ---


def test_a_controller_is_grabbed_and_one_that_another_program_has_is_waited_for(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        other = bench.controller().open_elsewhere()
        bench.bench.opened.open()
        assert bench.parts == [("button 1", f"another program has exclusive use of the device at USB port {PORT}")]
        assert bench.controller(OTHER_PORT).holder is not None
        os.close(other)
        bench.controller().holder = None
        await asyncio.sleep(RETRY_S + 0.1)
        assert bench.parts[1:] == [("button 1", "")]
        await bench.press(1)

    with_buttons(tmp_path, TWO_ENCODERS, test, opened=False)


def test_a_keyboard_is_never_grabbed_and_nothing_typed_reaches_the_table(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        assert bench.stand_in.kinds[PORT] is KEYBOARD
        assert bench.controller().holder is None
        bench.controller().press(CODES["KEY_A"], 0.1)
        await asyncio.sleep(0.5)
        assert bench.controller().events_passed == 0
        assert bench.edges == []
        await bench.press(1)

    with_buttons(tmp_path, [f"input:{PORT}/KEY_SPACE", f"input:{OTHER_PORT}/BTN_TRIGGER"], test)


@contextmanager
def as_nobody() -> Generator[None]:
    """Have no rights within this context, unless there are none anyway."""
    uid = os.geteuid()
    if uid == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(uid)


def test_a_device_that_is_closed_to_the_table_is_reported_so(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        bench.tree.root.parent.chmod(0o755)
        for node in (bench.tree.root / "dev/input").iterdir():
            node.chmod(0)
        with as_nobody():
            bench.bench.opened.open()
        closed = f"the table has no right to use the device at USB port {PORT}: {os.strerror(errno.EACCES)}"
        assert bench.parts[0] == ("button 1", closed)
        for node in (bench.tree.root / "dev/input").iterdir():
            node.chmod(0o600)
        await asyncio.sleep(RETRY_S + 0.1)
        assert bench.bench.failed == set()

    with_buttons(tmp_path, TWO_ENCODERS, test, opened=False)


def test_the_request_to_grab_is_the_kernels() -> None:
    with Path("/dev/null").open("rb") as nothing, pytest.raises(OSError, match=os.strerror(errno.ENOTTY)):
        fcntl.ioctl(nothing, EVIOCGRAB, 1)


# --- what is found ---


@pytest.fixture
def tree() -> Iterator[UsbTree]:
    tree = UsbTree()
    yield tree
    tree.remove()


def test_the_buttons_of_controllers_are_found_and_keyboards_mice_and_power_buttons_are_not(tree: UsbTree) -> None:
    plugged = {
        "1-1": (BUZZ_SET, [range(0x2C0, 0x2D4)]),
        "1-2": (WIRELESS_BUZZ_SET, [range(0x2C0, 0x2D4)]),
        "1-3.1": (ENCODER, [[0x120, 0x121, 0x12D]]),
        "1-3.2": (KEYBOARD, [range(1, 0x6F)]),
        "1-3.3": (DeviceKind("046d:c077", "Mouse", "10ms"), [range(0x110, 0x113)]),
        "1-3.4": (DeviceKind("1234:5678", "Keyboard that poses as a joystick, too", "1ms"), [range(1, 0x6F), [0x120]]),
        "1-4": (DeviceKind("0d8c:0014", "Sound card", "32ms"), [range(0x71, 0x74)]),
    }
    for port, (kind, nodes) in plugged.items():
        tree.plug_in(port, kind, serial="77" if port == "1-3.1" else "")
        for keys in nodes:
            tree.add_event_node(port, keys)
    found = InputDriver(KernelAccess(tree.root)).find()
    domes = ["BTN_TRIGGER_HAPPY1", "BTN_TRIGGER_HAPPY6", "BTN_TRIGGER_HAPPY11", "BTN_TRIGGER_HAPPY16"]
    assert [(str(each.address), each.label, each.device, each.number) for each in found] == [
        *((f"input:1-1/{key}", f"Buzz! controller, button {n}", "1-1", n) for n, key in enumerate(domes, 1)),
        *((f"input:1-2/{key}", f"Wireless Buzz! controller, button {n}", "1-2", n) for n, key in enumerate(domes, 1)),
        ("input:1-3.1/BTN_TRIGGER", "Generic USB Joystick, button 1", "1-3.1", 1),
        ("input:1-3.1/BTN_THUMB", "Generic USB Joystick, button 2", "1-3.1", 2),
        ("input:1-3.1/0x12d", "Generic USB Joystick, button 3", "1-3.1", 3),
    ]
    assert {(each.product, each.serial) for each in found if each.device == "1-3.1"} == {("0079:0006", "77")}


def test_nothing_is_found_where_there_is_no_usb(tmp_path: Path) -> None:
    assert InputDriver(KernelAccess(tmp_path)).find() == []


def test_controllers_that_are_closed_to_this_user_are_named_once_and_keyboards_are_not(tree: UsbTree) -> None:
    tree.root.parent.chmod(0o755)
    tree.plug_in("1-1", BUZZ_SET)
    tree.add_event_node("1-1", range(0x2C0, 0x2D4))
    for number, (port, kind) in enumerate((("1-2", ENCODER), ("1-3", KEYBOARD))):
        tree.plug_in(port, kind)
        tree.add_event_node(port, [range(0x120, 0x12C), range(1, 0x6F)][number])
    driver = InputDriver(KernelAccess(tree.root))
    files = [tree.root / "dev/input" / node.node.name for node in driver.nodes.all()]
    with as_nobody():
        assert driver.find_closed() == []  # they are just going
    for file in files:
        file.touch(0o644)
    with as_nobody():
        assert driver.find_closed() == []
    for file in files:
        file.chmod(0o600)
    with as_nobody():
        assert driver.find_closed() == [
            ClosedPart("Buzz! controller (054c:0002) at USB port 1-1", SystemRule.DEVICES),
            ClosedPart("Generic USB Joystick (0079:0006) at USB port 1-2", SystemRule.DEVICES),
        ]
