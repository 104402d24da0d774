"""Problems of a configuration as sentences: each names the file, the line if it is known, the key, what is wrong and
what would be right. `checks` and `keys` find the problems; this module puts them into words and finds their lines. Must
not know which keys there are."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, TypeAlias, cast

from taptable.core.errors import ConfigError
from taptable.core.spelling import is_visible

Key: TypeAlias = tuple[str | int, ...]
"""The path to a value: names of keys, and list indices from 0."""

MAX_IN_TOML = 2**63 - 1
"""The largest whole number that TOML allows. `tomllib` accepts larger ones too, even so large that Python can't turn
them into text."""

_LINES_SEARCHED = 1000
"""How many lines of a file `find_lines` searches at most, since it parses the file again for each line. Problems on
later lines are reported without a line."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. `message` continues the sentence that begins with `key`. The sentence shows the line of `at`, or
    that of `key` if `at` is None: a missing key has no line of its own."""

    key: Key
    message: str
    at: Key | None = None


class Unfit(ValueError):
    """Raised by a check for a value that it doesn't accept. The keys of `problems` are relative to that value: () is
    the value itself."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


Check: TypeAlias = Callable[[Any], Any]
"""Takes a value as TOML has it and returns it as the daemon uses it, or raises `Unfit`."""


def unfit_error(message: str) -> Unfit:
    """Return the exception for a value that is wrong as a whole."""
    return Unfit(Problem((), message))


def unfit_value_error(value: object, accepts: str) -> Unfit:
    """Return the exception for a wrong value. `accepts` says in words which values the key takes."""
    return unfit_error(f"can't be {spell_value(value)}: it takes {accepts}.")


def nest_problem(step: str | int, problem: Problem) -> Problem:
    """Return a problem of a value as a problem of the section or list that contains it. `step` is the value's name or
    index there, and now begins the problem's key."""
    return replace(problem, key=(step, *problem.key), at=None if problem.at is None else (step, *problem.at))


class InvalidConfig(ConfigError):
    """Everything that is wrong with a configuration. `sentences` are in the order of the file."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


def invalid_config(file: Path, text: str, problems: Iterable[Problem]) -> InvalidConfig:
    """Return the exception for these problems, each with its line in `text`."""
    problems = list(problems)
    lines = find_lines(text, {_shown_key(problem) for problem in problems})
    problems.sort(key=lambda problem: lines.get(_shown_key(problem), 0))
    sentences: list[str] = []
    for problem in problems:
        line = lines.get(_shown_key(problem))
        place = str(file) if line is None else f"{file}:{line}"
        sentences.append(_one_line(f"{place}: {spell_key(problem.key)} {problem.message}"))
    return InvalidConfig(sentences)


def _one_line(sentence: str) -> str:
    """Return a sentence with each control character spelled, as in ``\\n``: a library's message may quote a value."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in sentence)


def spell_key(key: Key) -> str:
    """Spell a key for people: ``[table] language``, ``seat 2, lamp``."""
    match key:
        case ("seats", int(index), *rest):
            return ", ".join([f"seat {index + 1}", *map(_spell_step, rest)])
        case ("seats",):
            return "[[seats]]"
        case (section,):
            return f"[{_spell_step(section)}]"
        case (*sections, name):
            return f"[{'.'.join(map(_spell_step, sections))}] {_spell_step(name)}"
        case _:
            return "the file"


def spell_value(value: object) -> str:
    """Spell a value as in TOML, a long text shortened, lists and sections by their kind."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            hidden = value != "" and not is_visible(value.replace("\n", " "))
            return json.dumps(value if len(value) <= 40 else f"{value[:37]}…", ensure_ascii=hidden)
        case datetime() | date() | time():
            return value.isoformat()
        case int() if abs(value) > MAX_IN_TOML:
            return "so large a number"
        case list():
            return "a list"
        case dict():
            return "a section"
        case _:
            return str(value)


def join_words(words: Iterable[object], last: str = "and") -> str:
    """Join words with commas: *a, b and c*."""
    *most, end = map(str, words)
    return f"{', '.join(most)} {last} {end}" if most else end


def find_lines(text: str, keys: Iterable[Key]) -> dict[Key, int]:
    """Return the line on which each key begins, from 1. Leaves out keys that don't exist.

    Parses the file repeatedly, each time with one more line: a key begins where it first turns up."""
    sought = {key for key in keys if key}
    found: dict[Key, int] = {}
    lines = text.split("\n")
    begins = 1
    for number in range(1, min(len(lines), _LINES_SEARCHED) + 1):
        if len(found) == len(sought):
            break
        try:
            data = tomllib.loads("\n".join(lines[:number]) + "\n")
        except (ValueError, RecursionError):
            continue  # the line ends inside a value that spans several lines
        for key in sought - found.keys():
            if _has(data, key):
                found[key] = begins
        begins = number + 1
    return found


def _spell_step(step: str | int) -> str:
    """Spell a name as in TOML: in quotes if it isn't a bare key."""
    text = str(step)
    return text if re.fullmatch(r"[\w-]+", text) else json.dumps(text, ensure_ascii=False)


def _shown_key(problem: Problem) -> Key:
    return problem.key if problem.at is None else problem.at


def _has(data: Any, key: Key) -> bool:
    for step in key:
        if isinstance(data, dict) and step in data:
            data = cast("dict[str | int, Any]", data)[step]
        elif isinstance(data, list) and isinstance(step, int) and step < len(cast("list[Any]", data)):
            data = cast("list[Any]", data)[step]
        else:
            return False
    return True
