"""The driver with Debian's own library and service: cards that are laid and lifted, readers that are pulled, come back
and change their order, a service that is killed, upgraded, full, or not there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from taptable.core.device_events import PartFailed, PartReturned, TagCame, TagUnreadable, TagWent
from taptable.drivers.pcsc import pads as pcsc_pads
from taptable.drivers.pcsc.driver import PcscDriver

from pcsc.pads import KNOWN, Pads, now_us, opened_pads
from pcsc.service import Room
from pcsc.usb import ACR1252U, Reader

SEATS = 6
ADDRESSES = {
    **{seat: f"5369212920744{seat}" for seat in range(1, 5)},
    5: "1-1.5",
    6: "1-1.6",
    "discard": "53692129207447",
}
"""Five readers with serial numbers, and two without: they are the same at pcscd but for a number that it gives them."""
PLUGGED = {
    f"1-1.{number}": Reader(name, ACR1252U) if name.startswith("1-") else Reader(name, serial=name)
    for number, name in enumerate(ADDRESSES.values(), 1)
}
NAMES = {f"pad {seat}" for seat in range(1, SEATS + 1)} | {"discard pad"}
OTHER, SHORT = "04b2b3c4d5e681", "5a0102f3"
ONE_EACH = {pad: f"04{number:02x}b3c4d5e680" for number, pad in enumerate(ADDRESSES)}
"""The UIDs of tags, one for each pad."""


def lay(room: Room, pad: int | str, uid: str) -> None:
    """Lay a tag on a pad."""
    room.lay(ADDRESSES[pad], bytes.fromhex(uid))


def lay_one_on_each(room: Room) -> None:
    """Lay a tag on each pad."""
    for pad, uid in ONE_EACH.items():
        lay(room, pad, uid)


@asynccontextmanager
async def all_pads(room: Room) -> AsyncGenerator[Pads]:
    """Start the service with all readers plugged in, and open their pads as long as the context lasts."""
    room.plug_in(PLUGGED)
    room.start()
    async with opened_pads(room, ADDRESSES) as pads:
        yield pads


async def test_each_of_seven_readers_reads_the_card_that_is_laid_on_it(slow_room: Room) -> None:
    async with all_pads(slow_room) as pads:
        laid_us = now_us()
        lay_one_on_each(slow_room)
        await pads.until(tags=ONE_EACH, failed=set())
        for event in pads.events:
            assert isinstance(event, TagCame)
            assert laid_us <= event.at_us <= now_us()
        slow_room.lift(*ADDRESSES.values())
        await pads.until(tags={}, failed=set())
        lay(slow_room, 3, SHORT)
        await pads.until(tags={3: SHORT}, failed=set())


async def test_a_second_card_is_not_seen_until_the_first_is_gone(room: Room) -> None:
    async with all_pads(room) as pads:
        lay(room, 1, KNOWN)
        await pads.until(tags={1: KNOWN})
        with room.connect(ADDRESSES[1]):  # waits below the first one
            lay(room, 2, OTHER)
            await pads.until(tags={1: KNOWN, 2: OTHER})
            assert len(pads.events) == 2


@pytest.mark.long
async def test_a_card_that_tells_no_number_is_unreadable_and_the_next_one_is_read(room: Room) -> None:
    async with all_pads(room) as pads:
        room.lay(ADDRESSES[2], b"", b"\x63\x00")
        await pads.until_reported(TagUnreadable)
        room.lift(ADDRESSES[2])
        lay(room, 2, KNOWN)
        await pads.until(tags={2: KNOWN}, failed=set())


async def test_a_card_that_is_pulled_away_while_it_is_asked_stops_nothing(room: Room) -> None:
    async with all_pads(room) as pads:
        torn = room.lay(ADDRESSES[2], b"", b"")
        lay(room, 3, KNOWN)
        await pads.until(tags={3: KNOWN})
        await asyncio.to_thread(torn.wait)
        room.lift(ADDRESSES[2])
        lay(room, 2, OTHER)
        await pads.until(tags={2: OTHER, 3: KNOWN}, failed=set())


@pytest.mark.long
async def test_a_card_that_lies_there_at_the_start_is_no_tap(room: Room) -> None:
    room.plug_in(PLUGGED)
    room.start()
    lay(room, 1, KNOWN)
    async with opened_pads(room, ADDRESSES) as pads:
        await pads.until(tags={1: KNOWN})
        (came,) = pads.events
        assert isinstance(came, TagCame)
        assert came.already_present


async def test_a_reader_that_is_pulled_is_missed_alone_and_used_again_in_any_port(room_of_either_kind: Room) -> None:
    room = room_of_either_kind
    async with all_pads(room) as pads:
        lay(room, 2, KNOWN)
        lay(room, 5, OTHER)
        await pads.until(tags={2: KNOWN, 5: OTHER})
        room.pull_out(ADDRESSES[2], ADDRESSES[5])
        await pads.until(tags={}, failed={"pad 2", "pad 5"})
        lay(room, 3, KNOWN)
        await pads.until(tags={3: KNOWN}, failed={"pad 2", "pad 5"})
        # with a serial number in another port, without one in its own
        room.plug_in({"1-1.12": PLUGGED["1-1.2"], "1-1.5": PLUGGED["1-1.5"]})
        await pads.until(tags={3: KNOWN}, failed=set())
        lay(room, 2, OTHER)
        lay(room, 5, SHORT)
        await pads.until(tags={2: OTHER, 3: KNOWN, 5: SHORT}, failed=set())


async def test_a_reader_that_answers_nothing_is_missed_alone_until_it_answers(room: Room) -> None:
    async with all_pads(room) as pads:
        lay(room, 2, KNOWN)
        await pads.until(tags={2: KNOWN})
        room.silence(ADDRESSES[2], True)
        await pads.until(tags={}, failed={"pad 2"})
        assert f"({ADDRESSES[2]}) 01 00 can't be asked who it is: reader unavailable" in pads.failed["pad 2"]
        lay(room, 3, OTHER)
        await pads.until(tags={3: OTHER}, failed={"pad 2"})
        room.silence(ADDRESSES[2], False)
        await pads.until(tags={2: KNOWN, 3: OTHER}, failed=set())


async def test_equal_readers_that_change_their_names_keep_their_pads(room_of_either_kind: Room) -> None:
    room = room_of_either_kind
    async with all_pads(room) as pads:
        lay(room, 5, KNOWN)
        lay(room, 6, OTHER)
        await pads.until(tags={5: KNOWN, 6: OTHER})
        # the one that comes first gets the name that the other had
        room.pull_out(ADDRESSES[5], ADDRESSES[6])
        room.plug_in({"1-1.6": PLUGGED["1-1.6"], "1-1.5": PLUGGED["1-1.5"]})
        lay(room, 6, OTHER)
        await pads.until(tags={6: OTHER}, failed=set())
        lay(room, 5, KNOWN)
        await pads.until(tags={5: KNOWN, 6: OTHER}, failed=set())
        room.pull_out(ADDRESSES[5], ADDRESSES[6])
        room.plug_in({"1-1.5": PLUGGED["1-1.5"], "1-1.6": PLUGGED["1-1.6"]})
        lay(room, 5, KNOWN)
        await pads.until(tags={5: KNOWN}, failed=set())
        lay(room, 6, OTHER)
        await pads.until(tags={5: KNOWN, 6: OTHER}, failed=set())


async def test_the_readers_are_known_in_any_order_after_an_upgrade(room: Room) -> None:
    async with all_pads(room) as pads:
        lay(room, 1, KNOWN)
        await pads.until(tags={1: KNOWN})
        room.stop()
        await pads.until(tags={}, failed=NAMES)
        # pcscd lists them by their ports
        room.pull_out(*(ADDRESSES[pad] for pad in (1, 3, 4, "discard")))
        moved = {"1-1.1": "1-1.7", "1-1.3": "1-1.4", "1-1.4": "1-1.1", "1-1.7": "1-1.3"}
        room.plug_in({port: PLUGGED[old] for port, old in moved.items()})
        room.start()
        await pads.until(failed=set())
        lay_one_on_each(room)
        await pads.until(tags=ONE_EACH)


async def test_a_service_that_is_killed_is_reported_and_used_again(room: Room) -> None:
    async with all_pads(room) as pads:
        lay(room, 1, KNOWN)
        await pads.until(tags={1: KNOWN})
        for _ in range(3):
            room.kill()
            await pads.until(tags={}, failed=NAMES)
            assert all("pcscd" in reason for reason in pads.failed.values())
            room.start()
            await pads.until(failed=set())
            lay(room, 1, OTHER)
            await pads.until(tags={1: OTHER})
        assert all(event.at_us <= now_us() for event in pads.events)


@pytest.mark.long
async def test_a_service_that_starts_at_once_is_used_at_once(room: Room) -> None:
    async with all_pads(room) as pads:
        lay(room, 1, KNOWN)
        await pads.until(tags={1: KNOWN})
        for _ in range(5):
            room.kill()
            room.start()
            lay(room, 1, KNOWN)
            await pads.until_reported(PartReturned, len(NAMES))
            await pads.until(tags={1: KNOWN}, failed=set())
            pads.events.clear()


async def test_a_service_that_hangs_is_reported_and_used_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pcsc_pads, "LATE_S", 0.3)
    monkeypatch.setattr(pcsc_pads, "CLOSING_S", 0.1)
    async with all_pads(room) as pads:
        lay(room, 1, KNOWN)
        await pads.until(tags={1: KNOWN})
        rounds = pads.rounds
        room.pcscd.freeze()
        await pads.until(failed=NAMES)
        assert {*pads.failed.values()} == {"pcscd doesn't answer"}
        assert pads.rounds > rounds
        room.pcscd.thaw()
        await pads.until(tags={1: KNOWN}, failed=set())
        lay(room, 2, OTHER)
        await pads.until(tags={1: KNOWN, 2: OTHER})
        room.pcscd.freeze()
    room.pcscd.thaw()  # the pads could be closed
    said = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert said == ["Service of card readers hangs", "Service of card readers lost"]


@pytest.mark.long
async def test_more_readers_than_pcscd_has_room_for_are_reported_in_a_sentence(room: Room) -> None:
    # 13 slots of others, and the three first ones of ours
    room.plug_in({f"1-1.{number}": Reader(f"other {number}", ACR1252U) for number in range(11, 17)})
    room.plug_in({"1-1.17": Reader("other 17", serial="1")})
    room.start()
    room.plug_in(PLUGGED)
    async with opened_pads(room, ADDRESSES) as pads:
        await pads.until(failed=NAMES - {"pad 1", "pad 2", "pad 3"})
        for reason in pads.failed.values():
            assert "16" in reason
        lay(room, 3, KNOWN)
        await pads.until(tags={3: KNOWN})


async def test_a_table_without_the_service_misses_all_pads_until_it_starts(room: Room) -> None:
    room.plug_in(PLUGGED)
    assert PcscDriver(root=room.tree.root).find() == ()
    async with opened_pads(room, ADDRESSES) as pads:
        await pads.until(failed=NAMES)
        assert {*pads.failed.values()} == {"the service pcscd isn't running"}
        room.start()
        await pads.until(failed=set())
        lay(room, "discard", KNOWN)
        await pads.until(tags={"discard": KNOWN})
        assert {type(event) for event in pads.events} == {PartFailed, PartReturned, TagCame}


async def test_readers_are_found_while_pads_are_open(room_of_either_kind: Room) -> None:
    room = room_of_either_kind
    async with all_pads(room) as pads:
        lay(room, 1, KNOWN)
        await pads.until(tags={1: KNOWN})
        for _ in range(3):
            found = PcscDriver(root=room.tree.root).find()
            assert [part.address.name for part in found] == [*ADDRESSES.values()]
            assert [part.device for part in found] == [*PLUGGED]
        lay(room, 2, OTHER)
        await pads.until(tags={1: KNOWN, 2: OTHER}, failed=set())
        assert not any(isinstance(event, TagWent) for event in pads.events)


@pytest.mark.long
async def test_beeps_are_switched_off_once(room_of_either_kind: Room) -> None:
    room = room_of_either_kind
    room.plug_in(PLUGGED)
    room.start()
    get, switch_off = "e0 00 00 21 00", "e0 00 00 21 01 87"
    async with opened_pads(room, ADDRESSES) as pads:
        lay(room, 6, KNOWN)
        await pads.until(tags={6: KNOWN})
        assert sorted(room.commands) == [f"{number}: {command}" for number in (5, 6) for command in (get, switch_off)]
    async with opened_pads(room, ADDRESSES) as pads:
        await pads.until(tags={6: KNOWN})
        assert sorted(room.commands[4:]) == [f"{number}: {get}" for number in (5, 6)]
