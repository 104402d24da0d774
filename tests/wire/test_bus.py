"""*The bus as a clock*: boards that hear the same frames, and the times of their presses."""

from __future__ import annotations

from pathlib import Path

import pytest
from choosing import long_params
from taptable.drivers.board.bus import FRAME_US, BusClock, BusFrames, Socket, UsbBus, usb_socket
from taptable.drivers.board.clock import BoardClock, Moment
from taptable.games.online.earlier import first_press_with_margin
from taptable.sim.statistics import quantiles

from bench.bus import MIXTURES, race, stamps

HERE = Socket("pci", "hub")


def at(us: int) -> Moment:
    return Moment(us - 5_000, us + 5_000)


@pytest.mark.parametrize("mixture", long_params(MIXTURES.values(), 3), ids=MIXTURES)
def test_no_bound_is_broken_and_nobody_named_first_who_was_not(mixture) -> None:
    result = race(1_500, 3, mixture)
    assert (result.wrong, result.out_of_bounds) == (0, 0)
    assert result.ties < result.races


def test_a_ruling_by_the_earliest_alone_names_a_seat_that_another_has_certainly_beaten() -> None:
    """As R7.2 was until ``online/2``: it shows that the races would find such a winner."""
    mixture = MIXTURES["two of boards, one a pin of the Pi"]
    assert race(1_500, 3, mixture, first_press_with_margin).wrong > 0


def test_boards_behind_one_hub_are_distinguished_to_a_quarter_of_a_millisecond() -> None:
    result = race(3_000, 4, MIXTURES["behind one hub"])
    assert max(result.bounds_us) <= 120
    assert quantiles(result.errors_us, 0.99)[0] <= 90
    assert result.widest_tie_us < 250


def test_presses_that_the_chip_stamps_behind_one_hub_are_known_to_60_us() -> None:
    result = race(3_000, 4, MIXTURES["behind one hub, each press stamped by its chip"])
    assert max(result.bounds_us) <= 60
    assert quantiles(result.errors_us, 0.99)[0] <= 90


def test_no_stamp_lies_outside_its_bound_however_far_from_an_anchor() -> None:
    outside, bounds_us = stamps(20_000, 5)
    assert outside == 0
    assert max(bounds_us) > 1_000  # some were far away


def test_a_frame_is_counted_through_its_wraps_and_a_bus_that_restarted_is_noticed() -> None:
    frames = BusFrames()
    assert frames.unwrap(2047, at(1_000_000)) == 2047
    assert frames.unwrap(1, at(1_002_000)) == 2049
    assert frames.unwrap(1, at(1_002_000 + 2_048_000 * 3)) == 2049 + 3 * 2048
    assert frames.epoch == 0
    assert frames.unwrap(1000, at(8_000_000)) == 1000
    assert frames.epoch == 1


def test_a_frame_means_nothing_where_table_time_is_blurred() -> None:
    assert BusFrames().unwrap(5, Moment(0, 1_100_000)) is None


def clock_of(bus: UsbBus, seat: int, socket: Socket | None = HERE) -> tuple[BusClock | None, BoardClock]:
    board = BoardClock()
    board.add_exchange(1_000_000, 0, 1_010_000)
    return bus.plug_in(seat, socket), board


@pytest.mark.parametrize(
    ("frame", "after", "by"),
    [(7, 100, 99), (7, 106, 100), (7, 100, 3_000), (2048, 100, 106)],
    ids=["not even the same tick", "the wrong way round", "longer than a frame", "no frame has this number"],
)
def test_an_anchor_that_cannot_be_is_dropped(frame: int, after: int, by: int) -> None:
    clock, board = clock_of(UsbBus(1, False), 1)
    assert clock is not None
    clock.add_anchor(frame, after, by, board, 1_020_000)
    assert not clock.is_synchronized


def test_a_press_has_the_bound_of_the_round_trip_where_the_bus_does_not_reach_every_button() -> None:
    for buttons, others, sockets in (
        (1, True, [HERE]),  # one is on a pin of the Pi
        (2, False, [HERE]),  # one board isn't there
        (2, False, [HERE, None]),  # nobody knows where one is plugged in
        (2, False, [HERE, Socket("usb", "hub")]),  # two controllers
    ):
        bus = UsbBus(buttons, others)
        for seat, socket in enumerate(sockets):
            clock, board = clock_of(bus, seat, socket)
            if clock is not None:
                clock.add_anchor(1000, 0, 6, board, 1_012_000)
        assert bus.place_press(0, 500, Moment(1_000_500, 1_010_500), 1_012_000) == Moment(1_000_350, 1_010_500)


