"""A table on which all is in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from doctor.rig import findings


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_nothing_is_wrong_with_a_table_in_order(tmp_path: Path, compact: bool) -> None:
    found = findings(tmp_path, compact=compact)
    assert [finding for finding in found if finding.state in ("fault", "warning")] == []
