"""What is said aloud of what happened, by a loudspeaker or by somebody's phone: sentences for ears, to whoever sits at
the table and may not see it. Pure; must not know who speaks."""

from __future__ import annotations

from taptable.core.announcements import BuzzHeard, Mood, WindowClosed
from taptable.core.notices import Notice
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused
from taptable.narration.telling import Told, capital, subject_of
from taptable.referee.lines import VERDICTS
from taptable.words import Words

SILENT = (BuzzHeard, WindowClosed)
"""What the sentences after it say too."""


def aloud(told: Told, words: Words) -> str:
    """The sentence as it is spoken; "" for what isn't worth hearing."""
    if isinstance(told.announcement, SILENT):
        return ""
    if told.announcement is not None:
        return words.announcement(told.announcement)
    if isinstance(told.happening, Notice):
        return told.text(words)
    match told.happening.verdict:
        case Refused() | Fault() as verdict:
            what = subject_of(told.happening, words)
            why = capital(words.text("verdict", verdict.code, verdict.facts))
            return capital(words.text("spoken", VERDICTS[type(verdict)], {"what": what, "why": why}))
        case Ignored():
            return ""
        case Accepted():
            return told.text(words)


def is_urgent(told: Told) -> bool:
    """Is it to be heard at once, before what was said earlier is spoken to its end? A window runs, somebody must show a
    card, or a card doesn't count."""
    if isinstance(told.happening, Notice):
        return False
    verdict = told.happening.verdict
    if isinstance(verdict, Refused | Fault):
        return told.announcement is None
    presses = any(said.pressing for said in verdict.announcements)
    return presses or (told.announcement is not None and told.announcement.mood in (Mood.CLAIM, Mood.TURNED_TABLES))
