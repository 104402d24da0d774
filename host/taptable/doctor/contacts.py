"""What hangs on the Pi's own pins: buttons at rest, lamps and the sounder, each opened for a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gpiozero import LED, Device, Factory, TonalBuzzer

from taptable.doctor.finding import Finding, fault, ok, skipped
from taptable.doctor.header import pin
from taptable.doctor.pins import open_factory
from taptable.doctor.site import Site
from taptable.edges.buttons import Contact
from taptable.edges.cues.outputs import MID_TONE, OCTAVES


def examine_contacts(site: Site) -> Iterator[Finding]:
    """Every button, lamp and sounder on a pin."""
    parts = _parts(site)
    factory = open_factory(site) if site.held_by is None else None
    for name, part, bcm, build in parts:
        if site.held_by is not None:
            yield skipped(name, part, f"in use by {site.held_by}", site.stop_it)
        elif factory is None:
            yield skipped(name, part, f"at {pin(bcm)}, to which there is no way")
        else:
            yield _opened(name, part, bcm, lambda build=build, factory=factory: build(factory))
    if site.config.sounder is None:
        yield skipped("sounder", "sounder", "the table has no sounder")


def _parts(site: Site) -> list[tuple[str, str, int, Callable[[Factory], Device]]]:
    """The name of the check, the part, its pin, and what makes its device."""
    parts: list[tuple[str, str, int, Callable[[Factory], Device]]] = []
    for seat, bcm in site.buttons.items():
        parts.append(("button", f"button {seat}", bcm, lambda factory, bcm=bcm: Contact(bcm, _unheard, factory)))
    for seat, bcm in site.lamps.items():
        parts.append(("lamp", f"lamp {seat}", bcm, lambda factory, bcm=bcm: LED(bcm, pin_factory=factory)))
    if site.config.power is not None:
        bcm = site.config.power.button.bcm
        parts.append(("button", "power button", bcm, lambda factory, bcm=bcm: Contact(bcm, _unheard, factory)))
    if site.config.sounder is not None:
        bcm = site.config.sounder.pin.bcm
        parts.append(("sounder", "sounder", bcm, lambda factory, bcm=bcm: _buzzer(bcm, factory)))
    return parts


def _opened(name: str, part: str, bcm: int, build: Callable[[], Device]) -> Finding:
    try:
        device = build()
    except Exception as error:  # each pin factory raises its own kinds: GPIOZeroError, OSError, lgpio.error
        todo = f"See who has that pin: `gpioinfo | grep -w GPIO{bcm}`. An overlay in config.txt may have it too."
        return fault(name, part, f"{pin(bcm)} can't be had: {error or type(error).__name__}", todo)
    is_down = isinstance(device, Contact) and device.is_active
    device.close()
    if is_down:
        todo = "If nobody holds it: wire it to the contact that is open at rest (NO), and look for a short to ground."
        return fault(name, part, f"it is down at rest, at {pin(bcm)}", todo)
    return ok(name, part, f"{'up at rest, ' if name == 'button' else ''}at {pin(bcm)}")


def _buzzer(bcm: int, factory: Factory) -> TonalBuzzer:
    return TonalBuzzer(bcm, mid_tone=MID_TONE, octaves=OCTAVES, pin_factory=factory)


def _unheard(ticks: float, pressed: bool) -> None:
    """Nobody listens to a button that is only looked at."""
    del ticks, pressed
