"""Who holds the dialogues at the discard pad. At a running table that is a session: while an enrolment or a check is
on, tags there go to it and not to the game, which waits. One at a time; it goes on without whoever began it, until it
is stopped, or whole, or nobody has tapped a card for a while; what is said goes the way of everything that is told at
a table. Where no table runs, it is the terminal with its keys. Must not know the page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from taptable.config import Config
from taptable.core.device_events import (
    ButtonEdge,
    DeviceEvent,
    PartFailed,
    PartReturned,
    Receipt,
    TagCame,
    TagUnreadable,
    part_at,
)
from taptable.core.errors import DeckError, DeviceError, JournalError
from taptable.core.notices import PAGE
from taptable.core.observations import DISCARD_PAD
from taptable.core.part_notices import PartLost
from taptable.core.tag_notices import (
    DeckChosen,
    EnrolmentBegan,
    EnrolmentEnd,
    EnrolmentEnded,
    EnrolmentMode,
    EnrolmentSays,
    TagFeedback,
)
from taptable.daemon.clock import TableClock
from taptable.daemon.enrolment_dialogue import Counting, Dialogue, Enrolling, Progress
from taptable.daemon.playing_deck import PlayingDeck, deal
from taptable.daemon.session_controller import SessionController
from taptable.drivers.interface import DeviceContext, Role
from taptable.drivers.registry import Drivers
from taptable.edges.keyboard import Lines
from taptable.memory.blotting import is_redacted
from taptable.memory.deck import Deck, Lack, cards_for
from taptable.memory.journal import WriterLock, lock_of

SILENCE_S = 600.0
"""After so long without a tag or a word an enrolment is over: who comes to play finds the pad free."""

_log = logging.getLogger(__name__)

_PARTS = frozenset(part_at(kind, DISCARD_PAD) for kind in ("pad", "board", "firmware", "twins", "flood"))
"""What the discard pad can't be read without."""

_UNNUMBERED = {"unknown": "stranger", "strangers": ""}
"""What a terminal says with numbers of tags is said without; "" is left unsaid."""
_FOR_TERMINALS = frozenset(
    {"begin", "keys", "check-keys", "tap-all", "now-kind", "now-card", "now-control", "missing", "how-to-replace"}
)
"""What is shown otherwise than as a sentence."""
_MOODS: Mapping[str, TagFeedback] = {
    **dict.fromkeys(("enrolled", "enrolled-control", "replaced", "complete", "whole"), TagFeedback.ACCEPTED),
    **dict.fromkeys(("seen", "seen-control", "all-here"), TagFeedback.ACCEPTED),
    **dict.fromkeys(("double", "control", "foreign", "foreign-control", "members-card"), TagFeedback.REFUSED),
    **dict.fromkeys(("not-wanted", "together", "lying", "seen-again", "stranger"), TagFeedback.REFUSED),
    **dict.fromkeys(("nothing-else", "nothing-to-undo"), TagFeedback.REFUSED),
    **dict.fromkeys(("random-uid", "unreadable", "reader-lost", "not-saved", "changed-elsewhere"), TagFeedback.FAULT),
}


@dataclass(frozen=True, slots=True)
class EnrolmentState:
    """What is on, or was last: `over` once it is. `lacks` are the cards of each kind that are still to come."""

    deck: Deck
    began: EnrolmentBegan
    said: EnrolmentSays
    lacks: tuple[Lack, ...]
    undoable: bool
    strangers: int
    over: bool = False


@dataclass(slots=True)
class _On:
    """An enrolment that is on: the deck as it was then, what was begun, and its dialogue."""

    deck: Deck
    began: EnrolmentBegan
    dialogue: Dialogue


