"""The pictures in docs are those that the driver's bytes make now."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_pictures_in_docs_are_up_to_date():
    done = subprocess.run([ROOT / "scripts" / "pictures", "--check"], capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == ("", 0)
