"""Examines the access to the pins and to the SPI readers (packages, gpiozero's factory, the folder of lgpio's pipe),
and the parts on the pins: buttons at rest, lamps and the sounder, each opened for a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from gpiozero import LED, Device, Factory, TonalBuzzer

from taptable.core.errors import DeviceError
from taptable.doctor.computer import Computer
from taptable.doctor.drivers import DriverDoctor, Look, Stamps
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.site import ExaminedTable, access_problem
from taptable.drivers.gpio.buttons import PinContact
from taptable.drivers.gpio.driver import GpioDriver
from taptable.drivers.gpio.header import KERNEL_STAMP_US, header_chip, stamp_uncertainty_us
from taptable.drivers.gpio.outputs import MID_TONE, OCTAVES
from taptable.drivers.header_lines import bcm_of, spell_pin
from taptable.drivers.interface import OpenedParts, Part, PartRole

_PART = "pins"
_FACTORY = "GPIOZERO_PIN_FACTORY"
_PIPE_FOLDER = "LG_WD"
_MODULES = ("lgpio", "spidev", "RPi.GPIO", "smbus2")
"""Modules that a table on a Pi imports, some of them from the distribution."""


class GpioDoctor(DriverDoctor[GpioDriver]):
    """Examines the pins, and the parts on them."""

    def __init__(self, driver: GpioDriver) -> None:
        super().__init__(driver)
        checks = ("packages", "gpio-module", "gpio-device", "working-folder", "pin-factory")
        self.looks = (
            Look(40, "pins", checks, self.examine_pins),
            Look(90, "contacts", ("button", "lamp", "sounder"), self.examine_contacts),
        )

    def examine_pins(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine the access to the pins, if a part of the table is on them."""
        readers = [
            parts for each in site.drivers.with_role(PartRole.PAD) if each.bus_lines(parts := site.parts_of(each))
        ]
        if not (readers or site.parts_of(self.driver)):
            yield skipped("packages", _PART, "the table has nothing on the Pi's pins")
            return
        yield _check_packages(site.computer)
        yield _check_gpio_module(site.computer)
        yield _check_gpio_device(site.computer)
        yield _check_working_folder(site.computer)
        yield _check_pin_factory(site, self.driver)

    def examine_contacts(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every button, lamp and sounder on a pin."""
        parts = [part for role in _DEVICES for part in site.parts_of(self.driver, role)]
        factory = self._factory() if parts and site.held_by is None else None
        for part in parts:
            name, build = _DEVICES[part.role]
            number = bcm_of(part.address)
            if site.held_by is not None:
                yield unseen(name, part.name, f"in use by {site.held_by}", site.stop_advice)
            elif factory is None:
                yield unseen(name, part.name, f"at {spell_pin(number)}, but the pins can't be used")
            else:
                yield _check_opens(name, part.name, number, partial(build, number, factory))
        if site.config.sounder is None:
            yield skipped("sounder", "sounder", "the table has no sounder")

    def contact(self, part: Part) -> str:
        """Return where the wires of a button or the sounder go."""
        if part.role is PartRole.SOUNDER:
            where = spell_pin(bcm_of(part.address))
            return f"Check its wires: {where} and ground. Only a passive piezo plays; an active one clicks."
        return f"Check its wires: {spell_pin(bcm_of(part.address))} to NO of the switch, ground to COM."

    def stamps(self, site: ExaminedTable) -> Mapping[int, Stamps]:
        """Return the stamps of all buttons on pins; none if the pins can't be reached."""
        seats = [part.pad for part in site.parts_of(self.driver, PartRole.BUTTON) if isinstance(part.pad, int)]
        factory = self._factory() if seats else None
        return {} if factory is None else {seat: self._stamps(stamp_uncertainty_us(factory)) for seat in seats}

    def stamps_of(self, opened: OpenedParts, seat: int, uncertainty_us: int) -> Stamps:
        """Return the stamps of a button on a pin."""
        del opened, seat
        return self._stamps(uncertainty_us)

    def _stamps(self, uncertainty_us: int) -> Stamps:
        return Stamps(uncertainty_us, self.driver.where, lambda _one, _other: "on the Pi's pins")

    def _factory(self) -> Factory | None:
        """Return the pin factory, or None: then `_check_pin_factory` has reported why."""
        try:
            return self.driver.open_factory()
        except DeviceError:
            return None


def _open_contact(number: int, factory: Factory) -> Device:
    return PinContact(number, _ignore_edge, factory)


def _open_led(number: int, factory: Factory) -> Device:
    return LED(number, pin_factory=factory)


def _check_packages(computer: Computer) -> Finding:
    missing = [name for name in _MODULES if not computer.has_module(name)]
    if not missing:
        return ok("packages", _PART, f"{', '.join(_MODULES)} can be imported")
    todo = "Reinstall the package: it contains them."
    return fault("packages", _PART, f"{', '.join(missing)} can't be imported", todo)


def _check_gpio_module(computer: Computer) -> Finding:
    module = computer.gpio_module()
    if module is None:
        return skipped("gpio-module", _PART, "no RPi.GPIO of either kind")
    if computer.is_pi_5 and module == "RPi.GPIO":
        todo = (
            "Replace it with rpi-lgpio, with the pip of this taptable's environment: `pip uninstall RPi.GPIO`, then"
            " `pip install --force-reinstall --no-deps rpi-lgpio`."
        )
        return fault("gpio-module", _PART, "RPi.GPIO is the old package, which can't use the pins of a Pi 5", todo)
    return ok("gpio-module", _PART, f"RPi.GPIO comes from {module}")


def _check_gpio_device(computer: Computer) -> Finding:
    chips = sorted(path.name for path in computer.at("/dev").glob("gpiochip*"))
    if not chips:
        return fault(
            "gpio-device",
            _PART,
            "/dev/gpiochip0 isn't there",
            "Run the table on a Raspberry Pi with bookworm or a later system.",
        )
    for chip in chips:
        if trouble := access_problem(computer, f"/dev/{chip}", "gpio-device", _PART):
            return trouble
    number = header_chip(computer.at("/sys/bus/gpio/devices"))
    chip = chips[0] if number is None else f"gpiochip{number}"
    return ok("gpio-device", _PART, f"/dev/{chip} is there, and the user {computer.table_user.name} may use it")


def _check_working_folder(computer: Computer) -> Finding:
    named = computer.environment.get(_PIPE_FOLDER)
    folder = Path(named) if named else computer.folder
    if computer.is_writable(folder):
        return ok("working-folder", _PART, f"{folder} is writable, as lgpio needs it for its pipe")
    todo = f"Start taptable in a folder that is writable, or name one in {_PIPE_FOLDER}."
    return fault("working-folder", _PART, f"{folder} isn't writable, so lgpio can't work", todo)


def _check_pin_factory(site: ExaminedTable, driver: GpioDriver) -> Finding:
    if site.held_by is not None:
        return unseen("pin-factory", _PART, f"in use by {site.held_by}", site.stop_advice)
    set_to = site.computer.environment.get(_FACTORY)
    take = f"Start taptable with {_FACTORY}=lgpio, and follow the advice above on lgpio and the folder."
    try:
        factory = driver.open_factory()
    except DeviceError as error:
        return fault("pin-factory", _PART, f"the pins can't be used: {error}", take)
    name, uncertainty_us = type(factory).__name__, stamp_uncertainty_us(factory)
    if uncertainty_us != KERNEL_STAMP_US:
        setting = f" ({_FACTORY} is set to {set_to})" if set_to else ""
        finding = warning(
            "pin-factory", _PART, f"{name}{setting}: presses are stamped to 10 ms only, not to 0.05", take
        )
    else:
        finding = ok("pin-factory", _PART, f"{name}, with the kernel's time of an edge")
    return finding.with_figures({"pin_factory": name}, {"stamp_uncertainty_us": uncertainty_us})


def _check_opens(name: str, part: str, bcm: int, build: Callable[[], Device]) -> Finding:
    try:
        device = build()
    except Exception as error:  # each pin factory raises its own kinds: GPIOZeroError, OSError, lgpio.error
        todo = f"Find out what uses that pin: `gpioinfo | grep -w GPIO{bcm}`. It may also be an overlay in config.txt."
        return fault(name, part, f"{spell_pin(bcm)} can't be opened: {error or type(error).__name__}", todo)
    is_down = isinstance(device, PinContact) and device.is_active
    device.close()
    if is_down:
        todo = (
            "If nobody holds it down, wire it to the contact that is open at rest (NO), and look for a short to ground."
        )
        return fault(name, part, f"it is closed at rest, at {spell_pin(bcm)}", todo)
    return ok(name, part, f"{'open at rest, ' if name == 'button' else ''}at {spell_pin(bcm)}")


def _open_buzzer(bcm: int, factory: Factory) -> TonalBuzzer:
    return TonalBuzzer(bcm, mid_tone=MID_TONE, octaves=OCTAVES, pin_factory=factory)


def _ignore_edge(ticks: float, pressed: bool) -> None:
    """Ignore the edges of a button that is only examined."""
    del ticks, pressed


_DEVICES: Mapping[PartRole, tuple[str, Callable[[int, Factory], Device]]] = {
    PartRole.BUTTON: ("button", _open_contact),
    PartRole.LAMP: ("lamp", _open_led),
    PartRole.POWER: ("button", _open_contact),
    PartRole.SOUNDER: ("sounder", _open_buzzer),
}
"""The check of each role, and the function that opens its device."""


DOCTOR = GpioDoctor
