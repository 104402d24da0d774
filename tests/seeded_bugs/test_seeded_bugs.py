"""Every seeded bug turns a test red, and without one the same tests are green."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from seeded_bugs.seeding import AREAS, ROOT, Bug, copied, load, misfit_of, run_tests, seed

BUGS = load()


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("seeded-bugs"))


FIRST = {bug.area: bug for bug in reversed(BUGS)}
"""One of each part, for a short run."""
SKIPPED = re.compile(r"^SKIPPED \[\d+\] \S+ (.*)$", re.MULTILINE)
"""How pytest says why a test wasn't run."""


@pytest.mark.parametrize(
    "bug",
    [pytest.param(bug, id=bug.name, marks=() if bug in FIRST.values() else pytest.mark.long) for bug in BUGS],
)
def test_a_seeded_bug_turns_a_test_red(bug: Bug, copy: Path):
    finding = seed(bug, copy)
    if not finding.noticed and (skipped := SKIPPED.search(finding.output)):
        pytest.skip(skipped[1])  # what would notice it couldn't run here
    assert finding.noticed, f"{bug.what}\n{finding.output}"


@pytest.mark.long
def test_without_a_bug_the_same_tests_are_green(copy: Path):
    finding = run_tests(copy, sorted({test for bug in BUGS for test in bug.tests}), longest_s=None)
    assert " passed" in finding.output, finding.output
    assert not finding.noticed, finding.output


def test_every_bug_has_its_place_in_the_source():
    assert not list(filter(None, (misfit_of(bug, (ROOT / bug.file).read_text(encoding="utf-8")) for bug in BUGS)))


def test_every_test_that_should_notice_one_is_there():
    for test in {test for bug in BUGS for test in bug.tests}:
        file, _, name = test.partition("::")
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), test


def test_there_are_bugs_in_every_part():
    areas = Counter(bug.area for bug in BUGS)
    assert set(areas) == set(AREAS)
    assert areas.total() >= 10
    assert len({bug.name for bug in BUGS}) == len(BUGS)
