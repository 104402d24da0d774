"""Keys of a configuration, each declared once: a field of a section's dataclass is annotated with its `Setting`, from
which the check and the built value follow. Must not know which keys there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, TypeAlias, cast, get_type_hints

from taptable.schema.problems import Check, Problem, Unfit, join_words, nest_problem, spell_value, unfit_error


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of a section. `check` checks its value. `needed` is an example in TOML if the key is required, else "";
    `default` is the checked value of a key that is missing and isn't required."""

    check: Check
    needed: str = ""
    default: Any = None


Keys: TypeAlias = Mapping[str, Setting]
"""The keys of a section by their names, in the order in which they are listed to people."""


def keys_of(section: type[Any]) -> Keys:
    """Return the keys that a dataclass declares. A field's default is the default of its key."""
    hints = get_type_hints(section, include_extras=True)
    declared = {each: getattr(hints[each.name], "__metadata__", ()) for each in fields(section)}
    return {
        each.name: replace(settings[0], default=None if each.default is MISSING else each.default)
        for each, settings in declared.items()
        if settings
    }


def check_keys(
    keys: Keys, data: Mapping[str, Any], noun: str = "setting", spell: Callable[[str], str] = str
) -> tuple[dict[str, Any], list[Problem]]:
    """Check the keys of a section. Return the values of all valid keys, with defaults filled in, and the problems of
    the others. An unknown key *is no* `noun`; `spell` spells the known ones in that sentence."""
    found = {name: key.default for name, key in keys.items() if not key.needed and name not in data}
    wrong: list[Problem] = []
    for name, value in data.items():
        try:
            if name not in keys:
                near = get_close_matches(name, keys, n=1)
                hint = f"did you mean {spell(near[0])}?" if near else f"there are {join_words(map(spell, keys))}."
                raise unfit_error(f"is no {noun}: {hint}")
            found[name] = keys[name].check(value)
        except Unfit as error:
            wrong += [nest_problem(name, problem) for problem in error.problems]
    for name, key in keys.items():
        if key.needed and name not in data:
            # a missing key has no line, but its section has
            wrong.append(Problem((name,), f"is missing: write, for example, {key.needed}.", at=()))
    return found, wrong


def section(name: str, keys: Keys, build: Callable[..., Any] = dict) -> Check:
    """Return the check of a section with these keys and no others. It returns `build(**values)`."""

    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            raise unfit_error(f"can't be {spell_value(value)}: it takes a section, which begins with a line [{name}].")
        found, wrong = check_keys(keys, cast("dict[str, Any]", value))
        if wrong:
            raise Unfit(*wrong)
        return build(**found)

    return check
