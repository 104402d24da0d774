"""Fixtures of the tests of the firmware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from table.fixtures import GIVEN_TIME

from firmware.isolated_board import Board, isolated_board
from firmware.rig import AtBoard, at_vm_board


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[AtBoard]:
    async with at_vm_board(tmp_path) as here:
        yield here


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with isolated_board(tmp_path) as board:
        yield board


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return GIVEN_TIME
