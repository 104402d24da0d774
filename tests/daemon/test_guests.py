"""People come to the table with a phone: where the page is and the code that it asks for are to be seen there, and a
code nowhere else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import zxingcpp
from cues.voice import put_on_path
from table.rig import Evening, a_table, at_table, in_given_time
from taptable.api.requests import PageAt, Role
from taptable.config import Config, PageSettings, SpeechParts
from taptable.core.settings import US_PER_S
from taptable.edges.cues.prompts import Code

DIGITS = "402917"


def open_to_the_network(folder: Path, *, network: bool = True) -> Config:
    return replace(a_table(folder), page=PageSettings(8000, network))


def read_off(evening: Evening) -> list[str]:
    """What a phone reads off the display."""
    glass = evening.table.display.image()
    photo = glass.convert("L").resize((glass.width * 4, glass.height * 4))
    return [found.text for found in zxingcpp.read_barcodes(photo, try_invert=False)]


@pytest.mark.parametrize("network", [True, False])
def test_a_page_that_is_open_to_the_network_is_shown_by_its_address_until_somebody_plays(
    tmp_path: Path, network: bool
) -> None:
    config = open_to_the_network(tmp_path, network=network)

    async def play() -> None:
        async with at_table(config) as evening:
            await asyncio.sleep(5)
            assert read_off(evening) == []
            evening.daemon.api.do(Role.PAGE, PageAt(("10.42.0.1", "192.168.0.7"), 8000))
            await asyncio.sleep(30)
            assert read_off(evening) == (["HTTP://10.42.0.1:8000"] if network else [])
            await evening.tap("online#1", 1)
            await asyncio.sleep(1)
            assert read_off(evening) == []

    in_given_time(play)


def test_a_page_behind_a_proxy_is_shown_by_the_name_that_the_table_knows(tmp_path: Path) -> None:
    config = replace(a_table(tmp_path), page=PageSettings(8000, True, "127.0.0.1", "taptable.local"))

    async def play() -> None:
        async with at_table(config) as evening:
            evening.daemon.api.do(Role.PAGE, PageAt(("10.42.0.1",), 8000))
            await asyncio.sleep(30)
            assert read_off(evening) == ["HTTPS://TAPTABLE.LOCAL"]

    in_given_time(play)


def code_of(evening: Evening) -> Code:
    now_us = evening.daemon.clock.now_us()
    return Code(DIGITS, now_us + 300 * US_PER_S, 300 * US_PER_S)


def logged_of_a_code(config: Config, caplog: pytest.LogCaptureFixture, spoil: Callable[[Evening], None]) -> bool:
    """Whether a code's digits are in the log after it was shown; they are never in the journal."""

    async def play() -> None:
        async with at_table(config) as evening:
            spoil(evening)
            await asyncio.sleep(30)
            shown = evening.daemon.devices.show_code(code_of(evening))
            await asyncio.sleep(30)
            assert shown == ("log" if DIGITS in caplog.text else "display")
            evening.daemon.devices.show_code(None)
            assert DIGITS not in repr(evening.heard)

    with caplog.at_level(logging.DEBUG):
        in_given_time(play)
    files = [config.table.journal, config.table.journal.with_name(f"{config.table.journal.name}-wal")]
    assert not any(DIGITS.encode() in file.read_bytes() for file in files if file.exists())
    return DIGITS in caplog.text


def test_a_code_stands_on_the_display_and_not_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert not logged_of_a_code(open_to_the_network(tmp_path), caplog, lambda _: None)


def test_a_code_stands_in_the_log_where_there_is_no_display(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert logged_of_a_code(replace(open_to_the_network(tmp_path), scoreboard=None), caplog, lambda _: None)


def test_a_code_stands_in_the_log_while_the_display_doesnt_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert logged_of_a_code(open_to_the_network(tmp_path), caplog, lambda evening: evening.table.display.unplug())


def test_a_table_with_a_loudspeaker_says_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(a_table(tmp_path), speech=SpeechParts(160))
    voice = put_on_path(tmp_path, monkeypatch)

    async def evening() -> None:
        async with at_table(config) as table:
            assert await voice.hear() == ""
            await voice.let()
            table.put("online#1", 1)
            assert await voice.hear() == "Platz 1 legt Online."
            assert table.daemon.devices.show_code(Code(DIGITS, 300 * US_PER_S, 300 * US_PER_S)) == "display"
            await voice.let()
            assert await voice.hear() == "Code für die Seite: 4, 0, 2, 9, 1, 7."
            await voice.let()

    asyncio.run(evening())
