"""The doctor's finding about a newer version, taken from the last look that somebody took."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable import __version__
from taptable.memory import update_check
from taptable.memory.update_check import ReleaseAnnouncement, UpdateCheck

from doctor.rig import findings

MINE = f"taptable {__version__}"
NEWER = ReleaseAnnouncement("99.0.1", "2027-01-15", "Good news.", "https://example.org/99")
SAME = ReleaseAnnouncement(__version__, "2027-01-15", "Good news.", "https://example.org/99")


@pytest.mark.parametrize(
    ("look", "state", "found", "todo"),
    [
        (None, "skipped", f"{MINE}; newer versions haven't been looked up yet, which happens once a day", ""),
        (UpdateCheck("2027-01-16", SAME), "ok", f"{MINE}; no newer version was out on 2027-01-16", ""),
        (
            *(UpdateCheck("2027-01-16", NEWER), "warning", f"{MINE}; 99.0.1 has been out since 2027-01-15: Good news."),
            "See https://example.org/99",
        ),
        (
            *(UpdateCheck("2027-01-16", trouble="It is no JSON."), "warning", f"{MINE}; on 2027-01-16: It is no JSON."),
            ", or remove the section.",
        ),
    ],
)
def test_it_says_what_was_found_at_the_last_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: UpdateCheck | None, state: str, found: str, todo: str
) -> None:
    monkeypatch.setattr(update_check, "UPDATE_FILE", tmp_path / "update.json")
    update_check.save_check(look)
    said = findings(tmp_path, groups=["service"], rewritten=lambda text: f'{text}\n[updates]\nfrom = "x.json"\n')
    (finding,) = (each for each in said if each.name == "update")
    assert (finding.state, finding.found) == (state, found)
    assert todo in finding.todo
