"""The processes of the league's demo: one that fails leaves its reason where the error says."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.core.errors import TaptableError
from taptable.sim.league.demo import table_process
from taptable.sim.league.table import LeagueTableRequest


@pytest.mark.long
async def test_a_table_that_cannot_start_leaves_the_reason_in_its_folder(tmp_path: Path) -> None:
    request = LeagueTableRequest(tmp_path, tmp_path / "sockets", "chess", 2, "en", 1, 1.0, ("Ada",))
    with pytest.raises(TaptableError) as failed:
        async with table_process(request):
            pass
    log = tmp_path / "table.log"
    assert str(log) in str(failed.value)
    assert "chess" in log.read_text(encoding="utf-8")
