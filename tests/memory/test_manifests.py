"""Decks whose cards people describe: the manifest in the file, judged by its game, and cards of any name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from deck_samples import deck, uid
from taptable.core.errors import ConfigError, DeckError
from taptable.games.registry import GAMES
from taptable.memory.deck import Deck, DeckFaults, card_set_for, card_set_of, controls_of, is_card, validated_manifest
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.decks import Decks
from taptable.words import Words

TOPICS = ("Über uns", "music", "a", "b", "c", "d")
OWN: dict[str, Any] = {
    "game": "xnet",
    "name": "ours",
    "topics": {topic: {str(number): 2 for number in range(1, 10)} for topic in TOPICS},
}
MANIFEST = validated_manifest("xnet", json.dumps(OWN))
OURS = Deck("ours", "xnet", {uid(1): "Über uns-7#2"}, {uid(2): "buy-users-2", uid(3): "pause"}, MANIFEST)


def faults(text: str, game: str = "xnet") -> list[str]:
    with pytest.raises(DeckFaults) as caught:
        deck_of(text.encode(), "x", card_set_of(game))
    return caught.value.text(Words("en"), with_uids=True).split("; ")


def test_a_deck_with_a_manifest_is_read_again_as_it_was() -> None:
    assert deck_of(text_of(OURS).encode(), "x", card_set_of("xnet")) == OURS
    assert json.loads(text_of(OURS))["manifest"] == OWN
    assert "manifest" not in json.loads(text_of(deck()))


@pytest.mark.parametrize("game", sorted(name for name, game in GAMES.items() if game.sample))
def test_the_sample_as_a_manifest_has_the_sample_s_cards(game: str) -> None:
    described = Deck("x", game, manifest=validated_manifest(game, GAMES[game].sample))
    assert tuple(card_set_for(described)) == tuple(card_set_of(game))
    assert deck_of(text_of(described).encode(), "x", card_set_of(game)) == described


@pytest.mark.parametrize(
    "card", ["3.1#2", "set-1#2", "music-7#1", "Über uns-7#12", "Star Wars: Clones-3#1", "日本-1#1", "online#13"]
)
def test_cards_are_called_as_people_like(card: str) -> None:
    assert is_card(card)


@pytest.mark.parametrize(
    "card",
    [
        *("", "#1", "music-7", "music-7#", "music-7#0", "music-7#01", "music-7#1#2"),
        *(" music-7#1", "a  b#1", "a\nb#1", "control:pause#1", "x" * 61 + "#1"),
    ],
)
def test_what_no_tag_can_stand_for(card: str) -> None:
    assert not is_card(card)


def test_a_deck_is_judged_by_its_own_manifest_and_not_by_the_sample() -> None:
    text = text_of(OURS).replace("Über uns-7#2", "art-1#1")
    (fault,) = faults(text)
    assert "art-1#1: xnet has no such kind, but Über uns-1, Über uns-2" in fault
    assert faults(text_of(OURS).replace("Über uns-7#2", "Über uns-7#3"))[0].endswith(
        "Über uns-7#3: xnet has Über uns-7#1 to Über uns-7#2"
    )


BAD = {
    '"manifest": 5,': "manifest: an object must stand here, which describes the cards",
    '"manifest": {},': "manifest: the cards can’t be described like this: "
    "The manifest of the cards lacks the key game.",
    '"manifest": {"game": "xnet", "game": "xnet"},': "game: stands here a second time",
    '"manifest": {"game": "xnet", "name": "x", "topics": {}},': "manifest: the cards can’t be described like this: "
    "The manifest of the cards has too few topics: 0 instead of at least 6.",
}


@pytest.mark.parametrize("manifest", BAD)
def test_a_mistake_in_a_manifest_is_reported_with_its_line(manifest: str) -> None:
    text = '{"taptable-deck": 1, "name": "ours", "game": "xnet",\n' + manifest + ' "cards": {}, "controls": {}}'
    assert faults(text) == [f"line 2, {BAD[manifest]}"]


def test_a_damaged_manifest_is_a_fault_of_its_file_and_the_other_decks_serve(tmp_path: Path) -> None:
    Decks(tmp_path).save(OURS)
    Decks(tmp_path).save(deck("family"))
    (tmp_path / "ours.json").write_text(text_of(OURS).replace('"9": 2', '"10": 2', 1))
    found = Decks(tmp_path)
    assert found.names() == ("family",)
    assert "numbers are 1 to 9" in str(found.faults["ours.json"])


def test_a_deck_of_fixed_cards_has_no_manifest() -> None:
    text = text_of(deck()).replace('"cards"', '"manifest": {"game": "online"}, "cards"')
    assert "it takes no manifest" in faults(text, "online")[0]


def test_the_manifest_of_a_game_that_there_is_not_is_kept() -> None:
    text = '{"taptable-deck": 1, "name": "x", "game": "chess", "manifest": {"a": [1]}, "cards": {}, "controls": {}}'
    assert json.loads(text_of(deck_of(text.encode(), "x")))["manifest"] == {"a": [1]}


def test_control_cards_are_those_of_every_game_and_its_own() -> None:
    assert controls_of("xnet")[:6] == controls_of("online")
    assert {"demand-new-1", "buy-users-2", "buy-net"} <= set(controls_of("xnet"))
    (fault,) = faults(text_of(OURS).replace("buy-users-2", "buy-users-3"))
    assert "'buy-users-3' is no control: pause, take-back" in fault


def test_another_description_keeps_the_tags_and_leaves_out_no_card_that_has_one(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    decks.save(OURS)
    more = {**OWN, "topics": {**OWN["topics"], "e": {"5": 1}}}
    described = decks.with_manifest("ours", "xnet", json.dumps(more))
    assert (described.cards, json.loads(described.manifest)) == (OURS.cards, more)
    fewer = {**OWN, "topics": {**OWN["topics"], "Über uns": {"1": 2}}}
    with pytest.raises(DeckError, match="has 1 cards that this manifest doesn't have: Über uns-7#2"):
        decks.with_manifest("ours", "xnet", json.dumps(fewer))
    with pytest.raises(DeckError, match="is for xnet, not for cyber-siege"):
        decks.with_manifest("ours", "cyber-siege", "{}")
    with pytest.raises(ConfigError, match="There is no game 'chess'"):
        decks.with_manifest("new", "chess", "{}")
    assert Decks(tmp_path).deck("ours") == OURS
