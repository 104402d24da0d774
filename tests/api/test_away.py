"""Members who play at tables of other clubs: what the table shows, accepts and reports to the league."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.api.requests import Request
from taptable.daemon.api.away import MAX_CODES, AwayRequests
from taptable.daemon.api.context import ApiContext
from taptable.memory.members import CODE_LENGTH, CODE_LETTERS, CODE_S, MemberStore, code_in, new_code


@dataclass
class Asked:
    """A table's part of this, at a time; `changes` are how often it had more to say."""

    folder: Path
    league: Any = True
    now_us: int = 0
    changes: int = 0

    def __post_init__(self) -> None:
        self.members = MemberStore(self.folder / "t.members.json")
        nothing: Any = Mock()
        around = {each.name: nothing for each in fields(ApiContext)}
        around |= {
            "config": SimpleNamespace(league=self.league),
            "members": self.members,
            "now_us": lambda: self.now_us,
        }
        self.api = AwayRequests(ApiContext(**around), self.changed)

    def changed(self) -> None:
        self.changes += 1

    def ask(self, request: Request) -> Any:
        return self.api.handlers[type(request)](request, "")

    def why_not(self, request: Request) -> str:
        with pytest.raises(RequestError) as refused:
            self.ask(request)
        return refused.value.key


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


def test_a_code_is_shown_once_to_people_and_as_a_digest_to_the_league_for_an_hour(asked: Asked) -> None:
    code = asked.ask(requests.ShowAwayCode())["code"]
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(CODE_LETTERS)
    assert (asked.changes, asked.api.change_count) == (1, 1)
    told = asked.ask(requests.AwayAsked())
    assert told == {"codes": [sha256(code.encode()).hexdigest()], "play": []}
    asked.now_us += CODE_S * 1_000_000
    assert asked.ask(requests.AwayAsked()) == {"codes": [], "play": []}


def test_a_member_s_secret_and_the_code_are_published_until_the_member_is_gone(asked: Asked) -> None:
    ada = asked.members.add("Ada", "#ff9d8f", "name")
    asked.ask(requests.PlayAway(member=ada.id, code="o1234-56789"))
    secret = asked.members.secrets[ada.id]
    assert asked.ask(requests.AwayAsked())["play"] == [{"secret": secret, "code": "0123456789"}]
    assert asked.why_not(requests.PlayAway(member="nobody", code="0123456789")) == "no-such-member"
    assert asked.why_not(requests.PlayAway(member=ada.id, code="012345678")) == "no-code"
    assert asked.changes == 1
    asked.members.delete(ada.id)
    assert asked.ask(requests.AwayAsked())["play"] == []


def test_the_number_at_a_time_is_limited(asked: Asked) -> None:
    for _ in range(MAX_CODES):
        asked.ask(requests.ShowAwayCode())
    assert asked.why_not(requests.ShowAwayCode()) == "too-many-codes"
    asked.now_us += CODE_S * 1_000_000
    asked.ask(requests.ShowAwayCode())


def test_who_has_no_secret_or_no_league_is_refused(asked: Asked, tmp_path: Path) -> None:
    ada = asked.members.add("Ada", "#ff9d8f", "name")
    asked.members.secrets = {}
    assert asked.why_not(requests.PlayAway(member=ada.id, code="0123456789")) == "no-secret"
    alone = Asked(tmp_path, league=None)
    assert alone.why_not(requests.ShowAwayCode()) == "no-league"
    assert alone.why_not(requests.PlayAway(member=ada.id, code="0123456789")) == "no-league"


def test_a_code_is_read_as_it_was_meant() -> None:
    code = new_code()
    assert code_in(f" {code[:5].lower()} {code[5:]}") == code
    assert code_in("OIlu-567890") == "011V567890"
    for wrong in ("", "0123", "0123456789A", "012345678!", "012345678é"):
        assert code_in(wrong) == ""
