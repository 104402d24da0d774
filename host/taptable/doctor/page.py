"""The page: whether its port is free for a table to come, or served by the one that runs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException

from taptable.doctor.finding import Finding, fault, ok, skipped
from taptable.doctor.site import Site

_PATIENCE_S = 3.0


def examine_page(site: Site) -> Iterator[Finding]:
    """The page, if the table has one."""
    if site.config.page is None:
        yield skipped("page", "page", "the table has no page")
        return
    # what it stands on takes its time to load: only a table with a page pays for it
    from taptable.edges.page.server import HOST

    port = site.config.page.port
    yield _free(HOST, port) if site.held_by is None else _served(HOST, port, site.held_by)


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


def _served(host: str, port: int, by: str) -> Finding:
    try:
        with closing(HTTPConnection(host, port, timeout=_PATIENCE_S)) as connection:
            connection.request("GET", "/")
            status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        todo = "`journalctl -u taptable -b` says why; another program may have the port."
        return fault("page", "page", f"{by} doesn't serve it at port {port}: {error}", todo)
    if status != 200:
        return fault("page", "page", f"port {port} answers with status {status}", "Another program may have the port.")
    return ok("page", "page", f"http://localhost:{port}/ is served by {by}")
