"""The 112 cards of ONLINE: kinds, numbers, rows and megabytes (R1). Must not know where a card may be laid: `rules`
does."""

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
    """One kind of card. `row` is an index into `ROWS` (-1: the discard pile); `big` cards also need open memory."""

    id: str
    group: Group
    count: int
    row: int = -1
    mb: int = 0
    big: bool = False


ONLINE = Kind("online", Group.ACCESS, 13, CONNECTION)
TURBO_LINE = Kind("turbo-line", Group.ACCESS, 3, CONNECTION)
PASSWORD_OK = Kind("password-ok", Group.ACCESS, 8, CONNECTION)
ANTIVIRUS = Kind("antivirus", Group.ACCESS, 8, CONNECTION)
EXTRA_MEMORY = Kind("extra-memory", Group.ACCESS, 5, MEMORY)
VIRUS = Kind("virus", Group.ATTACK, 3, CONNECTION)
PASSWORD_ERROR = Kind("password-error", Group.ATTACK, 3, CONNECTION)
UNDER_CONSTRUCTION = Kind("under-construction", Group.ATTACK, 3, CONNECTION)
MEMORY_FULL = Kind("memory-full", Group.ATTACK, 4, MEMORY)
E_MAIL = Kind("email", Group.CATEGORY, 22, EMAIL, 25)
MUSIC_FILE = Kind("music", Group.CATEGORY, 14, MUSIC, 50)
GAME_FILE = Kind("game", Group.CATEGORY, 8, GAME, 100, big=True)
MOVIE_FILE = Kind("movie", Group.CATEGORY, 8, MOVIE, 200, big=True)
HACKER = Kind("hacker", Group.POWER, 6)
CYBER_PATROL = Kind("cyber-patrol", Group.POWER, 2)
SEARCH = Kind("search", Group.POWER, 2)

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
