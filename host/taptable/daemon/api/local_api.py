"""The table's answers to its clients, and the topics that it publishes: hands each request to the object that handles
it, after checking that its sender may send it. A topic is encoded only when a subscriber gets it, so that a table
without clients spends next to nothing. This module must not know the transport; that is `sockets`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict
from ipaddress import ip_address
from typing import Any

import msgspec

from taptable import __version__
from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.api.facts import Alert, JournalFacts, SessionFacts, TableFacts, Time
from taptable.api.requests import REQUESTS, VERSION, Request, Role
from taptable.api.rpc import METHOD_NOT_FOUND, RpcError, decode_params
from taptable.core.notices import ADMINISTRATOR, BRIDGE, PAGE
from taptable.core.tag_notices import MemberCardSays
from taptable.daemon.api.away import AwayRequests
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.daemon.api.decks import DECK_NOTICES, DeckRequests
from taptable.daemon.api.game import GameRequests
from taptable.daemon.api.pairing import Pairing
from taptable.daemon.api.parts import PartsRequests
from taptable.daemon.api.people import PeopleRequests
from taptable.daemon.api.recorded_games import RecordedGameRequests
from taptable.daemon.devices import TableDevices
from taptable.daemon.power_off import SwitchOff
from taptable.daemon.seat_assignment import SeatAssignment
from taptable.memory.pairings import Pairings, pairings_file_of
from taptable.narration.updates import Alerts, Update
from taptable.referee.lines import announcement_line

GAME_REQUESTS = (requests.SeatMember, requests.PlayOn, requests.UseDeck, requests.ExportMember)
"""The requests about members and decks that a table without a game refuses: they need a game, or the journal."""


class LocalApi:
    """The local API of one table. Create it on the loop that runs it.

    `on_page_address` gets the page's address and its fault. `switch_off` is None if nothing can switch the Pi off. A
    table `without_game` handles requests about decks and members only, during an `assignment` those about the parts and
    about pairing. `assign` changes over to the assignment of seats, for a number of them if it isn't None, and `look`
    starts the table again to look for its parts; None if it can't do that."""

    def __init__(
        self,
        context: ApiContext,
        devices: TableDevices,
        on_page_address: Callable[[str | None, str], None],
        switch_off: SwitchOff | None,
        *,
        without_game: bool = False,
        assignment: SeatAssignment | None = None,
        assign: Callable[[int | None], None] | None = None,
        look: Callable[[], None] | None = None,
    ) -> None:
        self._context = context
        self._without_game = without_game
        self._assignment = assignment
        self._devices = devices
        self._on_page_address = on_page_address
        self._switch_off = switch_off
        self._start_id = secrets.token_hex(4)
        self._alerts: Alerts = {}
        self._stuck = False
        self._redactions = 0
        self._listeners: list[Callable[[str], None]] = []
        self._decks = DeckRequests(context, self._notify_decks)
        self._recorded = RecordedGameRequests(context)
        self.pairing: Pairing | None = None
        people = PeopleRequests(context, self._notify_members, self._notify_redaction)
        away = AwayRequests(context, lambda: self.notify("away"))
        parts = PartsRequests(
            context.config, lambda: self._alerts, lambda: devices.has_display, assign, look, assignment
        )
        if devices.presenter is not None:
            devices.presenter.on_responding = lambda: self.notify("parts")
        handlers = [parts.handlers]
        if assignment is None:
            handlers += [people.handlers, self._decks.handlers]
        if not without_game:
            handlers += [GameRequests(context, lambda: self.notify("presets")).handlers, away.handlers]
        if not without_game or assignment is not None:
            handlers.append(self._recorded.handlers)
        if context.config.page is not None and context.config.page.network:
            pairings = Pairings(pairings_file_of(context.config.table.journal))
            self.pairing = Pairing(pairings, context.controller, devices, lambda: self.notify("devices"))
            handlers.append(self.pairing.handlers)
        own_handlers: Handlers = {
            requests.Hello: self._hello,
            requests.PageAt: self._page_at,
            requests.Readers: self._readers,
            requests.PowerOff: self._power_off,
        }
        handlers.append(own_handlers)
        self._handlers: Handlers = {request: handler for each in handlers for request, handler in each.items()}
        self.topics: Mapping[str, Callable[[], Any]] = {
            "time": lambda: Time(context.now_us()),
            "journal": self._journal,
            "session": self._session,
            "alerts": self._alert_lines,
            "presets": lambda: context.presets.presets,
            "decks": self._decks.decks,
            "enrolment": self._decks.enrolment,
            "devices": lambda: () if self.pairing is None else self.pairing.devices(),
            "members": people.members,
            "deleted-members": lambda: context.members.deleted,
            "member-card": lambda: context.member_cards.last_message,
            "away": lambda: away.change_count,
            "parts": parts.parts,
        }

    def on_dialogue_item(self, add: Callable[[Mapping[str, Any]], None]) -> None:
        """Call `add` with each item of the stream `DIALOGUE`: a sentence of the dialogue at the discard pad."""
        self._context.enrolment.on_sentence = lambda key, facts: add({"key": key, "facts": facts})

    def add_listener(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the name of each topic that may have changed. Return a function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self, topic: str) -> None:
        """Tell the listeners that a topic may have changed."""
        for listener in self._listeners:
            listener(topic)

    def _notify_members(self) -> None:
        self.notify("members")
        self.notify("deleted-members")

    def on_update(self, update: Update) -> None:
        """Notify of the topics that an update may change."""
        self._alerts = update.alerts
        self._stuck = not update.writable
        for topic in ("journal", "session", "alerts", "parts"):
            self.notify(topic)
        if any(isinstance(event, DECK_NOTICES) for event in update.events):
            self._notify_decks()
        if any(isinstance(event, MemberCardSays) for event in update.events):
            self.notify("member-card")
            self.notify("members")
        if self.pairing is not None:
            self.pairing.presence.on_update(update)

    def _notify_redaction(self) -> None:
        self._recorded.forget_names()
        self._redactions += 1
        for topic in ("journal", "presets", "decks", "enrolment"):
            self.notify(topic)

    async def call(self, role: Role, method: str, params: bytes) -> Result:
        """Return the result of a request. Raises `RequestError` if it is refused, `RpcError` if it is invalid."""
        request = REQUESTS.get(method)
        if request is None or role not in request.roles:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {method[:40]!r} for the {role}")
        decoded = decode_params(method, params, request)
        return self.do(role, decoded)

    def do(self, role: Role, request: Request) -> Result:
        """Perform a decoded request; otherwise as `call`."""
        device = getattr(request, "device", "")
        if self._without_game and not self._is_possible_without_game(request):
            raise RequestError("live", "no-game" if self._assignment is None else "assigning")
        if isinstance(request, requests.Entries):
            trusted = role is not Role.BRIDGE and self._name_of(role, device) is not None
            return self._recorded.entries(request, tags=trusted)
        by = self._name_of(role, device)
        if isinstance(request, requests.Change) and by is None:
            raise RequestError("live", "not-paired")
        if type(request) in self._handlers:
            return self._handlers[type(request)](request, by or "")
        raise RequestError("live", "pair-not-needed")

    def _is_possible_without_game(self, request: Request) -> bool:
        """Return whether a table without a game handles a request."""
        if isinstance(request, requests.Entries):
            return self._assignment is not None
        return type(request) in self._handlers and not isinstance(request, GAME_REQUESTS)

    def _name_of(self, role: Role, device: str) -> str | None:
        """Return the requester's name for the journal; None for a browser that isn't paired."""
        if role is Role.ADMIN:
            return ADMINISTRATOR
        if role is Role.BRIDGE:
            return BRIDGE
        if self.pairing is None:
            return PAGE
        paired = self.pairing.find(device) if device else None
        return None if paired is None else paired.name

    def _hello(self, request: requests.Hello, _: str) -> Result:
        if request.version != VERSION:
            raise RequestError("live", "other-version", theirs=request.version, ours=VERSION)
        config = self._context.config
        facts = TableFacts(
            api=VERSION,
            version=__version__,
            start=self._start_id,
            table=config.table.name,
            language=config.table.language,
            seats=len(config.seats) or config.game.game_options.players,
            slow_buttons=not config.buttons_share_a_clock,
            power_off=self._switch_off is not None,
            league=config.league is not None,
            assigning=self._assignment is not None,
        )
        return msgspec.to_builtins(facts)

    def _page_at(self, request: requests.PageAt, _: str) -> Result:
        """Accept only addresses for display at the table, regardless of what else the page sends."""
        try:
            addresses = [str(ip_address(address)) for address in request.addresses]
        except ValueError as error:
            raise RequestError("live", "wrong-field", field="addresses") from error
        page = self._context.config.page
        shown_address = f"{addresses[0]}:{request.port}" if addresses else None
        if shown_address is not None and page is not None and page.https is not None:
            shown_address = f"https://{page.https}"
        self._on_page_address(shown_address, request.fault)
        return {}

    def _readers(self, _: requests.Readers, __: str) -> Result:
        health = self._devices.reader_health
        return {"readers": [{"pad": pad, **asdict(counts)} for pad, counts in health.items()]}

    def _power_off(self, _: requests.PowerOff, __: str) -> Result:
        if self._switch_off is None:
            raise RequestError("live", "unknown-verb", verb="power-off")
        if (failed := self._switch_off()) is not None:
            raise RequestError("notice", "power-off-failed", reason=failed.reason, detail=failed.detail)
        return {}

    def _journal(self) -> JournalFacts:
        game, entry = self._context.journal.last_ids()
        return JournalFacts(game, entry, self._stuck, self._redactions)

    def _session(self) -> SessionFacts:
        session = self._context.session
        return SessionFacts(session.prompts.consent, session.prompts.checking, session.enrolment)

    def _alert_lines(self) -> tuple[Alert, ...]:
        return tuple(Alert(about, announcement_line(notice)) for about, notice in self._alerts.items())

    def _notify_decks(self) -> None:
        self.notify("decks")
        self.notify("enrolment")
