"""Whether a table is running here already, by systemd's word and by the journal's lock, what it misses by its own word,
and whether it and its page will start by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from taptable.api.client import Client
from taptable.api.places import folder_of, socket_of
from taptable.api.requests import Role
from taptable.config import Config
from taptable.core.errors import JournalError, TaptableError
from taptable.core.notices import ButtonStuck, PartLost
from taptable.doctor.computer import Computer
from taptable.doctor.finding import Finding, fault, ok, skipped, warning
from taptable.doctor.site import Site
from taptable.memory.lock import holder_of
from taptable.referee.notes import parse_note
from taptable.words import Words

SERVICE, PAGE_SERVICE = "taptable.service", "taptable-page.service"

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
_PART, _PAGE = "service", "page"
_PATIENCE_S = 5.0
_LOOK = "`journalctl -u taptable -b` says why."


def holder(computer: Computer, config: Config) -> str | None:
    """Who has the devices of this table, in words; None if nobody has."""
    try:
        process = holder_of(config.table.journal)
    except JournalError:
        process = None  # closed to whoever asks: systemd knows
    if process is not None:
        return f"process {process}"
    return SERVICE if is_active(computer, SERVICE) else None


def is_active(computer: Computer, unit: str) -> bool:
    """Does systemd have it running, or on the way there?"""
    return _unit(computer, unit).get("ActiveState") in ("active", "activating", "reloading")


def examine_service(site: Site) -> Iterator[Finding]:
    """All of it."""
    unit = _unit(site.computer, SERVICE)
    if not unit:
        yield skipped("service", _PART, "no systemd answers here")
    else:
        yield from _service(unit, SERVICE, _PART, "taptable run")
        if unit.get("LoadState") != "not-found":
            yield _watchdog(unit)
        if site.config.page is not None:
            yield from _service(_unit(site.computer, PAGE_SERVICE), PAGE_SERVICE, _PAGE, "taptable page")
            yield _limits(site.computer)
    if site.held_by is None:
        yield ok("devices", _PART, "no table is running: the devices are free")
        return
    todo = "To have all of it looked at: `sudo systemctl stop taptable`, then ask again."
    yield skipped("devices", _PART, f"the devices are in use by {site.held_by}", todo)
    yield from _misses(site)


def shuts_out_networks(computer: Computer) -> bool:
    """Whether systemd keeps the networks around the table from the page, as one of an older installation does."""
    allowed = _unit(computer, PAGE_SERVICE).get("IPAddressAllow", "")
    return bool(allowed) and "192.168.0.0/16" not in allowed


def _unit(computer: Computer, name: str) -> Mapping[str, str]:
    """A unit's properties; none where there is no systemd."""
    said = computer.ask(["systemctl", "show", name, f"--property={','.join(_PROPERTIES)}"])
    lines = (line.partition("=") for line in (said or "").splitlines())
    return {key: value for key, _, value in lines}


def _service(unit: Mapping[str, str], name: str, part: str, command: str) -> Iterator[Finding]:
    """How a service fares, and whether it starts with the Pi."""
    if unit.get("LoadState") == "not-found":
        todo = f"Once the table is built: scripts/install. Until then `{command}` starts it."
        yield skipped("service", part, f"{name} isn't installed", todo)
        return
    yield _state(unit, name, part)
    if unit.get("UnitFileState") == "enabled":
        yield ok("enabled", part, "it starts with the Pi")
    else:
        todo = f"Start it, now and with the Pi: `sudo systemctl enable --now {name.removesuffix('.service')}`."
        yield warning("enabled", part, f"it doesn't start with the Pi ({unit.get('UnitFileState')})", todo)


def _state(unit: Mapping[str, str], name: str, part: str) -> Finding:
    state, restarts = unit.get("ActiveState", ""), unit.get("NRestarts", "0")
    look = f"`journalctl -u {name.removesuffix('.service')} -b` says why."
    if state == "failed":
        return fault("service", part, f"{name} has failed", look)
    if state == "active" and restarts not in ("", "0"):
        return warning("service", part, f"{name} runs, after {restarts} restarts by systemd", look)
    if state == "active":
        return ok("service", part, f"{name} runs")
    if state == "activating":
        return warning("service", part, f"{name} starts again and again, or has only just begun", look)
    return ok("service", part, f"{name} is installed and stopped")


def _watchdog(unit: Mapping[str, str]) -> Finding:
    every = unit.get("WatchdogUSec", "")
    if every in ("", "0", "infinity"):
        todo = "Run scripts/install again: it brings the unit with its watchdog."
        return warning("watchdog", _PART, "systemd doesn't watch whether it still runs", todo)
    return ok("watchdog", _PART, f"systemd starts it anew if it hangs for {every}")


def _limits(computer: Computer) -> Finding:
    """Does what the unit says of the page's memory hold?"""
    if "memory" in (computer.text("/sys/fs/cgroup/cgroup.controllers") or "").split():
        return ok("limits", _PAGE, "the kernel sees to it that it takes no more memory than it may")
    todo = "Write `cgroup_enable=memory` at the end of the line in /boot/firmware/cmdline.txt, then `sudo reboot`."
    return warning(
        "limits", _PAGE, "the kernel keeps no account of memory: of its limits only a coarse one holds", todo
    )


def _misses(site: Site) -> Iterator[Finding]:
    """What the table that runs says of its parts."""
    path = socket_of(folder_of(site.config.table.journal), Role.ADMIN)
    try:
        with Client(path, _PATIENCE_S) as client:
            told = next(client.subscribe("alerts"))["alerts"]
    except TaptableError as error:
        if isinstance(error.__cause__, PermissionError):
            yield skipped("misses", "table", f"{path} is closed to {site.computer.me.name}")
        else:
            yield fault("misses", "table", f"the table that runs can't be asked: {error}", _LOOK)
        return
    words, notices = Words("en"), [parse_note(alert.notice) for alert in told]
    wrong = [notice for notice in notices if isinstance(notice, PartLost | ButtonStuck)]
    if not wrong:
        yield ok("misses", "table", "the table that runs misses nothing")
    for notice in wrong:
        part = notice.part if isinstance(notice, PartLost) else f"button {notice.seat}"
        yield fault("misses", part, f"the table that runs says: {words.notice(notice)}", site.stop_it)
