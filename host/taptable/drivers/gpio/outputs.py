"""The lamps in the seat buttons, which show a pattern by name until the next one, and the sounder, a passive piezo,
which plays tunes by name; both by the loop's timers, so that nothing wakes up while there is nothing to change. Must
not know what has happened at the table. (On lgpio the tone is pulsed by software: the pitch wavers a little on a busy
Pi.)"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from gpiozero import LED, TonalBuzzer

from taptable.core.cues import Lamp, Sound
from taptable.drivers.gpio.header import Header, HeaderPart
from taptable.drivers.patterns import LampPlayer, StepPlayer
from taptable.narration.tunes import TICK_PACES_MS, TUNES


class Lamps:
    """The lamps of all seats that have one; `pins` has the BCM number of each. Ignores patterns for seats without a
    lamp."""

    def __init__(self, header: Header, pins: Mapping[int, int]) -> None:
        self._lamps = {seat: _SeatLamp(header, seat, pin) for seat, pin in pins.items()}

    def open(self) -> None:
        """Open the pins. A lamp that can't be opened is reported as *lamp N* and retried; it then shows its pattern."""
        for lamp in self._lamps.values():
            lamp.part.open()

    def show(self, seat: int, name: Lamp) -> None:
        """Show a pattern at a seat. The same lasting pattern is not restarted."""
        if seat in self._lamps:
            self._lamps[seat].player.show(name)

    def lasting_pattern(self, seat: int) -> Lamp:
        """Return the lasting pattern of a seat."""
        return self._lamps[seat].player.lasting if seat in self._lamps else Lamp.OFF

    def close(self) -> None:
        """Switch all lamps off, and release the pins."""
        for lamp in self._lamps.values():
            lamp.close()


class _SeatLamp:
    """One lamp, and its pattern, whether the device is open or not."""

    def __init__(self, header: Header, seat: int, pin: int) -> None:
        self.part = HeaderPart[LED](
            f"lamp {seat}",
            header,
            lambda factory: LED(pin, pin_factory=factory),
            lambda _: self._light(self.player.is_lit),
        )
        self.player = LampPlayer(header.loop, self._light)

    def close(self) -> None:
        self.player.stop()
        self.part.close()

    def _light(self, lit: bool) -> None:
        def write(led: LED) -> None:
            led.value = lit

        self.part.use(write)


MID_TONE = "C6"
OCTAVES = 2


class PiezoSounder:
    """Plays one sound at a time. Plays none while `muted`."""

    def __init__(self, header: Header, pin: int, *, muted: bool = False) -> None:
        self._header = header
        self._part = HeaderPart[TonalBuzzer](
            "sounder", header, lambda factory: TonalBuzzer(pin, mid_tone=MID_TONE, octaves=OCTAVES, pin_factory=factory)
        )
        self._player = StepPlayer[str | None](header.loop, self._set_tone)
        self.muted = muted
        self._sound: Sound | None = None
        self._tick_timer: asyncio.TimerHandle | None = None

    @property
    def current_sound(self) -> Sound | None:
        """The sound that is playing."""
        return self._sound

    def open(self) -> None:
        """Open the pin. If that fails, it is reported as *sounder* and retried."""
        self._part.open()

    def play(self, sound: Sound) -> None:
        """Play a sound, unless the one that is playing has a higher priority."""
        if self.muted or (self._sound is not None and TUNES[self._sound].priority > TUNES[sound].priority):
            return
        self._sound = sound
        self._player.play(TUNES[sound].notes, on_done=self._end)

    def tick_until(self, closes_at_us: int) -> None:
        """Tick until a table time, faster towards the end, in place of the current ticking."""
        self.stop_ticking()
        left_ms = round((closes_at_us - self._header.now_us()) / 1000)
        if left_ms <= 0:
            return
        self.play(Sound.TICK)
        pace_ms = next(pace_ms for more_than_ms, pace_ms in TICK_PACES_MS if left_ms > more_than_ms)
        self._tick_timer = self._header.loop.call_later(pace_ms / 1000, self.tick_until, closes_at_us)

    def stop_ticking(self) -> None:
        """Stop ticking, because the window is over or the table waits."""
        if self._tick_timer is not None:
            self._tick_timer.cancel()
            self._tick_timer = None

    def close(self) -> None:
        """Silence the sounder, and release the pin."""
        self.stop_ticking()
        self._end()
        self._part.close()

    def _end(self) -> None:
        self._sound = None
        self._player.stop()
        self._set_tone(None)

    def _set_tone(self, note: str | None) -> None:
        self._part.use(lambda buzzer: _silence(buzzer) if note is None else buzzer.play(note))


def _silence(buzzer: TonalBuzzer) -> None:
    """Stop the tone and set the pin low: lgpio leaves it at the level of the last pulse."""
    buzzer.stop()
    buzzer.pwm_device.off()
