"""Snapshot of a simulated table's hardware: what rings, lamps, pads and the glass show at this moment, and streams of
the sounder's tones and the lines on cables, ready for JSON. Must not know who watches, nor what a card means."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Mapping
from typing import Any

from tapshared.lights import FILLING, ONCE, RING_PATTERNS, STILL, Pattern
from tapshared.ring_frames import RingFrames
from tapshared.sentences import Message, decode
from tapshared.ticks import PERIOD

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.settings import US_PER_S
from taptable.drivers.interface import PartRole
from taptable.sim.harness import SimulationHarness

Json = dict[str, Any]


class HardwareSnapshot:
    """Snapshots of one harness. `stuck` returns the seats whose buttons stick, `is_disk_full` whether the disk is
    full."""

    def __init__(
        self, harness: SimulationHarness, stuck: Callable[[], frozenset[int]], is_disk_full: Callable[[], bool]
    ) -> None:
        self._harness = harness
        self._stuck = stuck
        self._is_disk_full = is_disk_full
        self._loop = asyncio.get_running_loop()
        self._card_by_uid: Mapping[str, str] = harness.people.card_by_uid
        self._glass: tuple[object, Json] | None = None

    def hardware(self) -> Json:
        """Return every seat's ring, lamp, board and pad; discard pad, a game's own pads, switches, controllers,
        display, daemon and disk."""
        table = self._harness.table
        return {
            "seats": [self._seat(seat) for seat in range(1, len(self._harness.config.seats) + 1)],
            "discard": self._pad(DISCARD_PAD),
            "pads": [
                {"pad": pad, **self._pad(pad)}
                for pad in self._harness.config.all_pads
                if isinstance(pad, str) and pad != DISCARD_PAD
            ],
            "switches": self._switches(),
            "controllers": self._controllers(),
            "sounder": self._harness.config.sounder is not None,
            "display": "in" if table.display.plugged else "out",
            "daemon": "up" if self._harness.is_running else "down",
            "disk": "full" if self._is_disk_full() else "free",
        }

    def glass(self) -> Json:
        """Return the picture on the display: one bit a pixel, row after row, the leftmost the most significant."""
        display = self._harness.table.display
        key = (display.bytes_sent, display.plugged)
        if self._glass is None or self._glass[0] != key:
            width, height = display.size
            picture = display.image() if display.plugged else None
            bits = bytes(width * height // 8) if picture is None else picture.tobytes()
            bitmap = {"width": width, "height": height, "bits": base64.b64encode(bits).decode("ascii")}
            self._glass = key, {**bitmap, "contrast": display.contrast}
        return self._glass[1]

    def listen(self, tell: Callable[[str, Json], None]) -> Callable[[], None]:
        """Call `tell` with each tone (``tones``) and each line on a cable (``wire``), until the function returned is
        called."""
        table = self._harness.table
        table.listen(lambda hz: tell("tones", {"at_us": self._now_us(), "hz": hz}))
        table.overhear(
            lambda pad, line, to_pi: tell("wire", {"at_us": self._now_us(), "seat": pad, **_line(line, to_pi)})
        )

        def stop_listening() -> None:
            table.listen(None)
            table.overhear(None)

        return stop_listening

    def _seat(self, seat: int) -> Json:
        table = self._harness.table
        plugged = table.pad_stand_in(seat).is_plugged(seat)
        return {
            "seat": seat,
            "ring": self._ring(seat),
            "lamp": self._lamp(seat),
            "board": None if plugged is None else "in" if plugged else "out",
            "bus": self._bus(seat),
            "deaf": table.is_deaf(seat),
            "noisy": table.pad_stand_in(seat).is_noisy(seat),
            "stuck": seat in self._stuck(),
            "cards": self._cards(seat),
        }

    def _switches(self) -> list[Json]:
        """Return each switch with the pads whose readers are behind it."""
        switches: dict[Pad, Json] = {}
        for pad in self._harness.config.all_pads:
            stand_in = self._harness.table.pad_stand_in(pad)
            hung = stand_in.hangs(pad)
            if hung is not None:
                pads = list(stand_in.behind_switch(pad))
                switches.setdefault(pads[0], {"pads": pads, "hung": hung})
        return list(switches.values())

    def _controllers(self) -> list[Json]:
        """Return each controller with the seats whose buttons are on it."""
        table, controllers = self._harness.table, dict[Pad, Json]()
        for seat in range(1, len(self._harness.config.seats) + 1):
            plugged = table.is_controller_plugged(seat)
            if plugged is not None:
                seats = list(table.button_stand_in(seat).on_one_plug(seat))
                controllers.setdefault(seats[0], {"seats": seats, "plugged": plugged})
        return list(controllers.values())

    def _pad(self, pad: Pad) -> Json:
        return {"bus": self._bus(pad), "deaf": self._harness.table.is_deaf(pad), "cards": self._cards(pad)}

    def _bus(self, pad: Pad) -> str:
        """Return the kind of the driver of a pad's reader."""
        return next(
            part.address.kind for part in self._harness.config.parts if (part.role, part.pad) == (PartRole.PAD, pad)
        )

    def _ring(self, seat: int) -> Json | None:
        ring = self._harness.table.pad_stand_in(seat).ring(seat)
        if ring is None:
            return None
        pattern, ends_s, whole_ms = ring
        if not whole_ms:
            return {"pattern": pattern, "ends_us": None, "whole_us": None}
        # independent of the time of the snapshot, so that a ring that runs is published once
        behind_us = self._now_us() - round(self._loop.time() * US_PER_S)
        return {"pattern": pattern, "ends_us": round(ends_s * US_PER_S) + behind_us, "whole_us": whole_ms * 1000}

    def _lamp(self, seat: int) -> Json:
        table = self._harness.table
        pattern = table.lamp_pattern(seat) or self._harness.daemon.cues.lamp(seat).value
        return {"pattern": pattern, "lit": table.is_lamp_lit(seat)}

    def _cards(self, pad: Pad) -> list[str]:
        return sorted(self._card_by_uid[uid] for uid in self._harness.table.tags_on(pad) if uid in self._card_by_uid)

    def _now_us(self) -> int:
        return self._harness.daemon.clock.now_us()


