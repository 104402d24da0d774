"""A real service of PC/SC for each test that asks for one. Without pcscd, vpcd or a namespace of their own the tests
are skipped, which CI counts as a failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pcsc.service import SOCKET, Room, pcsc_room

POLL_MS = 20


@pytest.fixture
def room() -> Iterator[Room]:
    """The service, which doesn't run yet. Its readers look for cards twenty times as often as real ones."""
    with pcsc_room(Path(os.environ[SOCKET]), POLL_MS) as room:
        yield room


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.long)], ids=["readers", "slots"])
def room_of_either_kind(request: pytest.FixtureRequest) -> Iterator[Room]:
    """The service, for which each interface of an ACR1252U is a reader (as with libccid 1.5.2 of bookworm), or one of
    its slots (as with 1.6.2 of trixie)."""
    with pcsc_room(Path(os.environ[SOCKET]), POLL_MS, with_slots=request.param) as room:
        yield room


@pytest.fixture
def slow_room() -> Iterator[Room]:
    """The service with readers for which it looks for cards by itself."""
    with pcsc_room(Path(os.environ[SOCKET])) as room:
        yield room
