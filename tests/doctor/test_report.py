"""How findings are said: in lines for people, and as a document for programs."""

from __future__ import annotations

import json

import pytest
from taptable import __version__
from taptable.doctor.findings import (
    Finding,
    FindingLines,
    as_json,
    fault,
    is_healthy,
    ok,
    skipped,
    summary,
    unseen,
    warning,
)

FOUND = [
    ("system", ok("model", "computer", "Raspberry Pi 5")),
    ("buses", fault("spi", "discard pad", "/dev/spidev0.0 isn't there", "Switch it on.")),
    ("buses", warning("i2c-speed", "oled", "slow")),
    ("page", skipped("page", "page", "the table has no page")),
]
BARRED = unseen("reader", "pad 1", "/dev/spidev1.0 isn't there")


def said(lines: FindingLines) -> list[str]:
    return [line for group, finding in FOUND for line in lines.render(group, finding)]


def test_a_line_has_a_sign_the_part_and_what_was_found_and_below_it_stands_what_to_do() -> None:
    assert said(FindingLines(colours=False)) == [
        "system",
        "  ✓ computer      Raspberry Pi 5",
        "buses",
        "  ✗ discard pad   /dev/spidev0.0 isn't there",
        "                  → Switch it on.",
        "  ! oled          slow",
        "page",
        "  – page          the table has no page",
    ]


def test_colours_change_nothing_but_the_colours() -> None:
    coloured = said(FindingLines(colours=True))
    assert all("\x1b[" in line for line in coloured if "→" not in line)
    for colour in ("32", "1;31", "33", "2", "1"):
        coloured = [line.replace(f"\x1b[{colour}m", "") for line in coloured]
    assert [line.replace("\x1b[0m", "") for line in coloured] == said(FindingLines(colours=False))


def test_a_terminal_without_the_signs_gets_plainer_ones() -> None:
    lines = said(FindingLines(colours=False, encoding="ascii"))
    assert "\n".join(lines).encode("ascii")
    assert [line[2] for line in lines if line.startswith("  ") and line[2] != " "] == ["+", "x", "!", "-"]


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([], "Nothing was examined: 0 couldn't be, 0 left out."),
        ([FOUND[3][1]], "Nothing was examined: 0 couldn't be, 1 left out."),
        ([BARRED], "Nothing was examined: 1 couldn't be, 0 left out."),
        ([FOUND[0][1], FOUND[3][1]], "All is well: 1 findings, 1 left out."),
        ([FOUND[0][1], FOUND[3][1], BARRED], "1 in order, but 1 couldn't be examined; 1 left out."),
        ([finding for _, finding in FOUND], "1 fault, 1 warning; 1 in order, 1 left out."),
        ([FOUND[1][1]] * 3, "3 faults, 0 warnings; 0 in order, 0 left out."),
    ],
)
def test_the_last_line_counts(found: list[Finding], says: str) -> None:
    assert summary(found) == says


def test_the_document_has_every_finding_and_whether_there_is_no_fault() -> None:
    findings = [finding for _, finding in FOUND]
    document = json.loads(as_json(findings))
    assert set(document) == {"doctor", "taptable", "ok", "findings"}
    assert (document["doctor"], document["taptable"], document["ok"]) == (1, __version__, False)
    keys = {"name", "part", "state", "found", "todo", "unseen", "measured", "stated"}
    assert [set(finding) for finding in document["findings"]] == [keys] * 4
    assert [Finding(**finding) for finding in document["findings"]] == findings


@pytest.mark.parametrize(("count", "fine"), [(1, True), (2, False)])
def test_only_a_fault_is_a_reason_not_to_be_in_order(count: int, fine: bool) -> None:
    findings = [FOUND[2][1], FOUND[1][1]]
    assert is_healthy(findings[:count]) is fine


def test_where_nothing_could_be_looked_at_nothing_is_in_order() -> None:
    assert not is_healthy([BARRED])
    assert is_healthy([BARRED, FOUND[0][1]])
    assert is_healthy([FOUND[3][1]])
