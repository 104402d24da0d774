"""The manual lists every line that the program logs, with its level and the module that logs it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOST = ROOT / "host/taptable"
PAGE = (ROOT / "docs/logs.md").read_text(encoding="utf-8")
LEVELS = {
    "debug": "DEBUG",
    "info": "INFO",
    "warning": "WARNING",
    "error": "ERROR",
    "exception": "ERROR",
    "critical": "CRITICAL",
}


def logged() -> Iterator[tuple[str, str, str]]:
    """Yield the module, the level and the fixed text of each call of a logger whose text stands there."""
    for file in sorted(HOST.rglob("*.py")):
        module = ".".join(file.relative_to(ROOT / "host").with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="_log" | "log"), attr=level),
                    args=[ast.Constant(value=str(text)), *_],
                ) if level in LEVELS:
                    yield module, LEVELS[level], text
                case _:
                    pass


def rows() -> list[tuple[str, str, str]]:
    """Return level, loggers and text of each row of the page's tables."""
    return re.findall(r"^\| `(.+?)` \| ([A-Z]+) \| `([a-z0-9_., ]+)`", PAGE, re.MULTILINE)


def test_every_line_that_is_logged_is_in_the_manual() -> None:
    told = {(text, level) for text, level, _ in rows()}
    assert [each for each in logged() if each[2] != "%s" and (each[2].replace("|", "\\|"), each[1]) not in told] == []


def test_every_line_in_the_manual_is_in_the_code() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in HOST.rglob("*.py"))
    sources = sources.replace('"\n', "").replace('\\"', '"')
    fixed = {text: text.replace("\\|", "|").partition("%")[0] for text, _, _ in rows()}
    assert [text for text, start in fixed.items() if start not in sources] == []
    assert len(fixed) > 90
