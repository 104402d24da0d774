"""A person at the discard pad with a stack of cards: the pad's reader and the keys of a terminal drive a dialogue, such
as enrolment. Gestures that mean the same in every dialogue are answered here; must not know what a card becomes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from taptable.config import Config
from taptable.core.errors import DeckError, DeviceError, JournalError
from taptable.core.notices import PhoneSeen
from taptable.core.observations import DISCARD_PAD, CardsTogether, CardTapped
from taptable.core.sightings import PartFailed, PartReturned, Sighting, TagCame, TagWent
from taptable.daemon.clock import TableClock
from taptable.daemon.devices import Openers, spi_places
from taptable.edges.keyboard import Lines
from taptable.edges.readers.poller import SpiPads
from taptable.memory.deck import Lack
from taptable.memory.lock import WriterLock, lock_of
from taptable.referee import taps
from taptable.referee.taps import CardFound, Taps, is_random

Say: TypeAlias = Callable[[str, Mapping[str, object]], None]
"""Says a sentence of the catalogues' context ``deck``, by its key and facts."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What the next tag becomes, a kind, one card or a control ("" where nothing is asked for), and that `have` of
    `need` are done."""

    wanted: str
    have: int
    need: int


class Dialogue(Protocol):
    """What is done with the cards at the pad. Any of these may raise DeckError: nothing has changed then, and at a
    terminal that is the end."""

    @property
    def over(self) -> bool:
        """Is there nothing left to do?"""
        ...

    @property
    def progress(self) -> Progress:
        """How far it is."""
        ...

    @property
    def lacks(self) -> tuple[Lack, ...]:
        """Which cards of each kind are still to come."""
        ...

    def begin(self) -> None:
        """Say what it is about."""
        ...

    def knows(self, uid: str) -> bool:
        """Is this a tag of some deck, so that a single read of it can be trusted?"""
        ...

    def tap(self, uid: str) -> None:
        """A tag came, alone."""
        ...

    def tap_together(self, uids: tuple[str, ...]) -> None:
        """The last of these tags came together with the others, which had come, or been tapped, just before."""
        ...

    def press(self, key: str) -> None:
        """A key was pressed, or something else typed."""
        ...

    def stop(self) -> None:
        """The person stops."""
        ...


async def sit(config: Config, openers: Openers, dialogue: Dialogue, say: Say, keys: int) -> None:
    """Hold the dialogue until it is over, with lines from the file descriptor `keys`. DeviceError while the table
    itself runs; DeckError from the dialogue."""
    loop = asyncio.get_running_loop()
    now_us = TableClock(loop, 0).now_us
    ended: asyncio.Future[None] = loop.create_future()
    desk = Desk(dialogue, say)

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
        pads = SpiPads(
            spi_places(config)[:1],
            report=lambda sighting: do(lambda: desk.see(sighting, now_us())),
            now_us=now_us,
            is_enrolled=dialogue.knows,
            open_reader=openers.reader,
        )
        lines = Lines(keys, lambda line: do(lambda: dialogue.press(line)), lambda: do(dialogue.stop))
        stack.callback(lines.close)
        do(dialogue.begin)
        lines.open()
        polling = asyncio.create_task(pads.run(stack.enter_context(openers.executor())))
        try:
            await asyncio.wait({polling, ended}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            dialogue.stop()
            raise
        finally:
            polling.cancel()
            await asyncio.wait({polling})
        await (ended if ended.done() else polling)


class Desk:
    """The pad: which tag was tapped, alone or not."""

    def __init__(self, dialogue: Dialogue, say: Say) -> None:
        self._dialogue = dialogue
        self._say = say
        self._taps = Taps()

    def see(self, sighting: Sighting, now_us: int) -> None:
        """Take in what the reader reports."""
        match sighting:
            case TagCame():
                self._taps, gestures = taps.came(self._taps, sighting, _itself, now_us)
                for gesture in gestures:
                    self._take(gesture)
            case TagWent():
                self._taps = taps.went(self._taps, sighting)
            case PartFailed(_, part, reason):
                self._taps = taps.forget(self._taps, DISCARD_PAD)
                self._say("reader-lost", {"part": part, "reason": reason})
            case PartReturned(_, part):
                self._say("reader-back", {"part": part})
            case _:
                pass

    def _take(self, gesture: taps.Gesture) -> None:
        match gesture:
            case CardTapped(_, uid):
                self._dialogue.tap(uid)
            case CardsTogether(_, uids):
                self._dialogue.tap_together(uids)
            case CardFound():
                self._say("lying", {})
            case PhoneSeen():
                self._say("random-uid", {})
            case _:
                pass


def _itself(uid: str) -> str | None:
    """To the filter of taps every tag is a card of its own, but for those that make up their numbers."""
    return None if is_random(uid) else uid


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
