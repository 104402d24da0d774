"""The output of rings, lamps and sounder during an evening, at the simulated hardware."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from table.rig import GameNight
from table.test_full_disk import no_room
from taptable.core.cues import Sound


async def test_the_ring_fills_while_a_card_lies_there_and_no_longer(at: GameNight) -> None:
    at.put("online#1", 1)
    await asyncio.sleep(1.1)
    assert at.table.ring_pattern(1) == "holding"
    at.lift("online#1", 1)
    await asyncio.sleep(0.4)
    assert at.table.ring_pattern(1) == "your-turn"


async def test_a_lamp_shows_that_its_press_granted_what_was_asked(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await at.control("take-back", 1)
    await at.press(2)
    shown: list[bool] = []
    for _ in range(60):
        shown.append(at.table.is_lamp_lit(2))
        await asyncio.sleep(0.01)
    flashes = [lit for lit, before in pairwise(shown) if lit and not before]
    assert len(flashes) == 2  # and dark again: it isn't on turn


async def test_the_ring_pulses_at_once_and_then_shows_the_verdict(at: GameNight) -> None:
    shown: list[str] = []
    for card in ("online#1", "movie#1"):
        at.put(card, 1)
        for _ in range(100):
            await asyncio.sleep(0.001)
            shown.append(at.table.ring_pattern(1))
        at.lift(card, 1)
        await asyncio.sleep(2)
    assert list(dict.fromkeys(shown)) == ["your-turn", "reading", "accepted", "refused"]
    assert shown[99] == "accepted"


@pytest.mark.table(patrol_window_s="12")
async def test_the_sounder_ticks_in_a_window_faster_towards_its_end_and_not_in_a_pause(at: GameNight) -> None:
    async def ticks(seconds: float) -> int:
        """How often the sounder began to sound."""
        heard: list[bool] = []
        for _ in range(round(seconds * 200)):
            await asyncio.sleep(0.005)
            heard.append(at.table.tone_hz() is not None)
        return sum(now and not before for before, now in pairwise(heard))

    await at.tap("hacker#1", 1)
    assert await ticks(3) == 3
    await at.control("pause", 1)
    await asyncio.sleep(1)
    assert await ticks(20) == 0
    await at.press(2)
    left_s = (at.state.window.closes_at_us - at.daemon.clock.now_us()) / 1_000_000
    await asyncio.sleep(left_s - 4)
    *paces, after = [await ticks(1) for _ in range(5)]
    assert paces == sorted(paces)
    assert paces[-1] > 3 * paces[0]
    assert after == 0


async def test_a_full_disk_is_heard_once_however_often_it_is_tried_again(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await asyncio.sleep(2)
    sounder = at.daemon.devices.sounder
    assert sounder is not None
    heard: list[Sound | None] = [None]
    with no_room(at):
        at.put("email#1", 1)
        for _ in range(2000):
            await asyncio.sleep(0.005)
            if sounder.current_sound is not heard[-1]:
                heard.append(sounder.current_sound)
    assert heard.count(Sound.FAULT) == 1
