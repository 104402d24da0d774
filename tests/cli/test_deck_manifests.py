"""`taptable deck sample`, `describe` and `enrol --manifest`: decks of cards that people describe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from taptable.core.errors import ConfigError
from taptable.games.registry import GAMES
from taptable.memory.deck import card_set_for
from taptable.memory.decks import Decks

from cli.commands import Terminal
from cli.deck_rig import EXAMPLE, running_deck_command

DECKS = ("--decks", "decks")
DESCRIBED = sorted(name for name, game in GAMES.items() if game.sample)
TAGS = [f"04{number:012x}" for number in range(1, 9)]


@pytest.mark.parametrize("game", DESCRIBED)
def test_the_sample_is_printed_to_begin_with(game: str, folder: Path, terminal: Terminal) -> None:
    ran = terminal.run("deck", "sample", "--game", game)
    assert json.loads(ran.out) == json.loads(GAMES[game].sample)
    (folder / "own.json").write_text(ran.out)
    described = terminal.run("deck", "describe", "ours", "own.json", *DECKS)
    deck = Decks(folder / "decks").deck("ours")
    need = len(tuple(card_set_for(deck)))
    assert described.lines == [f"Deck ours: {need} cards are described, 0 of them have their tags."]
    assert (deck.game, json.loads(deck.manifest)) == (game, json.loads(ran.out))
    listed = terminal.run("deck", "list", *DECKS)
    assert listed.lines[-1].split()[:5] == ["ours", game, "0", "of", str(need)]
    assert terminal.run("deck", "check", "ours", *DECKS).status == 1


def test_a_game_of_fixed_cards_has_no_sample(folder: Path, terminal: Terminal) -> None:
    assert folder.is_dir()
    ran = terminal.run("deck", "sample", "--game", "online")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "taptable deck: The cards of online are the same everywhere; manifests are for cyber-siege, xnet.\n"
    )
    assert "There is no game 'chess'" in terminal.run("deck", "sample", "--game", "chess").err


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "is no JSON"),
        ("[]", "is no JSON object"),
        ("{}", "There is no game ''"),
        ('{"game": "online"}', "it takes no manifest"),
        ('{"game": "xnet"}', "lacks the key name"),
    ],
)
def test_a_manifest_that_can_not_be_is_a_sentence_and_no_deck(
    content: str, why: str, folder: Path, terminal: Terminal
) -> None:
    (folder / "own.json").write_text(content)
    ran = terminal.run("deck", "describe", "ours", "own.json", *DECKS)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert why in ran.err
    assert Decks(folder / "decks").names() == ()
    assert "can't be read: No such file" in terminal.run("deck", "describe", "ours", "none.json", *DECKS).err


async def test_a_deck_is_enrolled_with_a_manifest_and_gone_on_with_without_it(folder: Path) -> None:
    (folder / "table.toml").write_text(EXAMPLE.read_text())
    own = {**json.loads(GAMES["xnet"].sample), "name": "ours"}
    own["topics"] = {"Über uns": {"7": 2}, **own["topics"]}
    (folder / "own.json").write_text(json.dumps(own))
    command = ("enrol", "ours", "--manifest", "own.json", "--language", "en")
    async with running_deck_command(*command) as person:
        assert "Now the 2 Über uns 7 cards, one after the other." in person.new_output()
        assert await person.tap(TAGS[0]) == ["Über uns 7: 1 of 2."]
        await person.type("q")
    async with running_deck_command(*command) as person:
        assert person.new_output()[0] == "Deck ours: 1 of 218 cards are enrolled."
        await person.tap(TAGS[1])
        await person.type("q")
    deck = Decks(folder / "decks").deck("ours")
    assert dict(deck.cards) == {TAGS[0]: "Über uns-7#1", TAGS[1]: "Über uns-7#2"}
    assert json.loads(deck.manifest) == own
    (folder / "own.json").write_text('{"game": "xnet", "name": ""}')
    with pytest.raises(ConfigError):
        async with running_deck_command(*command):
            pass
    assert Decks(folder / "decks").deck("ours") == deck
