"""Reads the text of ``table.toml``, and of ``parts.toml`` for the parts that the first doesn't name, into a `Config`,
or reports everything that is wrong with them at once. Must not know the rules of a game: it is given a function that
does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from taptable.config import model
from taptable.config.conflicts import find_conflicts
from taptable.config.home import ready_made_text
from taptable.config.model import Config, GameSettings, SeatParts
from taptable.config.parts_file import FOUND, PARTS_SECTIONS, parts_file_of, parts_in
from taptable.core.game_options import GameOptions
from taptable.schema import checks
from taptable.schema.keys import Keys, Setting, check_keys, keys_of, section
from taptable.schema.problems import (
    Check,
    InvalidConfig,
    Key,
    Problem,
    Unfit,
    invalid_config,
    nest_problem,
    spell_value,
    unfit_error,
)

CheckGame: TypeAlias = Callable[[GameSettings], Sequence[str]]
"""Returns sentences about what a game can't be played with (edition, number of players, starter, house rules), and
about pads that no game uses."""

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


def _part(part: type[Any]) -> tuple[Keys, Callable[..., Any]]:
    return keys_of(part), part


_SECTIONS: Mapping[str, tuple[Keys, Callable[..., Any]]] = {
    "table": _part(model.TableSettings),
    "game": (model.GAME, dict),
    "seats": (model.SEAT, model.seat_parts),
    "discard": (model.DISCARD, model.pad_parts),
    "pads": (model.EXTRA_PAD, model.pad_parts),
    "scoreboard": _part(model.ScoreboardParts),
    "sounder": _part(model.SounderParts),
    "reminder": (model.REMINDER, dict),
    "page": _part(model.PageSettings),
    "speech": _part(model.SpeechParts),
    "power": _part(model.PowerParts),
    "mqtt": (model.MQTT, model.mqtt_settings),
    "league": (model.LEAGUE, model.uplink_settings),
    "updates": (model.UPDATES, dict),
}
_ADVICE = "Assign the parts once more with `taptable seats` or on the page."
UNKNOWN_PLAYERS = 4
"""The number of players with which a table without seats is checked: every game can have 4."""
SECTIONS: Mapping[str, Keys] = {name: keys for name, (keys, _) in _SECTIONS.items()}
"""The keys of each section. [game.house_rules] has those of the game, and [pads] has one section for each pad."""


def _check_each(kind: type[list[Any] | dict[str, Any]], accepts: str, check_of: Callable[[Any], Check]) -> Check:
    """Return the check of a list or a section whose items are checked by `check_of(key)`. `accepts` ends the sentence
    about any other value."""

    def check(value: Any) -> dict[Any, Any]:
        if not isinstance(value, kind):
            raise unfit_error(f"can't be {spell_value(value)}: {accepts}")
        items = cast("list[Any] | dict[str, Any]", value)
        found: dict[Any, Any] = {}
        wrong: list[Problem] = []
        for key, item in items.items() if isinstance(items, dict) else enumerate(items):
            try:
                found[key] = check_of(key)(item)
            except Unfit as error:
                wrong += [nest_problem(key, problem) for problem in error.problems]
        if isinstance(items, list) and not 2 <= len(items) <= model.MAX_SEATS:
            wrong.insert(0, Problem((), f"can't be {len(items)} of them: a table has 2 to {model.MAX_SEATS} seats."))
        if wrong:
            raise Unfit(*wrong)
        return found

    return check


_HEADINGS = {"seats": "[[seats]]", "pads": "[pads.<name>]"}
_REQUIRED = {"table": 'a line [table] and below it deck = "family"'}
_DISCARD_EXAMPLE = f'a line [discard] and below it pad = "{model.example_addresses("discard.pad")[-1]}"'
_DEFAULTED = ("game", "pads", "reminder")
"""Sections that are taken as empty if the file lacks them."""
_house_rules = _check_each(
    dict, "it takes a section, which begins with a line [game.house_rules].", lambda _: checks.house_rule
)
_CHECKS: Mapping[str, Check] = {
    **{name: section(name, keys, build) for name, (keys, build) in _SECTIONS.items()},
    "game": section("game", {**model.GAME, "house_rules": Setting(_house_rules, default={})}),
    "seats": _check_each(
        list,
        "each seat takes a section of its own, begun by a line [[seats]].",
        lambda _: section("[seats]", *_SECTIONS["seats"]),
    ),
    # the games define the names of pads and of house rules
    "pads": _check_each(
        dict,
        "each pad takes a section of its own, begun by a line [pads.<name>].",
        lambda name: section(f"pads.{name}", *_SECTIONS["pads"]),
    ),
}
_FILE: Keys = {
    name: Setting(check, _REQUIRED.get(name, ""), check({}) if name in _DEFAULTED else None)
    for name, check in _CHECKS.items()
}


_PARTS_CHECKS: Keys = {
    **{name: Setting(_CHECKS[name]) for name in PARTS_SECTIONS},
    "found": Setting(
        _check_each(
            dict,
            'each address takes a section of its own, begun by a line [found."<address>"].',
            lambda address: section(f"found.{address}", FOUND),
        )
    ),
}


@dataclass(frozen=True, slots=True)
class PartsText:
    """The text of ``parts.toml`` and its path."""

    path: Path
    text: str


class InvalidParts(InvalidConfig):
    """Everything that is wrong with ``parts.toml``, while ``table.toml`` is right."""

    def __str__(self) -> str:
        return f"{super().__str__()}\n{_ADVICE}"


def load_config(path: Path, check_game: CheckGame, *, with_parts: bool = True) -> Config:
    """Read the configuration from a file, and from ``parts.toml`` the parts that it doesn't name. With `with_parts`
    False these parts are left out, for callers that need none or may not read that file. The user's own configuration
    need not exist: the table is a ready-made one then. Raises `InvalidConfig` with
    everything that is wrong, `InvalidParts` if only ``parts.toml`` is wrong."""
    text = table_text(path)
    parts = _read_parts(parse_toml(text, path), path) if with_parts else None
    return read_config(text, path, check_game, parts, with_parts=with_parts)


def table_text(path: Path) -> str:
    """Return the text of a table's configuration: the file's, or that which stands for the user's own if there is no
    such file. Raises `InvalidConfig` if it can't be read."""
    text = ready_made_text(path)
    return read_text(path, "copy examples/full.toml or examples/compact.toml to it") if text is None else text


