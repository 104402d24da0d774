"""The table's own voice, for people who can't see the scoreboard. The program espeak-ng speaks the sentences of updates
over the Pi's loudspeaker, one after the other. If several wait, `SpeechPriority` decides which are dropped. A missing
program or loudspeaker is reported and retried. Must not choose a sentence's words: `narration.sentences` does, and
decides what is worth hearing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from taptable.config import SpeechParts
from taptable.core import notices, part_notices
from taptable.core.announcements import Mood
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned
from taptable.core.errors import DeviceError
from taptable.cues.prompts import Code
from taptable.narration.sentences import Narrated, is_urgent, narrate, spoken_text
from taptable.narration.updates import Update
from taptable.referee.session import TableEvent
from taptable.words import Words

PART = "speech"
PROGRAM = "espeak-ng"
VOICES = {"de": "de", "en": "en-gb", "fr": "fr", "nl": "nl"}
"""The program's voices by the languages of the table."""
RETRY_S = 10.0
"""Seconds until a program or a loudspeaker that failed is tried again."""
SENTENCE_TIMEOUT_S = 30.0
"""Seconds after which an unfinished sentence is given up."""


def command(language: str, parts: SpeechParts) -> tuple[str, ...]:
    """Return the program with its options. It reads the sentence from standard input."""
    output = () if parts.device is None else ("-d", parts.device)
    return (PROGRAM, "-v", VOICES[language], "-s", str(parts.words_per_minute), *output, "-b", "1", "--stdin")


def error_in_output(status: int, stderr: str) -> str | None:
    """Return why nothing was heard, by the program's output; None if it was. Its exit status reports success even if it
    couldn't open the loudspeaker."""
    lines = stderr.strip().splitlines()
    if status == 0 and not any(line.startswith("error:") for line in lines):
        return None
    by_alsa = [match[1] for line in lines if (match := re.match(r"ALSA lib .*?:\(\w+\) (.+)", line))]
    return (by_alsa or lines or [f"status {status}"])[-1].removeprefix("error: ")


def with_spoken_units(sentence: str, words: Words) -> str:
    """Return a sentence with its signs as words, because the program spells most of them out."""
    signs = {"ms": "ms", "±": "±"} | {words.text("unit", key): key for key in words.all_messages("unit")}
    after_a_number = re.compile(rf"(?<=\d)\s*({'|'.join(map(re.escape, signs))})(?!\w)")
    return after_a_number.sub(lambda found: f" {words.text('spoken', signs[found[1]])}", sentence)


class SpeechPriority(Enum):
    """Determines what happens to a sentence when there are newer ones."""

    PASSING = auto()  # an event: may be dropped
    LASTING = auto()  # a request, or something that people have to know
    URGENT = auto()  # can't wait: comes before all others


_MAX_WAITING = {SpeechPriority.PASSING: 2, SpeechPriority.LASTING: 6, SpeechPriority.URGENT: 2}
"""How many sentences of each priority may wait. One more drops the oldest."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence."""

    text: str
    priority: SpeechPriority = SpeechPriority.LASTING
    narrated: Narrated | None = None
    """The source of a sentence with players' names, so that it can be made again when a name changes."""


@dataclass(slots=True)
class Utterances:
    """The sentences that wait, in the order in which they will be spoken."""

    _queue: list[Utterance] = field(default_factory=list[Utterance])

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, new: Utterance) -> None:
        """Add a sentence, and drop the oldest of its priority if there are too many."""
        if new.priority is SpeechPriority.URGENT:
            # regardless of earlier events, this is what counts now
            self._queue = [one for one in self._queue if one.priority is not SpeechPriority.PASSING]
            self._queue.insert(len(self._same_priority(new)), new)
        else:
            self._queue.append(new)
        same = self._same_priority(new)
        if len(same) > _MAX_WAITING[new.priority]:
            self._queue.remove(same[0])

    def pop(self) -> Utterance:
        """Remove and return the next sentence. There must be one."""
        return self._queue.pop(0)

    def keep_latest(self) -> None:
        """Drop all waiting sentences but the last."""
        del self._queue[:-1]

    def reword(self, text_of: Callable[[Narrated], str]) -> None:
        """Make the sentences about players again, and drop those that come out empty."""
        reworded = [one if one.narrated is None else replace(one, text=text_of(one.narrated)) for one in self._queue]
        self._queue = [one for one in reworded if one.text or one.narrated is None]

    def _same_priority(self, new: Utterance) -> list[Utterance]:
        return [one for one in self._queue if one.priority is new.priority]


