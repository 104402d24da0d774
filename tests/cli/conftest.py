"""A terminal in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.sim.loops import GivenTimeLoop

from cli.commands import Terminal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty, in an English environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    """Tests that are coroutines run in given time."""
    return "asyncio", {"loop_factory": GivenTimeLoop}
