"""Reports of pads on the Pi's SPI: *Reading cards* of the table's page, from chip models through drivers up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from reader_rig import PIN_RST, POLL_US, UID_4, UID_7, Pads, card
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame, TagWent
from taptable.core.errors import DeviceError
from taptable.drivers.rc522_poller import POLL_S, PolledPads
from taptable.drivers.spi.pads import SpiPad, open_on_bus, readers_at
from taptable.sim.cards import shift_uid
from taptable.sim.field import CrossTalk
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.table import InlineExecutor


def tags(device_events: list[DeviceEvent]) -> list[tuple[str, str]]:
    """The tags that came and went, without times."""
    return [
        (type(device_event).__name__, device_event.uid)
        for device_event in device_events
        if isinstance(device_event, TagCame | TagWent)
    ]


def came(uid: bytes) -> tuple[str, str]:
    return "TagCame", uid.hex()


def went(uid: bytes) -> tuple[str, str]:
    return "TagWent", uid.hex()


def test_a_card_comes_once_however_long_it_lies_there_and_goes_after_300_ms() -> None:
    table = Pads("discard")
    table.pass_us(200_000)
    there = card(UID_7)
    table.fields["discard"].put(there)
    (came_at,) = table.pass_us(3_000_000)
    assert came_at == TagCame(came_at.at_us, "discard", UID_7.hex(), identity=UID_7.hex())
    assert 0 <= came_at.at_us - table.truth[0][0] <= POLL_US + 10_000
    table.fields["discard"].lift(there)
    (went_at,) = table.pass_us(1_000_000)
    assert went_at == TagWent(went_at.at_us, "discard", UID_7.hex())
    assert 300_000 <= went_at.at_us - table.truth[1][0] <= 300_000 + 2 * POLL_US


@pytest.mark.parametrize("pads", [("discard",), (1, 2, 3, 4, "discard")])
def test_an_unknown_tag_must_be_read_twice_and_an_enrolled_one_once(pads: tuple[int | str, ...]) -> None:
    table = Pads(*pads, enrolled=frozenset({UID_7}))
    table.pass_us(200_000)
    table.fields["discard"].put(card(UID_7))
    table.fields["discard"].put(card(UID_4))
    table.clock.sleep_us(5_000)
    assert tags(table.poller.poll()) == [came(UID_7)]
    assert tags(table.poller.poll()) == [came(UID_4)]


def test_a_neighbours_card_read_once_is_never_reported() -> None:
    table = Pads("discard", enrolled=frozenset({UID_7}))
    table.pass_us(200_000)
    for _ in range(5):
        table.fields["discard"].disturbances.append(CrossTalk(card(shift_uid(UID_7))))
        assert table.pass_us(600_000) == []


def test_one_field_is_on_at_a_time_and_each_pad_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Pads(1, 2, 3, "discard")
    switched: list[tuple[str, bool]] = []
    for field in table.fields.values():
        switch = field.switch

        def watched(on: bool, name: str = field.name, switch: Callable[[bool], None] = switch) -> None:
            switched.append((name, on))
            switch(on)
            assert sum(field.is_on for field in table.fields.values()) <= 1

        monkeypatch.setattr(field, "switch", watched)
    table.poller.poll()
    switched.clear()
    table.poller.poll()
    assert switched == [(str(pad), on) for pad in (1, 2, 3, "discard") for on in (True, False)]


def test_with_one_reader_the_field_stays_on() -> None:
    table = Pads("discard")
    table.pass_us(500_000)
    assert table.fields["discard"].is_on


def test_a_round_of_five_readers_with_a_card_on_each_takes_less_than_100_ms() -> None:
    table = Pads(1, 2, 3, 4, "discard")
    for place, field in enumerate(table.fields.values()):
        field.put(card(bytes((4, 1, 2, 3, 4, 5, place))))
    table.pass_us(200_000)
    began_us = table.clock.now_us()
    table.poller.poll()
    assert table.clock.now_us() - began_us < 100_000


FAULTS: dict[str, Callable[[Pads, bool], None]] = {
    "MISO held low": lambda table, broken: setattr(table.chips[2], "miso_stuck_at", 0x00 if broken else None),
    "MISO held high": lambda table, broken: setattr(table.chips[2], "miso_stuck_at", 0xFF if broken else None),
    "no power": lambda table, broken: (setattr(table.chips[2], "is_present", not broken), table.chips[2].reset())[0],
    "no /dev/spidev": lambda table, broken: (
        table.wiring.missing.add("spi:0.1") if broken else table.wiring.missing.clear()
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_pad_that_goes_deaf_is_reported_within_1_s_the_others_go_on_and_it_comes_back(fault: str) -> None:
    table = Pads(1, 2, "discard")
    table.fields[2].put(card(UID_4))
    table.pass_us(300_000)
    broke_us = table.clock.now_us()
    FAULTS[fault](table, True)
    table.fields[1].put(card(UID_7))
    device_events = table.pass_us(2_000_000)
    (failed,) = [device_event for device_event in device_events if isinstance(device_event, PartFailed)]
    assert failed.part == "pad 2"
    assert failed.reason
    assert failed.at_us - broke_us < 1_000_000
    assert tags(device_events) == [came(UID_7), ("TagWent", UID_4.hex())]
    FAULTS[fault](table, False)
    device_events = table.pass_us(1_000_000)
    assert [type(device_event) for device_event in device_events] == [PartReturned, TagCame]
    assert device_events[0] == PartReturned(device_events[0].at_us, "pad 2")
    assert isinstance(device_events[1], TagCame)
    assert (device_events[1].uid, device_events[1].already_present) == (UID_4.hex(), True)


def test_a_reader_that_cant_be_opened_leaves_a_shared_reset_pin_high() -> None:
    table = Pads(1, 2, shared_reset=True)
    table.chips[1].miso_stuck_at = 0x00
    for _ in range(20):
        table.pass_us(100_000)
        assert table.wiring.pins == {PIN_RST: 1}


def test_the_field_of_a_reader_that_cant_be_heard_goes_off_with_its_turn() -> None:
    table = Pads(1, 2)
    table.pass_us(200_000)
    table.chips[1].miso_stuck_at = 0x00
    table.poller.poll()
    assert not table.fields[1].is_on


def test_a_reader_that_fails_doesnt_reset_those_on_the_same_reset_pin() -> None:
    table = Pads(1, 2, shared_reset=True)
    table.pass_us(200_000)
    table.chips[2].registers[0x18] = 0x55  # what a reset would change, and no driver writes
    table.chips[1].miso_stuck_at = 0x00
    table.pass_us(2_000_000)
    assert table.chips[2].registers[0x18] == 0x55


def test_one_fault_alone_is_mended_and_nothing_went() -> None:
    table = Pads("discard")
    table.fields["discard"].put(card(UID_7))
    table.pass_us(500_000)
    table.chips["discard"].reset()  # a dip in its supply
    assert table.pass_us(1_000_000) == []


def test_a_spidev_that_is_missing_at_the_start_is_reported_and_taken_when_it_comes() -> None:
    table = Pads("discard")
    table.wiring.missing.add("spi:0.0")
    (failed,) = table.pass_us(1_000_000)
    assert isinstance(failed, PartFailed)
    assert failed.part == "discard pad"
    assert "/dev/spidev0.0" in failed.reason
    table.wiring.missing.clear()
    (returned,) = table.pass_us(1_000_000)
    assert returned == PartReturned(returned.at_us, "discard pad")


def test_a_failed_reader_is_left_alone_for_half_a_second() -> None:
    table = Pads("discard")
    table.chips["discard"].miso_stuck_at = 0x00
    table.pass_us(1_000_000)
    before = table.chips["discard"].transfers
    table.pass_us(5_000_000)
    assert table.chips["discard"].transfers - before <= 11 * 5


def test_opening_says_what_is_missing() -> None:
    Pads()
    with pytest.raises(DeviceError, match=r"spi:7\.1 can't be opened .*/dev/spidev7\.1.*: is SPI enabled\?"):
        open_on_bus(SpiPad("discard", 7, 1, 25))


@pytest.mark.parametrize(
    "error", [ImportError("No module named 'RPi'"), RuntimeError("only on a Raspberry Pi!"), ValueError("another mode")]
)
def test_opening_off_a_pi_is_a_device_that_is_missing(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    Pads()
    monkeypatch.setattr("taptable.drivers.spi.reader.SpiReader.__init__", _raising(error))
    with pytest.raises(DeviceError, match=r"spi:0\.0: mfrc522 can't be used here: "):
        open_on_bus(SpiPad(1, 0, 0, 25))


def _raising(error: Exception) -> Callable[..., None]:
    def fail(*_args: object, **_about: object) -> None:
        raise error

    return fail


class Counted(InlineExecutor):
    """Counts in `done` what it does."""

    done = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.done += 1
        return super().submit(fn, *args, **kwargs)


def test_pads_are_polled_twenty_times_a_second_and_closed_at_the_end() -> None:
    table = Pads("discard")
    table.fields["discard"].put(card(UID_7))
    loop, executor = GivenTimeLoop(), Counted()
    polling = loop.create_task(table.poller.run(executor))
    loop.pass_time(1.0)
    assert 19 <= executor.done <= 21
    assert tags(table.reported) == [came(UID_7)]
    polling.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(polling)
    assert not table.fields["discard"].is_on
    assert table.wiring.pins == {}
    loop.close()


def test_while_every_reader_has_failed_nothing_is_done_but_to_try_them_again() -> None:
    loop, executor = GivenTimeLoop(), Counted()
    tried: list[SpiPad] = []

    def missing(place: SpiPad) -> None:
        tried.append(place)
        raise DeviceError("no such device")

    poller = PolledPads(
        readers_at([SpiPad("discard", 0, 0, PIN_RST), SpiPad(1, 0, 1, PIN_RST)], missing),
        report=lambda _device_event: None,
        now_us=lambda: round(loop.time() * 1e6),
        identify=lambda _uid: None,
    )
    polling = loop.create_task(poller.run(executor))
    loop.pass_time(10.0)
    assert 2 * 19 <= len(tried) <= 2 * 22
    assert executor.done <= 22
    polling.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(polling)
    loop.close()


def test_a_reader_is_closed_only_after_the_look_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Pads("discard")
    order: list[str] = []
    loop = GivenTimeLoop()

    class LateExecutor(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()

            def work() -> None:
                order.append("looked")
                future.set_result(fn(*args, **kwargs))

            loop.call_later(POLL_S, work)
            return future

    close = table.poller.close
    monkeypatch.setattr(table.poller, "close", lambda: (order.append("closed"), close())[1])
    polling = loop.create_task(table.poller.run(LateExecutor()))
    loop.pass_time(POLL_S / 2)
    polling.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(polling)
    assert order == ["looked", "closed"]
    loop.close()


def test_no_pads_is_no_work() -> None:
    pads = PolledPads({}, report=lambda _: None, now_us=lambda: 0, identify=lambda uid: uid)
    assert pads.poll() == []
