"""Requests about pairing with a page that is open to the network. The table shows a code of six digits, and a browser
that sends it gets a secret to keep; or, at a table that can't show one, somebody there allows the browser's request.
Wrong codes, and requests that nobody allows, lead to a pause for everybody. The attempts outlive the page's process and
are stored for the table's next start, so that no restart gives new tries. This module must not know on which devices
people find the code, nor how a browser sends its requests."""

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
from taptable.daemon.presence import HOLD_S, PresencePairing, PresenceRequest
from taptable.daemon.session_controller import SessionController
from taptable.memory.pairings import MAX_PAIRED, Paired, Pairings, Tried, digest_of
from taptable.memory.presets import LONGEST_PLAYER, is_printable_name

DIGITS = 6
"""Digits of a code."""
CODE_S = 300
"""Seconds for which a code for pairing is valid. `memory.members.CODE_S` is about the codes for playing at another
club."""
TRIES = 5
"""The wrong codes of all browsers together that begin a pause. `Tried.tries` counts down from here, and starts again
after a pause or when a browser is paired."""
MAX_UNUSED_CODES = 3
"""The codes that expire unused in a row and so begin a pause: else anybody in the network could keep a code on the
display all the time. `Tried.unused` counts down from here."""
MAX_UNANSWERED = 6
"""The requests that nobody at the table allows in a row and so begin a pause. They are short, and somebody who is slow
needs a second try."""
FIRST_PAUSE_S = 300
LONGEST_PAUSE_S = 2400
"""The longest pause. The first one takes `FIRST_PAUSE_S`, and each is twice as long as the one before, until a browser
is paired."""

INITIAL_TRIED = Tried(TRIES, MAX_UNUSED_CODES, FIRST_PAUSE_S)
"""The attempts before the first one, and after a browser was paired."""

_log = logging.getLogger(__name__)


