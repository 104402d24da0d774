"""The sounds of table events, and their tunes as data: the notes of each sound, and which sound replaces another. The
sounder's driver plays them, and so does a scoreboard page that is asked to. The ticks of a window are an exception:
`cues.cueing` only says until when the sounder ticks, and its driver plays `Sound.TICK` faster and faster. Pure. Must
not know what plays a sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from taptable.core.announcements import Mood
from taptable.core.cues import Sound
from taptable.core.observations import TimePassed
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict
from taptable.referee.session import Decision, TableEvent


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

TICK_PACES_MS: tuple[tuple[int, int], ...] = ((4000, 1000), (2000, 500), (1000, 250), (0, 125))
"""How fast a sounder ticks towards the end of a window, as pairs in ms: while more than the first is left until the
end, the second is the time from tick to tick. `cues.cueing.ticking_until_us` decides until when it ticks."""

SOUND_OF_MOOD = {Mood.CLAIM: Sound.CLAIM, Mood.TURNED_TABLES: Sound.STOPPED, Mood.END: Sound.GAME_OVER}
SOUND_OF_VERDICT: dict[type[Verdict], Sound] = {
    Accepted: Sound.ACCEPTED,
    Refused: Sound.REFUSED,
    Ignored: Sound.IGNORED,
    Fault: Sound.FAULT,
}

_SEMITONES = {"C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2}
"""Semitones from the A of the same octave, for each note that `TUNES` may have."""


def sounds_of(event: TableEvent) -> list[Sound]:
    """Return the sounds of an event, in order. A hold without a meaning and the passing of time have none of a
    verdict."""
    if not isinstance(event, Decision):
        return [] if event.cue.sound is None else [event.cue.sound]
    moods = [announcement.mood for announcement in event.verdict.announcements if announcement.mood is not None]
    sounds = [SOUND_OF_MOOD[mood] for mood in moods]
    if not isinstance(event.observation, TimePassed) and not event.is_meaningless_hold:
        sounds.append(SOUND_OF_VERDICT[type(event.verdict)])
    return sounds


def tones_of(tune: Tune) -> list[tuple[float | None, int]]:
    """Return the notes of a tune as pairs of frequency in Hz, at concert pitch, and milliseconds; None is a rest."""
    return [(None if note is None else round(_frequency_hz(note), 1), ms) for note, ms in tune.notes]


def _frequency_hz(note: str) -> float:
    return 440 * 2 ** (int(note[1:]) - 4 + _SEMITONES[note[0]] / 12)
