"""Examines buttons of controllers on USB: whether the controller is plugged in where it was named, its driver is
loaded, it has the key, and the table may have it alone; and how late its presses may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from taptable.doctor.drivers import DriverDoctor, Look, Stamps
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.site import ExaminedTable
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.input.evdev import EventDevice
from taptable.drivers.input.keys import key_name
from taptable.drivers.input.nodes import EventNode, place_of
from taptable.drivers.input.parts import InputParts, Missing, NoDriver, NoKey, node_of, spell_trouble, uncertainty_of
from taptable.drivers.interface import OpenedParts, Part, PartRole
from taptable.schema.problems import join_words

_PLUG_IN = "Plug it in there, or into a powered hub if it has no power"
_RULE = (
    "Install the package again: its udev rule opens controllers to the table. One that the rule doesn't know needs a"
    " line of its own: see docs/service.md, *Controllers on USB*."
)
_OTHER_PROGRAM = "End the program that has it: a game, an emulator, or another table."


class InputDoctor(DriverDoctor[InputDriver]):
    """Examines buttons of controllers."""

    def __init__(self, driver: InputDriver) -> None:
        super().__init__(driver)
        self.looks = (Look(80, "controllers", ("controller", "key", "keyboard", "alike"), self.examine),)

    def examine(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine the controller and the key of every button."""
        parts = site.parts_of(self.driver)
        if not parts:
            yield skipped("controller", "controllers", "the table has no buttons on controllers")
        for part in parts:
            yield from self._examine_button(site, part)
        yield from self._examine_twins(parts)

    def contact(self, part: Part) -> str:
        """Return what to look at."""
        place = place_of(part.address)
        key = key_name(place.code)
        return (
            f"Look at its plug in USB port {place.port}. Another key than {key} may be pressed: `evtest` shows which."
        )

    def stamps(self, site: ExaminedTable) -> Mapping[int, Stamps]:
        """Return the stamps of all buttons whose controller is plugged in."""
        stamps: dict[int, Stamps] = {}
        for part in site.parts_of(self.driver, PartRole.BUTTON):
            try:
                node = node_of(self.driver.nodes, place_of(part.address))
            except Missing:
                continue
            if isinstance(part.pad, int):
                stamps[part.pad] = self._stamps(uncertainty_of(node), node.node.port)
        return stamps

    def stamps_of(self, opened: OpenedParts, seat: int, uncertainty_us: int) -> Stamps:
        """Return the stamps of a button on a controller."""
        assert isinstance(opened, InputParts)
        return self._stamps(uncertainty_us, opened.port_of(seat))

    def _stamps(self, uncertainty_us: int, port: str) -> Stamps:
        return ControllerStamps(uncertainty_us, self.driver.where, _spell_wiring, "by the interval of its USB", port)

    def _examine_button(self, site: ExaminedTable, part: Part) -> Iterator[Finding]:
        place = place_of(part.address)
        try:
            node = node_of(self.driver.nodes, place)
        except Missing as error:
            name = "key" if isinstance(error, NoKey) else "controller"
            yield fault(name, part.name, str(error), self._advise(error, part))
            return
        if node.is_keyboard:
            found = "its device is a keyboard: typing presses it too, and other programs get each press"
            yield warning("keyboard", part.name, found, "Take a controller that is no keyboard, if there is one.")
        user = site.computer.table_user
        node_file = self.driver.access.root / "dev/input" / node.node.name
        try:
            is_closed = user is not site.computer.current_user and not site.computer.may_access(node_file, 4)
        except OSError as error:
            yield fault("controller", part.name, spell_trouble(error, place.port), f"{_PLUG_IN}.")
            return
        if is_closed:
            yield fault("controller", part.name, f"/dev/input/{node.node.name} is closed to {user.name}", _RULE)
        elif site.held_by is not None:
            yield unseen("controller", part.name, f"in use by {site.held_by}", site.stop_advice)
        else:
            yield self._try_to_open(part, node)

    def _try_to_open(self, part: Part, node: EventNode) -> Finding:
        code = place_of(part.address).code
        try:
            device = EventDevice(self.driver.access, node.node.name, (code,), grab=node.is_controller)
        except OSError as error:
            todo = _RULE if isinstance(error, PermissionError) else _OTHER_PROGRAM
            return fault("controller", part.name, spell_trouble(error, node.node.port), todo)
        try:
            is_down = bool(device.keys_down())
        except OSError as error:
            return fault("controller", part.name, spell_trouble(error, node.node.port), f"{_PLUG_IN}.")
        finally:
            device.close()
        if is_down:
            todo = "If nobody holds it: wire it to the contact that is open at rest (NO), and look for a jammed button."
            return fault("key", part.name, "it is down at rest", todo)
        plugged = self.driver.nodes.device_at(node.node.port)
        name = "a controller" if plugged is None else plugged.spelled
        return ok("controller", part.name, f"{name}, up at rest; a press is good to {_spell_bound(node)}")

    def _advise(self, error: Missing, part: Part) -> str:
        """Return what to do about a button that isn't there."""
        place, nodes = place_of(part.address), self.driver.nodes
        if isinstance(error, NoDriver):
            return "`sudo modprobe hid-sony`, then plug it in again. If there is no such module, take another kernel."
        if isinstance(error, NoKey):
            keys = sorted({code for node in nodes.at(place.port) for code in node.keys})
            return f"Name one of its keys: {join_words([key_name(code) for code in keys[:24]], 'or')}."
        elsewhere = [
            f'"input:{device.port}/{key_name(code)}"' for device, _, code in nodes.buttons() if code == place.code
        ]
        moved = f", or name where it is now: {join_words(elsewhere, 'or')}" if elsewhere else ""
        return f"{_PLUG_IN}{moved}."

    def _examine_twins(self, parts: list[Part]) -> Iterator[Finding]:
        """Yield which controllers of one make are used: only their ports tell them apart."""
        ports: defaultdict[str, list[str]] = defaultdict(list)
        makes: dict[str, str] = {}
        for port in dict.fromkeys(place_of(part.address).port for part in parts):
            if (device := self.driver.nodes.device_at(port)) is not None:
                ports[device.ids].append(port)
                makes[device.ids] = device.make
        for ids, places in ports.items():
            if len(places) > 1:
                found = f"{len(places)} of one make, at USB ports {join_words(places)}: each has to stay in its socket"
                yield ok("alike", makes[ids], found)


@dataclass(frozen=True, slots=True)
class ControllerStamps(Stamps):
    """Stamps of a controller, with its USB port."""

    port: str = ""


def _spell_wiring(one: Stamps, other: Stamps) -> str:
    assert isinstance(one, ControllerStamps)
    assert isinstance(other, ControllerStamps)
    return "on one controller" if one.port == other.port else "on two controllers"


def _spell_bound(node: EventNode) -> str:
    bound = f"± {uncertainty_of(node) / 1000:.1f} ms"
    return bound if node.interval_us is not None else f"{bound} at best, and nothing is stated of how late it comes"


DOCTOR = InputDoctor
