"""The options of a game of Cyber Siege: players, the deck, the starter, and the house rules with their limits and
defaults (S2). `play` and `turns` follow them. Must not know a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.game_options import GameOptions, check_players, int_value, parse_settings
from taptable.core.settings import Choice, IntSetting, InvalidGameOptions, Seconds
from taptable.games.cyber_siege.cards import SiegeCards, read_manifest

LAUNCH = Seconds("launch_s", least_s=2, most_s=30, default_s="5")
"""How long the player of a discarded attack may launch it (S5.2)."""
DEFENCE = Seconds("defence_s", least_s=2, most_s=30, default_s="10")
"""How long the defender may answer an attack (S6.1)."""
SETTLE = Seconds("settle_s", least_s=0, most_s=1, default_s="0.03")
"""How long the referee waits after each of these for a press that was made in time and arrives late (S5.3, S6.4)."""
TARGET_POINTS = IntSetting("target_points", least=1, most=99, default=16)
"""The points that win the game (S7.1)."""
SETTINGS: Mapping[str, Seconds | IntSetting | Choice] = {s.key: s for s in (LAUNCH, DEFENCE, SETTLE, TARGET_POINTS)}
"""All house rules by their keys."""

PLAYERS = range(2, 5)
"""The numbers of players that may play."""
RED_EACH, PURPLE_EACH = 6, 3
"""The number of cards of each back that a manifest needs for every player."""


@dataclass(frozen=True, slots=True)
class Options:
    """The parsed options; spans of time are in microseconds."""

    players: int
    cards: SiegeCards
    launch_us: int
    defence_us: int
    settle_us: int
    target_points: int
    starter: int | None

    def next_seat(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return seat % self.players + 1


def make_options(game_options: GameOptions) -> Options:
    """Return options from the texts of a command line or a configuration. Raises ConfigError with what is wrong and
    what would be right."""
    check_players(game_options, "Cyber Siege", PLAYERS[0], PLAYERS[-1], ("standard",))
    values = parse_settings(SETTINGS, game_options.settings)
    return Options(
        players=game_options.players,
        cards=_require_enough(read_manifest(game_options.manifest), game_options.players),
        launch_us=int_value(values, LAUNCH),
        defence_us=int_value(values, DEFENCE),
        settle_us=int_value(values, SETTLE),
        target_points=int_value(values, TARGET_POINTS),
        starter=game_options.starter,
    )


def _require_enough(cards: SiegeCards, players: int) -> SiegeCards:
    """Return the cards. Raises InvalidGameOptions if they are too few for this number of players."""
    for key, available, per_player in (
        ("too-few-red", cards.red, RED_EACH),
        ("too-few-sets", cards.purple, PURPLE_EACH),
    ):
        if available < per_player * players:
            label = "red cards" if per_player == RED_EACH else "set cards"
            sentence = f"{players} players need at least {per_player * players} {label}; the deck has {available}."
            raise InvalidGameOptions(sentence, key, players=players, needed=per_player * players, there=available)
    return cards
