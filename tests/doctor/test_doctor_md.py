"""docs/doctor.md lists every check, its findings and what to do about them. The tests that make findings check that the
page has each of them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from types import ModuleType

import taptable.doctor
import taptable.drivers.input.parts
import taptable.drivers.interface
import taptable.drivers.pcsc.winscard
import taptable.drivers.registry
from taptable.doctor.examination import CHECKS
from taptable.drivers.rc522 import CHIPS
from taptable.drivers.registry import installed_drivers, module_of

from doctor.documented import ANYTHING, TEXT, groups, rows


def _source_with_sentences(module: ModuleType) -> str:
    """Return a module's source, with each sentence in one piece and constants replaced by their values."""
    whole = re.sub(r'"\s*\n\s*f?"', "", inspect.getsource(module))
    return re.sub(r"\{(\w+)\}", lambda found: str(vars(module).get(found[1], found[0])), whole)


MODULES = [
    *(
        importlib.import_module(f"taptable.doctor.{each.name}")
        for each in pkgutil.iter_modules(taptable.doctor.__path__)
    ),
    taptable.drivers.input.parts,
    taptable.drivers.interface,
    taptable.drivers.pcsc.winscard,
    taptable.drivers.registry,
    *(module for driver in installed_drivers() if (module := module_of(driver, "doctor")) is not None),
]
SOURCE = "".join(map(_source_with_sentences, MODULES))
LONG_ENOUGH = 12
"""A piece of a sentence of this length occurs in no other sentence by chance."""


def test_every_check_is_described_in_its_group_and_in_order() -> None:
    assert {name: tuple(checks) for name, checks in groups().items()} == dict(CHECKS)
    assert list(groups()) == list(CHECKS)


def test_every_check_that_finds_something_is_one() -> None:
    assert {row.check for row in rows()} <= {name for names in CHECKS.values() for name in names}
    assert len(rows()) == TEXT.count("| fault: ") + TEXT.count("| warning: ")


def test_what_it_says_stands_in_the_code() -> None:
    said = [(row.check, sentence) for row in rows() for sentence in (row.found, row.todo)]
    pieces = [(check, piece) for check, sentence in said for piece in re.split(rf"{ANYTHING}|[.,:;] ", sentence)]
    assert [(check, it) for check, it in pieces if len(it) >= LONG_ENOUGH and it.strip(' ".') not in SOURCE] == []


def test_the_chips_it_names_are_those_that_are_known() -> None:
    named = set(re.findall(r"0x[0-9A-F]{2}", next(line for line in TEXT.splitlines() if "version register: " in line)))
    assert named == {f"0x{version:02X}" for version in CHIPS if version != 0x90} | {"0x00", "0xFF"}
