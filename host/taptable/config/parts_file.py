"""``parts.toml``: the seats and the discard pad as people assigned them by touching the parts, beside the table's
journal, in the same keys as ``table.toml``. Reads its data, writes it whole and keeps the one before, and finds the
parts again that were plugged in elsewhere. Must not know how parts are assigned."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from taptable.core.errors import ConfigError
from taptable.drivers.interface import FoundPart
from taptable.drivers.usb_ports import is_port, port_order
from taptable.memory.durable import write_atomically, write_error_reason
from taptable.schema import checks
from taptable.schema.keys import Keys, Setting

PARTS_FILE, PREVIOUS = "parts.toml", "parts.toml.previous"
PARTS_SECTIONS = ("seats", "discard")
"""The sections of ``table.toml`` that this file may have instead."""

_HEAD = """\
# The parts of this table, as they were assigned by touching them. The program writes this file: `taptable seats`, or
# Parts on the page. The one before is parts.toml.previous. Sections of the same name in table.toml win over this file.
"""
_FOUND_HEAD = "# By these the parts are found again that are plugged in elsewhere.\n"


@dataclass(frozen=True, slots=True)
class AssignedSeat:
    """The parts of one seat by their addresses. `lamp` is "" if it has none."""

    pad: str
    button: str
    lamp: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """All of its addresses."""
        return tuple(filter(None, (self.pad, self.button, self.lamp)))


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """The device that a part is plugged in with, as `FoundPart` describes it, without its present address."""

    device: str
    number: int
    product: str
    serial: str
    roles: tuple[str, ...]
    label: str = ""

    @classmethod
    def of(cls, part: FoundPart) -> KnownDevice:
        """Return it for a part that was found."""
        roles = tuple(sorted(role.value for role in part.roles))
        return cls(part.device, part.number, part.product, part.serial, roles, part.label)


@dataclass(frozen=True, slots=True)
class AssignedParts:
    """The contents of the file. `discard` is the address of the discard pad, "" if ``table.toml`` has it. `known` are
    the devices of these addresses, as far as they were found by a driver."""

    seats: tuple[AssignedSeat, ...]
    discard: str
    known: Mapping[str, KnownDevice]

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of all parts, each once."""
        every = [address for seat in self.seats for address in seat.addresses]
        return tuple(dict.fromkeys([*every, *filter(None, [self.discard])]))


def parts_file_of(journal: Path) -> Path:
    """Return the path of the file at the table with this journal."""
    return journal.with_name(PARTS_FILE)


def previous_of(path: Path) -> Path:
    """Return the path of the file that was there before the one at `path`."""
    return path.with_name(PREVIOUS)


def table_lines(parts: AssignedParts) -> list[str]:
    """Return the lines for ``table.toml``."""
    lines: list[str] = []
    for seat in parts.seats:
        named = {"pad": seat.pad, "button": seat.button, "lamp": seat.lamp}
        lines += ["[[seats]]", *(f"{key} = {json.dumps(value)}" for key, value in named.items() if value), ""]
    if parts.discard:
        lines += ["[discard]", f"pad = {json.dumps(parts.discard)}", ""]
    return lines


def text_of(parts: AssignedParts) -> str:
    """Return the text of the file."""
    lines = table_lines(parts)
    for number, (address, known) in enumerate(parts.known.items()):
        lines += [_FOUND_HEAD.rstrip()] if number == 0 else []
        lines += [f"[found.{json.dumps(address)}]"]
        lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in _json_of(known).items()]
        lines.append("")
    return "\n".join([_HEAD, *lines]).rstrip() + "\n"


def _json_of(known: KnownDevice) -> dict[str, Any]:
    return {
        "device": known.device,
        "number": known.number,
        "product": known.product,
        "serial": known.serial,
        "roles": list(known.roles),
        "label": known.label,
    }


