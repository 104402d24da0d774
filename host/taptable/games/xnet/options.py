"""The options of a game of X.net: players, cards, the starter, and the points that win, with their limits and default
(X1). `turns` follows them. Must not know a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.game_options import GameOptions, check_players, int_value, parse_settings
from taptable.core.settings import Choice, IntSetting, InvalidGameOptions, Seconds
from taptable.games.xnet.cards import TopicCards, read_manifest

TARGET_POINTS = IntSetting("target_points", least=10, most=999, default=120)
"""The points that win the game (X4.1)."""
SETTINGS: Mapping[str, Seconds | IntSetting | Choice] = {TARGET_POINTS.key: TARGET_POINTS}
"""All house rules by their keys."""
PLAYERS = range(3, 7)
"""The numbers of players that may play."""
MIN_CARDS_PER_PLAYER = 20
"""The fewest cards per player that a manifest may list. The rules don't say which cards there are."""


@dataclass(frozen=True, slots=True)
class Options:
    """The parsed options."""

    players: int
    topic_cards: TopicCards
    target_points: int
    starter: int | None


def make_options(game_options: GameOptions) -> Options:
    """Return options from the agreed ones. Raises ConfigError with what is wrong and what would be right."""
    check_players(game_options, "X.net", PLAYERS[0], PLAYERS[-1], ("standard",))
    values, players = parse_settings(SETTINGS, game_options.settings), game_options.players
    topic_cards = read_manifest(game_options.manifest)
    needed = MIN_CARDS_PER_PLAYER * players
    if len(topic_cards.cards) < needed:
        sentence = (
            f"These {len(topic_cards.cards)} cards are too few for {players} players: it takes at least {needed}."
        )
        raise InvalidGameOptions(
            sentence, "too-few-cards", cards=len(topic_cards.cards), players=players, needed=needed
        )
    return Options(players, topic_cards, int_value(values, TARGET_POINTS), game_options.starter)
