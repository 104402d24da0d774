"""The services of table, page and bridge: whether they run and start by themselves, as systemd and the journal's lock
say; what a running table misses, as its local API says; whether the page reaches the table, or its port is free; and,
if phones may use the page, where they find it. Starts and stops nothing."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing

from taptable import __version__
from taptable.api.client import Client
from taptable.api.errors import RequestError
from taptable.api.requests import Readers, Role
from taptable.api.socket_paths import socket_folder, socket_path
from taptable.config import Config
from taptable.core.device_events import part_name
from taptable.core.errors import JournalError, PairingsError, TaptableError
from taptable.core.part_notices import ButtonStuck, PartLost
from taptable.doctor.computer import Computer
from taptable.doctor.drivers import judge_counts
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.site import ExaminedTable
from taptable.doctor.storage import folder_access_problem
from taptable.drivers.reader_health import ReaderHealth
from taptable.memory.journal import lock_holder
from taptable.memory.pairings import Pairings, pairings_file_of
from taptable.memory.update_check import last_check
from taptable.page.listening import LOOPBACK
from taptable.referee.notes import parse_notice
from taptable.words import Words

SERVICE, PAGE_SERVICE, BRIDGE_SERVICE = "taptable.service", "taptable-page.service", "taptable-bridge.service"
"""The units of systemd that the package installs."""

_PROPERTIES = ("LoadState", "ActiveState", "UnitFileState", "NRestarts", "WatchdogUSec")
"""The properties of a unit that the doctor reads."""
_PART, _PAGE, _BRIDGE = "service", "page", "bridge"
_PATIENCE_S = 5.0
"""Seconds to wait for an answer of the table or the page."""
_LOGS_ADVICE = "`journalctl -u taptable -b` says why."


def holder(computer: Computer, config: Config) -> str | None:
    """Return who uses the devices of this table, in words; None if nobody does."""
    try:
        process = lock_holder(config.table.journal)
    except JournalError:
        process = None  # no permission to ask: systemd knows
    if process is not None:
        return f"process {process}"
    return SERVICE if is_active(computer, SERVICE) else None


def is_active(computer: Computer, unit: str) -> bool:
    """Return whether systemd has started a unit, or is starting it."""
    return _unit(computer, unit).get("ActiveState") in ("active", "activating", "reloading")


def examine_service(site: ExaminedTable) -> Iterator[Finding]:
    """Examine the services and the running table."""
    unit = _unit(site.computer, SERVICE)
    if not unit:
        yield skipped("service", _PART, "systemd doesn't run here")
    else:
        yield from _service(unit, SERVICE, _PART, "taptable run")
        if unit.get("LoadState") != "not-found":
            yield _watchdog(unit)
        if site.config.page is not None:
            yield from _service(_unit(site.computer, PAGE_SERVICE), PAGE_SERVICE, _PAGE, "taptable page")
            yield _limits(site.computer)
        if site.config.mqtt is not None or site.config.league is not None:
            yield from _service(_unit(site.computer, BRIDGE_SERVICE), BRIDGE_SERVICE, _BRIDGE, "taptable bridge")
    yield _update(site)
    if site.held_by is None:
        yield ok("devices", _PART, "no table is running: the devices are free")
        return
    todo = "To examine them, stop the table (`sudo systemctl stop taptable`) and run the doctor again."
    yield unseen("devices", _PART, f"the devices are in use by {site.held_by}", todo)
    yield from _examine_running_table(site)


def _unit(computer: Computer, name: str) -> Mapping[str, str]:
    """Return a unit's properties; none without systemd."""
    output = computer.read_output(["systemctl", "show", name, f"--property={','.join(_PROPERTIES)}"])
    lines = (line.partition("=") for line in (output or "").splitlines())
    return {key: value for key, _, value in lines}


def _service(unit: Mapping[str, str], name: str, part: str, command: str) -> Iterator[Finding]:
    """Yield a service's state, and whether it starts at boot."""
    if unit.get("LoadState") == "not-found":
        todo = f"Once the table is built: install its package. Until then `{command}` starts it."
        yield skipped("service", part, f"{name} isn't installed", todo)
        return
    yield _state(unit, name, part)
    if unit.get("UnitFileState") == "enabled":
        yield ok("enabled", part, "it starts at boot")
    else:
        todo = f"Start it now and at every boot: `sudo systemctl enable --now {name.removesuffix('.service')}`."
        yield warning("enabled", part, f"it doesn't start at boot ({unit.get('UnitFileState')})", todo)


