"""The bench of attacks measures what it says: each attack reaches the page, and a newcomer does beside it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from choosing import long_params
from deadline import DEADLINE_S
from page_server.rig import Table

from page_access.attacks import ATTACKS

TESTS = Path(__file__).parents[1]


async def comes_of(*doing: object) -> dict[str, float]:
    """The result that a process of its own prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "page_access.attacks", *map(str, doing), stdin=PIPE, stdout=PIPE, cwd=TESTS
    )
    said, _ = await process.communicate(b"\n")
    here, told = said.splitlines()
    assert here == b"here"
    return json.loads(told)


@pytest.mark.parametrize("name", long_params(ATTACKS))
async def test_an_attack_reaches_the_page_and_a_newcomer_does_beside_it(table: Table, name: str) -> None:
    attack, newcomer = await asyncio.gather(
        comes_of(name, 2, table.port, "127.0.5.1", "127.0.5.2"),
        comes_of("newcomer", DEADLINE_S, table.port, "127.0.6.1", 3),
    )
    assert attack["tries"] > 0
    assert newcomer["watched"] == newcomer["codes"] == newcomer["came"] == 3


@pytest.mark.long
def test_the_bench_prints_a_line_for_each_attack() -> None:
    bench = TESTS.parent / "scripts" / "bench-attack"
    told = subprocess.check_output(
        [bench, "--seconds", "2", "--rounds", "1", "--only", "echo", "feeds", "--addresses", "1"], text=True
    )
    _, _, *lines = told.splitlines()
    figures = r" +\d+(?: +\d+\.\d){6}(?: +\d+\.\d\d){2}(?: +\d+){6} +\d+/\d+(?: +\d+\.\d\d){2}(?: +\d+){3}"
    assert [re.sub(figures, "", line) for line in lines] == ["echo         1", "feeds        0"]
