"""The report of an examination, for people who compare tables: one TOML document with the kinds of parts, versions,
figures and results. It takes nothing from the sentences of findings, and only what it knows to be harmless from
everything else: the report must not know a name, an address, or the number of a card or a device."""

from __future__ import annotations

import datetime
import json
import math
import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, cast

from taptable import __version__
from taptable.config import Config
from taptable.core.device_events import part_name
from taptable.core.errors import ConfigError
from taptable.doctor.computer import Computer
from taptable.doctor.drivers import DriverDoctor, doctors_of
from taptable.doctor.examination import CHECKS, Patient
from taptable.doctor.findings import Figures, Finding
from taptable.drivers.interface import Driver, Part
from taptable.memory.durable import write_atomically, write_error_reason

WITHHELD = "withheld"
"""Stands for a text or number that isn't known to be harmless."""

_TEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .,;'+()_-]{0,79}")
_TELLTALE = re.compile(r"[0-9A-Fa-f]{8}|\d+\.\d+\.\d+\.\d+")
"""Digits as in the number of a card, a board or a network."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_KERNEL = re.compile(r"\d+(?:\.\d+)+(?:[+-](?:rpt|rpi|v\d\w?|2712|arm64|amd64|cloud|deb\d+u?\d*|\d{1,3})\b)*")
_MANY = 100_000_000
"""A number from here on may be the number of a card or a device."""
_NO_NAMES = ("game", "scoreboard")
"""Sections of the configuration in which nobody types a name."""
_SECRET_LENGTH = 3
_PART = re.compile(
    "boards|bridge|buttons|computer|controllers|deck|drivers|journal|lamps|league|mqtt|oled|page|pads|pins|power button"
    r"|readers|rings|service|sounder|speech|table|table\.toml|USB"
    r"|(?:I²C|SPI) bus \d{1,2}|(?:pad|board|button|lamp) \d{1,2}"
)
"""Names of parts that don't depend on the configuration."""
_ON_I2C = re.compile(r"0x[0-9a-f]{2}")
"""An address on I2C, which many tables share."""
_SYSTEMS = ("debian", "raspbian", "ubuntu")

_ABOUT = """\
# What `taptable doctor` found at a table. It has no names, no numbers of cards or boards, and no addresses.
# Read it, fill in by_hand, and send it as docs/on-real-parts.md describes. docs/doctor.md explains the checks.
#   result    what each check found: ok, warning, fault, skipped (nothing to check), unseen (it couldn't be checked)
#   measured  counted, timed, read from the part or seen by a person during this run
#   modelled  the same in a simulation: it says nothing about real parts
#   stated    what the program or the configuration says: nobody measured it
"""
_BY_HAND = """\
[by_hand]
readers = ""                   # make, and where they were bought
buttons_and_lamps = ""
display = ""
between_card_and_reader = ""   # cloth, wood: material and mm
leads_and_hubs = ""            # lengths, makes
remarks = ""
"""


@dataclass
class _Examined:
    """The results and figures of one part."""

    driver: str = ""
    results: dict[str, str] = field(default_factory=dict[str, str])
    measured: dict[str, Figures] = field(default_factory=dict[str, Figures])
    stated: dict[str, Figures] = field(default_factory=dict[str, Figures])


class TableReport:
    """Collects the findings of one run. `day` is the date that it states."""

    def __init__(self, patient: Patient, day: datetime.date) -> None:
        self._patient = patient
        self._day = day
        self._groups: list[str] = []
        self._parts: dict[str, _Examined] = {}
        self._own_names = {*patient.drivers.kinds}
        site = patient.site()
        self._secrets = _secrets_of(patient.computer, site and site.config, patient.drivers.kinds)
        if site is not None:
            self._own_names |= {part_name("board", pad) for pad in site.config.all_pads}
            doctors = doctors_of(patient.drivers)
            for part in site.config.parts:
                described = _describe(doctors[part.address.kind], part)
                self._parts[part.name] = _Examined(
                    part.address.kind, stated={"configured": described} if described else {}
                )
            self._own_names |= {*self._parts}

    def add(self, group: str, finding: Finding) -> None:
        """Add a finding. Several findings of one check about one part get numbers."""
        if group not in self._groups:
            self._groups.append(group)
        examined = self._parts.setdefault(self._part_name(finding.part), _Examined())
        name = finding.name if any(finding.name in names for names in CHECKS.values()) else "other"
        key, count = name, 1
        while key in examined.results:
            count += 1
            key = f"{name}-{count}"
        examined.results[key] = "unseen" if finding.unseen else finding.state
        if finding.measured:
            examined.measured[key] = finding.measured
        if finding.stated:
            examined.stated[key] = finding.stated

    def render(self, *, is_complete: bool) -> str:
        """Return the document. `is_complete`: the examination ended by itself."""
        models = self._patient.drivers.are_models
        lines = [_ABOUT]
        if models:
            lines.append("# Models, no real parts: this is a simulation.")
        if not is_complete:
            lines.append("# Incomplete: the examination was stopped. Checks that aren't listed were not made.")
        lines += [
            "report = 1",
            f'taptable = "{__version__}"',
            f"day = {self._day.isoformat()}",
            f'parts = "{"models, no real parts" if models else "real"}"',
            f"complete = {_spell(is_complete)}",
            f"groups = {_spell(self._groups)}",
            "",
            _BY_HAND,
            "[computer]",
            *(f"{key} = {_spell(value)}" for key, value in _computer_facts(self._patient.computer)),
        ]
        for name, examined in self._parts.items():
            lines += ["", "[[examined]]", *self._examined_lines(name, examined, "modelled" if models else "measured")]
        return "\n".join(lines) + "\n"

    def _examined_lines(self, name: str, examined: _Examined, measured: str) -> Iterator[str]:
        yield f"part = {_spell(name)}"
        if examined.driver:
            yield f"driver = {_spell(examined.driver)}"
        if examined.results:
            yield f"result = {_inline(examined.results)}"
        for kind, by_check in ((measured, examined.measured), ("stated", examined.stated)):
            for check, figures in by_check.items():
                harmless = {key: self._harmless(value) for key, value in figures.items() if is_figure_name(key)}
                yield f"{kind}.{check} = {_inline(harmless)}"

    def _part_name(self, name: str) -> str:
        """Return a part's name if it is one that taptable gives, and otherwise *other*: it may be a file's."""
        return name if name in self._own_names or _PART.fullmatch(name) else "other"

    def _harmless(self, value: object) -> object:
        """Return a figure if it can't identify anybody, and otherwise `WITHHELD`."""
        is_secret = isinstance(value, str) and not self._secrets.isdisjoint(_words(value))
        return value if is_harmless(value) and not is_secret else WITHHELD


