"""docs/adding-a-driver.md against the code it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from taptable.drivers.interface import DeviceContext, Driver, Limit, OpenedParts

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-driver.md").read_text("utf-8")
LISTINGS = re.findall(r"```(?:python|toml)\n# (\S+)\n(.*?)\n```", PAGE, re.DOTALL)
SYSTEM = ROOT / "system"


def test_it_has_listings():
    assert len(LISTINGS) >= 8
    assert PAGE.count("```python") + PAGE.count("```toml") == len(LISTINGS)


@pytest.mark.parametrize(("file", "listing"), LISTINGS, ids=range(len(LISTINGS)))
def test_every_listing_stands_in_the_file_it_names(file: str, listing: str):
    assert listing in (ROOT / file).read_text("utf-8")


def test_every_file_of_the_package_is_named_or_shown():
    package = ROOT / "tests" / "driver_package"
    named = [path.name for path in package.rglob("*.py") if path.name != "__init__.py"]
    assert [name for name in named if name not in PAGE] == []


def test_the_hooks_that_a_driver_may_override_are_listed():
    verbs = [name for each in (Driver, OpenedParts) for name in vars(each) if not name.startswith("_")]
    untold = {"kind", "roles", "rank", "commands", "most_pads", "is_whole_seat", "kernel_stamps", "free", "check"}
    assert [verb for verb in verbs if f"`{verb}`" not in PAGE and verb not in untold] == []
    assert [limit.name for limit in Limit if f"`{limit.name}`" not in PAGE] == []
    assert {"report", "identify", "executor"} <= set(DeviceContext.__dataclass_fields__)


def test_what_it_says_of_an_installed_table_is_so():
    postinst = (SYSTEM / "package" / "postinst").read_text("utf-8")
    assert "venv=$programs/venv" in postinst
    assert "programs=/opt/taptable\n" in postinst
    assert "venv --without-pip" in postinst
    assert 'rm -rf "$each"' in postinst
    pip = next(line for line in PAGE.splitlines() if line.startswith("pip="))
    assert pip == "pip=$(echo /usr/share/taptable/pip/pip-*.whl)"
    assert 'PYTHONPATH=$(echo "$package"/pip/pip-*.whl)' in postinst
    unit = (SYSTEM / "taptable.service").read_text("utf-8")
    for line in (
        "DevicePolicy=closed",
        "PrivateNetwork=yes",
        "ProtectSystem=strict",
        "RuntimeDirectory=taptable",
        "StateDirectory=taptable",
    ):
        assert line in unit
