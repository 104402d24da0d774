"""The watch over the table's progress: feeds the supervisor's watchdog for as long as each part that can hang has got
further since the last time. Runs on the loop, and so starves the watchdog by itself when the loop hangs: in a commit to
a dying disk, say, since the journal is written there. Must not know what the parts do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TypeAlias

from taptable.edges.supervisor import Supervisor

Sign: TypeAlias = Callable[[], int | None]
"""A number that is another whenever a part has got further; None while that has nothing to do."""

FED_A_PERIOD = 2
"""So often in the supervisor's period is the watchdog fed, as sd_watchdog_enabled(3) advises."""
LOOKS_A_PERIOD = 8
"""So often is looked again while a part hangs, or the supervisor couldn't be reached."""

_log = logging.getLogger(__name__)


class Watch:
    """The watch over parts by their names; does nothing where nobody wants to be fed."""

    def __init__(self, supervisor: Supervisor, signs: Mapping[str, Sign]) -> None:
        self._supervisor = supervisor
        self._signs = signs
        self._seen: Mapping[str, int | None] = {}
        self._hanging: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Feed from now on."""
        self._look_in(FED_A_PERIOD)

    def stop(self) -> None:
        """Feed no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_in(self, share: int) -> None:
        if self._supervisor.watchdog_us is not None:
            delay_s = self._supervisor.watchdog_us / share / 1_000_000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._look)

    def _look(self) -> None:
        now = {part: sign() for part, sign in self._signs.items()}
        hanging = [part for part, sign in now.items() if sign is not None and sign == self._seen.get(part)]
        if hanging != self._hanging:
            self._hanging = hanging
            _log.log(logging.ERROR if hanging else logging.INFO, "%s", _told(hanging))
        if hanging or not self._supervisor.feed():
            self._look_in(LOOKS_A_PERIOD)
        else:
            self._seen = now
            self._look_in(FED_A_PERIOD)


def _told(hanging: list[str]) -> str:
    if not hanging:
        return "everything goes on"
    return f"{' and '.join(hanging)}: no progress, so the watchdog isn't fed"
