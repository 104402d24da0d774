"""An evening in which something fails, and what was told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from taptable.core.notices import PartBack, PartLost
from taptable.core.observations import CardTapped, Pad
from taptable.referee.session import Judged

from table.rig import Evening, a_table, at_table, in_given_time, nothing, tags_of
from table.truth import unlike_the_contacts, unlike_the_pads

TOLD_S = 1.0
"""A part that stops answering is reported within this."""


def play(
    folder: Path,
    evening: Callable[[Evening], Coroutine[Any, Any, None]],
    *,
    before: Callable[[Evening], Awaitable[None]] = nothing,
    late_s: float = 30.0,
    compact: bool = False,
) -> None:
    """An evening for two, seat 1 on turn, in which no press is lost, and no card that a reader could see."""
    config = a_table(folder, compact=compact)

    async def whole() -> None:
        async with at_table(config, before=before) as at:
            await asyncio.sleep(3)  # every reader has looked, and the boot screen is over
            await evening(at)
        assert unlike_the_pads(at.table, tags_of(config), at.entries(), late_s=late_s) == []
        assert unlike_the_contacts(at.table, at.entries()) == []

    in_given_time(whole)


def taps(evening: Evening) -> list[tuple[str, Pad, str]]:
    """The cards that were tapped so far, where, and what was said of each."""
    return [
        (h.observation.card, h.observation.pad, type(h.verdict).__name__)
        for _, h in evening.heard
        if isinstance(h, Judged) and isinstance(h.observation, CardTapped)
    ]


def parts(evening: Evening) -> list[str]:
    """Which parts were lost (-) and came back (+)."""
    return [f"{'-' if isinstance(n, PartLost) else '+'}{n.part}" for n in evening.told(PartLost | PartBack)]
