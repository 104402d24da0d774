"""The fenced blocks of a page of the manual that hold commands, and the comments before them that say how a block is
run. A reader of the page does not see these comments:

    <!-- not run: WHY -->        nobody can run it here
    <!-- before: COMMAND -->     run this first: it makes what a reader has by then
    <!-- typed: LINE, LINE -->   what is typed at its questions
    <!-- ends at: TEXT -->       press Ctrl-C as soon as it has printed this
    <!-- ends with: STATUS -->   it ends with this exit status, where that isn't 0
    <!-- after: COMMAND -->      run this next: it fails where the block has not done what the page says
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("sh", "console")
"""The languages of fences with commands: commands alone, or each after ``$ `` with its output."""
INSTALLED = "<!-- commands of an installed table -->"
"""Marks a page for people who have installed the package: its commands run as there, those of all others in a clone."""

_FENCE = re.compile(r" *(`{3,}|~{3,}) *(.*)")
_DIRECTION = re.compile(r" *<!-- (not run|before|typed|ends at|ends with|after): (.+) -->")
_PROGRAMS = "sudo|taptable|scripts/|apt|apt-get|openssl|systemctl|journalctl|mosquitto|pytest|python3?|pip|git|\\.venv/"
_INDENTED = re.compile(rf" {{4,}}(?:\$ |(?:{_PROGRAMS})\b)")
_PROMPTED = re.compile(r" *\$ \w")
_COMMENT = re.compile(r" *<!-- .*:.* -->")
_SHELLS = ("bash", "shell", "zsh")


@dataclass(frozen=True, slots=True)
class Step:
    """A command, what is typed at its questions, and what it prints; None where the page does not show that."""

    command: str
    prints: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of commands that begins at a line of a page, and what the comments before it say."""

    page: Path
    line: int
    steps: tuple[Step, ...]
    not_run: str | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    ends_at: str | None = None
    ends_with: int = 0

    @property
    def place(self) -> str:
        """The place of the block, in the form that editors open."""
        return f"{place_of(self.page)}:{self.line}"


def place_of(page: Path) -> Path:
    """A page's path from the project's folder."""
    return page.relative_to(ROOT) if page.is_relative_to(ROOT) else page


def pages() -> list[Path]:
    """Every page of the manual: all Markdown that git knows, or would."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    return [ROOT / name for name in sorted(subprocess.check_output(listed, cwd=ROOT, text=True).split("\n")) if name]


def blocks_of(page: Path) -> list[Block]:
    """The blocks of commands of a page, in their order."""
    return list(_blocks(page, page.read_text(encoding="utf-8").splitlines()))


def _blocks(page: Path, lines: Sequence[str]) -> Iterator[Block]:
    said: list[tuple[str, str]] = []
    place = 0
    while place < len(lines):
        line, start = lines[place], place
        place += 1
        if direction := _DIRECTION.fullmatch(line):
            said.append((direction[1], direction[2]))
        elif fence := _FENCE.fullmatch(line):
            while place < len(lines) and lines[place].strip() != fence[1]:
                place += 1
            if fence[2] in LANGUAGES:
                yield _block(page, start, fence[2], [each[_indent(line) :] for each in lines[start + 1 : place]], said)
            place += 1
            said = []
        elif line.strip():
            said = []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block(page: Path, start: int, language: str, lines: Sequence[str], said: Sequence[tuple[str, str]]) -> Block:
    def told(name: str) -> tuple[str, ...]:
        return tuple(what for direction, what in said if direction == name)

    steps = tuple(_steps(lines)) if language == "console" else (Step("\n".join(lines)),)
    return Block(
        page,
        start + 1,
        steps,
        not_run=next(iter(told("not run")), None),
        before=told("before"),
        after=told("after"),
        typed=tuple(line for each in told("typed") for line in each.split(", ")),
        ends_at=next(iter(told("ends at")), None),
        ends_with=int(next(iter(told("ends with")), "0")),
    )


def _steps(lines: Sequence[str]) -> Iterator[Step]:
    """Each command after ``$ ``, with a here-document that belongs to it, and what it prints."""
    place = 0
    while place < len(lines):
        command = [lines[place].removeprefix("$ ")]
        place += 1
        if here := re.search(r"<<'(\w+)'", command[0]):
            end = lines.index(here[1], place) + 1
            command += lines[place:end]
            place = end
        printed = place
        while place < len(lines) and not lines[place].startswith("$ "):
            place += 1
        yield Step("\n".join(command), "".join(f"{each}\n" for each in lines[printed:place]))


def oversights(page: Path) -> list[str]:
    """The lines of a page that nobody would run although they look like commands, being indented and not fenced, or in
    a fence of another name; and the comments before a block that say nothing to who runs it."""
    found: list[str] = []
    fence = None
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if opened := _FENCE.fullmatch(line):
            fence = opened[2] if fence is None else None
            before = lines[number - 2] if number > 1 else ""
            if fence in LANGUAGES and _COMMENT.fullmatch(before) and not _DIRECTION.fullmatch(before):
                found.append(f"{place_of(page)}:{number - 1}: {before.strip()}")
        elif (_INDENTED if fence is None else _PROMPTED).match(line) and fence not in LANGUAGES:
            found.append(f"{place_of(page)}:{number}: {line.strip()}")
        elif fence in _SHELLS:
            found.append(f"{place_of(page)}:{number}: fenced as {fence}, and not as sh: {line.strip()}")
    return found
