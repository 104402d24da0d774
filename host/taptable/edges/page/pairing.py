"""Pairing with a page that is open to the network: a code of six digits is shown at the table, who types it in gets a
secret to keep, and wrong codes end in a pause, whoever tried them. Where the page is for this computer only, everybody
who reaches it counts as paired. Must not know how requests travel."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from hmac import compare_digest
from math import ceil

from taptable.core.errors import PairingsError
from taptable.core.settings import US_PER_S
from taptable.edges.cues.guests import Code, ShowCode
from taptable.edges.page.annex import Unfit
from taptable.edges.page.fields import Fields
from taptable.memory.pairings import MOST, Paired, Pairings
from taptable.memory.preset import LONGEST_PLAYER
from taptable.words import Words

DIGITS = 6
CODE_S = 300
TRIES = 5
"""Over all who try, until somebody is paired or the pause has begun."""
UNUSED = 3
"""So many codes in a row may run out: who has one shown again and again only wants it to stand there."""
FIRST_PAUSE_S = 300
LONGEST_PAUSE_S = 2400
"""Each pause is twice as long as the one before, up to this, until somebody is paired."""

_log = logging.getLogger(__name__)


class Pairing:
    """The pairing of one table. To be made on the loop that runs it; `now_us` is table time, and `changed` is called
    whenever somebody is paired or isn't any more."""

    def __init__(self, pairings: Pairings, now_us: Callable[[], int], show_code: ShowCode) -> None:
        self._pairings = pairings
        self._now_us = now_us
        self._show_code = show_code
        self.shown = ""
        self._loop = asyncio.get_running_loop()
        self._code: Code | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._tries, self._unused = TRIES, UNUSED
        self._pause_s = FIRST_PAUSE_S
        self._paused_until_us: int | None = None
        self._paused_for = "pair-paused"
        if pairings.fault is not None:
            _log.error("%s", pairings.fault)

    @property
    def all(self) -> tuple[Paired, ...]:
        """Who is paired."""
        return self._pairings.all

    def find(self, digest: str) -> Paired | None:
        """Who has the secret with this SHA-256."""
        return self._pairings.find(digest)

    def show(self, words: Words) -> Code:
        """Have a code shown; the one that is shown, as long as it holds. `Unfit` in a pause."""
        self._refuse_in_a_pause(words)
        if self._code is None:
            # by the system's own randomness: nobody can work out the next one
            digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
            self._code = Code(digits, self._now_us() + CODE_S * US_PER_S, CODE_S * US_PER_S)
            self._ending = self._loop.call_later(CODE_S, self._run_out)
            self.shown = self._show_code(self._code)
        return self._code

    def left_s(self) -> int:
        """The seconds for which the code is still good; 0 without one."""
        return 0 if self._code is None else max(0, ceil((self._code.until_us - self._now_us()) / US_PER_S))

    def pair(self, fields: Fields) -> str:
        """The secret for who gives the right code and a name; `Unfit` says why not, and a wrong code costs a try."""
        words = fields.words
        name = fields.own_name("name")
        given = fields.text("code")
        if not name:
            raise Unfit(words.text("live", "wrong-name", {"most": LONGEST_PLAYER}))
        if len(given) != DIGITS or not given.isascii() or not given.isdecimal():
            raise Unfit(words.text("live", "pair-digits", {"digits": DIGITS}))
        self._refuse_in_a_pause(words)
        if self._code is None:
            raise Unfit(words.text("live", "pair-no-code"))
        if len(self._pairings.all) >= MOST:
            raise Unfit(words.text("live", "pair-full", {"most": MOST}))
        if not compare_digest(self._code.digits, given):
            raise Unfit(self._wrong(words))
        try:
            secret = self._pairings.add(name, datetime.now(UTC).astimezone())
        except PairingsError as error:
            raise Unfit(_kept_nowhere(error, words)) from error
        self._withdraw()
        self._tries, self._unused, self._pause_s = TRIES, UNUSED, FIRST_PAUSE_S
        _log.info("paired with %s", name)
        return secret

    def unpair(self, ids: frozenset[str], words: Words) -> None:
        """Let these be paired no longer; `Unfit` says why that can't be."""
        names = [paired.name for paired in self._pairings.all if paired.id in ids]
        try:
            self._pairings.remove(ids)
        except PairingsError as error:
            raise Unfit(_kept_nowhere(error, words)) from error
        _log.info("no longer paired with %s", ", ".join(names))

    def close(self) -> None:
        """The table ends: no code holds any more."""
        self._withdraw()

    def _wrong(self, words: Words) -> str:
        """What is said of a wrong code, which is counted."""
        self._tries -= 1
        if self._tries:
            return words.text("live", "pair-wrong", {"tries": self._tries})
        self._withdraw()
        return self._paused(self._pause("pair-paused", "wrong codes"), words)

    def _run_out(self) -> None:
        """The code is too old, and nobody has used it."""
        self._withdraw()
        self._unused -= 1
        if not self._unused:
            self._pause("pair-unused", "codes that nobody used")

    def _pause(self, key: str, what: str) -> int:
        """Nobody can be paired for a while: until when. `key` is that of the sentence that says so."""
        _log.warning("too many %s: nobody can be paired for %s minutes", what, self._pause_s // 60)
        self._paused_for = key
        self._paused_until_us = until_us = self._now_us() + self._pause_s * US_PER_S
        self._tries, self._unused, self._pause_s = TRIES, UNUSED, min(2 * self._pause_s, LONGEST_PAUSE_S)
        return until_us

    def _refuse_in_a_pause(self, words: Words) -> None:
        if self._paused_until_us is not None and self._now_us() < self._paused_until_us:
            raise Unfit(self._paused(self._paused_until_us, words))

    def _paused(self, until_us: int, words: Words) -> str:
        minutes = ceil((until_us - self._now_us()) / US_PER_S / 60)
        return words.text("live", self._paused_for, {"minutes": minutes})

    def _withdraw(self) -> None:
        """The code holds no longer."""
        if self._ending is not None:
            self._ending.cancel()
        if self._code is not None:
            self._code = None
            self._show_code(None)


def _kept_nowhere(error: PairingsError, words: Words) -> str:
    _log.error("%s", error)
    return words.text("live", "pair-not-kept")
