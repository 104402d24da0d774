"""Enrolling and checking decks at the running table, asked for at the page, cards at the real reader's driver."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from cli.deck_rig import CARDS
from table.rig import GameNight, a_table, running_table
from table.test_full_disk import AGAIN_S, no_file_larger_than
from taptable.api.errors import RequestError
from taptable.api.requests import BringDeck, ReadDeck, Role
from taptable.core.observations import DISCARD_PAD
from taptable.core.tag_notices import DeckChosen, DeckMissing, DiscardPadTaken, EnrolmentBegan, EnrolmentEnded
from taptable.core.verdicts import Accepted, Fault, Refused
from taptable.daemon import enrolment_session
from taptable.daemon.active_deck import POLL_S
from taptable.memory import decks, durable
from taptable.memory.deck import Completeness, Deck, card_set_of, completeness
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.narration.sentences import narrate
from taptable.referee.session import Decision
from taptable.sim.setting_up import DECK, tagged_deck
from taptable.words import Words

from topics.enroller import DEAF_S, Enroller, a_table_with_a_page, box
from topics.page_user import GERMAN

SETTLED_S = 1.0
"""Within this every reader has looked: what lies there then was there before."""
IDLE_TIMEOUT_S = 20.0
"""In place of ten minutes, of which each would have to be simulated."""
FULL = box(name=DECK, seed=0)
"""The deck that the table plays with."""


def what_is(at: GameNight, uid: str) -> str | None:
    """The card that a tag is at the table."""
    return at.daemon.active_deck.identities.get(uid)


@pytest.fixture
def ada(at: GameNight) -> Enroller:
    """Somebody at the page with a box of new cards."""
    return Enroller(at)


async def test_112_cards_are_enrolled_at_the_table_with_ten_mistakes_among_them(at: GameNight, ada: Enroller) -> None:
    mine = box()
    tags = list(mine.cards)
    virus = next(uid for uid, card in mine.cards.items() if card == "virus#1")
    pause = next(uid for uid, control in mine.controls.items() if control == "pause")
    await ada.ask("enrol", deck="family")
    for number, uid in enumerate(tags[:12], 1):
        assert await ada.taps(uid) == f"Online: {number} of 13."
    assert await ada.taps(tags[11]) == "That is Online 12 already."  # 1: once more
    foreign = next(iter(FULL.cards))
    assert await ada.taps(foreign) == "That is Online 1 of deck sample."  # 2
    await ada.ask("enrol-stop")
    await ada.ask("enrol-only", deck="family", cards=["pause"])
    assert await ada.taps(pause) == "Pause: enrolled."
    await ada.ask("enrol", deck="family")
    assert await ada.taps(pause) == "That is the control card Pause already."  # 3
    phone = "That is a phone or a bank card: its number is another one each time."
    assert await ada.taps_phone() == phone  # 4
    assert await ada.taps(tags[12]) == "Online: 13 of 13."
    assert await ada.taps(tags[13], tags[14]) == "Two at once: neither counts. Tap them one after the other."  # 5
    assert ada.pad_status["have"] == 0
    at.table.put(tags[13], "discard")  # 6: it lies there while the reader is gone
    await ada.loses_the_reader()
    assert ada.last_said == "A card lies on the pad: lift it and tap it again."
    at.table.lift(tags[13], "discard")
    await asyncio.sleep(0.5)
    await ada.ask("enrol-skip")  # 7: the three Turbo-Line cards aren't at hand
    assert ada.pad_status["wanted"] == "password-ok"
    assert await ada.taps(virus) == "Password OK: 1 of 8."  # 8: of another kind, which nobody can know
    await ada.ask("enrol-undo")
    assert ada.last_said == "Undone: Password OK 1."
    assert (await ada.loses_the_reader()).startswith("Discard pad doesn’t answer (")  # 9
    with no_file_larger_than(0):  # 10
        assert await ada.taps(tags[16]) == "Not saved, so it doesn’t count: File too large."
    await asyncio.sleep(AGAIN_S)
    for uid, card in mine.cards.items():
        if card.startswith(("online", "turbo-line")):
            continue
        await ada.taps(uid)
    for uid in tags[13:16]:
        await ada.taps(uid)
    assert ada.pad_status["wanted"] == "take-back"
    for uid, control in mine.controls.items():
        if control != "pause":
            await ada.taps(uid)
    assert (ada.pad_status["over"], ada.last_said) == (True, "Deck family is complete: 112 cards, 6 control cards.")
    enrolled = ada.deck()
    kinds = {uid: card.partition("#")[0] for uid, card in enrolled.cards.items()}
    assert kinds == {uid: card.partition("#")[0] for uid, card in mine.cards.items()}
    assert completeness(enrolled, CARDS) == Completeness((), ())
    assert dict(enrolled.controls) == dict(mine.controls)
    assert at.state.discard == ()


async def test_a_game_under_way_waits_and_goes_on_as_it_stood(at: GameNight, ada: Enroller) -> None:
    await at.tap("online#1", 1)
    before = at.state
    await ada.ask("enrol", deck="family")
    assert at.referee_table.paused_at_us is not None
    uid = next(iter(box().cards))
    await ada.taps(uid)
    await ada.taps(at.tags["email#1"])
    heard = at.expect(lambda h: isinstance(h, DiscardPadTaken))
    at.put("email#1", 1)
    assert (await heard).pad == 1
    at.lift("email#1", 1)
    await asyncio.sleep(1)
    heard = at.expect(lambda h: isinstance(h, DiscardPadTaken))
    at.table.press(2)
    assert (await heard).pad == 2
    at.daemon.controller.use_control("resume", "discard", "Bo")
    assert at.referee_table.paused_at_us is not None
    assert at.state == before
    await ada.ask("enrol-stop")
    assert (await at.press(2)) is not None
    assert at.referee_table.paused_at_us is None
    assert isinstance((await at.tap("email#1", 1)).verdict, Accepted)
    assert isinstance((await at.tap("music#1", "discard")).verdict, Accepted)


async def test_the_journal_knows_who_enrolled_and_no_number_of_a_tag(at: GameNight, ada: Enroller) -> None:
    await ada.ask("enrol", deck="family")
    uid = next(iter(box().cards))
    await ada.taps(uid)
    await ada.ask("enrol-stop")
    lines = [entry.line for entry in at.entries() if entry.line and entry.kind == "note"]
    assert [(line["type"], line["deck"]) for line in lines] == [
        ("enrolment-began", "family"),
        ("enrolment-ended", "family"),
    ]
    assert lines[0]["by"] == "page"
    assert uid not in str([entry.line for entry in at.entries()])
    assert uid not in str(ada.parts)


async def test_one_enrolment_at_a_time_and_every_client_may_stop_it(at: GameNight, ada: Enroller) -> None:
    bo = Enroller(at)
    await ada.ask("enrol", deck="family")
    busy = "Deck family is at the discard pad: stop that first."
    for verb, fields in (
        ("enrol", {"deck": "other"}),
        ("check-deck", {"deck": DECK}),
        ("use-deck", {"deck": DECK}),
        ("rename-deck", {"deck": DECK, "name": "other"}),
        ("delete-deck", {"deck": DECK}),
    ):
        assert await bo.is_refused(verb, **fields) == busy
    assert bo.pad_status["by"] == "page"
    await bo.ask("enrol-stop")
    assert ada.pad_status["over"]
    assert await ada.is_refused("enrol-undo") == "Nothing is being enrolled at the discard pad."


async def test_after_a_long_silence_the_pad_is_the_games_again(
    at: GameNight, ada: Enroller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrolment_session, "IDLE_TIMEOUT_S", IDLE_TIMEOUT_S)
    await ada.ask("enrol", deck="family")
    await asyncio.sleep(IDLE_TIMEOUT_S - 1)
    await ada.taps(next(iter(box().cards)))
    await asyncio.sleep(IDLE_TIMEOUT_S - 2)
    assert not ada.pad_status["over"]
    await asyncio.sleep(2)
    assert ada.pad_status["over"]
    assert [ended.how for ended in at.all_told(EnrolmentEnded)] == ["silence"]
    assert len(ada.deck().cards) == 1


async def test_lost_cards_get_new_tags_one_by_one(at: GameNight, ada: Enroller) -> None:
    new = list(box(seed=9).cards)
    old = {card: uid for uid, card in FULL.cards.items()}
    await ada.ask("enrol-only", deck=DECK, cards=["email#7", "hacker#2", "pause"])
    assert (ada.pad_status["wanted"], ada.pad_status["name"]) == ("email#7", "E-mail 7")
    assert await ada.taps(old["email#7"]) == "That is E-mail 7 already."
    assert await ada.taps(new[0]) == "E-mail 7: replaced. The old card doesn’t count any more."
    await ada.ask("enrol-undo")
    assert ada.pad_status["wanted"] == "email#7"
    await ada.taps(new[1])
    await ada.taps(new[2])
    assert await ada.taps(new[3]) == "Pause: enrolled."
    assert ada.pad_status["over"]
    now = {card: uid for uid, card in ada.deck(DECK).cards.items()}
    assert now == {**old, "email#7": new[1], "hacker#2": new[2]}
    assert what_is(at, old["email#7"]) is None
    assert what_is(at, new[1]) == "email#7"


async def test_a_deck_is_checked_by_tapping_all_its_cards(ada: Enroller) -> None:
    await ada.ask("check-deck", deck=DECK)
    for uid, card in FULL.cards.items():
        if card not in ("email#3", "hacker#6"):
            await ada.taps(uid)
    assert (ada.pad_status["have"], ada.pad_status["need"]) == (110, 112)
    assert await ada.taps(next(iter(box().cards))) == "This tag is in no deck."
    await ada.ask("enrol-stop")
    missing = {kind["kind"]: kind["missing"] for kind in ada.pad_status["kinds"] if kind["missing"]}
    assert missing == {"email": [3], "hacker": [6]}
    assert (ada.pad_status["strangers"], ada.pad_status["over"]) == (1, True)
    assert ada.deck(DECK) == FULL


async def test_a_pad_that_does_not_answer_is_reported_at_once(at: GameNight, ada: Enroller) -> None:
    at.table.deafen(DISCARD_PAD)
    await asyncio.sleep(DEAF_S)
    await ada.ask("enrol", deck="family")
    assert ada.last_said.startswith("Discard pad doesn’t answer (")
    at.table.deafen(DISCARD_PAD, deaf=False)
    await asyncio.sleep(DEAF_S)
    assert await ada.taps(next(iter(box().cards))) == "Online: 1 of 13."
    await ada.ask("enrol-stop")
    await ada.ask("enrol", deck="family")
    assert ada.last_said == ""


async def test_the_first_deck_is_played_with_from_its_first_card_on(tmp_path: Path) -> None:
    async def without_a_deck(at: GameNight) -> None:
        (at.config.table.decks / f"{DECK}.json").unlink()

    async with running_table(a_table_with_a_page(tmp_path), before=without_a_deck) as at:
        ada = Enroller(at)
        await asyncio.sleep(SETTLED_S)
        assert len(at.all_told(DeckMissing)) == 1
        number = next(iter(box().cards))
        at.tags = {number: number, "online#1": number}
        assert isinstance((await at.tap(number, 1)).verdict, Fault)
        assert ada.parts["decks"]["decks"] == []
        await ada.ask("enrol", deck="family")
        await ada.taps(number)
        await ada.ask("enrol-stop")
        assert [(chosen.deck, chosen.by) for chosen in at.all_told(DeckChosen)] == [("family", "")]
        await at.press(2)
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)


@asynccontextmanager
async def without_a_deck(folder: Path) -> AsyncIterator[GameNight]:
    """A table whose folder of decks is empty."""

    async def empty(at: GameNight) -> None:
        (at.config.table.decks / f"{DECK}.json").unlink()

    async with running_table(a_table_with_a_page(folder), before=empty) as at:
        await asyncio.sleep(SETTLED_S)
        assert at.daemon.active_deck.deck_name == ""
        yield at


def has_a_deck(ada: Enroller, name: str) -> bool:
    """Return whether this deck is in play, and is shown as such."""
    parts = ada.parts
    there = [each["name"] for each in parts["decks"]["decks"] if each["in_use"]]
    return there == [name] and parts["now"]["title"] != "No deck yet" and parts["alerts"] == []


@pytest.mark.parametrize("how", ["page", "command", "while no table runs"])
async def test_an_only_deck_is_played_with_however_it_came_and_a_second_one_changes_nothing(
    how: str, tmp_path: Path
) -> None:
    async with without_a_deck(tmp_path) as at:
        ada, mine = Enroller(at), box()
        if how == "page":
            at.daemon.api.do(Role.ADMIN, BringDeck(content=text_of(mine)))
        elif how == "command":
            Decks(at.config.table.decks).save(mine)
            await asyncio.sleep(POLL_S)
        else:
            await at.stop()
            Decks(at.config.table.decks).save(mine)
            await at.start()
            ada = Enroller(at)
            await ada.ask("resume")  # as after any start
        at.tags = {card: number for number, card in mine.cards.items()}
        assert has_a_deck(ada, "family")
        assert [(chosen.deck, chosen.by) for chosen in at.all_told(DeckChosen)] == [("family", "")]
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        at.daemon.api.do(Role.ADMIN, BringDeck(content=text_of(box(8, "another"))))
        assert has_a_deck(ada, "family")
        await at.restart()
        assert has_a_deck(Enroller(at), "family")
        assert isinstance((await at.tap("online#1", 1)).verdict, Refused)  # it is known, and the game is paused


async def test_a_first_deck_of_another_game_is_played_with_when_that_game_is(tmp_path: Path) -> None:
    async with without_a_deck(tmp_path) as at:
        ada = Enroller(at)
        siege = tagged_deck("siege", card_set_of("cyber-siege", ""), 7, "")
        at.daemon.api.do(Role.ADMIN, BringDeck(content=text_of(siege)))
        assert at.daemon.active_deck.deck_name == ""
        assert ada.parts["now"]["title"] == "No deck yet"
        await ada.ask("set-up", game="cyber-siege", players=2, deck="")
        assert has_a_deck(ada, "siege")


async def test_of_several_decks_the_one_that_lacks_least_is_played_with_then_the_other(tmp_path: Path) -> None:
    async with without_a_deck(tmp_path) as at:
        few = dict(list(box().cards.items())[:20])
        for deck in (replace(box(), cards=few), box(8, "whole"), Deck("empty", "online")):
            Decks(at.config.table.decks).save(deck)
        await asyncio.sleep(POLL_S)
        ada = Enroller(at)
        assert has_a_deck(ada, "whole")
        await ada.ask("end-game")
        await ada.ask("delete-deck", deck="whole")
        assert has_a_deck(ada, "family")
        await ada.ask("delete-deck", deck="family")
        assert at.daemon.active_deck.deck_name == ""
        assert ada.parts["now"]["title"] == "No deck yet"


async def test_a_card_of_a_deck_that_isnt_played_with_is_called_so(tmp_path: Path) -> None:
    config = a_table(tmp_path)
    Decks(config.table.decks).save(box())
    async with running_table(config) as at:
        number, card = next(iter(box().cards.items()))
        at.tags = {f"family:{card}": number}
        verdict = (await at.tap(f"family:{card}", 1)).verdict
        assert isinstance(verdict, Fault)
        assert verdict.code == "unknown-card"
        for language, said in {"en": "which isn’t in use", "de": "nicht gespielt wird"}.items():
            sentence = Words(language, ("taptable.games.online",)).verdict(verdict)
            assert said in sentence
            assert "family" in sentence
        (told,) = [each for each in at.all_told(Decision) if each.verdict is verdict]
        (log,) = narrate(told)
        assert log.text(Words("en", ("taptable.games.online",))) == (
            "Not understood (R11): Online, seat 1. A card of the deck “family”, which isn’t in use."
        )


async def test_decks_are_chosen_renamed_and_taken_away_but_never_lost(tmp_path: Path) -> None:
    config = a_table(tmp_path)
    Decks(config.table.decks).save(box())
    async with running_table(config) as at:
        ada = Enroller(at)
        playing = "A game is being played with deck sample: that has to be over first."
        assert await ada.is_refused("use-deck", deck="family") == playing
        assert await ada.is_refused("delete-deck", deck=DECK) == playing
        assert await ada.is_refused("rename-deck", deck=DECK, name="family") == "There is a deck family already."
        assert await ada.is_refused("rename-deck", deck=DECK, name="Família") == (
            "A deck’s name has lower-case letters, digits and hyphens, 40 at most."
        )
        await ada.ask("rename-deck", deck=DECK, name="old-box")
        assert at.daemon.active_deck.deck_name == "old-box"
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        assert set(ada.deck("old-box").cards.values()) == set(CARDS)
        kept = (await ada.ask("delete-deck", deck="family"))["kept"]
        assert (config.table.decks / kept).read_text() == text_of(box())
        assert [deck["name"] for deck in ada.parts["decks"]["decks"]] == ["old-box"]
        assert await ada.is_refused("use-deck", deck="family") == "There is no deck “family”."


async def test_a_deck_of_which_only_the_last_sync_fails_is_played_with_as_it_is_then(tmp_path: Path) -> None:
    error = OSError(5, "Input/output error")
    async with running_table(a_table(tmp_path)) as at:
        ada = Enroller(at)
        with patch.object(decks, "sync_folder", side_effect=error), pytest.raises(RequestError):
            await ada.ask("rename-deck", deck=DECK, name="box")
        assert has_a_deck(ada, "box")
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        await ada.ask("end-game")
        with patch.object(decks, "sync_folder", side_effect=error), pytest.raises(RequestError):
            await ada.ask("delete-deck", deck="box")
        assert at.daemon.active_deck.deck_name == ""
        assert ada.parts["now"]["title"] == "No deck yet"
        with patch.object(durable, "sync_folder", side_effect=error), pytest.raises(RequestError):
            await ada.table.call(BringDeck(text_of(box())))
        assert has_a_deck(ada, "family")


async def test_a_deck_goes_out_and_comes_in_as_a_file(at: GameNight, ada: Enroller) -> None:
    assert await ada.table.call(ReadDeck(DECK)) == {"content": text_of(FULL)}
    with pytest.raises(RequestError):
        await ada.table.call(ReadDeck("../sample"))
    assert await ada.table.call(BringDeck(text_of(box()))) == {"deck": "family", "kept": None}
    assert ada.deck() == box()
    again = replace(box(), controls={})
    kept = (await ada.table.call(BringDeck(text_of(again))))["kept"]
    assert (at.config.table.decks / kept).read_text() == text_of(box())
    shared = text_of(replace(FULL, name="shared"))
    twice = text_of(again).replace('email#1"', 'email#2"')
    other = text_of(replace(again, game="go"))
    deep, large = "[" * 600 + "]" * 600, "9" * 5000
    for content in ("{", "\ufffd", "[]", deep, large, shared, twice, other):
        with pytest.raises(RequestError) as refused:
            await ada.table.call(BringDeck(content))
        assert not any(uid in str(refused.value) for uid in (*FULL.cards, *again.cards))
    assert ada.deck() == again
    with pytest.raises(RequestError) as refused:
        await ada.table.call(BringDeck(twice))
    (line,) = [n for n, each in enumerate(twice.splitlines(), 1) if '"email#2"' in each][1:]
    said = f"Die Datei kann nicht übernommen werden: Zeile {line}: email#2 steht hier ein zweites Mal."
    assert refused.value.text(GERMAN) == said


async def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    tags = list(box().cards)
    async with running_table(a_table_with_a_page(tmp_path)) as at:
        ada = Enroller(at)
        await asyncio.sleep(SETTLED_S)
        await ada.ask("enrol", deck="family", kind="email")
        await ada.taps(tags[0])
        await at.restart()
        await asyncio.sleep(SETTLED_S)
        ada = Enroller(at)
        assert (ada.pad_status["deck"], ada.pad_status["wanted"], ada.pad_status["have"], ada.pad_status["by"]) == (
            "family",
            "email",
            1,
            "page",
        )
        assert await ada.taps(tags[1]) == "E-mail: 2 of 22."
        await ada.ask("enrol-stop")
        await at.restart()
        ada = Enroller(at)
        assert ada.pad_status is None
        await asyncio.sleep(SETTLED_S)
        await ada.ask("enrol-only", deck=DECK, cards=["email#7", "email#8"])
        await ada.taps(tags[2])
        await at.restart()
        assert Enroller(at).pad_status["wanted"] == "email#8"
        assert len(at.all_told(EnrolmentBegan)) == 5


async def test_an_enrolment_that_a_start_cannot_go_on_with_is_over(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with running_table(config) as at:
        await asyncio.sleep(SETTLED_S)
        await Enroller(at).ask("enrol", deck="family")
        at.config = replace(config, page=None)
        await at.restart()
        assert [(ended.deck, ended.how) for ended in at.all_told(EnrolmentEnded)] == [("family", "stopped")]
        at.config = config
        await at.restart()
        assert Enroller(at).pad_status is None
