"""What only eyes and ears can tell of a table: its lamps, its rings, its display, its sounder and its voice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from PIL import Image, ImageDraw
from tapshared.lights import PATTERNS

from taptable.config import OnBoard
from taptable.core.settings import US_PER_S
from taptable.core.sightings import PartFailed, Sighting
from taptable.daemon.daemon import words_of
from taptable.doctor.finding import Finding, fault, ok, skipped
from taptable.doctor.header import pin
from taptable.doctor.site import Site
from taptable.doctor.speech import say
from taptable.doctor.trial import Somebody, Trial
from taptable.edges.boards.link import Light
from taptable.edges.cues.oled import Oled
from taptable.edges.cues.outputs import TUNES, Sound

_SHOWN_S = 1.5
_BRIGHT = 255


async def look_at_lamps(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Whether they did what they were told while the buttons were pressed."""
    if not any(parts.lamp for parts in trial.config.seats):
        yield skipped("lamps", "lamps", "the table has no lamps")
        return
    answer = await somebody.asked("Was each lamp lit, and did it go dark when its own button was pressed?")
    todo = (
        "One stays dark: see which way round its wires are, and its transistor. One goes dark at another seat: exchange"
        " them in table.toml."
    )
    yield _judged("lamps", "lamps", answer, "lit until their buttons were pressed", todo)


async def look_at_rings(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Every pattern, on all rings at once."""
    seats = [seat for seat, parts in enumerate(trial.config.seats, 1) if isinstance(parts.pad, OnBoard)]
    if not seats:
        yield skipped("rings", "rings", "the table has no rings")
        return
    somebody.tell("Look at the rings: they show one pattern after another.")
    for pattern, takes_time in PATTERNS.items():
        whole_us = round(_SHOWN_S * US_PER_S) if takes_time else 0
        for seat in seats:
            trial.devices.boards.show(seat, Light(pattern, "off", trial.now_us() + whole_us, whole_us))
        await asyncio.sleep(_SHOWN_S)
    for seat in seats:
        trial.devices.boards.show(seat, Light())
    answer = await somebody.asked("Did all pixels of every ring light up?")
    todo = "A dark ring: look at 5 V, ground and DIN. Dark from one pixel on: that pixel, or the one before it."
    yield _judged("rings", "rings", answer, f"told to show all {len(PATTERNS)} patterns", todo)


async def hear_sounder(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """The longest tune, muted or not."""
    sounder, parts = trial.devices.sounder, trial.config.sounder
    if sounder is None or parts is None:
        yield skipped("tune", "sounder", "the table has no sounder")
        return
    sounder.muted = False
    sounder.play(Sound.GAME_OVER)
    await asyncio.sleep(sum(ms for _, ms in TUNES[Sound.GAME_OVER].notes) / 1000)
    answer = await somebody.asked("Did the sounder play a tune?")
    todo = f"Look at its wires: {pin(parts.pin.bcm)} and ground. Only a passive piezo plays; an active one clicks."
    yield _judged("tune", "sounder", answer, "told to play a tune", todo)


async def hear_voice(site: Site, somebody: Somebody) -> AsyncGenerator[Finding]:
    """A sentence in the table's language."""
    if site.config.speech is None:
        yield skipped("sentence", "speech", "the table doesn't speak")
        return
    trouble = say(site, words_of(site.config).text("screen", "youngest"))
    if trouble is not None:
        found = f"it can't be heard: {trouble}"
        yield fault("sentence", "speech", found, "See what is said of speech without --live.")
        return
    answer = await somebody.asked("Did the loudspeaker say a sentence?")
    todo = "`alsamixer` makes it louder. If it comes from elsewhere: `aplay -L` lists what [speech] device can name."
    yield _judged("sentence", "speech", answer, "told to say a sentence", todo)


async def look_at_display(site: Site, somebody: Somebody) -> AsyncGenerator[Finding]:
    """A frame and its diagonals, as bright as can be."""
    if site.config.scoreboard is None:
        yield skipped("picture", "oled", "the table has no scoreboard")
        return
    loop = asyncio.get_running_loop()
    reported: list[Sighting] = []
    oled = Oled(site.config.scoreboard.options, reported.append, lambda: round(loop.time() * US_PER_S))
    try:
        oled.show(_test_picture(oled.size), _BRIGHT)
        failed = next((sighting for sighting in reported if isinstance(sighting, PartFailed)), None)
        if failed is not None:
            found = f"it takes no picture: {failed.reason}"
            yield fault("picture", "oled", found, "See what is said of the display without --live.")
            return
        answer = await somebody.asked("Does the display show a frame at its very edge, and a cross in it?")
        todo = "If it is shifted, torn or snowy: name its real type and size in [scoreboard] options."
        yield _judged("picture", "oled", answer, "told to show a test picture", todo)
    finally:
        oled.close()


def _test_picture(size: tuple[int, int]) -> Image.Image:
    picture = Image.new("1", size)
    right, bottom = size[0] - 1, size[1] - 1
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, right, bottom), outline=1)
    draw.line((0, 0, right, bottom), fill=1)
    draw.line((0, bottom, right, 0), fill=1)
    return picture


def _judged(name: str, part: str, answer: bool | None, found: str, todo: str) -> Finding:
    match answer:
        case None:
            return skipped(name, part, f"{found}; nobody was there to say whether it was so")
        case True:
            return ok(name, part, f"{found}, and somebody saw or heard it")
        case False:
            return fault(name, part, f"{found}, and somebody says that it wasn't so", todo)
