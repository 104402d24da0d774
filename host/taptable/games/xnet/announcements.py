"""The announcements that only X.net makes; the statistics of each player counted from announcements, and the milestones
on a plot of a game. Names and fields are public: journals, the API and docs/xnet.md have them."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.announcements import Announcement, GameEnded, TurnAnnounced
from taptable.core.figures import Figure


@dataclass(frozen=True, slots=True)
class StarterNamed(Announcement):
    """This seat begins; first the pyramid gets its three cards (X1.2, X1.4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnStarted(TurnAnnounced):
    """The turn of `seat` begins (X2.1)."""


@dataclass(frozen=True, slots=True)
class DemandLaid(Announcement):
    """A card was laid on an empty place of the pyramid (X1.4, X3.1)."""

    seat: int
    card: str
    level: int
    place: int


@dataclass(frozen=True, slots=True)
class DemandReplaced(Announcement):
    """A card replaced another in the pyramid, and the seat's X was laid on it (X3.2)."""

    written = True

    seat: int
    card: str
    replaced: str
    level: int
    place: int


@dataclass(frozen=True, slots=True)
class DemandSwapped(Announcement):
    """Two topics of the pyramid were swapped: `lower` lies higher now (X3.4)."""

    seat: int
    lower: str
    upper: str


@dataclass(frozen=True, slots=True)
class XReturned(Announcement):
    """The seat's X marker left the pyramid (X2.2)."""

    seat: int
    topic: str


@dataclass(frozen=True, slots=True)
class TopicScored:
    """The score of one topic."""

    topic: str
    level: int
    users: int
    points: int


@dataclass(frozen=True, slots=True)
class Scored(Announcement):
    """The seat scored `points` points, from these topics in the order of the pyramid (X2.3)."""

    seat: int
    points: int
    topics: tuple[TopicScored, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn(Announcement):
    """The seat drew `drawn` cards, by the table's count (X1.1, X2.4)."""

    seat: int
    drawn: int


@dataclass(frozen=True, slots=True)
class ReshuffleDue(Announcement):
    """The draw pile is used up: the discard pile must be shuffled, and `owed` cards are owed (X2.5)."""

    written = True

    seat: int
    owed: int


@dataclass(frozen=True, slots=True)
class Reshuffled(Announcement):
    """The discard pile became the new draw pile; the player on turn drew the cards owed (X2.5)."""

    written = True

    seat: int
    draw_pile: int
    drawn: int


@dataclass(frozen=True, slots=True)
class TopicLaid(Announcement):
    """A new topic was laid on a server (X3.6)."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class CardAdded(Announcement):
    """One more card of a topic was laid on a server, `lying` in all (X3.7)."""

    seat: int
    card: str
    lying: int


@dataclass(frozen=True, slots=True)
class TopicToStreamer(Announcement):
    """A topic went from a server to the streamer (X3.5)."""

    seat: int
    topic: str


@dataclass(frozen=True, slots=True)
class TopicToHand(Announcement):
    """A topic of `drawn` cards went back to the hand (X3.10)."""

    seat: int
    topic: str
    drawn: int


@dataclass(frozen=True, slots=True)
class SpecialistHired(Announcement):
    """A specialist was hired for a topic (X3.9)."""

    seat: int
    topic: str


@dataclass(frozen=True, slots=True)
class SpecialistReturned(Announcement):
    """A topic's specialist went back to the stock (X3.5, X3.10)."""

    seat: int
    topic: str


@dataclass(frozen=True, slots=True)
class UsersBought(Announcement):
    """The seat won `users` users: it has `have` of the `net` now (X3.8)."""

    seat: int
    users: int
    have: int
    net: int


@dataclass(frozen=True, slots=True)
class ServerBought(Announcement):
    """The seat has bought a server and has `servers` now (X3.9)."""

    seat: int
    servers: int


@dataclass(frozen=True, slots=True)
class StreamerBought(Announcement):
    """The seat has bought a streamer (X3.9)."""

    seat: int


@dataclass(frozen=True, slots=True)
class NetBought(Announcement):
    """The seat has bought the next net, for `net` users (X3.9)."""

    seat: int
    net: int


@dataclass(frozen=True, slots=True)
class ActionBegun(Announcement):
    """A control began an action; `needs` is the choice that comes first (X5.1, X5.2)."""

    seat: int
    control: str
    needs: str | None


@dataclass(frozen=True, slots=True)
class TopicChosen(Announcement):
    """This topic was chosen for the pending action; `needs` is the choice that is still open (X5.2)."""

    seat: int
    topic: str
    needs: str | None


@dataclass(frozen=True, slots=True)
class PaymentOwed(Announcement):
    """`owed` cards are still to be tapped on the pad `onto`; if `owed` is None, their sum decides, and is too low by
    `short` (X5.5)."""

    seat: int
    control: str
    owed: int | None
    short: int | None
    onto: str


@dataclass(frozen=True, slots=True)
class ActionBrokenOff(Announcement):
    """The action doesn't count as begun; its `cards`, `returned` in number, are in the hand again (X5.6)."""

    written = True

    seat: int
    control: str
    cards: tuple[str, ...]
    returned: int


@dataclass(frozen=True, slots=True)
class TablePutRight(Announcement):
    """A check corrected the table's belief: cards laid, cards forgotten, and the draw pile by the new count."""

    laid: tuple[str, ...]
    gone: tuple[str, ...]
    draw_pile: int


@dataclass(frozen=True, slots=True)
class GameOver(GameEnded):
    """The game is over: by ``points``, or by ``agreement`` (X4.1)."""


ANNOUNCEMENTS: tuple[type[Announcement], ...] = (
    StarterNamed,
    TurnStarted,
    DemandLaid,
    DemandReplaced,
    DemandSwapped,
    XReturned,
    Scored,
    CardsDrawn,
    ReshuffleDue,
    Reshuffled,
    TopicLaid,
    CardAdded,
    TopicToStreamer,
    TopicToHand,
    SpecialistHired,
    SpecialistReturned,
    UsersBought,
    ServerBought,
    StreamerBought,
    NetBought,
    ActionBegun,
    TopicChosen,
    PaymentOwed,
    ActionBrokenOff,
    TablePutRight,
    GameOver,
)

FIGURES = (
    Figure("topics-laid", TopicLaid),
    Figure("cards-added", CardAdded),
    Figure("demands-laid", DemandLaid),
    Figure("demands-replaced", DemandReplaced),
    Figure("swaps", DemandSwapped),
    Figure("users-bought", UsersBought),
    Figure("servers-bought", ServerBought),
    Figure("streamers-bought", StreamerBought),
    Figure("nets-bought", NetBought),
    Figure("specialists-hired", SpecialistHired),
    Figure("broken-off", ActionBrokenOff),
)

MILESTONES = (DemandReplaced, Reshuffled)
