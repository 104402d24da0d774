"""What happened at a table, told in sentences: on the scoreboard for those who play, in the account of a game for those
who read it later. Pure."""

from __future__ import annotations

from taptable.core.notices import CardLying, ConsentAsked, Notice, PhoneSeen, SeatUnused, StopForgotten
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Accepted
from taptable.referee.lines import VERDICTS
from taptable.referee.session import Happening, Judged
from taptable.words import Words


def subject_of(happening: Happening, words: Words) -> str:
    """What a sentence about this is about and doesn't name itself: a card and a pad, a seat; "" if nothing."""
    match happening:
        case Judged(CardTapped(_, card, pad)) | Judged(CardHeld(_, card, pad)) | CardLying(_, card, pad):
            return words.text("screen", "refused-card", {"card": card, "pad": pad})
        case Judged(CardsTogether(_, cards, pad)):
            return words.text("screen", "refused-cards", {"cards": cards, "pad": pad})
        case Judged(ButtonPressed(_, seat)):
            return words.text("screen", "refused-press", {"pad": seat})
        case Judged(ControlUsed(_, control)):
            return words.text("control", control)
        case Judged(TableCorrected()):
            return words.text("control", "check")
        case PhoneSeen(_, pad) | SeatUnused(_, pad) | StopForgotten(_, pad):
            return words.pad(pad)
        case ConsentAsked(_, seat) if seat:  # 0 is in the middle of the table
            return words.pad(seat)
        case _:
            return ""


def tell(happening: Happening, words: Words) -> list[str]:
    """What happened, as sentences for those who weren't there; none for what nobody at the table noticed."""
    subject = subject_of(happening, words)
    if isinstance(happening, Notice):
        notice = words.notice(happening)
        return [_capital(words.text("told", "notice", {"what": subject, "why": notice})) if subject else notice]
    observation, verdict = happening.observation, happening.verdict
    sentences = [words.announcement(said, later=True) for said in verdict.announcements]
    if isinstance(verdict, Accepted):
        if not sentences and not isinstance(observation, TimePassed):
            sentences.append(subject)
    elif not happening.left_lying:
        why = _capital(words.text("verdict", verdict.code, verdict.facts))
        sentences.append(
            words.text("told", VERDICTS[type(verdict)], {"rule": verdict.rule, "what": subject, "why": why})
        )
    return [_capital(sentence) for sentence in sentences]


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
