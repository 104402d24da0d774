"""Requests about members who play at tables of other clubs. The table shows a code to a visitor, and takes the code
that a member of its own entered for another club's table. It keeps both for an hour; meanwhile the bridge passes them
to the league. This module must not know a league."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.memory.members import CODE_S, code_in, new_code

MAX_CODES = 10
"""The most codes that a table shows within `members.CODE_S`, an hour; and the most that it takes."""
CONTEXT = "people"
"""The catalogue context of these requests' sentences."""


@dataclass(frozen=True, slots=True)
class _AwayCode:
    """A code that is shown or was entered, the table time of its expiry, and for an entered one the `secret` of the
    member who plays away."""

    until_us: int
    code: str
    secret: str = ""


class AwayRequests:
    """Requests of one table's API. Calls `on_change` when a code was shown or entered, and counts these in
    `change_count`."""

    def __init__(self, context: ApiContext, on_change: Callable[[], None]) -> None:
        self._context = context
        self._on_change = on_change
        self._shown_codes: list[_AwayCode] = []
        self._entered_codes: list[_AwayCode] = []
        self.change_count = 0
        self.handlers: Handlers = {
            requests.AwayAsked: self._list_codes,
            requests.ShowAwayCode: self._show,
            requests.PlayAway: self._play,
        }

    def _list_codes(self, _: requests.AwayAsked, __: str) -> Result:
        self._drop_expired()
        members = self._context.members
        known = [members.secrets.get(each) for each in members.names]
        return {
            "codes": [sha256(each.code.encode()).hexdigest() for each in self._shown_codes],
            "play": [
                {"secret": each.secret, "code": each.code} for each in self._entered_codes if each.secret in known
            ],
        }

    def _show(self, _: requests.ShowAwayCode, __: str) -> Result:
        self._require_league()
        self._add(self._shown_codes, code := new_code())
        return {"code": code}

    def _play(self, request: requests.PlayAway, _: str) -> Result:
        self._require_league()
        member = self._context.members.find(request.member)
        if member is None:
            raise RequestError(CONTEXT, "no-such-member")
        secret = self._context.members.secrets.get(member.id)
        if secret is None:
            raise RequestError(CONTEXT, "no-secret", name=member.name)
        code = code_in(request.code)
        if not code:
            raise RequestError(CONTEXT, "no-code")
        self._add(self._entered_codes, code, secret)
        return {}

    def _add(self, to: list[_AwayCode], code: str, secret: str = "") -> None:
        self._drop_expired()
        if len(to) >= MAX_CODES:
            raise RequestError(CONTEXT, "too-many-codes", most=MAX_CODES)
        to.append(_AwayCode(self._context.now_us() + CODE_S * 1_000_000, code, secret))
        self.change_count += 1
        self._on_change()

    def _require_league(self) -> None:
        if self._context.config.league is None:
            raise RequestError(CONTEXT, "no-league")

    def _drop_expired(self) -> None:
        now_us = self._context.now_us()
        for several in (self._shown_codes, self._entered_codes):
            several[:] = [each for each in several if each.until_us > now_us]
