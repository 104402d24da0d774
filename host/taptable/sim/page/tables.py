"""What is wanted of a table of the demo, and another one as a client asks for it. Nothing is laid here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taptable.api.choices import possible_players
from taptable.config.schema import MOST_SEATS
from taptable.core.agreed import Agreed
from taptable.core.controls import cards_of
from taptable.core.errors import ConfigError
from taptable.games.registry import find_game
from taptable.sim.page.faults import FAULTS
from taptable.sim.page.messages import Asked
from taptable.sim.page.rings import rings
from taptable.sim.seeds import MOST_SEED
from taptable.sim.setting_up import SPI_PLACES

SPEEDS = (0.5, 1.0, 2.0, 5.0, 10.0, 40.0)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table: its game and what is agreed on it, which seats people play, and the seed of all chance. `edition_open`
    says that nobody chose the edition; `seats` is how many it has, None for as many as play."""

    game: str
    agreed: Agreed
    language: str
    seed: int
    people: tuple[int, ...]
    compact: bool = False
    edition_open: bool = False
    seats: int | None = None

    def demo(self, games: int) -> Mapping[str, Any]:
        """What the page shows of it, ready for JSON."""
        return {
            "paced": True,
            "seed": self.seed,
            "players": self.agreed.players,
            "edition": self.agreed.edition,
            "edition_open": self.edition_open,
            "compact": self.compact,
            "games": games,
            "settings": dict(self.agreed.settings),
        }

    def about(self) -> Mapping[str, Any]:
        """What can be chosen at the page, ready for JSON."""
        game = find_game(self.game)
        return {
            "editions": list(game.editions),
            "players": possible_players(game, MOST_SEATS),
            "compact_players": len(SPI_PLACES),
            "speeds": list(SPEEDS),
            "faults": list(FAULTS),
            "rings": rings(),
            "control_cards": [
                {"card": card, "control": control, "fields": dict(fields)}
                for card, (control, fields) in cards_of(game.controls).items()
            ],
        }


def read_wanted(asked: Asked, before: Wanted, any_seed: int) -> Wanted:
    """Another table in place of the one there was `before`; `RequestError` says in the client's language what can't
    be."""
    game = find_game(before.game)
    players = asked.whole("players", 1, MOST_SEATS) if "players" in asked else before.agreed.players
    edition = asked.name("edition", game.editions, "wrong-edition") if "edition" in asked else before.agreed.edition
    starter = asked.whole("starter", 1, players) if "starter" in asked else None
    compact = asked.flag("compact")
    if compact and players > len(SPI_PLACES):
        raise asked.cannot("too-many-for-compact", players=len(SPI_PLACES))
    settings = asked.settings("settings") if "settings" in asked else before.agreed.settings
    agreed = Agreed(players, edition, settings, starter)
    try:
        game.new_game(agreed, 0, None)
    except ConfigError as error:
        raise asked.cannot("wrong-table", reason=str(error)) from None
    seed = asked.whole("seed", 0, MOST_SEED**2) if "seed" in asked else any_seed
    return Wanted(before.game, agreed, before.language, seed, asked.seats("people", players), compact)
