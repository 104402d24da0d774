"""Requests about decks: enrol and check them at the discard pad, choose one to play with, rename and describe them,
read and write their files. Tags become cards only at the pad, by `enrolment_dialogue`, or with a file that somebody
brings. This module must not know a rule of a game."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.api.facts import DecksFacts, EnrolmentFacts, facts_of_deck
from taptable.core.errors import ConfigError, DeckError
from taptable.core.tag_notices import (
    DeckChosen,
    DeckMissing,
    EnrolmentBegan,
    EnrolmentEnded,
    EnrolmentMode,
    EnrolmentSays,
)
from taptable.daemon.active_deck import find_deck_objection, select_deck, select_first_deck, start_game_with_deck
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.daemon.enrolment_dialogue import Enrolling
from taptable.daemon.enrolment_session import EnrolmentSession
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import Deck, DeckFaults, card_set_for, card_set_of, is_deck_name, manifest_in
from taptable.memory.deckfile import deck_of, text_of

CONTEXT = "decks"
"""The catalogue context of these requests' sentences."""

MAX_DECKS = 50
"""The most decks that requests may create, so that they can't fill the disk. More files in the folder are used, too."""

DECK_NOTICES = (DeckChosen, DeckMissing, EnrolmentBegan, EnrolmentSays, EnrolmentEnded)
"""Notices that are published when a deck, or the work at the discard pad, changes."""

_SOURCE = "from the page"
_log = logging.getLogger(__name__)