class Pairing:
    """The pairing of one table. Create it on the loop that runs it. Calls `on_change` whenever a browser was paired or
    unpaired."""

    def __init__(
        self,
        pairings: Pairings,
        controller: SessionController,
        table_devices: TableDevices,
        on_change: Callable[[], None],
    ) -> None:
        self._pairings = pairings
        self._now_us = now_us = controller.now_us
        self.presence = PresencePairing(controller, self._count_unanswered)
        self._table_devices = table_devices
        self._on_change = on_change
        self._loop = asyncio.get_running_loop()
        self.code: Code | None = None
        self._expiry_timer: asyncio.TimerHandle | None = None
        attempts = pairings.attempts or INITIAL_TRIED
        # Table time continues where the journal ends, which may be long before the pause began. No pause may last
        # longer than its whole length after a start.
        latest_us = now_us() + (attempts.present_pause_s or attempts.pause_s) * US_PER_S
        self._attempts = replace(attempts, paused_until_us=min(attempts.paused_until_us, latest_us))
        self.handlers: Handlers = {
            requests.ShowCode: lambda _, __: self._show_code(),
            requests.AskPresence: self._ask_presence,
            requests.WithdrawPresence: self._withdraw_presence,
            requests.Pair: self._pair,
            requests.Who: self._who,
            requests.Devices: self._devices,
            requests.Unpair: self._unpair,
            requests.ShowAddress: self._show_address,
        }
        if pairings.fault is not None:
            _log.error("Pairings not usable: %s", pairings.fault)

    def find(self, digest: str) -> Paired | None:
        """Return the browser whose secret has this SHA-256."""
        return self._pairings.find(digest)

    def devices(self) -> tuple[str, ...]:
        """Return the ids of the paired browsers."""
        return tuple(paired.id for paired in self._pairings.all)

    def close(self) -> None:
        """Invalidate the code and drop the request because the table stops."""
        self._withdraw()
        self.presence.close()

    def allow_pairing(self) -> None:
        """End a pause, and show a code if the table can, because somebody at the table asked for it."""
        self._save_attempts(INITIAL_TRIED)
        self._show_code()

    def _show_code(self) -> Result:
        self._require_no_pause()
        place = self._table_devices.code_place
        if not place:
            return {"left_s": 0, "digits": DIGITS, "shown": "presence"}
        if self.code is None:
            # from the system's random source: nobody can predict the next one
            digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
            self.code = Code(digits, self._now_us() + CODE_S * US_PER_S, CODE_S * US_PER_S)
            self._expiry_timer = self._loop.call_later(CODE_S, self._expire_code)
            self._table_devices.show_code(self.code)
        return {"left_s": self._seconds_until(self.code.until_us), "digits": DIGITS, "shown": place}

    def _seconds_until(self, until_us: int) -> int:
        return max(0, ceil((until_us - self._now_us()) / US_PER_S))

    def _ask_presence(self, wanted: requests.AskPresence, _: str) -> Result:
        name = _checked_name(wanted.name)
        self._require_no_pause()
        if self._table_devices.code_place:
            raise RequestError("live", "presence-not-needed")
        if (asked := self.presence.request) is not None:
            raise RequestError("live", "presence-waits", seconds=self._seconds_until(asked.until_us))
        self._require_room()
        if objection := self.presence.objection():
            raise RequestError("live", objection)
        request = self.presence.begin(name)
        left_s = self._seconds_until(request.until_us)
        return {"ticket": request.ticket, "seat": request.seat, "left_s": left_s, "hold_s": HOLD_S}

    def _withdraw_presence(self, request: requests.WithdrawPresence, _: str) -> Result:
        self._require_request(request.ticket)
        self.presence.end(paired=False)
        return {}

    def _require_request(self, ticket: str) -> PresenceRequest:
        """Return the request with this ticket, or raise RequestError."""
        request = self.presence.request
        if request is None or not compare_digest(request.ticket, ticket):
            raise RequestError("live", self.presence.reason_for(ticket))
        return request

    def _require_room(self) -> None:
        if len(self._pairings.all) >= MAX_PAIRED:
            raise RequestError("live", "pair-full", most=MAX_PAIRED)

    def _pair(self, request: requests.Pair, _: str) -> Result:
        """Return a secret for the right code, or for the ticket of a request that was allowed, and a name. A wrong code
        costs a try."""
        if request.ticket:
            asked = self._require_request(request.ticket)
            return {"secret": self._pair_present(asked), "seat": asked.seat, "tried": asked.tried.value}
        name, digits = _checked_name(request.name), " ".join(request.code.split())
        if len(digits) != DIGITS or not digits.isascii() or not digits.isdecimal():
            raise RequestError("live", "pair-digits", digits=DIGITS)
        self._require_no_pause()
        if self.code is None:
            raise RequestError("live", "pair-no-code")
        self._require_room()
        if not compare_digest(self.code.digits, digits):
            raise self._count_wrong_code()
        return {"secret": self._add(name)}

    def _pair_present(self, asked: PresenceRequest) -> str:
        """Return a secret for a request that was allowed; "" if it isn't yet."""
        if not asked.allowed:
            return ""
        self._require_room()
        secret = self._add(asked.name)
        self.presence.end(paired=True)
        return secret

    def _add(self, name: str) -> str:
        """Pair a browser by this name and return its secret. Raises RequestError if that can't be stored."""
        try:
            secret = self._pairings.add(name, datetime.now(UTC).astimezone())
        except PairingsError as error:
            raise _not_saved_error(error) from error
        self._withdraw()
        self._attempts = INITIAL_TRIED  # the file has none any more: `Pairings.add` wrote it without attempts
        paired = self.find(digest_of(secret))
        _log.info("Browser paired: %s", "nobody" if paired is None else paired.id)  # the system's log has no names
        self._on_change()
        return secret

    def _who(self, request: requests.Who, _: str) -> Result:
        """Return ``id`` and ``name`` of a browser; None for one that isn't paired."""
        paired = self.find(request.device)
        return {"id": None, "name": None} if paired is None else {"id": paired.id, "name": paired.name}

    def _devices(self, _: requests.Devices, __: str) -> Result:
        return {"devices": [{"id": one.id, "name": one.name, "since": one.since} for one in self._pairings.all]}

    def _unpair(self, request: requests.Unpair, _: str) -> Result:
        known = set(self.devices())
        ids = frozenset(known if request.everybody else request.ids)
        if not ids or not ids <= known:
            raise RequestError("live", "wrong-field", field="device")
        try:
            self._pairings.remove(ids)
        except PairingsError as error:
            raise _not_saved_error(error) from error
        _log.info("Browsers unpaired: %s", ", ".join(sorted(ids)))
        self._on_change()
        return {}

    def _show_address(self, _: requests.ShowAddress, __: str) -> Result:
        if not self._table_devices.show_address():
            raise RequestError("live", "no-address")
        return {}

    def _count_wrong_code(self) -> RequestError:
        """Count a wrong code and return the error for it."""
        attempts = replace(self._attempts, tries=self._attempts.tries - 1)
        if attempts.tries:
            self._save_attempts(attempts)
            return RequestError("live", "pair-wrong", tries=attempts.tries)
        self._withdraw()
        self._pause("pair-paused", "wrong codes")
        return self._paused_error()

    def _expire_code(self) -> None:
        """Withdraw a code that has expired unused."""
        self._withdraw()
        attempts = replace(self._attempts, unused=self._attempts.unused - 1)
        if attempts.unused:
            self._save_attempts(attempts)
        else:
            self._pause("pair-unused", "codes that nobody used")

    def _count_unanswered(self) -> None:
        """Count a request that nobody at the table allowed."""
        attempts = replace(self._attempts, unanswered=self._attempts.unanswered + 1)
        if attempts.unanswered < MAX_UNANSWERED:
            self._save_attempts(attempts)
        else:
            self._pause("presence-unanswered", "requests that nobody allowed")

    def _pause(self, key: str, cause: str) -> None:
        """Refuse pairing for a while. `key` names the sentence that says so."""
        pause_s = self._attempts.pause_s
        _log.warning("Pairing refused to everybody for %d minutes: too many %s", pause_s // 60, cause)
        until_us = self._now_us() + pause_s * US_PER_S
        next_pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        self._save_attempts(Tried(TRIES, MAX_UNUSED_CODES, next_pause_s, until_us, key, pause_s))

    def _save_attempts(self, attempts: Tried) -> None:
        """Set the attempts, and save them for the next start."""
        self._attempts = attempts
        try:
            self._pairings.save_attempts(attempts)
        except PairingsError as error:
            _log.error("Pairing attempts not saved, so the next start forgets them: %s", error)

    def _require_no_pause(self) -> None:
        if self._now_us() < self._attempts.paused_until_us:
            raise self._paused_error()

    def _paused_error(self) -> RequestError:
        minutes = ceil((self._attempts.paused_until_us - self._now_us()) / US_PER_S / 60)
        return RequestError("live", self._attempts.paused_for, minutes=minutes)

    def _withdraw(self) -> None:
        """Invalidate the code."""
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        if self.code is not None:
            self.code = None
            self._table_devices.show_code(None)


def _checked_name(text: str) -> str:
    """Return a name without superfluous spaces. Raises RequestError for one that can't be used."""
    name = " ".join(filter(None, text.split(" ")))
    if not is_printable_name(name, LONGEST_PLAYER):
        raise RequestError("live", "wrong-name", most=LONGEST_PLAYER)
    return name


def _not_saved_error(error: PairingsError) -> RequestError:
    _log.error("Pairing not saved, the request was refused: %s", error)
    return RequestError("live", "pair-not-kept")
