"""The daemon: puts clock, journal, session, devices, cues and local API of one table together, starts and stops them.
Any device may be missing, at the start or later; journal and deck may not. It decides nothing about the game, and
reaches page and bridge by the local API alone."""

from __future__ import annotations

import asyncio
import logging
from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PIL.Image import Image

from taptable.api.requests import Role
from taptable.config import Config
from taptable.core.device_events import PartFailed, PartReturned
from taptable.core.errors import ConfigError, DeckError
from taptable.core.notices import GameSetAside, InterruptedWork, Notice, PairingAsked, RestartBrokeOff
from taptable.core.part_notices import PartBack, PartLost
from taptable.core.tag_notices import DeckChosen, DeckMissing, EnrolmentEnd, EnrolmentEnded
from taptable.cues.cueing import CueDispatcher, running_window
from taptable.cues.text import ScreenStyle, load_icons
from taptable.daemon.active_deck import start_game_with_deck, watch_for_first_deck
from taptable.daemon.api.context import ApiContext
from taptable.daemon.api.local_api import LocalApi
from taptable.daemon.api.sockets import ApiSockets
from taptable.daemon.clock import TableClock
from taptable.daemon.devices import TableDevices
from taptable.daemon.enrolment_session import EnrolmentSession
from taptable.daemon.game_options import chosen_deck
from taptable.daemon.member_cards import MemberCards
from taptable.daemon.power_off import PowerSwitch
from taptable.daemon.recovery import (
    header_of,
    interrupted_work,
    members_at,
    names_at,
    open_deck,
    open_journal,
    restore_or_begin,
)
from taptable.daemon.seating import unseat_member
from taptable.daemon.session_controller import SessionController
from taptable.drivers.interface import DeviceContext
from taptable.drivers.registry import Drivers
from taptable.games.registry import package_of
from taptable.memory.members import MemberStore, members_file_of
from taptable.memory.presets import Presets, presets_file_of
from taptable.narration.updates import Subscriber, Update
from taptable.referee import taps
from taptable.referee.session import open_session
from taptable.referee.step import Table
from taptable.words import Vocabulary, Words

