"""Decks at the page: enrolling and checking them at the discard pad, choosing one to play with, names, files. Cards
come by the pad only; what they become is the dialogue's of `taptable deck`. Must not know a rule of a game."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from taptable.core.errors import ConfigError, DeckError
from taptable.core.notices import DeckChosen, DeckMissing, EnrolmentBegan, EnrolmentEnded, EnrolmentSays
from taptable.daemon.dealing import deal, is_under_way, why_not_dealt
from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.table_desk import CHECK, ENROL, REPLACE, TableDesk
from taptable.daemon.topics.around import Around
from taptable.daemon.topics.decks_shown import FORM, EnrolmentPart, decks_part, form_of, words_for
from taptable.edges.page.annex import Unfit
from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.edges.page.topics import Asker, Verb
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import Deck, is_name
from taptable.memory.deckfaults import DeckFaults
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.manifests import card_set_of, cards_for, manifest_in
from taptable.referee.session import Happening, Session

CONTEXT = "decks"
"""Of the catalogues: the sentences of this topic."""

MOST_DECKS = 50
"""The page keeps no more: nobody has so many cards, and a disk has an end."""
MOST_AGAIN = 40
"""Cards that can be asked for by name at a time."""

OF_DECKS = (DeckChosen, DeckMissing, EnrolmentBegan, EnrolmentSays, EnrolmentEnded)
"""What is told when a deck changes, or what is on."""

Answer = Mapping[str, Any]
Act = Callable[[Fields, Asker], Awaitable[Answer]]

MOST_BYTES = 60_000
"""Letters of a manifest: what fits into a message to the page."""

_BROUGHT = "from the page"
_log = logging.getLogger(__name__)


class DecksTopic:
    """The topic of one table, and the shelf of its decks' files."""

    shelf = "decks"
    anyone = False

    def __init__(self, around: Around) -> None:
        self._around = around
        self._feed: Feed | None = None
        self.verbs: Mapping[str, Verb] = {
            "enrol": Verb(self._enrol),
            "enrol-only": Verb(self._enrol_only),
            "enrol-kind": Verb(self._enrol_kind),
            "enrol-undo": Verb(self._at_desk(lambda desk: desk.undo())),
            "enrol-skip": Verb(self._at_desk(lambda desk: desk.skip())),
            "enrol-stop": Verb(self._at_desk(lambda desk: desk.stop())),
            "check-deck": Verb(self._check),
            "use-deck": Verb(self._use),
            "read-manifest": Verb(self._read_manifest),
            "describe-deck": Verb(self._describe),
            "rename-deck": Verb(self._rename),
            "delete-deck": Verb(self._delete),
        }
        self._playing.on_use(lambda _: self._show())

    def attach(self, feed: Feed) -> None:
        """The page begins."""
        self._feed = feed
        self._show()

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened; a deck is changed by nothing but this."""
        del session
        if any(isinstance(happening, OF_DECKS) for happening in happened):
            self._show()

    async def take(self, name: str, asker: Asker) -> bytes:
        """A deck as its file has it."""
        with _refusing(asker):
            return text_of(self._playing.decks.deck(self._known(name, asker))).encode()

    async def bring(self, content: bytes, asker: Asker) -> Answer:
        """Take a deck in under the name in its file; one that it replaces is kept aside."""
        self._be_free(asker)
        with _refusing(asker):
            self._playing.look_again()
            decks = self._playing.decks
            deck = deck_of(content, _BROUGHT, card_set_of(deck_of(content, _BROUGHT).game))
            if deck.name not in decks.names():
                self._leave_room(asker)
            self._be_idle(deck.name, asker)
            if deck.name == self._playing.in_use:
                self._be_dealt(deck, asker)
            _, kept = decks.take_in(content, _BROUGHT, card_set_of(deck.game), force=True)
        if deck.name == self._playing.in_use:
            self._playing.use(deck.name)
            deal(self._playing, self._around.proceedings(), asker.name)
        self._show()
        return {"deck": deck.name, "kept": None if kept is None else kept.name}

    @property
    def _playing(self) -> PlayingDeck:
        return self._around.decks

    @property
    def _desk(self) -> TableDesk:
        return self._around.desk

    def _show(self) -> None:
        if self._feed is None:
            return
        shown = self._desk.shown
        self._feed.put("enrolment", None if shown is None else EnrolmentPart(shown))
        self._feed.put("decks", decks_part(self._playing))

    async def _enrol(self, fields: Fields, asker: Asker) -> Answer:
        """Enrol a deck, a new one too; one kind before the others, if one is named."""
        name = self._name(fields, "deck")
        game = fields.one_of("game", GAMES) if "game" in fields else ""
        kind = fields.one_of("kind", self._kinds(name, game)) if "kind" in fields else ""
        if name not in self._playing.decks.names():
            self._leave_room(asker)
        return self._begin(name, ENROL, asker, game=game, kind=kind)

    async def _enrol_only(self, fields: Fields, asker: Asker) -> Answer:
        """New cards for some that are lost, and for controls."""
        name = self._known(fields.text("deck"), asker)
        cards = cards_for(self._playing.decks.deck(name))
        known = {*cards, *cards.controls}
        only = fields.texts("cards", MOST_AGAIN)
        if not only or not known.issuperset(only):
            raise fields.wrong("cards")
        return self._begin(name, REPLACE, asker, only=tuple(dict.fromkeys(only)))

    async def _check(self, fields: Fields, asker: Asker) -> Answer:
        return self._begin(self._known(fields.text("deck"), asker), CHECK, asker)

    def _begin(
        self, deck: str, how: str, asker: Asker, *, game: str = "", kind: str = "", only: Sequence[str] = ()
    ) -> Answer:
        self._be_free(asker)
        manners = self._around.proceedings().session.manners
        if manners.checking is not None or manners.consent is not None:
            raise Unfit(asker.words.text(CONTEXT, "asked"))
        with _refusing(asker):
            self._desk.begin(deck, game, how, asker.name, kind=kind, only=only)
        return {}

    async def _enrol_kind(self, fields: Fields, asker: Asker) -> Answer:
        on = self._desk.on
        kind = fields.one_of("kind", self._kinds("" if on is None else on.deck))
        return await self._at_desk(lambda desk: desk.do_kind(kind))(fields, asker)

    def _at_desk(self, act: Callable[[TableDesk], None]) -> Act:
        """Something that is done to what is on."""

        async def do(fields: Fields, asker: Asker) -> Answer:
            if self._desk.on is None:
                raise Unfit(fields.words.text(CONTEXT, "nothing-on"))
            with _refusing(asker):
                act(self._desk)
            return {}

        return do

    async def _use(self, fields: Fields, asker: Asker) -> Answer:
        """Play with a deck from now on."""
        self._be_free(asker)
        name = self._known(fields.text("deck"), asker)
        self._be_idle(self._playing.in_use, asker)
        if name != self._playing.in_use:
            self._be_dealt(self._playing.decks.deck(name), asker)
            with _refusing(asker):
                self._playing.use(name)
            self._around.proceedings().note(DeckChosen(self._around.now_us(), name, asker.name))
            deal(self._playing, self._around.proceedings(), asker.name)
        return {}

    async def _read_manifest(self, fields: Fields, asker: Asker) -> Answer:
        """What describes the cards of a deck; or a game's sample under its name, to begin with."""
        name = fields.text("deck")
        if name in self._playing.decks.names():
            deck = self._playing.decks.deck(name)
        else:
            deck = Deck(name, fields.one_of("game", GAMES))
        sample = find_game(deck.game).sample if deck.game in GAMES else ""
        if not sample:
            raise Unfit(asker.words.text(CONTEXT, "not-described"))
        own = "" if fields.flag("anew") else deck.manifest
        return {
            "game": deck.game,
            "manifest": json.loads(own) if own else {**json.loads(sample), "name": name},
            "form": form_of(deck.game),
            "words": words_for(deck, asker.words).all(FORM),
        }

    async def _describe(self, fields: Fields, asker: Asker) -> Answer:
        """A deck has these cards from now on, a new one too; its tags stay what they are."""
        self._be_free(asker)
        name = self._name(fields, "deck")
        if name not in self._playing.decks.names():
            self._leave_room(asker)
        self._be_idle(name, asker)
        with _refusing(asker):
            manifest = manifest_in(fields.document("manifest", MOST_BYTES).encode(errors="replace"), _BROUGHT)
            self._playing.look_again()
            there = name in self._playing.decks.names()
            game = self._playing.decks.deck(name).game if there else fields.one_of("game", GAMES)
            deck = self._playing.decks.described(name, game, manifest)
            if name == self._playing.in_use:
                self._be_dealt(deck, asker)
            self._playing.decks.save(deck)
        if name == self._playing.in_use:
            deal(self._playing, self._around.proceedings(), asker.name)
        self._show()
        return {"need": len(tuple(cards_for(deck)))}

    async def _rename(self, fields: Fields, asker: Asker) -> Answer:
        self._be_free(asker)
        name, new = self._known(fields.text("deck"), asker), self._name(fields, "name")
        if new in self._playing.decks.names():
            raise Unfit(asker.words.text(CONTEXT, "name-taken", {"deck": new}))
        in_use = name == self._playing.in_use
        with _refusing(asker):
            self._playing.decks.rename(name, new)
            if in_use:
                self._playing.use(new)
        self._show()
        return {}

    async def _delete(self, fields: Fields, asker: Asker) -> Answer:
        """Take a deck, or a damaged file, out of use; its file is kept aside."""
        self._be_free(asker)
        name = fields.text("deck")
        if f"{name}.json" not in self._playing.decks.faults:
            self._known(name, asker)
        self._be_idle(name, asker)
        in_use = name == self._playing.in_use
        with _refusing(asker):
            kept = self._playing.decks.set_aside(name)
        if in_use:
            self._playing.put_away()
            self._around.proceedings().note(DeckMissing(self._around.now_us()))
        self._show()
        return {"kept": kept.name}

    def _kinds(self, name: str, game: str = "") -> dict[str, int]:
        """The kinds of a deck, or of one that will be for this game, or the one at the table."""
        if name in self._playing.decks.names():
            return dict(cards_for(self._playing.decks.deck(name)).kinds)
        return dict(card_set_of(game or self._playing.game).kinds)

    def _be_dealt(self, deck: Deck, asker: Asker) -> None:
        """Unfit for a deck with which those at the table can't play."""
        if (why := why_not_dealt(self._around.proceedings().session, deck.game, deck.manifest)) is not None:
            raise Unfit(asker.words.text(CONTEXT, "failed", {"reason": why.removesuffix(".")}))

    def _name(self, fields: Fields, field: str) -> str:
        """A name that a deck can have."""
        name = fields.text(field)
        if not is_name(name):
            raise Unfit(fields.words.text(CONTEXT, "no-name"))
        return name

    def _known(self, name: str, asker: Asker) -> str:
        """The name of a deck that there is."""
        if name not in self._playing.decks.names():
            raise Unfit(asker.words.text(CONTEXT, "no-such-deck", {"deck": name}))
        return name

    def _be_free(self, asker: Asker) -> None:
        """Unfit while something is on at the discard pad."""
        if (on := self._desk.on) is not None:
            raise Unfit(asker.words.text(CONTEXT, "busy", {"deck": on.deck}))

    def _be_idle(self, deck: str, asker: Asker) -> None:
        """Unfit while a game is played with this deck."""
        if deck and deck == self._playing.in_use and is_under_way(self._around.proceedings().session):
            raise Unfit(asker.words.text(CONTEXT, "playing", {"deck": deck}))

    def _leave_room(self, asker: Asker) -> None:
        if len(self._playing.decks.names()) >= MOST_DECKS:
            raise Unfit(asker.words.text(CONTEXT, "too-many", {"most": MOST_DECKS}))


@contextmanager
def _refusing(asker: Asker) -> Generator[None]:
    """What can't be done with a deck, as a sentence for who asked."""
    try:
        yield
    except DeckFaults as faults:
        _log.warning("%s", faults)
        raise Unfit(asker.words.text(CONTEXT, "faults", {"reason": faults.told(asker.words)})) from faults
    except (ConfigError, DeckError) as error:
        _log.warning("%s", error)
        raise Unfit(asker.words.text(CONTEXT, "failed", {"reason": str(error).removesuffix(".")})) from error
