"""Whoever keeps the daemon running, as systemd does: is told when the table is ready, how it stands and that it stops,
and is fed for as long as the table gets on. All of it is one datagram each way out (sd_notify(3)); where nobody keeps
the daemon, nothing happens. The watch runs on the loop, and so starves the watchdog by itself when that hangs: in a
commit to a dying disk, say, since the journal is written there."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from taptable.core.part_notices import PartLost
from taptable.narration.now import now_of
from taptable.narration.updates import Update
from taptable.words import Words

NOTIFY_TIMEOUT_S = 5.0
"""So long is what counts at the start and the end tried to be told; nothing is played then."""

_log = logging.getLogger(__name__)


class Supervisor:
    """To be told at `address`, the path of a socket, of which a leading ``@`` stands for an abstract name; None where
    there is nobody. Wants to be fed at least every `watchdog_us`, None for never. `requests` is the folder for what the
    daemon asks the system to do."""

    def __init__(
        self, address: str | None = None, watchdog_us: int | None = None, requests: Path | None = None
    ) -> None:
        self.watchdog_us = watchdog_us
        self.requests = requests
        self._address = None if address is None else "\0" + address[1:] if address.startswith("@") else address
        self._status = ""
        self._send_failed = False

    @property
    def is_present(self) -> bool:
        """Is there anybody to be told?"""
        return self._address is not None

    def ready(self) -> bool:
        """The table can be played at. Whether that was heard, and so for the others."""
        return self._send("READY=1", NOTIFY_TIMEOUT_S)

    def extend_start_timeout(self, wait_s: float) -> bool:
        """The table isn't ready yet, and needs this much more time for its start."""
        return self._send(f"EXTEND_TIMEOUT_USEC={round(wait_s * 1_000_000)}")

    def pet_watchdog(self) -> bool:
        """The table gets on."""
        return self._send("WATCHDOG=1")

    def status(self, text: str) -> bool:
        """How the table stands, in a line; it is told only what is new."""
        line = " ".join(text.split())
        if line == self._status:
            return True
        if heard := self._send(f"STATUS={line}"):
            self._status = line
        return heard

    def stopping(self) -> bool:
        """The table is being closed."""
        return self._send("STOPPING=1", NOTIFY_TIMEOUT_S)

    def _send(self, message: str, timeout_s: float = 0.0) -> bool:
        if self._address is None:
            return False
        # a socket for each: whoever listens may have been started anew
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            # one that has no room for more must not hold up the table
            out.settimeout(timeout_s)
            try:
                out.sendto(message.encode(), self._address)
            except OSError as error:
                if not self._send_failed:
                    _log.warning("the supervisor at %r can't be told anything: %s", self._address, error)
                self._send_failed = True
                return False
        self._send_failed = False
        return True


def find_supervisor(environment: Mapping[str, str], process: int | None = None) -> Supervisor:
    """The one that the environment of this process (or of another, by its number) names, sd_watchdog_enabled(3)
    included."""
    wanted = environment.get("WATCHDOG_USEC", "")
    meant = environment.get("WATCHDOG_PID", "") in {"", str(os.getpid() if process is None else process)}
    folder = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Supervisor(
        environment.get("NOTIFY_SOCKET") or None,
        int(wanted) if meant and wanted.isdecimal() and int(wanted) > 0 else None,
        Path(folder) if folder else None,
    )


ProgressCounter: TypeAlias = Callable[[], int | None]
"""A number that is another whenever a part has got further; None while that has nothing to do."""

PETS_PER_PERIOD = 2
"""So often in the supervisor's period is the watchdog fed, as sd_watchdog_enabled(3) advises."""
RETRIES_PER_PERIOD = 8
"""So often is looked again while a part hangs, or the supervisor couldn't be reached."""


class Watch:
    """The watch over parts by their names; does nothing where nobody wants to be fed."""

    def __init__(self, supervisor: Supervisor, signs: Mapping[str, ProgressCounter]) -> None:
        self._supervisor = supervisor
        self._counters = signs
        self._last_counts: Mapping[str, int | None] = {}
        self._hanging: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Feed from now on."""
        self._schedule(PETS_PER_PERIOD)

    def stop(self) -> None:
        """Feed no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self, share: int) -> None:
        if self._supervisor.watchdog_us is not None:
            delay_s = self._supervisor.watchdog_us / share / 1_000_000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._check)

    def _check(self) -> None:
        now = {part: sign() for part, sign in self._counters.items()}
        hanging = [part for part, sign in now.items() if sign is not None and sign == self._last_counts.get(part)]
        if hanging != self._hanging:
            self._hanging = hanging
            _log.log(logging.ERROR if hanging else logging.INFO, "%s", _progress_message(hanging))
        if hanging or not self._supervisor.pet_watchdog():
            self._schedule(RETRIES_PER_PERIOD)
        else:
            self._last_counts = now
            self._schedule(PETS_PER_PERIOD)


def _progress_message(hanging: list[str]) -> str:
    if not hanging:
        return "everything goes on"
    return f"{' and '.join(hanging)}: no progress, so the watchdog isn't fed"


RETRY_S = 10.0
"""How long one that couldn't be told is left alone."""
BATCH_S = 0.2
"""What happens within so short a time is told in one line: who listens has little room, and at the start many parts may
be missing at once."""


class Report:
    """The report to a supervisor. To be made on the loop that runs the table."""

    def __init__(self, supervisor: Supervisor, words: Words) -> None:
        self._supervisor = supervisor
        self._words = words
        self._loop = asyncio.get_running_loop()
        self._update: Update | None = None
        self._timer: asyncio.TimerHandle | None = None

    def on_update(self, update: Update) -> None:
        """Something happened."""
        self._update = update
        if self._supervisor.is_present and self._timer is None:
            self._timer = self._loop.call_later(BATCH_S, self._send_status)

    def close(self) -> None:
        """Report no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_status(self) -> None:
        assert self._update is not None
        heard = self._supervisor.status(self._line(self._update))
        self._timer = None if heard else self._loop.call_later(RETRY_S, self._send_status)

    def _line(self, update: Update) -> str:
        session, alerts, words = update.session, update.alerts, self._words
        line = [now_of(session, session.table.scoreboard, alerts).title(words)]
        missing = [words.part(notice.part) for notice in alerts.values() if isinstance(notice, PartLost)]
        if missing:
            line.append(words.text("screen", "missing", {"parts": ", ".join(missing)}))
        line += [words.notice(notice) for notice in alerts.values() if not isinstance(notice, PartLost)]
        return " · ".join(line)
