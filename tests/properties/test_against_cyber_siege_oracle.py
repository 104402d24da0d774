"""Cyber Siege's referee beside its oracle: the same lines, legal and not, to both; every verdict, state, list of what
is legal and announcement of the page must be the same, after every line."""

from __future__ import annotations

import json

import pytest
from choosing import mostly_long
from oracle.cyber_siege.compare import compare
from oracle.cyber_siege.deck import read_deck, sample
from oracle.cyber_siege.manifests import changed
from oracle.cyber_siege.play import script
from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table

from properties.cyber_siege_seeds import AMONG, CHOSEN, LINES
from properties.gestures import THOROUGH

BATCHES = 4
MORE = range(AMONG, AMONG + (THOROUGH // 8 - 1) * len(CHOSEN))
"""Seeds that were not chosen, for a long night."""


def difference(seed: int, length: int = LINES) -> str | None:
    """The first difference in the evening of a seed."""
    options, answered = script(seed, length=length)
    manifest = "" if options["manifest"] == sample() else json.dumps(options["manifest"])
    agreed = Agreed(options["players"], "standard", options["settings"], options["starter"], manifest)
    front = Front(open_table(find_game("cyber-siege"), agreed)[0], lambda _: "", options["language"])
    for number, (line, oracle) in enumerate(answered):
        found = compare(json.loads(front.answer(line.encode("utf-8", "surrogatepass"))), oracle)
        if found is not None:
            heard = "\n".join(line for line, _ in answered[max(0, number - 23) : number + 1] if "show" not in line)
            return f"seed {seed}, line {number}, {line}: {found}\n{options}\n{heard}"
    return None


@pytest.mark.parametrize("batch", mostly_long(range(BATCHES)))
def test_the_referee_answers_as_the_oracle_does(batch: int):
    for seed in (*CHOSEN, *MORE)[batch::BATCHES]:
        found = difference(seed)
        assert found is None, found


def test_the_same_manifests_can_be():
    for what, manifest in changed():
        for players in (2, 4):
            try:
                cards: int | None = len(read_deck(manifest, players))
            except ValueError:
                cards = None
            assert (cards, what) == (_cards(manifest, players), what)


def _cards(manifest: dict, players: int) -> int | None:
    """How many cards the game finds in a manifest, None if it refuses it."""
    game = find_game("cyber-siege")
    try:
        open_table(game, Agreed(players, "standard", {}, None, json.dumps(manifest)))
        return sum(kind.count for kind in game.pack(json.dumps(manifest)).kinds)
    except ConfigError:
        return None
