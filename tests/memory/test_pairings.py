"""The file of pairings: it is written whole, and never believed where it is damaged."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from taptable.core.errors import PairingsError
from taptable.memory.pairings import Pairings, Tried, digest_of

SINCE = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


def test_who_is_paired_is_found_by_the_secret_after_a_restart_too(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    first = Pairings(path)
    secrets = [first.add(name, SINCE) for name in ("Ana", "Ben")]
    again = Pairings(path)
    assert again.fault is None
    assert [paired.name for paired in again.all] == ["Ana", "Ben"]
    for pairings in (first, again):
        found = [pairings.find(digest_of(secret)) for secret in secrets]
        assert [paired and (paired.name, paired.since) for paired in found] == [
            ("Ana", "2026-11-20T19:30:00+00:00"),
            ("Ben", "2026-11-20T19:30:00+00:00"),
        ]
        assert pairings.find(digest_of(secrets[0] + "x")) is None
        assert pairings.find("") is None


def test_who_is_removed_is_found_no_more(tmp_path: Path) -> None:
    pairings = Pairings(tmp_path / "p.json")
    secrets = [pairings.add(name, SINCE) for name in ("Ana", "Ben")]
    pairings.remove(frozenset({pairings.all[0].id, "nobody"}))
    for each in (pairings, Pairings(tmp_path / "p.json")):
        assert each.find(digest_of(secrets[0])) is None
        assert [paired.name for paired in each.all] == ["Ben"]


def test_what_was_tried_is_there_after_a_restart_until_somebody_is_paired(tmp_path: Path) -> None:
    path, tried = tmp_path / "p.json", Tried(3, 1, 600, 7_000_000, "pair-tried")
    pairings = Pairings(path)
    assert pairings.attempts is None
    pairings.add("Ana", SINCE)
    pairings.save_attempts(tried)
    assert Pairings(path).attempts == tried
    pairings.remove(frozenset({pairings.all[0].id}))
    assert (Pairings(path).all, Pairings(path).attempts) == ((), tried)
    pairings.add("Ben", SINCE)
    assert Pairings(path).attempts is None


def test_without_a_file_nobody_is_paired_and_nothing_is_wrong(tmp_path: Path) -> None:
    pairings = Pairings(tmp_path / "p.json")
    assert (pairings.all, pairings.attempts, pairings.fault) == ((), None, None)
    assert list(tmp_path.iterdir()) == []


DIGEST = "0" * 64
DAMAGED = [
    b"",
    b"\x00" * 100,
    b"\xff\xfe",
    b"[]",
    b"null",
    b"[" * 5000,
    b'{"pairings": 7}',
    b'{"pairings": [7]}',
    b'{"pairings": [{}]}',
    b'{"pairings": [{"id": "x", "name": "Ana", "since": "y", "digest": "short"}]}',
    b'{"pairings": [{"id": 1, "name": "Ana", "since": "y", "digest": "%s"}]}' % DIGEST.encode(),
    b'{"pairings": [{"id": "1", "name": "Ana", "since": "y", "digest": null}]}',
    b'{"pairings": [], "tried": 7}',
    b'{"pairings": [], "tried": {"tries": 1}}',
    b'{"pairings": [], "tried": {"tries": -1, "unused": 0, "pause_s": 0}}',
    b'{"pairings": [], "tried": {"tries": 1, "unused": 0, "pause_s": true}}',
    b'{"pairings": [], "tried": {"tries": 1, "unused": 0, "pause_s": 0, "paused_for": 7}}',
]


@pytest.mark.parametrize("content", DAMAGED, ids=[str(content)[:40] for content in DAMAGED])
def test_a_damaged_file_is_named_and_kept_aside_and_nobody_is_paired(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(content)
    pairings = Pairings(path)
    assert (pairings.all, pairings.attempts) == ((), None)
    assert str(path) in str(pairings.fault)
    assert (tmp_path / "p.json.damaged-1").read_bytes() == content
    secret = pairings.add("Ana", SINCE)
    assert Pairings(path).find(digest_of(secret)) is not None


def test_any_byte_cut_off_pairs_nobody_by_mistake(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    Pairings(path).add("Ana", SINCE)
    whole = path.read_bytes()
    for length in range(len(whole) - 2):
        path.write_bytes(whole[:length])
        assert Pairings(path).all == ()


def test_a_file_that_can_t_be_read_is_named_and_left(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.mkdir()
    pairings = Pairings(path)
    assert pairings.all == ()
    assert "can't be read" in str(pairings.fault)
    with pytest.raises(PairingsError, match="can't be written"):
        pairings.add("Ana", SINCE)
    assert pairings.all == ()
    assert path.is_dir()


def test_what_was_left_half_written_by_others_opens_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    left = tmp_path / ".p.json.new"
    left.write_text("x")
    left.chmod(0o666)
    Pairings(path).add("Ana", SINCE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_text())["pairings"][0]["name"] == "Ana"
