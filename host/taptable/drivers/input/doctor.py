"""Examines buttons of controllers on USB: whether the controller is plugged in at its port, its driver is loaded, it
has the key, and the table gets exclusive use of it; and how late its presses may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from taptable.doctor.drivers import DriverDoctor, Look, Stamps
from taptable.doctor.findings import Figures, Finding, fault, ok, skipped, unseen, warning
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
    "With the package, install it again: its udev rule gives the table the right to use controllers. Without it,"
    " `taptable seats` offers to write that rule. A make that the rule doesn't list needs a line of its own: see"
    " docs/service.md, *Controllers on USB*."
)
_RELEASE = (
    "If nobody is pressing it, connect it to the button's normally open contact (NO), and look for a jammed button."
)
_LOAD = "`sudo modprobe hid-sony`, then plug it in again. If there is no such module, use a kernel that has it."
_DOUBLE = "its device has this key {count} times, and only one of them counts, that of /dev/input/{name}"
_OTHER_HALF = (
    "If the button does nothing, connect it to the other half of its board. To use both halves, take a board of its own"
    " for each."
)
_OTHER_PROGRAM = "End that program: a game, an emulator, or another table."


class InputDoctor(DriverDoctor[InputDriver]):
    """Examines buttons of controllers."""

    def __init__(self, driver: InputDriver) -> None:
        super().__init__(driver)
        self.looks = (Look(80, "controllers", ("controller", "key", "keyboard", "double", "alike"), self.examine),)

    def examine(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine the controller and the key of every button."""
        parts = site.parts_of(self.driver)
        if not parts:
            yield skipped("controller", "controllers", "the table has no buttons on controllers")
        for part in parts:
            yield from self._examine_button(site, part)
        yield from self._examine_twins(parts)

    def contact(self, part: Part) -> str:
        """Return where to look when no press arrives."""
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
            found = "its device is a keyboard: typing presses it too, and other programs receive each press"
            yield warning("keyboard", part.name, found, "If you can, use a controller that isn't a keyboard.")
        same = [each for each in self.driver.nodes.at(place.port) if place.code in each.keys]
        if len(same) > 1:
            yield warning("double", part.name, _DOUBLE.format(count=len(same), name=node.node.name), _OTHER_HALF)
        yield self._examine_node(site, part, node).with_figures(*self._figures_of(node))

    def _examine_node(self, site: ExaminedTable, part: Part, node: EventNode) -> Finding:
        user = site.computer.table_user
        node_file = self.driver.access.root / "dev/input" / node.node.name
        try:
            is_forbidden = user is not site.computer.current_user and not site.computer.may_access(node_file, 4)
        except OSError as error:
            return fault("controller", part.name, spell_trouble(error, node.node.port), f"{_PLUG_IN}.")
        if is_forbidden:
            found = f"the user {user.name} has no right to read /dev/input/{node.node.name}"
            return fault("controller", part.name, found, _RULE)
        if site.held_by is not None:
            return unseen("controller", part.name, f"in use by {site.held_by}", site.stop_advice)
        return self._try_to_open(part, node)

    def _figures_of(self, node: EventNode) -> tuple[Figures, Figures]:
        """Return what was read about a device, and what is stated of its presses."""
        device = self.driver.nodes.device_at(node.node.port)
        read: Figures = {} if device is None else device.figures
        interval = {} if node.interval_us is None else {"interval_ms": node.interval_us / 1_000}
        return {**read, **interval}, {"stamp_uncertainty_us": uncertainty_of(node)}

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
            return fault("key", part.name, "it reads as pressed", _RELEASE)
        plugged = self.driver.nodes.device_at(node.node.port)
        name = "a controller" if plugged is None else plugged.spelled
        return ok("controller", part.name, f"{name}, not pressed; its presses are accurate to {_spell_bound(node)}")

    def _advise(self, error: Missing, part: Part) -> str:
        """Return the advice about a button that isn't there."""
        place, nodes = place_of(part.address), self.driver.nodes
        if isinstance(error, NoDriver):
            return _LOAD
        if isinstance(error, NoKey):
            keys = sorted({code for node in nodes.at(place.port) for code in node.keys})
            return f"Use one of its keys in the address: {join_words([key_name(code) for code in keys[:24]], 'or')}."
        elsewhere = [
            f'"input:{device.port}/{key_name(code)}"' for device, _, code in nodes.buttons() if code == place.code
        ]
        moved = f", or use its present address: {join_words(elsewhere, 'or')}" if elsewhere else ""
        return f"{_PLUG_IN}{moved}."

    def _examine_twins(self, parts: list[Part]) -> Iterator[Finding]:
        """Yield the makes of which several controllers are used: the addresses know only their ports."""
        ports: defaultdict[str, list[str]] = defaultdict(list)
        makes: dict[str, str] = {}
        serials: defaultdict[str, set[str]] = defaultdict(set)
        for port in dict.fromkeys(place_of(part.address).port for part in parts):
            if (device := self.driver.nodes.device_at(port)) is not None:
                ports[device.ids].append(port)
                makes[device.ids] = device.make
                serials[device.ids].add(device.serial)
        for ids, places in ports.items():
            if len(places) > 1:
                found = f"{len(places)} of one make, at USB ports {join_words(places)}"
                if len(serials[ids]) < len(places):
                    found = f"{found}, and no serial numbers distinguish them: nobody notices if two are swapped"
                yield ok("alike", makes[ids], f"{found}. Leave each in its socket.")


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
    return bound if node.interval_us is not None else f"{bound} at best: how late they may come is unknown"


DOCTOR = InputDoctor
