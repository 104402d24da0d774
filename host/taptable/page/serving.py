"""The page's process: from its start until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path
from socket import socket

from taptable import __version__
from taptable.config.model import PageSettings
from taptable.page.link import Link
from taptable.page.page import Page
from taptable.page.site import Site

_log = logging.getLogger(__name__)


async def serve(
    settings: PageSettings, table: Path, annex_files: Path | None = None, listener: socket | None = None
) -> None:
    """Serve the page of the table that answers at the socket `table`, until SIGTERM or SIGINT."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    link = Link(table)
    # a browser keeps the cookies of all ports of a computer together
    page = Page(link, network=settings.network, cookie=f"taptable-{settings.port}", annex_files=annex_files)
    site = Site(page, settings, listener)
    page.start()
    site.open()
    link.open(page)
    _log.info("taptable %s: the page is at http://localhost:%s/", __version__, settings.port)
    await stopping.wait()
    await link.close()
    page.stop()
    await site.close()
