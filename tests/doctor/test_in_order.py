"""A table on which all is in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from table.rig import in_given_time
from taptable.doctor.examination import examine
from taptable.doctor.findings import Finding

from doctor.rig import Bench, findings, laid_out


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_nothing_is_wrong_with_a_table_in_order(tmp_path: Path, compact: bool) -> None:
    found = findings(tmp_path, compact=compact)
    assert [finding for finding in found if finding.state in ("fault", "warning")] == []


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_every_device_is_let_go_of(tmp_path: Path, compact: bool) -> None:
    benches: list[Bench] = []
    findings(tmp_path, benches.append, compact=compact)
    (bench,) = benches
    assert not any(field.on for field in bench.table.fields.values())
    assert bench.table.wiring.pins == {}
    assert all(pin.function == "input" for pin in bench.table.pins.factory.pins.values())


def test_it_can_be_asked_again_at_once(tmp_path: Path) -> None:
    async def visits() -> list[list[Finding]]:
        with laid_out(tmp_path) as bench:
            return [[finding async for _, finding in examine(bench.patient)] for _ in range(2)]

    first, second = in_given_time(visits)
    assert [(f.name, f.part, f.state) for f in first] == [(f.name, f.part, f.state) for f in second]