def test_two_presses_are_as_far_apart_as_the_bus_says_and_a_new_window_restarts() -> None:
    bus = UsbBus(2, False)
    for seat in (0, 1):
        clock, board = clock_of(bus, seat)
        assert clock is not None
        clock.add_anchor(1000, 0, 6, board, 1_012_000)
    first = bus.place_press(0, 500, Moment(1_000_500, 1_010_500), 1_012_000)
    second = bus.place_press(1, 900, Moment(1_003_000, 1_005_000), 1_013_000)
    assert second.at_us - first.at_us == 400
    assert first.uncertainty_us < 100
    later = bus.place_press(1, 3 * 1_000_000, Moment(4_000_000, 4_004_000), 4_005_000)
    assert later.at_us == pytest.approx(4_002_000, abs=2 * FRAME_US)


def test_boards_behind_two_hubs_may_hear_a_frame_a_microframe_apart() -> None:
    uncertain: list[int] = []
    for hub in ("hub", "other hub"):
        bus = UsbBus(2, False)
        for seat, socket in enumerate((HERE, Socket("pci", hub))):
            clock, board = clock_of(bus, seat, socket)
            assert clock is not None
            clock.add_anchor(1000, 0, 6, board, 1_012_000)
        made = (bus.place_press(seat, 500, Moment(1_000_500, 1_010_500), 1_012_000) for seat in (0, 1))
        uncertain.append(sum(press.uncertainty_us for press in made))
    assert uncertain[1] - uncertain[0] >= 125


@pytest.mark.parametrize("reaches", [True, False])
def test_an_exact_press_has_no_interrupt_in_its_bound(reaches: bool) -> None:
    bus = UsbBus(1, not reaches)
    clock, board = clock_of(bus, 0)
    assert clock is not None
    clock.add_anchor(1000, 0, 6, board, 1_012_000)
    usual, exact = (bus.place_press(0, 500, Moment(1_000_500, 1_010_500), 1_012_000, each) for each in (False, True))
    assert usual.latest_us - usual.earliest_us - (exact.latest_us - exact.earliest_us) in (126, 147)


@pytest.mark.parametrize(("late_us", "exact"), [(27, False), (119, False), (149, False), (-0.9, True), (1.5, True)])
@pytest.mark.parametrize("reaches", [True, False])
def test_a_press_was_within_its_bound_however_late_its_stamp_may_be(late_us: float, exact: bool, reaches: bool) -> None:
    """An exact stamp lies up to 0.9 µs before the contact, and so does an anchor's second tick before its frame."""
    bus = UsbBus(1, not reaches)
    clock, _ = clock_of(bus, 0)
    assert clock is not None
    board = BoardClock()
    board.add_exchange(1_000_000, 0, 1_000_001)
    clock.add_anchor(1000, 0, 0, board, 1_012_000)  # its frame came at the board's tick 0.9
    down_us = 1_000_500.0
    ticks = int(down_us - 1_000_000 + late_us)
    pressed = bus.place_press(0, ticks, board.moment(ticks, 1_012_000), 1_012_000, exact)
    assert pressed.earliest_us <= down_us <= pressed.latest_us
    assert clock.is_synchronized


def test_a_board_that_restarts_or_is_plugged_in_again_has_no_anchors() -> None:
    bus = UsbBus(1, False)
    clock, board = clock_of(bus, 0)
    assert clock is not None
    clock.add_anchor(1000, 0, 6, board, 1_012_000)
    assert clock.is_synchronized
    clock.restart()
    assert not clock.is_synchronized
    clock.add_anchor(1000, 0, 6, board, 1_012_000)
    again = bus.plug_in(0, HERE)
    assert again is not None
    assert not again.is_synchronized


def test_sysfs_tells_where_a_board_is_plugged_in(tmp_path: Path) -> None:
    devices = tmp_path / "devices" / "pci0000:00" / "0000:01:00.0"
    for name, *way in (
        ("ttyACM0", "usb1", "1-1", "1-1.3", "1-1.3:1.0"),
        ("ttyACM1", "usb1", "1-1", "1-1.4", "1-1.4:1.0"),
        ("ttyACM2", "usb1", "1-2", "1-2:1.0"),
    ):
        device = devices.joinpath(*way)
        device.mkdir(parents=True)
        (tmp_path / "tty" / name).mkdir(parents=True)
        (tmp_path / "tty" / name / "device").symlink_to(device)
    (tmp_path / "tty" / "ttyS0").mkdir()
    places = [usb_socket(f"/dev/{name}", tmp_path / "tty") for name in ("ttyACM0", "ttyACM1", "ttyACM2", "ttyS0")]
    hub, root = str(devices / "usb1" / "1-1"), str(devices / "usb1")
    assert places == [Socket(str(devices), hub), Socket(str(devices), hub), Socket(str(devices), root), None]
    assert places[0] is not None
    assert (places[0].controller_name, places[0].hub_name) == ("0000:01:00.0", "1-1")
