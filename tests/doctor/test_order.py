"""The doctor's finding about how close two presses may be, by the wiring of the buttons."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from taptable.doctor.findings import Finding
from taptable.drivers.board.bus import BETWEEN_HUBS_US, Socket
from taptable.drivers.gpio.header import CALLBACK_STAMP_US, KERNEL_STAMP_US

from doctor.breaking import native_factory
from doctor.rig import Bench, Spoil, findings
from doctor.test_live import buttons_to_boards, tried

HERE, OTHER_HUB, OTHER = Socket("/pci/a", "/pci/a/usb1/1-1"), Socket("/pci/a", "/pci/a/usb1"), Socket("/b", "/b/usb3")


def plugged_into(*sockets: Socket | None) -> Spoil:
    def spoil(bench: Bench) -> None:
        bench.table.stand_in("board").sockets.places.update(
            {f"sim{seat}": socket for seat, socket in enumerate(sockets, 1)}
        )

    return spoil


def order(found: list[Finding]) -> Finding:
    (finding,) = [finding for finding in found if finding.name == "order"]
    return finding


def bound_us(finding: Finding) -> float:
    (ms,) = re.findall(r"closer than (\d+\.\d\d) ms are a tie", finding.found)
    return 1000 * float(ms)


def on_boards(folder: Path, *sockets: Socket | None) -> Finding:
    folder.mkdir()
    return order(findings(folder, plugged_into(*sockets), groups=["boards"], rewritten=buttons_to_boards))


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_presses_on_pins_are_as_good_as_what_stamps_them(tmp_path: Path, compact: bool) -> None:
    for folder in ("kernel", "thread"):
        tmp_path.joinpath(folder).mkdir()
    finding = order(findings(tmp_path / "kernel", groups=["boards"], compact=compact))
    assert finding.found.startswith("buttons 1 and 2, on the Pi's pins: ")
    assert "by the" not in finding.found
    assert bound_us(finding) == 2 * KERNEL_STAMP_US
    finding = order(findings(tmp_path / "thread", native_factory, groups=["boards"], compact=compact))
    assert bound_us(finding) == 2 * CALLBACK_STAMP_US


def test_boards_behind_one_hub_and_behind_two_are_ordered_by_the_frames(tmp_path: Path) -> None:
    one, two = on_boards(tmp_path / "1", HERE, HERE), on_boards(tmp_path / "2", HERE, OTHER_HUB)
    assert one.found.startswith("buttons 1 and 2, on boards behind one hub: ")
    assert two.found.startswith("buttons 1 and 2, on boards behind two hubs of one controller: ")
    assert all(finding.found.endswith(", by the frames of the bus") for finding in (one, two))
    assert bound_us(one) < 200
    assert bound_us(two) - bound_us(one) == pytest.approx(BETWEEN_HUBS_US, abs=20)


def test_boards_at_two_controllers_or_nobody_knows_where_go_by_the_round_trip(tmp_path: Path) -> None:
    two, unknown = on_boards(tmp_path / "2", HERE, OTHER), on_boards(tmp_path / "3", HERE, None)
    assert two.found.startswith("buttons 1 and 2, on boards at two controllers: ")
    assert unknown.found.startswith("buttons 1 and 2, on boards, one of them at an unknown hub: ")
    for finding in (two, unknown):
        assert finding.found.endswith(", by the round trip to a board")
        assert bound_us(finding) > 400


def test_a_board_that_is_missing_leaves_nothing_to_say(tmp_path: Path) -> None:
    def pull(bench: Bench) -> None:
        bench.link_of("sim2").unlink()

    found = findings(tmp_path, pull, groups=["boards"], rewritten=buttons_to_boards)
    assert order(found).state == "skipped"


def test_the_port_of_each_board_is_reported_by_the_names_of_sysfs(tmp_path: Path) -> None:
    found = findings(tmp_path, plugged_into(HERE, None), groups=["boards"])
    sockets = [(f.part, f.state, f.found) for f in found if f.name == "socket"]
    assert sockets == [
        ("board 1", "ok", "at hub 1-1 of controller a"),
        ("board 2", "skipped", "the hub of its port is unknown"),
    ]


@pytest.mark.parametrize("on_boards", [str, buttons_to_boards], ids=["pins", "boards"])
def test_with_somebodys_help_it_is_reported_by_the_presses_that_were_made(
    tmp_path: Path, on_boards: Callable[[str], str]
) -> None:
    _, found = tried(tmp_path, on_boards=on_boards)
    finding = found["order", "buttons"]
    by_bus = on_boards is buttons_to_boards
    assert bound_us(finding) == pytest.approx(10 if by_bus else 2 * KERNEL_STAMP_US, abs=10)
    assert finding.found.endswith("by the frames of the bus") == by_bus


def test_who_is_not_pressed_is_not_ordered(tmp_path: Path) -> None:
    _, found = tried(tmp_path, lambda helper: helper.buttons.remove(2))
    assert found["order", "buttons"].state == "skipped"
