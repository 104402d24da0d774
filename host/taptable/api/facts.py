"""The facts that the table publishes to its clients: one class for each topic, typed and independent of language.
Games, the running one included, are not published but requested: see `requests.Entries`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from taptable.core.tag_notices import EnrolmentBegan, EnrolmentSays, MemberCardSays
from taptable.memory.deck import Deck, Lack
from taptable.memory.members import public_name
from taptable.memory.presets import Preset
from taptable.narration.updates import Alerts
from taptable.referee.checking import Checking
from taptable.referee.gestures import Consent
from taptable.referee.notes import parse_notice


class TableFacts(Struct, frozen=True):
    """The facts about a table that stay the same while it runs: the answer to ``hello``. `start` identifies this start
    of the table. `slow_buttons` says that some buttons are on seat boards, whose presses take longer to be put in
    order. `league` says that the table belongs to a league."""

    api: int
    version: str
    start: str
    table: str
    language: str
    seats: int
    slow_buttons: bool
    power_off: bool
    league: bool = False


class Time(Struct, frozen=True):
    """Table time, in µs."""

    at_us: int


class JournalFacts(Struct, frozen=True):
    """The game that runs, or ran last, and the entry of it that was written last (0: none). `stuck` is true while
    nothing can be written. `redactions` counts how often names were removed from the journal since the table started: a
    client that keeps a copy of it reads it again when this changes."""

    game: int
    entry: int
    stuck: bool
    redactions: int = 0


class SessionFacts(Struct, frozen=True):
    """Facts about the session that are in no journal: the take-back that awaits consent, the check of the table in
    progress, and the enrolment for which the discard pad reads cards."""

    consent: Consent | None
    checking: Checking | None
    enrolling: EnrolmentBegan | None


class Alert(Struct, frozen=True):
    """A notice that holds until it is taken back, and its subject, such as ``board 3``."""

    about: str
    notice: Mapping[str, Any]


def alerts_of(alerts: Sequence[Alert]) -> Alerts:
    """Return the notices that hold at the table, by subject. Skips those that this version doesn't know."""
    found = ((alert.about, parse_notice(alert.notice)) for alert in alerts)
    return {about: notice for about, notice in found if notice is not None}


class DeckFacts(Struct, frozen=True):
    """A deck without the numbers of its tags: the ids of its cards, and its controls."""

    name: str
    game: str
    manifest: str
    cards: tuple[str, ...]
    controls: tuple[str, ...]


def facts_of_deck(deck: Deck) -> DeckFacts:
    """Return a deck in the form that clients see."""
    controls = tuple(sorted(set(deck.controls.values())))
    return DeckFacts(deck.name, deck.game, deck.manifest, tuple(sorted(set(deck.cards.values()))), controls)


class DecksFacts(Struct, frozen=True):
    """All decks, sorted by name; the files that can't be used; and the deck in use ("": none) with its game."""

    decks: tuple[DeckFacts, ...]
    damaged: tuple[str, ...]
    in_use: str
    game: str


class EnrolmentFacts(Struct, frozen=True):
    """The enrolment at the discard pad that is in progress, or was the last one."""

    deck: DeckFacts
    began: EnrolmentBegan
    said: EnrolmentSays
    lacks: tuple[Lack, ...]
    undoable: bool
    strangers: int
    over: bool


class MemberFacts(Struct, frozen=True):
    """A member without the UIDs of their cards' tags; `tags` is the number of tags. `shown` says how the member is
    called where people away from the table see it: by ``name``, ``initial`` or ``nothing``."""

    id: str
    name: str
    colour: str
    shown: str
    tags: int

    @property
    def public_name(self) -> str:
        """The name for people who aren't at the table; "" for none."""
        return public_name(self.name, self.shown)


class StreamItems(Struct, frozen=True):
    """Some items of a stream, of which the first has the number `first`. Earlier items were sent before, or are no
    longer kept."""

    first: int
    items: tuple[Mapping[str, Any], ...]


TOPICS: Mapping[str, Any] = {
    "time": Time,
    "journal": JournalFacts,
    "session": SessionFacts,
    "alerts": tuple[Alert, ...],
    "presets": tuple[Preset, ...],
    "decks": DecksFacts,
    "enrolment": EnrolmentFacts | None,
    "devices": tuple[str, ...],
    "members": tuple[MemberFacts, ...],
    "deleted-members": tuple[str, ...],
    "member-card": MemberCardSays | None,
    "away": int,
}
"""The type of each topic of a table."""


DIALOGUE = "dialogue"
"""The stream of sentences about the discard pad, in the order in which a terminal shows them: each has a ``key`` of the
catalogues' context ``deck`` and its ``facts``. They contain UIDs of tags, so administrators alone may subscribe to
it."""


def decode_topics(params: Raw) -> dict[str, Any]:
    """Decode the topics in a ``changed`` notification, each by its type in `TOPICS`, or as JSON if it isn't listed
    there."""
    raw_topics = msgspec.json.decode(params, type=dict[str, Raw])
    return {topic: msgspec.json.decode(raw, type=TOPICS.get(topic, Any)) for topic, raw in raw_topics.items()}
