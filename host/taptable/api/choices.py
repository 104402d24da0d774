"""The options that people can choose before a game: the page offers them as a form, and the table checks what somebody
chose against the same list. Knows the games' settings and the number of seats; must not know what is done with the
choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from taptable.api.errors import RequestError
from taptable.api.requests import SetUp
from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.settings import Choice, IntSetting, InvalidGameOptions, Seconds
from taptable.games.registry import find_game, package_of
from taptable.memory.presets import GameSetup
from taptable.words import Words

BY_THE_RULES, YOUNGEST = "rules", "youngest"
"""Values of `starter` other than a seat: the game's rules decide who begins, or the youngest player does."""

SETTLE_WITH_BOARDS_S = "0.25"
"""Default of the setting ``settle_s`` if any button is on a seat board or a controller: seconds to wait for late
presses, as those from there arrive later. Otherwise each game has its own default."""

LONG_S = 3600
"""If a setting's most is at least this, it is shown and entered in minutes, otherwise in seconds."""
S_PER_MIN = 60

Json = dict[str, Any]


class Choices:
    """The options of one game at a table with `seats` seats; `slow_buttons`: some buttons are on seat boards or
    controllers."""

    def __init__(self, game: str, seats: int, slow_buttons: bool) -> None:
        self.game = game
        self._game = find_game(game)
        self._players = possible_players(self._game, seats)
        self._defaults = {key: setting.default_text for key, setting in self._game.settings.items()}
        self._defaults |= wired_settings(slow_buttons, self._game)

    @property
    def playable(self) -> bool:
        """Whether the table has enough seats for the game."""
        return bool(self._players)

    def describe(self, words: Words) -> Json:
        """Return the options for JSON, with the words that this game alone has, by ``context key``."""
        settings = self._game.settings.values()
        own = Words(words.language, (package_of(self.game),))
        keys = {f"edition {edition}" for edition in self._game.editions}
        keys |= {f"setting {key}" for key in self._game.settings}
        keys |= {
            f"setting {setting.key}={word}"
            for setting in settings
            if isinstance(setting, Choice)
            for word in (*setting.words, *([""] if setting.default is None else []))
        }
        return {
            "game": self.game,
            "title": own.message("game", "title") or self.game,
            "words": {key: message for key in sorted(keys) if (message := own.message(*key.split(" ", 1))) is not None},
            "editions": list(self._game.editions),
            "players": self._players,
            "settings": [_describe_setting(setting, self._defaults[setting.key]) for setting in settings],
            "advice": [
                {
                    "key": advice.key,
                    "players": advice.players,
                    "settings": dict(advice.settings),
                    "text": own.text("advice", advice.key, advice.settings),
                }
                for advice in self._game.advice
            ],
        }

    def default_setup(self) -> GameSetup:
        """Return the game with every option at its default, for as many players as the table has seats."""
        game_options = GameOptions(self._players[-1], self._game.editions[0], {}, None)
        return GameSetup(self.game, game_options, True, (), "")

    def read(
        self, request: SetUp, decks: Collection[str], manifest_of: Callable[[str], str], names: tuple[str, ...]
    ) -> GameSetup:
        """Return the set-up that a client requests, for players with these names, after checking that it can be played
        with the cards of its deck. `manifest_of` returns a deck's manifest. `RequestError` says what is wrong."""
        edition = request.edition or self._game.editions[0]
        if edition not in self._game.editions:
            raise RequestError("live", "wrong-choice", field="edition", known=", ".join(self._game.editions))
        players, (least, *_, most) = request.players, (*self._players, self._players[-1])
        if not least <= players <= most:
            raise RequestError("live", "wrong-number", field="players", least=least, most=most)
        starter = request.starter
        if isinstance(starter, int) and starter > players:
            raise RequestError("live", "wrong-seat", players=players)
        if request.deck and request.deck not in decks:
            raise RequestError("setting-up", "no-deck", deck=request.deck)
        settings = self.without_defaults({key: str(value) for key, value in request.settings.items()})
        game_options = GameOptions(players, edition, settings, starter if isinstance(starter, int) else None)
        self.check(replace(game_options, manifest=manifest_of(request.deck)))
        return GameSetup(
            self.game, game_options, starter == BY_THE_RULES, names_per_player(names, players), request.deck
        )

    def check(self, game_options: GameOptions) -> None:
        """Raise `RequestError` with the reason if no game can begin with these options."""
        known = self._game.settings
        for key, text in game_options.settings.items():
            setting = known.get(key)
            if setting is None:
                raise RequestError("setting-up", "no-setting", key=key)
            if not _is_valid(setting, text):
                raise _range_error(setting)
        try:
            self._game.new_game(game_options, 0, None)
        except InvalidGameOptions as error:
            raise RequestError("agreement", error.key, **error.facts) from error
        except ConfigError as error:
            raise RequestError("live", "as-said", reason=str(error)) from error

    def fits(self, set_up: GameSetup) -> bool:
        """Return whether a set-up can be played at this table."""
        game_options = set_up.game_options
        if game_options.edition not in self._game.editions or game_options.players not in self._players:
            return False
        try:
            self.check(game_options)
        except RequestError:
            return False
        return (game_options.starter or 1) <= game_options.players

    def without_defaults(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """Return the settings without those that are empty or at their defaults."""
        return {
            key: text
            for key, text in settings.items()
            if text
            and not (key in self._game.settings and _is_default(self._game.settings[key], text, self._defaults[key]))
        }

    def as_request(self, set_up: GameSetup, decks: Collection[str]) -> Json:
        """Return a set-up in the form that `read` takes. A deck that no longer exists becomes "", the deck in use."""
        game_options = set_up.game_options
        return {
            "game": set_up.game,
            "edition": game_options.edition,
            "players": game_options.players,
            "starter": game_options.starter or (BY_THE_RULES if set_up.heir_kept else YOUNGEST),
            "settings": dict(self.without_defaults(game_options.settings)),
            "names": list(names_per_player(set_up.names, game_options.players)),
            "deck": set_up.deck if set_up.deck in decks else "",
        }


def names_per_player(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Return one name for each player, "" where none is known."""
    return (*names, *("",) * players)[:players]


def possible_players(game: Game[Any], most: int) -> list[int]:
    """Return the numbers of players, up to `most`, with which the game can be played at its default options."""
    return [players for players in range(1, most + 1) if _can_play(game, players)]


def _can_play(game: Game[Any], players: int) -> bool:
    try:
        game.new_game(GameOptions(players, game.editions[0], {}, None), 0, None)
    except ConfigError:
        return False
    return True


def wired_settings(slow_buttons: bool, game: Game[Any]) -> Mapping[str, str]:
    """Return the settings whose defaults depend on how the table is built, as they override the game's own defaults."""
    return {"settle_s": SETTLE_WITH_BOARDS_S} if slow_buttons and "settle_s" in game.settings else {}


def _describe_setting(setting: Seconds | IntSetting | Choice, default: str | None) -> Json:
    """Describe a setting for a browser. Bounds are in its unit; the default is a text as in a configuration."""
    description: Json = {"key": setting.key, "kind": _kind(setting), "default": default}
    match setting:
        case Choice():
            return {**description, "words": list(setting.words)}
        case _:
            least, most = _bounds(setting)
            return {**description, "least": least, "most": most}


def _kind(setting: Seconds | IntSetting | Choice) -> str:
    match setting:
        case Seconds():
            return "minutes" if setting.most_s >= LONG_S else "seconds"
        case IntSetting():
            return "whole"
        case Choice():
            return "choice"


def _bounds(setting: Seconds | IntSetting) -> tuple[int, int]:
    """Return the least and the most value, in the unit that `_kind` names."""
    match setting:
        case IntSetting():
            return setting.least, setting.most
        case Seconds() if setting.most_s >= LONG_S:
            return ceil(setting.least_s / S_PER_MIN), setting.most_s // S_PER_MIN
        case Seconds():
            return setting.least_s, setting.most_s


def _range_error(setting: Seconds | IntSetting | Choice) -> RequestError:
    """Return an error that names the values that a setting accepts."""
    facts: dict[str, object] = {"setting": RequestError("setting", setting.key)}
    if not isinstance(setting, Choice):
        facts["least"], facts["most"] = _bounds(setting)
    return RequestError("page", f"range-{_kind(setting)}", **facts)


def _is_valid(setting: Seconds | IntSetting | Choice, text: str) -> bool:
    try:
        setting.parse(text)
    except ValueError:
        return False
    return True


def _is_default(setting: Seconds | IntSetting | Choice, text: str, default: str | None) -> bool:
    """Return whether a text has the same value as the default, however it is written."""
    return default is not None and _is_valid(setting, text) and setting.parse(text) == setting.parse(default)
