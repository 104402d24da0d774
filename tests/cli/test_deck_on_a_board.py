"""`taptable deck enrol` and `check --tap` where the discard pad is on a seat board."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from table.rig import all_on_boards
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD
from taptable.memory.decks import Decks
from taptable.sim.setting_up import table_toml

from cli.deck_rig import Person, box, running_deck_command

RESENT_S = 3.0
"""Within this a board that is heard again has said all it kept."""


@pytest.fixture(autouse=True)
def table(folder: Path) -> None:
    """The configuration of a table without SPI or pins, which plays with the deck *family*."""
    text = table_toml("online", GameOptions(2, "de", {}, None), "en", deck="family", build="full")
    (folder / "table.toml").write_text(all_on_boards(text), encoding="utf-8")


def kept(person: Person) -> int:
    """How many events the board of the discard pad keeps."""
    return len(person.table.stand_in("board").boards[DISCARD_PAD]._conversation.outbox.pending)


async def test_cards_are_enrolled_there_and_the_board_keeps_no_tag_for_the_table(folder: Path) -> None:
    tags = list(box().cards)
    async with running_deck_command("enrol") as person:
        await asyncio.sleep(RESENT_S)
        person.new_output()
        for number, uid in enumerate(tags[:3], 1):
            assert await person.tap(uid) == [f"Online: {number} of 13."]
        assert await person.tap(tags[1]) == ["That is Online 2 already."]
        assert await person.tap(*tags[3:5]) == [
            "Online: 4 of 13.",
            "Two at once: neither counts. Tap them one after the other.",
            "Now the Online cards, one after the other: 3 of 13 are enrolled.",
        ]
        assert kept(person) == 0
        await person.type("q")
    assert list(Decks(folder / "decks").deck("family").cards) == tags[:3]


async def test_a_board_that_is_missing_is_named_and_taken_back() -> None:
    uid = next(iter(box().cards))
    async with running_deck_command(
        "enrol", prepare=lambda table: table.stand_in("board").boards[DISCARD_PAD].pull_out()
    ) as person:
        assert person.new_output()[-1].startswith("Discard board doesn’t answer (")
        person.table.stand_in("board").boards[DISCARD_PAD].plug_in()
        await asyncio.sleep(RESENT_S)
        assert person.new_output() == ["Discard board is back."]
        person.table.deafen(DISCARD_PAD)
        await asyncio.sleep(1)
        assert person.new_output() == [
            "Discard pad doesn’t answer (its reader doesn't answer the board); it is tried again."
        ]
        person.table.deafen(DISCARD_PAD, deaf=False)
        await asyncio.sleep(RESENT_S)
        assert person.new_output() == ["Discard pad is back."]
        assert await person.tap(uid) == ["Online: 1 of 13."]
        await person.type("q")
