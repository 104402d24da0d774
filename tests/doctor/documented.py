"""The tables of docs/doctor.md, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from taptable.doctor.findings import Finding

TEXT = (Path(__file__).parents[2] / "docs" / "doctor.md").read_text(encoding="utf-8")
ANYTHING = "…"


@dataclass(frozen=True)
class Row:
    """One finding of a check, and what to do about it. An ellipsis stands for text that varies."""

    check: str
    state: str
    found: str
    todo: str

    def is_of(self, finding: Finding) -> bool:
        """Return whether the row describes this finding."""
        return (self.check, self.state) == (finding.name, finding.state) and all(
            re.fullmatch(_pattern(written), said, re.DOTALL)
            for written, said in ((self.found, finding.found), (self.todo, finding.todo))
        )


def _pattern(written: str) -> str:
    return ".*".join(re.escape(piece) for piece in written.split(ANYTHING))


def groups() -> dict[str, list[str]]:
    """Return the checks of each group, in the order of the page."""
    parts = re.split(r"^## `(\w+)`$", TEXT, flags=re.MULTILINE)[1:]
    return {
        name: re.findall(r"^\| `([\w-]+)` \| [^|]+ \|$", body, re.MULTILINE)
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def rows() -> list[Row]:
    """Return all rows with findings, in the order of the page."""
    cells = r"^\| `([\w-]+)` \| (fault|warning): ((?:[^|\n]|\\\|)+) \| ((?:[^|\n]|\\\|)+) \|$"
    found = re.findall(cells, TEXT, re.MULTILINE)
    return [Row(check, state, *(text.replace("\\|", "|") for text in texts)) for check, state, *texts in found]


def is_documented(finding: Finding) -> bool:
    """Return whether some row describes this finding."""
    return any(row.is_of(finding) for row in rows())