def _read_parts(data: Mapping[str, Any], path: Path) -> PartsText | None:
    """Return the text of ``parts.toml``; None if there is none, or if ``table.toml`` at `path` with these data names
    all parts."""
    if all(name in data for name in PARTS_SECTIONS):
        return None
    table = data.get("table")
    journal: Any = cast("dict[str, Any]", table).get("journal") if isinstance(table, dict) else None
    journal = journal if isinstance(journal, str) and journal else keys_of(model.TableSettings)["journal"].default
    file = parts_file_of(path.parent / journal)
    try:
        file.stat()
    except FileNotFoundError:
        return None
    except OSError:
        pass  # reading it fails too
    try:
        return PartsText(file, read_text(file, ""))
    except InvalidConfig as error:
        raise InvalidParts(error.sentences) from None


def read_text(path: Path, advice: str) -> str:
    """Return the text of a configuration. Raises `InvalidConfig` if it can't be read; if it doesn't exist, with
    `advice`."""
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
        message = f"{path}:{line}: byte 0x{raw[error.start]:02x} is no UTF-8: save the file as UTF-8 in the editor."
        raise InvalidConfig([message]) from None


def read_config(
    text: str, path: Path, check_game: CheckGame, parts: PartsText | None = None, *, with_parts: bool = True
) -> Config:
    """Return the configuration in `text`, with the sections of `parts` that it lacks. `path` is its file, which need
    not exist; `with_parts` as for `load_config`. Raises `InvalidConfig`, or `InvalidParts` if only `parts` are
    wrong."""
    own = parse_toml(text, path)
    parts_data = {} if parts is None else _parse_parts(parts)
    added = {name: parts_data[name] for name in PARTS_SECTIONS if name in parts_data and name not in own}
    data = {**own, **added}
    found, wrong = check_keys(_FILE, data, "section", lambda name: _HEADINGS.get(name, f"[{name}]"))
    problems = [*wrong, *(_missing_discard_pad(data) if with_parts else ()), *find_conflicts(data)]
    if any(problem.key[0] in {"game", "seats", "pads"} for problem in problems):
        problems += _house_rule_problems(data.get("game"), check_game)
    else:
        problems += _game_problems(_game(found), check_game, data)
    if problems:
        raise _error(text, path, problems, parts, added)
    return _build(found, path, parts_data if added else None)


def _error(
    text: str, path: Path, problems: Sequence[Problem], parts: PartsText | None, added: Collection[str]
) -> InvalidConfig:
    """Return the exception for these problems. Those in the sections `added` from `parts` have its name and lines."""
    theirs = [problem for problem in problems if problem.key[0] in added or (problem.key == ("discard",) and added)]
    own = [problem for problem in problems if problem not in theirs]
    if parts is None or not theirs:
        return invalid_config(path, text, own)
    wrong_parts = invalid_config(parts.path, parts.text, theirs).sentences
    if not own:
        return InvalidParts(wrong_parts)
    return InvalidConfig([*invalid_config(path, text, own).sentences, *wrong_parts])


