"""Why a first start isn't finished, on the scoreboard of a table that has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from taptable.drivers.oled.display_model import SSD1309, DisplayModel
from taptable.sdcard.scoreboard import picture_of, show
from taptable.sim.i2c_bus import i2c_wired

FULL = Path(__file__).parents[2] / "examples" / "full.toml"
SENTENCE = "The Pi's buses could not be switched on."


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # in luma.oled
def test_it_stands_there_and_stays_when_the_program_has_ended() -> None:
    display = DisplayModel(SSD1309, (128, 64), 0)
    with i2c_wired({1: {0x3C: display}}):
        assert show(FULL, SENTENCE)
    assert display.image().tobytes() == picture_of(SENTENCE, (128, 64)).tobytes()


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
@pytest.mark.parametrize("spoil", ["unplugged", "none", "mistake", "gone"])
def test_where_no_scoreboard_answers_nothing_else_is_wrong(tmp_path: Path, spoil: str) -> None:
    file, text = tmp_path / "table.toml", FULL.read_text()
    if spoil != "gone":
        without = re.sub(r"(?ms)^\[scoreboard\].*?(?=^\[sounder\])", "", text)
        file.write_text({"none": without, "mistake": f"{text}\n[nothing]\n"}.get(spoil, text))
    with i2c_wired({1: {}}):
        assert not show(file, SENTENCE)
