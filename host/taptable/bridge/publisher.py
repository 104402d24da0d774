"""Publishes the table by MQTT: follows its game with `api.following`, and puts its state and its events into an outbox.
Must not know a broker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from taptable import __version__
from taptable.api.facts import TableFacts, alerts_of
from taptable.api.following import Following
from taptable.api.link import TableClient
from taptable.bridge.discovery import device_message, discovery_topic
from taptable.bridge.messages import Event, GameOver, Hacker, Patrol, Placed, RefusalEvent
from taptable.bridge.outbox import FRESH_S, MqttOutbox
from taptable.bridge.state import UtcClock, format_utc, seat_name, state_of
from taptable.bridge.topics import OFFLINE, ONLINE, TableTopics
from taptable.config import MqttSettings
from taptable.core.announcements import Announcement, ClaimFailed, ClaimGiven, GameEnded, Mood, WindowOpened
from taptable.core.verdicts import Refused
from taptable.games.registry import package_of
from taptable.narration.sentences import narrate
from taptable.referee import step
from taptable.referee.session import Decision, Session, TableEvent
from taptable.words import Vocabulary, Words, player_names


class TablePublisher:
    """The publisher of one table, a `TableListener`. Run `following.keep_up` as a task. Without topics it publishes
    nothing until `publish_at` sets them."""

    def __init__(
        self, table: TableClient, settings: MqttSettings, topics: TableTopics | None, outbox: MqttOutbox
    ) -> None:
        self._settings = settings
        self._topics = topics
        self._outbox = outbox
        self._words = Words("en", Vocabulary())
        self._described: tuple[object, ...] = ()
        self._session: Session | None = None
        self._last_entry = -1
        self.following = Following(
            table, self._publish_events, self._publish_state, self._publish_offline, outbox.forget_events
        )

    def publish_at(self, topics: TableTopics) -> None:
        """Publish the state at these topics now, and events from now on."""
        self._topics = topics
        if self._session is not None:
            self._publish_state(self._session)

    def on_connected(self, facts: TableFacts) -> None:
        """Start from scratch with a table that has connected."""
        self._words = Words(facts.language, Vocabulary())
        self._last_entry = -1
        self.following.on_connected(facts)

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """Pass changed topics on to the replica."""
        self.following.on_topics_changed(topics)

    def on_disconnected(self) -> None:
        """Pass on that the table is away."""
        self.following.on_disconnected()

    def _publish_offline(self) -> None:
        self._session = None
        if self._topics is not None:
            self._outbox.retain(self._topics.online, OFFLINE.encode())

    def _publish_state(self, session: Session) -> None:
        """Publish the state in the words of its game, with players' names only if the configuration allows them."""
        self._session = session
        if self._topics is None:
            return
        facts, api_topics = self.following.facts, self.following.topics
        assert facts is not None
        table = session.table
        vocabulary = self._words.vocabulary
        vocabulary.set_game((package_of(table.game.name),), table.game.pack(table.game_options.manifest))
        # members are named neither here nor by a name that was typed in for a guest before them
        vocabulary.names = player_names(session.names, session.members, {}) if self._settings.names else ()
        alerts = alerts_of(api_topics.get("alerts", ()))
        state = state_of(
            session, facts.table, alerts, stuck=api_topics["journal"].stuck, clock=self._clock(), words=self._words
        )
        description = (state.table, self._words.language, state.unit, len(state.teams))
        if self._settings.discovery and description != self._described:
            self._described = description
            message = device_message(self._topics, state, self._words, __version__, commands=self._settings.commands)
            self._outbox.retain(discovery_topic(self._settings.discovery, self._topics), msgspec.json.encode(message))
        self._outbox.retain(self._topics.state, msgspec.json.encode(state))
        self._outbox.retain(self._topics.online, ONLINE.encode())

    def _publish_events(self, entry: int, event: TableEvent) -> None:
        """Publish an event, unless it was published before or is older than `FRESH_S`, as most of those replayed at the
        start are."""
        if entry <= self._last_entry:
            return
        self._last_entry = entry
        if self._topics is None:
            return
        clock = self._clock()
        at_us = event.observation.at_us if isinstance(event, Decision) else event.at_us
        if clock.left_s(at_us) < -FRESH_S:
            return
        for each in _events_of(event, format_utc(clock.utc(at_us)), self._words):
            self._outbox.add_event(msgspec.json.encode(each))

    def _clock(self) -> UtcClock:
        return UtcClock(self.following.now_us(), datetime.now(UTC))


def _events_of(event: TableEvent, at: str, words: Words) -> Iterator[Event]:
    """Yield the messages for a table event at the UTC time `at`; a notice has none."""
    if not isinstance(event, Decision):
        return
    for narrated in narrate(event):
        announcement, text = narrated.announcement, narrated.text(words)
        if announcement is not None:
            yield from _announcement_events(announcement, event.table, {"at": at, "text": text}, words)
        elif isinstance(event.verdict, Refused):
            yield _refusal(event, event.verdict, at, text)


def _announcement_events(
    announcement: Announcement, table: step.Table, common: dict[str, Any], words: Words
) -> Iterator[Event]:
    """Yield the messages for an announcement. Games have their own words for who struck and who stopped it."""
    window = table.scoreboard.window
    match announcement:
        case WindowOpened(seat):
            yield Hacker(event_type="struck", seat=seat, **common)
        case ClaimGiven(seat, _, tied, margin_us, bound_us):
            hacker = None if window is None else window.seat
            yield Patrol(
                event_type="first",
                seat=seat,
                hacker=hacker,
                margin_us=margin_us,
                bound_us=bound_us,
                tied=tied,
                **common,
            )
        case ClaimFailed(seat):
            hacker = None if window is None else window.seat
            yield Patrol(event_type="false-alarm", seat=seat, hacker=hacker, **common)
        case GameEnded(winner, by):
            yield GameOver(
                event_type="over",
                by=by,
                unit=table.scoreboard.unit,
                winner=winner,
                places=tuple(_placings(table, words)),
                **common,
            )
        case _ if announcement.mood is Mood.TURNED_TABLES:
            yield Patrol(
                event_type="stopped", seat=_seat(announcement, "seat"), hacker=_attacker(announcement), **common
            )
        case _ if announcement.unanswered:
            yield Hacker(event_type="through", seat=_attacker(announcement), **common)
        case _:
            pass


def _attacker(announcement: Announcement) -> int:
    """Return the seat whose hacker or attack it is."""
    return _seat(announcement, "hacker", "attacker", "seat")


def _seat(announcement: Announcement, *names: str) -> int:
    return next(getattr(announcement, name) for name in names if hasattr(announcement, name))


def _placings(table: step.Table, words: Words) -> Iterator[Placed]:
    named = any(words.vocabulary.names)
    for team in sorted(table.scoreboard.teams, key=lambda team: team.place or 0):
        names = tuple(seat_name(seat, words) for seat in team.seats) if named else ()
        yield Placed(team.place or 0, team.seats, names, team.score)


def _refusal(event: Decision, verdict: Refused, at: str, text: str) -> RefusalEvent:
    pad = getattr(event.observation, "pad", getattr(event.observation, "seat", None))
    seat = pad if isinstance(pad, int) else None
    return RefusalEvent(event_type="refused", at=at, text=text, seat=seat, rule=verdict.rule, code=verdict.code)
