"""Requests about members who play at tables of other clubs: the table shows a code for one who comes, and takes a code
for one who goes. It keeps both for an hour, in which the bridge tells them to the league. Must not know a league."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.memory.members import CODE_S, code_in, new_code

MOST = 10
"""Codes that a table shows within an hour, and that it takes."""
CONTEXT = "people"
"""The context of these requests' sentences in the catalogues."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A code that is shown or was entered, until when it is good, and the `secret` of the member who plays away."""

    until_us: int
    code: str
    secret: str = ""


class AwayRequests:
    """Requests of one table's API. Calls `changed` when a code was shown or entered, and counts that in `asked`."""

    def __init__(self, context: ApiContext, changed: Callable[[], None]) -> None:
        self._context = context
        self._changed = changed
        self._shown: list[_Said] = []
        self._entered: list[_Said] = []
        self.asked = 0
        self.handlers: Handlers = {
            requests.AwayAsked: self._what_is_asked,
            requests.ShowAwayCode: self._show,
            requests.PlayAway: self._play,
        }

    def _what_is_asked(self, _: requests.AwayAsked, __: str) -> Result:
        self._forget()
        members = self._context.members
        known = [members.secrets.get(each) for each in members.names]
        return {
            "codes": [sha256(each.code.encode()).hexdigest() for each in self._shown],
            "play": [{"secret": each.secret, "code": each.code} for each in self._entered if each.secret in known],
        }

    def _show(self, _: requests.ShowAwayCode, __: str) -> Result:
        self._check_league()
        self._add(self._shown, code := new_code())
        return {"code": code}

    def _play(self, wanted: requests.PlayAway, _: str) -> Result:
        self._check_league()
        member = self._context.members.find(wanted.member)
        if member is None:
            raise RequestError(CONTEXT, "no-such-member")
        secret = self._context.members.secrets.get(member.id)
        if secret is None:
            raise RequestError(CONTEXT, "no-secret", name=member.name)
        code = code_in(wanted.code)
        if not code:
            raise RequestError(CONTEXT, "no-code")
        self._add(self._entered, code, secret)
        return {}

    def _add(self, to: list[_Said], code: str, secret: str = "") -> None:
        self._forget()
        if len(to) >= MOST:
            raise RequestError(CONTEXT, "too-many-codes", most=MOST)
        to.append(_Said(self._context.now_us() + CODE_S * 1_000_000, code, secret))
        self.asked += 1
        self._changed()

    def _check_league(self) -> None:
        if self._context.config.league is None:
            raise RequestError(CONTEXT, "no-league")

    def _forget(self) -> None:
        now_us = self._context.now_us()
        for several in (self._shown, self._entered):
            several[:] = [each for each in several if each.until_us > now_us]
