"""The trial of a table's parts with somebody's help, one kind of part after the other: every button is pressed, and a
card is put on every pad. Lamps, rings, display, sounder and voice need the helper's eyes and ears. Must not know how
the helper is asked, nor how a part is connected."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable

from PIL import Image, ImageChops, ImageDraw
from tapshared.lights import RING_PATTERNS

from taptable.config import Config
from taptable.core.cues import Lamp, SeatLights, Sound
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, TagCame, part_name
from taptable.core.errors import DeckError
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.daemon import words_of
from taptable.doctor.drivers import doctors_of
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.gains import measure_gains
from taptable.doctor.press_order import judge_order
from taptable.doctor.site import ExaminedTable
from taptable.doctor.speech import say
from taptable.doctor.trial import Presses, Somebody, Trial, open_trial
from taptable.drivers.interface import Display, PartRole
from taptable.memory.decks import Decks
from taptable.narration.tunes import TUNES

LONG_BOUNCE_US = 20_000
"""The longest bounce that is fine, in µs. Contacts bounce for 1.6 ms on average, and typically for 6 ms at most."""


async def try_buttons(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Ask the helper to press every button; light each seat's lamp and ring until then."""
    seats = dict(enumerate(trial.config.seats, 1))
    somebody.tell(
        f"Press each of the {len(seats)} buttons and release it. Each lamp is lit until you press its button."
    )
    for seat in seats:
        _light(trial, seat, Lamp.ON_TURN, SeatLights("your-turn", "on"))
    trial.presses.clear()
    pressed_seats: set[int] = set()

    def on_device_event(device_event: DeviceEvent) -> None:
        match device_event:
            case ButtonEdge(pad=int(seat), pressed=True) if seat not in pressed_seats:
                pressed_seats.add(seat)
                somebody.tell(f"  button {seat}: pressed")
                _light(trial, seat, Lamp.OFF, SeatLights("accepted", "off"))
            case _:
                pass

    trial.on_device_event = on_device_event
    doctors = doctors_of(trial.drivers)
    judged: set[int] = set()
    async for seat in trial.each_done(seats, lambda seat: _is_done(trial, seat)):
        judged.add(seat)
        yield _judge_button(trial, seat)
    trial.on_device_event = None
    for part in trial.config.parts:
        if part.role is PartRole.BUTTON and isinstance(part.pad, int):
            _light(trial, part.pad, Lamp.OFF, SeatLights())
            if part.pad not in judged:
                yield _judge_button(trial, part.pad, doctors[part.address.kind].contact(part))
    opened = trial.devices.parts_by_kind
    stamps = {
        seat: doctors[kind].stamps_of(opened[kind], seat, trial.presses[seat].uncertainty_us)
        for seat, parts in seats.items()
        if seat in trial.presses and trial.presses[seat].was_pressed
        for kind in (parts.button.kind,)
    }
    for finding in judge_order(stamps):
        yield finding


