"""The page of a table: it follows the table through the local API, replays its game, and makes the parts of the page
from it. They go into the feed only when a client asks for them. It must not know how it is served."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib import resources
from typing import Any

from taptable import __version__
from taptable.api.choices import Choices, names_per_player
from taptable.api.facts import DeckFacts, TableFacts, alerts_of
from taptable.api.following import Following
from taptable.api.link import TableClient
from taptable.core.notices import PlayersNamed
from taptable.core.tag_notices import MembersSeated
from taptable.games.registry import GAMES, package_of
from taptable.memory.update_check import newer_version
from taptable.narration.lamps import LAMP_PATTERNS
from taptable.narration.sentences import narrate
from taptable.narration.tunes import TICK_PACES_MS, TUNES, sounds_of, tones_of
from taptable.page import correcting, view
from taptable.page.browser_verbs import BrowserVerbs
from taptable.page.controls import forms_of
from taptable.page.correcting import CheckPart, PossiblePart
from taptable.page.decks import DecksPart, EnrolmentPart, decks_for
from taptable.page.feed import ClientState, Feed
from taptable.page.messages import Requester
from taptable.page.parts import PartsPart
from taptable.page.past_games import PastGames
from taptable.page.people import KnownPeople, NamesPart, PeoplePart
from taptable.page.printing import Printer
from taptable.page.setting_up import SetUpPart
from taptable.referee.session import Decision, Session, TableEvent
from taptable.referee.step import Table as GameTable
from taptable.referee.step import starts_new_game
from taptable.words import LANGUAGES, Vocabulary, Words, player_names

LOG_LENGTH = 200
"""How many sentences of the present game the log keeps: a phone that opens the page gets this many, and this many table
events are kept for requests about earlier sentences. In the browser, `MAX_LINES` of log.js limits the lines that are
shown, and `MAX_ITEMS` of store.js the sentences that are kept."""
SOUNDS_KEPT = 8
"""How many of the latest sounds a slow client still gets; it plays those that are fresh."""

CONTEXTS = (
    *("page", "guide", "card", "control", "pad", "part", "place", "line", "meaning", "unit", "setting", "edition"),
    *("count-of", "token", "seats"),
)
"""The contexts of the catalogues whose words a browser gets."""


class Page:
    """The page of one table. Create and start it on its loop. `network`: it is open to the network, else to this
    computer only. `cookie` names the cookie with a browser's secret; table time advances by the seconds of `clock`."""

    def __init__(
        self,
        table: TableClient,
        *,
        network: bool = False,
        cookie: str = "taptable",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        self.network = network
        self.cookie = cookie
        self.on_away: Callable[[], None] = lambda: None
        self.on_devices: Callable[[], None] = lambda: None
        self.facts: TableFacts | None = None
        self.feed = Feed()
        self._people = KnownPeople()
        self.past_games = PastGames(table, people=self._people.names)
        self.printer = Printer(self._deck)
        self._following = Following(
            table, self._on_event, self._on_session, self._on_game_lost, self._on_redacted, clock
        )
        self._verbs = BrowserVerbs(table, self.past_games, self._following.wait_until_replayed, self._events_between)
        self._vocabulary = Vocabulary(member_names=self._people.names)
        self._public_vocabulary = Vocabulary(member_names=self._people.public_names, in_public=True)
        self._words: dict[tuple[str, bool], Words] = {}
        self._recent: deque[tuple[int, TableEvent]] = deque(maxlen=LOG_LENGTH)
        self._session: Session | None = None
        self._published_session: Session | None = None
        self._published_setup: tuple[Any, ...] = ()
        self._members_revision = 0
        self._names_revision = 0
        # the names and the members' ids of the players, as they were at the place in the log that is being added
        self._names: tuple[str, ...] = ()
        self._members: tuple[str, ...] = ()
        self._stale = False
        self.game_known = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def language(self) -> str:
        """The table's language, for clients that haven't chosen one."""
        return "en" if self.facts is None else self.facts.language

    @property
    def devices(self) -> frozenset[str] | None:
        """The ids of the paired devices; None where no device has to be paired."""
        return frozenset(self._following.topics.get("devices", ())) if self.network else None

    @property
    def is_ready(self) -> bool:
        """Whether the table is connected and its game known."""
        return self._session is not None

    @property
    def unavailable_reason(self) -> str:
        """The catalogue key of the reason why there is no game to show."""
        return "not-followed" if self._following.failed_game and not self.is_ready else "gone"

    def start(self) -> None:
        """Start to follow the table."""
        self._begin(self._following.keep_up())

    def stop(self) -> None:
        """Stop following the table."""
        for task in self._tasks:
            task.cancel()

    def on_connected(self, facts: TableFacts) -> None:
        """Start over with a table that has connected."""
        self.facts = facts
        self.feed = Feed()
        self.feed.open_stream("log", LOG_LENGTH)
        self.feed.open_stream("sounds", SOUNDS_KEPT, watched=True)
        self._following.on_connected(facts)
        self._recent.clear()
        self.past_games.name = facts.table
        self._session = self._published_session = None
        self._published_setup = ()
        self._names = self._members = ()

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """Take over the new values of topics."""
        if "members" in topics:
            renamed = self._people.update(topics["members"])
            self._members_revision += 1
            self._stale = True
            if self._session is not None:
                self._update_names(self._session)
            if renamed:
                self._resend_all()
        self._following.on_topics_changed(topics)
        if "devices" in topics:
            self.on_devices()

    def _on_redacted(self) -> None:
        """Forget all names, because some were redacted in the journal. Until the journal has been read again, no player
        is called by a name that was typed in: any of these may be a redacted one."""
        self.past_games.forget_names()
        self._recent.clear()
        self.feed.empty_stream("log")
        self._names = self._members = ()
        if self._session is not None:
            self._session = replace(self._session, names=())
            self._update_names(self._session)
            self._stale = True
        self._resend_all()

    def _resend_all(self) -> None:
        """Make every client discard what it has, and send all again."""
        self._names_revision += 1
        self.feed.restart()

    def on_disconnected(self) -> None:
        """Stop catching up: the table has disconnected."""
        self._following.on_disconnected()

    def words(self, language: str, *, in_public: bool = False) -> Words:
        """Return the words of one of the `LANGUAGES`; with `in_public`, without what isn't public."""
        key = (language, in_public)
        if key not in self._words:
            self._words[key] = Words(language, self._public_vocabulary if in_public else self._vocabulary)
        return self._words[key]

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        """Return the first message to a client, and its next state."""
        # checked when a client connects: there is at most one newer version a day
        newer = newer_version()
        self.feed.put("update", None if newer is None else asdict(newer))
        self._publish()
        return self.feed.greet(client, words, self._moment())

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        """Return what a client lacks (None if nothing), and its next state."""
        self._publish()
        return self.feed.catch_up(client, words, self._moment())

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """Carry out a verb and return the response's fields; raise `RequestError` if it is refused."""
        return await self._verbs.ask(verb, message, requester)

    def about(self) -> dict[str, Any] | None:
        """Return what a browser loads first, ready for JSON; None while the table isn't connected."""
        if self.facts is None or self._session is None:
            return None
        game = self._session.table.game
        return {
            "version": __version__,
            "table": self.facts.table,
            "language": self.language,
            "languages": list(LANGUAGES),
            "game": game.name,
            "editions": list(game.editions),
            "guide": [list(kinds) for kinds in game.guide],
            "controls": [control.name for control in game.controls],
            "forms": forms_of(game),
            "lamps": {
                lamp.value: {"steps": [list(step) for step in pattern.steps], "passing": pattern.passing}
                for lamp, pattern in LAMP_PATTERNS.items()
            },
            "tunes": {
                sound.value: {"priority": tune.priority.value, "tones": tones_of(tune)} for sound, tune in TUNES.items()
            },
            "ticks": TICK_PACES_MS,
            "pairing": self.network,
            "power_off": self.facts.power_off,
        }

    def wording(self, language: str, game: str | None = None) -> dict[str, Any] | None:
        """Return the words that a browser needs in a language, with their placeholders, for the present game or for
        another one; None if there is no such game."""
        if game is not None and game not in GAMES:
            return None
        return wording_of(language, self._vocabulary.packages if game is None else (package_of(game),))

    def faces(self, game: str | None = None) -> str | None:
        """Return the SVG sheet with the card faces of the present game or of another one; None if there is none."""
        name = game or ("" if self._session is None else self._session.table.game.name)
        if name not in GAMES:
            return None
        file = resources.files(package_of(name)).joinpath("faces.svg")
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def _deck(self, name: str) -> DeckFacts | None:
        decks = self._following.topics["decks"].decks if "decks" in self._following.topics else ()
        return next((deck for deck in decks if deck.name == name), None)

    def _begin(self, doing: Any) -> None:
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def read_on(self) -> None:
        """Replay what the journal is known to hold by now."""
        await self._following.read_on()

    def _on_game_lost(self) -> None:
        self._session = None
        self.game_known.clear()
        self.on_away()

    def _on_session(self, session: Session) -> None:
        if self._session is None or _is_other(self._session.table, session.table):
            table = session.table
            for each in (self._vocabulary, self._public_vocabulary):
                each.set_game((package_of(table.game.name),), table.game.pack(table.game_options.manifest))
        self._update_names(session)
        self._session = session
        self.game_known.set()
        self._stale = True
        self.feed.notify()

    def _update_names(self, session: Session) -> None:
        """Make all words call the players at the table by their present names."""
        for each in (self._vocabulary, self._public_vocabulary):
            each.names = player_names(session.names, session.members, each.member_names)

    def _on_event(self, entry_id: int, event: TableEvent) -> None:
        if isinstance(event, Decision) and starts_new_game(event.observation, event.verdict):
            self.feed.empty_stream("log")  # the log is about one game
            self._names = self._members = ()
        if isinstance(event, PlayersNamed):
            self._names = event.names
        if isinstance(event, MembersSeated):
            self._members = event.members
        self._recent.append((entry_id, event))
        self.feed.add("log", *(view.LogItem(narrated, self._names, self._members) for narrated in narrate(event)))
        self.feed.add("sounds", *({"at_us": view.time_of(event), "sound": sound.value} for sound in sounds_of(event)))

    def _events_between(self, after: int, entry: int) -> Sequence[TableEvent]:
        return [event for entry_id, event in self._recent if after < entry_id <= entry]

    def _moment(self) -> Mapping[str, Any]:
        return {"at_us": self._following.now_us()}

    def _publish(self) -> None:
        """Put into the feed what has changed since a client last asked."""
        session, topics = self._session, self._following.topics
        if not self._stale or session is None or self.facts is None:
            return
        self._stale = False
        alerts = alerts_of(topics.get("alerts", ()))
        parts = view.parts_of(session, self.facts.table, alerts)
        parts["alerts"] = view.AlertsPart(alerts, topics["journal"].stuck)
        parts["course"] = {"id": topics["journal"].game}
        players = session.table.game_options.players
        parts["names"] = NamesPart(session.names, session.members, players, self._members_revision)
        parts["people"] = PeoplePart(
            tuple(topics.get("members", ())),
            names_per_player(session.members, players),
            topics.get("member-card"),
            self._members_revision,
            self._names_revision,
            self.facts.league,
        )
        if self._published_session is None or not _is_same_for_corrections(self._published_session, session):
            self._published_session = session
            parts["question"] = correcting.take_back_question(session)
            parts["checking"] = CheckPart(session)
            parts["lost"] = correcting.lost_cards(session)
            parts["possible"] = PossiblePart(session)
        if (decks := topics.get("decks")) is not None:
            parts["decks"] = DecksPart(decks)
            game_options, names = session.table.game_options, session.names
            setup = (session.table.game.name, game_options, names, decks, topics.get("presets", ()))
            if setup != self._published_setup:
                self._published_setup = setup
                decks_of = {game: decks_for(decks, game) for game in GAMES}
                parts["setup"] = SetUpPart(self.facts.seats, tuple(self._choices()), *setup[4:], decks_of, *setup[:3])
        if (table_parts := topics.get("parts")) is not None:
            parts["parts"] = PartsPart(table_parts)
        enrolment = topics.get("enrolment")
        parts["enrolment"] = None if enrolment is None else EnrolmentPart(enrolment)
        for name, value in parts.items():
            self.feed.put(name, value)

    def _choices(self) -> list[Choices]:
        assert self.facts is not None
        every = [Choices(game, self.facts.seats, self.facts.slow_buttons) for game in GAMES]
        return [choices for choices in every if choices.playable]


@cache
def wording_of(language: str, packages: tuple[str, ...], contexts: tuple[str, ...] = CONTEXTS) -> dict[str, Any]:
    """Return the words of these contexts in a language, with their placeholders. Cached: to look through the catalogues
    takes longer than to send what is in them."""
    words = Words(language, packages)
    return {
        "language": language,
        "decimal": words.message("number", "decimal-mark") or ".",
        "words": {
            f"{context} {key}": text for context in contexts for key, text in words.all_messages(context).items()
        },
    }


def _is_other(before: GameTable, now: GameTable) -> bool:
    """Return whether the game is another one, or has other cards."""
    return before.game is not now.game or before.game_options.manifest != now.game_options.manifest


def _is_same_for_corrections(before: Session, now: Session) -> bool:
    """Return whether the parts about corrections would show the same for both sessions. A tap that is refused changes
    nothing of them. States are compared by identity: they are never changed, but costly to compare."""
    return (
        before.table.state is now.table.state
        and before.table.undo_entry is now.table.undo_entry
        and before.table.paused_at_us == now.table.paused_at_us
        and before.prompts.checking == now.prompts.checking
        and before.prompts.consent == now.prompts.consent
        and before.enrolment == now.enrolment
    )
