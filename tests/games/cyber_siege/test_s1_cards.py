"""S1: the cards, and the manifest that describes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from taptable.core.errors import ConfigError
from taptable.core.sentences import Sentences
from taptable.games.cyber_siege.announcements import EffectText
from taptable.games.registry import find_game
from taptable.referee.lines import announcement_line

from games.cyber_siege.table import DECK, PURPLE, RED, Game, manifest, with_icon

GAME = find_game("cyber-siege")


def refused(wrong: dict[str, Any] | str) -> str:
    """Return the sentence with which a manifest is refused."""
    with pytest.raises(ConfigError) as raised:
        GAME.pack(wrong if isinstance(wrong, str) else json.dumps(wrong))
    return str(raised.value)


def test_s1_1_the_sample_has_94_cards_under_the_ids_of_the_page():
    pack = GAME.pack("")
    assert dict(pack.counts) == DECK
    assert sum(DECK.values()) == RED + PURPLE == 94
    assert pack.sample
    assert pack.name == "sample"


def test_s1_1_the_sample_is_a_manifest_like_any_other():
    assert GAME.pack(GAME.sample) == GAME.pack("")
    assert json.loads(GAME.sample)["game"] == "cyber-siege"


def test_s1_2_a_card_is_called_as_it_is_printed_or_by_kind_and_number():
    game = Game(deck=manifest())
    assert game.words.kind("1.1#3") == "1.1 Flood"
    assert game.words.kind("2.1#1") == "Attack 2.1"
    assert game.words.kind("2.3#1") == "Defence 2.3"
    assert game.words.kind("set-2#1") == "Set card 2"
    assert game.words.kind("admin#2") == "Admin"
    assert "Seat 1 discards 1.3 Dam." in game.discard("1.3#2").answer["say"]


def test_s1_3_a_text_effect_is_announced_in_the_language_of_the_table_and_else_in_english():
    deck = with_icon({"effect": "text", "say": {"de": "Zeig eine Karte.", "en": "Show a card."}})
    for language, sentence in (("de", "Zeig eine Karte."), ("fr", "Show a card."), ("en", "Show a card.")):
        game = Game(deck=deck, language=language)
        said = game.hit()
        assert said.types == ["hit", "effect-text", "turn-started"]
        assert said.announcement("effect-text")["say"] == sentence
        assert sentence in said.answer["say"]
    text = EffectText(1, Sentences((("de", "Los!"), ("en", "Go!"))))
    assert announcement_line(text)["say"] == {"de": "Los!", "en": "Go!"}  # as the journal has it


def test_s1_4_an_admin_is_no_attack_and_no_set_card():
    game = Game()
    game.discard("admin").accepted()
    assert (game.seat, game.state["pending"]) == (2, None)
    game.tap("admin").refused("S4.1", "set-card-first")


def test_s1_5_what_comes_back_into_a_hand_is_hidden_again_and_may_be_in_any_hand():
    game = Game(3)
    game.discard("1.3#1").accepted()
    game.tap("1.3#1", 2).accepted()
    game.stop()
    game.discard("1.3#1").accepted()


def test_a_manifest_that_cant_be_is_refused_with_what_is_wrong():
    wrong: list[tuple[dict[str, Any] | str, str]] = [
        ("{", "JSON"),
        ("[]", "object"),
        ("[" * 100_000, "JSON"),
        ('{"game": "cyber-siege", "game": "cyber-siege"}', "twice"),
        (manifest(game="online"), "cyber-siege"),
        (manifest(name=3), "name"),
        *((manifest(admins=number), "admins") for number in (-1, 1.5, True)),
        (manifest(sets=[]), "sets"),
        (manifest(sets={"1": {"copies": 5, "cards": []}}), "at least one"),
        (manifest(sets={"1": {"copies": 0, "cards": ["1.1"]}}), "copies"),
        (manifest(sets={"1": {"copies": 5, "cards": ["1.9"]}}), "1.9"),
        (manifest(sets={"1": {"copies": 5, "cards": ["2.1"]}}), "another set"),
        *((manifest(sets={name: {"copies": 5, "cards": ["1.1"]}}), f'"{name}"') for name in ("0", "01")),
        *((manifest(red={name: {"kind": "defence", "copies": 1}}), f'"{name}"') for name in ("1", "1.01")),
        (manifest(red={"1.1": "defence"}), "object"),
        (manifest(red={f"1.{index}": {"kind": "defence", "copies": 900} for index in (1, 2)}, sets={}), "1000 are"),
    ]
    for deck, says in wrong:
        assert says in refused(deck), deck


def test_a_card_that_cant_be_is_refused_with_what_is_wrong():
    icons: list[tuple[object, str]] = [
        ("skip", "icon"),
        ({"effect": "explode"}, "explode"),
        ({"effect": "discard"}, '"n"'),
        ({"effect": "lose-points", "n": 0}, '"n"'),
        ({"effect": "draw-fewer", "n": "1"}, '"n"'),
        ({"effect": "text"}, "says"),
        ({"effect": "text", "say": {"de": "Los!"}}, "English"),
        ({"effect": "text", "say": {"en": 4}}, "no text"),
    ]
    changes: list[tuple[str, dict[str, object], str]] = [
        ("1.1", {"kind": "admin"}, "kind"),
        *(("1.1", {"copies": copies}, "copies") for copies in (0, 10_001)),
        ("1.3", {"icon": {"effect": "none"}}, "defence"),
        ("1.1", {"title": 5}, "title"),
        ("1.1", {"explanation": ["Water."]}, '"explanation" of "1.1" must be a text'),
        ("1.3", {"explanation": "w" * 241}, '"explanation" of "1.3" has 241 letters, and 240 are the most'),
        *(("1.1", {"icon": icon}, says) for icon, says in icons),
    ]
    for card, change, says in changes:
        deck = manifest()
        deck["red"][card] |= change
        assert says in refused(deck), change
    for key, says in (("kind", "kind"), ("copies", "copies"), ("icon", "has no icon")):
        deck = manifest()
        del deck["red"]["1.1"][key]
        assert says in refused(deck), key


def test_other_keys_are_passed_over_and_titles_may_be_missing():
    deck = manifest(printed="2024")
    deck["red"]["1.1"]["colour"] = "red"
    deck["red"]["1.1"]["icon"]["seconds"] = 3
    pack = GAME.pack(json.dumps(deck))
    assert pack.counts == GAME.pack(json.dumps(manifest())).counts
    assert not pack.sample


def test_s1_2_the_number_stands_before_the_name_once():
    for title in ("Flood", "1.1 Flood", " 1.1 Flood "):
        deck = manifest()
        deck["red"]["1.1"]["title"] = title
        assert GAME.pack(json.dumps(deck)).by_id["1.1"].title == "1.1 Flood"


def test_a_card_has_an_explanation_in_one_line_if_its_owner_likes():
    deck = manifest()
    deck["red"]["1.1"]["explanation"] = " Much water,\n all at once. "
    deck["red"]["1.3"]["explanation"] = "w" * 240
    kinds = GAME.pack(json.dumps(deck)).by_id
    explained = [kinds[kind].explanation for kind in ("1.1", "1.3", "2.1", "admin", "set-1")]
    assert explained == ["Much water, all at once.", "w" * 240, "", "", ""]


def test_names_are_numbers_2_10_comes_after_2_9():
    deck = manifest()
    deck["red"] |= {f"2.{index}": {"kind": "defence", "copies": 1} for index in (10, 9)}
    kinds = [kind for kind, _ in GAME.pack(json.dumps(deck)).counts]
    assert kinds == ["set-1", "set-2", "1.1", "1.3", "2.1", "2.3", "2.9", "2.10", "admin"]


def test_a_deck_needs_6_red_cards_admins_included_and_3_set_cards_a_player():
    few_red = {"1.1": {"kind": "defence", "copies": 10}}
    for players, copies, changes in ((2, 12, {}), (4, 12, {}), (3, 12, {"admins": 8, "red": few_red})):
        Game(players, deck=manifest(sets={"1": {"copies": copies, "cards": ["1.1"]}}, **changes))
    for players, copies, changes in ((4, 11, {}), (3, 12, {"admins": 7, "red": few_red})):
        with pytest.raises(ConfigError, match="need at least"):
            Game(players, deck=manifest(sets={"1": {"copies": copies, "cards": ["1.1"]}}, **changes))
