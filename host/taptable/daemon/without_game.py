"""A table without a game: the reader of the discard pad and the local API, for the commands that enrol cards or change
decks and members while no table runs (`taptable run --no-game`); or the assignment of seats, before the table can play.
It holds the table's lock. It judges nothing, neither begins nor resumes a game, and changes the journal only where
`blot-names` takes names out of it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import stat
import time
from collections import ChainMap
from collections.abc import Callable, Collection, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from taptable import __version__
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_folder
from taptable.config import Config
from taptable.config.model import NO_PAD
from taptable.core.device_events import DeviceEvent, Receipt, TagCame, TagUnreadable
from taptable.core.errors import JournalError
from taptable.core.notices import PairingAwaited
from taptable.cues.cueing import CueDispatcher
from taptable.cues.text import ScreenStyle, load_icons
from taptable.daemon.active_deck import ActiveDeck
from taptable.daemon.api.context import ApiContext
from taptable.daemon.api.local_api import LocalApi
from taptable.daemon.api.sockets import ApiSockets
from taptable.daemon.assigning import Asked, Assigning
from taptable.daemon.clock import TableClock
from taptable.daemon.devices import TableDevices
from taptable.daemon.enrolment_dialogue import BACKLOG_US
from taptable.daemon.enrolment_session import EnrolmentSession
from taptable.daemon.game_options import game_options_at
from taptable.daemon.member_cards import MemberCards
from taptable.daemon.power_off import SwitchOff
from taptable.daemon.presence import ANY_BUTTON, PresencePairing
from taptable.daemon.recovery import header_of
from taptable.daemon.seat_assignment import CONTEXT, SeatAssignment
from taptable.daemon.session_controller import SessionController
from taptable.daemon.supervision import Supervisor
from taptable.drivers.interface import DeviceContext
from taptable.drivers.registry import Drivers
from taptable.games.registry import find_game, package_of
from taptable.keyboard import TypedLines
from taptable.memory.journal import WITHOUT_GAME, Journal, WriterLock, is_held_without_game
from taptable.memory.members import MemberStore, members_file_of
from taptable.memory.presets import Presets, presets_file_of
from taptable.narration.updates import Update
from taptable.referee.session import open_session
from taptable.referee.step import open_table
from taptable.words import Vocabulary, Words

POLL_S, START_EXTENSION_S = 1.0, 60.0
"""Seconds between two checks whether the table without a game has ended, and the seconds by which each of them extends
the time that the supervisor allows for the start."""
STDIN = 0
"""The file descriptor of standard input."""

_log = logging.getLogger(__name__)


class ScratchJournal(Journal):
    """The journal of a table without a game. It is in memory, except that names are taken out of the journal at
    `main_path`, whose lock the process holds."""

    main_path: Path

    @classmethod
    def for_journal(cls, main_path: Path) -> Self:
        """Return an empty journal beside the one at `main_path`."""
        journal = cls.in_memory()
        journal.main_path = main_path
        return journal

    def redact_names(self, names: Collection[str] | None = None) -> int:
        """Take the names out of the journal at `main_path` if it exists; otherwise as `Journal.redact_names`."""
        if not self.main_path.exists():
            return 0
        with Journal.open_locked(self.main_path.resolve()) as journal:
            return journal.redact_names(names)


class TableWithoutGame:
    """One table without a game; its process holds the journal's lock. Create it on the loop that runs it. With
    `reads_cards` it opens the discard pad's reader, and never another device. During an `assignment` it has the display
    and serves the page, too."""

    def __init__(
        self,
        config: Config,
        drivers: Drivers,
        sockets: Path,
        *,
        reads_cards: bool = True,
        assignment: SeatAssignment | None = None,
        switch_off: Callable[[SessionController], SwitchOff | None] = lambda _: None,
    ) -> None:
        loop = asyncio.get_running_loop()
        journal_path = config.table.journal
        table, _ = open_table(find_game(config.game.name), replace(game_options_at(config), manifest=""))
        table = replace(table, paused_at_us=table.at_us)
        self._journal = ScratchJournal.for_journal(journal_path)
        self._journal.begin_game(header_of(table, config, None, ""))
        clock = TableClock(loop, 0)
        self.controller = SessionController(
            session=open_session(table, len(config.seats) or table.game_options.players, 0, 0),
            journal=self._journal,
            clock=clock,
            loop=loop,
            make_header=lambda table, next_starter: header_of(table, config, next_starter, ""),
        )
        reduced_config = with_discard_pad_alone(config) if assignment is None else without_seats(config)
        self._assignment = assignment
        vocabulary = Vocabulary((package_of(table.game.name),), table.game.pack(""))
        members = MemberStore(members_file_of(journal_path), read_only=True)
        active_deck = ActiveDeck(config.table.decks, config.game.name, None, selects_first_deck=False)
        self.devices = TableDevices(
            reduced_config,
            drivers,
            DeviceContext(
                self._report,
                clock.now_us,
                ChainMap(active_deck.identities, members.identities).get,
            ),
            ScreenStyle(Words(config.table.language, vocabulary), load_icons((package_of(table.game.name),))),
        )
        self._cues = CueDispatcher(
            loop=loop,
            now_us=clock.now_us,
            ring_parts=self.devices.ring_parts,
            lamp_parts=self.devices.lamp_parts,
            sounder=None,
        )
        self.controller.on_tag_detected = self._cues.on_tag_detected
        enrolment = EnrolmentSession(
            active_deck=active_deck,
            controller=self.controller,
            is_members=lambda uid: members.find_by_tag(uid) is not None,
            backlog_until_us=BACKLOG_US,
        )
        member_cards = MemberCards(members=members, active_deck=active_deck, controller=self.controller)
        presets = Presets(presets_file_of(journal_path), read_only=True)
        context = ApiContext(
            reduced_config,
            clock.now_us,
            self.controller,
            self._journal,
            active_deck,
            enrolment,
            presets,
            members,
            member_cards,
        )
        api = LocalApi(
            context,
            self.devices,
            lambda address, _fault: self.devices.set_page_address(address),
            switch_off(self.controller),
            without_game=True,
            assignment=assignment,
        )
        self._claims = (enrolment, member_cards)
        self._api = api
        self._reads_cards = reads_cards
        roles = (Role.ADMIN,) if assignment is None else (Role.ADMIN, Role.PAGE)
        self._sockets = ApiSockets(api, sockets, lambda _role, _present: None, roles)
        self._display_words = Words(config.table.language, vocabulary)
        self.controller.subscribe(self._cues.on_update)
        self.controller.subscribe(api.on_update)
        if assignment is not None and api.pairing is not None:
            self._pair_by_any_button(assignment, api.pairing.presence)

    async def start(self) -> None:
        """Open the reader and the socket. Raises JournalError if the socket can't be opened."""
        if self._reads_cards:
            self.devices.open()
        self.controller.start()
        self._api.add_listener(self._sockets.notify)
        try:
            await self._sockets.open()
        except OSError as error:
            raise JournalError(f"the local API's socket can't be opened: {error.strerror or error}") from error
        if self._assignment is not None:
            self._assignment.on_change = self._on_step
            self.controller.publish()
            self._assignment.open()
            self._on_step()

    def _pair_by_any_button(self, assignment: SeatAssignment, presence: PresencePairing) -> None:
        """Let the press that allows a phone to be paired come from the parts that are being assigned."""
        presence.buttons = lambda: (ANY_BUTTON,) if assignment.has_button else ()
        presence.pass_on = assignment.report
        assignment.find_claim = lambda: self.controller.claim

        def on_update(update: Update) -> None:
            awaited = update.alerts.get(PairingAwaited.RAISED_ALERT)
            assignment.show_pairing(isinstance(awaited, PairingAwaited) and not awaited.allowed)

        self.controller.subscribe(on_update)

    def _on_step(self) -> None:
        """Publish the present step of the assignment, and show it on the display."""
        assert self._assignment is not None
        self._api.notify("parts")
        if self.devices.presenter is not None:
            state = self._assignment.state
            is_begun = bool(state.taken or state.misses)
            self.devices.presenter.show_task(*task_of(state, self._display_words), is_begun=is_begun)

    async def stop(self) -> None:
        """Close everything: fields and lights are off afterwards."""
        await self._sockets.close()
        if self._assignment is not None:
            await self._assignment.close()
        if self._api.pairing is not None:
            self._api.pairing.close()
        for claim in self._claims:
            claim.close()
        self.controller.stop()
        self._cues.close()
        try:
            await self.devices.close()
        finally:
            self._journal.close()

    def _report(self, device_event: DeviceEvent) -> Receipt:
        """Pass on events for an active claim, and no other tag. A board may forget the others, too: otherwise it would
        send them to the table later, as cards in the game."""
        if isinstance(device_event, TagCame | TagUnreadable) and self.controller.claim is None:
            return Receipt.COMMITTED
        return self.controller.report(device_event)


