"""Fixtures for messages to the system, in given time."""

from __future__ import annotations

from typing import Any

import pytest
from table.fixtures import GIVEN_TIME


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return GIVEN_TIME
