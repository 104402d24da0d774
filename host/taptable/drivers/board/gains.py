"""Measures how often a card on a board's pad is read at each gain of its reader, for the doctor. Must not decide which
gain is best."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tapshared.rc522 import GAINS
from tapshared.version import GAIN_SINCE

from taptable.core.settings import US_PER_S
from taptable.doctor.drivers import LooksRead
from taptable.drivers.board.call import BoardCall
from taptable.drivers.board.link_events import GainReport
from taptable.drivers.board.port import OpenPort
from taptable.drivers.board.versions import is_since

MEASURE_S = 1.0
"""The time with each gain. A board looks 250 times meanwhile."""
SETTLE_S = 0.1
"""The time after another gain was set, until the board's counters are read."""
ANSWER_TIMEOUT_S = 5.0
"""How long a board may take to answer that it uses another gain."""


class Measurement(BoardCall):
    """A call in which a board uses each gain for a while, and then again `gain_db`. Its `shares` are complete if all
    went well. Events of its pad and button meanwhile mean nothing to the table: it acknowledges them."""

    def __init__(self, board: str, open_port: OpenPort, now_us: Callable[[], int], gain_db: int) -> None:
        super().__init__(board, open_port, now_us, gain_db=gain_db)
        self.shares: dict[int, LooksRead] = {}
        self._gain_db = gain_db

    async def _talk(self) -> None:
        if self.firmware is None or not is_since(GAIN_SINCE, self.firmware):
            return
        for gain_db in GAINS:
            await self._request_gain(gain_db)
            await asyncio.sleep(SETTLE_S)
            before = await self._request_gain(gain_db)
            began_us = self._now_us()
            await asyncio.sleep(MEASURE_S)
            after = await self._request_gain(gain_db)
            seconds = (self._now_us() - began_us) / US_PER_S
            if before is None or after is None or after.looks <= before.looks:
                break
            self.shares[gain_db] = LooksRead(after.looks - before.looks, after.read - before.read, seconds)
        await self._request_gain(self._gain_db)

    async def _request_gain(self, gain_db: int) -> GainReport | None:
        """Set this gain. Return the board's report of it."""
        self.link.set_gain(gain_db, self._now_us())
        self._pump()
        await self._wait_until(lambda: self.link.gain_report is not None, ANSWER_TIMEOUT_S)
        return self.link.gain_report

    def _data_received(self, data: bytes) -> None:
        super()._data_received(data)
        while (event := self.link.next_event()) is not None:
            self.link.acknowledge(event.origin)
        self._pump()
