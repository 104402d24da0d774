"""A loop on which time is given, and a board on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from boards_bench import Bench
from taptable.sim.loops import GivenTimeLoop


@pytest.fixture
def loop() -> Iterator[GivenTimeLoop]:
    loop = GivenTimeLoop()
    yield loop
    loop.close()


@pytest.fixture
def bench(loop: GivenTimeLoop) -> Iterator[Bench]:
    bench = Bench(loop)
    loop.run_until_complete(bench.start())
    loop.pass_time(1.0)
    yield bench
    bench.close()