class EnrolmentSession:
    """The enrolments and checks of one table, which claim the discard pad. A tag that `is_members` is no deck's."""

    def __init__(
        self,
        *,
        playing: PlayingDeck,
        controller: SessionController,
        is_members: Callable[[str], bool],
    ) -> None:
        self.shown: EnrolmentState | None = None
        self._playing = playing
        self._controller = controller
        self._now_us = controller.now_us
        self._is_members = is_members
        self._on: _On | None = None
        self._heard: list[tuple[str, Mapping[str, object]]] = []
        self._silence: asyncio.TimerHandle | None = None

    @property
    def on(self) -> EnrolmentBegan | None:
        """What is on."""
        return None if self._on is None else self._on.began

    def begin(
        self,
        deck: str,
        game: str,
        how: EnrolmentMode,
        by: str,
        *,
        kind: str = "",
        only: Sequence[str] = (),
        restarted: bool = False,
    ) -> None:
        """Begin an enrolment into a deck of this name, or its check; a new deck is for this game ("": the one
        at the table). `DeckError` says why it can't be. Nothing else may be on. A table that `restarted` goes on with
        it, and hasn't listened to the pad yet."""
        self._playing.look_again()
        decks = self._playing.decks
        if how is EnrolmentMode.CHECK:
            found = decks.deck(deck)
            dialogue: Dialogue = Counting(decks, found, self._hear)
        else:
            there = deck in decks.names()
            found = decks.deck(deck) if there else decks.begin(deck, game or self._playing.game)
            cards = cards_for(found)
            dialogue = Enrolling(decks, found, cards, self._hear, self._is_members, only=only, kind=kind or None)
        now_us = self._now_us()
        began = EnrolmentBegan(now_us, deck, how, kind, tuple(only), by)
        self._on, self.shown = _On(found, began, dialogue), None
        self._controller.claim = self
        self._controller.pause(now_us)
        self._controller.note(began)

        def begin() -> None:
            dialogue.begin(now_us, listening=not restarted)
            if restarted:
                self._hear("goes-on", {})

        self._act(begin)
        for part, lost in self._controller.alerts.items():
            if part in _PARTS and isinstance(lost, PartLost):
                self.handle_device_event(PartFailed(lost.at_us, part, lost.reason))

    def come_back(self, began: EnrolmentBegan) -> None:
        """Go on with what was on when the table was stopped; `DeckError` as from `begin`."""
        self.begin(began.deck, "", began.how, began.by, kind=began.kind, only=began.only, restarted=True)

    def claims(self, device_event: DeviceEvent) -> bool:
        """Whether a tag comes to the discard pad. That one goes is not claimed: what lay there before is the game's."""
        return isinstance(device_event, TagCame | TagUnreadable) and device_event.pad == DISCARD_PAD

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Let the dialogue have what concerns the discard pad."""
        match device_event:
            case PartFailed(part=part) | PartReturned(part=part):
                concerns = part in _PARTS
            case _:
                concerns = device_event.pad == DISCARD_PAD and not isinstance(device_event, ButtonEdge)
        if concerns and (on := self._on) is not None:
            self._act(lambda: on.dialogue.see(device_event, self._now_us()))

    def do(self, act: Callable[[Enrolling], None]) -> None:
        """Do something to the enrolment that is on, such as `Enrolling.undo`; nothing happens to a check."""
        if self._on is not None and isinstance(self._on.dialogue, Enrolling):
            self._act(partial(act, self._on.dialogue))

    def redact(self, names: Collection[str] | None) -> None:
        """Forget that one of these, or anybody, asked for what is on, or was last."""
        on, shown = self._on, self.shown
        if on is not None and is_redacted(on.began.by, names):
            on.began = replace(on.began, at_us=self._now_us(), by=PAGE)
            self._controller.note(on.began)
        if shown is not None and is_redacted(shown.began.by, names):
            self.shown = replace(shown, began=replace(shown.began, by=PAGE))

    def stop(self, how: EnrolmentEnd = EnrolmentEnd.STOPPED) -> None:
        """Leave the rest for later; nothing happens if nothing is on."""
        if self._on is not None:
            self._act(self._on.dialogue.stop, how)

    def close(self) -> None:
        """The table stops: what is on will be on again."""
        if self._silence is not None:
            self._silence.cancel()

    def _hear(self, key: str, facts: Mapping[str, object]) -> None:
        """A sentence of the dialogue."""
        key = _UNNUMBERED.get(key, key)
        if key and key not in _FOR_TERMINALS:
            self._heard.append((key, facts))

    def _act(self, act: Callable[[], None], how: EnrolmentEnd = EnrolmentEnd.NOTHING_LEFT) -> None:
        """Let the dialogue do something, and tell what came of it."""
        assert self._on is not None
        self._heard.clear()
        try:
            act()
        except DeckError as error:
            _log.error("%s", error)
            if isinstance(error.__cause__, OSError):
                self._hear("not-saved", {"reason": error.__cause__.strerror})
            else:
                self._hear("changed-elsewhere", {"deck": self._on.began.deck})
        on = self._on
        if (
            self._heard
            or self.shown is None
            or Progress(self.shown.said.wanted, self.shown.said.have, self.shown.said.need) != on.dialogue.progress
        ):
            self._say(on)
        self._keep_up(on)
        if on.dialogue.over:
            self._end(on, how)
        else:
            self._listen()

    def _say(self, on: _On) -> None:
        """Tell how far it is, with the sentence that matters most."""
        progress, dialogue = on.dialogue.progress, on.dialogue
        heard: list[tuple[str, Mapping[str, object]]] = [("", {}), *self._heard]
        key, facts = next((said for said in reversed(heard) if said[0] in _MOODS), heard[-1])
        said = EnrolmentSays(
            at_us=self._now_us(),
            deck=on.began.deck,
            how=on.began.how,
            wanted=progress.wanted,
            have=progress.have,
            need=progress.need,
            key=key,
            facts=facts,
            mood=_MOODS.get(key, TagFeedback.NONE),
        )
        strangers = dialogue.strangers if isinstance(dialogue, Counting) else 0
        undoable = isinstance(dialogue, Enrolling) and dialogue.undoable
        self.shown = EnrolmentState(on.deck, on.began, said, dialogue.lacks, undoable, strangers)
        self._controller.tell(said)

    def _keep_up(self, on: _On) -> None:
        """The first deck is played with from its first card on; the journal knows which kind was chosen, and which
        cards are still to be replaced."""
        deck = on.began.deck
        decks = self._playing.decks
        if not self._playing.in_use and deck in decks.names() and decks.deck(deck).game == self._playing.game:
            self._playing.use(deck)
            self._controller.note(DeckChosen(self._now_us(), deck, ""))
        if isinstance(on.dialogue, Enrolling) and not on.dialogue.over:
            now = replace(on.began, kind=on.dialogue.kind_after(on.began.kind), only=on.dialogue.only)
            if now != on.began:
                on.began = replace(now, at_us=self._now_us())
                self._controller.note(on.began)

    def _end(self, on: _On, how: EnrolmentEnd) -> None:
        self._on = self._controller.claim = None
        if self._silence is not None:
            self._silence.cancel()
        if self.shown is not None:
            self.shown = replace(self.shown, over=True, undoable=False)
        self._controller.note(EnrolmentEnded(self._now_us(), on.began.deck, how))
        deal(self._playing, self._controller, on.began.by)

    def _listen(self) -> None:
        """Wait for the next tag, but not for ever."""
        if self._silence is not None:
            self._silence.cancel()
        self._silence = self._controller.loop.call_later(SILENCE_S, self.stop, EnrolmentEnd.SILENCE)


async def hold_at_terminal(config: Config, drivers: Drivers, dialogue: Dialogue, keys: int) -> None:
    """Hold the dialogue until it is over, with lines from the file descriptor `keys`. DeviceError while the table
    itself runs; DeckError from the dialogue."""
    loop = asyncio.get_running_loop()
    now_us = TableClock(loop, 0).now_us
    ended: asyncio.Future[None] = loop.create_future()

    def do(act: Callable[[], None]) -> None:
        if ended.done():
            return
        try:
            act()
        except DeckError as error:
            ended.set_exception(error)
        else:
            if dialogue.over:
                ended.set_result(None)

    with ExitStack() as stack:
        _keep_table_out(config, stack)
        lines = Lines(keys, lambda line: do(lambda: dialogue.press(line)), lambda: do(dialogue.stop))
        stack.callback(lines.close)
        do(partial(dialogue.begin, now_us(), listening=False))
        lines.open()
        listening = asyncio.create_task(
            _listen(config, drivers, lambda event: do(lambda: dialogue.see(event, now_us())), now_us, dialogue.knows)
        )
        try:
            await asyncio.wait({listening, ended}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            dialogue.stop()
            raise
        finally:
            listening.cancel()
            await asyncio.wait({listening})
        await (ended if ended.done() else listening)


async def _listen(
    config: Config,
    drivers: Drivers,
    report: Callable[[DeviceEvent], None],
    now_us: Callable[[], int],
    knows: Callable[[str], bool],
) -> None:
    """Report what the discard pad's reader does, wherever it is, until cancelled. A board forgets what was reported:
    it would tell the table of it later, as of a card in the game."""

    def report_once(device_event: DeviceEvent) -> Receipt:
        report(device_event)
        return Receipt.COMMITTED

    pad = [part for part in config.parts if part.role is Role.PAD and part.pad == DISCARD_PAD]
    context = DeviceContext(
        loop=asyncio.get_running_loop(),
        report=report_once,
        now_us=now_us,
        identify=lambda uid: uid if knows(uid) else None,
        executor=drivers.executor,
    )
    opened = drivers[pad[0].address.kind].open(context, pad)
    opened.open()
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        if (closing := opened.close()) is not None:
            await closing


def _keep_table_out(config: Config, stack: ExitStack) -> None:
    """The table has the same reader open while it runs, and would take these cards for taps."""
    journal = config.table.journal
    if not lock_of(journal).exists():
        return
    try:
        stack.callback(WriterLock(journal).release)
    except JournalError as error:
        instead = "stop it first" if config.page is None else "enrol at its page, or stop it first"
        raise DeviceError(f"the discard pad belongs to the table while that runs: {instead} ({error})") from error
