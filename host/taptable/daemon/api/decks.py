"""Requests that are about decks: enrolling and checking them at the discard pad, choosing one to play with, names, what
describes their cards, files. Cards come by the pad only; what they become is the dialogue's of `taptable deck`. Must
not know a rule of a game."""

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
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.daemon.enrolment_dialogue import Enrolling
from taptable.daemon.enrolment_session import EnrolmentSession
from taptable.daemon.playing_deck import choose, deal, take_first, why_not_dealt
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import Deck, DeckFaults, card_set_of, cards_for, is_name, manifest_in
from taptable.memory.deckfile import deck_of, text_of

CONTEXT = "decks"
"""The context of these requests' sentences in the catalogues."""

MOST_DECKS = 50
"""The page keeps no more: nobody has so many cards, and a disk has an end."""

OF_DECKS = (DeckChosen, DeckMissing, EnrolmentBegan, EnrolmentSays, EnrolmentEnded)
"""What is told when a deck changes, or what is on."""

_BROUGHT = "from the page"
_log = logging.getLogger(__name__)


class DeckRequests:
    """Those of one table; `changed` is called when a deck has, or what is on at the discard pad."""

    def __init__(self, context: ApiContext, changed: Callable[[], None]) -> None:
        self._context = context
        self._changed = changed
        self._playing = context.decks
        self._session = context.enrolment
        steps: dict[str, Callable[[EnrolmentSession], None]] = {
            "undo": lambda session: session.do(Enrolling.undo),
            "skip": lambda session: session.do(Enrolling.skip),
            "stop": lambda session: session.stop(),
        }
        self.handlers: Handlers = {
            requests.Enrol: self._enrol,
            requests.EnrolOnly: self._enrol_only,
            requests.EnrolKind: self._enrol_kind,
            requests.EnrolStep: lambda wanted, _: self._act(steps[wanted.step]),
            requests.CheckDeck: self._check,
            requests.UseDeck: self._use,
            requests.ReadManifest: self._read_manifest,
            requests.DescribeDeck: self._describe,
            requests.RenameDeck: self._rename,
            requests.DeleteDeck: self._delete,
            requests.ReadDeck: self._read,
            requests.BringDeck: self._bring,
        }
        self._playing.on_use(lambda _: changed())

    def decks(self) -> DecksFacts:
        """All decks, as they are now."""
        decks = self._playing.decks
        return DecksFacts(
            tuple(facts_of_deck(decks.deck(name)) for name in decks.names()),
            tuple(sorted(file.removesuffix(".json") for file in decks.faults)),
            self._playing.in_use,
            self._playing.game,
        )

    def enrolment(self) -> EnrolmentFacts | None:
        """What is on at the discard pad, or was last."""
        return self._session.shown

    def _enrol(self, wanted: requests.Enrol, by: str) -> Result:
        name = _name(wanted.deck)
        if wanted.game:
            _one_of("game", wanted.game, GAMES)
        if wanted.kind:
            _one_of("kind", wanted.kind, self._kinds(name, wanted.game))
        if name not in self._playing.decks.names():
            self._leave_room()
        return self._begin(name, EnrolmentMode.ENROL, by, game=wanted.game, kind=wanted.kind)

    def _enrol_only(self, wanted: requests.EnrolOnly, by: str) -> Result:
        name = self._known(wanted.deck)
        cards = cards_for(self._playing.decks.deck(name))
        if not {*cards, *cards.controls}.issuperset(wanted.cards):
            raise RequestError("live", "wrong-field", field="cards")
        return self._begin(name, EnrolmentMode.REPLACE, by, only=tuple(dict.fromkeys(wanted.cards)))

    def _check(self, wanted: requests.CheckDeck, by: str) -> Result:
        return self._begin(self._known(wanted.deck), EnrolmentMode.CHECK, by)

    def _begin(
        self, deck: str, how: EnrolmentMode, by: str, *, game: str = "", kind: str = "", only: Sequence[str] = ()
    ) -> Result:
        self._be_free()
        prompts = self._context.session.prompts
        if prompts.checking is not None or prompts.consent is not None:
            raise RequestError(CONTEXT, "asked")
        with _refusing():
            self._session.begin(deck, game, how, by, kind=kind, only=only)
        return {}

    def _enrol_kind(self, wanted: requests.EnrolKind, _: str) -> Result:
        on = self._session.on
        kind = _one_of("kind", wanted.kind, self._kinds("" if on is None else on.deck))
        return self._act(lambda session: session.do(lambda enrolling: enrolling.do_kind(kind)))

    def _act(self, act: Callable[[EnrolmentSession], None]) -> Result:
        """Do something to what is on."""
        if self._session.on is None:
            raise RequestError(CONTEXT, "nothing-on")
        with _refusing():
            act(self._session)
        return {}

    def _use(self, wanted: requests.UseDeck, by: str) -> Result:
        self._be_free()
        name = self._known(wanted.deck)
        self._be_idle(self._playing.in_use)
        if name != self._playing.in_use:
            self._be_dealt(self._playing.decks.deck(name))
            with _refusing():
                choose(self._playing, self._context.controller, name, by)
            deal(self._playing, self._context.controller, by)
        return {}

    def _read_manifest(self, wanted: requests.ReadManifest, _: str) -> Result:
        name = wanted.deck
        if name in self._playing.decks.names():
            deck = self._playing.decks.deck(name)
        else:
            deck = Deck(name, _one_of("game", wanted.game, GAMES))
        sample = find_game(deck.game).sample if deck.game in GAMES else ""
        if not sample:
            raise RequestError(CONTEXT, "not-described")
        own = "" if wanted.anew else deck.manifest
        return {
            "game": deck.game,
            "manifest": json.loads(own) if own else {**json.loads(sample), "name": name},
            "described": deck.manifest,
        }

    def _describe(self, wanted: requests.DescribeDeck, by: str) -> Result:
        self._be_free()
        name = _name(wanted.deck)
        if name not in self._playing.decks.names():
            self._leave_room()
        self._be_idle(name)
        with _refusing():
            manifest = manifest_in(wanted.manifest.encode(errors="replace"), _BROUGHT)
            self._playing.look_again()
            there = name in self._playing.decks.names()
            game = self._playing.decks.deck(name).game if there else _one_of("game", wanted.game, GAMES)
            deck = self._playing.decks.described(name, game, manifest)
            if name == self._playing.in_use:
                self._be_dealt(deck)
            with self._following(deck, by):
                self._playing.decks.save(deck)
        return {"need": len(tuple(cards_for(deck)))}

    def _rename(self, wanted: requests.RenameDeck, _: str) -> Result:
        self._be_free()
        name, new = self._known(wanted.deck), _name(wanted.name)
        decks = self._playing.decks
        if new in decks.names() and decks.deck(new) != replace(decks.deck(name), name=new):
            raise RequestError(CONTEXT, "name-taken", deck=new)
        try:
            with _refusing():
                decks.rename(name, new)
        finally:
            self._playing.follow(new)
            self._changed()
        return {}

    def _delete(self, wanted: requests.DeleteDeck, _: str) -> Result:
        self._be_free()
        name = wanted.deck
        if f"{name}.json" not in self._playing.decks.faults:
            self._known(name)
        self._be_idle(name)
        in_use = name == self._playing.in_use
        try:
            with _refusing():
                kept = self._playing.decks.set_aside(name)
        finally:
            self._playing.follow()
            take_first(self._playing, self._context.controller)
            if in_use and not self._playing.in_use:
                self._context.controller.note(DeckMissing(self._context.now_us()))
            self._changed()
        return {"kept": kept.name}

    def _read(self, wanted: requests.ReadDeck, _: str) -> Result:
        with _refusing():
            return {"content": text_of(self._playing.decks.deck(self._known(wanted.deck)))}

    def _bring(self, wanted: requests.BringDeck, by: str) -> Result:
        content = wanted.content.encode(errors="replace")
        self._be_free()
        with _refusing():
            self._playing.look_again()
            decks = self._playing.decks
            deck = deck_of(content, _BROUGHT, card_set_of(deck_of(content, _BROUGHT).game))
            if deck.name not in decks.names():
                self._leave_room()
            self._be_idle(deck.name)
            for uid in (*deck.cards, *deck.controls):
                if (owner := self._context.members.whose(uid)) is not None:
                    raise RequestError("people", "in-deck", deck=deck.name, name=owner.name)
            if deck.name == self._playing.in_use:
                self._be_dealt(deck)
            with self._following(deck, by):
                _, kept = decks.take_in(content, _BROUGHT, card_set_of(deck.game), force=True)
        return {"deck": deck.name, "kept": None if kept is None else kept.name}

    @contextmanager
    def _following(self, deck: Deck, by: str) -> Generator[None]:
        """Have the table play with a deck that is written meanwhile, if it is the one in use or the first. After a
        `DeckError`, too: the deck is there if only the last step failed."""
        playing = self._playing
        try:
            yield
        finally:
            if deck.name in playing.decks.names() and playing.decks.deck(deck.name) == deck:
                if deck.name == playing.in_use:
                    playing.use(deck.name)
                    deal(playing, self._context.controller, by)
                else:
                    take_first(playing, self._context.controller)
            self._changed()

    def _kinds(self, name: str, game: str = "") -> dict[str, int]:
        """The kinds of a deck, or of one that will be for this game, or the one at the table."""
        if name in self._playing.decks.names():
            return dict(cards_for(self._playing.decks.deck(name)).kinds)
        return dict(card_set_of(game or self._playing.game).kinds)

    def _be_dealt(self, deck: Deck) -> None:
        """RequestError for a deck with which those at the table can't play."""
        if (why := why_not_dealt(self._context.session, deck.game, deck.manifest)) is not None:
            raise RequestError(CONTEXT, "failed", reason=why.removesuffix("."))

    def _known(self, name: str) -> str:
        """The name of a deck that there is."""
        if name not in self._playing.decks.names():
            raise RequestError(CONTEXT, "no-such-deck", deck=name)
        return name

    def _be_free(self) -> None:
        """RequestError while something is on at the discard pad."""
        if (on := self._session.on) is not None:
            raise RequestError(CONTEXT, "busy", deck=on.deck)
        if member := self._context.member_cards.on:
            raise RequestError("people", "busy", name=self._context.members.names.get(member, ""))

    def _be_idle(self, deck: str) -> None:
        """RequestError while a game is played with this deck."""
        if deck and deck == self._playing.in_use and self._context.session.table.scoreboard.under_way:
            raise RequestError(CONTEXT, "playing", deck=deck)

    def _leave_room(self) -> None:
        if len(self._playing.decks.names()) >= MOST_DECKS:
            raise RequestError(CONTEXT, "too-many", most=MOST_DECKS)


def _name(name: str) -> str:
    """A name that a deck can have."""
    if not is_name(name):
        raise RequestError(CONTEXT, "no-name")
    return name


def _one_of(field: str, name: str, known: Collection[str]) -> str:
    if name not in known:
        raise RequestError("live", "wrong-choice", field=field, known=", ".join(known))
    return name


@contextmanager
def _refusing() -> Generator[None]:
    """What can't be done with a deck, as a reason for who asked."""
    try:
        yield
    except DeckFaults as faults:
        _log.warning("%s", faults)
        raise RequestError(CONTEXT, "faults", reason=faults) from faults
    except (ConfigError, DeckError) as error:
        _log.warning("%s", error)
        raise RequestError(CONTEXT, "failed", reason=str(error).removesuffix(".")) from error
