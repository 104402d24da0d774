"""A seat board: its identity, clock, lights, health, restart, pad and button."""

from __future__ import annotations

import asyncio
import statistics

import pytest
from tapshared.lights import RING_PATTERNS
from tapshared.rc522 import GAIN_DB, GAINS
from tapshared.verbs import PROTOCOL
from tapshared.version import FIRMWARE
from taptable.core.cues import SeatLights
from taptable.core.settings import US_PER_S
from taptable.drivers.board.call import PONGS
from taptable.drivers.board.doctor import SCARCE_MEMORY_BYTES, WIDE_BOUND_US
from taptable.drivers.board.port import find_port

from hardware.conftest import Figures
from hardware.options import UID_BYTES
from hardware.person import PATIENCE_S
from hardware.seat_board import SeatBoard
from hardware.talk import Talk

HEALTHS = 4
"""Messages of health in the first second; from the next on there is one every 5 s."""
LATER_HEALTHS = 7
SPREAD_BYTES = 2048
"""MicroPython's collector is conservative: a word on the stack that looks like an address keeps what lies there, and
what that points to, as long as it stays. One block (16 bytes) lost with each look at the pad would be five times
this."""
WHOLE_US = 5 * US_PER_S


async def test_it_says_hello_with_the_firmware_and_the_protocol_of_this_table(talk: Talk) -> None:
    fields = (await talk.wait_until_connected()).fields
    assert (fields["protocol"], fields["firmware"], fields["pads"]) == (PROTOCOL, FIRMWARE, 1)


async def test_its_port_is_found_by_the_id_that_it_says(talk: Talk, seat: SeatBoard) -> None:
    board = str((await talk.wait_until_connected()).fields["board"])
    found = find_port(board, seat.links)
    assert found is not None, f"no port has the name of board {board}"
    assert seat.links.joinpath(found).resolve() == seat.port.resolve()


async def test_it_answers_pings_so_that_its_stamps_are_known_within_2_ms(talk: Talk, figure: Figures) -> None:
    await talk.wait_until_connected()
    await talk.until("it answers pings", lambda: len(talk.bounds_us) >= PONGS)
    figure("bound of a stamp after 4 pings", f"± {talk.bounds_us[-1]} µs")
    figure("ping to pong, median of 4", f"{statistics.median(talk.round_trips_us):.0f} µs")
    assert talk.bounds_us[-1] <= WIDE_BOUND_US


async def test_its_reader_hears_with_each_gain_and_goes_on_looking(talk: Talk, figure: Figures) -> None:
    await talk.wait_until_connected()
    looks: list[int] = []
    for gain_db in (*GAINS, GAIN_DB):
        assert (await talk.set_gain(gain_db)).gain_db == gain_db
        before = await talk.set_gain(gain_db)
        await asyncio.sleep(1)
        looks.append((await talk.set_gain(gain_db)).looks - before.looks)
    figure("looks a second, least with any gain", f"{min(looks)}")
    assert min(looks) > 0


async def test_it_names_the_light_that_it_shows_whatever_that_is(talk: Talk, figure: Figures) -> None:
    await talk.wait_until_connected()
    spans_us: list[int] = []
    for pattern in RING_PATTERNS:
        for lamp in ("on", "blink", "off"):
            begun_us = talk.now_us
            await talk.show(SeatLights(pattern, lamp, talk.now_us + WHOLE_US, WHOLE_US))
            spans_us.append(talk.now_us - begun_us)
    await talk.show(SeatLights())
    figure("light said to light named, median", f"{statistics.median(spans_us):.0f} µs")


async def test_it_is_well_and_its_memory_does_not_dwindle(talk: Talk, figure: Figures) -> None:
    await talk.wait_until_connected()
    await talk.until("it says how it is", lambda: len(talk.healths) >= HEALTHS + LATER_HEALTHS, 60)
    later = talk.healths[HEALTHS:]
    free = [int(health.fields["free"]) for health in later]
    figure("free memory", f"{free[-1]} bytes")
    figure("garbled looks at an empty pad", f"{later[-1].fields['misread']}")
    assert [health.fields["reader"] for health in later] == ["ok"] * len(later)
    counts = {(health.fields["damaged"], health.fields["lost"]) for health in later}
    assert len(counts) == 1, f"(damaged, lost) grew: {counts}"
    assert free[-1] >= max(SCARCE_MEMORY_BYTES, free[0] - SPREAD_BYTES)


async def test_after_a_reset_it_comes_back_with_the_next_boot(talk: Talk, figure: Figures) -> None:
    boot = int((await talk.wait_until_connected()).fields["boot"])
    talk.reset()
    begun_us = talk.now_us
    await talk.until("it comes back", lambda: talk.hellos[-1].fields["boot"] != boot)
    figure("reset to hello (the port is tried every 1 s)", f"{(talk.now_us - begun_us) / US_PER_S:.1f} s")
    answered = len(talk.bounds_us)
    await talk.until("it answers again", lambda: len(talk.bounds_us) > answered)
    assert talk.hellos[-1].fields["boot"] == boot + 1


@pytest.mark.usefixtures("lays")
@pytest.mark.parametrize("uid_bytes", UID_BYTES)
async def test_a_card_is_reported_once_once_again_and_gone(talk: Talk, seat: SeatBoard, uid_bytes: int) -> None:
    await talk.wait_until_connected()
    healths = len(talk.healths)
    await talk.until("it says how it is", lambda: len(talk.healths) > healths + 2)
    talk.events.clear()  # what it had kept for a table
    seat.hand.lay(uid_bytes)
    await talk.until("the card is read twice", lambda: len(talk.events) == 2, PATIENCE_S)
    # a card that lies still is told no third time: the next health is a while later
    healths = len(talk.healths)
    await talk.until("it says how it is", lambda: len(talk.healths) > healths)
    assert talk.event_verbs() == [("tag", ""), ("tag", "again")]
    seat.hand.lift()
    await talk.until("the card is gone", lambda: len(talk.events) > 2, PATIENCE_S)
    assert talk.event_verbs()[2:] == [("gone", "")]
    uids = {str(event.message.fields["uid"]) for event in talk.events}
    assert [len(uid) for uid in uids] == [2 * uid_bytes]


@pytest.mark.usefixtures("presses")
async def test_a_press_is_reported_with_its_release_and_both_are_stamped_within_2_ms(
    talk: Talk, seat: SeatBoard, figure: Figures
) -> None:
    await talk.wait_until_connected()
    await talk.until("it answers pings", lambda: len(talk.bounds_us) >= PONGS)
    talk.events.clear()  # what it had kept for a table
    seat.hand.press()
    await talk.until("the button is pressed and let go", lambda: len(talk.events) >= 2, PATIENCE_S)
    bounds_us = [event.moment.uncertainty_us for event in talk.events]
    figure("bound of a press", f"± {bounds_us[0]} µs")
    assert talk.event_verbs() == [("press", ""), ("release", "")]
    assert max(bounds_us) <= WIDE_BOUND_US
