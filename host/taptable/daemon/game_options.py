"""The options of a game as the configuration names them, completed with defaults; whether such a game is possible; and
what was chosen on the page since. Which options are possible is the game's rule; this module must not know any."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from taptable.api.choices import possible_players, wired_settings
from taptable.config import Config, GameSettings
from taptable.config.model import MAX_SEATS
from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD
from taptable.core.settings import out_of_range, unknown_key
from taptable.games.registry import GAMES, find_game
from taptable.memory.presets import Configured, Presets


def check_game(game_settings: GameSettings) -> list[str]:
    """Return the reasons, a sentence each, why a game can't be played with these settings; for `load_config`."""
    try:
        game = find_game(game_settings.name)
    except ConfigError as error:
        return [str(error)]
    game_options = with_default_edition(game, game_settings.game_options)
    objections: list[str] = []
    for key, text in game_options.settings.items():
        setting = game.settings.get(key)
        if setting is None:
            objections.append(str(unknown_key(key, list(game.settings))))
            continue
        try:
            setting.parse(text)
        except ValueError:
            objections.append(str(out_of_range(setting, text)))
    has_wrong_settings, known = bool(objections), extra_pads()
    objections += [
        f"No game has a use for a pad {pad!r}: there are {', '.join(known)}."
        for pad in game_settings.pads
        if pad not in known
    ]
    # defaults replace the settings that are wrong by themselves, so that the rest is judged, too
    agreed = replace(game_options, settings={} if has_wrong_settings else game_options.settings)
    players = possible_players(game, MAX_SEATS)
    # a game names only its first objection; with that put right it names the next
    for candidate in (agreed, replace(agreed, players=players[-1]), replace(agreed, edition=game.editions[0])):
        try:
            game.new_game(candidate, 0, None)
        except ConfigError as error:
            if str(error) not in objections:
                objections.append(str(error))
        else:
            break
    return objections


def extra_pads() -> tuple[str, ...]:
    """Return the names of the pads that any game has beside those of the seats and the discard pile."""
    pads: dict[str, None] = {}
    for game in GAMES.values():
        players = possible_players(game, MAX_SEATS)[0]
        state, _ = game.new_game(GameOptions(players, game.editions[0], {}, None), 0, None)
        pads |= {pad: None for pad in game.pads(state) if isinstance(pad, str) and pad != DISCARD_PAD}
    return tuple(pads)


def game_options_at(config: Config) -> GameOptions:
    """Return the game options of the configuration."""
    game = find_game(config.game.name)
    return with_wired_settings(config, game, with_default_edition(game, config.game.game_options))


def with_default_edition(game: Game[Any], game_options: GameOptions) -> GameOptions:
    """Return the options with the game's default edition if they name none."""
    return replace(game_options, edition=game_options.edition or game.editions[0])


def with_wired_settings(config: Config, game: Game[Any], game_options: GameOptions) -> GameOptions:
    """Return the options with the settings that depend on the table's build as defaults: the settling time is longer if
    a button is on a board."""
    wired = wired_settings(not config.buttons_share_a_clock, game)
    return replace(game_options, settings={**wired, **game_options.settings})


def configured_in(config: Config) -> Configured:
    """Return the game, its options and the deck that the configuration names."""
    return Configured(config.game.name, game_options_at(config), config.table.deck)


def chosen_deck(config: Config, presets: Presets) -> str | None:
    """Return the deck that was chosen on the page; None if none was, or if the configuration was edited since."""
    return presets.deck if presets.configured == configured_in(config) else None
