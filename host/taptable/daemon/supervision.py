"""The supervisor that keeps the daemon running, such as systemd, and what it is sent: that the table is ready, its
status, that it stops, and pets of the watchdog while the table makes progress. Each message is one datagram, outward
only (sd_notify(3)); without a supervisor nothing is sent. The watch runs on the table's loop, so a loop that hangs pets
no watchdog: in a commit to a dying disk, say, because the journal is written on the loop. This module must not know the
parts whose progress it compares."""

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
"""Seconds to try sending the messages at the start and at the end, which matter most; nobody plays then. Other messages
are tried once."""

_log = logging.getLogger(__name__)


class Supervisor:
    """The supervisor's notification socket.

    `address` is its path, with a leading ``@`` for an abstract name; None if there is no supervisor. The watchdog has
    to be petted at least every `watchdog_us`, None for never. `requests` is the folder for the daemon's requests to the
    system."""

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
        """Whether there is a supervisor."""
        return self._address is not None

    def ready(self) -> bool:
        """Notify that the table can be played at. Return whether the message was sent, as the other methods do."""
        return self._send("READY=1", NOTIFY_TIMEOUT_S)

    def extend_start_timeout(self, wait_s: float) -> bool:
        """Ask for this much more time for the start."""
        return self._send(f"EXTEND_TIMEOUT_USEC={round(wait_s * 1_000_000)}")

    def pet_watchdog(self) -> bool:
        """Pet the watchdog."""
        return self._send("WATCHDOG=1")

    def status(self, text: str) -> bool:
        """Send the table's status, in one line, if it has changed."""
        line = " ".join(text.split())
        if line == self._status:
            return True
        if was_sent := self._send(f"STATUS={line}"):
            self._status = line
        return was_sent

    def stopping(self) -> bool:
        """Notify that the table is being closed."""
        return self._send("STOPPING=1", NOTIFY_TIMEOUT_S)

    def _send(self, message: str, timeout_s: float = 0.0) -> bool:
        if self._address is None:
            return False
        # a new socket for each message: the receiver may have been restarted
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            # a receiver without room for more must not hold up the table
            sender.settimeout(timeout_s)
            try:
                sender.sendto(message.encode(), self._address)
            except OSError as error:
                if not self._send_failed:
                    _log.warning("sd_notify failed, the supervisor may restart the table: %r: %s", self._address, error)
                self._send_failed = True
                return False
        self._send_failed = False
        return True


def find_supervisor(environment: Mapping[str, str], process: int | None = None) -> Supervisor:
    """Return the supervisor that the environment of this process, or of another by its number, names. The watchdog is
    determined as by sd_watchdog_enabled(3)."""
    timeout_us = environment.get("WATCHDOG_USEC", "")
    is_for_process = environment.get("WATCHDOG_PID", "") in {"", str(os.getpid() if process is None else process)}
    folder = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Supervisor(
        environment.get("NOTIFY_SOCKET") or None,
        int(timeout_us) if is_for_process and timeout_us.isdecimal() and int(timeout_us) > 0 else None,
        Path(folder) if folder else None,
    )


ProgressCounter: TypeAlias = Callable[[], int | None]
"""Returns a number that changes whenever a part makes progress; None while the part has nothing to do."""

PETS_PER_PERIOD = 2
"""How often the watchdog is petted in its period, as sd_watchdog_enabled(3) advises."""
RETRIES_PER_PERIOD = 8
"""How often per period of the watchdog the check is repeated while a part hangs or the supervisor can't be reached."""


class Watch:
    """Pets the watchdog while all parts, by their names, make progress. Without a watchdog it does nothing."""

    def __init__(self, supervisor: Supervisor, counters: Mapping[str, ProgressCounter]) -> None:
        self._supervisor = supervisor
        self._counters = counters
        self._last_counts: Mapping[str, int | None] = {}
        self._hanging: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to pet the watchdog."""
        self._schedule(PETS_PER_PERIOD)

    def stop(self) -> None:
        """Stop petting the watchdog."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self, share: int) -> None:
        if self._supervisor.watchdog_us is not None:
            delay_s = self._supervisor.watchdog_us / share / 1_000_000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._check)

    def _check(self) -> None:
        counts = {part: counter() for part, counter in self._counters.items()}
        hanging = [
            part for part, counter in counts.items() if counter is not None and counter == self._last_counts.get(part)
        ]
        if hanging != self._hanging:
            self._hanging = hanging
            if hanging:
                _log.error("No progress, the supervisor restarts the table if it lasts: %s", " and ".join(hanging))
            else:
                _log.info("Progress resumed: all parts")
        if hanging or not self._supervisor.pet_watchdog():
            self._schedule(RETRIES_PER_PERIOD)
        else:
            self._last_counts = counts
            self._schedule(PETS_PER_PERIOD)


RETRY_S = 10.0
"""Seconds until a failed status message is sent again."""
BATCH_S = 0.2
"""Seconds in which events are combined into one status line: the receiver has little room, and at the start many parts
may be missing at once."""


class Report:
    """Reports the table's status to a supervisor. Create it on the loop that runs the table."""

    def __init__(self, supervisor: Supervisor, words: Words) -> None:
        self._supervisor = supervisor
        self._words = words
        self._loop = asyncio.get_running_loop()
        self._update: Update | None = None
        self._timer: asyncio.TimerHandle | None = None

    def on_update(self, update: Update) -> None:
        """Schedule a status message."""
        self._update = update
        if self._supervisor.is_present and self._timer is None:
            self._timer = self._loop.call_later(BATCH_S, self._send_status)

    def close(self) -> None:
        """Stop reporting."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_status(self) -> None:
        assert self._update is not None
        was_sent = self._supervisor.status(self._line(self._update))
        self._timer = None if was_sent else self._loop.call_later(RETRY_S, self._send_status)

    def _line(self, update: Update) -> str:
        session, alerts, words = update.session, update.alerts, self._words
        pieces = [now_of(session, session.table.scoreboard, alerts).title(words)]
        missing = [words.part(notice.part) for notice in alerts.values() if isinstance(notice, PartLost)]
        if missing:
            pieces.append(words.text("screen", "missing", {"parts": ", ".join(missing)}))
        pieces += [words.notice(notice) for notice in alerts.values() if not isinstance(notice, PartLost)]
        return " · ".join(pieces)
