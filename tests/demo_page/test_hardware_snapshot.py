"""The page's view of the hardware, taken from the models below the drivers."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

from PIL import Image
from taptable.core.cues import Sound
from taptable.drivers.gpio.outputs import TUNES

from demo_page.rig import Visitor, at_the_page


async def test_the_glass_shows_what_the_driver_sent(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await asyncio.sleep(5)
    glass = visitor.sees()["glass"]
    picture = Image.frombytes("1", (glass["width"], glass["height"]), base64.b64decode(glass["bits"]))
    assert picture.tobytes() == visitor.harness.table.picture().tobytes()
    assert picture.getbbox() is not None
    assert glass["contrast"] == visitor.harness.table.display.contrast
    await visitor.asks("fault", fault="unplug-display")
    assert not any(base64.b64decode(visitor.sees()["glass"]["bits"]))


async def test_a_ring_that_runs_says_once_when_it_ends(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    visitor.deal("hacker#1", "online#1")
    await visitor.asks("tap", seat=1, card="online#1", pad=1)
    await visitor.asks("tap", seat=1, card="hacker#1", pad=1)
    ring = visitor.sees()["hardware"]["seats"][1]["ring"]
    assert ring["pattern"] == "window"
    window = visitor.harness.session.table.game.scoreboard(visitor.state).window
    assert abs(ring["ends_us"] - window.closes_at_us) < 20_000
    assert ring["whole_us"] == window.closes_at_us - window.opened_at_us
    await asyncio.sleep(1)
    assert visitor.sees()["hardware"]["seats"][1]["ring"] == ring
    lamp = visitor.shown["hardware"]["seats"][1]["lamp"]
    assert lamp["pattern"] == "may-buzz"


async def test_without_boards_there_are_no_rings(tmp_path: Path) -> None:
    async with at_the_page(tmp_path, compact=True) as visitor:
        await visitor.on_turn(1)
        assert [(seat["ring"], seat["board"]) for seat in visitor.sees()["hardware"]["seats"]] == [(None, None)] * 2
        await visitor.asks("put", seat=1, card=visitor.hand()[0], pad=2)
        assert len(visitor.sees()["hardware"]["seats"][1]["cards"]) == 1
        visitor.leaves()


async def test_tones_are_those_of_the_sounder_s_tunes(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await asyncio.sleep(2)
    visitor.sees()
    visitor.streams.pop("tones", None)
    visitor.deal("email#1")
    await visitor.asks("tap", seat=1, card="email#1", pad=1)
    await asyncio.sleep(1)
    visitor.sees()
    pitches = [tone["hz"] and round(tone["hz"], 1) for tone in visitor.streams["tones"]]
    assert len(TUNES[Sound.REFUSED].notes) == 3
    assert pitches[-4:] == [659.3, None, 523.3, None]
    times = [tone["at_us"] for tone in visitor.streams["tones"]]
    assert times == sorted(times)


async def test_the_wire_is_heard_both_ways_harmed_or_not(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await visitor.asks("tap", seat=1, card=visitor.hand()[0], pad=2)
    visitor.sees()
    lines = visitor.streams["wire"]
    tag = next(line for line in lines if " tag " in line["text"])
    assert (tag["seat"], tag["way"], tag["damaged"]) == (2, "to-pi", False)
    assert any(line["way"] == "to-board" and " light " in line["text"] for line in lines)
    assert not any(line["damaged"] for line in lines)
    await visitor.asks("fault", fault="noise", pad=1)
    await asyncio.sleep(20)
    visitor.sees()
    assert {line["seat"] for line in visitor.streams["wire"] if line["damaged"]} == {1}
