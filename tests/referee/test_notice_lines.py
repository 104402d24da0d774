"""Notices out of the journal's lines: the words of a closed set are those that a journal has had from the beginning."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import StrEnum
from typing import Any, get_type_hints

import pytest
from taptable.core.announcements import type_name
from taptable.core.notices import InterruptedWork, Notice, PairingTry, RestartBrokeOff
from taptable.core.part_notices import PowerOffFailed, PowerOffFailure
from taptable.core.tag_notices import (
    EnrolmentBegan,
    EnrolmentEnd,
    EnrolmentEnded,
    EnrolmentMode,
    MemberSeen,
    MemberTapEffect,
    TagFeedback,
)
from taptable.referee.lines import announcement_line
from taptable.referee.notes import KINDS, parse_notice

WORDS: dict[type[StrEnum], set[str]] = {
    EnrolmentMode: {"enrol", "replace", "check"},
    EnrolmentEnd: {"stopped", "nothing-left", "silence"},
    InterruptedWork: {"check", "deck-check", "member-card"},
    MemberTapEffect: {"sits", "gets-up", "seat", "begun"},
    PairingTry: {"", "short", "other"},
    PowerOffFailure: {"not-a-service", "not-written", "not-taken"},
    TagFeedback: {"", "accepted", "refused", "fault"},
}
NOTICES: list[Notice] = [
    *(EnrolmentBegan(1_500_000, "family", how, "", ("pause",), "Anna") for how in EnrolmentMode),
    *(EnrolmentEnded(1_500_000, "family", how) for how in EnrolmentEnd),
    *(MemberSeen(1_500_000, "0f1e2d3c4b5a6978", 2, how) for how in MemberTapEffect),
    *(PowerOffFailed(1_500_000, reason, "") for reason in PowerOffFailure),
    *(RestartBrokeOff(1_500_000, what) for what in InterruptedWork),
]


def closed_fields(kind: type[Notice]) -> dict[str, type[StrEnum]]:
    """The fields of a kind whose words are a closed set."""
    types: dict[str, Any] = get_type_hints(kind)
    found = {field.name: types[field.name] for field in fields(kind)}
    return {name: of for name, of in found.items() if isinstance(of, type) and issubclass(of, StrEnum)}


def test_the_words_of_each_closed_set_stay():
    used = {of for kind in KINDS.values() for of in closed_fields(kind).values()}
    assert {of: set(of) for of in used} == WORDS


@pytest.mark.parametrize("notice", NOTICES, ids=str)
def test_a_word_is_plain_in_a_line_and_a_member_of_its_set_once_it_is_read(notice: Notice):
    line = json.loads(json.dumps(announcement_line(notice)))
    read = parse_notice(line)
    assert read == notice
    for name, of in closed_fields(type(notice)).items():
        assert type(line[name]) is str
        assert line[name] in WORDS[of]
        assert type(getattr(read, name)) is of
        for word in ("another", 3, None, ["check"]):
            assert parse_notice({**line, name: word}) is None


def test_a_kind_is_called_in_a_line_as_its_class():
    assert {type_name(kind): kind for kind in KINDS.values()} == KINDS
    assert "notice" not in KINDS
