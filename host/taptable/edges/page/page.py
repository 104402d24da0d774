"""The page of one table: follows what happened, keeps the feed, and serves it. Parts are made from the session only
when somebody asks for them, so that a table at which nobody looks pays next to nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from taptable import __version__
from taptable.config import Config
from taptable.core.game import Game
from taptable.core.notices import Notice
from taptable.core.sightings import Sighting
from taptable.edges.cues.guests import ShowCode
from taptable.edges.cues.lamps import PATTERNS
from taptable.edges.cues.standing import Standing, stand
from taptable.edges.cues.telling import told
from taptable.edges.page import view
from taptable.edges.page.annex import Annex
from taptable.edges.page.app import make_app
from taptable.edges.page.connection import Connections
from taptable.edges.page.controls import forms_of
from taptable.edges.page.devices import Devices
from taptable.edges.page.feed import Feed, Had
from taptable.edges.page.pairing import Pairing
from taptable.edges.page.server import Server
from taptable.edges.page.topics import Shelf, Topic, Verb
from taptable.edges.page.turnstile import Turnstile
from taptable.edges.power_button import SwitchOff
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.pairings import Pairings, pairings_of
from taptable.referee.session import Happening, Session
from taptable.referee.step import Table
from taptable.words import LANGUAGES, Vocabulary, Words

LOG_KEPT = 200
FASTEST = 1000.0
"""What is said of a speed without a limit, which JSON hasn't got."""

CONTEXTS = (
    *("page", "guide", "card", "control", "pad", "part", "place", "line", "meaning", "unit", "setting", "edition"),
    *("count-of", "token"),
)
"""The contexts of the catalogues whose words a browser gets."""