def with_discard_pad_alone(config: Config) -> Config:
    """Return the configuration reduced to the discard pad and the files."""
    return replace(
        config,
        seats=(),
        pads={},
        scoreboard=None,
        sounder=None,
        page=None,
        speech=None,
        power=None,
        mqtt=None,
        league=None,
    )


def without_seats(config: Config) -> Config:
    """Return the configuration without what is assigned by touching, and without what the table needs for a game."""
    return replace(
        config, seats=(), discard=NO_PAD, pads={}, sounder=None, speech=None, power=None, mqtt=None, league=None
    )


def task_of(state: Assigning, words: Words) -> tuple[str, str]:
    """Return a step of the assignment in words, for a display: the seat or a heading, and what is wrong or to do."""
    heading = words.text(CONTEXT, "heading")
    if state.seat is not None:
        heading = words.text(CONTEXT, "place", {"seat": state.seat})
    elif state.asked is Asked.MIDDLE:
        heading = words.text(CONTEXT, "place-middle")
    answer = None if state.answer is None or state.answer.is_done else state.answer
    if (reply := answer or state.lacks) is not None:  # it names what to do, and the display has no room for both
        return heading, words.text(CONTEXT, reply.key, dict(reply.facts))
    facts = {"seat": state.seat or 0, "board": "yes" if state.has_board else "no"}
    return heading, words.text(CONTEXT, f"ask-{state.asked}", facts)


