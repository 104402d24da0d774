"""`taptable deck enrol`, `replace` and `check --tap`: cards in hand, at the discard pad."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from taptable.memory.decks import Decks
from taptable.memory.members import MemberStore, members_file_of

from cli.deck_rig import EXAMPLE, box, running_deck_command


@pytest.fixture(autouse=True)
def table(folder: Path) -> None:
    """A compact table's configuration, which plays with the deck *family*."""
    (folder / "table.toml").write_text(EXAMPLE.read_text())


def tags_of(kind: str) -> list[str]:
    return [uid for uid, card in box().cards.items() if card.partition("#")[0] == kind]


async def test_control_cards_are_offered_at_the_end_and_may_be_left_out(folder: Path) -> None:
    Decks(folder / "decks").save(replace(box(), controls={}))
    async with running_deck_command("enrol") as person:
        assert person.new_output()[2:] == ["All 112 cards are enrolled.", "Now a control card for: Pause (s: none)."]
        assert await person.type("s") == ["Now a control card for: Take back (s: none)."]
        one, other = list(box().controls)[:2]
        assert await person.tap(one) == ["Take back: enrolled.", "Now a control card for: Reshuffle (s: none)."]
        assert await person.tap(one) == ["That is the control card Take back already."]
        assert await person.type("u") == ["Undone: Take back.", "Now a control card for: Take back (s: none)."]
        assert await person.tap(other) == ["Take back: enrolled.", "Now a control card for: Reshuffle (s: none)."]
        for _ in range(3):
            await person.type("s")
        assert await person.type("s") == ["Deck family is complete: 112 cards, 1 control cards."]
    assert list(Decks(folder / "decks").deck("family").controls.values()) == ["take-back"]


async def test_undo_goes_back_from_the_control_cards_to_the_cards(folder: Path) -> None:
    *most, last = box().cards.items()
    Decks(folder / "decks").save(replace(box(), cards=dict(most), controls={}))
    async with running_deck_command("enrol") as person:
        assert person.new_output()[-1] == "Now the Search cards, one after the other: 1 of 2 are enrolled."
        complete = ["Search: 2 of 2.", "All 112 cards are enrolled.", "Now a control card for: Pause (s: none)."]
        assert await person.tap("04000000000001") == complete
        undone = ["Undone: Search 2.", "Now the Search cards, one after the other: 1 of 2 are enrolled."]
        assert await person.type("u") == undone
        assert await person.tap(last[0]) == complete
        assert await person.type("q") == ["Stopped with 112 of 112 cards; all of them are saved."]
    assert Decks(folder / "decks").deck("family").cards == box().cards


async def test_the_end_of_the_input_stops(folder: Path) -> None:
    async with running_deck_command("enrol") as person:
        await person.tap(tags_of("online")[0])
        person.hang_up()
    assert len(Decks(folder / "decks").deck("family").cards) == 1


async def test_a_deck_is_checked_by_tapping_all_its_cards(folder: Path) -> None:
    mine, travel = box(), box("travel", seed=1)
    Decks(folder / "decks").save(mine)
    Decks(folder / "decks").save(travel)
    lost = {"email#3", "email#9", "hacker#6"}
    async with running_deck_command("check", "--tap", status=1) as person:
        assert person.new_output()[0] == "Tap every card of deck family, one after the other."
        here = [uid for uid, card in mine.cards.items() if card not in lost]
        for number, uid in enumerate(here, 1):
            assert (await person.tap(uid))[0].endswith(f": {number} of 112.")
        assert await person.tap(here[5]) == ["Online 6 was tapped before."]
        assert await person.tap(next(iter(mine.controls))) == ["Control card Pause."]
        assert await person.tap("04000000000009") == ["The tag 04000000000009 is in no deck."]
        assert await person.tap(next(iter(travel.cards))) == ["That is Online 1 of deck travel."]
        assert (await person.type("x"))[0] == "There is no key x."
        assert await person.type("q") == [
            "Missing: E-mail 3, 9; Hacker 6.",
            "A lost card gets a new one by: taptable deck replace family email#3",
            f"In no deck: 04000000000009, {next(iter(travel.cards))}.",
        ]


async def test_a_members_own_card_stays_theirs(folder: Path) -> None:
    members = MemberStore(members_file_of(folder / "journal.sqlite"))
    own = tags_of("online")[0]
    members.change(members.add("Ada", "#8ec1ff", "name").id, tags=(own,))
    async with running_deck_command("enrol") as person:
        person.new_output()
        assert await person.tap(own) == ["That is a member’s own card: it can’t be one of the deck’s."]
        assert await person.tap(tags_of("online")[1]) == ["Online: 1 of 13."]
        await person.type("q")
