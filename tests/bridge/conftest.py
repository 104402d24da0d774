"""A broker for each test that uses one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.broker import Broker


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker that runs."""
    one = Broker(tmp_path / "broker")
    one.start()
    yield one
    one.kill()
