"""Manifests: the JSON text in which people describe the cards that they own, read from a file and kept with a deck.
What it says is each game's own affair."""

from __future__ import annotations

import json
from typing import Any, cast

from taptable.core.controls import cards_of
from taptable.core.errors import ConfigError
from taptable.core.manifests import load_manifest
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import CONTROLS, CardSet, Deck, is_kind

LONGEST = 500_000
"""Bytes; the sample of the game with the most cards has about 2000."""


def manifest_in(data: bytes, source: str) -> str:
    """The manifest in a file's bytes, a JSON object as text; ConfigError names the file and says why there is none."""
    if len(data) > LONGEST:
        raise ConfigError(f"The manifest {source} has {len(data)} bytes, and {LONGEST} are the most.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"byte 0x{data[error.start]:02x} in line {line}"
        raise ConfigError(f"The manifest {source} is no UTF-8: {where}; save it as UTF-8.") from error
    load_manifest(text, f"The manifest {source}")
    return text


def game_in(manifest: str) -> str:
    """The game that a manifest, as `manifest_in` has it, says that it is for; "" if it says none."""
    game = cast("dict[str, Any]", json.loads(manifest)).get("game")
    return game if isinstance(game, str) else ""


def manifest_for(game: str, manifest: str) -> str:
    """A manifest in the spelling in which a deck of this game keeps it; ConfigError says what is wrong with it."""
    odd = next((kind.id for kind in find_game(game).pack(manifest).kinds if not is_kind(kind.id)), None)
    if odd is not None:
        raise ConfigError(
            f"No tagged card can be called {odd!r:.80}: a name takes visible letters and single spaces, 60 at most."
        )
    return spelled(manifest)


def spelled(manifest: str) -> str:
    """A manifest in the spelling that decks have."""
    return json.dumps(load_manifest(manifest), ensure_ascii=False)


def card_set_of(game: str, manifest: str = "") -> CardSet:
    """The cards that a deck for this game has; ConfigError names the games there are, or says what is wrong with the
    manifest."""
    return CardSet(game, find_game(game).pack(manifest).counts, controls_of(game))


def cards_for(deck: Deck) -> CardSet:
    """The cards that there should be in this deck; ConfigError as from `card_set_of`."""
    return card_set_of(deck.game, deck.manifest)


def controls_of(game: str) -> tuple[str, ...]:
    """The control cards there can be for a game: those of every game, and its own."""
    return CONTROLS if game not in GAMES else (*CONTROLS, *cards_of(find_game(game).controls))