@contextmanager
def stop_with_pipe(stopping: asyncio.Event) -> Generator[None]:
    """Set `stopping` at the end of standard input if that is a pipe, for the duration of the context: a command that is
    killed leaves no table behind."""
    lines = TypedLines(STDIN, lambda _line: None, stopping.set)
    if stat.S_ISFIFO(os.fstat(STDIN).st_mode):
        lines.open()
    try:
        yield
    finally:
        lines.close()


async def serve_without_game(config: Config, drivers: Drivers, *, reads_cards: bool = True) -> None:
    """Run a table without a game until SIGTERM or SIGINT, or the end of standard input if that is a pipe."""
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    with ExitStack() as held:
        held.callback(WriterLock(config.table.journal, WITHOUT_GAME).release)
        table = TableWithoutGame(config, drivers, socket_folder(config.table.journal), reads_cards=reads_cards)
        held.enter_context(stop_with_pipe(stopping))
        try:
            await table.start()
            _log.info("taptable %s at table %s, without a game", __version__, config.table.name)
            await stopping.wait()
        finally:
            await table.stop()


def wait_while_without_game(journal: Path, supervisor: Supervisor) -> None:
    """Wait until no table without a game holds the journal; that ends with its command. Ask the supervisor for more
    start time meanwhile. Raises JournalError as `lock_holder` does."""
    logged = False
    while is_held_without_game(journal):
        if not logged:
            _log.info("Start delayed: a command uses the discard pad, and the table starts when it ends")
            logged = True
        supervisor.extend_start_timeout(START_EXTENSION_S)
        time.sleep(POLL_S)
