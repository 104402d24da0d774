"""Which cue for what: from what happened, and how the table stands after it, to what rings, lamps and the
sounder do. Pure.

Lasting cues say how things stand; passing ones say what has just happened. No rule of a game is known here: a
game says what a button means and what an announcement is to those who only listen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from taptable.core.announcements import Mood
from taptable.core.notices import (
    ButtonStuck,
    CardLying,
    CheckElsewhere,
    CheckExtra,
    CheckMissing,
    CheckTicked,
    ConsentGiven,
    DiscardPadTaken,
    EnrolmentEnded,
    EnrolmentSays,
    Notice,
    PartLost,
    PhoneSeen,
    PowerHeld,
    PoweringOff,
    PowerLetGo,
    PowerOffFailed,
    PressUnheard,
    SeatUnused,
    StopForgotten,
)
from taptable.core.observations import ButtonPressed, CardHeld, CardsTogether, CardTapped, TimePassed
from taptable.core.scoreboard import RunningWindow, Scoreboard
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict
from taptable.edges.boards.news import Light
from taptable.edges.cues.sounds import Sound
from taptable.narration.lamps import Lamp
from taptable.referee.checking import seats_now
from taptable.referee.session import Happening, Judged, Session
from taptable.referee.taps import CONTROL, HOLD_US

LAMP_OF_MEANING = {
    "stop": Lamp.ON_TURN,
    "youngest": Lamp.MAY_BUZZ,
    "grant": Lamp.ASKED,
    "resume": Lamp.ASKED,
}
"""A lasting lamp for what the button means. Whatever else a game may mean by it lights it steadily or, while a window
runs, makes it blink: then there is only so much time for it."""

BOARD_LAMPS = {Lamp.OFF: "off", Lamp.ON_TURN: "on", Lamp.FIRST: "on"}
"""What a lamp on a seat board is told; all others blink."""

SOUND_OF_MOOD = {Mood.CLAIM: Sound.CLAIM, Mood.TURNED_TABLES: Sound.STOPPED, Mood.END: Sound.GAME_OVER}
SOUND_OF_VERDICT: dict[type[Verdict], Sound] = {
    Accepted: Sound.ACCEPTED,
    Refused: Sound.REFUSED,
    Ignored: Sound.IGNORED,
    Fault: Sound.FAULT,
}
RING_OF_VERDICT: dict[type[Verdict], str] = {
    Accepted: "accepted",
    Refused: "refused",
    Ignored: "ignored",
    Fault: "refused",
}


Ring: TypeAlias = str | tuple[str, int, int]
"""A pattern; one that runs over a time with its end (table time) and its whole length in microseconds."""


@dataclass(frozen=True, slots=True)
class Flash:
    """A passing light at one seat, or at every one (None): a pattern of the ring, or a lamp's, or both."""

    seat: int | None
    ring: str | None = None
    lamp: Lamp | None = None


CUES_OF_MOOD = {
    "accepted": (Flash(None, "accepted", Lamp.GRANTED), Sound.ACCEPTED),
    "refused": (Flash(None, "refused", Lamp.TURNED_DOWN), Sound.REFUSED),
    "fault": (Flash(None, "refused", Lamp.TURNED_DOWN), Sound.FAULT),
}
"""What is said of a tag that is read for a deck: whoever taps it stands anywhere round the table."""


@dataclass(frozen=True, slots=True)
class Passing:
    """What has just happened, as lights and sounds."""

    flashes: tuple[Flash, ...]
    sounds: tuple[Sound, ...]


def passing(happened: Sequence[Happening]) -> Passing:
    """The passing cues for what happened."""
    flashes: list[Flash] = []
    sounds: list[Sound] = []
    for happening in happened:
        if isinstance(happening, Judged):
            flashes += _flash_of(happening)
            sounds += _sounds_of(happening)
        else:
            flash, sound = _cue_of_notice(happening)
            flashes += [] if flash is None else [flash]
            sounds += [] if sound is None else [sound]
    return Passing(tuple(flashes), tuple(sounds))


def lamps(session: Session, board: Scoreboard) -> tuple[Lamp, ...]:
    """The lasting lamp of each seat, seat 1 first, at a table that shows this scoreboard; none while the discard pad
    reads cards for a deck, when no button means anything."""
    if session.desk is not None:
        return (Lamp.OFF,) * len(session.buttons)
    meanings = [button.meaning for button in session.buttons]
    window = _window(session, board)
    others = Lamp.ON_TURN if window is None else Lamp.MAY_BUZZ
    shown = [LAMP_OF_MEANING.get(meaning, others) if meaning else Lamp.OFF for meaning in meanings]
    if _is_awaited(session, board, window) and board.seat is not None and shown[board.seat - 1] is Lamp.OFF:
        shown[board.seat - 1] = Lamp.ON_TURN  # its button means nothing, and yet it is this seat's turn
    if session.manners.reminded and "stop" in meanings:
        shown[meanings.index("stop")] = Lamp.REMINDED
    if window is not None and session.manners.consent is None:
        if window.claim_seat is not None:
            shown[window.claim_seat - 1] = Lamp.CLAIM
        elif window.pressed:
            shown[window.pressed[0] - 1] = Lamp.FIRST
    return tuple(shown)


