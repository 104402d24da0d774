"""Requests about who is paired with a page that is open to the network: a code of six digits is shown at the table, who
types it in gets a secret to keep, and wrong codes end in a pause, whoever tried them. What was tried outlives the
page's process, and what is begun outlives the table's, so that a restart gives nobody new tries. Must not know how a
code travels."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hmac import compare_digest
from math import ceil

from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.core.errors import PairingsError
from taptable.core.settings import US_PER_S
from taptable.cues.prompts import Code
from taptable.daemon.api.context import Handlers, Result
from taptable.daemon.devices import TableDevices
from taptable.memory.pairings import MOST, Paired, Pairings, Tried, digest_of
from taptable.memory.presets import LONGEST_PLAYER, is_name

DIGITS = 6
CODE_S = 300
TRIES = 5
"""Over all who try, until somebody is paired or the pause has begun."""
UNUSED = 3
"""So many codes in a row may run out: who has one shown again and again only wants it to stand there."""
FIRST_PAUSE_S = 300
LONGEST_PAUSE_S = 2400
"""Each pause is twice as long as the one before, up to this, until somebody is paired."""

ANEW = Tried(TRIES, UNUSED, FIRST_PAUSE_S)

_log = logging.getLogger(__name__)


class Pairing:
    """The pairing of one table. To be made on the loop that runs it; `now_us` is table time, and `changed` is called
    whenever somebody is paired or isn't any more."""

    def __init__(
        self, pairings: Pairings, now_us: Callable[[], int], display: TableDevices, changed: Callable[[], None]
    ) -> None:
        self._pairings = pairings
        self._now_us = now_us
        self._display = display
        self._changed = changed
        self._shown = ""
        self._loop = asyncio.get_running_loop()
        self.code: Code | None = None
        self._ending: asyncio.TimerHandle | None = None
        tried = pairings.tried or ANEW
        # table time goes on where the journal ends: a pause is no longer for what has passed since
        latest_us = now_us() + tried.pause_s * US_PER_S
        self._tried = replace(tried, paused_until_us=min(tried.paused_until_us, latest_us))
        self.handlers: Handlers = {
            requests.ShowCode: lambda _, __: self._show(),
            requests.Pair: self._pair,
            requests.Who: self._who,
            requests.Devices: self._devices,
            requests.Unpair: self._unpair,
            requests.ShowAddress: self._show_address,
        }
        if pairings.fault is not None:
            _log.error("%s", pairings.fault)

    def find(self, digest: str) -> Paired | None:
        """Who has the secret with this SHA-256."""
        return self._pairings.find(digest)

    def devices(self) -> tuple[str, ...]:
        """The ids of those who are paired."""
        return tuple(paired.id for paired in self._pairings.all)

    def close(self) -> None:
        """The table ends: no code holds any more."""
        self._withdraw()

    def open_up(self) -> None:
        """Somebody at the table wants somebody to be paired: that ends a pause, and shows a code."""
        self._keep(ANEW)
        self._show()

    def _show(self) -> Result:
        self._refuse_in_a_pause()
        if self.code is None:
            # by the system's own randomness: nobody can work out the next one
            digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
            self.code = Code(digits, self._now_us() + CODE_S * US_PER_S, CODE_S * US_PER_S)
            self._ending = self._loop.call_later(CODE_S, self._run_out)
            self._shown = self._display.show_code(self.code)
        left_s = max(0, ceil((self.code.until_us - self._now_us()) / US_PER_S))
        return {"left_s": left_s, "digits": DIGITS, "shown": self._shown}

    def _pair(self, wanted: requests.Pair, _: str) -> Result:
        """The secret for who gives the right code and a name; a wrong code costs a try."""
        name = " ".join(filter(None, wanted.name.split(" ")))
        given = " ".join(wanted.code.split())
        if not is_name(name, LONGEST_PLAYER):
            raise RequestError("live", "wrong-name", most=LONGEST_PLAYER)
        if len(given) != DIGITS or not given.isascii() or not given.isdecimal():
            raise RequestError("live", "pair-digits", digits=DIGITS)
        self._refuse_in_a_pause()
        if self.code is None:
            raise RequestError("live", "pair-no-code")
        if len(self._pairings.all) >= MOST:
            raise RequestError("live", "pair-full", most=MOST)
        if not compare_digest(self.code.digits, given):
            raise self._wrong()
        try:
            secret = self._pairings.add(name, datetime.now(UTC).astimezone())
        except PairingsError as error:
            raise _kept_nowhere(error) from error
        self._withdraw()
        self._tried = ANEW
        paired = self.find(digest_of(secret))
        _log.info("paired with %s", "nobody" if paired is None else paired.id)  # no name is in the system's log
        self._changed()
        return {"secret": secret}

    def _who(self, wanted: requests.Who, _: str) -> Result:
        """``id`` and ``name``, None for somebody who isn't paired."""
        paired = self.find(wanted.device)
        return {"id": None, "name": None} if paired is None else {"id": paired.id, "name": paired.name}

    def _devices(self, _: requests.Devices, __: str) -> Result:
        return {"devices": [{"id": one.id, "name": one.name, "since": one.since} for one in self._pairings.all]}

    def _unpair(self, wanted: requests.Unpair, _: str) -> Result:
        there = set(self.devices())
        ids = frozenset(there if wanted.everybody else wanted.ids)
        if not ids or not ids <= there:
            raise RequestError("live", "wrong-field", field="device")
        try:
            self._pairings.remove(ids)
        except PairingsError as error:
            raise _kept_nowhere(error) from error
        _log.info("no longer paired with %s", ", ".join(sorted(ids)))
        self._changed()
        return {}

    def _show_address(self, _: requests.ShowAddress, __: str) -> Result:
        if not self._display.invite():
            raise RequestError("live", "no-address")
        return {}

    def _wrong(self) -> RequestError:
        """What is said of a wrong code, which is counted."""
        tried = replace(self._tried, tries=self._tried.tries - 1)
        if tried.tries:
            self._keep(tried)
            return RequestError("live", "pair-wrong", tries=tried.tries)
        self._withdraw()
        self._pause("pair-paused", "wrong codes")
        return self._paused()

    def _run_out(self) -> None:
        """The code is too old, and nobody has used it."""
        self._withdraw()
        tried = replace(self._tried, unused=self._tried.unused - 1)
        if tried.unused:
            self._keep(tried)
        else:
            self._pause("pair-unused", "codes that nobody used")

    def _pause(self, key: str, what: str) -> None:
        """Nobody can be paired for a while. `key` is that of the sentence that says so."""
        pause_s = self._tried.pause_s
        _log.warning("too many %s: nobody can be paired for %s minutes", what, pause_s // 60)
        until_us = self._now_us() + pause_s * US_PER_S
        self._keep(Tried(TRIES, UNUSED, min(2 * pause_s, LONGEST_PAUSE_S), until_us, key))

    def _keep(self, tried: Tried) -> None:
        """That is so at once, and after the next start too."""
        self._tried = tried
        try:
            self._pairings.keep(tried)
        except PairingsError as error:
            _log.error("%s", error)

    def _refuse_in_a_pause(self) -> None:
        if self._now_us() < self._tried.paused_until_us:
            raise self._paused()

    def _paused(self) -> RequestError:
        minutes = ceil((self._tried.paused_until_us - self._now_us()) / US_PER_S / 60)
        return RequestError("live", self._tried.paused_for, minutes=minutes)

    def _withdraw(self) -> None:
        """The code holds no longer."""
        if self._ending is not None:
            self._ending.cancel()
        if self.code is not None:
            self.code = None
            self._display.show_code(None)


def _kept_nowhere(error: PairingsError) -> RequestError:
    _log.error("%s", error)
    return RequestError("live", "pair-not-kept")
