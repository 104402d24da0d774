"""A terminal in a folder of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from taptable.sim.loops import GivenTimeLoop

from cli.commands import Terminal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty, in an English environment; the user's own table would be below ``data``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Iterator[Terminal]:
    """Runs commands in this process, which has its umask back afterwards: `taptable run` sets one."""
    mask = os.umask(0o077)
    os.umask(mask)
    yield Terminal(capsys)
    os.umask(mask)


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    """Tests that are coroutines run in given time."""
    return "asyncio", {"loop_factory": GivenTimeLoop}
