"""Lamps and the sounder on the pins of a kernel, read back from its simulator's files."""

from __future__ import annotations

import asyncio
from itertools import groupby

import pytest
from taptable.core.cues import Lamp, Sound
from taptable.drivers.gpio.outputs import Lamps, PiezoSounder
from taptable.narration.lamps import LAMP_PATTERNS
from taptable.sim.setting_up import PART_ADDRESSES

from kernel.header import Contacts
from kernel.listening import Listener

LAMP_PINS = [int(place.partition(":")[2]) for place in PART_ADDRESSES["full"]["lamps"]]

pytestmark = pytest.mark.long
SOUNDER = 12
LATE_S = 0.03
TIMES = 20
"""lgpio may leave its line high or low after a tone, by chance."""


async def watch(contacts: Contacts, bcm: int, for_s: float) -> list[tuple[bool, float]]:
    """The levels of a line, as (high, seconds)."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    seen: list[tuple[bool, float]] = []
    while (at_s := loop.time() - began_s) < for_s:
        seen.append((contacts.is_high(bcm), at_s))
        await asyncio.sleep(0.002)
    spans = [(high, [at_s for _, at_s in same]) for high, same in groupby(seen, key=lambda each: each[0])]
    ends = [span[0] for _, span in spans[1:]] + [for_s]
    return [(high, end_s - span[0]) for (high, span), end_s in zip(spans, ends, strict=True)]


async def test_lamps_are_lit_and_dark_as_their_patterns_say() -> None:
    listener, contacts = Listener(), Contacts()
    lamps = Lamps(listener.header, dict(enumerate(LAMP_PINS, 1)))
    lamps.open()
    assert listener.said == []
    for seat, bcm in enumerate(LAMP_PINS, 1):
        lamps.show(seat, Lamp.ON_TURN)
        assert [pin for pin in LAMP_PINS if contacts.is_high(pin)] == [bcm]
        lamps.show(seat, Lamp.OFF)
    lamps.show(2, Lamp.MAY_BUZZ)
    steps = LAMP_PATTERNS[Lamp.MAY_BUZZ].steps
    seen = await watch(contacts, LAMP_PINS[1], sum(length_ms for _, length_ms in steps) / 1000)
    for (lit, length_s), (wanted, wanted_ms) in zip(seen, steps, strict=False):
        assert (lit, length_s) == (wanted, pytest.approx(wanted_ms / 1000, abs=LATE_S))
    lamps.close()
    assert not any(contacts.is_high(pin) for pin in LAMP_PINS)


async def test_the_sounder_s_pin_is_driven_while_a_tune_lasts_and_low_after_it() -> None:
    listener, contacts = Listener(), Contacts()
    sounder = PiezoSounder(listener.header, SOUNDER)
    sounder.open()
    assert listener.said == []
    levels: set[bool] = set()
    for _ in range(TIMES):
        sounder.play(Sound.TICK)
        while sounder.current_sound is not None:
            levels.add(contacts.is_high(SOUNDER))
            await asyncio.sleep(0.0003)
        assert {high for high, _ in await watch(contacts, SOUNDER, 0.01)} == {False}
    assert levels == {True, False}
    sounder.close()