PAGE_PART = "page"
"""Name of the page's process among the table's parts."""
PAGE_TIMEOUT_S = 10.0
"""Seconds that the page may take to start or to come back."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChangeOver:
    """The work after this table: the assignment of seats, for a number of them if it is known, or a table again."""

    to_assignment: bool
    seats: int | None = None


class Daemon:
    """One table. Create and start it on the loop that runs it.

    `subscriber` gets each update after the cues. `requests` is the folder for requests to the system; None if there is
    nobody to ask. `vocabulary` is kept up to date for the game at the table, for other parts that speak of it.
    `sockets` is the folder of the local API's sockets; None for no API. `fresh_start` begins a game as configured,
    regardless of a game under way and of earlier agreements. `change_over(change)` is called when people ask for
    something other than this table: to assign seats, or to look for parts; None if that is impossible."""

    def __init__(
        self,
        config: Config,
        drivers: Drivers,
        subscriber: Subscriber | None = None,
        requests: Path | None = None,
        vocabulary: Vocabulary | None = None,
        sockets: Path | None = None,
        fresh_start: bool = False,
        change_over: Callable[[ChangeOver], None] | None = None,
    ) -> None:
        self._config = config
        loop = asyncio.get_running_loop()
        self._presets = Presets(presets_file_of(config.table.journal))
        if fresh_start:
            self._presets.forget_choices()
        chosen = chosen_deck(config, self._presets)
        self.active_deck = open_deck(config, chosen)
        self.members = MemberStore(members_file_of(config.table.journal))
        self._journal = open_journal(config.table.journal)
        try:
            self._interrupted_work = interrupted_work(self._journal)
            self._starting_point = restore_or_begin(
                self._journal, config, self._presets, self.active_deck, fresh_start=fresh_start
            )
            table = self._starting_point.table
            names = names_at(self._journal, table) if self._starting_point.is_restored else ()
            members = members_at(self._journal, table) if self._starting_point.is_restored else ()
            # the deck was not chosen or configured, but fits; from now on it stays the table's deck, whatever is added
            self._found_deck = (
                "" if self.active_deck.deck_name in (chosen, config.table.deck) else self.active_deck.deck_name
            )
        except BaseException:
            self._journal.close()
            raise
        self._vocabulary = Vocabulary() if vocabulary is None else vocabulary
        self._vocabulary.member_names = self.members.names
        self._icons: ChainMap[str, Image] = ChainMap()
        self._vocabulary_key = ("", "")
        self._load_vocabulary(table)
        begins_at_us = max(self._journal.last_at_us(), table.at_us)
        self.clock = TableClock(loop, begins_at_us)
        self.controller = SessionController(
            session=open_session(table, len(config.seats), config.stop_reminder_us or 0, begins_at_us, names, members),
            journal=self._journal,
            clock=self.clock,
            loop=loop,
            make_header=lambda table, next_starter: header_of(table, config, next_starter, self.active_deck.deck_name),
        )
        self._power_off = PowerSwitch(requests, self.controller)
        self.devices = TableDevices(
            config,
            drivers,
            DeviceContext(
                self.controller.report,
                self.clock.now_us,
                ChainMap(self.active_deck.identities, self.members.identities).get,
                last_committed=self._highest_event_number,
                on_power_hold=self._power_off.on_hold,
                is_quiet=self._is_quiet,
            ),
            ScreenStyle(Words(config.table.language, self._vocabulary), self._icons),
        )
        self.cues = CueDispatcher(
            loop=loop,
            now_us=self.clock.now_us,
            ring_parts=self.devices.ring_parts,
            lamp_parts=self.devices.lamp_parts,
            sounder=self.devices.sounder,
        )
        self.controller.on_tag_detected = self.cues.on_tag_detected
        self.controller.event_sources = self.devices.event_sources
        self.enrolment = EnrolmentSession(
            active_deck=self.active_deck,
            controller=self.controller,
            is_members=lambda uid: self.members.find_by_tag(uid) is not None,
        )
        self.member_cards = MemberCards(members=self.members, active_deck=self.active_deck, controller=self.controller)
        context = ApiContext(
            config,
            self.clock.now_us,
            self.controller,
            self._journal,
            self.active_deck,
            self.enrolment,
            self._presets,
            self.members,
            self.member_cards,
        )
        switch_off = self._power_off.request_power_off if self._power_off.is_available else None

        def assign(seats: int | None) -> None:
            assert change_over is not None
            change_over(ChangeOver(to_assignment=True, seats=seats))

        self.api = LocalApi(
            context,
            self.devices,
            self._on_page_address,
            switch_off,
            assign=None if change_over is None else assign,
            look=None if change_over is None else lambda: change_over(ChangeOver(to_assignment=False)),
        )
        self._first_deck_task: asyncio.Task[None] | None = None
        presenters = [self.devices.presenter, self.devices.speech]
        cues = [self.cues.on_update, *(part.on_update for part in presenters if part is not None)]
        others = [] if subscriber is None else [subscriber]
        for each_subscriber in (self._on_update, *cues, *others, self.api.on_update):
            self.controller.subscribe(each_subscriber)
        self.sockets = None if sockets is None else ApiSockets(self.api, sockets, self._on_presence)
        self._page_timeout_task: asyncio.Task[None] | None = None
        self.page_connected = asyncio.Event()
        self._page_fault = ""

    async def start(self) -> None:
        """Open the devices. A game that was under way is restored in its position, paused."""
        if self._starting_point.is_restored:
            # the time that the start takes doesn't count as game time
            self.controller.pause(self.controller.session.at_us)
        self.controller.publish()
        if self._starting_point.abandoned_game_id is not None:
            self._note(GameSetAside(self.clock.now_us(), self._starting_point.abandoned_game_id))
        if self._found_deck:
            self.active_deck.use(self._found_deck)
            self._note(DeckChosen(self.clock.now_us(), self._found_deck, ""))
        self._resume_enrolment()
        self._unseat_deleted_members()
        start_game_with_deck(self.active_deck, self.controller)
        self.devices.open()
        self.controller.start()
        watching = watch_for_first_deck(self.active_deck, self.controller, lambda: self.api.notify("decks"))
        self._first_deck_task = asyncio.create_task(watching, name="first deck")
        if self.sockets is not None:
            self.api.add_listener(self.sockets.notify)
            await self._open(self.sockets)

    async def _open(self, sockets: ApiSockets) -> None:
        try:
            await sockets.open()
        except OSError as error:  # without the API nobody can send requests, but the table plays on
            _log.error("Local API not available, so page and commands can't reach the table: %s", error)
            self._report_page_fault(f"the local API's socket can't be opened: {error.strerror or error}")
        else:
            self._on_presence(Role.PAGE, False)

    def abort(self) -> None:
        """Drop all clients without notice, as a killed process does. `stop` has to follow all the same."""
        if self.sockets is not None:
            self.sockets.abort()

    async def stop(self) -> None:
        """Release all resources. What happened is in the journal."""
        if self._page_timeout_task is not None:
            self._page_timeout_task.cancel()
        if self._first_deck_task is not None:
            self._first_deck_task.cancel()
        if self.sockets is not None:
            await self.sockets.close()
        if self.api.pairing is not None:
            self.api.pairing.close()
        self._power_off.close()
        self.enrolment.close()
        self.member_cards.close()
        self.controller.stop()
        self.cues.close()
        try:
            await self.devices.close()
        finally:
            self._journal.close()

    def _on_update(self, update: Update) -> None:
        """Load words and icons of another game, log lost and returned parts, and allow pairing."""
        self._load_vocabulary(update.session.table)
        for event in update.events:
            if isinstance(event, PartLost):
                _log.warning("Part lost: %s: %s", event.part, event.reason)
            elif isinstance(event, PartBack):
                _log.info("Part back: %s", event.part)
            elif isinstance(event, PairingAsked) and self.api.pairing is not None:
                self.api.pairing.allow_pairing()

    def _on_presence(self, role: Role, present: bool) -> None:
        """Note whether a client of this role is connected. A missing page is reported after `PAGE_TIMEOUT_S`."""
        if role is not Role.PAGE or self._config.page is None:
            return
        if self._page_timeout_task is not None:
            self._page_timeout_task.cancel()
            self._page_timeout_task = None
        if not present:
            self._page_timeout_task = asyncio.ensure_future(self._wait_for_page())

    async def _wait_for_page(self) -> None:
        self.page_connected.clear()
        self.devices.set_page_address(None)
        await asyncio.sleep(PAGE_TIMEOUT_S)
        self._report_page_fault("its process isn't there")

    def _on_page_address(self, address: str | None, fault: str) -> None:
        """Take over the page's address and its fault. The page has received the table's state by then."""
        self.page_connected.set()
        self.devices.set_page_address(address)
        self._report_page_fault(fault)

    def _report_page_fault(self, fault: str) -> None:
        if self._config.page is not None and fault != self._page_fault:
            now_us, self._page_fault = self.clock.now_us(), fault
            self.controller.report(PartFailed(now_us, PAGE_PART, fault) if fault else PartReturned(now_us, PAGE_PART))

    def _load_vocabulary(self, table: Table) -> None:
        """Load the words and icons of the table's game and cards if these have changed."""
        key = (table.game.name, table.game_options.manifest)
        if key != self._vocabulary_key:
            self._vocabulary_key = key
            packages = (package_of(table.game.name),)
            self._vocabulary.set_game(packages, table.game.pack(table.game_options.manifest))
            self._icons.maps = [dict(load_icons(packages))]

    def _is_quiet(self) -> bool:
        """Return True if no window is open, no card is held, and no report is awaited about a tag on two pads."""
        session = self.controller.session
        return running_window(session) is None and taps.deadline(session.taps) is None

    def _unseat_deleted_members(self) -> None:
        """Unseat members who were deleted while no table ran. If the members' file is damaged, keep them: they may be
        known again."""
        if self.members.fault is None:
            for member in self.controller.session.members:
                if member and self.members.find(member) is None:
                    unseat_member(self.controller, member)

    def _resume_enrolment(self) -> None:
        """Resume an enrolment that was interrupted, or end it if it can't be resumed. Notify of interrupted work that
        people have to begin again, and of a missing deck."""
        interrupted, has_page, now_us = self._interrupted_work, self._config.page is not None, self.clock.now_us()
        if has_page and not self.active_deck.deck_name:
            self._note(DeckMissing(now_us))
        if interrupted is None:
            return
        if isinstance(interrupted, RestartBrokeOff):
            if interrupted.what is InterruptedWork.DECK_CHECK:
                self._note(EnrolmentEnded(now_us, interrupted.deck, EnrolmentEnd.STOPPED))
            known = interrupted.what is not InterruptedWork.MEMBER_CARD or self.members.find(interrupted.member)
            if self._starting_point.is_restored and known:
                self._note(replace(interrupted, at_us=now_us))
            return
        if has_page:
            try:
                deck, mode, by = interrupted.deck, interrupted.how, interrupted.by
                self.enrolment.begin(deck, "", mode, by, kind=interrupted.kind, only=interrupted.only, restarted=True)
            except (ConfigError, DeckError) as error:
                _log.warning("Enrolment not resumed, it is over: %s", error)
            else:
                return
        # otherwise it would be resumed at a later start, in the middle of something else
        self._note(EnrolmentEnded(now_us, interrupted.deck, EnrolmentEnd.STOPPED))

    def _note(self, notice: Notice) -> None:
        self.controller.note(notice)

    def _highest_event_number(self, board: str, boot: int) -> int:
        return self._journal.highest_event_number(board, boot) or 0


def screen_style_of(config: Config) -> ScreenStyle:
    """Return the words and icons of a table as configured."""
    return ScreenStyle(words_of(config), load_icons((package_of(config.game.name),)))


def words_of(config: Config) -> Words:
    """Return the words of a table as configured, including its game's."""
    return Words(config.table.language, (package_of(config.game.name),))
