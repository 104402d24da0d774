"""Another table from the page: laid if it can be, and nothing is lost if it can't."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from taptable.memory.journal_reader import JournalReader

from demo_page.rig import Visitor, at_the_page

BUS_OF = {"compact": "spi", "ready": "i2c", "usb": "pcsc"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"players": 7}, "Players has to be a number from 1 to 6."),
    ({"players": 1}, "Such a table can’t be laid: ONLINE is played by 2 to 6 players, not by 1."),
    ({"players": "3"}, "Players has to be a number from 1 to 6."),
    ({"players": 2.5}, "Players has to be a number from 1 to 6."),
    ({"edition": "xx"}, "There is no such edition of this game."),
    ({"edition": ["de"]}, "There is no such edition of this game."),
    ({"players": 5, "compact": True}, "A compact table seats 4 players at most."),
    ({"players": 5, "build": "compact"}, "A compact table seats 4 players at most."),
    ({"build": "big"}, "There is no such build of a table."),
    ({"compact": "yes"}, "“compact” can’t be that."),
    ({"people": [3]}, "“people” can’t be that."),
    ({"people": "all"}, "“people” can’t be that."),
    ({"people": [True]}, "“people” can’t be that."),
    ({"seed": -1}, "Seed has to be a number from 0 to 1e+12."),
    ({"starter": 3}, "Starter has to be a number from 1 to 2."),
    ({"settings": []}, "“settings” can’t be that."),
    ({"settings": {"claim_s": [8]}}, "“settings” can’t be that."),
    (
        {"settings": {"claim_s": "1000"}},
        "Such a table can’t be laid: The setting claim_s can't be '1000': it takes seconds from 1 to 120.",
    ),
]


async def test_another_table_is_laid_and_the_first_one_is_over(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    before = visitor.harness
    wanted = {"players": 3, "edition": "fr", "people": [2], "seed": 11, "settings": {"claim_s": 8}, "starter": 2}
    assert (await visitor.asks("new-table", **wanted))["ok"]
    await visitor.until(lambda: visitor.evening.harness is not before and visitor.harness.is_running, "another table")
    assert not before.is_running
    await visitor.on_turn(2)
    demo = visitor.sees()["demo"]
    assert (demo["players"], demo["edition"], demo["people"], demo["seed"]) == (3, "fr", [2], 11)
    assert demo["settings"] == {"claim_s": "8"}
    assert set(visitor.shown["hands"]) == {"2"}
    assert len(visitor.shown["hardware"]["seats"]) == 3


@pytest.mark.parametrize(
    ("wanted", "build"), [({"compact": True}, "compact"), ({"build": "ready"}, "ready"), ({"build": "usb"}, "usb")]
)
async def test_a_table_of_another_build_with_nobody_at_it_plays_by_itself(
    visitor: Visitor, wanted: dict[str, Any], build: str
) -> None:
    await visitor.on_turn(1)
    before = visitor.harness
    assert (await visitor.asks("new-table", players=4, **wanted, people=[]))["ok"]
    await visitor.until(lambda: visitor.evening.harness is not before and visitor.harness.is_running, "another table")
    await visitor.on_turn(2)
    await visitor.on_turn(3)
    assert visitor.sees()["hands"] == {}
    demo, hardware = visitor.shown["demo"], visitor.shown["hardware"]
    assert (demo["build"], demo["compact"]) == (build, build == "compact")
    assert hardware["sounder"] == (build == "compact")
    assert {seat["bus"] for seat in hardware["seats"]} == {BUS_OF[build]}
    ghost = await visitor.asks("fault", fault="cross-talk", pad=1)
    boxed = visitor.words.text("hands", "no-cross-talk")
    assert (ghost["ok"], ghost.get("why")) == ((False, boxed) if build == "usb" else (True, None))
    assert (await visitor.asks("fault", fault="tear", pad=1))["ok"]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
async def test_a_table_that_cant_be_is_a_sentence_and_the_old_one_stays(
    visitor: Visitor, wrong: dict[str, Any], why: str
) -> None:
    await visitor.on_turn(1)
    room, hand = visitor.harness, visitor.hand()
    assert (await visitor.asks("new-table", **wrong)) == {"ok": False, "why": why}
    await asyncio.sleep(5)
    assert visitor.harness is room
    assert room.is_running
    assert visitor.hand() == hand


async def test_another_table_begins_a_game_of_its_own_beside_those_of_the_tables_before(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await visitor.asks("press", seat=1)
    await visitor.on_turn(2)
    before = visitor.harness
    assert (await visitor.asks("new-table", players=2, people=[1], starter=1))["ok"]
    await visitor.until(lambda: visitor.evening.harness is not before and visitor.harness.is_running, "another table")
    assert visitor.harness.config.file == before.config.file
    # agreed as the one before, it is none of that, and doesn't wait for anybody
    assert visitor.state.turn.seat == 1
    assert not visitor.people.paused
    with JournalReader.open(visitor.harness.config.table.journal) as journal:
        assert [(game.id, game.outcome) for game in journal.games()] == [(1, None), (2, None)]


async def test_nothing_is_published_about_a_table_that_is_not_there(visitor: Visitor) -> None:
    before, told = visitor.evening.api, visitor.evening._topics
    assert before is not None
    assert before.topics.keys() == {"about", "demo", "hardware", "glass", "hands"}
    seen: list[set[str | None]] = []
    visitor.evening._server.publish_changes = lambda: seen.append(
        {name for name, now in told().items() if now() is None}
    )  # type: ignore[method-assign]
    assert (await visitor.asks("new-table", players=3, people=[1]))["ok"]
    await visitor.until(lambda: visitor.evening.api is not before and visitor.evening.api.topics, "another table")  # type: ignore[union-attr]
    assert before.topics == {}
    assert len(seen) > 3
    assert set().union(*seen) == set()


async def test_people_may_be_counted_from_the_first_seat_on_and_house_rules_stay(tmp_path: Path) -> None:
    async with at_the_page(tmp_path, claim_s="9") as visitor:
        before = visitor.harness
        assert (await visitor.asks("new-table", players=4, people=2))["ok"]
        await visitor.until(
            lambda: visitor.evening.harness is not before and visitor.harness.is_running, "another table"
        )
        assert visitor.sees()["demo"]["people"] == [1, 2]
        assert visitor.shown["demo"]["settings"] == {"claim_s": "9"}
