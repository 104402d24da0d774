"""Evenings at a table whose display is a HAT on SPI, by the example of its options: it shows what the reference display
on I2C shows, and recovers by itself from what nobody can read from it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL.Image import Image
from taptable.config import Config, load_config
from taptable.core.verdicts import Accepted
from taptable.daemon.game_options import check_game

from table.rig import GameNight, a_table, all_on_boards, running_table, with_hat

SETTLED_S = 1.0
RENEWED_S = 120.0
"""Longer than the probes take that send all of the picture again."""


def on_boards(folder: Path, change: Callable[[str], str] = str) -> Config:
    """A table with all pads and buttons on boards, after this change of its text."""
    config = a_table(folder)
    config.file.write_text(change(all_on_boards(config.file.read_text(encoding="utf-8"))), encoding="utf-8")
    return load_config(config.file, check_game)


async def pictures(at: GameNight) -> list[Image]:
    """The pictures at the start and after a tap."""
    await asyncio.sleep(SETTLED_S)
    first = at.table.picture()
    assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
    await asyncio.sleep(SETTLED_S)
    return [first, at.table.picture()]


async def test_the_hat_shows_what_the_reference_display_shows(tmp_path: Path) -> None:
    shown: list[list[bytes]] = []
    for name, change in (("reference", str), ("hat", with_hat)):
        (tmp_path / name).mkdir()
        async with running_table(on_boards(tmp_path / name, change)) as at:
            made = await pictures(at)
            assert {picture.size for picture in made} == {(128, 64)}
            shown.append([picture.tobytes() for picture in made])
            # luma sends these at the start, and the SH1106 ignores them
            assert set(at.table.display.illegal) == ({"command 20", "command 8d"} if name == "hat" else set())
            assert at.parts() == []
    assert shown[0] == shown[1]
    assert len(set(shown[0])) == 2


def lose_power(at: GameNight) -> None:
    at.table.display.unplug()
    at.table.display.plug()
    assert at.table.picture().getbbox() is None


def look_for_readers(at: GameNight) -> None:
    assert at.table.stand_in("spi").driver.find() == []


async def later_picture(folder: Path, disturb: Callable[[GameNight], None] | None) -> bytes:
    """What a HAT shows some time after a tap and what then disturbed it. Nothing is reported."""
    folder.mkdir()
    async with running_table(on_boards(folder, with_hat)) as at:
        await pictures(at)
        if disturb is not None:
            disturb(at)
        await asyncio.sleep(RENEWED_S)
        assert at.parts() == []
        return at.table.picture().tobytes()


@pytest.mark.parametrize("disturb", [lose_power, look_for_readers])
async def test_though_nothing_can_be_read_from_it_it_shows_the_right_picture_again(
    tmp_path: Path, disturb: Callable[[GameNight], None]
) -> None:
    assert await later_picture(tmp_path / "disturbed", disturb) == await later_picture(tmp_path / "left", None)
