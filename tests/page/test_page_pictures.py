"""scripts/page-pictures still takes the pictures that docs/ shows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from page.browser import browser_file

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.skipif(browser_file() is None, reason="there is no Chromium: scripts/setup-browser finds or installs one")
def test_every_picture_of_the_page_is_taken_and_no_other_lies_there(tmp_path: Path) -> None:
    subprocess.run([ROOT / "scripts" / "page-pictures", "--folder", tmp_path], check=True)
    shown = (ROOT / "docs" / "pictures").glob("page-*.png")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in shown)
