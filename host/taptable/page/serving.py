"""The page's process: from its start until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path

from taptable import __version__
from taptable.config import Config
from taptable.page.link import Link
from taptable.page.page import Page

_log = logging.getLogger(__name__)


async def serve(config: Config, socket: Path, annex_files: Path | None = None) -> None:
    """Serve the page of the table that answers at `socket`, until SIGTERM or SIGINT."""
    assert config.page is not None
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    page, link = connected(config, socket, annex_files)
    page.open()
    link.open(page)
    _log.info("taptable %s: the page of table %s is at %s", __version__, config.table.name, page.address)
    await stopping.wait()
    await link.close()
    await page.close()


def connected(config: Config, socket: Path, annex_files: Path | None = None) -> tuple[Page, Link]:
    """The page of a configuration, and its line to the table; neither is open yet."""
    assert config.page is not None
    link = Link(socket)
    page = Page(
        link,
        config.page.port,
        name=config.table.name,
        language=config.table.language,
        game=config.game.name,
        network=config.page.network,
        annex_files=annex_files,
    )
    return page, link
