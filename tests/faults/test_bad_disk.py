"""A disk that fails at each write or has no inodes, and a process without descriptors: the table shows no verdict that
isn't stored, reports the fault, and continues once the fault is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults.preloaded import run

WRITTEN = ("decks", "decks_brought", "decks_renamed", "members", "presets", "pairings", "journal_begun", "journal")


@pytest.mark.parametrize("what", WRITTEN)
def test_what_cannot_be_kept_is_refused_and_goes_on_afterwards(what: str, tmp_path: Path) -> None:
    run("faults.bad_disk", what, tmp_path / what, built_in=tmp_path)
