"""The stage: gives the cues of one table to its rings, lamps, sounder and scoreboard, and takes passing ones
back after a while.

It follows what is in the journal already, and decides nothing: which cue for what is in `cueing`, which screen
in `showing`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from taptable.core.notices import Notice
from taptable.core.observations import Pad
from taptable.core.scoreboard import Scoreboard
from taptable.edges.boards.boards import Boards
from taptable.edges.boards.news import Light
from taptable.edges.cues import cueing
from taptable.edges.cues.lamps import Lamps
from taptable.edges.cues.sounds import Sound, Sounder
from taptable.narration.standing import Standing, stand
from taptable.referee.session import Happening, Session

FLASH_S = 0.8
"""How long a verdict stays on a ring."""


class Teller(Protocol):
    """The scoreboard, or the table's voice."""

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened; show how things stand, or say it."""
        ...

    def mourn(self, reason: str) -> None:
        """Say that nothing can be written down."""
        ...


class Stage:
    """All cues of one table. A part that a table hasn't got is None."""

    def __init__(
        self,
        *,
        loop: asyncio.AbstractEventLoop,
        now_us: Callable[[], int],
        boards: Boards,
        lamps: Lamps,
        sounder: Sounder | None,
        scoreboard: Teller | None,
        speech: Teller | None = None,
    ) -> None:
        self._loop = loop
        self._now_us = now_us
        self._boards = boards
        self._lamps = lamps
        self._sounder = sounder
        self._tellers = [teller for teller in (scoreboard, speech) if teller is not None]
        self._session: Session | None = None
        self._board: Scoreboard | None = None
        self._flashes: dict[int, tuple[str, asyncio.TimerHandle]] = {}
        self._shown: dict[int, Light] = {}
        self._ticking_until_us: int | None = None
        self._mourning = False
        self._standing: Standing = {}

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Give the cues for what happened, and show how things stand."""
        for happening in happened:
            if isinstance(happening, Notice):
                self._standing = stand(self._standing, happening)
        self._session = session
        self._board = session.table.scoreboard
        passing = cueing.passing(happened)
        everywhere = range(1, len(session.buttons) + 1)
        flashes = [(seat, f) for f in passing.flashes for seat in (everywhere if f.seat is None else (f.seat,))]
        for seat, flash in flashes:
            if flash.ring is not None:
                self._flash(seat, flash.ring)
        self._show_lasting()
        for seat, flash in flashes:
            if flash.lamp is not None:  # over the lasting one, which shows when it is over
                self._lamps.show(seat, flash.lamp)
        if happened:
            self._mourning = False
        for sound in passing.sounds:
            self._play(sound)
        self._tick()
        for teller in self._tellers:
            teller.follow(happened, session)

    def noticed(self, pad: Pad) -> None:
        """A card was read: pulse at once; what is said of it follows when it is in the journal."""
        if isinstance(pad, int):
            self._flash(pad, "reading")
            self._show_lasting()
        self._play(Sound.PULSE)

    def mourn(self, reason: str) -> None:
        """Nothing can be written down, so nothing counts; heard once, however often it is tried again."""
        if not self._mourning:
            self._play(Sound.FAULT)
        self._mourning = True
        for teller in self._tellers:
            teller.mourn(reason)

    def close(self) -> None:
        """No passing cue is taken back any more."""
        for _, timer in self._flashes.values():
            timer.cancel()
        self._flashes.clear()

    def _flash(self, seat: int, ring: str) -> None:
        if seat in self._flashes:
            self._flashes[seat][1].cancel()
        self._flashes[seat] = (ring, self._loop.call_later(FLASH_S, self._take_back, seat))

    def _take_back(self, seat: int) -> None:
        del self._flashes[seat]
        self._show_lasting()

    def _show_lasting(self) -> None:
        """Every ring and lamp as it should be now; a seat is told only what is new."""
        if self._session is None or self._board is None:
            return
        rings = cueing.rings(self._session, self._board, self._now_us())
        lamps = cueing.lamps(self._session, self._board)
        power = self._standing.get("power")
        for seat, (ring, lamp) in enumerate(zip(rings, lamps, strict=True), 1):
            ring, lamp = cueing.powered(ring, lamp, power)
            flashed = self._flashes.get(seat) if power is None else None
            light = cueing.light(ring if flashed is None else flashed[0], lamp)
            self._lamps.show(seat, lamp)
            if self._shown.get(seat) != light:
                self._shown[seat] = light
                self._boards.show(seat, light)

    def _play(self, sound: Sound) -> None:
        if self._sounder is not None:
            self._sounder.play(sound)

    def _tick(self) -> None:
        """Tick while a window or a claim runs."""
        if self._sounder is None or self._session is None or self._board is None:
            return
        until_us = cueing.ticking_until_us(self._session, self._board)
        if until_us == self._ticking_until_us:
            return
        self._ticking_until_us = until_us
        if until_us is None:
            self._sounder.stop_ticking()
        else:
            self._sounder.tick_until(until_us)
