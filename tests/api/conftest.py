"""Both ends of a `visit`, which each module makes of its own."""

from __future__ import annotations

import pytest

from api.rig import Client, Table


@pytest.fixture
def table(visit: tuple[Table, Client]) -> Table:
    return visit[0]


@pytest.fixture
def client(visit: tuple[Table, Client]) -> Client:
    return visit[1]
