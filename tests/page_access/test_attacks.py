"""The bench of attacks measures what it says: each attack reaches the page, and a newcomer does beside it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from choosing import mostly_long
from page_server.rig import Table

from page_access.attacks import ATTACKS, attack, newcomer
from page_access.rig import at_an_open_table


@pytest.mark.parametrize("name", mostly_long(ATTACKS))
def test_an_attack_reaches_the_page(tmp_path: Path, name: str) -> None:
    async def evening(table: Table) -> None:
        assert (await attack(name, table.port, 1, ["127.0.5.1", "127.0.5.2"]))["tries"] > 0

    at_an_open_table(tmp_path, evening)


def test_a_newcomer_watches_and_asks_for_a_code(tmp_path: Path) -> None:
    async def evening(table: Table) -> None:
        told = await newcomer(table.port, 1.5, "127.0.6.1")
        assert told["came"] == told["watched"] == told["codes"] > 0

    at_an_open_table(tmp_path, evening)


@pytest.mark.long
def test_the_bench_prints_a_line_for_each_attack() -> None:
    bench = Path(__file__).parents[2] / "scripts" / "bench-attack"
    told = subprocess.check_output([bench, "--seconds", "2", "--only", "echo", "slow", "--addresses", "1"], text=True)
    _, *lines = told.splitlines()
    figures = r"(?: +\d+\.\d){6}(?: +\d+\.\d\d){2}(?: +\d+){3} +\d+/\d+ +\d+\.\d\d(?: +\d+){3}"
    assert [re.sub(figures, "", line) for line in lines] == ["echo         1", "slow         1"]
