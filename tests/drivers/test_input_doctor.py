"""The doctor's findings about buttons and lamps of controllers, each in docs/doctor.md."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from doctor.documented import is_documented
from taptable.doctor.computer import Computer, Owner
from taptable.doctor.findings import Finding
from taptable.doctor.press_order import judge_order
from taptable.doctor.site import ExaminedTable
from taptable.drivers.input.doctor import InputDoctor
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.led.doctor import LedDoctor
from taptable.drivers.led.driver import LedDriver
from taptable.drivers.led.stand_in import LedStandIn
from taptable.sim.usb_tree import BUZZ_SET, ENCODER, WIRELESS_BUZZ_SET
from taptable.testing.bench import Bench
from usb_bench import OTHER_PORT, PORT, TWO_DOMES, TWO_ENCODERS, ButtonBench, with_buttons, with_lamps

TABLE, ROOT = 990, 0


def computer_of(folder: Path, mode: int = 0o660, group: int = TABLE) -> Computer:
    """A computer with the service's user, whose files have this mode and group."""
    (folder / "etc").mkdir(exist_ok=True)
    (folder / "etc/passwd").write_text("pi:x:1000:1000::/:/bin/sh\ntaptable:x:990:990::/:/bin/false\n")
    return Computer(root=folder, uid=1000, gids=frozenset({1000}), owner_of=lambda _: Owner(ROOT, group, mode))


def said(bench: Bench, folder: Path, computer: Computer | None = None, held_by: str | None = None) -> list[Finding]:
    """The findings, each of which is in the manual."""
    site = ExaminedTable(computer or computer_of(folder), bench.drivers, bench.table.config, held_by)
    driver = bench.driver
    if isinstance(driver, InputDriver):
        found = list(InputDoctor(driver).examine(site))
    else:
        assert isinstance(driver, LedDriver)
        found = list(LedDoctor(driver).examine(site))
    assert [each for each in found if each.state in ("fault", "warning") and not is_documented(each)] == []
    return found


def with_findings(
    folder: Path,
    buttons: Sequence[str],
    spoil: Callable[[ButtonBench], None],
    expected: list[tuple[str, str, str, str]],
    **table: object,
) -> None:
    """Spoil something, and compare the findings about button 1: check, state, and what the two sentences contain."""

    async def test(bench: ButtonBench) -> None:
        spoil(bench)
        found = [each for each in said(bench.bench, folder, **table) if each.part == "button 1"]  # pyright: ignore[reportArgumentType]
        assert [(each.name, each.state) for each in found] == [(check, state) for check, state, _, _ in expected]
        for each, (_, _, finding, todo) in zip(found, expected, strict=True):
            assert finding in each.found
            assert todo in each.todo

    with_buttons(folder, buttons, test, opened=False)