def _state(unit: Mapping[str, str], name: str, part: str) -> Finding:
    state, restarts = unit.get("ActiveState", ""), unit.get("NRestarts", "0")
    look = f"`journalctl -u {name.removesuffix('.service')} -b` says why."
    if state == "failed":
        return fault("service", part, f"{name} has failed", look)
    if state == "active" and restarts not in ("", "0"):
        return warning("service", part, f"{name} runs, but systemd has restarted it {restarts} times", look)
    if state == "active":
        return ok("service", part, f"{name} runs")
    if state == "activating":
        return warning("service", part, f"{name} is starting: just now, or again and again", look)
    return ok("service", part, f"{name} is installed and stopped")


def _watchdog(unit: Mapping[str, str]) -> Finding:
    every = unit.get("WatchdogUSec", "")
    if every in ("", "0", "infinity"):
        todo = "Reinstall the package: its unit has a watchdog."
        return warning("watchdog", _PART, "systemd doesn't notice if it hangs", todo)
    return ok("watchdog", _PART, f"systemd restarts it if it hangs for {every}")


def _limits(computer: Computer) -> Finding:
    """Return whether the memory limit in the page's unit takes effect."""
    if "memory" in (computer.text("/sys/fs/cgroup/cgroup.controllers") or "").split():
        return ok("limits", _PAGE, "the kernel enforces its memory limit")
    todo = "Append `cgroup_enable=memory` to the line in /boot/firmware/cmdline.txt, then `sudo reboot`."
    return warning("limits", _PAGE, "the kernel doesn't count memory, so only a coarse limit applies", todo)


def _update(site: ExaminedTable) -> Finding:
    """Return whether a newer version is out, according to the last check."""
    mine = f"taptable {__version__}"
    if site.config.updates is None:
        return skipped("update", _PART, f"{mine}; newer versions aren't looked up, since there is no [updates]")
    look = last_check()
    if look is None:
        return skipped("update", _PART, f"{mine}; newer versions haven't been looked up yet, which happens once a day")
    if look.announced is None:
        todo = f"Correct `from` below [updates] in {site.config.file}, or remove the section."
        return warning("update", _PART, f"{mine}; on {look.day}: {look.trouble}", todo)
    if look.announced.is_newer:
        newer = look.announced
        return warning(
            "update",
            _PART,
            f"{mine}; {newer.version} has been out since {newer.date}: {newer.sentence}",
            f"See {newer.address}",
        )
    return ok("update", _PART, f"{mine}; no newer version was out on {look.day}")


def _examine_running_table(site: ExaminedTable) -> Iterator[Finding]:
    """Yield what the running table reports of its parts."""
    path = socket_path(socket_folder(site.config.table.journal), Role.ADMIN)
    try:
        with Client(path, _PATIENCE_S) as client:
            alerts = next(client.subscribe("alerts"))["alerts"]
            counted = _readers(client)
    except TaptableError as error:
        if isinstance(error.__cause__, PermissionError):
            yield unseen("misses", "table", f"{site.computer.current_user.name} has no access to {path}")
        else:
            yield fault("misses", "table", f"the running table doesn't answer: {error}", _LOGS_ADVICE)
        return
    words, notices = Words("en"), [parse_notice(alert.notice) for alert in alerts]
    wrong = [notice for notice in notices if isinstance(notice, PartLost | ButtonStuck)]
    if not wrong:
        yield ok("misses", "table", "all parts of the running table answer")
    yield from counted
    for notice in wrong:
        part = notice.part if isinstance(notice, PartLost) else f"button {notice.seat}"
        yield fault("misses", part, f"the running table reports: {words.notice(notice)}", site.stop_advice)


def _readers(client: Client) -> list[Finding]:
    """Judge the running table's counts of its readers."""
    try:
        readers = client.call(Readers())["readers"]
    except RequestError:  # a table of an earlier version, which has to be restarted
        return [skipped("counts", "readers", "the running table doesn't count how often its readers are set up")]
    return [judge_counts(part_name("pad", reader.pop("pad")), ReaderHealth(**reader)) for reader in readers]


