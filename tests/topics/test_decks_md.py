"""What docs/page.md says of decks is what the table publishes and does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from table.rig import GameNight
from taptable.daemon import enrolment_session
from taptable.daemon.api import decks
from taptable.games.registry import GAMES

from topics.enroller import Enroller

TEXT = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
(SECTION,) = re.findall(r"^## Decks\n(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL)
LINES = " ".join(SECTION.split())
ROWS = {name: (one, two) for name, one, two in re.findall(r"^\| `([^`]+)` \| (.*?) \|(.*)$", SECTION, re.MULTILINE)}


def names(text: str) -> list[str]:
    return re.findall(r"`([a-z_]+)`", text)


@pytest.mark.table(starter=None)
async def test_every_part_and_every_verb_is_listed_with_its_fields(at: GameNight) -> None:
    ada = Enroller(at)
    await ada.ask("enrol", deck="family")
    parts = ada.parts
    assert list(ROWS)[:2] == ["decks", "enrolment"]
    assert names(ROWS["enrolment"][0]) == list(parts["enrolment"])
    told = set(names(LINES))
    deck = parts["decks"]["decks"][0]
    assert {*parts["decks"], *deck, *deck["kinds"][0], *deck["all_controls"][0]} <= told
    assert {*parts["decks"]["games"][0]} <= told
    await ada.ask("enrol-stop")
    for verb, (fields, _) in list(ROWS.items())[2:]:
        if verb in ("enrol-kind", "enrol-undo", "enrol-skip", "enrol-stop"):
            await ada.ask("enrol", deck="family")
        deck = ada.parts["decks"]["decks"][0]["name"]
        said = {
            "deck": deck,
            "kind": "email",
            "cards": ["email#1"],
            "name": "other",
            "game": "online",
            "anew": True,
        }
        if verb in ("read-manifest", "describe-deck"):
            said |= {"deck": "own", "game": "xnet", "manifest": GAMES["xnet"].sample}
        await ada.ask(verb, **{name: said[name] for name in names(fields)})
        if at.daemon.enrolment.on is not None:
            await ada.ask("enrol-stop")


def test_its_numbers_are_those_of_the_code() -> None:
    assert f"{enrolment_session.SILENCE_S / 60:g} minutes after the last tag" in LINES
    assert f"up to {decks.MOST_DECKS} decks" in LINES
