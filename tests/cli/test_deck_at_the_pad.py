"""`taptable deck enrol`, `replace` and `check --tap`: cards in hand, at the discard pad."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from choosing import mostly_long
from taptable.core.errors import DeckError, DeviceError
from taptable.core.observations import DISCARD_PAD
from taptable.memory.deck import CONTROLS, Completeness, completeness
from taptable.memory.decks import Decks
from taptable.memory.journal import Journal
from taptable.memory.members import Members, members_of
from taptable.words import LANGUAGES

from cli.desk import CARDS, EXAMPLE, Person, at_desk, box


@pytest.fixture(autouse=True)
def table(folder: Path) -> None:
    """A compact table's configuration, which plays with the deck *family*."""
    (folder / "table.toml").write_text(EXAMPLE.read_text())


def tags_of(kind: str) -> list[str]:
    return [uid for uid, card in box().cards.items() if card.partition("#")[0] == kind]


async def enrol_all(person: Person) -> None:
    """Tap every card that isn't enrolled, kind by kind."""
    for uid in box().cards:
        if Decks(Path("decks")).find(uid) is None:
            await person.tap(uid)


async def test_112_cards_are_enrolled_with_ten_mistakes_among_them(folder: Path) -> None:
    mine, travel = box(), box("travel", seed=1)
    Decks(folder / "decks").save(travel)
    tags = list(mine.cards)
    async with at_desk("enrol", prepare=lambda table: table.put(tags[0], DISCARD_PAD)) as person:
        assert person.hears() == [
            "Deck family: 0 of 112 cards are enrolled.",
            "Keys, each with Enter: u undoes the last one, s skips, q stops; the same command goes on later.",
            "Now the 13 Online cards, one after the other.",
            # 1: a card lay there before
            "A card lies on the pad: lift it and tap it again.",
        ]
        await person.lift(tags[0])
        for number, uid in enumerate(tags[:12], 1):
            assert await person.tap(uid) == [f"Online: {number} of 13."]
        assert await person.tap(tags[11]) == ["That is Online 12 already."]  # 2: once more
        assert await person.tap(tags[3]) == ["That is Online 4 already."]  # 3: from the pile that is done
        phone = "That is a phone or a bank card: its number is another one each time."
        assert await person.tap_phone() == [phone]  # 4
        foreign = next(iter(travel.cards))
        assert await person.tap(foreign) == ["That is Online 1 of deck travel."]  # 5
        control = next(iter(travel.controls))
        assert await person.tap(control) == ["That is the control card Pause of deck travel."]  # 6
        assert await person.tap(tags[12]) == ["Online: 13 of 13.", "Now the 3 Turbo-Line cards, one after the other."]
        wrong = tags_of("virus")[0]
        assert await person.tap(wrong) == ["Turbo-Line: 1 of 3."]  # 7: one of another kind, which nobody can know
        undone = ["Undone: Turbo-Line 1.", "Now the 3 Turbo-Line cards, one after the other."]
        assert await person.type("u") == undone
        together = await person.tap(tags[13], tags[14])  # 8
        assert together[-2:] == [
            "Two at once: neither counts. Tap them one after the other.",
            "Now the 3 Turbo-Line cards, one after the other.",
        ]
        assert await person.type("s") == ["Now the 8 Password OK cards, one after the other."]  # 9: not at hand
        assert (await person.type("undo"))[0] == "There is no key undo."  # 10
        for number, uid in enumerate(tags_of("password-ok"), 1):
            assert (await person.tap(uid))[0] == f"Password OK: {number} of 8."
        assert await person.type("q") == ["Stopped with 21 of 112 cards; all of them are saved."]
    assert len(Decks(folder / "decks").deck("family").cards) == 21
    async with at_desk("enrol", "family") as person:
        assert person.hears()[::2] == [
            "Deck family: 21 of 112 cards are enrolled.",
            "Now the 3 Turbo-Line cards, one after the other.",
        ]
        await enrol_all(person)
        assert person.hears() == []
        for uid, control in mine.controls.items():
            said = await person.tap(uid)
            assert said[0].endswith(": enrolled.")
            assert (said[-1] == "Deck family is complete: 112 cards, 6 control cards.") == (control == CONTROLS[-1])
    enrolled = Decks(folder / "decks").deck("family")
    kinds = {uid: card.partition("#")[0] for uid, card in enrolled.cards.items()}
    assert kinds == {uid: card.partition("#")[0] for uid, card in mine.cards.items()}
    assert completeness(enrolled, CARDS) == Completeness((), ())
    assert enrolled.controls == mine.controls


async def test_control_cards_are_offered_at_the_end_and_may_be_left_out(folder: Path) -> None:
    Decks(folder / "decks").save(replace(box(), controls={}))
    async with at_desk("enrol") as person:
        assert person.hears()[2:] == ["All 112 cards are enrolled.", "Now a control card for: Pause (s: none)."]
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
    async with at_desk("enrol") as person:
        assert person.hears()[-1] == "Now the Search cards, one after the other: 1 of 2 are enrolled."
        complete = ["Search: 2 of 2.", "All 112 cards are enrolled.", "Now a control card for: Pause (s: none)."]
        assert await person.tap("04000000000001") == complete
        undone = ["Undone: Search 2.", "Now the Search cards, one after the other: 1 of 2 are enrolled."]
        assert await person.type("u") == undone
        assert await person.tap(last[0]) == complete
        assert await person.type("q") == ["Stopped with 112 of 112 cards; all of them are saved."]
    assert Decks(folder / "decks").deck("family").cards == box().cards


