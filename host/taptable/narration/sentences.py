"""Chooses the sentences about events at a table: for players on the scoreboard, for later readers in the account of a
game, and for the loudspeaker or a phone that speaks to people at the table. `words` has the texts, by the keys of
verdicts, announcements and notices. Pure. Must not know who shows or speaks a sentence."""

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
    """Return the subject that a sentence about this event needs and doesn't name itself: a card and a pad, or a seat;
    "" for none."""
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
            | notices.ButtonAdvised(_, pad)
            | tag_notices.DiscardPadTaken(_, pad)
        ):
            return words.pad(pad)
        case notices.ConsentAsked(_, seat) if seat:  # 0 is the middle of the table
            return words.pad(seat)
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class Narrated:
    """One sentence about an event: about one of its announcements, or else about the result as a whole."""

    event: TableEvent
    announcement: Announcement | None = None

    def text(self, words: Words) -> str:
        """Return the sentence."""
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
        reason = capitalize(words.text("verdict", verdict.code, verdict.facts))
        return words.text("told", VERDICTS[type(verdict)], {"rule": verdict.rule, "what": subject, "why": reason})

    def explanation(self, words: Words) -> str:
        """Return the explanation of the card that caused this; "" if there is none, or this isn't the moment for it."""
        if self.announcement is None or not self.announcement.explains:
            return ""
        return words.full_explanation(getattr(self.announcement, "card", ""))


def narrate(event: TableEvent) -> list[Narrated]:
    """Return the sentences about an event, the same in every language. Leaves out events that nobody at the table
    noticed."""
    if isinstance(event, notices.Notice):
        return [Narrated(event)] if event.is_narrated else []
    verdict = event.verdict
    sentences = [Narrated(event, announcement) for announcement in verdict.announcements]
    if isinstance(verdict, Accepted):
        silent = bool(sentences) or isinstance(event.observation, TimePassed)
    else:
        silent = event.is_meaningless_hold
    return sentences if silent else [*sentences, Narrated(event)]


def sentences_of(event: TableEvent, words: Words) -> list[str]:
    """Return the sentences about an event for people who weren't there; empty for one that nobody at the table
    noticed."""
    return [each.text(words) for each in narrate(event)]


def capitalize(sentence: str) -> str:
    """Return a text with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


UNSPOKEN = (BuzzHeard, WindowClosed)
"""Announcements that the sentences after them include."""


def spoken_text(sentence: Narrated, words: Words) -> str:
    """Return the sentence as it is spoken; "" if it isn't worth hearing."""
    if isinstance(sentence.announcement, UNSPOKEN):
        return ""
    if sentence.announcement is not None:
        return words.announcement(sentence.announcement, "spoken")
    if isinstance(sentence.event, notices.Notice):
        return sentence.text(words)
    match sentence.event.verdict:
        case Refused() | Fault() as verdict:
            subject = subject_of(sentence.event, words)
            reason = capitalize(words.text("verdict", verdict.code, verdict.facts))
            return capitalize(words.text("spoken", VERDICTS[type(verdict)], {"what": subject, "why": reason}))
        case Ignored():
            return ""
        case Accepted():
            return sentence.text(words)


def is_urgent(sentence: Narrated) -> bool:
    """Return whether to speak this at once, interrupting earlier sentences: a window runs, somebody must show a card,
    or a card doesn't count."""
    if isinstance(sentence.event, notices.Notice):
        return False
    verdict = sentence.event.verdict
    if isinstance(verdict, Refused | Fault):
        return sentence.announcement is None
    presses = any(announcement.pressing for announcement in verdict.announcements)
    return presses or (
        sentence.announcement is not None and sentence.announcement.mood in (Mood.CLAIM, Mood.TURNED_TABLES)
    )