class Page:
    """To be made and opened on the loop that runs it. `switch_off` is None where nothing can; `topics` are what people
    may ask for; where the page is open to the network, `show_code` shows at the table a code to who is to be paired,
    and `invite` the page's address."""

    def __init__(
        self,
        config: Config,
        port: int,
        report: Callable[[Sighting], None],
        now_us: Callable[[], int],
        annex: Annex | None = None,
        switch_off: SwitchOff | None = None,
        topics: Sequence[Topic] = (),
        show_code: ShowCode = lambda _: "log",
        invite: Callable[[], bool] = lambda: False,
    ) -> None:
        self.switch_off = switch_off
        network = config.page is not None and config.page.network
        self.pairing: Pairing | None = None
        self.cookie = f"taptable-{port}"  # a browser keeps the cookies of all ports of a computer together
        if network:
            self.pairing = Pairing(Pairings(pairings_of(config.table.journal)), now_us, show_code)
            topics = (*topics, Devices(self.pairing, lambda: self._clients.look_again(), invite))
        self._topics: Sequence[Topic] = topics
        self.shelves: Mapping[str, Shelf] = {topic.shelf: topic for topic in topics if isinstance(topic, Shelf)}
        self.verbs: Mapping[str, Verb] = {name: verb for topic in topics for name, verb in topic.verbs.items()}
        self.feed = Feed()
        self.feed.open_stream("log", LOG_KEPT)
        self.annex = annex
        self._vocabulary = Vocabulary((package_of(config.game.name),))
        self.language = config.table.language
        self._config = config
        self._now_us = now_us
        self._session: Session | None = None
        self._standing: Standing = {}
        self._stuck = False
        self._stale = False
        self._words: dict[str, Words] = {}
        self.turnstile = Turnstile()
        self._clients = Connections(self)
        app = make_app(self, self._clients.serve, self.turnstile)
        self._server = Server(app, port, self._clients.leave, report, now_us, network=network)

    @property
    def address(self) -> str:
        """Where a browser on this computer finds it."""
        return f"http://localhost:{self._server.port}/"

    def open(self) -> None:
        """Begin to serve; a port that is taken is reported and tried again."""
        for topic in self._topics:
            topic.attach(self.feed)
        if self.annex is not None:
            self.annex.attach(self.feed, lambda: self.feed.heard)
        self._server.open()

    def break_off(self) -> None:
        """Let go of all clients without a word, as when the process ends; to be closed all the same."""
        self._server.break_off()

    async def close(self) -> None:
        """Tell the clients that the table leaves, and serve no more."""
        if self.annex is not None:
            self.annex.detach()
        if self.pairing is not None:
            self.pairing.close()
        await self._server.close()

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened; whoever looks is told soon."""
        for happening in happened:
            if isinstance(happening, Notice):
                self._standing = stand(self._standing, happening)
            self.feed.add("log", *map(view.LogItem, told(happening)))
        for topic in self._topics:
            topic.follow(happened, session)
        if self._session is None or _is_other(self._session.table, session.table):
            self._turn_to(session.table)
        self._session = session
        self._stuck = self._stuck and not happened
        self._stir()

    def mourn(self) -> None:
        """Nothing can be written down."""
        self._stuck = True
        self._stir()

    def words(self, language: str) -> Words:
        """The words of one of the `LANGUAGES`."""
        if language not in self._words:
            self._words[language] = Words(language, self._vocabulary)
        return self._words[language]

    def greet(self, had: Had, words: Words) -> tuple[str, Had]:
        """The first message to a client, and what it has then."""
        self._publish()
        return self.feed.greet(had, words, self._moment())

    def catch_up(self, had: Had, words: Words) -> tuple[str | None, Had]:
        """What a client lacks, None if nothing, and what it has then."""
        self._publish()
        return self.feed.catch_up(had, words, self._moment())

    @property
    def speed(self) -> float:
        """How many seconds of table time pass in a second outside."""
        return 1.0 if self.annex is None else min(self.annex.speed, FASTEST)

    async def outside(self, seconds: float) -> None:
        """Wait while so many seconds pass outside."""
        await (asyncio.sleep(seconds) if self.annex is None else self.annex.outside(seconds))

    def about(self) -> dict[str, Any]:
        """What a browser is told before anything else."""
        annex, game = self.annex, self._game
        return {
            "version": __version__,
            "table": self._config.table.name,
            "language": self.language,
            "languages": list(LANGUAGES),
            "game": game.name,
            "guide": [list(kinds) for kinds in game.guide],
            "controls": [control.name for control in game.controls],
            "forms": forms_of(game),
            "lamps": {
                lamp.value: {"steps": [list(step) for step in pattern.steps], "passing": pattern.passing}
                for lamp, pattern in PATTERNS.items()
            },
            "pairing": self.pairing is not None,
            "power_off": self.switch_off is not None,
            "annex": None
            if annex is None
            else {"modules": list(annex.modules), "styles": list(annex.styles), **annex.about()},
        }

    def wording(self, language: str, game: str | None = None) -> dict[str, Any] | None:
        """The words a browser needs in a language, their fields still open, for the game that is played or for another;
        None if there is no such game."""
        if game is not None and game not in GAMES:
            return None
        words = self.words(language) if game is None else Words(language, (package_of(game),))
        return {
            "language": language,
            "decimal": words.message("number", "decimal-mark") or ".",
            "words": {f"{context} {key}": text for context in CONTEXTS for key, text in words.all(context).items()},
        }

    @property
    def annex_files(self) -> Path | None:
        """The folder of the annex."""
        return None if self.annex is None else self.annex.static

    def faces(self, game: str | None = None) -> str | None:
        """The faces of the cards of the game that is played, or of another; None if there are none."""
        name = self._game.name if game is None else game
        if name not in GAMES:
            return None
        file = resources.files(package_of(name)).joinpath("faces.svg")
        return file.read_text(encoding="utf-8") if file.is_file() else None

    @property
    def _game(self) -> Game[Any, Any]:
        return find_game(self._config.game.name) if self._session is None else self._session.table.game

    def _turn_to(self, table: Table) -> None:
        self._vocabulary.turn_to((package_of(table.game.name),), table.game.pack(table.agreed.manifest))

    def _moment(self) -> Mapping[str, Any]:
        return {"at_us": self._now_us(), "speed": self.speed}

    def _stir(self) -> None:
        self._stale = True
        self.feed.stir()

    def _publish(self) -> None:
        """Put what has changed since somebody last asked."""
        if not self._stale or self._session is None:
            return
        self._stale = False
        for name, value in view.parts_of(self._session, self._config.table.name, self._standing).items():
            self.feed.put(name, value)
        self.feed.put("standing", view.StandingPart(self._standing, self._stuck))


def _is_other(before: Table, now: Table) -> bool:
    """Is it another game, or one with other cards?"""
    return before.game is not now.game or before.agreed.manifest != now.agreed.manifest
