"""The examination of a table, group by group, in the order in which a table is built. Decides what is looked at; how is
the groups' own affair."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from taptable.core.errors import ConfigError
from taptable.daemon.devices import Openers
from taptable.doctor.brokers import examine_brokers
from taptable.doctor.buses import examine_buses
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, unseen
from taptable.doctor.kept import (
    examine_configuration,
    examine_decks,
    examine_journal,
    find_configuration,
    read_configuration,
)
from taptable.doctor.live import try_parts
from taptable.doctor.services import examine_page, examine_service, holder
from taptable.doctor.site import Site
from taptable.doctor.system import examine_system
from taptable.doctor.trial import Nobody, Somebody
from taptable.drivers.board.doctor import examine_boards
from taptable.drivers.gpio.doctor import examine_contacts, examine_pins
from taptable.drivers.oled.doctor import examine_display, examine_speech
from taptable.drivers.spi.doctor import examine_readers

Look: TypeAlias = Callable[[Site], Iterator[Finding] | AsyncIterator[Finding]]

CHECKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "system": ("model", "bits", "release", "version", "python", "supply", "user"),
        "config": ("config",),
        "service": ("service", "enabled", "watchdog", "limits", "update", "devices", "misses", "counts"),
        "pins": ("packages", "gpio-module", "gpio-device", "working-folder", "pin-factory"),
        "buses": ("spi", "i2c", "i2c-speed"),
        "readers": ("reader", "self-test", "field", "shared-wires"),
        "boards": (
            *("usb", "socket", "hello", "firmware", "gain", "board-reader", "counts", "health", "line", "clock"),
            *("order", "twins", "bootsel", "unnamed"),
        ),
        "display": ("display",),
        "contacts": ("button", "lamp", "sounder"),
        "speech": ("voice", "loudspeaker"),
        "decks": ("deck", "controls", "other-decks"),
        "journal": ("journal", "replay", "folder", "disk"),
        "page": ("page", "network", "name", "pairings"),
        "mqtt": ("broker", "open", "told", "bridge", "remark"),
        "live": ("press", "order", "lamps", "rings", "tune", "card", "gains", "sentence", "picture"),
    }
)
"""The groups in their order, and the names of the checks in each."""

LIVE = "live"
"""The group that takes somebody who stands at the table."""

BY_ITSELF = tuple(group for group in CHECKS if group != LIVE)
"""The groups that need nobody's help."""

_OF_A_TABLE: Mapping[str, Look] = MappingProxyType(
    {
        "service": examine_service,
        "pins": examine_pins,
        "buses": examine_buses,
        "readers": examine_readers,
        "boards": examine_boards,
        "display": examine_display,
        "contacts": examine_contacts,
        "speech": examine_speech,
        "decks": examine_decks,
        "journal": examine_journal,
        "page": examine_page,
        "mqtt": examine_brokers,
    }
)


@dataclass(frozen=True, slots=True)
class Patient:
    """Whom the doctor sees: the computer, how devices are opened on it, the configuration that was named, and who
    stands at the table."""

    computer: Computer
    openers: Openers
    named: Path | None = None
    somebody: Somebody = field(default_factory=Nobody)

    @property
    def can_be_tried(self) -> bool:
        """Is there a table whose devices are free?"""
        site = self.site()
        return site is not None and site.held_by is None

    def site(self) -> Site | None:
        """The table; None while its configuration can't be used."""
        file = find_configuration(self.named, self.computer)
        if file is None:
            return None
        try:
            config = read_configuration(file)
        except ConfigError:
            return None
        return Site(self.computer, self.openers, config, holder(self.computer, config))


async def examine(patient: Patient, groups: Collection[str] = BY_ITSELF) -> AsyncIterator[tuple[str, Finding]]:
    """Every finding of these groups, with its group, as soon as it is made. Where the configuration can't be used, what
    is wrong with it is found first, whatever was asked for."""
    site = patient.site()
    if site is None and not {"system", "config"}.issuperset(groups):
        groups = {*groups, "config"}
    for group in CHECKS:
        if group in groups:
            found = _examine(group, patient, site)
            if isinstance(found, AsyncIterator):
                async for finding in found:
                    yield group, finding
            else:
                for finding in found:
                    yield group, finding


def _examine(group: str, patient: Patient, site: Site | None) -> Iterator[Finding] | AsyncIterator[Finding]:
    if group == "system":
        return examine_system(patient.computer)
    if group == "config":
        return examine_configuration(find_configuration(patient.named, patient.computer))
    if site is None:
        return iter([unseen(CHECKS[group][0], group, "not looked at: the configuration can't be used")])
    if group == LIVE:
        return try_parts(site, patient.somebody)
    return _OF_A_TABLE[group](site)
