"""The page: whether it is served and reaches the table, or its port is free for it; and where phones find it, if it is
for them."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing

from taptable.core.errors import PairingsError
from taptable.doctor.finding import Finding, fault, ok, skipped, warning
from taptable.doctor.kept import closed_folder
from taptable.doctor.service import PAGE_SERVICE, is_active, shuts_out_networks
from taptable.doctor.site import Site
from taptable.memory.pairings import pairings_of, read_pairings
from taptable.page.listening import HERE

_PATIENCE_S = 5.0
_LOOK = "`journalctl -u taptable-page -b` says why."


def examine_page(site: Site) -> Iterator[Finding]:
    """The page, if the table has one."""
    page = site.config.page
    if page is None:
        yield skipped("page", "page", "the table has no page")
        return
    yield _served(site, page.port, network=page.open_port)
    if page.https is not None:
        yield ok("network", "page", f"open to the network at https://{page.https}/, by a proxy at {page.proxy}")
        yield _pairings(site)
    elif page.network:
        yield from _for_phones(site, page.port)
    else:
        yield ok("network", "page", "for this computer only; network = true below [page] opens it to phones")


def _served(site: Site, port: int, *, network: bool) -> Finding:
    at = f"http://localhost:{port}/"
    there = _answers(port)
    if there:
        return ok("page", "page", f"{at} is served, and shows the table")
    if there is None:
        free = _free("0.0.0.0" if network else HERE, port)
        if free.state != "ok":
            return free
        if is_active(site.computer, PAGE_SERVICE):
            return fault("page", "page", f"{PAGE_SERVICE} runs, and nobody answers at port {port}", _LOOK)
        if site.held_by is not None:
            todo = "Start it: `sudo systemctl start taptable-page`, or `taptable page` where there is no service."
            return fault("page", "page", f"a table runs, and nobody serves its page at port {port}", todo)
        return free
    if site.held_by is not None:
        return fault("page", "page", f"{at} is served, and doesn't reach the table that runs", _LOOK)
    return ok("page", "page", f"{at} is served, and says that no table runs")


def _answers(port: int) -> bool | None:
    """Is a page there that shows the table? False if it says that the table is away, None if there is no page."""
    with closing(http.client.HTTPConnection(HERE, port, timeout=_PATIENCE_S)) as connection:
        try:
            connection.request("GET", "/about.json", headers={"Host": f"localhost:{port}"})
            answer = connection.getresponse()
            if answer.status == http.client.SERVICE_UNAVAILABLE and answer.getheader("Retry-After"):
                return False
            return True if {"version", "table"} <= json.loads(answer.read()).keys() else None
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return None


def _for_phones(site: Site, port: int) -> Iterator[Finding]:
    """Of a page that is open to the network: where it is, whether it may be reached, and who is paired."""
    computer = site.computer
    addresses = computer.addresses()
    if not addresses:
        todo = (
            "Join a Wi-Fi (`sudo raspi-config`), plug in a cable, or let the Pi make a network of its own:"
            " docs/installing.md."
        )
        yield warning("network", "page", "open to the network, but this computer is in none", todo)
    elif shuts_out_networks(computer):
        todo = "Run scripts/install again: its unit lets in the networks around the table."
        yield fault("network", "page", "open to the network, but the service lets nobody in from there", todo)
    else:
        yield ok("network", "page", f"open to the network: {' '.join(f'http://{one}:{port}/' for one in addresses)}")
    name = computer.local_name()
    if computer.has("/run/avahi-daemon/socket"):
        yield ok("name", "page", f"most devices find it as http://{name}:{port}/ too")
    else:
        todo = "For the name: `sudo apt install avahi-daemon`. The code on the scoreboard does without."
        yield warning("name", "page", f"found by its number only: nobody here answers to {name}", todo)
    yield _pairings(site)


def _pairings(site: Site) -> Finding:
    path = pairings_of(site.config.table.journal)
    if (refused := closed_folder(path.parent, "pairings", site.computer)) is not None:
        return refused
    try:
        paired, _ = read_pairings(path)
    except PairingsError as error:
        todo = f"Pair anew. The table puts a damaged file aside by itself; one that can't be read: `sudo rm {path}`."
        return fault("pairings", "page", str(error), todo)
    return ok("pairings", "page", f"{len(paired)} devices are paired" if paired else "no device is paired yet")


def _free(host: str, port: int) -> Finding:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError as error:
            todo = f"See who has it (`sudo ss -ltnp 'sport = :{port}'`) and stop that, or take another [page] port."
            return fault("page", "page", f"port {port} can't be had: {error.strerror}", todo)
    return ok("page", "page", f"port {port} is free")
