"""How long the way of a tap through the code is: counts, which notice a way that grows."""

from __future__ import annotations

from pathlib import Path

from bench.tap_trace import trace_tap

MODULES, CHANGES, DEPTH = 48, 280, 17
UNTIL_COMMIT = 33


def test_a_tap_goes_no_longer_way_than_it_did(tmp_path: Path) -> None:
    whole, until_commit = trace_tap(tmp_path)
    assert len(whole.modules) <= MODULES
    assert len(until_commit.modules) <= UNTIL_COMMIT
    assert whole.changes <= CHANGES
    assert whole.depth <= DEPTH
