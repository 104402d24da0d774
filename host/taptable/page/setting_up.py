"""The choices for a new game, as a part of the page: every game with its choices and words, the presets, and the
present game options. Pure; `api.choices` knows what can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taptable.api.choices import Choices, names_per_player
from taptable.core.game_options import GameOptions
from taptable.memory.presets import GameSetup, Preset
from taptable.words import Words


@dataclass(frozen=True, slots=True)
class SetUpPart:
    """The part for a table with this number of `seats`: `games` that it can play, `decks` by game, and the present
    game's options."""

    seats: int
    games: tuple[Choices, ...]
    presets: tuple[Preset, ...]
    decks: Mapping[str, tuple[str, ...]]
    game: str
    game_options: GameOptions
    names: tuple[str, ...]

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return the part in a language."""
        choices = {each.game: each for each in self.games}
        names = names_per_player(self.names, self.game_options.players)
        now = GameSetup(self.game, self.game_options, self.game_options.starter is None, names, "")
        return {
            "seats": self.seats,
            "games": [
                {**each.describe(words), "usually": each.as_request(each.default_setup(), ())} for each in self.games
            ],
            "presets": [
                {
                    "name": preset.name,
                    **choices[preset.set_up.game].as_request(preset.set_up, self.decks[preset.set_up.game]),
                    "fits": choices[preset.set_up.game].fits(preset.set_up),
                }
                for preset in self.presets
                if preset.set_up.game in choices
            ],
            "game_options": choices[self.game].as_request(now, self.decks[self.game]),
        }
