"""The table's way to its league."""

from __future__ import annotations

import asyncio
from pathlib import Path

from taptable.api.link import Table
from taptable.bridge.written import Written
from taptable.config import LeagueSettings


async def run_uplink(settings: LeagueSettings, table: Table, written: Written, kept: Path) -> None:
    """Send to the league what is written, for good; what it confirmed last is kept in the folder `kept`."""
    del settings, table, written, kept
    await asyncio.Event().wait()
