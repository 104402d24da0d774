"""The parts of a table, tried with somebody's help, one kind after the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from taptable.doctor.by_eye import hear_sounder, hear_voice, look_at_display, look_at_lamps, look_at_rings
from taptable.doctor.by_hand import press_buttons, put_cards
from taptable.doctor.finding import Finding, skipped
from taptable.doctor.site import Site
from taptable.doctor.trial import Somebody, opened


async def try_parts(site: Site, somebody: Somebody) -> AsyncGenerator[Finding]:
    """All of them. To be closed, so that the devices are let go of."""
    if site.held_by is not None:
        yield skipped("press", "table", f"in use by {site.held_by}", site.stop_it)
        return
    async with opened(site) as trial:
        for step in (press_buttons, look_at_lamps, look_at_rings, hear_sounder, put_cards):
            async for finding in step(trial, somebody):
                yield finding
    for step in (hear_voice, look_at_display):
        async for finding in step(site, somebody):
            yield finding
