"""What the table tells its clients of itself: a class a topic, typed and in no language. What was played, the running
game included, isn't told but asked for: see `requests.Entries`."""

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
    """What the table is, for as long as it runs: the answer to ``hello``. `start` tells this start from others;
    `slow_buttons` says that some are on seat boards, whose presses take longer to be put in order; it may belong to
    a `league`."""

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
    """Which game runs, or ran last, and which entry of it was written last (0: none); `stuck` while nothing can be
    written down. `redactions` counts how often names were taken out of what was written since the table started: who
    keeps anything of it reads it again then."""

    game: int
    entry: int
    stuck: bool
    redactions: int = 0


class SessionFacts(Struct, frozen=True):
    """What is on at the table and in no journal: the take-back that was asked for, the check that is under way, and
    what the discard pad reads cards for."""

    consent: Consent | None
    checking: Checking | None
    enrolling: EnrolmentBegan | None


class Alert(Struct, frozen=True):
    """A notice that holds until it is taken back, and what it is about: ``board 3``."""

    about: str
    notice: Mapping[str, Any]


def alerts_of(alerts: Sequence[Alert]) -> Alerts:
    """What holds at the table, as its notices; without those that this version doesn't know."""
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
    """A deck as clients see it."""
    controls = tuple(sorted(set(deck.controls.values())))
    return DeckFacts(deck.name, deck.game, deck.manifest, tuple(sorted(set(deck.cards.values()))), controls)


class DecksFacts(Struct, frozen=True):
    """All decks by their names, the files that can't be used, which deck is played with ("": none), and which game."""

    decks: tuple[DeckFacts, ...]
    damaged: tuple[str, ...]
    in_use: str
    game: str


class EnrolmentFacts(Struct, frozen=True):
    """What is on at the discard pad, or was last."""

    deck: DeckFacts
    began: EnrolmentBegan
    said: EnrolmentSays
    lacks: tuple[Lack, ...]
    undoable: bool
    strangers: int
    over: bool


class MemberFacts(Struct, frozen=True):
    """A member without the numbers of their cards' tags, of which there are `tags`; `shown` is how they are called
    where people see it who aren't at the table: by ``name``, ``initial`` or ``nothing``."""

    id: str
    name: str
    colour: str
    shown: str
    tags: int

    @property
    def public_name(self) -> str:
        """What people read who aren't at the table; "" for nothing."""
        return public_name(self.name, self.shown)


class StreamItems(Struct, frozen=True):
    """Some items of a stream, the first of which has the number `first`; what was before isn't kept any more, or was
    told."""

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
"""The stream of what is said at the discard pad, in the order in which a terminal shows it: sentences of the
catalogues' context ``deck`` by their ``key`` and ``facts``. The numbers of tags are among these, so it is the
administrator's alone."""


def decode_topics(params: Raw) -> dict[str, Any]:
    """The topics of a ``changed``: each as its type has it, or as JSON where no type is known here."""
    told = msgspec.json.decode(params, type=dict[str, Raw])
    return {topic: msgspec.json.decode(raw, type=TOPICS.get(topic, Any)) for topic, raw in told.items()}