def is_harmless(value: object) -> bool:
    """Return whether a figure has the form of a version, a setting or a measurement, and not that of a name, a path or
    the number of a card or a device."""
    if isinstance(value, int | float):
        return math.isfinite(value) and abs(value) < _MANY
    if isinstance(value, str):
        return _TEXT.fullmatch(value) is not None and _TELLTALE.search(value) is None
    return isinstance(value, list | tuple) and all(
        isinstance(each, int) and is_harmless(each) for each in cast("Sequence[object]", value)
    )


def is_figure_name(name: str) -> bool:
    """Return whether the report takes a figure with this name."""
    return _KEY.fullmatch(name) is not None


def _describe(doctor: DriverDoctor[Driver], part: Part) -> Figures:
    try:
        return doctor.describe(part)
    except Exception:  # a driver of another package may fail in any way, and the report is about the others too
        return {}


def _spell(value: object) -> str:
    """Return a harmless value as TOML, a number with three decimals at most."""
    return json.dumps(round(value, 3) if isinstance(value, float) else value, ensure_ascii=False)


def _inline(values: Mapping[str, object]) -> str:
    return "{ " + ", ".join(f"{key} = {_spell(value)}" for key, value in values.items()) + " }"


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"[\W_]+", text.lower()) if len(word) >= _SECRET_LENGTH}


def _secrets_of(computer: Computer, config: Config | None, kinds: Iterable[str]) -> frozenset[str]:
    """Return the words of all names that the doctor knows: those in the configuration, except of its game and display,
    and those of computer and users."""
    names = [platform.node(), computer.local_name(), computer.current_user.name, computer.table_user.name]
    if config is not None:
        names += _texts([getattr(config, each.name) for each in fields(config) if each.name not in _NO_NAMES])
    words = {word for name in names for word in _words(name)} - {*kinds}
    return frozenset(word for word in words if not _ON_I2C.fullmatch(word))


def _texts(value: object) -> Iterator[str]:
    """Yield all texts and paths within a value of the configuration."""
    if isinstance(value, str | Path):
        yield str(value)
    elif is_dataclass(value):
        yield from _texts([getattr(value, each.name) for each in fields(value)])
    elif isinstance(value, Mapping):
        yield from _texts([*cast("Mapping[Any, object]", value).items()])
    elif isinstance(value, Sequence):
        for each in cast("Sequence[object]", value):
            yield from _texts(each)


def _computer_facts(computer: Computer) -> Iterator[tuple[str, str | int]]:
    """Yield model and versions of the computer, each only if it is one that many people have."""
    lines = (line.partition("=") for line in (computer.text("/etc/os-release") or "").splitlines())
    released = {key: value.strip("\"'") for key, _, value in lines}
    system, codename = released.get("ID", ""), released.get("VERSION_CODENAME", "")
    kernel = _KERNEL.match(computer.text("/proc/sys/kernel/osrelease") or "")
    model = computer.model or "not a Raspberry Pi"
    yield "model", model if is_harmless(model) else "Raspberry Pi"
    yield "bits", computer.bits
    yield "system", f"{system} {codename}".strip() if system in _SYSTEMS and _KEY.fullmatch(codename) else "another"
    yield "kernel", kernel[0] if kernel else "unknown"
    yield "python", platform.python_version()


def check_target(file: Path, *, force: bool) -> None:
    """Raise ConfigError if a report can't be written to this file, or would replace one without `force`."""
    if file.is_dir():
        raise ConfigError(f"--report takes a file, and {file} is a folder.")
    if not file.parent.is_dir():
        raise ConfigError(f"The report can't be written: there is no folder {file.parent}.")
    if not os.access(file.parent, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise ConfigError(f"The report can't be written: you have no right to write to the folder {file.parent}.")
    if not force and (file.exists() or file.is_symlink()):
        raise ConfigError(f"{file} exists already: name another file, or add --force to replace it.")


def write_report(file: Path, text: str, *, force: bool) -> None:
    """Write a report whole, or raise ConfigError with the reason."""
    check_target(file, force=force)
    try:
        write_atomically(file, text.encode())
    except OSError as error:
        raise ConfigError(f"The report can't be written to {file}: {write_error_reason(file, error)}.") from error
