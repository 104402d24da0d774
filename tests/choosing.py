"""The choice of the tests that run: those that aren't marked `long`; with ``--all`` all; with ``--changed`` those of
either that reach a change since the last commit. The summary names what was left out."""

from __future__ import annotations

import ast
import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = tuple(ROOT / folder for folder in ("tests", "hardware", "host", "firmware/lib", "firmware", "."))
"""The folders from which modules are imported."""
ANYTHING = {"subprocess", "multiprocessing"}
"""A test that starts a process may reach any file."""
LEFT_OUT = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the tests marked long, too")
    parser.addoption("--changed", action="store_true", help="run only tests that reach what isn't committed")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()
    if config.getoption("--all"):
        os.environ.setdefault("TAPTABLE_THOROUGH", "8")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out: list[pytest.Item] = []
    if not config.getoption("--all"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.stash[LEFT_OUT].update(str(item.path.relative_to(ROOT)) for item in left_out)
    if config.getoption("--changed"):
        changed = changed_files()
        left_out += [item for item in items if not is_affected(item.path, changed)]
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]
    config.hook.pytest_deselected(items=left_out)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of xdist has ended; each has collected the same."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = terminalreporter.config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.section(f"--all would run {left_out.total()} more")
        terminalreporter.write_line(", ".join(f"{file} {number}" for file, number in sorted(left_out.items())))


def long_params(values: Iterable[Any], short: int = 1) -> list[Any]:
    """Make values into parameters of a test; a short run takes the first `short`."""
    tuples = [each if isinstance(each, tuple) else (each,) for each in values]
    return [pytest.param(*each, marks=pytest.mark.long if place >= short else ()) for place, each in enumerate(tuples)]


def changed_files() -> frozenset[Path]:
    """The files that git reports as not committed."""
    said = subprocess.check_output(["git", "status", "--porcelain", "-uall", "-z"], cwd=ROOT, text=True)
    return frozenset(ROOT / entry[3:] for entry in said.split("\0") if entry)


def is_affected(test: Path, changed: frozenset[Path]) -> bool:
    """Return whether a change can affect a test. Modules are followed by their imports. Any other file may be read by
    any test, except pages of the documentation, which only tests that name them read."""
    files, starts_processes = imported_files(test)
    for path in changed:
        if path in files or (starts_processes and path.suffix != ".md"):
            return True
        if path.suffix == ".md":
            if any(path.name in text_of(file) for file in files if file.is_relative_to(SOURCES[0])):
                return True
        elif path.suffix != ".py":
            return True
    return False


@cache
def imported_files(test: Path) -> tuple[frozenset[Path], bool]:
    """The files of the project that a test imports, itself and conftests included, and whether it may start other
    programs."""
    found: set[Path] = set()
    waiting = [test, *(folder / "conftest.py" for folder in test.parents if folder.is_relative_to(SOURCES[0]))]
    starts_processes = False
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        for name in imports(path):
            starts_processes |= name in ANYTHING
            waiting += modules(name)
    return frozenset(found), starts_processes


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every name that a file imports, as a module or out of one."""
    return tuple(_imports(ast.parse(text_of(path)), path))


def _imports(tree: ast.AST, path: Path) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module, names, level):
                package = ".".join(_package_of(path).split(".")[: -level + 1 or None]) if level else ""
                whole = ".".join(part for part in (package, module or "") if part)
                yield whole
                yield from (f"{whole}.{each.name}" for each in names)
            case _:
                pass


def _package_of(path: Path) -> str:
    source = next(source for source in SOURCES if path.is_relative_to(source))
    return ".".join(path.parent.relative_to(source).parts)


@cache
def modules(name: str) -> tuple[Path, ...]:
    """The files of the project that are run to import a module."""
    parts = name.split(".")
    files: list[Path] = []
    for source in SOURCES:
        for length in range(1, len(parts) + 1):
            place = source.joinpath(*parts[:length])
            files += [file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists()]
    return tuple(files)


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")
