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

_log = logging.getLogger(__name__)


async def serve(
    settings: PageSettings, table: Path, annex_files: Path | None = None, listener: socket | None = None
) -> None:
    """Serve the page of the table that answers at the socket `table`, until SIGTERM or SIGINT."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    link = Link(table)
    page = Page(link, settings.port, network=settings.network, annex_files=annex_files, listener=listener)
    page.open()
    link.open(page)
    _log.info("taptable %s: the page is at %s", __version__, page.address)
    await stopping.wait()
    await link.close()
    await page.close()
