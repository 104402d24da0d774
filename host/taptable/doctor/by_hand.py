"""What hands do at a table: every button is pressed, and a card is put on every pad."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from taptable.config import Config, OnBoard, OnGpio
from taptable.core.errors import DeckError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.sightings import ButtonEdge, Sighting, TagCame
from taptable.doctor.finding import Finding, fault, ok, warning
from taptable.doctor.header import pin
from taptable.doctor.presses import Presses
from taptable.doctor.trial import Somebody, Trial
from taptable.edges.boards.link import Light
from taptable.memory.decks import Decks
from taptable.narration.lamps import Lamp

LONG_BOUNCE_US = 20_000
"""Contacts bounce for 1.6 ms in the mean, for 6 ms typically at worst."""


async def press_buttons(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Lamps and rings of the seats are lit until their button was pressed."""
    seats = dict(enumerate(trial.config.seats, 1))
    somebody.tell(f"Press each of the {len(seats)} buttons and let it go. A lamp is lit until its button was pressed.")
    for seat in seats:
        _light(trial, seat, Lamp.ON_TURN, Light("your-turn", "on"))
    trial.presses.clear()
    told: set[int] = set()

    def noticed(sighting: Sighting) -> None:
        if isinstance(sighting, ButtonEdge) and sighting.pressed and sighting.seat not in told:
            told.add(sighting.seat)
            somebody.tell(f"  button {sighting.seat}: pressed")
            _light(trial, sighting.seat, Lamp.OFF, Light("accepted", "off"))

    trial.noticed = noticed
    await trial.until(lambda: all(_is_done(trial, seat) for seat in seats))
    trial.noticed = None
    for seat, parts in seats.items():
        _light(trial, seat, Lamp.OFF, Light())
        yield _pressed(trial, seat, parts.button)


async def put_cards(trial: Trial, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Any card will do, enrolled or not."""
    pads: list[Pad] = [
        *range(1, len(trial.config.seats) + 1),
        DISCARD_PAD,
        *(extra.name for extra in trial.config.pads),
    ]
    somebody.tell("Put any card on each pad, those in the middle too, and take it away again.")
    trial.cards.clear()

    def noticed(sighting: Sighting) -> None:
        if isinstance(sighting, TagCame):
            somebody.tell(f"  {_called(sighting.pad)}: {sighting.uid}")

    trial.noticed = noticed
    await trial.until(lambda: all(pad in trial.cards for pad in pads))
    trial.noticed = None
    what_is = _deck(trial.config)
    for pad in pads:
        uid = trial.cards.get(pad)
        if uid is not None:
            yield ok("card", _called(pad), f"it read {uid}, {what_is(uid) or 'which is in no deck'}")
            continue
        reason = _reason(trial, _called(pad), f"board {pad}")
        todo = "Try a card right on the antenna. If that one is read: what lies between is too thick, or metal is near."
        yield fault("card", _called(pad), f"no card was read{reason}", todo)


def _is_done(trial: Trial, seat: int) -> bool:
    return seat in trial.presses and trial.presses[seat].is_done(trial.now_us())


def _pressed(trial: Trial, seat: int, place: OnBoard | OnGpio) -> Finding:
    part, presses = f"button {seat}", trial.presses.get(seat, Presses())
    if presses.is_down:
        found = "it was pressed and never came up again"
        return fault("press", part, found, "See whether it sticks, or whether its wire touches ground.")
    if not presses.was_pressed:
        where = pin(place.bcm) if isinstance(place, OnGpio) else "its pin on the seat board"
        todo = f"Look at its wires: {where} to NO of the switch, ground to COM."
        return fault("press", part, f"no press arrived{_reason(trial, part, f'board {seat}')}", todo)
    bounced_ms = presses.longest_bounce_us / 1000
    if presses.longest_bounce_us > LONG_BOUNCE_US:
        todo = "Its contact is worn or loose: tighten its plugs, or put another switch in its place."
        return warning("press", part, f"pressed and let go, but it bounces for {bounced_ms:.0f} ms", todo)
    return ok("press", part, f"pressed and let go; it bounces for {bounced_ms:.1f} ms")


def _reason(trial: Trial, *parts: str) -> str:
    """Why one of these failed, to be added to a sentence."""
    return next((f": {trial.trouble[part]}" for part in parts if part in trial.trouble), "")


def _light(trial: Trial, seat: int, lamp: Lamp, light: Light) -> None:
    """A seat's lamp and ring, wherever they are."""
    trial.devices.lamps.show(seat, lamp)
    trial.devices.boards.show(seat, light)


def _called(pad: Pad) -> str:
    return f"pad {pad}" if isinstance(pad, int) else f"{pad} pad"


def _deck(config: Config) -> Callable[[str], str | None]:
    """What the tags of the table's deck are."""
    try:
        return Decks(config.table.decks).deck(config.table.deck).what_is
    except DeckError:
        return lambda _uid: None