_PAGE_LOGS_ADVICE = "`journalctl -u taptable-page -b` says why."


def examine_page(site: ExaminedTable) -> Iterator[Finding]:
    """Examine the page, if the table has one."""
    page = site.config.page
    if page is None:
        yield skipped("page", "page", "the table has no page")
        return
    yield _examine_served_page(site, page.port, network=page.is_port_public)
    if page.https is not None:
        yield ok("network", "page", f"open to the network at https://{page.https}/, by a proxy at {page.proxy}")
        yield _pairings(site)
    elif page.network:
        yield from _examine_network(site, page.port)
    else:
        yield ok("network", "page", "for this computer only; network = true below [page] opens it to phones")


def _examine_served_page(site: ExaminedTable, port: int, *, network: bool) -> Finding:
    at = f"http://localhost:{port}/"
    shows_table = _probe_page(port)
    if shows_table:
        return ok("page", "page", f"{at} shows the table")
    if shows_table is None:
        free = _free_port("0.0.0.0" if network else LOOPBACK, port)
        if free.state != "ok":
            return free
        if is_active(site.computer, PAGE_SERVICE):
            return fault("page", "page", f"{PAGE_SERVICE} runs, but nothing answers at port {port}", _PAGE_LOGS_ADVICE)
        if site.held_by is not None:
            todo = "Start it: `sudo systemctl start taptable-page`, or `taptable page` if the service isn't installed."
            return fault("page", "page", f"a table runs, but nothing serves its page at port {port}", todo)
        return free
    if site.held_by is not None:
        return fault("page", "page", f"{at} answers, but doesn't reach the running table", _PAGE_LOGS_ADVICE)
    return ok("page", "page", f"{at} answers, and says that no table runs")


def _probe_page(port: int) -> bool | None:
    """Return whether a page shows the table at this port: False if the page says that the table is away, None if there
    is no page."""
    with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=_PATIENCE_S)) as connection:
        try:
            connection.request("GET", "/about.json", headers={"Host": f"localhost:{port}"})
            answer = connection.getresponse()
            if answer.status == http.client.SERVICE_UNAVAILABLE and answer.getheader("Retry-After"):
                return False
            return True if {"version", "table"} <= json.loads(answer.read()).keys() else None
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return None


def _examine_network(site: ExaminedTable, port: int) -> Iterator[Finding]:
    """Examine a page that is open to the network: its addresses, its name, and its pairings."""
    computer = site.computer
    addresses = computer.addresses()
    if not addresses:
        todo = (
            "Join a Wi-Fi network (`sudo raspi-config`), plug in a cable, or let the Pi open its own network:"
            " docs/installing.md."
        )
        yield warning("network", "page", "open to the network, but this computer isn't connected to one", todo)
    else:
        yield ok("network", "page", f"open to the network: {' '.join(f'http://{one}:{port}/' for one in addresses)}")
    name = computer.local_name()
    if computer.has("/run/avahi-daemon/socket"):
        yield ok("name", "page", f"most devices find it as http://{name}:{port}/ too")
    else:
        todo = "To use the name: `sudo apt install avahi-daemon`. The code on the scoreboard works without it."
        yield warning("name", "page", f"reachable by its IP address only: no service here answers to {name}", todo)
    yield _pairings(site)


def _pairings(site: ExaminedTable) -> Finding:
    path = pairings_file_of(site.config.table.journal)
    if (refused := folder_access_problem(path.parent, "pairings", site.computer)) is not None:
        return refused
    try:
        paired = Pairings.read(path).pairings
    except PairingsError as error:
        todo = (
            "Pair your devices again. The table moves a damaged file away by itself; remove one that can't be read:"
            f" `sudo rm {path}`."
        )
        return fault("pairings", "page", str(error), todo)
    return ok("pairings", "page", f"{len(paired)} devices are paired" if paired else "no device is paired yet")


def _free_port(host: str, port: int) -> Finding:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError as error:
            todo = (
                f"Find the program that uses it (`sudo ss -ltnp 'sport = :{port}'`) and stop it, or set another"
                " [page] port."
            )
            return fault("page", "page", f"port {port} can't be used: {error.strerror}", todo)
    return ok("page", "page", f"port {port} is free")
