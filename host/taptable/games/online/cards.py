"""The cards of ONLINE: the kinds, and for each the number of its cards, its row and its megabytes (R1). One of the
kinds is also called *online*. Must not know where a card may be laid: `rules` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType


class Group(Enum):
    """The use of a card."""

    ACCESS = auto()
    ATTACK = auto()
    CATEGORY = auto()
    POWER = auto()


ROWS = ("connection", "memory", "email", "music", "game", "movie")
"""The public names of the rows before a team. Elsewhere a row is its index in this tuple."""
CONNECTION, MEMORY, EMAIL, MUSIC, GAME, MOVIE = range(len(ROWS))
CATEGORY_ROWS = (EMAIL, MUSIC, GAME, MOVIE)
"""The rows of downloads."""


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """One kind of card, of which the deck has `count` cards. `row` is an index into `ROWS` (-1: the discard pile), `mb`
    the megabytes of a download. `big` cards also need open memory."""

    id: str
    group: Group
    count: int
    row: int = -1
    mb: int = 0
    big: bool = False


ONLINE = Kind("online", Group.ACCESS, count=13, row=CONNECTION)
TURBO_LINE = Kind("turbo-line", Group.ACCESS, count=3, row=CONNECTION)
PASSWORD_OK = Kind("password-ok", Group.ACCESS, count=8, row=CONNECTION)
ANTIVIRUS = Kind("antivirus", Group.ACCESS, count=8, row=CONNECTION)
EXTRA_MEMORY = Kind("extra-memory", Group.ACCESS, count=5, row=MEMORY)
VIRUS = Kind("virus", Group.ATTACK, count=3, row=CONNECTION)
PASSWORD_ERROR = Kind("password-error", Group.ATTACK, count=3, row=CONNECTION)
UNDER_CONSTRUCTION = Kind("under-construction", Group.ATTACK, count=3, row=CONNECTION)
MEMORY_FULL = Kind("memory-full", Group.ATTACK, count=4, row=MEMORY)
E_MAIL = Kind("email", Group.CATEGORY, count=22, row=EMAIL, mb=25)
MUSIC_FILE = Kind("music", Group.CATEGORY, count=14, row=MUSIC, mb=50)
GAME_FILE = Kind("game", Group.CATEGORY, count=8, row=GAME, mb=100, big=True)
MOVIE_FILE = Kind("movie", Group.CATEGORY, count=8, row=MOVIE, mb=200, big=True)
HACKER = Kind("hacker", Group.POWER, count=6)
CYBER_PATROL = Kind("cyber-patrol", Group.POWER, count=2)
SEARCH = Kind("search", Group.POWER, count=2)

KINDS = (
    ONLINE,
    TURBO_LINE,
    PASSWORD_OK,
    ANTIVIRUS,
    EXTRA_MEMORY,
    VIRUS,
    PASSWORD_ERROR,
    UNDER_CONSTRUCTION,
    MEMORY_FULL,
    E_MAIL,
    MUSIC_FILE,
    GAME_FILE,
    MOVIE_FILE,
    HACKER,
    CYBER_PATROL,
    SEARCH,
)

CATEGORIES = (E_MAIL, MUSIC_FILE, GAME_FILE, MOVIE_FILE)
"""The kinds that are downloaded, in the order of their rows."""

KIND_OF: Mapping[str, Kind] = MappingProxyType(
    {f"{kind.id}#{number}": kind for kind in KINDS for number in range(1, kind.count + 1)}
)
"""Every card id of the deck (``email#7``) and its kind."""
