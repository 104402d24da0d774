"""From the text of ``table.toml`` to a `Config`, or to everything that is wrong with it at once. Must not know the
rules of a game: it is handed a function that does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from voluptuous import Invalid, RequiredFieldInvalid

from taptable.config import schema
from taptable.config.model import (
    MQTT_PORT,
    MQTT_TLS_PORT,
    Account,
    Config,
    DiscardParts,
    ExtraPad,
    GameSettings,
    MqttSettings,
    PageSettings,
    PowerParts,
    ScoreboardParts,
    SeatParts,
    SounderParts,
    SpeechParts,
    TableSettings,
    UplinkSettings,
)
from taptable.config.problems import InvalidConfig, Key, Problem, invalid
from taptable.config.wiring import misfits
from taptable.core.game_options import GameOptions

T = TypeVar("T")

CheckGame: TypeAlias = Callable[[GameSettings], Sequence[str]]
"""Says in sentences what a game can't be played with: its edition, number of players, starter, house rules; and which
pads no game has a use for."""

_HINTS = {
    "Expected '=' after a key": "write key = value",
    "Invalid value": "a text stands in quotes, a list in [ ], and yes and no are true and false",
    "Invalid statement": "a line is key = value, [section] or # a remark",
    "Expected newline or end of document": "one key = value on a line, and a text in one pair of quotes",
    "Cannot overwrite a value": "that key is there already: leave one of the two out",
    "Cannot declare": "that section is there already: put the two together",
    "Unclosed array": "a list ends with ]",
    "Unterminated string": "a text ends with the quote it began with",
    "Illegal character": "a text ends on its line, with the quote it began with",
}


def load_config(path: Path, check_game: CheckGame) -> Config:
    """The configuration in a file; `InvalidConfig` says all that is wrong with it."""
    text = read_text(path, "copy examples/full.toml or examples/compact.toml to it")
    return read_config(text, path, check_game)


def read_text(path: Path, advice: str) -> str:
    """The text of a configuration; `InvalidConfig` where it can't be read, with advice where it isn't there."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InvalidConfig([f"{path} isn't there: {advice}."]) from None
    except OSError as error:
        raise InvalidConfig([f"{path} can't be read: {error.strerror}."]) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        says = f"{path}:{line}: byte 0x{raw[error.start]:02x} is no UTF-8: save the file as UTF-8 in the editor."
        raise InvalidConfig([says]) from None


def read_config(text: str, path: Path, check_game: CheckGame) -> Config:
    """The configuration in the text of the file at `path`, which needn't be there."""
    data = parse_toml(text, path)
    found, wrong = schema.check(data)
    problems = [*map(problem_of, wrong), *misfits(data)]
    if not any(problem.key[0] in {"game", "seats", "pads"} for problem in problems):
        problems += _game_problems(_game(found), check_game)
    if problems:
        raise invalid(path, text, problems)
    return _build(found, path)


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """What stands in a text of TOML; `InvalidConfig` says where it is none, and what would be right."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = str(error)
    line = re.search(r" \(at line (\d+), column (\d+)\)$", said)
    place = f"{path}:{line[1]}: column {line[2]}" if line else str(path)
    said = said[: line.start()] if line else said.removesuffix(" (at end of document)")
    hint = next((hint for begin, hint in _HINTS.items() if said.startswith(begin)), _HINTS["Invalid statement"])
    raise InvalidConfig([f"{place}: this is no TOML ({said}): {hint}."])


def problem_of(error: Invalid) -> Problem:
    """What a check of `schema` found wrong."""
    key: Key = tuple(step if isinstance(step, int) else str(step) for step in error.path)
    # a key that isn't there has no line, but its section has
    return Problem(key, error.msg, at=key[:-1] if isinstance(error, RequiredFieldInvalid) else None)


def _game_problems(game: GameSettings, check_game: CheckGame) -> Iterator[Problem]:
    """What the game says, put to the key that it speaks of first."""
    keys: dict[str, Key] = {name: ("game", name) for name in ("edition", "players", "starter")}
    keys |= {name: ("game", "house_rules", name) for name in game.game_options.settings}
    keys |= {name: ("pads", name) for name in game.pads}
    for sentence in check_game(game):
        key = next((keys[word] for word in re.findall(r"\w+", sentence) if word in keys), ("game",))
        yield Problem(key, f"doesn't fit the game. {sentence}")


def _game(found: Mapping[str, Any]) -> GameSettings:
    game = found["game"]
    game_options = GameOptions(
        players=game.get("players", len(found["seats"])),
        edition=game.get("edition", ""),
        settings=MappingProxyType(game["house_rules"]),
        starter=game.get("starter"),
    )
    return GameSettings(game["name"], game_options, tuple(found["pads"]))


def _build(found: Mapping[str, Any], path: Path) -> Config:
    table = found["table"]
    kept = {name: path.parent / table[name] for name in ("journal", "decks")}
    return Config(
        file=path,
        table=TableSettings(**{**table, **kept}),
        game=_game(found),
        seats=tuple(SeatParts(**seat) for seat in found["seats"]),
        discard=DiscardParts(**found["discard"]),
        scoreboard=_part(ScoreboardParts, found.get("scoreboard")),
        sounder=_part(SounderParts, found.get("sounder")),
        stop_reminder_us=found["reminder"]["stop_s"],
        page=_part(PageSettings, found.get("page")),
        speech=_part(SpeechParts, found.get("speech")),
        power=_part(PowerParts, found.get("power")),
        pads=tuple(ExtraPad(name, **parts) for name, parts in found["pads"].items()),
        mqtt=_mqtt(found["mqtt"], path) if "mqtt" in found else None,
        league=_league(found["league"], path) if "league" in found else None,
        updates=_announced_at(found["updates"]["from"], path) if "updates" in found else None,
    )


def _mqtt(given: Mapping[str, Any], path: Path) -> MqttSettings:
    own = {name: given[name] for name in ("base", "discovery", "commands", "names")}
    return MqttSettings(account_in(given, path, given.get("user"), given.get("password_file")), **own)


def _league(given: Mapping[str, Any], path: Path) -> UplinkSettings:
    return UplinkSettings(account_in(given, path, given["table"], given["key_file"]), given["table"])


def _announced_at(source: str, path: Path) -> str | Path:
    return source if source.startswith("https://") else path.parent / source


def account_in(given: Mapping[str, Any], path: Path, user: str | None, password: str | None) -> Account:
    """The account of a section, with this user and the name of the file with the password; files are found from the
    folder of the configuration."""
    ca, password_file = (None if name is None else path.parent / name for name in (given.get("ca"), password))
    port = given.get("port", MQTT_TLS_PORT if given["tls"] else MQTT_PORT)
    return Account(given["host"], port, given["tls"], ca, user, password_file)


def _part(kind: Callable[..., T], values: Mapping[str, Any] | None) -> T | None:
    return None if values is None else kind(**values)
