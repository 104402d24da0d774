"""Fixtures of the tests of edges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpio_bench import Bench, simulated_bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    with simulated_bench() as bench:
        yield bench
