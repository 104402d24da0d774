"""Who may use a device, said of one that is there."""

from __future__ import annotations

from taptable.doctor.computer import Computer
from taptable.doctor.finding import Finding, fault


def closed(computer: Computer, path: str, name: str, part: str) -> Finding | None:
    """The fault, if whoever runs the table may not read and write what is at `path`; None if he may."""
    try:
        if computer.may_use(path):
            return None
        group = computer.group_of(path)
    except OSError as error:
        return fault(name, part, f"{path} can't be looked at: {error.strerror}", "Unplug it and plug it in again.")
    user = computer.player.name
    found = f"{path} is closed to {user}: it belongs to the group {group}"
    if group in ("root", "0"):
        return fault(name, part, found, "Run scripts/install again: its udev rules give the device to a group.")
    again = "log out and in again" if computer.player is computer.me else "`sudo systemctl restart taptable`"
    return fault(name, part, found, f"`sudo usermod -aG {group} {user}`, then {again}.")
