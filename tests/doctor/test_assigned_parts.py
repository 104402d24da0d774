"""The doctor's findings about seats that were assigned by touching, and about a table that has none."""

from __future__ import annotations

from pathlib import Path

from taptable.doctor.findings import Finding
from taptable.doctor.storage import examine_configuration

HEAD = '[table]\ndeck = "family"\n'
SEATS = "".join(f'[[seats]]\npad = "board:{name}"\nbutton = "board:{name}"\n' for name in "ab")
DISCARD = '[discard]\npad = "spi:0.0"\n'


def found(folder: Path, table: str, parts: str | None = None) -> list[Finding]:
    """The findings about these two files."""
    (folder / "table.toml").write_text(table)
    if parts is not None:
        (folder / "parts.toml").write_text(parts)
    return list(examine_configuration(folder / "table.toml"))


def test_a_table_without_seats(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, HEAD)
    assert (finding.state, finding.part) == ("fault", "table.toml")
    assert finding.found.endswith("the table has no seats yet")
    assert "`taptable seats`" in finding.todo


def test_assigned_seats(tmp_path: Path) -> None:
    of_table, of_parts = found(tmp_path, HEAD, SEATS + DISCARD)
    assert of_table.found.endswith("table.toml: 2 seats, 2 seat boards")
    assert (of_parts.state, of_parts.part) == ("ok", "parts.toml")
    assert of_parts.found.endswith("parts.toml has 2 seats and the discard pad")
    _, of_parts = found(tmp_path, HEAD + DISCARD, SEATS)
    assert of_parts.found.endswith("parts.toml has 2 seats")


def test_seats_in_both_files(tmp_path: Path) -> None:
    _, finding = found(tmp_path, HEAD + SEATS + DISCARD, SEATS + DISCARD)
    assert (finding.state, finding.part) == ("warning", "parts.toml")
    assert "table.toml names the parts, and it wins" in finding.found


def test_a_damaged_file(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, HEAD, "[[seats]\n")
    assert (finding.state, finding.part) == ("fault", "parts.toml")
    assert "parts.toml:1: column" in finding.found
    assert "`taptable seats`" in finding.todo
