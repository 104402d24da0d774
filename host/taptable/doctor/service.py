"""Whether a table is running here already, by systemd's word and by the journal's lock, and whether it will start by
itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from taptable.config import Config
from taptable.core.errors import JournalError
from taptable.doctor.computer import Computer
from taptable.doctor.finding import Finding, fault, ok, skipped, warning
from taptable.memory.lock import holder_of

SERVICE = "taptable.service"

_PROPERTIES = (
    "LoadState",
    "ActiveState",
    "SubState",
    "UnitFileState",
    "MainPID",
    "NRestarts",
    "WatchdogUSec",
    "IPAddressAllow",
)
_START = "Start it, now and with the Pi: `sudo systemctl enable --now taptable`."
_PART = "service"


def holder(computer: Computer, config: Config) -> str | None:
    """Who has the devices of this table, in words; None if nobody has."""
    try:
        process = holder_of(config.table.journal)
    except JournalError:
        process = None  # closed to whoever asks: systemd knows
    if process is not None:
        return f"process {process}"
    unit = _unit(computer)
    return SERVICE if unit.get("ActiveState") in ("active", "activating", "reloading") else None


def examine_service(computer: Computer, held_by: str | None) -> Iterator[Finding]:
    """All of it."""
    unit = _unit(computer)
    if not unit:
        yield skipped("service", _PART, "no systemd answers here")
    elif unit.get("LoadState") == "not-found":
        todo = "Once the table is built: scripts/install. Until then `taptable run` starts it."
        yield skipped("service", _PART, f"{SERVICE} isn't installed", todo)
    else:
        yield _state(unit)
        yield _enabled(unit)
        yield _watchdog(unit)
    if held_by is None:
        yield ok("devices", _PART, "no table is running: the devices are free")
    else:
        todo = "To have all of it looked at: `sudo systemctl stop taptable`, then ask again."
        yield skipped("devices", _PART, f"the devices are in use by {held_by}", todo)


def shuts_out_networks(computer: Computer) -> bool:
    """Whether systemd keeps the networks around the table from the service, as one of an older installation does."""
    allowed = _unit(computer).get("IPAddressAllow", "")
    return bool(allowed) and "192.168.0.0/16" not in allowed


def _unit(computer: Computer) -> Mapping[str, str]:
    """The unit's properties; none where there is no systemd."""
    said = computer.ask(["systemctl", "show", SERVICE, f"--property={','.join(_PROPERTIES)}"])
    lines = (line.partition("=") for line in (said or "").splitlines())
    return {key: value for key, _, value in lines}


def _state(unit: Mapping[str, str]) -> Finding:
    state, restarts = unit.get("ActiveState", ""), unit.get("NRestarts", "0")
    look = "`journalctl -u taptable -b` says why."
    if state == "failed":
        return fault("service", _PART, f"{SERVICE} has failed", look)
    if state == "active" and restarts not in ("", "0"):
        return warning("service", _PART, f"{SERVICE} runs, after {restarts} restarts by systemd", look)
    if state == "active":
        return ok("service", _PART, f"{SERVICE} runs")
    if state == "activating":
        return warning("service", _PART, f"{SERVICE} starts again and again, or has only just begun", look)
    return ok("service", _PART, f"{SERVICE} is installed and stopped")


def _enabled(unit: Mapping[str, str]) -> Finding:
    if unit.get("UnitFileState") == "enabled":
        return ok("enabled", _PART, "it starts with the Pi")
    return warning("enabled", _PART, f"it doesn't start with the Pi ({unit.get('UnitFileState')})", _START)


def _watchdog(unit: Mapping[str, str]) -> Finding:
    every = unit.get("WatchdogUSec", "")
    if every in ("", "0", "infinity"):
        todo = "Run scripts/install again: it brings the unit with its watchdog."
        return warning("watchdog", _PART, "systemd doesn't watch whether it still runs", todo)
    return ok("watchdog", _PART, f"systemd starts it anew if it hangs for {every}")
