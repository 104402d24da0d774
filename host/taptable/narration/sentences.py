"""What happened at a table, told in sentences: on the scoreboard for those who play, in the account of a game for those
who read it later, and for ears, by a loudspeaker or by somebody's phone, for whoever sits there and may not see it.
Pure; must not know who shows or speaks them."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core import notices, tag_notices
from taptable.core.announcements import Announcement, BuzzHeard, Mood, WindowClosed
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused
from taptable.referee.lines import VERDICTS
from taptable.referee.session import Decision, TableEvent
from taptable.words import Words


def subject_of(event: TableEvent, words: Words) -> str:
    """What a sentence about this is about and doesn't name itself: a card and a pad, a seat; "" if nothing."""
    match event:
        case (
            Decision(CardTapped(_, card, pad))
            | Decision(CardHeld(_, card, pad))
            | notices.CardLying(_, card, pad)
            | notices.CardTwice(_, card, pad)
        ):
            return words.text("screen", "refused-card", {"card": card, "pad": pad})
        case Decision(CardsTogether(_, cards, pad)):
            return words.text("screen", "refused-cards", {"cards": cards, "pad": pad})
        case Decision(ButtonPressed(_, seat)):
            return words.text("screen", "refused-press", {"pad": seat})
        case Decision(ControlUsed(_, control)):
            return words.text("control", control)
        case Decision(TableCorrected()):
            return words.text("control", "check")
        case Decision(GameSetUp()):
            return words.text("control", "set-up")
        case (
            notices.PhoneSeen(_, pad)
            | notices.CardUnreadable(_, pad)
            | notices.PadSilent(_, pad)
            | notices.SeatUnused(_, pad)
            | notices.StopForgotten(_, pad)
            | tag_notices.DiscardPadTaken(_, pad)
        ):
            return words.pad(pad)
        case notices.ConsentAsked(_, seat) if seat:  # 0 is in the middle of the table
            return words.pad(seat)
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class Narrated:
    """One sentence about what happened: one of its announcements, or else what it came to as a whole."""

    event: TableEvent
    announcement: Announcement | None = None

    def text(self, words: Words) -> str:
        """The sentence."""
        return capitalize(self._text(words))

    def _text(self, words: Words) -> str:
        if self.announcement is not None:
            return words.announcement(self.announcement, "told")
        subject = subject_of(self.event, words)
        if isinstance(self.event, notices.Notice):
            notice = words.notice(self.event)
            return words.text("told", "notice", {"what": subject, "why": notice}) if subject else notice
        verdict = self.event.verdict
        if isinstance(verdict, Accepted):
            return subject
        why = capitalize(words.text("verdict", verdict.code, verdict.facts))
        return words.text("told", VERDICTS[type(verdict)], {"rule": verdict.rule, "what": subject, "why": why})

    def explanation(self, words: Words) -> str:
        """What the card stands for with which this happened; "" where that isn't the moment to say it, or nobody
        says it."""
        if self.announcement is None or not self.announcement.explains:
            return ""
        return words.full_explanation(getattr(self.announcement, "card", ""))


def narrate(event: TableEvent) -> list[Narrated]:
    """What is to be told of it, a sentence each, the same in every language; nothing of what nobody at the table
    noticed."""
    if isinstance(event, notices.Notice):
        return [Narrated(event)] if event.is_narrated else []
    verdict = event.verdict
    sentences = [Narrated(event, said) for said in verdict.announcements]
    if isinstance(verdict, Accepted):
        silent = bool(sentences) or isinstance(event.observation, TimePassed)
    else:
        silent = event.is_meaningless_hold
    return sentences if silent else [*sentences, Narrated(event)]


def sentences_of(event: TableEvent, words: Words) -> list[str]:
    """What happened, as sentences for those who weren't there; none for what nobody at the table noticed."""
    return [each.text(words) for each in narrate(event)]


def capitalize(sentence: str) -> str:
    """The sentence as it begins."""
    return sentence[:1].upper() + sentence[1:]


UNSPOKEN = (BuzzHeard, WindowClosed)
"""What the sentences after it say too."""


def spoken_text(sentence: Narrated, words: Words) -> str:
    """The sentence as it is spoken; "" for what isn't worth hearing."""
    if isinstance(sentence.announcement, UNSPOKEN):
        return ""
    if sentence.announcement is not None:
        return words.announcement(sentence.announcement, "spoken")
    if isinstance(sentence.event, notices.Notice):
        return sentence.text(words)
    match sentence.event.verdict:
        case Refused() | Fault() as verdict:
            what = subject_of(sentence.event, words)
            why = capitalize(words.text("verdict", verdict.code, verdict.facts))
            return capitalize(words.text("spoken", VERDICTS[type(verdict)], {"what": what, "why": why}))
        case Ignored():
            return ""
        case Accepted():
            return sentence.text(words)


def is_urgent(sentence: Narrated) -> bool:
    """Is it to be heard at once, before what was said earlier is spoken to its end? A window runs, somebody must show a
    card, or a card doesn't count."""
    if isinstance(sentence.event, notices.Notice):
        return False
    verdict = sentence.event.verdict
    if isinstance(verdict, Refused | Fault):
        return sentence.announcement is None
    presses = any(said.pressing for said in verdict.announcements)
    return presses or (
        sentence.announcement is not None and sentence.announcement.mood in (Mood.CLAIM, Mood.TURNED_TABLES)
    )
