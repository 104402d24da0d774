"""What people at a simulated table listen for: whether something the table said is of their own tap, hold, press or
control card."""

from __future__ import annotations

from taptable.core.notices import (
    CheckBrokenOff,
    CheckElsewhere,
    CheckExtra,
    CheckTeam,
    CheckTicked,
    ConsentAsked,
    Notice,
    PressUnheard,
    StopForgotten,
)
from taptable.core.observations import ButtonPressed, CardHeld, CardsTogether, CardTapped, ControlUsed, Pad
from taptable.core.verdicts import Accepted
from taptable.referee.session import Happening, Judged


def is_of_tap(happening: Happening, card: str, pad: Pad) -> bool:
    """Is it of this card's tap on this pad, perhaps together with another card, or in a check of the table?"""
    match happening:
        case CheckTicked(_, told) | CheckExtra(_, told):
            return told == card
        case CheckElsewhere():
            return True
        case Judged(CardsTogether(_, cards, where)):
            return where == pad and card in cards
        case Judged(CardTapped(_, tapped, where)):
            return (tapped, where) == (card, pad)
        case _:
            return False


def is_of_hold(happening: Happening, card: str, pad: Pad) -> bool:
    """Is it of this card's hold on this pad?"""
    match happening:
        case Judged(CardHeld(_, held, where)):
            return (held, where) == (card, pad)
        case _:
            return False


def is_of_button(happening: Happening, seat: int) -> bool:
    """Is it anything that a press of this seat's button can lead to?"""
    match happening:
        case StopForgotten():
            return False
        case Notice():
            return getattr(happening, "seat", None) == seat
        case Judged(ButtonPressed(_, pressed)):
            return pressed == seat
        case Judged(ControlUsed(_, control)):
            return control in ("resume", "take-back")
        case _:
            return False


def is_of_control(happening: Happening, control: str) -> bool:
    """Is it of this control card?"""
    match happening:
        case ConsentAsked():
            return control == "take-back"
        case CheckTeam():
            return control == "check"
        case CheckBrokenOff():
            return True
        case Judged(ControlUsed(_, used)):
            return used == control or (control == "pause" and used == "resume")
        case _:
            return False


def is_accepted(heard: Happening | None) -> bool:
    """Was it an observation that counted?"""
    return isinstance(heard, Judged) and isinstance(heard.verdict, Accepted)


def is_unheard(heard: Happening | None) -> bool:
    """Was it a press that wasn't heard?"""
    return isinstance(heard, PressUnheard)
