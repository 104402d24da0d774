"""A page while it is served: it puts page, application and server together, and reports the page's addresses to the
table. While the table is away it refuses clients and disconnects the present ones, which reconnect when the table is
back. It must not know what the page shows."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from socket import socket

from taptable import __version__
from taptable.api.errors import RequestError
from taptable.api.link import TableLink
from taptable.api.requests import PageAt
from taptable.config.model import PageSettings
from taptable.page.app import Extension, make_app
from taptable.page.connections import Connections
from taptable.page.file_transfer import PairedWith
from taptable.page.network import own_addresses
from taptable.page.pacing import FairScheduler
from taptable.page.page import Page
from taptable.page.server import RETRY_S, Server

MAX_ADDRESSES = 16
"""How many addresses are reported to the table; `requests.PageAt` takes no more."""
ADDRESS_POLL_S = 3.0
"""How often the addresses of this computer are checked: Wi-Fi comes up after the table, and may change."""

_log = logging.getLogger(__name__)


class PageSite:
    """The server of one page. Create and open it on the loop that runs it; `listener` may be a socket that was opened
    before."""

    def __init__(
        self,
        page: Page,
        settings: PageSettings,
        listener: socket | None = None,
        extension: Extension | None = None,
    ) -> None:
        self.port = settings.port
        self._page = page
        self.scheduler = FairScheduler()
        self._clients = Connections(page, self.scheduler, PairedWith(page))
        app = make_app(page, self._clients.serve, self.scheduler, settings.https, extension)
        self._server = Server(
            app,
            self.port,
            self._clients.shut_down,
            self._on_server_trouble,
            network=settings.is_port_public,
            proxy=settings.proxy,
            listener=listener,
        )
        self._fault = ""
        self._changed = asyncio.Event()
        self._report_task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to serve; a port that is taken is tried again."""
        self._page.on_away = self._away
        self._page.on_devices = self._clients.disconnect_unpaired
        self._server.open()
        self._report_task = asyncio.create_task(self._report_addresses(), name="where the page is")

    async def close(self) -> None:
        """Say goodbye to the clients, and stop serving."""
        if self._report_task is not None:
            self._report_task.cancel()
        await self._server.close()

    def _on_server_trouble(self, fault: str) -> None:
        if fault:
            _log.error(
                "Page not served (%s): it is retried every %d s; stop what uses the port, or change it", fault, RETRY_S
            )
        else:
            _log.info("Page served at last: port %d is free", self.port)
        self._fault = fault
        self._changed.set()

    def _away(self) -> None:
        self._clients.disconnect_all()
        self._changed.set()

    async def _report_addresses(self) -> None:
        """Report to the table where phones find this page, and what is wrong with it, at every change."""
        reported: tuple[object, ...] = ()
        while True:
            await self._page.game_known.wait()
            self._changed.clear()
            addresses = own_addresses()[:MAX_ADDRESSES] if self._page.network else ()
            now = (self._page.facts, addresses, self._fault)
            try:
                if now != reported:
                    await self._page.table.call(PageAt(addresses, self.port, self._fault))
                    reported = now
            except RequestError as error:
                _log.info("Page address not reported to the table (%s): the page reports it again later", error)
            with suppress(TimeoutError):
                # a page for this computer only has no address that changes
                await asyncio.wait_for(self._changed.wait(), ADDRESS_POLL_S if self._page.network else None)


@asynccontextmanager
async def serve_in_background(
    settings: PageSettings,
    table: Path,
    listener: socket | None = None,
    extension: Extension | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncGenerator[tuple[Page, PageSite]]:
    """Serve the page of the table that answers at the socket `table`, or will. Table time advances by the seconds of
    `clock`."""
    link = TableLink(table)
    # a browser keeps the cookies of all ports of a computer together
    page = Page(link, network=settings.network, cookie=f"taptable-{settings.port}", clock=clock)
    site = PageSite(page, settings, listener, extension)
    page.start()
    site.open()
    link.open(page)
    try:
        yield page, site
    finally:
        await link.close()
        page.stop()
        await site.close()


async def serve(
    settings: PageSettings,
    table: Path,
    listener: socket | None = None,
    extension: Extension | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Run the page's process until SIGTERM or SIGINT; the arguments are those of `serve_in_background`."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    async with serve_in_background(settings, table, listener, extension, clock):
        _log.info("Page started by taptable %s: http://localhost:%s/", __version__, settings.port)
        await stopping.wait()
