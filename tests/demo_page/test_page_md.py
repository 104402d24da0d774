"""docs/page.md says what the demo tells its page, and what it does."""

from __future__ import annotations

import re
from pathlib import Path

from taptable.sim.page import actions
from taptable.sim.page.faults import FAULTS

from demo_page.rig import Visitor

TEXT = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
EXTENSION = TEXT.partition("## The demo's extension")[2]
ROWS = dict(re.findall(r"^\| `([^`]+)` \| (.*?) \|", EXTENSION, re.MULTILINE))


def names(text: str) -> set[str]:
    return set(re.findall(r"`([\w-]+)`", text))


async def test_parts_and_streams_are_listed_with_their_fields(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await visitor.asks("tap", seat=1, card=visitor.hand()[0], pad=1)
    parts = visitor.sees()
    for name in ("demo", "hardware", "glass"):
        assert set(parts[name]) <= names(ROWS[name]), name
    assert set(parts["hands"]["1"]) == names(ROWS["hands"])
    (seat, _) = parts["hardware"]["seats"]
    assert {*seat, *seat["ring"], *seat["lamp"]} <= names(EXTENSION)
    for stream in ("tones", "wire"):
        assert {*visitor.streams[stream][0]} - {"n"} <= names(EXTENSION)


def test_verbs_and_faults_are_listed() -> None:
    code = Path(actions.__file__).read_text(encoding="utf-8")
    done = {
        verb for case in re.findall(r"^            case (\".*\"):$", code, re.MULTILINE) for verb in case.split(" | ")
    }
    listed = {f'"{verb}"' for verb in ROWS if verb not in ("demo", "hardware", "glass", "hands") and "/" not in verb}
    assert done == listed
    assert set(FAULTS) <= names(EXTENSION)
