"""A pad that a game has of its own: read like the others, named when it is deaf, and not needed to play on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from table.rig import at_table
from taptable.core.game_options import GameOptions
from taptable.core.verdicts import Accepted, Refused
from taptable.sim.setting_up import set_up
from taptable.words import LANGUAGES, Words

SETTLED_S = 1.0


async def test_a_demand_pad_that_is_deaf_is_named_and_the_discard_pad_takes_its_place(tmp_path: Path) -> None:
    config = set_up(tmp_path, "xnet", GameOptions(3, "standard", {}, 1), "en", compact=False)
    assert [pad.name for pad in config.pads] == ["demand"]
    async with at_table(config) as at:
        await asyncio.sleep(SETTLED_S)
        assert isinstance((await at.tap("music-7#1", "demand")).verdict, Accepted)
        gone = at.lost("demand pad")
        at.table.deafen("demand")
        await gone
        assert isinstance((await at.tap("art-1#1", "discard")).verdict, Accepted)
        back = at.back("demand pad")
        at.table.deafen("demand", deaf=False)
        await back
        await asyncio.sleep(SETTLED_S)
        assert isinstance((await at.tap("art-2#1", "demand")).verdict, Refused)
        assert isinstance((await at.tap("news-2#1", "demand")).verdict, Accepted)
        assert len(at.state.demand) == 3


def test_it_has_a_name_in_every_language() -> None:
    names = {language: Words(language).part("demand pad") for language in LANGUAGES}
    assert names["en"] == "demand pad"
    assert len(set(names.values())) == len(LANGUAGES)
