"""The initial configuration of a table: an example with the answers to a few questions. The installation writes it
once; from then on it belongs to the owner, and no program writes to it. Must not check the answers: `loading` does when
the file is read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

MEMORY = Path("/var/lib/taptable")
"""The folder of an installed table's journal and decks."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to the questions before installation. An empty one leaves the example's value."""

    name: str = ""
    language: str = ""
    network: bool = False
    broker: str = ""


def initial_config(example: str, answers: Answers) -> str:
    """Return the text of ``table.toml``: an example with these answers and the installed table's memory. The answers
    are checked later, when the file is read. Raises ValueError if the example lacks a line or key."""
    text = re.sub(r"(?m)^# Where the memory .*\n|^# (journal|decks) = .*\n", "", example)
    text = _insert_after(text, "[table]", f'journal = "{MEMORY}/journal.sqlite"\ndecks = "{MEMORY}/decks"\n')
    return with_answers(text, answers)


def with_answers(text: str, answers: Answers) -> str:
    """Return the text of an example with these answers. Raises ValueError if it lacks a line or key."""
    if answers.name:
        text = _replace_value(text, "table", "name", answers.name)
    if answers.language:
        # each language has its edition of the game in the examples
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
    """Replace the value of an existing key. JSON spells texts and flags as TOML does."""
    spelled = json.dumps(value, ensure_ascii=False)
    changed, count = re.subn(
        rf"(?ms)(^\[{section}\]\n(?:(?!^\[).)*?^{key} = )[^\n]*", lambda found: found[1] + spelled, text, count=1
    )
    if not count:
        raise ValueError(f"the example has no {key} below [{section}]")
    return changed