def test_controllers_in_order_are_ok_and_two_of_one_make_are_named(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        found = said(bench.bench, tmp_path)
        joystick = "Generic USB Joystick (0079:0006) at USB port"
        good = "not pressed; its presses are accurate to ± 8.5 ms"
        assert [(each.name, each.part, each.state, each.found) for each in found] == [
            ("controller", "button 1", "ok", f"{joystick} {PORT}, {good}"),
            ("controller", "button 2", "ok", f"{joystick} {OTHER_PORT}, {good}"),
            (
                "alike",
                "Generic USB Joystick",
                "ok",
                f"2 of one make, at USB ports {PORT} and {OTHER_PORT}, and no serial numbers distinguish them: nobody"
                " notices if two are swapped. Leave each in its socket.",
            ),
        ]
        doctor = InputDoctor(bench.stand_in.input)
        site = ExaminedTable(computer_of(tmp_path), bench.bench.drivers, bench.bench.table.config)
        (order,) = judge_order(doctor.stamps(site))
        assert "buttons 1 and 2, on two controllers: two presses closer than 17.00 ms are a tie" in order.found

    with_buttons(tmp_path, TWO_ENCODERS, test, opened=False)


def test_one_that_is_at_another_port_is_found_there(tmp_path: Path) -> None:
    def move(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        bench.tree.plug_in("1-2", BUZZ_SET)
        bench.tree.add_event_node("1-2", range(0x2C0, 0x2D4))

    moved = f'use its present address: "input:1-2/{TWO_DOMES[0].partition("/")[2]}"'
    expected = [("controller", "fault", f"nothing is plugged in at USB port {PORT}", moved)]
    with_findings(tmp_path, TWO_DOMES, move, expected)


def test_one_whose_driver_isn_t_loaded(tmp_path: Path) -> None:
    def unload(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        bench.tree.plug_in(PORT, BUZZ_SET)

    expected = [("controller", "fault", "the module hid-sony, isn't loaded", "sudo modprobe hid-sony")]
    with_findings(tmp_path, TWO_DOMES, unload, expected)


def test_one_without_that_key(tmp_path: Path) -> None:
    def exchange(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        bench.tree.plug_in(PORT, BUZZ_SET)
        bench.tree.add_event_node(PORT, [0x120, 0x121])

    with_findings(tmp_path, TWO_DOMES, exchange, [("key", "fault", "no such key", "BTN_TRIGGER or BTN_THUMB")])


@pytest.mark.parametrize(("mode", "group"), [(0o660, 104), (0o600, TABLE)])
def test_one_that_the_table_has_no_right_to_read(tmp_path: Path, mode: int, group: int) -> None:
    found, todo = "the user taptable has no right to read /dev/input/event", "its udev rule gives the table"
    expected = [("controller", "fault", found, todo)]
    computer = computer_of(tmp_path, mode, group)
    with_findings(tmp_path, TWO_DOMES, lambda _: None, expected, computer=computer)


def test_one_that_another_program_has(tmp_path: Path) -> None:
    def grab(bench: ButtonBench) -> None:
        taken.append(bench.controller().open_elsewhere())

    taken: list[int] = []
    expected = [("controller", "fault", "another program has exclusive use of the device", "a game, an emulator")]
    with_findings(tmp_path, TWO_DOMES, grab, expected)
    os.close(taken[0])


def test_one_that_the_table_itself_has(tmp_path: Path) -> None:
    expected = [("controller", "skipped", "in use by process 812", "stop the table")]
    with_findings(tmp_path, TWO_DOMES, lambda _: None, expected, held_by="process 812")


def test_one_that_is_down(tmp_path: Path) -> None:
    def hold(bench: ButtonBench) -> None:
        bench.stand_in.stick(1)
        bench.bench.stall(1)

    with_findings(tmp_path, TWO_DOMES, hold, [("key", "fault", "it reads as pressed", "normally open contact (NO)")])


def test_a_keyboard(tmp_path: Path) -> None:
    expected = [("keyboard", "warning", "its device is a keyboard", ""), ("controller", "ok", "USB Keyboard", "")]
    buttons = [f"input:{PORT}/KEY_SPACE", f"input:{OTHER_PORT}/BTN_TRIGGER"]
    with_findings(tmp_path, buttons, lambda _: None, expected)


def test_two_whose_serial_numbers_differ_are_known_by_their_sockets_all_the_same(tmp_path: Path) -> None:
    async def test(bench: ButtonBench) -> None:
        for number, port in enumerate((PORT, OTHER_PORT), 1):
            bench.tree.pull_out(port)
            bench.tree.plug_in(port, ENCODER, f"A{number}")
            bench.tree.add_event_node(port, [0x120])
        (alike,) = [each for each in said(bench.bench, tmp_path, held_by="process 812") if each.name == "alike"]
        assert alike.found == f"2 of one make, at USB ports {PORT} and {OTHER_PORT}. Leave each in its socket."

    with_buttons(tmp_path, TWO_ENCODERS, test, opened=False)


def test_one_whose_device_has_the_key_twice(tmp_path: Path) -> None:
    def add_half(bench: ButtonBench) -> None:
        bench.tree.add_event_node(PORT, [0x120, 0x121])

    double = (
        "double",
        "warning",
        "has this key 2 times, and only one of them counts, that of /dev/input/event3",
        "half",
    )
    with_findings(tmp_path, TWO_ENCODERS, add_half, [double, ("controller", "ok", "Joystick", "")])


def test_a_wireless_one(tmp_path: Path) -> None:
    def exchange(bench: ButtonBench) -> None:
        bench.stand_in.plug(1, False)
        bench.stand_in.kinds[PORT] = WIRELESS_BUZZ_SET
        bench.stand_in.plug(1, True)

    expected = [("controller", "ok", "how late they may come is unknown", "")]
    with_findings(tmp_path, TWO_DOMES, exchange, expected)


def test_lamps_that_are_there_forbidden_or_missing(tmp_path: Path) -> None:
    async def test(bench: Bench, stand_in: LedStandIn) -> None:
        assert [each.state for each in said(bench, tmp_path)] == ["ok", "ok"]
        closed = computer_of(tmp_path, 0o644)
        assert {each.todo[:26] for each in said(bench, tmp_path, closed)} == {"With the package, install "}
        user = replace(closed, owner_of=lambda path: Owner(ROOT, ROOT, path.stat().st_mode & 0o777))
        assert [each.state for each in said(bench, tmp_path, user)] == ["fault", "fault"]
        stand_in.plug(1, False)
        assert [each.found for each in said(bench, tmp_path)] == [f"nothing is plugged in at USB port {PORT}"] * 2

    with_lamps(tmp_path, test)
