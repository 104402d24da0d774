"""The sounder, a passive piezo: plays a tune by name. Tunes, and the pace of the ticking in a window, are data. Must
not know what has happened at the table. (On lgpio the tone is pulsed by software: the pitch wavers a little on a busy
Pi.)"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType

from gpiozero import Factory, TonalBuzzer

from taptable.edges.cues.steps import StepPlayer
from taptable.edges.gpio import Header, HeaderPart


class Sound(StrEnum):
    """What the sounder can say."""

    PULSE = "pulse"  # a card was read
    TICK = "tick"  # a window is running
    IGNORED = "ignored"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    REMINDER = "reminder"  # Stop seems to have been forgotten
    FAULT = "fault"
    CLAIM = "claim"  # a seat was first and must show its card
    STOPPED = "stopped"  # the hacker was stopped
    GAME_OVER = "game-over"


class Weight(IntEnum):
    """A sound replaces one of its own weight or lighter, and is dropped under a heavier one."""

    CLICK = 0
    VERDICT = 1
    ALARM = 2
    TURN_OF_EVENTS = 3
    END = 4


@dataclass(frozen=True, slots=True)
class Tune:
    """Notes of (name, milliseconds), C4 to C8; None is a rest."""

    weight: Weight
    notes: tuple[tuple[str | None, int], ...]


TUNES: Mapping[Sound, Tune] = MappingProxyType(
    {
        Sound.PULSE: Tune(Weight.CLICK, (("A6", 15),)),
        Sound.TICK: Tune(Weight.CLICK, (("C7", 12),)),
        Sound.IGNORED: Tune(Weight.CLICK, (("C5", 12),)),
        Sound.ACCEPTED: Tune(Weight.VERDICT, (("E6", 60), ("A6", 90))),
        Sound.REFUSED: Tune(Weight.VERDICT, (("E5", 120), (None, 40), ("C5", 220))),
        Sound.REMINDER: Tune(Weight.VERDICT, (("A5", 90), (None, 110), ("A5", 90))),
        Sound.FAULT: Tune(Weight.ALARM, (("D5", 150), (None, 60), ("D5", 150), (None, 60), ("D5", 150))),
        Sound.CLAIM: Tune(Weight.ALARM, (("G6", 70), ("C7", 70), ("G6", 70), ("C7", 140))),
        Sound.STOPPED: Tune(Weight.TURN_OF_EVENTS, (("C7", 90), ("G6", 90), ("E6", 90), ("C6", 260))),
        Sound.GAME_OVER: Tune(
            Weight.END, (("C6", 140), ("E6", 140), ("G6", 140), ("C7", 280), (None, 40), ("G6", 140), ("C7", 420))
        ),
    }
)

TICKS_MS: tuple[tuple[int, int], ...] = ((4000, 1000), (2000, 500), (1000, 250), (0, 125))
"""The pace of the ticking: (while more than this is left, a tick every so often)."""

MID_TONE = "C6"
OCTAVES = 2


class Sounder:
    """Plays one sound at a time; `muted` it plays none."""

    def __init__(self, header: Header, pin: int, *, muted: bool = False) -> None:
        def build(factory: Factory) -> TonalBuzzer:
            return TonalBuzzer(pin, mid_tone=MID_TONE, octaves=OCTAVES, pin_factory=factory)

        self._header = header
        self._part = HeaderPart("sounder", header, build)
        self._player = StepPlayer[str | None](header.loop, self._tone)
        self._muted = muted
        self._sound: Sound | None = None
        self._ticking: asyncio.TimerHandle | None = None

    @property
    def muted(self) -> bool:
        """Whether it keeps silent."""
        return self._muted

    @muted.setter
    def muted(self, muted: bool) -> None:
        self._muted = muted
        if muted:
            self._end()

    @property
    def playing(self) -> Sound | None:
        """The sound under way."""
        return self._sound

    def open(self) -> None:
        """Take the pin. If it can't be had that is reported as *sounder*, and it is tried again."""
        self._part.open()

    def play(self, sound: Sound) -> None:
        """Play a sound, in place of one that doesn't weigh more."""
        if self._muted or (self._sound is not None and TUNES[self._sound].weight > TUNES[sound].weight):
            return
        self._sound = sound
        self._player.play(TUNES[sound].notes, done=self._end)

    def tick_until(self, closes_at_us: int) -> None:
        """Tick until a table time, faster towards it; in place of a ticking under way."""
        self.stop_ticking()
        left_ms = round((closes_at_us - self._header.now_us()) / 1000)
        if left_ms <= 0:
            return
        self.play(Sound.TICK)
        pace_ms = next(pace_ms for more_than_ms, pace_ms in TICKS_MS if left_ms > more_than_ms)
        self._ticking = self._header.loop.call_later(pace_ms / 1000, self.tick_until, closes_at_us)

    def stop_ticking(self) -> None:
        """The window is over, or the table waits."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def close(self) -> None:
        """Silence, and the pin let go."""
        self.stop_ticking()
        self._end()
        self._part.close()

    def _end(self) -> None:
        self._sound = None
        self._player.stop()
        self._tone(None)

    def _tone(self, note: str | None) -> None:
        self._part.use(lambda buzzer: buzzer.stop() if note is None else buzzer.play(note))
