"""The exit statuses and variables in docs/commands.md and the manual page, against the commands' code; their lists of
commands are compared with the parsers by scripts/commands-docs."""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import ModuleType

from taptable.cli import COMMANDS
from taptable.drivers.registry import installed_drivers, module_of

ROOT = Path(__file__).parents[2]
HOST = ROOT / "host/taptable"
PAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")


def rows(what: str) -> list[list[str]]:
    """The rows of one of the page's tables."""
    (table,) = re.findall(rf"<!-- {what} -->(.*?)<!-- /{what} -->", PAGE, re.DOTALL)
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")][2:]


def statuses_in(module: ModuleType | None) -> set[int]:
    """Every status but 0 that a module's functions return."""
    assert module is not None
    tree = ast.parse(inspect.getsource(module))
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    returned = [
        each.value
        for function in functions
        if isinstance(function.returns, ast.Name) and function.returns.id == "int"
        for each in ast.walk(function)
        if isinstance(each, ast.Return)
    ]
    ways = [
        way for value in returned for way in ((value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,))
    ]
    return {way.value for way in ways if isinstance(way, ast.Constant) and isinstance(way.value, int)} - {0}


def test_each_status_that_a_command_returns_is_on_the_page():
    modules: dict[str, ModuleType | None] = {name: import_module(f"taptable.cli.{name}") for name in COMMANDS}
    for driver in installed_drivers():
        for name in driver.commands:
            modules[name] = module_of(driver, "commands")
    listed: dict[str, set[int]] = defaultdict(set)
    for status, of, _ in rows("statuses"):
        for command in re.findall(r"`([a-z]+)", of):
            listed[command] |= {int(each) for each in status.split(", ")}
    of_signals = {129, 143}
    assert {name: found for name, module in modules.items() if (found := statuses_in(module))} == {
        name: rest for name, found in listed.items() if (rest := found - of_signals)
    }


def test_each_variable_that_the_program_reads_is_on_the_page():
    reads = re.compile(r'"(TAPTABLE_[A-Z]+)"|environ\w*\.get\(\s*"([A-Z_]+)"')
    found = {name for path in HOST.rglob("*.py") for each in reads.findall(path.read_text("utf-8")) for name in each}
    listed = set(re.findall(r"`([A-Z_]+)`", "".join(name for name, _ in rows("environment"))))
    assert found - {"", "PATH"} <= listed
    assert {name for name in listed if name.startswith("TAPTABLE_")} <= found


def test_each_absolute_path_on_the_page_is_one_of_the_program_s_or_of_the_package_s():
    code = [*HOST.rglob("*.py"), *(path for path in (ROOT / "system").rglob("*") if path.suffix != ".1")]
    known = "".join(path.read_text("utf-8") for path in code if path.is_file() and path.suffix != ".pyc")
    files = [name.strip("`") for name, _ in rows("files")]
    assert [each for each in files if each.startswith("/") and each not in known and each[1:] not in known] == []