def _line(line: bytes, to_pi: bool) -> Json:
    """Return one line as it came out of the cable."""
    text = line.decode("ascii", "backslashreplace")
    damaged = not isinstance(decode(line), Message)
    return {"way": "to-pi" if to_pi else "to-board", "text": text, "damaged": damaged}


PIXELS = 12
"""The pixels of a ring as the page draws it."""
FRAME_MS = 40
"""Time from one frame to the next; the page interpolates between them."""
PARTS = 96
"""Number of parts into which the time span of a timed pattern is divided."""


def ring_patterns() -> Mapping[str, Any]:
    """Return all patterns, ready for JSON. A frame is two hex digits a pixel, perceived brightness from 00 to ff.
    `frames` is one round of `period_ms`, which is shown `once` or repeated; `left` goes from no time left to the
    whole."""
    return {"pixels": PIXELS, "patterns": {name: _shown(name, pattern) for name, pattern in RING_PATTERNS.items()}}


def _shown(name: str, pattern: Pattern) -> Mapping[str, Any]:
    red, green, blue = pattern.colour
    return {
        "colour": f"#{red:02x}{green:02x}{blue:02x}" if pattern.level else None,
        "period_ms": pattern.period_ms,
        "once": pattern.movement in ONCE,
        "frames": _round(name, pattern),
        "left": [_frame(name, left_parts, PARTS) for left_parts in range(PARTS + 1)] if pattern.is_timed else None,
    }


def _round(name: str, pattern: Pattern) -> list[str]:
    """Return the frames of one round, from its first frame to the first again, or to the last where it is shown
    once."""
    if pattern.movement == STILL:
        return [_frame(name, *_all_lit(pattern))]
    count = max(2, pattern.period_ms // FRAME_MS)
    return [
        _frame(name, *_all_lit(pattern), now_us=pattern.period_ms * 1000 * number // count)
        for number in range(count + 1)
    ]


def _all_lit(pattern: Pattern) -> tuple[int, int]:
    """Return time left and whole time at which all pixels of the pattern are lit, for the length of a round."""
    return (0, 1) if pattern.pixels == FILLING else (PERIOD - 1, PERIOD - 1)


def _frame(name: str, left_ms: int, whole_ms: int, now_us: int = 0) -> str:
    ring = RingFrames(PIXELS)
    ring.show(name, left_ms, whole_ms, 0)
    ring.advance(now_us)
    return bytes(ring.level(pixel) for pixel in range(PIXELS)).hex()
