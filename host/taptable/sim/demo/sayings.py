"""What the table says, as lines of the demo: a sentence, a sign and a style for how it is meant. Pure."""

from __future__ import annotations

from taptable.core.announcements import Announcement, Mood
from taptable.core.verdicts import Accepted, Ignored
from taptable.narration.telling import tell
from taptable.referee.session import Happening, Judged
from taptable.sim.demo.views import Said
from taptable.words import Words

GOOD, BAD, FAINT, WARNING, LOUD = "class:good", "class:bad", "class:faint", "class:warning", "class:loud"

STYLE_OF_MOOD = {Mood.CLAIM: LOUD, Mood.TURNED_TABLES: LOUD, Mood.END: GOOD}
SIGN_OF_MOOD = {Mood.CLAIM: "!", Mood.TURNED_TABLES: "!", Mood.END: "★"}


def sayings(happening: Happening, words: Words) -> list[Said]:
    """What is said of it; nothing of what nobody at the table noticed."""
    sentences = tell(happening, words)
    if not isinstance(happening, Judged):
        return [Said(sentence, WARNING, "•") for sentence in sentences]
    verdict = happening.verdict
    said = [_announced(each, text) for each, text in zip(verdict.announcements, sentences, strict=False)]
    if isinstance(verdict, Accepted):
        return said
    style, sign = (FAINT, "–") if isinstance(verdict, Ignored) else (BAD, "✗")
    return [*said, *(Said(sentence, style, sign) for sentence in sentences[len(said) :])]


def _announced(announcement: Announcement, sentence: str) -> Said:
    mood = announcement.mood
    return Said(sentence, "", "·") if mood is None else Said(sentence, STYLE_OF_MOOD[mood], SIGN_OF_MOOD[mood])