async def try_pads(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Ask the helper to put a card on every pad, enrolled or not."""
    pads = list(trial.config.all_pads)
    somebody.tell("Lay any card on each pad, also on those in the middle, and take it away again.")
    trial.cards.clear()

    def on_device_event(device_event: DeviceEvent) -> None:
        if isinstance(device_event, TagCame):
            somebody.tell(f"  {_pad_name(device_event.pad)}: {device_event.uid}")

    trial.on_device_event = on_device_event
    card_of = _deck(trial.config)
    async for pad in trial.each_done(pads, lambda pad: pad in trial.cards):
        uid = trial.cards[pad]
        found = f"it read {uid}, {card_of(uid) or 'which is in no deck'}"
        yield ok("card", _pad_name(pad), found).with_figures(measured={"uid_bytes": len(uid) // 2})
    trial.on_device_event = None
    todo = (
        "Try a card directly on the antenna. If it is read there, the material between is too thick, or metal is near."
    )
    for pad in pads:
        if pad not in trial.cards:
            reason = _reason(trial, _pad_name(pad), part_name("board", pad))
            yield fault("card", _pad_name(pad), f"no card was read{reason}", todo)


def _is_done(trial: Trial, seat: int) -> bool:
    return seat in trial.presses and trial.presses[seat].is_done(trial.now_us())


def _judge_button(trial: Trial, seat: int, contact_advice: str = "") -> Finding:
    """Judge the presses of a seat's button; `contact_advice` is for one that was not pressed."""
    part, presses = f"button {seat}", trial.presses.get(seat, Presses())
    if not presses.was_pressed and not presses.is_down:
        return fault("press", part, f"no press arrived{_reason(trial, part, f'board {seat}')}", contact_advice)
    measured: dict[str, float] = {}
    bounced_us = presses.longest_bounce_us if trial.knows_bounces(seat) else None
    if bounced_us is not None:
        measured |= {"most_bounces": presses.most_bounces, "longest_bounce_ms": bounced_us / 1000}
    if presses.held_us:
        measured["held_ms"] = presses.held_us / 1000
    if presses.is_down:
        todo = "Check whether it sticks, or whether its wire touches ground."
        finding = fault("press", part, "it was pressed and not released since", todo)
    elif bounced_us is not None and bounced_us > LONG_BOUNCE_US:
        todo = "Its contact is worn or loose: tighten its plugs, or replace the switch."
        found = f"pressed and released, but it bounces for {bounced_us / 1000:.0f} ms"
        finding = warning("press", part, found, todo)
    else:
        bounces = "" if bounced_us is None else f"; it bounces for {bounced_us / 1000:.1f} ms"
        finding = ok("press", part, f"pressed and released{bounces}")
    return finding.with_figures(measured, {"stamp_uncertainty_us": presses.uncertainty_us})


def _reason(trial: Trial, *parts: str) -> str:
    """Return why one of these parts failed, for the end of a sentence."""
    return next((f": {trial.trouble[part]}" for part in parts if part in trial.trouble), "")


def _light(trial: Trial, seat: int, lamp: Lamp, light: SeatLights) -> None:
    """Set a seat's lamp and ring, on whichever parts they are."""
    devices = trial.devices
    if seat in devices.lamp_parts:
        devices.lamp_parts[seat].show_lamp(seat, lamp)
    if seat in devices.ring_parts:
        devices.ring_parts[seat].show_light(seat, light)


def _pad_name(pad: Pad) -> str:
    return part_name("pad", pad)


def _deck(config: Config) -> Callable[[str], str | None]:
    """Return a function from tags to the deck's cards."""
    try:
        return Decks(config.table.decks).deck(config.table.deck).lookup
    except DeckError:
        return lambda _uid: None


_SHOWN_S = 1.5
"""Seconds for which each pattern is shown."""
_BRIGHT = 255
"""The highest contrast of a display."""


async def try_lamps(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Ask whether the lamps did what they should while the buttons were pressed."""
    if not any(parts.lamp for parts in trial.config.seats):
        yield skipped("lamps", "lamps", "the table has no lamps")
        return
    answer = await somebody.ask("Was each lamp lit, and did it go dark when its own button was pressed?")
    todo = (
        "If a lamp stays dark, check the polarity of its wires, and its transistor. If another seat's lamp goes dark,"
        " exchange the two in table.toml."
    )
    lit = [seat for seat, parts in enumerate(trial.config.seats, 1) if parts.lamp]
    went_dark = [seat for seat in lit if seat in trial.presses and trial.presses[seat].was_pressed]
    finding = _judge_answer("lamps", "lamps", answer, "each was switched on until its button was pressed", todo)
    yield finding.with_figures(measured={"switched_on": lit, "switched_off_by_press": went_dark})


async def try_rings(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Show every pattern, on all rings at once."""
    rings = trial.devices.ring_parts
    if not rings:
        yield skipped("rings", "rings", "the table has no rings")
        return
    somebody.tell("Look at the rings: they show one pattern after another.")
    for pattern, takes_time in RING_PATTERNS.items():
        whole_us = round(_SHOWN_S * US_PER_S) if takes_time else 0
        for pad, parts in rings.items():
            parts.show_light(pad, SeatLights(pattern, "off", trial.now_us() + whole_us, whole_us))
        await asyncio.sleep(_SHOWN_S)
    for pad, parts in rings.items():
        parts.show_light(pad, SeatLights())
    answer = await somebody.ask("Did all pixels of every ring light up?")
    todo = (
        "If a ring is dark, check 5 V, ground and DIN. If it is dark from one pixel on, replace that pixel or the one"
        " before it."
    )
    yield _judge_answer("rings", "rings", answer, f"all {len(RING_PATTERNS)} patterns were sent", todo)


async def try_sounder(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Play the longest tune, muted or not."""
    sounder = trial.devices.sounder
    if sounder is None:
        yield skipped("tune", "sounder", "the table has no sounder")
        return
    sounder.muted = False
    sounder.play(Sound.GAME_OVER)
    await asyncio.sleep(sum(ms for _, ms in TUNES[Sound.GAME_OVER].notes) / 1000)
    answer = await somebody.ask("Did the sounder play a tune?")
    part = next(part for part in trial.config.parts if part.role is PartRole.SOUNDER)
    todo = doctors_of(trial.drivers)[part.address.kind].contact(part)
    yield _judge_answer("tune", "sounder", answer, "a tune was played", todo)


async def try_voice(site: ExaminedTable, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Speak a sentence in the table's language."""
    if site.config.speech is None:
        yield skipped("sentence", "speech", "the table doesn't speak")
        return
    trouble = say(site, words_of(site.config).text("screen", "youngest"))
    if trouble is not None:
        found = f"the sentence can't be spoken: {trouble}"
        yield fault("sentence", "speech", found, "Follow the advice of `taptable doctor --only speech`.")
        return
    answer = await somebody.ask("Did the loudspeaker say a sentence?")
    todo = (
        "Raise the volume with `alsamixer`. If another loudspeaker spoke, name the right one in [speech] device:"
        " `aplay -L` lists them."
    )
    yield _judge_answer("sentence", "speech", answer, "a sentence was spoken", todo)


async def try_display(site: ExaminedTable, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Show a frame and its diagonals, as bright as possible."""
    if site.config.scoreboard is None:
        yield skipped("picture", "oled", "the table has no scoreboard")
        return
    loop = asyncio.get_running_loop()
    reported: list[DeviceEvent] = []
    (part,) = (part for part in site.config.parts if part.role is PartRole.DISPLAY)
    display = site.drivers[part.address.kind].open_display(part, reported.append, lambda: round(loop.time() * US_PER_S))
    try:
        display.show(_test_picture(display.size), _BRIGHT)
        failed = next((device_event for device_event in reported if isinstance(device_event, PartFailed)), None)
        if failed is not None:
            found = f"it accepts no picture: {failed.reason}"
            yield fault("picture", "oled", found, "Follow the advice of `taptable doctor --only display`.")
            return
        whole_ms = _time_whole_picture(display)
        answer = await somebody.ask("Does the display show a frame at its very edge, and a cross in it?")
        todo = "If the picture is shifted, torn or noisy, set the right type and size in [scoreboard] options."
        finding = _judge_answer("picture", "oled", answer, "a test picture was sent", todo)
        yield finding.with_figures(measured={"whole_picture_ms": whole_ms})
    finally:
        display.close()


def _time_whole_picture(display: Display) -> float:
    """Return how long a picture takes in ms of which every pixel has changed. The test picture must be on the display,
    and is there again afterwards."""
    picture = _test_picture(display.size)
    display.show(ImageChops.invert(picture), _BRIGHT)
    began_s = time.perf_counter()
    display.show(picture, _BRIGHT)
    return 1000 * (time.perf_counter() - began_s)


def _test_picture(size: tuple[int, int]) -> Image.Image:
    picture = Image.new("1", size)
    right, bottom = size[0] - 1, size[1] - 1
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, right, bottom), outline=1)
    draw.line((0, 0, right, bottom), fill=1)
    draw.line((0, bottom, right, 0), fill=1)
    return picture


def _judge_answer(name: str, part: str, answer: bool | None, found: str, todo: str) -> Finding:
    if answer is None:
        return unseen(name, part, f"{found}; nobody confirmed it")
    if answer:
        finding = ok(name, part, f"{found}; you confirmed it")
    else:
        finding = fault(name, part, f"{found}; you answered no", todo)
    return finding.with_figures(measured={"confirmed_by_a_person": answer})


async def try_parts(site: ExaminedTable, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Try all parts. The caller must close this generator, so that the devices are closed."""
    if site.held_by is not None:
        yield unseen("press", "table", f"in use by {site.held_by}", site.stop_advice)
        return
    async with open_trial(site) as trial:
        for step in (try_buttons, try_lamps, try_rings, try_sounder, try_pads):
            async for finding in step(trial, somebody):
                yield finding
    for step in (measure_gains, try_voice, try_display):
        async for finding in step(site, somebody):
            yield finding