def _parse_parts(parts: PartsText) -> dict[str, Any]:
    """Return the data of ``parts.toml``. Raises `InvalidParts`."""
    try:
        data = parse_toml(parts.text, parts.path)
    except InvalidConfig as error:
        raise InvalidParts(error.sentences) from None
    own = {name: value for name, value in data.items() if name not in PARTS_SECTIONS}
    _, wrong = check_keys(_PARTS_CHECKS, own, "section", lambda name: _HEADINGS.get(name, f"[{name}]"))
    if wrong:
        raise InvalidParts(invalid_config(parts.path, parts.text, wrong).sentences)
    return data


def _missing_discard_pad(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield that the discard pad is missing. A table without seats isn't set up yet: its parts are assigned by touching
    them."""
    if "seats" in data and "discard" not in data:
        yield Problem(("discard",), f"is missing: write, for example, {_DISCARD_EXAMPLE}.", at=())


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Return the data of a TOML text. Raises `InvalidConfig` with the place of a syntax error and how to correct it."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        error_text = str(error)
    line = re.search(r" \(at line (\d+), column (\d+)\)$", error_text)
    place = f"{path}:{line[1]}: column {line[2]}" if line else str(path)
    error_text = error_text[: line.start()] if line else error_text.removesuffix(" (at end of document)")
    hint = next((hint for begin, hint in _HINTS.items() if error_text.startswith(begin)), _HINTS["Invalid statement"])
    raise InvalidConfig([f"{place}: this is no TOML ({error_text}): {hint}."])


def _house_rule_problems(game: Any, check_game: CheckGame) -> Iterator[Problem]:
    """Yield the problems of the house rules alone, if other game options are wrong."""
    keys = cast("dict[str, Any]", game) if isinstance(game, dict) else {}
    try:
        rules = _house_rules(keys.get("house_rules", {}))
        name = checks.text(keys.get("name", model.GAME["name"].default))
    except Unfit:
        return  # the house rules' own checks report it already
    options = GameOptions(players=2, edition="", settings=MappingProxyType(rules), starter=None)
    for problem in _game_problems(GameSettings(name, options, ()), check_game, keys):
        if problem.key[:2] == ("game", "house_rules"):
            yield problem


def _game_problems(game: GameSettings, check_game: CheckGame, data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the game's sentences, each with the first key that it mentions. A key that isn't in the file's `data` has
    the line of the game's name: the number of players is then that of the seats."""
    keys: dict[str, Key] = {name: ("game", name) for name in ("edition", "players", "starter")}
    keys |= {name: ("game", "house_rules", name) for name in game.game_options.settings}
    keys |= {name: ("pads", name) for name in game.pads}
    for sentence in check_game(game):
        key = next((keys[word] for word in re.findall(r"\w+", sentence) if word in keys), ("game",))
        stands = key[0] != "game" or len(key) != 2 or key[1] in data.get("game", {})
        yield Problem(key, f"doesn't fit the game. {sentence}", at=None if stands else ("game", "name"))


def _game(found: Mapping[str, Any]) -> GameSettings:
    game = found["game"]
    game_options = GameOptions(
        players=game["players"] or len(found["seats"] or ()) or UNKNOWN_PLAYERS,
        edition=game["edition"] or "",
        settings=MappingProxyType(game["house_rules"]),
        starter=game["starter"],
    )
    return GameSettings(game["name"], game_options, tuple(found["pads"]))


def _build(found: Mapping[str, Any], path: Path, parts_data: Mapping[str, Any] | None) -> Config:
    """Build the configuration; `parts_data` are those of ``parts.toml`` if parts are taken from there."""
    own: dict[str, Any] = {
        "game": _game(found),
        "seats": tuple(cast("dict[int, SeatParts]", found["seats"] or {}).values()),
        "discard": found["discard"] or model.NO_PAD,
        "assigned": None if parts_data is None else parts_in(parts_data),
        "pads": found["pads"],
        "updates": found["updates"] and found["updates"]["from"],
    }
    parts = {name: resolve_paths(part, path.parent) for name, part in {**found, **own}.items() if name != "reminder"}
    return Config(file=path, stop_reminder_us=found["reminder"]["stop_s"], **parts)


def resolve_paths(part: Any, folder: Path) -> Any:
    """Return a checked part of a configuration with its relative paths resolved against a folder."""
    if isinstance(part, Path):
        return folder / part
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{each.name: resolve_paths(getattr(part, each.name), folder) for each in fields(part)})
    return part