def write_parts(path: Path, text: str) -> None:
    """Write the file whole, and keep the one before as `previous_of` names it. Raises ConfigError if that is
    impossible: both files are as they were then."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if path.exists() else None

        def keep_previous() -> None:
            if before is not None and before != text.encode():
                write_atomically(previous_of(path), before, 0o644)

        write_atomically(path, text.encode(), 0o644, keep_previous)
    except OSError as error:
        reason = write_error_reason(path, error)
        raise ConfigError(f"{path} can't be written: {reason}. The table keeps the parts that it had.") from error


FOUND: Keys = {
    "device": Setting(checks.text_or_nothing, default=""),
    "number": Setting(checks.integer(1, 1000), default=1),
    "product": Setting(checks.text_or_nothing, default=""),
    "serial": Setting(checks.text_or_nothing, default=""),
    "roles": Setting(checks.text_list, default=()),
    "label": Setting(checks.text_or_nothing, default=""),
}
"""The keys of [found.<address>]."""


@dataclass(frozen=True, slots=True)
class Relocation:
    """The present places of the assigned parts: `parts` with their present addresses, those that `moved` (old address,
    new address), and those that are `missing`."""

    parts: AssignedParts
    moved: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]


def relocate(parts: AssignedParts, found: Sequence[FoundPart]) -> Relocation:
    """Find the assigned parts among those that are plugged in. A part that isn't at its address is the one with the
    same number on a device of the same make: that with the same serial number, or else the only device of the make
    that came, if only one is missing. A part of a device that stayed, such as a bus, is the only one of its kind that
    came there, if only one is missing."""
    present = {str(part.address): part for part in found}
    gone = {address: known for address, known in parts.known.items() if not _is_at(known, present.get(address))}
    devices = _moved_devices(parts, gone, found)
    free = [part for part in found if str(part.address) not in parts.known or str(part.address) in gone]
    moved: dict[str, str] = {}
    for address, known in gone.items():
        place = devices.get(known.device)
        same = [part for part in free if (part.device, part.number) == (place, known.number)]
        if place is None and sum(_kind_of(other) == _kind_of(known) for other in gone.values()) == 1:
            same = [part for part in free if part.device == known.device]
        same = [part for part in same if _is_at(known, part) and _kind_of(KnownDevice.of(part)) == _kind_of(known)]
        if len(same) == 1:
            moved[address] = str(same[0].address)
    missing = tuple(address for address in gone if address not in moved)
    return Relocation(_renamed(parts, moved, present), tuple(moved.items()), missing)


def twin_devices(parts: Iterable[KnownDevice | FoundPart]) -> tuple[tuple[str, ...], ...]:
    """Return the USB ports of devices that can't be distinguished, one tuple for each make: nothing but the socket says
    which is which. So nobody can know whether two of them were swapped."""
    ports: dict[tuple[str, str], set[str]] = {}
    for part in parts:
        if part.product and is_port(part.device):
            ports.setdefault((part.product, part.serial), set()).add(part.device)
    return tuple(tuple(sorted(each, key=port_order)) for each in ports.values() if len(each) > 1)


def _is_at(known: KnownDevice, part: FoundPart | None) -> bool:
    """Return whether the part at a known one's address is that one."""
    return part is not None and (not known.serial or part.serial == known.serial)


def _kind_of(known: KnownDevice) -> tuple[str, tuple[str, ...]]:
    return known.product, known.roles


def _moved_devices(
    parts: AssignedParts, gone: Mapping[str, KnownDevice], found: Sequence[FoundPart]
) -> Mapping[str, str]:
    """Return the present device of each one that was plugged in elsewhere, as far as that is certain."""
    gone_devices = {known.device: known for known in gone.values()}
    used = {known.device for address, known in parts.known.items() if address not in gone}
    came = {part.device: part for part in found if part.device not in used}
    makes = Counter(known.product for known in gone_devices.values())
    moved: dict[str, str] = {}
    for device, known in gone_devices.items():
        same = [each for each in came.values() if each.product == known.product and known.product]
        if known.serial:
            same = [each for each in same if each.serial == known.serial]
        if len(same) == 1 and (known.serial or makes[known.product] == 1):
            moved[device] = same[0].device
    return moved


def _renamed(parts: AssignedParts, moved: Mapping[str, str], present: Mapping[str, FoundPart]) -> AssignedParts:
    def now(address: str) -> str:
        return moved.get(address, address)

    seats = tuple(AssignedSeat(now(seat.pad), now(seat.button), now(seat.lamp)) for seat in parts.seats)
    known = {
        now(address): KnownDevice.of(present[now(address)]) if now(address) in present else device
        for address, device in parts.known.items()
    }
    return replace(parts, seats=seats, discard=now(parts.discard), known=MappingProxyType(known))


def parts_in(data: Mapping[str, Any]) -> AssignedParts:
    """Return what the file's checked data say."""
    keys = ("pad", "button", "lamp")
    seats = tuple(AssignedSeat(*(seat.get(key, "") for key in keys)) for seat in data.get("seats", ()))
    known = {
        address: KnownDevice(
            each.get("device", ""),
            each.get("number", 1),
            each.get("product", ""),
            each.get("serial", ""),
            tuple(each.get("roles", ())),
            each.get("label", ""),
        )
        for address, each in data.get("found", {}).items()
    }
    return AssignedParts(seats, data.get("discard", {}).get("pad", ""), MappingProxyType(known))


def known_devices(addresses: Iterable[str], found: Iterable[FoundPart]) -> Mapping[str, KnownDevice]:
    """Return the devices of these addresses, as far as they were found."""
    by_address = {str(part.address): KnownDevice.of(part) for part in found}
    return MappingProxyType({address: by_address[address] for address in addresses if address in by_address})
