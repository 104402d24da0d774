"""Looking at a simulated table: gathers what is to be seen at this moment, from the models below the drivers where they
show it, and from the session where only that knows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from taptable.core.scoreboard import Count
from taptable.core.settings import US_PER_S
from taptable.edges.cues import cueing
from taptable.edges.cues.outputs import Sound
from taptable.edges.cues.screens import hint_of
from taptable.narration.standing import Update
from taptable.referee import gestures
from taptable.referee.session import Session
from taptable.sim.demo.sayings import sayings
from taptable.sim.demo.views import Own, Said, SeatView, Show, TeamView, View, WindowView
from taptable.sim.hints import may_reshuffle
from taptable.sim.room import Room
from taptable.words import Words

MOST_LINES = 200
SOUND_LASTS_S = 0.7
"""Seconds outside for which a sound that is over stays to be seen."""


class Looker:
    """Keeps what has to be remembered between two looks: what was said, and the last sound."""

    def __init__(self, room: Room, show: Show, words: Words) -> None:
        self._room = room
        self._show = show
        self._words = words
        self._log: deque[Said] = deque(maxlen=MOST_LINES)
        self._sound: Sound | None = None
        self._sounded_s = 0.0
        self._loop = asyncio.get_running_loop()

    def on_update(self, update: Update) -> None:
        """Take down what the table said."""
        for happening in update.happened:
            self._log += sayings(happening, self._words)
        self._listen()

    def add(self, said: Said) -> None:
        """Take down something else."""
        self._log.append(said)

    def look(self, speed: float, own: Own | None, helping: bool) -> View:
        """Everything as it is now."""
        room = self._room
        session = room.daemon.proceedings.session
        table = session.table
        board = table.scoreboard
        lying = room.people.lying()
        self._listen()
        sounds = self._sound is not None and self._loop.time() - self._sounded_s < SOUND_LASTS_S * speed
        return View(
            show=self._show,
            speed=speed,
            glass=room.table.picture(),
            seats=self._seats(session, board.seat, board.hands),
            teams=tuple(
                TeamView(team, tuple(heap for heap in lying if heap.seats == team.seats)) for team in board.teams
            ),
            unit=board.unit,
            middle=tuple(heap for heap in lying if not heap.seats),
            stock=board.stock,
            window=self._window(session),
            pending=board.pending,
            hint=hint_of(board, self._words),
            reshuffles=may_reshuffle(table, session.at_us),
            sound=self._sound.value if self._sound is not None and sounds else None,
            paused=table.paused_at_us is not None,
            over=board.over,
            log=tuple(self._log),
            own=own,
            helping=helping,
        )

    def _listen(self) -> None:
        """What the sounder plays; its sounds are too short to be met by looking now and then."""
        sounder = self._room.daemon.devices.sounder
        if sounder is not None and sounder.playing is not None:
            self._sound, self._sounded_s = sounder.playing, self._loop.time()

    def _seats(self, session: Session, on_turn: int | None, hands: Sequence[tuple[Count, ...]]) -> tuple[SeatView, ...]:
        meanings = gestures.meanings(session.manners, session.table)
        lamps = self._room.daemon.devices.lamps
        seats: list[SeatView] = []
        for seat, (meaning, hand) in enumerate(zip(meanings, hands, strict=True), 1):
            ring, left = self._ring(seat)
            lamp, lit = lamps.shown(seat).value, self._room.table.lamp(seat)
            seats.append(SeatView(seat, seat == on_turn, ring, left, lamp, lit, meaning, hand))
        return tuple(seats)

    def _ring(self, seat: int) -> tuple[str | None, float | None]:
        """The pattern of a ring, and what is left of one that runs."""
        board = self._room.table.boards.get(seat)
        if board is None:
            return None, None
        ring = board.ring
        if not ring.whole_ms:
            return ring.pattern, None
        left_ms = ring.left_ms - (self._loop.time() - ring.since_s) * 1000
        return ring.pattern, max(0.0, left_ms / ring.whole_ms)

    def _window(self, session: Session) -> WindowView | None:
        window = cueing.running_window(session)
        if window is None:
            return None
        now_us = self._room.daemon.clock.now_us()
        if window.claim_seat is not None and window.claim_until_us is not None:
            ends_us, whole_us = window.claim_until_us, window.claim_us
        else:
            ends_us, whole_us = window.closes_at_us, window.closes_at_us - window.opened_at_us
        left_s = max(0, ends_us - now_us) / US_PER_S
        return WindowView(window.seat, window.claim_seat, left_s, whole_us / US_PER_S, window.kind)
