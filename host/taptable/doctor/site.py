"""The table under examination: its configuration, the computer it runs on, its drivers, and whether its devices are in
use. Each group's examination gets it; it must not know what they examine."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.config import Config
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault
from taptable.drivers.interface import Driver, Part, PartRole
from taptable.drivers.registry import Drivers


@dataclass(frozen=True)
class ExaminedTable:
    """The table under examination. `held_by` says who uses its devices (*process 812*), None if nobody does."""

    computer: Computer
    drivers: Drivers
    config: Config
    held_by: str | None = None

    def parts_of(self, driver: Driver, *roles: PartRole) -> list[Part]:
        """Return the parts of the table that a driver opens, or only those of some roles."""
        return [part for part in self.config.parts_of(driver) if not roles or part.role in roles]

    @property
    def stop_advice(self) -> str:
        """The advice to stop the table, so that everything can be examined."""
        return "To examine this too, stop the table (`sudo systemctl stop taptable`) and run the doctor again."


def access_problem(computer: Computer, path: str, name: str, part: str) -> Finding | None:
    """Return the fault if the table's user may not read and write `path`; None if they may."""
    try:
        if computer.may_use(path):
            return None
        group = computer.group_of(path)
    except OSError as error:
        return fault(name, part, f"{path} can't be examined: {error.strerror}", "Unplug it and plug it in again.")
    user = computer.table_user.name
    found = f"{user} may not use {path}: it belongs to the group {group}"
    if group in ("root", "0"):
        return fault(name, part, found, "Reinstall the package: its udev rules assign the device to a group.")
    again = (
        "log out and in again" if computer.table_user is computer.current_user else "`sudo systemctl restart taptable`"
    )
    return fault(name, part, found, f"`sudo usermod -aG {group} {user}`, then {again}.")
