"""docs/referee.md says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.lines import SHARED_CONTROLS
from taptable.referee.step import open_table

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")


def test_every_line_of_its_table_of_input_is_valid():
    table, _ = open_table(find_game("online"), GameOptions(4, "de", {}, 1))
    front = JsonlReferee(table, lambda _: "")
    lines = re.findall(r"^\| `(\{.*?\})` \|", PAGE, re.MULTILINE)
    assert len(lines) == 7
    for line in lines:
        assert "error" not in json.loads(front.answer(line.encode())), line


def test_every_control_is_explained():
    assert [control for control in SHARED_CONTROLS if f"| `{control}` |" not in PAGE] == []
