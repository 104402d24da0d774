"""Enrolling at a discard pad that is on a seat board: its events are journalled, acknowledged and accepted once, and an
event that it kept from before doesn't answer the present question."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from table.rig import GameNight, running_table
from table.test_full_disk import AGAIN_S, no_file_larger_than
from taptable.core.observations import DISCARD_PAD
from taptable.core.tag_notices import DiscardPadTaken, EnrolmentSays

from topics.enroller import Enroller, a_table_with_a_page, box

RESENT_S = 3.0
"""Within this a board that is heard again has said all it kept."""
LIE_TO_LIFT = "A card lies on the pad: lift it and tap it again."
pytestmark = pytest.mark.table(pins=False)


@pytest.fixture
def ada(at: GameNight) -> Enroller:
    """Somebody at the page with a box of new cards."""
    return Enroller(at)


def kept(at: GameNight) -> int:
    """How many events the board of the discard pad keeps."""
    return len(at.table.stand_in("board").boards[DISCARD_PAD]._conversation.outbox.pending)


async def test_each_event_is_in_the_journal_once_and_the_board_keeps_none(at: GameNight, ada: Enroller) -> None:
    await ada.ask("enrol", deck="family")
    await asyncio.sleep(1)
    assert at.table.ring_pattern(DISCARD_PAD) == "your-turn"
    tags = list(box().cards)
    for uid in tags[:3]:
        await ada.taps(uid)
    assert list(ada.deck().cards) == tags[:3]
    assert kept(at) == 0
    origins = [entry.origin for entry in at.entries() if entry.origin is not None]
    assert len(set(origins)) == len(origins) == 3 * 2  # come, and gone
    await ada.ask("enrol-stop")
    await asyncio.sleep(1)
    assert at.taps() == []
    assert at.table.ring_pattern(DISCARD_PAD) == "paused"


async def test_the_fault_of_a_tag_is_reported_as_at_any_other_pad(at: GameNight, ada: Enroller) -> None:
    first, second, third = list(box().cards)[:3]
    at.table.put(first, DISCARD_PAD)
    await asyncio.sleep(1)
    await ada.ask("enrol", deck="family")
    at.table.lift(first, DISCARD_PAD)
    await asyncio.sleep(1)
    assert ada.pad_status["have"] == 0
    assert await ada.taps(first) == "Online: 1 of 13."
    assert await ada.taps(first) == "That is Online 1 already."
    assert await ada.taps(second, third) == "Two at once: neither counts. Tap them one after the other."
    phone = "That is a phone or a bank card: its number is another one each time."
    assert await ada.taps("08112233") == phone
    at.table.stand_in("board").boards[DISCARD_PAD].set_unselectable()
    await asyncio.sleep(5)
    assert ada.last_said == "That answers, but can’t be read: take another sticker."
    at.table.stand_in("board").boards[DISCARD_PAD].set_unselectable(present=False)
    await asyncio.sleep(1)
    assert (await ada.loses_the_reader()).startswith("Discard pad doesn’t answer (")
    assert ada.last_said == "Discard pad is back."
    assert await ada.taps(second) == "Online: 2 of 13."


async def test_a_board_that_is_gone_is_named_and_what_was_tapped_meanwhile_is_tapped_again(
    at: GameNight, ada: Enroller
) -> None:
    await ada.ask("enrol", deck="family")
    first, second = list(box().cards)[:2]
    at.table.stand_in("board").boards[DISCARD_PAD].pull_out(powered=True)
    await asyncio.sleep(1)
    assert ada.last_said.startswith("Discard board doesn’t answer (")
    await ada.taps(first)
    at.table.stand_in("board").boards[DISCARD_PAD].plug_in()
    await asyncio.sleep(RESENT_S)
    assert ada.last_said == LIE_TO_LIFT
    assert kept(at) == 0
    assert ada.pad_status["have"] == 0
    assert await ada.taps(second) == "Online: 1 of 13."
    assert list(ada.deck().cards) == [second]


async def test_a_card_that_could_not_be_written_down_is_not_seen_twice(at: GameNight, ada: Enroller) -> None:
    await ada.ask("enrol", deck="family")
    first, second = list(box().cards)[:2]
    await ada.taps(first)
    heard = len(at.all_told(EnrolmentSays))
    with no_file_larger_than(0):
        assert await ada.taps(second) == "Not saved, so it doesn’t count: File too large."
        await asyncio.sleep(5)
        assert kept(at) > 0
    await asyncio.sleep(AGAIN_S)
    assert kept(at) == 0
    assert [said.key for said in at.all_told(EnrolmentSays)[heard:]] == ["not-saved"]
    assert list(ada.deck().cards) == [first]
    assert at.taps() == []


async def test_a_table_that_comes_back_takes_nothing_from_before_for_an_answer(tmp_path: Path) -> None:
    first, second, third = list(box().cards)[:3]
    async with running_table(a_table_with_a_page(tmp_path, pins=False)) as at:
        await asyncio.sleep(1)
        ada = Enroller(at)
        await ada.ask("enrol", deck="family")
        await ada.taps(first)
        await at.stop()
        await at.tap_in_vain("email#1", DISCARD_PAD)
        at.table.put(second, DISCARD_PAD)
        await asyncio.sleep(1)
        at.table.lift(second, DISCARD_PAD)
        await asyncio.sleep(1)
        await at.start()
        ada = Enroller(at)
        await asyncio.sleep(RESENT_S)
        assert (ada.pad_status["over"], ada.pad_status["have"], ada.last_said) == (False, 1, LIE_TO_LIFT)
        assert kept(at) == 0
        assert await ada.taps(third) == "Online: 2 of 13."
        assert list(ada.deck().cards) == [first, third]
        assert at.all_told(DiscardPadTaken) == []


async def test_a_table_killed_after_a_card_was_saved_has_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = list(box().cards)[:2]
    async with running_table(a_table_with_a_page(tmp_path, pins=False)) as at:
        await asyncio.sleep(1)
        ada = Enroller(at)
        await ada.ask("enrol", deck="family")
        monkeypatch.setattr(at.daemon.controller, "_commit", lambda *_: False)
        await ada.taps(first)
        assert kept(at) > 0
        await at.restart()
        ada = Enroller(at)
        await asyncio.sleep(RESENT_S)
        assert (ada.pad_status["have"], kept(at)) == (1, 0)
        assert await ada.taps(second) == "Online: 2 of 13."
        assert list(ada.deck().cards) == [first, second]
