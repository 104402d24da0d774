"""Switching the Pi off. The daemon has no right to do that: it writes a request file. systemd picks it up and switches
off, which also stops the daemon. The table gives nothing up before: a request that nobody picks up is withdrawn, and
the game continues. This module must not know who asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from taptable.core.part_notices import PowerHeld, PoweringOff, PowerLetGo, PowerOffFailed, PowerOffFailure
from taptable.core.settings import US_PER_S
from taptable.daemon.session_controller import SessionController
from taptable.drivers.interface import HOLD_S, Hold

REQUEST_FILE = "power-off"
"""The name of the request, an empty file."""
REQUEST_TIMEOUT_S = 10.0
"""Seconds after which a request that systemd has not picked up is withdrawn."""

SwitchOff: TypeAlias = Callable[[], PowerOffFailed | None]
"""Asks the system to switch off. Returns the failure, or None."""

_log = logging.getLogger(__name__)


class PowerSwitch:
    """Switches the Pi off by a request file in `folder`. None means that the system takes no requests."""

    def __init__(
        self,
        folder: Path | None,
        controller: SessionController,
    ) -> None:
        self._request = None if folder is None else folder / REQUEST_FILE
        self._controller = controller
        self._now_us = controller.now_us
        self._note = controller.note
        self._timeout: asyncio.TimerHandle | None = None

    @property
    def is_available(self) -> bool:
        """Whether there is a system to ask."""
        return self._request is not None

    def on_hold(self, hold: Hold) -> None:
        """Handle the power button: announce a hold, cancel it, or switch off when it is complete."""
        if self._timeout is not None:
            return
        now_us = self._now_us()
        match hold:
            case Hold.STARTED:
                self._note(PowerHeld(now_us, now_us + HOLD_S * US_PER_S, HOLD_S * US_PER_S))
            case Hold.CANCELLED:
                self._note(PowerLetGo(now_us, HOLD_S))
            case Hold.COMPLETED:
                self.request_power_off()

    def request_power_off(self) -> PowerOffFailed | None:
        """Request to be switched off. Return the failure, or None."""
        if self._timeout is not None:
            return None
        if self._request is None:
            return self._fail(PowerOffFailure.NOT_A_SERVICE)
        try:
            self._request.touch()
        except OSError as error:
            return self._fail(PowerOffFailure.NOT_WRITTEN, f"{self._request}: {error.strerror or error}")
        _log.info("Power-off requested, waiting for systemd to take the request")
        self._timeout = self._controller.loop.call_later(REQUEST_TIMEOUT_S, self._withdraw_untaken_request)
        self._controller.pause(self._now_us())
        self._note(PoweringOff(self._now_us()))
        return None

    def close(self) -> None:
        """Stop the timer because the daemon stops, which is what a request leads to."""
        if self._timeout is not None:
            self._timeout.cancel()

    def _withdraw_untaken_request(self) -> None:
        """Withdraw a request that is still there. If it was picked up, the Pi will stop, however long that takes."""
        self._timeout = None
        assert self._request is not None
        try:
            self._request.unlink()
        except FileNotFoundError:
            return
        except OSError as error:
            self._fail(PowerOffFailure.NOT_WRITTEN, f"{self._request}: {error.strerror or error}")
        else:
            self._fail(PowerOffFailure.NOT_TAKEN)

    def _fail(self, reason: PowerOffFailure, detail: str = "") -> PowerOffFailed:
        failed = PowerOffFailed(self._now_us(), reason, detail)
        _log.warning("Power-off failed, the table plays on: %s %s", reason, detail)
        self._note(failed)
        return failed
