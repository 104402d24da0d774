"""The page announces a newer version to each client that opens it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest
from taptable.memory import update_check
from taptable.memory.update_check import ReleaseAnnouncement, UpdateCheck

from page_server.rig import Table, a_client

NEWER = ReleaseAnnouncement("99.0.1", "2027-01-15", "Tables without a terminal.", "https://example.org/99")


async def test_it_is_announced_from_the_next_visit_on_while_it_is_newer(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_check, "UPDATE_FILE", tmp_path / "update.json")
    looks = [
        *(
            (None, None),
            (UpdateCheck("2027-01-16", NEWER), asdict(NEWER)),
            (UpdateCheck("2027-01-17", trouble="No JSON."), None),
        ),
        (UpdateCheck("2027-01-18", ReleaseAnnouncement("0.0.1", "2020-01-01", "x", "https://example.org")), None),
    ]
    for look, told in looks:
        update_check.save_check(look)
        async with a_client(table.port) as client:
            await client.hello()
            assert client.parts["update"] == told
