"""An evening in which something fails, and its announcements."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from taptable.sim.setting_up import FULL_BUILD

from table.hal import Watched
from table.rig import GameNight, Script, a_table, nothing, running_table, tags_of
from table.truth import button_mismatches, pad_mismatches

TOLD_S = 1.0
"""A part that stops answering is reported within this."""


@asynccontextmanager
async def an_evening(
    folder: Path,
    *,
    before: Script = nothing,
    build: str = FULL_BUILD,
    pins: bool = True,
    hardware: Watched | None = None,
) -> AsyncIterator[GameNight]:
    """An evening for two, seat 1 on turn, in which no press is lost, and no card that a reader could see."""
    config = a_table(folder, build=build, pins=pins)
    async with running_table(config, before=before, hardware=hardware) as at:
        await asyncio.sleep(3)  # every reader has looked, and the boot screen is over
        yield at
    assert pad_mismatches(at.table, tags_of(config), at.entries(), late_s=lambda _pad: 60) == []
    assert button_mismatches(at.table, at.entries()) == []
