from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from seats.rig import Maker


@pytest.fixture
def maker() -> Iterator[Maker]:
    """Somebody with a box of parts and an empty table, in a folder with a short path, as sockets need it."""
    with TemporaryDirectory(prefix="seats-") as folder:
        yield Maker(Path(folder))