def _is_awaited(session: Session, board: Scoreboard, window: RunningWindow | None) -> bool:
    """Is nothing waited for but the seat on turn?"""
    manners = session.manners
    asked = manners.checking is not None or manners.consent is not None
    return not (asked or board.over or window is not None or session.table.paused_at_us is not None)


def rings(session: Session, board: Scoreboard, now_us: int) -> tuple[Ring, ...]:
    """The lasting pattern of each seat's ring, seat 1 first; a seat at which nobody plays is dark. In a check those
    that are asked have their turn."""
    window = _window(session, board)
    checking = session.manners.checking
    asked = () if checking is None else seats_now(checking)
    shown: list[Ring] = []
    for seat in range(1, len(session.buttons) + 1):
        if seat > session.table.agreed.players or seat in board.vacated:
            shown.append("off")
        elif seat in asked:
            shown.append("your-turn")
        elif session.table.paused_at_us is not None or session.desk is not None:
            shown.append("paused")
        elif (held_until_us := _held_until(session, seat, now_us)) is not None:
            shown.append(("holding", held_until_us, HOLD_US))
        elif window is not None and window.claim_seat == seat and window.claim_until_us is not None:
            shown.append(("claim", window.claim_until_us, window.claim_us))
        elif window is not None and window.closes_at_us > now_us:
            shown.append(("window", window.closes_at_us, window.closes_at_us - window.opened_at_us))
        else:
            shown.append("your-turn" if board.seat == seat and not board.over else "idle")
    return tuple(shown)


def powered(ring: Ring, lamp: Lamp, power: Notice | None) -> tuple[Ring, Lamp]:
    """A seat's ring and lamp while `power`, what stands of the power button, is more than the game."""
    match power:
        case PowerHeld(_, until_us, whole_us):
            return ("holding", until_us, whole_us), lamp
        case PoweringOff():
            return "off", Lamp.OFF
        case _:
            return ring, lamp


def light(ring: Ring, lamp: Lamp) -> Light:
    """What a seat board is told."""
    word = BOARD_LAMPS.get(lamp, "blink")
    if isinstance(ring, str):
        return Light(ring, word)
    return Light(ring[0], word, ring[1], ring[2])


def running_window(session: Session) -> RunningWindow | None:
    """The window, unless the table is paused."""
    return _window(session, session.table.scoreboard)


def ticking_until_us(session: Session, board: Scoreboard) -> int | None:
    """Until when the sounder ticks; None while it doesn't."""
    window = _window(session, board)
    return None if window is None else window.claim_until_us or window.closes_at_us


def _window(session: Session, board: Scoreboard) -> RunningWindow | None:
    return None if session.table.paused_at_us is not None else board.window


def _held_until(session: Session, seat: int, now_us: int) -> int | None:
    """Until when the ring of a seat fills because a card lies on its pad."""
    for lying in session.taps.on(seat):
        until_us = lying.noticed_at_us + HOLD_US
        if lying.waits and not lying.card.startswith(CONTROL) and until_us > now_us:
            return until_us
    return None


def _flash_of(judged: Judged) -> list[Flash]:
    observation = judged.observation
    ring = RING_OF_VERDICT[type(judged.verdict)]
    if isinstance(observation, CardTapped | CardHeld | CardsTogether):
        return [Flash(observation.pad, ring)] if isinstance(observation.pad, int) and not judged.left_lying else []
    if isinstance(observation, ButtonPressed) and not isinstance(judged.verdict, Accepted):
        return [Flash(observation.seat, lamp=Lamp.NOTICED)]
    return []


def _sounds_of(judged: Judged) -> list[Sound]:
    moods = [announcement.mood for announcement in judged.verdict.announcements if announcement.mood is not None]
    sounds = [SOUND_OF_MOOD[mood] for mood in moods]
    if not isinstance(judged.observation, TimePassed) and not judged.left_lying:
        sounds.append(SOUND_OF_VERDICT[type(judged.verdict)])
    return sounds


def _cue_of_notice(notice: Notice) -> tuple[Flash | None, Sound | None]:
    match notice:
        case PressUnheard(_, seat):
            return Flash(seat, lamp=Lamp.NOTICED), Sound.IGNORED
        case ConsentGiven(_, seat):
            return Flash(seat, lamp=Lamp.GRANTED), Sound.ACCEPTED
        case StopForgotten(loudly=True):
            return None, Sound.REMINDER
        case CheckTicked():
            return None, Sound.ACCEPTED
        case CheckExtra(_, _, pad):
            return (Flash(pad, "accepted") if isinstance(pad, int) else None), Sound.ACCEPTED
        case CheckElsewhere() | CheckMissing():
            return None, Sound.REFUSED
        case EnrolmentSays(mood=mood) if mood in CUES_OF_MOOD:
            return CUES_OF_MOOD[mood]
        case EnrolmentEnded(how="silence"):
            return None, Sound.REMINDER
        case SeatUnused(_, pad) | DiscardPadTaken(_, pad):
            return (Flash(pad, "refused", Lamp.NOTICED) if isinstance(pad, int) else None), Sound.REFUSED
        case CardLying(_, _, pad) | PhoneSeen(_, pad):
            return (Flash(pad, "refused") if isinstance(pad, int) else None), Sound.FAULT
        case PowerLetGo():
            return None, Sound.IGNORED
        case PoweringOff():
            return None, Sound.ACCEPTED
        case PartLost() | ButtonStuck() | PowerOffFailed():
            return None, Sound.FAULT
        case _:
            return None, None
