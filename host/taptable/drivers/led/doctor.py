"""Examines lamps of controllers on USB: whether the kernel knows them, and whether the table may switch them."""

from __future__ import annotations

from collections.abc import Iterator

from taptable.doctor.drivers import DriverDoctor, Look
from taptable.doctor.findings import Finding, fault, ok, skipped
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import Part
from taptable.drivers.led.driver import LedDriver
from taptable.drivers.led.leds import find_led, spell_missing

_RULE = (
    "With the package, install it again: its udev rule gives the table the right to switch these lamps. Without"
    " it, `taptable seats` offers to write that rule. Those of another make need a line of their own: see"
    " docs/service.md, *Controllers on USB*."
)
_PLUG_IN = (
    "Plug in a controller whose lamps the kernel knows (a Buzz! set, with the module hid-sony), or remove the lamp from"
    " the configuration."
)


class LedDoctor(DriverDoctor[LedDriver]):
    """Examines lamps of controllers."""

    def __init__(self, driver: LedDriver) -> None:
        super().__init__(driver)
        self.looks = (Look(81, "controllers", ("led",), self.examine),)

    def examine(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every lamp."""
        parts = site.parts_of(self.driver)
        if not parts:
            yield skipped("led", "controllers", "the table has no lamps on controllers")
        for part in parts:
            yield self._examine_lamp(site, part)

    def contact(self, part: Part) -> str:
        """Return where to look when the lamp stays dark."""
        return f"Look at its address, {part.address}, and at the plug of the controller."

    def _examine_lamp(self, site: ExaminedTable, part: Part) -> Finding:
        ports = self.driver.ports
        led = find_led(ports, part.address)
        if led is None:
            return fault("led", part.name, spell_missing(ports, part.address), _PLUG_IN)
        user = site.computer.table_user
        try:
            is_allowed = site.computer.may_access(led.folder / "brightness", 2)
        except OSError:
            is_allowed = False
        if is_allowed:
            finding = ok("led", part.name, f"{led.name} is there, and the user {user.name} may switch it")
        else:
            found = f"the user {user.name} has no right to write the brightness of {led.name}"
            finding = fault("led", part.name, found, _RULE)
        device = ports.device_at(led.port)
        return finding if device is None else finding.with_figures(measured=device.figures)


DOCTOR = LedDoctor
