"""The configuration that a table begins with: an example, with the few answers that were given before there was one.
Made once, by who installs; from then on it is its owner's, and nobody writes in it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

MEMORY = Path("/var/lib/taptable")
"""Where an installed table keeps journal and decks."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What is asked before there is a table; what is empty is as in the example."""

    name: str = ""
    language: str = ""
    network: bool = False
    broker: str = ""


def initial_config(example: str, answers: Answers) -> str:
    """The text of ``table.toml``: that of an example, with these answers, and an installed table's memory. Whether the
    answers can be is seen where it is read."""
    text = re.sub(r"(?m)^# Where the memory .*\n|^# (journal|decks) = .*\n", "", example)
    text = _insert_after(text, "[table]", f'journal = "{MEMORY}/journal.sqlite"\ndecks = "{MEMORY}/decks"\n')
    if answers.name:
        text = _replace_value(text, "table", "name", answers.name)
    if answers.language:
        # each language has its edition of the game that stands in the examples
        text = _replace_value(text, "table", "language", answers.language)
        text = _replace_value(text, "game", "edition", answers.language)
    if answers.network:
        text = _replace_value(text, "page", "network", True)
    if answers.broker:
        broker = json.dumps(answers.broker, ensure_ascii=False)
        text += f'\n[mqtt]\nhost = {broker}\nuser = "table"\npassword_file = "mqtt.password"\n'
    return text


def _insert_after(text: str, line: str, more: str) -> str:
    before, found, rest = text.partition(f"\n{line}\n")
    if not found:
        raise ValueError(f"the example has no {line}")
    return f"{before}{found}{more}{rest}"


def _replace_value(text: str, section: str, key: str, value: str | bool) -> str:
    """Another value for a key, which is there; JSON spells texts and flags as TOML does."""
    spelled = json.dumps(value, ensure_ascii=False)
    changed, count = re.subn(
        rf"(?ms)(^\[{section}\]\n(?:(?!^\[).)*?^{key} = )[^\n]*", lambda found: found[1] + spelled, text, count=1
    )
    if not count:
        raise ValueError(f"the example has no {key} below [{section}]")
    return changed
