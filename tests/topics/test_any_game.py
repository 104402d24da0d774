"""Another game at the same table: set up at the page with cards that people described, played with its own controls,
and gone on with after the daemon was killed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from table.rig import GameNight, a_table, running_table
from taptable.api.errors import RequestError
from taptable.config import Config
from taptable.core.tag_notices import DeckMissing
from taptable.core.verdicts import Accepted, Refused
from taptable.games.registry import find_game
from taptable.memory.deck import card_set_of
from taptable.memory.decks import Decks
from taptable.memory.journal_reader import JournalReader
from taptable.referee.session import Decision
from taptable.sim.setting_up import DECK, tagged_deck

from topics.page_user import PageUser

TOPICS = ("music", "art", "Über uns", "news", "sports", "travel")
MANIFEST = json.dumps(
    {"game": "xnet", "name": "ours", "topics": {topic: {str(n): 2 for n in range(1, 10)} for topic in TOPICS}},
    ensure_ascii=False,
)
SMALL = json.dumps({"game": "xnet", "name": "small", "topics": {topic: {"1": 10} for topic in TOPICS}})
"""Too few for four."""
OWN = tagged_deck("own", card_set_of("xnet", MANIFEST), 5, MANIFEST)
UIDS = {what: uid for uid, what in {**OWN.cards, **OWN.controls}.items()}
XNET: dict[str, Any] = {"game": "xnet", "players": 3, "starter": 1, "names": ["Ada", "Ben", "Cleo"], "deck": "own"}


@pytest.fixture
def config(request: pytest.FixtureRequest, tmp_path: Path) -> Config:
    """A table that plays ONLINE, with a deck for X.net beside its own."""
    about = request.node.get_closest_marker("table")
    config = a_table(tmp_path, *about.args, **about.kwargs) if about else a_table(tmp_path, 3)
    Decks(config.table.decks).save(OWN)
    Decks(config.table.decks).save(tagged_deck("small", card_set_of("xnet", SMALL), 9, SMALL))
    return config


async def taps(at: GameNight, what: str, pad: int | str = "discard") -> Decision:
    """Tap a card of the deck for X.net, and return the decision."""
    heard = at.expect(lambda event: isinstance(event, Decision))
    at.table.put(UIDS[what], pad)
    said = await heard
    await asyncio.sleep(0.1)
    at.table.lift(UIDS[what], pad)
    await asyncio.sleep(0.4)
    assert isinstance(said, Decision)
    return said


def headers(config: Config) -> list[tuple[str, str, str]]:
    with JournalReader.open(config.table.journal) as journal:
        return [(game.header.game, game.header.deck, game.header.manifest) for game in journal.games()]


async def test_another_game_is_set_up_played_with_its_own_cards_and_gone_on_with_after_a_kill(
    at: GameNight, config: Config
) -> None:
    await PageUser(at).ask("set-up", **XNET)
    assert at.referee_table.game.name == "xnet"
    assert (at.daemon.active_deck.game, at.daemon.active_deck.deck_name) == ("xnet", "own")
    assert headers(config) == [("online", DECK, ""), ("xnet", "own", OWN.manifest)]
    for card in ("music-7#1", "Über uns-1#1", "news-3#1"):
        assert isinstance((await taps(at, card)).verdict, Accepted)
    assert at.daemon._vocabulary.pack is not None
    assert at.daemon._vocabulary.pack.by_id["Über uns-1"].title == "Über uns 1"

    at.table.let_go()
    await at.stop()
    at.table.take_up()
    await at.start()
    assert at.referee_table.game.name == "xnet"
    assert at.referee_table.paused_at_us is not None
    assert (at.daemon.active_deck.game, at.daemon.active_deck.deck_name) == ("xnet", "own")
    assert len(headers(config)) == 2
    at.daemon.controller.command("resume", at.daemon.clock.now_us())
    assert isinstance((await taps(at, "music-7#2", 1)).verdict, Accepted)

    await PageUser(at).ask("set-up", game="online", players=2, starter=2, deck="")
    assert at.referee_table.game.name == "online"
    assert (at.daemon.active_deck.deck_name, at.referee_table.game_options.manifest) == (DECK, "")
    assert isinstance((await at.tap("online#1", 2)).verdict, Accepted)


async def test_a_control_of_the_game_is_used_by_its_card_and_at_the_page_with_fields(at: GameNight) -> None:
    await PageUser(at).ask("set-up", **XNET)
    for card in ("music-7#1", "art-1#1", "news-3#1"):
        await taps(at, card)
    await taps(at, "music-1#1", 1)
    page = PageUser(at)
    await page.ask("use-control", control="hire-specialist", fields={"topic": "music"})
    assert at.state.pending is not None
    await taps(at, "sports-1#1")
    assert at.state.pending is None
    begun = await taps(at, "demand-new-2")
    assert isinstance(begun.verdict, Accepted)
    assert at.state.pending.level == 2


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"control": "buy-users"}, 'key "users" is missing'),
        ({"control": "buy-users", "fields": {"users": 3}}, '"users" takes a whole number from 1 to 2'),
        ({"control": "buy-users", "fields": {"users": "2"}}, '"users" takes a whole number'),
        ({"control": "swap", "fields": {"lower": "art"}}, "stand together or not at all"),
        ({"control": "buy-net", "fields": {"luck": 1}}, 'unknown or extra key "luck"'),
        ({"control": "buy-net", "fields": [1]}, "fields"),
        ({"control": "buy-net", "fields": {"x": "y" * 101}}, "fields"),
        ({"control": "buy-net", "fields": {"x": None}}, "fields"),
        ({"control": "luck"}, "control"),
        ({}, "control"),
    ],
)
async def test_wrong_fields_are_a_sentence_and_nothing_happens(said: dict[str, Any], why: str, at: GameNight) -> None:
    await PageUser(at).ask("set-up", **XNET)
    before = at.state
    with pytest.raises(RequestError) as refused:
        await PageUser(at).ask("use-control", **said)
    assert why in str(refused.value)
    assert at.state is before


async def test_what_a_control_is_refused_for_is_the_referee_s_sentence(at: GameNight) -> None:
    await PageUser(at).ask("set-up", **XNET)
    with pytest.raises(RequestError):
        await PageUser(at).ask("use-control", control="buy-net")
    assert at.all_told(Refused)[-1].code == "demand-first"


async def test_the_possible_set_ups_are_listed_for_every_game_that_the_seats_can_play(at: GameNight) -> None:
    games = {game["game"]: game for game in PageUser(at).parts["setup"]["games"]}
    assert {"online", "xnet", "cyber-siege"} == games.keys()
    assert games["xnet"]["players"] == [3]
    assert games["xnet"]["editions"] == ["standard"]
    assert games["xnet"]["usually"]["settings"] == {}
    assert all(f"setting {rule['key']}" in game["words"] for game in games.values() for rule in game["settings"])


@pytest.mark.table(2, seats=2)
async def test_a_game_that_the_seats_are_too_few_for_is_not_offered(at: GameNight) -> None:
    ada = PageUser(at)
    assert "xnet" not in {game["game"] for game in ada.parts["setup"]["games"]}
    assert "xnet" not in await ada.is_refused("set-up", **{**XNET, "players": 2})


@pytest.mark.table(4)
async def test_too_few_cards_are_reported_before_anything_changes(at: GameNight, ada: PageUser) -> None:
    why = await ada.is_refused("set-up", **{**XNET, "players": 4, "deck": "small", "names": []})
    assert "cards" in why
    assert at.daemon.active_deck.deck_name == DECK


async def test_a_game_without_a_deck_begins_and_says_so(tmp_path: Path) -> None:
    config = a_table(tmp_path, 3)
    async with running_table(config) as at:
        await PageUser(at).ask("set-up", **{**XNET, "deck": ""})
        assert at.referee_table.game.name == "xnet"
        assert at.daemon.active_deck.deck_name == ""
        assert len(at.all_told(DeckMissing)) == 1
        assert headers(config)[-1] == ("xnet", "", "")


async def test_a_preset_remembers_its_game(at: GameNight) -> None:
    ada = PageUser(at)
    await ada.ask("save-preset", name="Friday", **XNET)
    (preset,) = ada.parts["setup"]["presets"]
    assert (preset["game"], preset["deck"], preset["fits"]) == ("xnet", "own", True)
    await ada.ask("set-up", **{key: value for key, value in preset.items() if key not in ("name", "fits")})
    assert at.referee_table.game.name == "xnet"


async def test_the_deck_that_waits_for_its_game_can_be_described_again_and_the_game_begins_with_it(
    at: GameNight, config: Config
) -> None:
    more = json.loads(MANIFEST)
    more["topics"]["music"]["9"] = 3
    await PageUser(at).ask("set-up", **{**XNET, "starter": "youngest"})
    ada = PageUser(at)
    read = await ada.ask("read-manifest", deck="own")
    assert read["manifest"] == json.loads(MANIFEST)
    assert [table["table"] for table in read["form"]["tables"]] == ["topics"]
    assert read["words"]["topics key"] == "Topic"
    sample = await ada.ask("read-manifest", deck="own", anew=True)
    assert sample["manifest"] == {**json.loads(find_game("xnet").sample), "name": "own"}
    answer = await ada.ask("describe-deck", deck="own", manifest=json.dumps(more))
    assert answer == {"need": 109}
    assert json.loads(at.referee_table.game_options.manifest)["topics"]["music"]["9"] == 3
    assert Decks(config.table.decks).deck("own").cards == OWN.cards
    (own,) = (deck for deck in ada.parts["decks"]["decks"] if deck["name"] == "own")
    assert not own["complete"]
    assert next(kind for kind in own["kinds"] if kind["kind"] == "music-9")["missing"] == [3]


async def test_a_deck_in_use_is_not_described_while_it_is_played_with(at: GameNight) -> None:
    await PageUser(at).ask("set-up", **XNET)
    await PageUser(at).is_refused("describe-deck", deck="own", manifest=MANIFEST)


async def test_a_new_deck_of_any_game_is_begun_with_the_sample_or_with_a_manifest(tmp_path: Path) -> None:
    config = a_table(tmp_path, 3)
    async with running_table(config) as at:
        ada = PageUser(at)
        sample = await ada.ask("read-manifest", deck="new", game="cyber-siege")
        assert sample["manifest"] == {**json.loads(find_game("cyber-siege").sample), "name": "new"}
        await ada.ask("describe-deck", deck="new", game="cyber-siege", manifest=json.dumps(sample["manifest"]))
        there = Decks(config.table.decks).deck("new")
        assert (there.game, dict(there.cards)) == ("cyber-siege", {})
        await ada.ask("enrol", deck="other", game="xnet")
        assert ada.parts["enrolment"]["kinds"][0] == {"kind": "art-1", "name": "Art 1", "need": 2, "missing": [1, 2]}
        assert "buy-server" in {control["control"] for control in ada.parts["enrolment"]["controls"]}
        await ada.is_refused("read-manifest", deck=DECK)
