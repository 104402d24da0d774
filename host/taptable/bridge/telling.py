"""Makes what is said by MQTT of what the table tells: follows its game, and puts into an outbox how it stands and what
happens. Must not know a broker."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from taptable import __version__
from taptable.api.facts import TableFacts, alerts_of
from taptable.api.following import Following
from taptable.api.link import Table
from taptable.bridge.discovery import device_message, discovery_topic
from taptable.bridge.events import events_of
from taptable.bridge.outbox import FRESH_S, Outbox
from taptable.bridge.state import Clock, spell, state_of
from taptable.bridge.topics import OFFLINE, ONLINE, Topics
from taptable.config import MqttSettings
from taptable.games.registry import package_of
from taptable.referee.session import Judged, Session, TableEvent
from taptable.words import Vocabulary, Words, called_at


class Telling:
    """Of one table; an onlooker of its link. `following.keep_up` is to be a task. Without topics nothing is said until
    `speak_at` gives them."""

    def __init__(self, table: Table, settings: MqttSettings, topics: Topics | None, outbox: Outbox) -> None:
        self._settings = settings
        self._topics = topics
        self._outbox = outbox
        self._words = Words("en", Vocabulary())
        self._described: tuple[object, ...] = ()
        self._session: Session | None = None
        self._told_entry = -1
        self.following = Following(table, self._happened, self._stands, self._lost, outbox.forget_events)

    def speak_at(self, topics: Topics) -> None:
        """Say at these topics how the table stands, and what happens from now on."""
        self._topics = topics
        if self._session is not None:
            self._stands(self._session)

    def came(self, facts: TableFacts) -> None:
        """The table is there."""
        self._words = Words(facts.language, Vocabulary())
        self._told_entry = -1
        self.following.came(facts)

    def changed(self, topics: Mapping[str, Any]) -> None:
        """These of its topics are so now."""
        self.following.changed(topics)

    def away(self) -> None:
        """It isn't there any more."""
        self.following.away()

    def _lost(self) -> None:
        self._session = None
        if self._topics is not None:
            self._outbox.retain(self._topics.online, OFFLINE.encode())

    def _stands(self, session: Session) -> None:
        """Say how it stands: in words of its game, and with names only if they may go out."""
        self._session = session
        if self._topics is None:
            return
        facts, topics = self.following.facts, self.following.topics
        assert facts is not None
        table = session.table
        vocabulary = self._words.vocabulary
        vocabulary.turn_to((package_of(table.game.name),), table.game.pack(table.game_options.manifest))
        # members are called by no name here, nor by one that was typed in for a guest before them
        vocabulary.names = called_at(session.names, session.members, {}) if self._settings.names else ()
        alerts = alerts_of(topics.get("alerts", ()))
        state = state_of(
            session, facts.table, alerts, stuck=topics["journal"].stuck, clock=self._clock(), words=self._words
        )
        described = (state.table, self._words.language, state.unit, len(state.teams))
        if self._settings.discovery and described != self._described:
            self._described = described
            about = device_message(self._topics, state, self._words, __version__, commands=self._settings.commands)
            self._outbox.retain(discovery_topic(self._settings.discovery, self._topics), msgspec.json.encode(about))
        self._outbox.retain(self._topics.state, msgspec.json.encode(state))
        self._outbox.retain(self._topics.online, ONLINE.encode())

    def _happened(self, entry: int, event: TableEvent) -> None:
        """Say what happened, unless it was said, or is long ago, as what is played again at the start is."""
        if entry <= self._told_entry:
            return
        self._told_entry = entry
        if self._topics is None:
            return
        clock = self._clock()
        at_us = event.observation.at_us if isinstance(event, Judged) else event.at_us
        if clock.left_s(at_us) < -FRESH_S:
            return
        for each in events_of(event, spell(clock.outside(at_us)), self._words):
            self._outbox.happened(msgspec.json.encode(each))

    def _clock(self) -> Clock:
        return Clock(self.following.now_us(), datetime.now(UTC), self.following.speed)
