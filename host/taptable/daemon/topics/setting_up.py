"""Setting up games at the page: what can be chosen, presets, names of players, a new game. A set-up goes through the
proceedings like any card; what a game can be played with is in `choices`. Must not know a rule."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from taptable.core.errors import DeckError, PresetsError
from taptable.core.notices import DeckChosen, DeckMissing, PlayersNamed
from taptable.core.observations import DISCARD_PAD, GameSetUp
from taptable.daemon.agreement import as_wired, configured_in
from taptable.daemon.topics.answering import Answer, answer
from taptable.daemon.topics.around import Around
from taptable.daemon.topics.choices import Choices, SetUpPart, of_players
from taptable.edges.page.annex import Unfit
from taptable.edges.page.correcting import WhyNot
from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.edges.page.topics import Asker, Verb
from taptable.games.registry import GAMES, find_game
from taptable.memory.preset import LONGEST_NAME, Preset, SetUp
from taptable.memory.presets import MOST_PRESETS
from taptable.referee.session import Happening, Judged, Session
from taptable.referee.step import begins_anew
from taptable.words import Words

_log = logging.getLogger(__name__)


class SettingUp:
    """The topic of one table."""

    def __init__(self, around: Around) -> None:
        self._around = around
        every = {game: Choices(around.config, game) for game in GAMES}
        self._choices = {game: choices for game, choices in every.items() if choices.playable}
        self._words = Words(around.config.table.language)
        self._feed: Feed | None = None
        self._shown: tuple[object, ...] = ()
        self.verbs: Mapping[str, Verb] = {
            "new-game": Verb(self._new_game),
            "set-up": Verb(self._set_up),
            "save-preset": Verb(self._save),
            "delete-preset": Verb(self._delete),
            "name-players": Verb(self._name_players),
        }
        around.decks.on_use(self._keep_deck)

    def attach(self, feed: Feed) -> None:
        """The page begins."""
        self._feed = feed
        self._show(self._around.proceedings().session)

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened, which may be another agreement or other names."""
        del happened
        shown = (session.table.game.name, session.table.agreed, session.names)
        if shown != self._shown:
            self._shown = shown
            self._show(session)

    def _show(self, session: Session) -> None:
        if self._feed is None:
            return
        agreed = session.table.agreed
        names = of_players(session.names, agreed.players)
        now = SetUp(session.table.game.name, agreed, agreed.starter is None, names, "")
        presets = [
            {
                "name": preset.name,
                **choices.said(preset.set_up, self._decks(preset.set_up.game)),
                "fits": choices.fits(preset.set_up, self._words),
            }
            for preset in self._around.presets.presets
            if (choices := self._choices.get(preset.set_up.game)) is not None
        ]
        self._feed.put("names", list(names))
        agreed_now = self._choices[now.game].said(now, self._decks(now.game))
        seats = len(self._around.config.seats)
        self._feed.put("setup", SetUpPart(seats, tuple(self._choices.values()), presets, agreed_now))

    async def _new_game(self, _: Fields, asker: Asker) -> Answer:
        """As agreed now."""
        return _begun(self._around.proceedings().use_control("new-game", DISCARD_PAD, asker.name), asker)

    async def _set_up(self, fields: Fields, asker: Asker) -> Answer:
        """Another game, agreed as the message says."""
        set_up = self._read(fields)
        if self._around.desk.on is not None:
            # before the deck is another one, with which the game that runs could not be played on
            raise Unfit(WhyNot("notice", "discard-pad-taken", {}).text(asker.words))
        # the next start has to know whether the configuration was edited after this
        self._keep(lambda: self._around.presets.see(configured_in(self._around.config)), asker)
        self._use_deck(set_up, asker)
        agreed = as_wired(self._around.config, find_game(set_up.game), set_up.agreed)
        agreed = replace(agreed, manifest=self._around.decks.manifest)
        happened = self._around.proceedings().observe(
            lambda at_us: GameSetUp(at_us, set_up.game, agreed, set_up.heir_kept), asker.name
        )
        answered = _begun(happened, asker)
        self._name(set_up.names)
        return answered

    async def _name_players(self, fields: Fields, _: Asker) -> Answer:
        """The players are called so from now on; the game goes on."""
        players = self._around.proceedings().session.table.agreed.players
        self._name(of_players(fields.names("names", players), players))
        return {}

    async def _save(self, fields: Fields, asker: Asker) -> Answer:
        """A preset, in place of one with the same name."""
        name = fields.text("name", LONGEST_NAME)
        presets = self._around.presets
        if not name:
            raise Unfit(asker.words.text("setting-up", "no-name"))
        if len(presets.presets) >= MOST_PRESETS and name not in {preset.name for preset in presets.presets}:
            raise Unfit(asker.words.text("setting-up", "too-many", {"most": MOST_PRESETS}))
        set_up = self._read(fields)
        return self._keep(lambda: presets.save(Preset(name, set_up)), asker)

    async def _delete(self, fields: Fields, asker: Asker) -> Answer:
        """A preset of this name is none any more."""
        name = fields.text("name", LONGEST_NAME)
        return self._keep(lambda: self._around.presets.delete(name), asker)

    def _keep(self, change: Callable[[], None], asker: Asker) -> Answer:
        try:
            change()
        except PresetsError as error:
            _log.error("%s", error)
            raise Unfit(asker.words.text("setting-up", "not-kept")) from error
        self._show(self._around.proceedings().session)
        return {}

    def _name(self, names: tuple[str, ...]) -> None:
        proceedings = self._around.proceedings()
        if names != of_players(proceedings.session.names, len(names)):
            proceedings.note(PlayersNamed(self._around.now_us(), names))

    def _read(self, fields: Fields) -> SetUp:
        """The set-up in a message: of the game at the table, where it names none."""
        game = fields.one_of("game", self._choices) if "game" in fields else self._around.decks.game
        decks = self._around.decks

        def manifest_of(deck: str) -> str:
            found = deck or decks.fitting(game)
            return decks.decks.deck(found).manifest if found else ""

        return self._choices[game].read(fields, self._decks(game), manifest_of)

    def _decks(self, game: str) -> tuple[str, ...]:
        return tuple(name for name, _ in self._around.decks.names_for(game))

    def _use_deck(self, set_up: SetUp, asker: Asker) -> None:
        """The game is played with its deck, or with one that fits it; with none where there is none."""
        decks = self._around.decks
        deck = set_up.deck or decks.fitting(set_up.game)
        if deck == "":
            if set_up.game != decks.game:
                decks.turn_to(set_up.game)
                self._around.proceedings().note(DeckMissing(self._around.now_us()))
            return
        if deck == decks.in_use:
            return
        try:
            decks.use(deck, set_up.game)
        except DeckError as error:
            raise Unfit(asker.words.text("setting-up", "no-deck", {"deck": deck})) from error
        self._around.proceedings().note(DeckChosen(self._around.now_us(), deck, asker.name))

    def _keep_deck(self, deck: str) -> None:
        """Another deck is played with, and will be after the next start too."""
        try:
            self._around.presets.see(configured_in(self._around.config))
            self._around.presets.choose_deck(deck)
        except PresetsError as error:
            _log.error("%s", error)
        self._show(self._around.proceedings().session)


def _begun(happened: Sequence[Happening], asker: Asker) -> Answer:
    """What the table said to a new game; Unfit where it has other things to do."""
    answered = answer(happened, asker)
    begins = any(isinstance(each, Judged) and begins_anew(each.observation, each.verdict) for each in happened)
    if happened and not begins:
        raise Unfit(answered["said"][-1]["text"])
    return answered