class Speech:
    """The voice of one table. Create and open it on the loop that runs it."""

    def __init__(
        self, parts: SpeechParts, words: Words, report: Callable[[DeviceEvent], object], now_us: Callable[[], int]
    ) -> None:
        self._command = command(words.language, parts)
        self._explains = parts.explain
        self._words = words
        self._report = report
        self._now_us = now_us
        self._loop = asyncio.get_running_loop()
        self._queue = Utterances()
        self._speaking: Utterance | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._was_interrupted = False
        self._failed = False
        self._stuck = False

    @property
    def is_working(self) -> bool:
        """Whether the last sentence was heard, as far as is known."""
        return not self._failed

    def open(self) -> None:
        """Check that the voice works, by speaking an empty sentence."""
        self._say(Utterance(""))

    def on_update(self, update: Update) -> None:
        """Speak an update's events, and once that the journal can't be written."""
        if update.journal_error is not None and not self._stuck:
            self._say(Utterance(f"{self._words.text('notice', 'journal-stuck')} {update.journal_error}"))
        self._stuck = not update.writable
        words = self._words.with_names(update.session.names, update.session.members)
        if update.names_changed:
            self._queue.reword(
                # a sentence about earlier names is dropped
                lambda narrated: (
                    "" if isinstance(narrated.event, notices.PlayersNamed) else spoken_text(narrated, words)
                )
            )
        for event in update.events:
            sentences = [] if _is_about_itself(event) else narrate(event)
            for sentence in sentences:
                if text := spoken_text(sentence, words):
                    self._say(Utterance(text, priority_of(sentence), sentence))
            for sentence in sentences if self._explains else ():
                if text := sentence.explanation(self._words):
                    self._say(Utterance(text, SpeechPriority.PASSING))

    def show_code(self, code: Code | None) -> None:
        """Say a code's digits, one by one."""
        if code is not None:
            heading = self._words.text("screen", "code")
            self._say(Utterance(f"{heading}: {', '.join(code.digits)}."))

    async def close(self) -> None:
        """Stop speaking at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _say(self, utterance: Utterance) -> None:
        self._queue.add(utterance)
        if utterance.priority is SpeechPriority.URGENT and self._speaking is not None:
            self._interrupt(self._speaking)
        if self._task is None:
            self._task = self._loop.create_task(self._speak_all(), name="speech")

    async def _speak_all(self) -> None:
        while len(self._queue):
            self._speaking = self._queue.pop()
            try:
                await self._speak(with_spoken_units(self._speaking.text, self._words))
            except (OSError, DeviceError) as error:
                self._report_failed(error)
                await asyncio.sleep(RETRY_S)
                self._queue.keep_latest()
                if not len(self._queue):
                    self._queue.add(Utterance(""))
            else:
                self._report_returned()
            finally:
                self._speaking = None
        self._task = None

    async def _speak(self, text: str) -> None:
        """Speak a sentence until it is finished or interrupted. Raises DeviceError or OSError if nobody heard it."""
        pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=nowhere, stderr=pipe)
        self._process, self._was_interrupted = process, False
        try:
            async with asyncio.timeout(SENTENCE_TIMEOUT_S):
                _, stderr = await process.communicate(text.encode())
        except TimeoutError:
            raise DeviceError(f"{PROGRAM} doesn't come to an end") from None
        finally:
            self._process = None
            if process.returncode is None:
                process.kill()
                await process.wait()
        reason = error_in_output(process.returncode or 0, stderr.decode(errors="replace"))
        if reason is not None and not self._was_interrupted:
            raise DeviceError(reason)

    def _interrupt(self, speaking: Utterance) -> None:
        """Interrupt the present sentence, unless people have to hear it."""
        if (
            speaking.priority is SpeechPriority.PASSING
            and self._process is not None
            and self._process.returncode is None
        ):
            self._was_interrupted = True
            self._process.kill()

    def _report_failed(self, error: Exception) -> None:
        if not self._failed:
            self._failed = True
            missing = isinstance(error, FileNotFoundError)
            self._report(PartFailed(self._now_us(), PART, f"there is no {PROGRAM}" if missing else str(error)))

    def _report_returned(self) -> None:
        if self._failed:
            self._failed = False
            self._report(PartReturned(self._now_us(), PART))


def priority_of(sentence: Narrated) -> SpeechPriority:
    """Return how much it matters that this is heard."""
    if is_urgent(sentence):
        return SpeechPriority.URGENT
    announcement = sentence.announcement
    if announcement is None:
        is_lasting = isinstance(sentence.event, notices.Notice) and not sentence.event.IS_TRANSIENT
        return SpeechPriority.LASTING if is_lasting else SpeechPriority.PASSING
    return SpeechPriority.LASTING if announcement.written or announcement.mood is Mood.END else SpeechPriority.PASSING


def _is_about_itself(event: TableEvent) -> bool:
    return isinstance(event, part_notices.PartLost | part_notices.PartBack) and event.part == PART
