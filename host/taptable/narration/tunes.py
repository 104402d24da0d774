"""The tunes of the sounder, as data: the notes of each sound, and which sound replaces another. `cues.cueing` chooses
the sound, and the sounder's driver plays it. The ticks of a window are an exception: `cues.cueing` only says until when
the sounder ticks, and its driver plays `Sound.TICK` faster and faster. Must not know when a sound is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from taptable.core.cues import Sound


class SoundPriority(IntEnum):
    """A sound replaces one of its own or a lower priority, and is dropped while one of a higher priority plays."""

    CLICK = 0
    VERDICT = 1
    ALARM = 2
    TURN_OF_EVENTS = 3
    END = 4


@dataclass(frozen=True, slots=True)
class Tune:
    """Notes as pairs of name, from C4 to C8, and milliseconds; the name None is a rest."""

    priority: SoundPriority
    notes: tuple[tuple[str | None, int], ...]


TUNES: Mapping[Sound, Tune] = MappingProxyType(
    {
        Sound.PULSE: Tune(SoundPriority.CLICK, (("A6", 15),)),
        Sound.TICK: Tune(SoundPriority.CLICK, (("C7", 12),)),
        Sound.IGNORED: Tune(SoundPriority.CLICK, (("C5", 12),)),
        Sound.ACCEPTED: Tune(SoundPriority.VERDICT, (("E6", 60), ("A6", 90))),
        Sound.REFUSED: Tune(SoundPriority.VERDICT, (("E5", 120), (None, 40), ("C5", 220))),
        Sound.REMINDER: Tune(SoundPriority.VERDICT, (("A5", 90), (None, 110), ("A5", 90))),
        Sound.FAULT: Tune(SoundPriority.ALARM, (("D5", 150), (None, 60), ("D5", 150), (None, 60), ("D5", 150))),
        Sound.CLAIM: Tune(SoundPriority.ALARM, (("G6", 70), ("C7", 70), ("G6", 70), ("C7", 140))),
        Sound.STOPPED: Tune(SoundPriority.TURN_OF_EVENTS, (("C7", 90), ("G6", 90), ("E6", 90), ("C6", 260))),
        Sound.GAME_OVER: Tune(
            SoundPriority.END,
            (("C6", 140), ("E6", 140), ("G6", 140), ("C7", 280), (None, 40), ("G6", 140), ("C7", 420)),
        ),
    }
)