async def test_one_kind_may_be_done_before_the_others(folder: Path) -> None:
    async with at_desk("enrol", "family", "--kind", "email") as person:
        assert person.hears()[-1] == "Now the 22 E-mail cards, one after the other."
        for uid in tags_of("email"):
            await person.tap(uid)
        assert (await person.type("q"))[-1] == "Stopped with 22 of 112 cards; all of them are saved."
    assert set(Decks(folder / "decks").deck("family").cards.values()) == {f"email#{n}" for n in range(1, 23)}


async def test_the_end_of_the_input_stops(folder: Path) -> None:
    async with at_desk("enrol") as person:
        await person.tap(tags_of("online")[0])
        person.hang_up()
    assert len(Decks(folder / "decks").deck("family").cards) == 1


async def test_a_lost_card_gets_a_new_tag_and_the_old_one_counts_no_more(folder: Path) -> None:
    mine = box()
    Decks(folder / "decks").save(mine)
    old = {card: uid for uid, card in mine.cards.items()}
    async with at_desk("replace", "family", "email#7", "hacker#2", "search#1") as person:
        assert person.hears()[2:] == ["Now the new card E-mail 7."]
        assert await person.tap(old["email#8"]) == ["That is E-mail 8 already."]
        first = ["E-mail 7: replaced. The old card doesn’t count any more.", "Now the new card Hacker 2."]
        assert await person.tap("04000000000001") == first
        assert await person.type("u") == ["Undone: E-mail 7.", "Now the new card E-mail 7."]
        assert await person.tap("04000000000002") == first
        assert await person.type("s") == ["Now the new card Search 1."]
        assert await person.tap("04000000000003") == ["Search 1: replaced. The old card doesn’t count any more."]
    now = {card: uid for uid, card in Decks(folder / "decks").deck("family").cards.items()}
    assert now == {**old, "email#7": "04000000000002", "search#1": "04000000000003"}


async def test_a_deck_is_checked_by_tapping_all_its_cards(folder: Path) -> None:
    mine, travel = box(), box("travel", seed=1)
    Decks(folder / "decks").save(mine)
    Decks(folder / "decks").save(travel)
    lost = {"email#3", "email#9", "hacker#6"}
    async with at_desk("check", "--tap", status=1) as person:
        assert person.hears()[0] == "Tap every card of deck family, one after the other."
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


async def test_cards_tapped_together_are_all_counted_off(folder: Path) -> None:
    mine = box()
    Decks(folder / "decks").save(mine)
    async with at_desk("check", "family", "--tap") as person:
        person.hears()
        tags = list(mine.cards)
        for index in range(0, 112, 2):
            said = await person.tap(*tags[index : index + 2])
            assert len(said) == 2 + (index == 110)
        assert said[-1] == "All 112 cards are here."
        assert await person.type("q") == []


async def test_a_reader_that_is_missing_is_named_and_taken_back() -> None:
    async with at_desk("enrol", prepare=lambda table: table.wiring.missing.add("spi:0.0")) as person:
        assert person.hears()[-1].startswith("Discard pad doesn’t answer (")
        person.table.wiring.missing.clear()
        await asyncio.sleep(1.0)
        assert person.hears() == ["Discard pad is back."]
        assert await person.tap(tags_of("online")[0]) == ["Online: 1 of 13."]
        await person.type("q")


async def test_while_the_table_runs_the_pad_is_not_to_be_had(folder: Path) -> None:
    with (
        Journal.open(folder / "journal.sqlite"),
        pytest.raises(DeviceError, match=r"while that runs: enrol at its page, or stop it first \(.* process \d+"),
    ):
        async with at_desk("enrol") as person:
            assert person.hears() == []


async def test_a_members_own_card_stays_theirs(folder: Path) -> None:
    members = Members(members_of(folder / "journal.sqlite"))
    own = tags_of("online")[0]
    members.change(members.add("Ada", "#8ec1ff", "name").id, tags=(own,))
    async with at_desk("enrol") as person:
        person.hears()
        assert await person.tap(own) == ["That is a member’s own card: it can’t be one of the deck’s."]
        assert await person.tap(tags_of("online")[1]) == ["Online: 1 of 13."]
        await person.type("q")


async def test_a_deck_that_somebody_else_changes_meanwhile_is_left_alone(folder: Path) -> None:
    path = folder / "decks" / "family.json"

    async def enrol_two() -> None:
        async with at_desk("enrol") as person:
            await person.tap(tags_of("online")[0])
            path.write_text(path.read_text() + "\n")
            await person.tap(tags_of("online")[1])

    with pytest.raises(DeckError, match="was changed by another program"):
        await enrol_two()
    assert path.read_text().endswith("}\n\n")


@pytest.mark.parametrize("language", mostly_long(LANGUAGES))
async def test_everything_is_said_in_four_languages(folder: Path, language: str) -> None:
    mine, travel = box(), box("travel", seed=1)
    Decks(folder / "decks").save(travel)
    async with at_desk("enrol", "--language", language) as person:
        tags = list(mine.cards)
        heard = person.hears()
        heard += [line for uid in (tags[0], tags[0], *travel.cards) for line in await person.tap(uid)][:6]
        for key in ("u", "u", "s", "x", "q"):
            heard += await person.type(key)
        assert [line for line in heard if "{" in line or "-" in line.split()[0]] == []
        assert len(set(heard)) >= 10
