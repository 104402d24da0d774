"""People come to the table with a phone: where the page is and the code that it asks for are to be seen there, and a
code nowhere else."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest
import zxingcpp
from table.rig import GameNight, a_table, running_table
from taptable.api.requests import PageAt, Role
from taptable.config import Config, PageSettings
from taptable.core.settings import US_PER_S
from taptable.cues.prompts import Code

DIGITS = "402917"


def open_to_the_network(folder: Path, *, network: bool = True) -> Config:
    return replace(a_table(folder), page=PageSettings(8000, network))


def read_off(evening: GameNight) -> list[str]:
    """The codes that a phone reads from the display."""
    glass = evening.table.display.image()
    photo = glass.convert("L").resize((glass.width * 4, glass.height * 4))
    return [found.text for found in zxingcpp.read_barcodes(photo, try_invert=False)]


@pytest.mark.parametrize("network", [True, False])
async def test_a_page_that_is_open_to_the_network_is_shown_by_its_address_until_somebody_plays(
    tmp_path: Path, network: bool
) -> None:
    config = open_to_the_network(tmp_path, network=network)
    async with running_table(config) as evening:
        await asyncio.sleep(5)
        assert read_off(evening) == []
        evening.daemon.api.do(Role.PAGE, PageAt(("10.42.0.1", "192.168.0.7"), 8000))
        await asyncio.sleep(30)
        assert read_off(evening) == (["HTTP://10.42.0.1:8000"] if network else [])
        await evening.tap("online#1", 1)
        await asyncio.sleep(1)
        assert read_off(evening) == []


async def test_a_page_behind_a_proxy_is_shown_by_the_name_that_the_table_knows(tmp_path: Path) -> None:
    config = replace(a_table(tmp_path), page=PageSettings(8000, True, "127.0.0.1", "taptable.local"))
    async with running_table(config) as evening:
        evening.daemon.api.do(Role.PAGE, PageAt(("10.42.0.1",), 8000))
        await asyncio.sleep(30)
        assert read_off(evening) == ["HTTPS://TAPTABLE.LOCAL"]


def code_of(evening: GameNight) -> Code:
    now_us = evening.daemon.clock.now_us()
    return Code(DIGITS, now_us + 300 * US_PER_S, 300 * US_PER_S)


@pytest.mark.parametrize("where", ["display", "no display", "unplugged"])
async def test_a_code_stands_on_the_display_and_in_the_log_only_if_there_is_none_and_never_in_the_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    config = open_to_the_network(tmp_path)
    if where == "no display":
        config = replace(config, scoreboard=None)
    with caplog.at_level(logging.DEBUG):
        async with running_table(config) as evening:
            if where == "unplugged":
                evening.table.display.unplug()
            await asyncio.sleep(30)
            evening.daemon.devices.show_code(code_of(evening))
            await asyncio.sleep(30)
            shown = evening.daemon.devices.code_place
            assert (shown, DIGITS in caplog.text) == (("display", False) if where == "display" else ("", True))
            evening.daemon.devices.show_code(None)
            assert DIGITS not in repr(evening.events)
    files = [config.table.journal, config.table.journal.with_name(f"{config.table.journal.name}-wal")]
    assert not any(DIGITS.encode() in file.read_bytes() for file in files if file.exists())
