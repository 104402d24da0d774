"""What can be chosen before a game at one table, by what its game and its seats allow; and the reading of what somebody
chose, which is right, or a sentence in their language. Must not know what is done with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from taptable.config import Config
from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.core.settings import Choice, Seconds, Unagreeable, Whole
from taptable.daemon.agreement import possible_players, wired_settings
from taptable.edges.page.annex import Unfit
from taptable.edges.page.fields import Fields
from taptable.games.registry import find_game, package_of
from taptable.memory.preset import SetUp
from taptable.words import Words

BY_THE_RULES, YOUNGEST = "rules", "youngest"
"""Who begins, if it isn't a certain seat."""

LONG_S = 3600
"""What may last so long is given in minutes."""
S_PER_MIN = 60

Json = dict[str, Any]


class Choices:
    """What can be chosen for a game at the table of a configuration."""

    def __init__(self, config: Config, game: str) -> None:
        self._game = find_game(game)
        self._seats = len(config.seats)
        self._players = possible_players(self._game, self._seats)
        self._defaults = {key: setting.default_text for key, setting in self._game.settings.items()}
        self._defaults |= wired_settings(config, self._game)

    @property
    def playable(self) -> bool:
        """Are there seats enough?"""
        return bool(self._players)

    def part(self, words: Words) -> Json:
        """Ready for JSON, with the words that only this game has, by context and key."""
        settings = self._game.settings.values()
        own = Words(words.language, (package_of(self._game.name),))
        spoken = {f"edition {edition}" for edition in self._game.editions}
        spoken |= {f"setting {key}" for key in self._game.settings}
        spoken |= {
            f"setting {setting.key}={word}"
            for setting in settings
            if isinstance(setting, Choice)
            for word in (*setting.words, *([""] if setting.default is None else []))
        }
        return {
            "game": self._game.name,
            "title": own.message("game", "title") or self._game.name,
            "words": {key: said for key in sorted(spoken) if (said := own.message(*key.split(" ", 1))) is not None},
            "editions": list(self._game.editions),
            "players": self._players,
            "settings": [_described(setting, self._defaults[setting.key]) for setting in settings],
        }

    def usually(self) -> SetUp:
        """The game as nobody has agreed on anything, for as many as there are seats."""
        agreed = Agreed(self._players[-1], self._game.editions[0], {}, None)
        return SetUp(self._game.name, agreed, True, (), "")

    def read(self, fields: Fields, decks: Collection[str], manifest_of: Callable[[str], str]) -> SetUp:
        """The set-up in a message, as `said` has it; it can be played with the cards of its deck, which `manifest_of`
        tells. Unfit says what is wrong."""
        edition = fields.one_of("edition", self._game.editions) if "edition" in fields else self._game.editions[0]
        players = fields.whole("players", self._players[0], self._players[-1])
        starter = fields.text("starter") if fields.is_text("starter") else fields.seat(players, "starter")
        if isinstance(starter, str) and starter not in (BY_THE_RULES, YOUNGEST):
            raise fields.wrong("starter")
        deck = fields.text("deck")
        if deck and deck not in decks:
            raise Unfit(fields.words.text("setting-up", "no-deck", {"deck": deck}))
        names = fields.names("names", self._seats)
        settings = self.usual(fields.settings("settings"))
        agreed = Agreed(players, edition, settings, starter if isinstance(starter, int) else None)
        if (why := self.why_not(replace(agreed, manifest=manifest_of(deck)), fields.words)) is not None:
            raise Unfit(why)
        return SetUp(self._game.name, agreed, starter == BY_THE_RULES, of_players(names, players), deck)

    def why_not(self, agreed: Agreed, words: Words) -> str | None:
        """Why there can be no game as agreed, in a sentence; None if there can."""
        known = self._game.settings
        for key, text in agreed.settings.items():
            setting = known.get(key)
            if setting is None:
                return words.text("setting-up", "no-setting", {"key": key})
            if not _takes(setting, text):
                return _range(setting, words)
        try:
            self._game.new_game(agreed, 0, None)
        except Unagreeable as error:
            return words.text("agreement", error.key, error.facts)
        except ConfigError as error:
            return str(error)
        return None

    def fits(self, set_up: SetUp, words: Words) -> bool:
        """Can it be played at this table?"""
        agreed = set_up.agreed
        there = agreed.edition in self._game.editions and agreed.players in self._players
        return there and (agreed.starter or 1) <= agreed.players and self.why_not(agreed, words) is None

    def usual(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """The settings but for those that are as usual, or of which nothing is said."""
        return {
            key: text
            for key, text in settings.items()
            if text and not (key in self._game.settings and _same(self._game.settings[key], text, self._defaults[key]))
        }

    def said(self, set_up: SetUp, decks: Collection[str]) -> Json:
        """A set-up as `read` takes it; a deck that isn't there is whichever is in use."""
        agreed = set_up.agreed
        return {
            "game": set_up.game,
            "edition": agreed.edition,
            "players": agreed.players,
            "starter": agreed.starter or (BY_THE_RULES if set_up.heir_kept else YOUNGEST),
            "settings": dict(self.usual(agreed.settings)),
            "names": list(of_players(set_up.names, agreed.players)),
            "deck": set_up.deck if set_up.deck in decks else "",
        }


@dataclass(frozen=True, slots=True)
class SetUpPart:
    """What can be set up at the table, as a browser gets it: every game with its choices and words, the presets, and
    what is agreed now."""

    seats: int
    games: tuple[Choices, ...]
    presets: list[Json]
    agreed: Json

    def __call__(self, words: Words) -> Json:
        """In a language."""
        games = [{**each.part(words), "usually": each.said(each.usually(), ())} for each in self.games]
        return {"seats": self.seats, "games": games, "presets": self.presets, "agreed": self.agreed}


def of_players(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """A name for each player, "" where none is known."""
    return (*names, *("",) * players)[:players]


def _described(setting: Seconds | Whole | Choice, default: str | None) -> Json:
    """A setting for a browser; bounds are in its unit, the default is a text as a configuration has it."""
    described: Json = {"key": setting.key, "kind": _kind(setting), "default": default}
    match setting:
        case Choice():
            return {**described, "words": list(setting.words)}
        case _:
            least, most = _bounds(setting)
            return {**described, "least": least, "most": most}


def _kind(setting: Seconds | Whole | Choice) -> str:
    match setting:
        case Seconds():
            return "minutes" if setting.most_s >= LONG_S else "seconds"
        case Whole():
            return "whole"
        case Choice():
            return "choice"


def _bounds(setting: Seconds | Whole) -> tuple[int, int]:
    """The least and the most in the unit of its kind."""
    match setting:
        case Whole():
            return setting.least, setting.most
        case Seconds() if setting.most_s >= LONG_S:
            return ceil(setting.least_s / S_PER_MIN), setting.most_s // S_PER_MIN
        case Seconds():
            return setting.least_s, setting.most_s


def _range(setting: Seconds | Whole | Choice, words: Words) -> str:
    """What a setting takes, in a sentence."""
    facts: dict[str, object] = {"setting": words.text("setting", setting.key)}
    if not isinstance(setting, Choice):
        facts["least"], facts["most"] = _bounds(setting)
    return words.text("page", f"range-{_kind(setting)}", facts)


def _takes(setting: Seconds | Whole | Choice, text: str) -> bool:
    try:
        setting.parse(text)
    except ValueError:
        return False
    return True


def _same(setting: Seconds | Whole | Choice, text: str, default: str | None) -> bool:
    """Is it the default, however it is written?"""
    return default is not None and _takes(setting, text) and setting.parse(text) == setting.parse(default)
