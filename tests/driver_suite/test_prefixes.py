"""No module of the program names a kind of driver by the prefix of its addresses, but those of the driver itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import taptable
from taptable.drivers.registry import installed_drivers

HOST = Path(taptable.__file__).parent
KINDS = "|".join(installed_drivers().kinds)
PREFIX = re.compile(rf"(?<![\w-])(?:{KINDS}):(?!\s)")
"""Not the colon of a sentence, which a blank follows."""


def literals(source: str) -> Iterator[ast.Constant]:
    """The texts of a module, pieces of f-strings among them, and no docstrings."""
    tree = ast.parse(source)
    said = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in said:
            yield each


def named(source: str) -> list[str]:
    return [f"{each.lineno}: {each.value!r}" for each in literals(source) if PREFIX.search(str(each.value))]


def test_only_a_driver_s_own_folder_contains_the_prefix_of_its_addresses():
    own = [HOST / "drivers" / kind for kind in installed_drivers().kinds]
    files = [file for file in sorted(HOST.rglob("*.py")) if not any(file.is_relative_to(folder) for folder in own)]
    assert len(files) > 300
    found = {str(file.relative_to(HOST)): named(file.read_text(encoding="utf-8")) for file in files}
    assert {file: lines for file, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "text", ['"spi:"', "'gpio:4'", 'f"board:{name}"', '"pad = \\"board:a\\""', 'x.startswith("oled:")']
)
def test_a_prefix_is_found(text: str):
    assert named(text if "(" in text else f"x = {text}")


@pytest.mark.parametrize("text", ['"board 3: away"', '"its board: none"', "dashboard:x", '"scoreboard:top"'])
def test_other_colons_are_none(text: str):
    assert named(f"x = {text!r}") == []
