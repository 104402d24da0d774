"""Serves a league's page: at its port, to everybody, from a database that workers fill. It puts the parts together, and
must not know what they show."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from socket import socket

from sqlalchemy import Engine

from taptable.config.model import PageSettings
from taptable.league.settings import Broker
from taptable.league.web.admin import AdminRoutes
from taptable.league.web.app import make_app
from taptable.league.web.page import LeaguePage, Strangers
from taptable.league.web.reader import LeagueReader
from taptable.page.connections import ConnectionLimits, Connections
from taptable.page.pacing import FairScheduler
from taptable.page.server import Server

CONNECTION_LIMITS = ConnectionLimits(clients=600, unpaired=600, unpaired_per_address=300)
"""Limits for watchers: a club's members at home, and its hall behind one address."""
MAX_CONNECTIONS = 900
MAX_OF_AN_ADDRESS = 450
"""The server's limits, in place of `page.server.MAX_CONNECTIONS` and `MAX_CONNECTIONS_PER_ADDRESS`."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeagueSite:
    """The parts of a league's page that is being served."""

    page: LeaguePage
    admin: AdminRoutes
    clients: Connections


def _log_server_trouble(fault: str) -> None:
    if fault:
        _log.error("League page not served, and tried again: %s", fault)
    else:
        _log.info("League page served at last: its port is free")


@asynccontextmanager
async def serve_league(
    engine: Engine,
    name: str,
    language: str,
    settings: PageSettings,
    broker: Broker | None = None,
    listener: socket | None = None,
) -> AsyncGenerator[LeagueSite]:
    """Serve the page of the league with this name for the duration of the context. Its admin page writes the accounts
    of tables to the files of the `broker`. A `listener` may have been opened before."""
    reader, scheduler = LeagueReader(engine), FairScheduler()
    page = LeaguePage(reader, name, language)
    clients = Connections(page, scheduler, Strangers(), CONNECTION_LIMITS)
    # a browser sends a computer's cookies to all of its ports
    admin = AdminRoutes(reader, cookie=f"taptable-league-{settings.port}", broker=broker)
    app = make_app(page, reader, clients.serve, scheduler, admin, network=settings.network, https=settings.https)
    server = Server(
        app,
        settings.port,
        clients.shut_down,
        _log_server_trouble,
        network=settings.is_port_public,
        proxy=settings.proxy,
        listener=listener,
        most=MAX_CONNECTIONS,
        most_of_an_address=MAX_OF_AN_ADDRESS,
    )
    page.start()
    server.open()
    _log.info("League page served at http://localhost:%s/", settings.port)
    try:
        yield LeagueSite(page, admin, clients)
    finally:
        page.stop()
        await server.close()
        reader.close()
