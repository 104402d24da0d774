"""Whoever keeps the daemon running, as systemd does: is told when the table is ready, how it stands and that it stops,
and is fed for as long as the table gets on. All of it is one datagram each way out (sd_notify(3)); where nobody keeps
the daemon, nothing happens. Must not know what getting on means."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from pathlib import Path

PATIENCE_S = 5.0
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
        self._deaf = False

    @property
    def listens(self) -> bool:
        """Is there anybody to be told?"""
        return self._address is not None

    def ready(self) -> bool:
        """The table can be played at. Whether that was heard, and so for the others."""
        return self._tell("READY=1", PATIENCE_S)

    def feed(self) -> bool:
        """The table gets on."""
        return self._tell("WATCHDOG=1")

    def status(self, text: str) -> bool:
        """How the table stands, in a line; it is told only what is new."""
        line = " ".join(text.split())
        if line == self._status:
            return True
        if heard := self._tell(f"STATUS={line}"):
            self._status = line
        return heard

    def stopping(self) -> bool:
        """The table is being closed."""
        return self._tell("STOPPING=1", PATIENCE_S)

    def _tell(self, news: str, patience_s: float = 0.0) -> bool:
        if self._address is None:
            return False
        # a socket for each: whoever listens may have been started anew
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            # one that has no room for more must not hold up the table
            out.settimeout(patience_s)
            try:
                out.sendto(news.encode(), self._address)
            except OSError as error:
                if not self._deaf:
                    _log.warning("the supervisor at %r can't be told anything: %s", self._address, error)
                self._deaf = True
                return False
        self._deaf = False
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
