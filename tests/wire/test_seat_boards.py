"""Virtual boards over pseudo-terminals and the real pyserial, against the truth at their pads: in given time, and
once in real time."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from boards_bench import CARD, FOREIGN, OTHER, Bench
from deadline import DEADLINE_S
from tapshared.lines import Lines
from tapshared.outbox import CAPACITY
from tapshared.pad import LOOK_EVERY_US
from tapshared.ticks import PERIOD
from tapshared.verbs import PI
from tapshared.version import FIRMWARE
from taptable.core.cues import SeatLights
from taptable.core.device_events import (
    ButtonEdge,
    Origin,
    PartFailed,
    TagCame,
    TagWent,
)
from taptable.drivers.board import versions
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.port import PENDING_BYTES, TwinBoards, find_port, open_path
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise, Plug
from taptable.drivers.reader_health import ReaderHealth
from taptable.sim.loops import GivenTimeLoop

BAD = CableNoise(lost=0.1, cut=0.1, corrupted=0.1, doubled=0.1, late=0.1, print_out=0.1)


def actions(virtual: VirtualBoard) -> list[tuple[str, str]]:
    return [(action.kind, action.uid) for action in virtual.actions]


def test_a_card_that_is_put_and_lifted_comes_and_goes(bench: Bench, loop: GivenTimeLoop) -> None:
    bench.board.put(CARD)
    loop.pass_time(0.05)
    assert bench.truth_at() == [("put", CARD)]
    bench.board.lift(CARD)
    loop.pass_time(0.29)
    assert bench.truth_at() == [("put", CARD)]
    loop.pass_time(0.05)
    assert bench.truth_at() == [("put", CARD), ("lift", CARD)]


@pytest.mark.parametrize("unplugged_s", [0.0, 1.0])
def test_a_card_is_reported_with_the_time_it_came_at_and_its_origin(
    bench: Bench, loop: GivenTimeLoop, unplugged_s: float
) -> None:
    if unplugged_s:
        bench.board.pull_out(powered=True)
    put_at_us = bench.now_us()
    bench.board.put(CARD)
    loop.pass_time(unplugged_s)
    bench.board.plug_in()
    loop.pass_time(3.0)
    [came] = [device_event for device_event in bench.device_events if isinstance(device_event, TagCame)]
    assert put_at_us <= came.at_us < put_at_us + 20_000
    assert came.origin == Origin("b1", 1, 100_001)


def test_a_tag_that_is_not_enrolled_is_reported_after_its_second_read(bench: Bench, loop: GivenTimeLoop) -> None:
    bench.board.put(FOREIGN)
    loop.pass_time(LOOK_EVERY_US / 1_000_000)
    bench.board.lift(FOREIGN)
    loop.pass_time(1.0)
    assert bench.truth_at() == []
    bench.board.put(FOREIGN)
    loop.pass_time(0.03)
    bench.board.lift(FOREIGN)
    loop.pass_time(1.0)
    assert bench.truth_at() == [("put", FOREIGN), ("lift", FOREIGN)]


def test_what_found_no_room_in_the_journal_comes_again_in_its_order(bench: Bench, loop: GivenTimeLoop) -> None:
    bench.full = True
    bench.board.put(FOREIGN)
    loop.pass_time(1.0)
    bench.board.put(CARD)
    bench.board.press()
    loop.pass_time(1.0)
    bench.board.lift(FOREIGN)
    bench.board.lift(CARD)
    bench.board.release()
    loop.pass_time(1.0)
    assert bench.truth_at() == []
    bench.full = False
    loop.pass_time(3.0)
    assert sorted(bench.truth_at()) == sorted(actions(bench.board))
    assert bench.truth_at()[:3] == [("put", FOREIGN), ("press", ""), ("put", CARD)]


def test_a_press_is_stamped_by_the_board_within_its_bound(loop: GivenTimeLoop) -> None:
    bench = Bench(loop, ppm=90.0, first_ticks=PERIOD - 30_000_000)
    loop.run_until_complete(bench.start())
    random = Random(4)
    for _ in range(60):
        loop.pass_time(random.uniform(0.5, 1.5))
        bench.board.press()
        loop.pass_time(0.1)
        bench.board.release()
    loop.pass_time(1.0)
    bench.close()
    edges = [device_event for device_event in bench.device_events if isinstance(device_event, ButtonEdge)]
    assert len(edges) == len(bench.board.actions) == 120
    for edge, action in zip(edges, bench.board.actions, strict=True):
        assert abs(edge.at_us - action.at_s * 1_000_000) <= edge.uncertainty_us + 1
        assert edge.uncertainty_us < 1_000


def test_cards_that_lie_there_at_the_start_are_reported_as_lying(loop: GivenTimeLoop) -> None:
    bench = Bench(loop)
    bench.board.put(CARD)
    loop.run_until_complete(bench.start())
    loop.pass_time(1.0)
    bench.close()
    assert [
        device_event.already_present for device_event in bench.device_events if isinstance(device_event, TagCame)
    ] == [True]


def test_a_daemon_that_restarts_learns_what_lies_on_the_pads_and_nothing_twice(
    bench: Bench, loop: GivenTimeLoop
) -> None:
    bench.board.put(CARD)
    loop.pass_time(1.0)
    bench.boards.close()
    bench.board.put(OTHER)
    loop.pass_time(3.0)
    loop.run_until_complete(bench.open())
    loop.pass_time(1.0)
    came = [
        (device_event.uid, device_event.already_present)
        for device_event in bench.device_events
        if isinstance(device_event, TagCame)
    ]
    assert came == [(CARD, False), (OTHER, False), (CARD, True)]


def test_a_seat_shows_its_light_again_after_a_tag_that_was_read_only_once(bench: Bench, loop: GivenTimeLoop) -> None:
    bench.boards.show_light(1, SeatLights("your-turn"))
    loop.pass_time(1.0)
    bench.board.hear_ghost(FOREIGN)
    assert bench.board.ring.pattern == "reading"
    loop.pass_time(1.0)
    assert bench.board.ring.pattern == "your-turn"
    assert bench.device_events == []


@pytest.mark.parametrize("uid", [CARD, FOREIGN])
def test_a_tag_read_just_before_the_daemon_came_has_come_and_did_not_lie_there(
    bench: Bench, loop: GivenTimeLoop, uid: str
) -> None:
    bench.boards.close()
    bench.board.put(uid)
    loop.pass_time(LOOK_EVERY_US / 1_000_000)  # read once: the second read comes after what is lying there is told
    loop.run_until_complete(bench.open())
    loop.pass_time(1.0)
    assert [
        device_event.already_present for device_event in bench.device_events if isinstance(device_event, TagCame)
    ] == [False]


def test_a_board_that_is_not_there_at_the_start_is_reported_and_taken_when_it_comes(loop: GivenTimeLoop) -> None:
    bench = Bench(loop)
    loop.run_until_complete(bench.open())
    assert bench.parts() == ["-board 1"]
    loop.pass_time(10.0)
    bench.board.plug_in()
    loop.pass_time(2.0)
    bench.board.put(CARD)
    loop.pass_time(0.1)
    bench.close()
    assert bench.parts()[:2] == ["-board 1", "+board 1"]
    assert bench.truth_at() == [("put", CARD)]


def test_unplugging_is_reported_at_once_and_loses_no_event_of_a_board_that_keeps_its_power(
    bench: Bench, loop: GivenTimeLoop
) -> None:
    bench.board.put(CARD)
    bench.board.pull_out(powered=True)
    loop.pass_time(0.001)
    assert bench.parts() == ["-board 1"]
    loop.pass_time(3.0)
    bench.board.press()
    loop.pass_time(0.5)
    bench.board.release()
    bench.board.lift(CARD)
    loop.pass_time(1.0)
    bench.board.plug_in()
    loop.pass_time(2.0)
    assert bench.parts() == ["-board 1", "+board 1"]
    assert bench.truth_at() == [("put", CARD), ("press", ""), ("release", ""), ("lift", CARD)]


def test_what_lay_there_is_gone_where_events_were_lost(bench: Bench, loop: GivenTimeLoop) -> None:
    bench.board.put(CARD)
    loop.pass_time(1.0)
    bench.board.pull_out(powered=True)
    for _ in range(CAPACITY // 2 + 1):
        bench.board.press()
        loop.pass_time(0.1)
        bench.board.release()
        loop.pass_time(0.1)
    bench.board.lift(CARD)
    loop.pass_time(1.0)
    bench.board.plug_in()
    loop.pass_time(5.0)
    (came,) = [each for each in bench.device_events if isinstance(each, TagCame)]
    (went,) = [each for each in bench.device_events if isinstance(each, TagWent)]
    assert (went.uid, went.at_us) == (came.uid, came.at_us)


def test_a_light_reaches_the_ring_with_what_is_left_of_its_time(bench: Bench, loop: GivenTimeLoop) -> None:
    ends_at_us = bench.now_us() + 5_000_000
    bench.boards.show_light(1, SeatLights("window", "blink", ends_at_us, 5_000_000))
    loop.pass_time(0.01)
    ring = bench.board.ring
    assert (ring.pattern, ring.whole_ms, ring.lamp) == ("window", 5_000, "blink")
    bench.board.pull_out(powered=True)
    loop.pass_time(1.0)
    bench.board.plug_in()
    loop.pass_time(2.0)
    left_us = ends_at_us - bench.board.ring.since_s * 1_000_000
    assert abs(bench.board.ring.left_ms * 1000 - left_us) < 3_000


def test_a_card_that_is_read_lights_the_ring_before_anything_else_is_sent(bench: Bench, loop: GivenTimeLoop) -> None:
    bench.board.put(CARD)
    loop.pass_time(0.02)
    assert bench.board.ring.pattern == "reading"


@pytest.mark.parametrize("seed", range(5))
def test_six_boards_on_bad_lines_tell_what_happened_once_and_in_order(loop: GivenTimeLoop, seed: int) -> None:
    random = Random(seed)
    bench = Bench(loop, seats=6, noise=BAD, ppm=random.uniform(-100, 100), first_ticks=PERIOD - 20_000_000)
    loop.run_until_complete(bench.start())
    lying: dict[int, set[str]] = {seat: set() for seat in bench.virtual}
    for _ in range(150):
        seat = random.randint(1, 6)
        virtual = bench.virtual[seat]
        match random.choice(("card", "card", "press", "plug", "wait")):
            case "card":
                uid = random.choice((CARD, OTHER, FOREIGN))
                (virtual.lift if uid in lying[seat] else virtual.put)(uid)
                lying[seat] ^= {uid}
                loop.pass_time(0.5)
            case "press":
                virtual.press()
                loop.pass_time(random.uniform(0.005, 0.3))
                virtual.release()
                loop.pass_time(0.005)
            case "plug":
                virtual.pull_out(powered=True)
                loop.pass_time(random.uniform(0, 2))
                virtual.plug_in()
            case _:
                loop.pass_time(random.uniform(0, 2))
    for virtual in bench.virtual.values():
        virtual.line.noise = NO_NOISE
    loop.pass_time(20.0)
    bench.close()
    assert {seat: bench.truth_at(seat) for seat in bench.virtual} == {s: actions(v) for s, v in bench.virtual.items()}
    for seat, virtual in bench.virtual.items():
        edges = [s for s in bench.device_events if isinstance(s, ButtonEdge) and s.pad == seat]
        presses = [action for action in virtual.actions if action.kind in ("press", "release")]
        for edge, action in zip(edges, presses, strict=True):
            assert abs(edge.at_us - action.at_s * 1_000_000) <= edge.uncertainty_us + 1


def test_a_card_goes_though_the_board_was_held_up_at_its_first_look_without_it(
    bench: Bench, loop: GivenTimeLoop
) -> None:
    bench.board.put(CARD)
    loop.pass_time(0.05)
    bench.board.lift(CARD)
    loop.stall(0.05)
    loop.pass_time(1.0)
    assert bench.truth_at() == [("put", CARD), ("lift", CARD)]


def test_in_real_time_a_tap_an_unplugging_and_a_replugging_are_sighted() -> None:
    async def evening() -> Bench:
        bench = Bench(asyncio.get_running_loop())
        bench.board.plug_in()
        bench.board.put(CARD)
        await bench.open()
        try:
            await bench.next_device_event(TagCame)
            bench.board.pull_out(powered=True)
            await bench.next_device_event(PartFailed)
            bench.board.lift(CARD)
            bench.board.plug_in()
            await bench.next_device_event(TagWent)
        finally:
            bench.close()
        return bench

    bench = asyncio.run(evening())
    assert bench.truth_at() == [("put", CARD), ("lift", CARD)]
    assert bench.parts() == ["-board 1", "+board 1"]


def test_a_board_that_never_reads_holds_nothing_up_and_gets_whole_sentences_when_it_does(loop: GivenTimeLoop) -> None:
    bench = Bench(loop)
    loop.run_until_complete(bench.open())
    plug = bench.sockets.plug_in("b1")
    loop.pass_time(3600.0)  # asked for all the time, more than the line and the port hold
    said = b""
    while more := plug.read():
        said += more
    loop.pass_time(0.001)
    waited, end_s = plug.read(), time.monotonic() + DEADLINE_S
    while len(waited) <= 0.9 * PENDING_BYTES and time.monotonic() < end_s:
        waited += plug.read()  # the kernel hands over a terminal's bytes when it comes to it
    bench.close()
    bench.sockets.pull_out("b1")
    lines = Lines(PI)
    assert {message.verb for message in lines.feed(said + waited)} == {"hello?"}
    assert lines.damaged == 0
    assert 0.9 * PENDING_BYTES < len(waited) <= PENDING_BYTES


def test_a_port_is_written_to_only_when_there_is_something_to_say(
    loop: GivenTimeLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, data: (written.append(bytes(data)), write(to, data))[1])
    bench = Bench(loop)
    loop.run_until_complete(bench.start())
    bench.board.put(CARD)
    loop.pass_time(10.0)
    bench.close()
    assert bench.truth_at() == [("put", CARD)]
    assert all(written)


def test_ports_are_found_by_the_identity_of_the_board_and_by_nothing_else(tmp_path: Path) -> None:
    plug = Plug()
    (tmp_path / "usb-MicroPython_Board_in_FS_mode_e66118604b5c2f2b-if00").symlink_to(plug.path)
    (tmp_path / "usb-Other_Vendor_Printer_e66118604b5c2f2bff-if00").symlink_to("/dev/null")
    path = find_port("e66118604b5c2f2b", tmp_path)
    assert path is not None
    assert Path(path).samefile(plug.path)
    open_path(path).close()
    assert find_port("e66118604b5c2f2", tmp_path) is None
    assert find_port("b2", tmp_path) is None
    plug.close()


def test_ports_are_found_by_the_kernel_s_number_where_udev_made_no_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [SimpleNamespace(serial_number=number, device=f"/dev/tty{number}") for number in (None, "b1", "b2")]
    monkeypatch.setattr("taptable.drivers.board.port.comports", lambda: listed)
    links = tmp_path / "by-id"
    assert find_port("b2", links) == "/dev/ttyb2"
    links.mkdir()
    (links / "usb-Silicon_Labs_Sonoff_Zigbee_3.0_0001-if00-port0").symlink_to("/dev/null")
    assert find_port("b2", links) == "/dev/ttyb2"
    assert find_port("b3", links) is None
    link = links / "usb-MicroPython_Board_in_FS_mode_b2-if00"
    link.symlink_to("/dev/null")
    assert find_port("b2", links) == str(link)


def test_two_devices_with_one_number_are_no_board(tmp_path: Path) -> None:
    for place, number in (("1-1.1", "b1"), ("1-1.2", "b2"), ("1-1.3", "b1"), ("usb1", "0000:01:00.0")):
        (tmp_path / "devices" / place).mkdir(parents=True)
        (tmp_path / "devices" / place / "idVendor").write_text("2e8a\n")
        (tmp_path / "devices" / place / "serial").write_text(f"{number}\n")
    for number in ("b1", "b2"):
        (tmp_path / f"usb-MicroPython_Board_in_FS_mode_{number}-if00").symlink_to("/dev/null")
    with pytest.raises(TwinBoards, match="two boards have the serial number b1"):
        find_port("b1", tmp_path, tmp_path / "devices")
    assert find_port("b2", tmp_path, tmp_path / "devices") is not None


def test_a_board_that_has_a_twin_is_reported_as_such_and_taken_when_it_is_alone(loop: GivenTimeLoop) -> None:
    bench = Bench(loop)
    bench.sockets.twins.add("b1")
    loop.run_until_complete(bench.start())
    loop.pass_time(3.0)
    assert bench.parts() == ["-twins 1"]
    assert [each.reason for each in bench.device_events if isinstance(each, PartFailed)] == [
        "two boards have the serial number b1"
    ]
    bench.sockets.twins.clear()
    loop.pass_time(3.0)
    assert bench.parts() == ["-twins 1", "+twins 1"]
    bench.board.put(CARD)
    loop.pass_time(0.1)
    assert bench.truth_at() == [("put", CARD)]
    bench.close()


def test_a_twin_of_a_board_that_was_missed_is_reported_and_that_both_are_gone(
    bench: Bench, loop: GivenTimeLoop
) -> None:
    bench.board.pull_out()
    loop.pass_time(2.0)
    bench.sockets.twins.add("b1")
    loop.pass_time(2.0)
    bench.sockets.twins.clear()
    loop.pass_time(2.0)
    assert bench.parts() == ["-board 1", "+board 1", "-twins 1", "+twins 1", "-board 1"]
    bench.board.plug_in()
    loop.pass_time(2.0)
    assert bench.parts()[-1] == "+board 1"


def test_a_board_with_firmware_older_than_what_is_here_works_and_the_log_says_so(
    bench: Bench, loop: GivenTimeLoop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(versions, "FIRMWARE", "1.9.0")
    bench.board.reset()
    loop.pass_time(3.0)
    bench.board.put(CARD)
    loop.pass_time(1.0)
    assert bench.parts() == []
    assert bench.truth_at() == [("put", CARD)]
    assert (
        f"Board firmware is outdated (board 1, {FIRMWARE}): it works; to update it: taptable flash 1" in caplog.messages
    )


def test_what_was_counted_of_a_reader_is_there_to_be_asked_for_and_a_reset_board_counts_from_0(
    bench: Bench, loop: GivenTimeLoop, caplog: pytest.LogCaptureFixture
) -> None:
    bench.board.latch(register=True)
    loop.pass_time(15.0)
    health = bench.boards.health[1]
    assert (health.set_ups, health.wrong) == (1, 1)
    assert "Reader registers were wrong (pad 1): 1 since its board's start" in caplog.text
    bench.board.reset()
    loop.pass_time(5.0)
    assert bench.boards.health[1] == ReaderHealth()
