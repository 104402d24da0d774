"""The examination of a table, group by group, in the order in which a table is built: decides what is examined, and in
which order. The groups' modules, and the doctors of the drivers, know how; this one must not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from taptable.core.errors import ConfigError
from taptable.doctor.brokers import examine_brokers
from taptable.doctor.computer import Computer
from taptable.doctor.drivers import (
    Look,
    doctors_of,
    examine_drivers,
    examine_limits,
    examine_place,
    needs_another_computer,
)
from taptable.doctor.findings import Finding, unseen
from taptable.doctor.live import try_parts
from taptable.doctor.press_order import examine_order
from taptable.doctor.rules import examine_rules
from taptable.doctor.services import examine_page, examine_service, holder
from taptable.doctor.site import ExaminedTable
from taptable.doctor.speech import examine_speech
from taptable.doctor.storage import (
    examine_configuration,
    examine_decks,
    examine_journal,
    find_configuration,
    read_configuration,
)
from taptable.doctor.system import examine_system
from taptable.doctor.trial import Nobody, Somebody
from taptable.drivers.registry import Drivers, installed_drivers

_Findings: TypeAlias = Iterator[Finding] | AsyncIterator[Finding]

_BEFORE_A_TABLE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "system": ("model", "bits", "release", "version", "python", "supply", "user", "rules"),
        "config": ("config", "drivers", "pi", "abilities"),
    }
)
"""The groups that need no usable configuration, with their checks."""
LIVE = "live"
"""The group that needs somebody at the table."""
_LIVE_CHECKS = ("press", "order", "lamps", "rings", "tune", "card", "gains", "sentence", "picture")
"""The checks of the group `LIVE`."""


def all_looks(drivers: Drivers) -> list[Look]:
    """Return all looks at a table that need nobody's help, in their order."""
    doctors = doctors_of(drivers)
    looks = [
        Look(
            30,
            "service",
            ("service", "enabled", "watchdog", "limits", "update", "devices", "misses", "counts"),
            examine_service,
        ),
        Look(71, "boards", ("order",), lambda site: examine_order(site, doctors)),
        Look(100, "speech", ("voice", "loudspeaker"), examine_speech),
        Look(110, "decks", ("deck", "controls", "other-decks"), examine_decks),
        Look(120, "journal", ("journal", "replay", "folder", "disk"), examine_journal),
        Look(130, "page", ("page", "network", "name", "pairings"), examine_page),
        Look(140, "mqtt", ("broker", "open", "told", "bridge", "remark"), examine_brokers),
        *(replace(look, needs_pi=drivers[kind].needs_pi) for kind, doctor in doctors.items() for look in doctor.looks),
    ]
    return sorted(looks, key=lambda look: look.step)


def _checks() -> Mapping[str, tuple[str, ...]]:
    checks = dict(_BEFORE_A_TABLE)
    for look in all_looks(installed_drivers()):
        checks[look.group] = (*checks.get(look.group, ()), *look.checks)
    once = {group: tuple(dict.fromkeys(names)) for group, names in checks.items()}  # drivers share some
    return MappingProxyType({**once, LIVE: _LIVE_CHECKS})


CHECKS: Mapping[str, tuple[str, ...]] = _checks()
"""The groups in the order in which a table is built, with the names of their checks."""

UNATTENDED_GROUPS = tuple(group for group in CHECKS if group != LIVE)
"""The groups that need nobody's help."""


@dataclass(frozen=True, slots=True)
class Patient:
    """The subject of an examination: a computer with its installed drivers, and the table of the configuration that was
    named. `somebody` is the person who helps; by default nobody does."""

    computer: Computer
    drivers: Drivers
    config_file: Path | None = None
    somebody: Somebody = field(default_factory=Nobody)

    @property
    def can_be_tried(self) -> bool:
        """Whether there is a table whose devices are free."""
        site = self.site()
        return site is not None and site.held_by is None

    def site(self) -> ExaminedTable | None:
        """Return the table; None while its configuration can't be used."""
        file = find_configuration(self.config_file, self.computer)
        if file is None:
            return None
        try:
            config = read_configuration(file)
        except ConfigError:
            return None
        return ExaminedTable(self.computer, self.drivers, config, holder(self.computer, config))


async def examine(patient: Patient, groups: Collection[str] = UNATTENDED_GROUPS) -> AsyncIterator[tuple[str, Finding]]:
    """Yield every finding of these groups, with its group, as soon as it is made. If the configuration can't be used at
    all, or not on this computer, that comes first, even if its group wasn't requested."""
    site = patient.site()
    looks = all_looks(patient.drivers)
    if site is None:
        is_concerned = not {"system", "config"}.issuperset(groups)
    elif needs_another_computer(site):
        is_concerned = any(look.needs_pi for look in looks if look.group in groups)
    else:
        is_concerned = False
    if is_concerned:
        groups = {*groups, "config"}
    if patient.computer.model is None:
        looks = [look for look in looks if not look.needs_pi]
    for group in CHECKS:
        if group in groups:
            for found in _examine(group, patient, site, looks):
                if isinstance(found, AsyncIterator):
                    async for finding in found:
                        yield group, finding
                else:
                    for finding in found:
                        yield group, finding


def _examine(group: str, patient: Patient, site: ExaminedTable | None, looks: Sequence[Look]) -> Iterator[_Findings]:
    if group == "system":
        yield examine_system(patient.computer)
        yield examine_rules(patient.computer, patient.drivers)
    elif group == "config":
        yield examine_configuration(find_configuration(patient.config_file, patient.computer))
        yield examine_drivers(patient.drivers)
        if site is not None:
            yield examine_place(site)
            yield examine_limits(site)
    elif site is None:
        yield iter([unseen(CHECKS[group][0], group, "not examined: the configuration can't be used")])
    elif group == LIVE:
        yield try_parts(site, patient.somebody)
    else:
        for look in looks:
            if look.group == group:
                yield look.examine(site)
