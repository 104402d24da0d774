"""Each part missing or broken by itself is named, with what to do about it, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from doctor.cases import CASES, Case
from doctor.rig import findings


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.says[0].name}: {case.says[0].found}")
def test_what_is_broken_is_said_with_what_to_do_and_nothing_else_is(tmp_path: Path, case: Case) -> None:
    found = findings(tmp_path, case.spoil, **case.look)
    wrong = [finding for finding in found if finding.state in ("fault", "warning")]
    assert [(f.name, f.part, f.state) for f in wrong] == [(said.name, said.part, said.state) for said in case.says]
    for finding, said in zip(wrong, case.says, strict=True):
        assert re.search(said.found, finding.found), finding.found
        assert re.search(said.todo, finding.todo), finding.todo
