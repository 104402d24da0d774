"""The catalogues as they stand in the sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.pofile import read_po

HOST = Path(__file__).parents[2] / "host" / "taptable"
ONLINE = HOST / "games" / "online"


def sentences(language: str) -> dict[tuple[str, str], str]:
    """Every sentence of the table and of ONLINE by context and key."""
    found: dict[tuple[str, str], str] = {}
    for folder in (HOST, ONLINE):
        with (folder / "catalogues" / f"{language}.po").open("rb") as file:
            found |= {(m.context or "", str(m.id)): str(m.string) for m in read_po(file) if m.id}
    return found


@pytest.fixture(scope="session")
def catalogue_keys() -> set[tuple[str, str]]:
    return set(sentences("en"))
