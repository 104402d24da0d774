"""Every referee beside its oracle: the same lines, legal and not, to both; every verdict, state, list of what is legal
and announcement of the page must be the same, after every line."""

from __future__ import annotations

import json

import pytest
from oracle.compare import CYBER_SIEGE, XNET, compare
from oracle.cyber_siege.deck import read_deck
from oracle.cyber_siege.manifests import changed
from oracle.seeds import SEEDS
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table

from properties.gestures import THOROUGH

BATCHES = {"online": 12, "cyber-siege": 4, "xnet": 6}
SHORT = {"online": 2, "cyber-siege": 1, "xnet": 1}
"""How many of them a short run takes."""
NAMED = {"online": (), "cyber-siege": CYBER_SIEGE, "xnet": XNET}


def front(game: str, options: dict) -> Front:
    manifest = options.get("manifest", "")
    game_options = GameOptions(
        options["players"],
        options.get("edition", "standard"),
        options["settings"],
        options["starter"],
        manifest if isinstance(manifest, str) else json.dumps(manifest),
    )
    return Front(open_table(find_game(game), game_options)[0], lambda _: "", options.get("language", "en"))


@pytest.mark.parametrize(
    ("game", "batch"),
    [
        pytest.param(game, batch, marks=pytest.mark.long if batch >= SHORT[game] else ())
        for game, batches in BATCHES.items()
        for batch in range(batches)
    ],
)
def test_the_referee_answers_as_the_oracle_does(game: str, batch: int):
    seeds = SEEDS[game]
    # in a long night seeds that were not chosen, too
    more = range(seeds.among, seeds.among + (THOROUGH // 8 - 1) * len(seeds.chosen))
    scripts = (*seeds.long, *((seed, seeds.lines) for seed in (*seeds.chosen, *more)))
    for seed, length in scripts[batch :: BATCHES[game]]:
        options, answered = seeds.play.script(seed, length=length)
        referee = front(game, options)
        for number, (line, oracle) in enumerate(answered):
            ours = json.loads(referee.answer(line.encode("utf-8", "surrogatepass")))
            difference = compare(ours, oracle, NAMED[game])
            heard = "\n".join(line for line, _ in answered[: number + 1] if "show" not in line)
            assert difference is None, f"seed {seed}, {options}, line {number}: {difference}\n{heard}"


def test_the_same_manifests_of_cyber_siege_can_be():
    for what, manifest in changed():
        for players in (2, 4):
            try:
                cards: int | None = len(read_deck(manifest, players))
            except ValueError:
                cards = None
            assert (cards, what) == (cards_found(manifest, players), what)


def cards_found(manifest: dict, players: int) -> int | None:
    """How many cards the game finds in a manifest, None if it refuses it."""
    game = find_game("cyber-siege")
    try:
        open_table(game, GameOptions(players, "standard", {}, None, json.dumps(manifest)))
        return sum(kind.count for kind in game.pack(json.dumps(manifest)).kinds)
    except ConfigError:
        return None
