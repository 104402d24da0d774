"""The knowledge of a newer version: the announcement, and the file of the last look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from taptable.memory import update_check
from taptable.memory.update_check import (
    ReleaseAnnouncement,
    UpdateCheck,
    announcement_in,
    last_check,
    newer_version,
    save_check,
)

ANNOUNCED = {
    "version": "99.0.1",
    "date": "2027-01-15",
    "sentence": "Tables without a terminal.",
    "address": "https://example.org/99",
}


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(update_check, "UPDATE_FILE", tmp_path / "update.json")
    return tmp_path / "update.json"


def spelled(**changes: Any) -> bytes:
    return json.dumps({**ANNOUNCED, **changes}).encode()


def test_an_announcement_is_read_whatever_else_is_in_it() -> None:
    assert announcement_in(spelled(more=[1])) == ReleaseAnnouncement(**ANNOUNCED)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"x" * 16_385, "it has more than 16384 bytes"),
        (b"<html>", "it is no JSON"),
        (b"[" * 10_000, "it is no JSON"),
        (b"\xff\xfe", "it is no JSON"),
        (b"[]", "it is no object of JSON"),
        (b"{}", '"version" is missing, or no text'),
        (spelled(version=3), '"version" is missing, or no text'),
        (spelled(version="3"), "\"version\" is '3', not three numbers"),
        (spelled(version="1.0.99999999"), "not three numbers"),
        (spelled(date="tomorrow"), "\"date\" is 'tomorrow', not a day"),
        (spelled(sentence="x" * 301), '"sentence" is no line of at most 300 characters'),
        (spelled(sentence="a\nb"), '"sentence" is no line'),
        (spelled(address="http://example.org"), "not one that begins with https://"),
        (spelled(address="javascript:alert(1)"), "not one that begins with https://"),
        (spelled(address="https://example.org/\x1b]8;;x"), "not one that begins with https://"),
        (spelled(address="https://example.org/\u202e"), "not one that begins with https://"),
        (spelled(sentence="a\x1b[2J"), '"sentence" is no line'),
        (spelled(address="https://example.org/ x"), "not one that begins with https://"),
    ],
)
def test_a_text_that_is_no_announcement_is_rejected(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        announcement_in(data)


@pytest.mark.parametrize(("version", "newer"), [("99.0.0", True), ("0.0.1", False), (update_check.__version__, False)])
def test_only_a_newer_version_is_one(version: str, newer: bool) -> None:
    save_check(UpdateCheck("2027-01-16", ReleaseAnnouncement(version, "2027-01-15", "x", "https://example.org")))
    assert (newer_version() is not None) == newer


def test_what_was_kept_is_there_again_until_nobody_looks_any_more(kept: Path) -> None:
    looks = [
        UpdateCheck("2027-01-16", ReleaseAnnouncement(**ANNOUNCED)),
        UpdateCheck("2027-01-17", trouble="It is no JSON."),
    ]
    for look in looks:
        save_check(look)
        assert last_check() == look
    save_check(None)
    save_check(None)
    assert (last_check(), newer_version(), kept.exists()) == (None, None, False)


@pytest.mark.parametrize("content", ["", "[]", '{"day": 7}', '{"day": "x", "announced": {"a": 1}, "trouble": ""}'])
def test_a_damaged_file_is_as_if_nobody_had_looked(kept: Path, content: str) -> None:
    kept.write_text(content)
    assert last_check() is None
