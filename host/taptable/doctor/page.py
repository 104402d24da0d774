"""The page: whether its port is free for a table to come, or whether the table that runs serves it, and what that table
says it misses; and where phones find it, if it is for them."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import closing
from typing import Any

from taptable.core.errors import PairingsError
from taptable.doctor.finding import Finding, fault, ok, skipped, warning
from taptable.doctor.kept import closed_folder
from taptable.doctor.service import shuts_out_networks
from taptable.doctor.site import Site
from taptable.memory.pairings import pairings_of, read_pairings

_PATIENCE_S = 5.0
_HELLO: Mapping[str, object] = {"do": "hello", "language": "en", "boot": None, "revision": 0, "next": {}, "watch": []}
_WRONG = ("missing", "stuck")
"""Kinds of what stands at a table that are no part of a game."""


async def examine_page(site: Site) -> AsyncGenerator[Finding]:
    """The page, if the table has one."""
    page = site.config.page
    if page is None:
        yield skipped("page", "page", "the table has no page")
        return
    # what it stands on takes its time to load: only a table with a page pays for it
    from taptable.page.listening import HERE

    port = page.port
    standing: list[dict[str, Any]] = []
    if site.held_by is None:
        yield _free("0.0.0.0" if page.network else HERE, port)
    else:
        try:
            standing = await _standing(HERE, port)
        except (OSError, ValueError, LookupError) as error:
            todo = "`journalctl -u taptable -b` says why; another program may have the port."
            found = f"{site.held_by} doesn't serve it at port {port}: {error or type(error).__name__}"
            yield fault("page", "page", found, todo)
            return
        yield ok("page", "page", f"http://localhost:{port}/ is served by {site.held_by}")
    if page.network:
        for finding in _for_phones(site, port):
            yield finding
    else:
        yield ok("network", "page", "for this computer only; network = true below [page] opens it to phones")
    if site.held_by is None:
        return
    wrong = [notice for notice in standing if notice["kind"] in _WRONG]
    if not wrong:
        yield ok("misses", "table", "the table that runs misses nothing")
    for notice in wrong:
        part = str(notice["key"]).removesuffix(" stuck")
        yield fault("misses", part, f"the table that runs says: {notice['text']}", site.stop_it)


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


async def _standing(host: str, port: int) -> list[dict[str, Any]]:
    """What holds at the table until it is taken back, as a browser is told it. OSError, ValueError or LookupError where
    nobody speaks like that."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import WebSocketException

    try:
        async with asyncio.timeout(_PATIENCE_S), connect(f"ws://{host}:{port}/live", proxy=None) as live:
            await live.send(json.dumps(dict(_HELLO)))
            async for message in live:
                parts = json.loads(message).get("parts", {})
                if "standing" in parts:
                    return parts["standing"]
    except (WebSocketException, TimeoutError) as error:
        raise OSError(str(error) or "no answer") from error
    raise OSError("it said goodbye")
