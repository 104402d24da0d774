"""What is examined: a table by its configuration, the computer it stands on, its drivers, and whether somebody has its
devices already."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.config import Config
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault
from taptable.drivers.interface import Driver, Part, PartRole
from taptable.drivers.registry import Drivers


@dataclass(frozen=True)
class ExaminedTable:
    """`held_by` says who has the devices (*process 812*), None if nobody has."""

    computer: Computer
    drivers: Drivers
    config: Config
    held_by: str | None = None

    def parts_of(self, driver: Driver, *roles: PartRole) -> list[Part]:
        """Return the parts of the table that a driver opens, or those of some roles."""
        return [part for part in self.config.parts_of(driver) if not roles or part.role in roles]

    @property
    def stop_advice(self) -> str:
        """What to do so that all can be looked at."""
        return "To have this looked at too, stop the table (`sudo systemctl stop taptable`) and ask again."


def access_problem(computer: Computer, path: str, name: str, part: str) -> Finding | None:
    """The fault, if whoever runs the table may not read and write what is at `path`; None if he may."""
    try:
        if computer.may_use(path):
            return None
        group = computer.group_of(path)
    except OSError as error:
        return fault(name, part, f"{path} can't be looked at: {error.strerror}", "Unplug it and plug it in again.")
    user = computer.table_user.name
    found = f"{path} is closed to {user}: it belongs to the group {group}"
    if group in ("root", "0"):
        return fault(name, part, found, "Install the package again: its udev rules give the device to a group.")
    again = (
        "log out and in again" if computer.table_user is computer.current_user else "`sudo systemctl restart taptable`"
    )
    return fault(name, part, found, f"`sudo usermod -aG {group} {user}`, then {again}.")