class DeckRequests:
    """Requests of one table's API. Calls `on_change` when a deck, or the work at the discard pad, has changed."""

    def __init__(self, context: ApiContext, on_change: Callable[[], None]) -> None:
        self._context = context
        self._on_change = on_change
        self._active_deck = context.active_deck
        self._enrolment = context.enrolment
        steps: dict[str, Callable[[EnrolmentSession], None]] = {
            "undo": lambda session: session.do(Enrolling.undo),
            "skip": lambda session: session.do(Enrolling.skip),
            "stop": lambda session: session.stop(),
        }
        self.handlers: Handlers = {
            requests.Enrol: self._enrol,
            requests.EnrolOnly: self._enrol_only,
            requests.EnrolKind: self._enrol_kind,
            requests.EnrolStep: lambda request, _: self._act(steps[request.step]),
            requests.CheckDeck: self._check,
            requests.UseDeck: self._use,
            requests.ReadManifest: self._read_manifest,
            requests.DescribeDeck: self._describe,
            requests.RenameDeck: self._rename,
            requests.DeleteDeck: self._delete,
            requests.ReadDeck: self._read,
            requests.BringDeck: self._bring,
        }
        self._active_deck.add_listener(lambda _: on_change())

    def decks(self) -> DecksFacts:
        """Return all decks as they are now."""
        decks = self._active_deck.decks
        return DecksFacts(
            tuple(facts_of_deck(decks.deck(name)) for name in decks.names()),
            tuple(sorted(file.removesuffix(".json") for file in decks.faults)),
            self._active_deck.deck_name,
            self._active_deck.game,
        )

    def enrolment(self) -> EnrolmentFacts | None:
        """Return the active enrolment or check, or the previous one."""
        return self._enrolment.facts

    def _enrol(self, request: requests.Enrol, by: str) -> Result:
        name = _checked_name(request.deck)
        if request.game:
            _require_choice("game", request.game, GAMES)
        if request.kind:
            _require_choice("kind", request.kind, self._kinds(name, request.game))
        if name not in self._active_deck.decks.names():
            self._require_room()
        return self._begin(name, EnrolmentMode.ENROL, by, game=request.game, kind=request.kind)

    def _enrol_only(self, request: requests.EnrolOnly, by: str) -> Result:
        name = self._require_deck(request.deck)
        cards = card_set_for(self._active_deck.decks.deck(name))
        if not {*cards, *cards.controls}.issuperset(request.cards):
            raise RequestError("live", "wrong-field", field="cards")
        return self._begin(name, EnrolmentMode.REPLACE, by, only=tuple(dict.fromkeys(request.cards)))

    def _check(self, request: requests.CheckDeck, by: str) -> Result:
        return self._begin(self._require_deck(request.deck), EnrolmentMode.CHECK, by)

    def _begin(
        self, deck: str, mode: EnrolmentMode, by: str, *, game: str = "", kind: str = "", only: Sequence[str] = ()
    ) -> Result:
        self._require_free_pad()
        prompts = self._context.session.prompts
        if prompts.checking is not None or prompts.consent is not None:
            raise RequestError(CONTEXT, "asked")
        with _translating_errors():
            self._enrolment.begin(deck, game, mode, by, kind=kind, only=only)
        return {}

    def _enrol_kind(self, request: requests.EnrolKind, _: str) -> Result:
        active = self._enrolment.active
        kind = _require_choice("kind", request.kind, self._kinds("" if active is None else active.deck))
        return self._act(lambda session: session.do(lambda enrolling: enrolling.put_kind_first(kind)))

    def _act(self, act: Callable[[EnrolmentSession], None]) -> Result:
        """Apply a step to the active enrolment or check."""
        if self._enrolment.active is None:
            raise RequestError(CONTEXT, "nothing-on")
        with _translating_errors():
            act(self._enrolment)
        return {}

    def _use(self, request: requests.UseDeck, by: str) -> Result:
        self._require_free_pad()
        name = self._require_deck(request.deck)
        self._require_idle(self._active_deck.deck_name)
        if name != self._active_deck.deck_name:
            self._require_playable(self._active_deck.decks.deck(name))
            with _translating_errors():
                select_deck(self._active_deck, self._context.controller, name, by)
            start_game_with_deck(self._active_deck, self._context.controller, by)
        return {}

    def _read_manifest(self, request: requests.ReadManifest, _: str) -> Result:
        name = request.deck
        if name in self._active_deck.decks.names():
            deck = self._active_deck.decks.deck(name)
        else:
            deck = Deck(name, _require_choice("game", request.game, GAMES))
        sample = find_game(deck.game).sample if deck.game in GAMES else ""
        if not sample:
            raise RequestError(CONTEXT, "not-described")
        own_manifest = "" if request.anew else deck.manifest
        return {
            "game": deck.game,
            "manifest": json.loads(own_manifest) if own_manifest else {**json.loads(sample), "name": name},
            "described": deck.manifest,
        }

    def _describe(self, request: requests.DescribeDeck, by: str) -> Result:
        self._require_free_pad()
        name = _checked_name(request.deck)
        if name not in self._active_deck.decks.names():
            self._require_room()
        self._require_idle(name)
        with _translating_errors():
            manifest = manifest_in(request.manifest.encode(errors="replace"), _SOURCE)
            self._active_deck.reload()
            exists = name in self._active_deck.decks.names()
            game = self._active_deck.decks.deck(name).game if exists else _require_choice("game", request.game, GAMES)
            deck = self._active_deck.decks.with_manifest(name, game, manifest)
            if name == self._active_deck.deck_name:
                self._require_playable(deck)
            with self._activating(deck, by):
                self._active_deck.decks.save(deck)
        return {"need": len(tuple(card_set_for(deck)))}

    def _rename(self, request: requests.RenameDeck, _: str) -> Result:
        self._require_free_pad()
        name, new = self._require_deck(request.deck), _checked_name(request.name)
        decks = self._active_deck.decks
        if new in decks.names() and decks.deck(new) != replace(decks.deck(name), name=new):
            raise RequestError(CONTEXT, "name-taken", deck=new)
        try:
            with _translating_errors():
                decks.rename(name, new)
        finally:
            self._active_deck.leave_deleted_deck(new)
            self._on_change()
        return {}

    def _delete(self, request: requests.DeleteDeck, _: str) -> Result:
        self._require_free_pad()
        name = request.deck
        if f"{name}.json" not in self._active_deck.decks.faults:
            self._require_deck(name)
        self._require_idle(name)
        in_use = name == self._active_deck.deck_name
        try:
            with _translating_errors():
                backup = self._active_deck.decks.move_aside(name)
        finally:
            self._active_deck.leave_deleted_deck()
            select_first_deck(self._active_deck, self._context.controller)
            if in_use and not self._active_deck.deck_name:
                self._context.controller.note(DeckMissing(self._context.now_us()))
            self._on_change()
        return {"kept": backup.name}

    def _read(self, request: requests.ReadDeck, _: str) -> Result:
        with _translating_errors():
            return {"content": text_of(self._active_deck.decks.deck(self._require_deck(request.deck)))}

    def _bring(self, request: requests.BringDeck, by: str) -> Result:
        content = request.content.encode(errors="replace")
        self._require_free_pad()
        with _translating_errors():
            self._active_deck.reload()
            decks = self._active_deck.decks
            deck = deck_of(content, _SOURCE, card_set_of(deck_of(content, _SOURCE).game))
            if deck.name not in decks.names():
                self._require_room()
            self._require_idle(deck.name)
            for uid in (*deck.cards, *deck.controls):
                if (owner := self._context.members.find_by_tag(uid)) is not None:
                    raise RequestError("people", "in-deck", deck=deck.name, name=owner.name)
            if deck.name == self._active_deck.deck_name:
                self._require_playable(deck)
            with self._activating(deck, by):
                _, backup = decks.import_bytes(content, _SOURCE, card_set_of(deck.game), force=True)
        return {"deck": deck.name, "kept": None if backup is None else backup.name}

    @contextmanager
    def _activating(self, deck: Deck, by: str) -> Generator[None]:
        """Make the table use a deck that is written within this context, if it is the one in use or the first. This
        also happens after a `DeckError`: the deck is there if only the last step failed."""
        active_deck = self._active_deck
        try:
            yield
        finally:
            if deck.name in active_deck.decks.names() and active_deck.decks.deck(deck.name) == deck:
                if deck.name == active_deck.deck_name:
                    active_deck.use(deck.name)
                    start_game_with_deck(active_deck, self._context.controller, by)
                else:
                    select_first_deck(active_deck, self._context.controller)
            self._on_change()

    def _kinds(self, name: str, game: str = "") -> dict[str, int]:
        """Return the kinds of a deck, or of a new one for `game` ("": the table's game)."""
        if name in self._active_deck.decks.names():
            return dict(card_set_for(self._active_deck.decks.deck(name)).kinds)
        return dict(card_set_of(game or self._active_deck.game).kinds)

    def _require_playable(self, deck: Deck) -> None:
        """Raise RequestError for a deck that the players at the table can't play with."""
        if (objection := find_deck_objection(self._context.session, deck.game, deck.manifest)) is not None:
            raise RequestError(CONTEXT, "failed", reason=objection.removesuffix("."))

    def _require_deck(self, name: str) -> str:
        """Return the name of an existing deck, or raise RequestError."""
        if name not in self._active_deck.decks.names():
            raise RequestError(CONTEXT, "no-such-deck", deck=name)
        return name

    def _require_free_pad(self) -> None:
        """Raise RequestError while the discard pad is claimed."""
        if (active := self._enrolment.active) is not None:
            raise RequestError(CONTEXT, "busy", deck=active.deck)
        if member := self._context.member_cards.waiting_for:
            raise RequestError("people", "busy", name=self._context.members.names.get(member, ""))

    def _require_idle(self, deck: str) -> None:
        """Raise RequestError while a game with this deck is under way."""
        if deck and deck == self._active_deck.deck_name and self._context.session.table.scoreboard.under_way:
            raise RequestError(CONTEXT, "playing", deck=deck)

    def _require_room(self) -> None:
        if len(self._active_deck.decks.names()) >= MAX_DECKS:
            raise RequestError(CONTEXT, "too-many", most=MAX_DECKS)


def _checked_name(name: str) -> str:
    """Return a valid name of a deck, or raise RequestError."""
    if not is_deck_name(name):
        raise RequestError(CONTEXT, "no-name")
    return name


def _require_choice(field: str, name: str, known: Collection[str]) -> str:
    if name not in known:
        raise RequestError("live", "wrong-choice", field=field, known=", ".join(known))
    return name


@contextmanager
def _translating_errors() -> Generator[None]:
    """Turn errors of decks into reasons for the requester."""
    try:
        yield
    except DeckFaults as faults:
        _log.warning("Deck request refused: %s", faults)
        raise RequestError(CONTEXT, "faults", reason=faults) from faults
    except (ConfigError, DeckError) as error:
        _log.warning("Deck request refused: %s", error)
        raise RequestError(CONTEXT, "failed", reason=str(error).removesuffix(".")) from error
