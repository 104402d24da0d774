"""`gain_db` in the configuration, from the file to the chips and the boards of a table that runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from taptable.config import Config, load_config
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.game_options import check_game

from table.fixtures import GIVEN_TIME
from table.rig import a_table, running_table

MET_S = 2.0


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return GIVEN_TIME


def with_gains(config: Config, gains: dict[str, int]) -> Config:
    """The same table with these gains below the pads at these places."""
    text = config.file.read_text(encoding="utf-8")
    for place, gain_db in gains.items():
        pad = f'pad = "{place}"\n'
        assert text.count(pad) == 1
        text = text.replace(pad, f"{pad}gain_db = {gain_db}\n")
    config.file.write_text(text, encoding="utf-8")
    return load_config(config.file, check_game)


async def test_each_pad_on_spi_hears_as_it_is_configured_and_after_its_reader_was_away(tmp_path: Path) -> None:
    config = with_gains(a_table(tmp_path, build="compact"), {"spi:0.1": 43, "spi:0.0": 23})
    async with running_table(config) as at:
        await asyncio.sleep(MET_S)
        chips = at.table.stand_in("spi").wiring.chips
        gains = {"spi:0.0": 23, "spi:0.1": 43, "spi:1.0": 33}
        assert {part: chips[part].gain_db for part in gains} == gains
        lost = at.next_lost("pad 1")
        chips["spi:0.1"].is_present = False
        await lost
        back = at.next_returned("pad 1")
        chips["spi:0.1"].is_present = True
        chips["spi:0.1"].reset()
        assert chips["spi:0.1"].gain_db == 33
        await back
        assert chips["spi:0.1"].gain_db == 43
        await at.tap("online#1", 1)
        assert at.taps() == [("online#1", 1, "Accepted")]


async def test_each_board_gets_its_own_and_the_centre_has_one_too(tmp_path: Path) -> None:
    config = with_gains(a_table(tmp_path), {"board:sim2": 48, "spi:0.0": 38})
    async with running_table(config) as at:
        await asyncio.sleep(MET_S)
        assert [at.table.stand_in("board").boards[seat].gain_db for seat in (1, 2)] == [33, 48]
        assert at.table.fields[DISCARD_PAD].gain_db == 38
        at.table.stand_in("board").boards[2].reset()
        assert at.table.stand_in("board").boards[2].gain_db == 33
        await asyncio.sleep(MET_S)
        assert at.table.stand_in("board").boards[2].gain_db == 48
