"""A small league to look at: a dozen members at six tables of two clubs, some weeks of simulated games of every kind,
taken in as tables send them; games that don't count, and games that run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random

from league.sending import Clock, League, Sender
from league.simulated_games import SimulatedGame, simulate_game
from sqlalchemy import Engine
from taptable.games.registry import GAMES
from taptable.league.ratings import rate_new_games
from taptable.memory.records import Entry
from taptable.uplink.messages import VERSION, MemberSaid

NAMES = (
    ("Ada", "#ff9d8f", "name"),
    ("Bo", "#8ec1ff", "name"),
    ("Chiara", "#86e3a8", "name"),
    ("Dmitri Wolkow-Sommerfeld", "#cdb0ff", "name"),
    ("Élodie", "#f2d06b", "name"),
    ("Fatma", "#85dfe6", "name"),
    ("Gijs van den Heuvel", "#ffbe5c", "name"),
    ("Hannelore", "#c7a4ff", "initial"),
    ("Ilse", "#7db8ff", "initial"),
    ("=Jonas", "#7ddba3", "name"),
    ("Katharina", "#ff9387", "nothing"),
    ("Lars", "#f0c75e", "name"),
)
TABLES = (
    ("Fireplace", "Harbour club"),
    ("Window", "Harbour club"),
    ("Long table in the hall", "Harbour club"),
    ("Kitchen", "Meijer family"),
    ("Attic", "Meijer family"),
    ("Cellar", "Meijer family"),
)
ROUNDS = 4
"""Games that were played to their end at each table."""


def member_id(number: int) -> str:
    """The id of a member, from 0 on."""
    return f"{number + 1:016x}"


@dataclass
class Seeded:
    """The league with its tables, in the order of `TABLES`."""

    league: League
    tables: list[Sender]


def seed(engine: Engine) -> Seeded:
    """Fill a database."""
    chance = Random(18)
    league = League(engine, Clock(time.time_ns() // 1_000_000))
    tables = [league.table(name, club) for name, club in TABLES]
    say_members(tables)
    for turn in range(ROUNDS):
        for at, table in enumerate(tables):
            number = turn * len(tables) + at
            game = simulate_game(number % 8, list(GAMES)[number % 5 % len(GAMES)], 3 + number % 2)
            game = begun(game, ROUNDS * len(TABLES) - number)
            table.journal.play(game, *seats(chance, at, game.header.players))
            table.send_all()
    does_not_count(tables[4], tables[5])
    for at, share in ((0, 0.6), (1, 0.85), (2, 0.3), (3, 0.5)):
        begin(tables[at], simulate_game(20 + at, list(GAMES)[at % 3], 4), seats(chance, at, 4), share)
    for game in GAMES:
        rate_new_games(engine, game)
    return Seeded(league, tables)


def say_members(tables: Sequence[Sender]) -> None:
    """Have each member announced by a table of their club."""
    for number, (name, colour, shown) in enumerate(NAMES):
        table = tables[0 if number < 7 else 3]
        table.send(MemberSaid(VERSION, member_id(number), name, colour, shown), table.topics.members)


def seats(chance: Random, table: int, players: int) -> list[str]:
    """The people at a table of a club, with a guest now and then."""
    club = range(7) if table < 3 else range(7, len(NAMES))
    found = [member_id(number) for number in chance.sample(list(club), min(players, len(club)))]
    found += [""] * (players - len(found))
    if chance.random() < 0.2:
        found[-1] = ""
    return found


def begun(game: SimulatedGame, days: int) -> SimulatedGame:
    """A game that began `days` days ago, but this year, which is a season."""
    now = datetime.now(UTC)
    when = max(datetime(now.year, 1, 1, tzinfo=UTC), now - timedelta(days=days, hours=days % 5))
    return replace(game, header=replace(game.header, begun_utc=when.isoformat()))


def does_not_count(one: Sender, other: Sender) -> None:
    """A game with an answer that its rules don't give, and one by rules that nobody knows."""
    game = begun(simulate_game(3), 0)
    wrong = list(game.entries)
    at = next(at for at, entry in enumerate(wrong) if entry.answer is not None and at > 30)
    wrong[at] = Entry(wrong[at].at_us, "observation", wrong[at].line, wrong[at + 1].answer)
    one.journal.play(replace(game, entries=tuple(wrong)), member_id(8), member_id(9))
    one.send_all()
    unknown = replace(game.header, rules_version="online/99")
    other.journal.play(replace(game, header=unknown), member_id(8), member_id(11))
    other.send_all()


def begin(table: Sender, game: SimulatedGame, members: Sequence[str], share: float) -> None:
    """Begin a game that continues, and play that share of it."""
    table.journal.play(begun(game, 0), *members, entries=round(share * len(game.entries)))
    table.send_all()
