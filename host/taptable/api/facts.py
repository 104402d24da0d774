"""The facts that the table sends to clients of its local API: the answer to ``hello`` (`TableFacts`), the topics
(`TOPICS` has the type of each), and the items of streams, of which there is one, `DIALOGUE`. No topic depends on a
language. Games, the running one included, are not published but requested: see `requests.Entries`. Must not know who
subscribes; of members it knows only how their names may be shown away from the table."""

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
    of the table. `slow_buttons` says that some buttons are on seat boards or controllers, whose presses take longer to
    be put in order. `league` says that the table belongs to a league. `assigning` says that no game runs, because the
    seats are being assigned."""

    api: int
    version: str
    start: str
    table: str
    language: str
    seats: int
    slow_buttons: bool
    power_off: bool
    league: bool = False
    assigning: bool = False


class Time(Struct, frozen=True):
    """Table time, in µs."""

    at_us: int


class JournalFacts(Struct, frozen=True):
    """The game that runs, or ran last (its id), and the number of its entry that was written last; 0 if there is none.
    `stuck` is true while nothing can be written. `redactions` counts how often names were removed from the journal
    since the table started: when it changes, a client that keeps a copy of the game has to read the game again."""

    game: int
    entry: int
    stuck: bool
    redactions: int = 0


class SessionFacts(Struct, frozen=True):
    """Facts about the session that are in no journal: the take-back that awaits consent, the check of the table that is
    in progress, and the enrolment for which the discard pad reads cards. Each is null if there is none."""

    consent: Consent | None
    checking: Checking | None
    enrolling: EnrolmentBegan | None


class Alert(Struct, frozen=True):
    """A notice that holds until the table takes it back, and `about`, its subject, such as ``board 3``."""

    about: str
    notice: Mapping[str, Any]


def alerts_of(alerts: Sequence[Alert]) -> Alerts:
    """Return the notices that hold at the table, by subject. Skips those that this version doesn't know."""
    found = ((alert.about, parse_notice(alert.notice)) for alert in alerts)
    return {about: notice for about, notice in found if notice is not None}


class DeckFacts(Struct, frozen=True):
    """A deck without the UIDs of its tags: the ids of its cards, and its control cards. `manifest` describes the cards;
    it is "" if the game always has the same."""

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
    """The enrolment or check of a deck at the discard pad that is in progress; if `over`, the last one. `deck` is the
    deck as it was when this began. `began` says whether it is an enrolment or a check, and who asked for it. `said` is
    the latest result, and `lacks` the cards of each kind that are missing. `undoable` says whether there is a tag whose
    assignment can be undone. `strangers` counts the tags seen that don't belong to the deck."""

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


class PartFacts(Struct, frozen=True):
    """A part of a seat or of the middle, or one that is plugged in and has no `place`. The place is a seat's number,
    ``discard``, or "". `label` is its name for people, in English, and `trouble` says what is wrong with it."""

    address: str
    label: str
    roles: tuple[str, ...]
    place: str = ""
    trouble: str = ""


class AnswerFacts(Struct, frozen=True):
    """A sentence of the catalogues' context ``seats``. `done`: it says that something was done, and not what is
    wrong."""

    key: str
    facts: Mapping[str, Any] = {}
    done: bool = False


class AssigningFacts(Struct, frozen=True):
    """The step in which seats are assigned. `asked` is ``reader``, ``button``, ``middle`` or ``nothing``; `seat` is
    whose part it is, and with `board` a seat board's button is enough. `answer` is about the last touch or request,
    `hint` says that people have tried twice, and `lacks` what has to be plugged in first. `seats` counts the seats that
    have all their parts. `looked`: the table has looked for parts by now."""

    asked: str
    seat: int | None
    board: bool
    answer: AnswerFacts | None
    hint: bool
    lacks: AnswerFacts | None
    seats: int
    expected: int | None
    looked: bool


class PartsFacts(Struct, frozen=True):
    """The parts of the table. `source` is the file that names the seats: ``table.toml``, ``parts.toml``, or "" if there
    are none. `overruled`: seats are in ``table.toml``, so those that are assigned by touching don't count. `fault` says
    what is wrong with ``parts.toml``, and `previous` whether the file before can be used. `assigning` is the present
    step, or None. `display`: a display answers, and can show the page's address. Each of `twins` has the USB ports of
    devices that only their sockets distinguish."""

    source: str
    overruled: bool
    fault: str
    previous: bool
    parts: tuple[PartFacts, ...]
    assigning: AssigningFacts | None
    display: bool = False
    twins: tuple[tuple[str, ...], ...] = ()


class StreamItems(Struct, frozen=True):
    """Consecutive items of a stream; `first` is the number of the first of them. Items with lower numbers were sent
    before, or the table no longer keeps them."""

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
    "parts": PartsFacts,
}
"""The type of each topic of a table. ``devices`` are the ids of the paired browsers. ``deleted-members`` are the ids of
deleted members, so that the bridge can make a league forget them, too. ``away`` counts how often a code for playing at
another club's table was shown or entered here since the table started: when it changes, `requests.AwayAsked` returns
the present codes."""


DIALOGUE = "dialogue"
"""The stream of the sentences that a terminal shows during an enrolment or check of a deck. Each item has the ``key``
of a sentence in the catalogues' context ``deck``, and its ``facts``. These contain UIDs of tags, so only administrators
may subscribe to the stream."""


def decode_topics(params: Raw) -> dict[str, Any]:
    """Decode the topics in a ``changed`` notification, each by its type in `TOPICS`, or as JSON if it isn't listed
    there."""
    raw_topics = msgspec.json.decode(params, type=dict[str, Raw])
    return {topic: msgspec.json.decode(raw, type=TOPICS.get(topic, Any)) for topic, raw in raw_topics.items()}
