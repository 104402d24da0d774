"""Registers the tiny game for the tests of this folder. Where failures are only counted, as with seeded bugs,
hypothesis doesn't simplify them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings
from tiny.registered import registered

settings.register_profile("found-is-enough", phases=(Phase.explicit, Phase.generate), database=None)
if os.environ.get("TAPTABLE_FOUND_IS_ENOUGH"):
    settings.load_profile("found-is-enough")


@pytest.fixture(autouse=True)
def _tiny_is_registered() -> Iterator[None]:
    with registered():
        yield
