"""The page: whether its port is free for a table to come; or whether the table that runs serves it, and what that table
says it misses."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import closing
from typing import Any

from taptable.doctor.finding import Finding, fault, ok, skipped
from taptable.doctor.site import Site

_PATIENCE_S = 5.0
_HELLO: Mapping[str, object] = {"do": "hello", "language": "en", "boot": None, "revision": 0, "next": {}, "watch": []}
_WRONG = ("missing", "stuck")
"""Kinds of what stands at a table that are no part of a game."""


async def examine_page(site: Site) -> AsyncGenerator[Finding]:
    """The page, if the table has one."""
    if site.config.page is None:
        yield skipped("page", "page", "the table has no page")
        return
    # what it stands on takes its time to load: only a table with a page pays for it
    from taptable.edges.page.server import HOST

    port = site.config.page.port
    if site.held_by is None:
        yield _free(HOST, port)
        return
    try:
        standing = await _standing(HOST, port)
    except (OSError, ValueError, LookupError) as error:
        todo = "`journalctl -u taptable -b` says why; another program may have the port."
        found = f"{site.held_by} doesn't serve it at port {port}: {error or type(error).__name__}"
        yield fault("page", "page", found, todo)
        return
    yield ok("page", "page", f"http://localhost:{port}/ is served by {site.held_by}")
    wrong = [notice for notice in standing if notice["kind"] in _WRONG]
    if not wrong:
        yield ok("misses", "table", "the table that runs misses nothing")
    for notice in wrong:
        part = str(notice["key"]).removesuffix(" stuck")
        yield fault("misses", part, f"the table that runs says: {notice['text']}", site.stop_it)


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
