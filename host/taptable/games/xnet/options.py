"""What is agreed before a game of X.net begins: players, cards, the starter and the points that win (X1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.core.settings import Choice, Seconds, Unagreeable, Whole, out_of_range, unknown_key
from taptable.games.xnet.cards import Deck, read_manifest

EDITION = "standard"
TARGET_POINTS = Whole("target_points", 10, 999, 120)
SETTINGS: Mapping[str, Seconds | Whole | Choice] = {TARGET_POINTS.key: TARGET_POINTS}
CARDS_A_PLAYER = 20


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed."""

    players: int
    deck: Deck
    target_points: int
    starter: int | None


def make_options(agreed: Agreed) -> Options:
    """Options from what is agreed; ConfigError says what is wrong and what would be right."""
    players, starter = agreed.players, agreed.starter
    if not 3 <= players <= 6:
        raise Unagreeable(f"X.net is played by 3 to 6 players, not by {players}.", "players", players=players)
    if agreed.edition != EDITION:
        raise ConfigError(f"There is no edition {agreed.edition!r}: there is {EDITION}.")
    if starter is not None and not 1 <= starter <= players:
        raise ConfigError(f"Seat {starter} can't begin: the seats are 1 to {players}.")
    target_points = TARGET_POINTS.default
    for key, text in agreed.settings.items():
        if key != TARGET_POINTS.key:
            raise unknown_key(key, list(SETTINGS))
        try:
            target_points = TARGET_POINTS.parse(text)
        except ValueError:
            raise out_of_range(TARGET_POINTS, text) from None
    deck = read_manifest(agreed.manifest)
    needed = CARDS_A_PLAYER * players
    if len(deck.cards) < needed:
        sentence = f"These {len(deck.cards)} cards are too few for {players} players: it takes at least {needed}."
        raise Unagreeable(sentence, "too-few-cards", cards=len(deck.cards), players=players, needed=needed)
    return Options(players, deck, target_points, starter)
