"""After random operations of tables and of the administrator, in any order, the database holds exactly what follows
from the entries."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TypeAlias

import pytest
from league.sending import NOW, League
from league.simulated_games import SimulatedGame, replace_time, simulate_game, use_control
from league.two_clubs import (
    ANN,
    BOB,
    EVE,
    LAST_YEAR,
    TwoClubs,
    dated,
    report,
)
from sqlalchemy import Engine, select
from taptable.core.errors import LeagueError
from taptable.league import ratings
from taptable.league.annulling import annul, undo_annulment
from taptable.league.away import allow, end_leave
from taptable.league.database import read_transaction
from taptable.league.game_lines import games
from taptable.league.limits import RECOUNT_EVERY_S
from taptable.league.seasons import close_season, cut_season
from taptable.league.standings import seasons, standings
from taptable.memory.members import id_of
from taptable.memory.records import Entry

_WHAT = (
    *("play", "play", "play", "begin", "go on", "take back", "take back", "allow", "end", "annul", "undo", "close"),
    *("cut", "backup", "known"),
)
DORA_S = "d" * 32
Last: TypeAlias = dict[str, tuple[SimulatedGame, tuple[Entry, ...]]]
"""The last game of each table, and what is left of it to be played."""


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 20))])
def test_whatever_is_done_recomputing_finds_it_equal(small: Engine, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(seed)
    clubs = TwoClubs(League(small))
    monkeypatch.setattr(ratings, "AT_ONCE", 3)
    monkeypatch.setattr(ratings, "LONG_RECOUNT", 4)
    last: Last = {}
    known: dict[str, object] = {}
    for _ in range(40):
        if chance.random() < 0.5:
            clubs.later()
        now = clubs.league.clock.ms // 1000
        with suppress(LeagueError):
            _do_something(clubs, chance, now, last)
        if chance.random() < 0.7:
            clubs.count()
            frozen = _frozen(clubs)
            assert {key: frozen[key] for key in known} == known
            known = frozen
    clubs.later(RECOUNT_EVERY_S)
    clubs.count()
    clubs.look()
    with read_transaction(small) as connection:
        uncounted = [each.id for each in games(connection, most=1000) if each.is_counted]
        counted = connection.execute(select(ratings.games.c.id).where(ratings.games.c.counted.is_not(None))).scalars()
        assert sorted(uncounted) == sorted(counted)


def _do_something(clubs: TwoClubs, chance: Random, now: int, last: Last) -> None:
    table = chance.choice([clubs.honest, clubs.hostile])
    match chance.choice(_WHAT):
        case "play" | "begin" as what:
            game = simulate_game(chance.randrange(300, 312))
            begun = chance.choice([LAST_YEAR, "2027-03-01T19:30:00Z", "2027-05-01T19:30:00Z"])
            members = chance.sample(["", ANN, BOB, EVE, id_of(DORA_S)], 4)
            table.journal.play(dated(game, begun), *members, entries=6 if what == "begin" else None)
            last[table.table.id] = (game, game.entries[6:] if what == "begin" else ())
            table.send_all()
        case "go on":
            game, rest = last.pop(table.table.id, (None, ()))
            table.journal.add(*rest)
            table.send_all()
            if game is not None and len(rest) != 1:
                last[table.table.id] = (game, ())
        case "take back":
            game, rest = last.get(table.table.id, (None, ()))
            if game is not None and not rest:
                _, back = use_control(game.table, "take-back")
                table.journal.add(back)
                table.send_all()
                last[table.table.id] = (game, (replace_time(game.entries[-1], back.at_us),))
        case "known":
            report(clubs.honest, DORA_S, "Dora")
        case "allow":
            clubs.change(lambda connection: allow(connection, chance.choice([ANN, BOB, EVE]), table.table.id, "", now))
        case "end":
            clubs.change(lambda connection: end_leave(connection, chance.randrange(1, 6), now))
        case "annul":
            first, last = sorted(chance.randrange(NOW - 5, now + 5) for _ in range(2))
            clubs.change(lambda connection: annul(connection, table.table.id, first, last, "ada", now))
        case "undo":
            clubs.change(lambda connection: undo_annulment(connection, chance.randrange(1, 6), now))
        case "close":
            clubs.change(lambda connection: close_season(connection, chance.randrange(1, 4), now))
        case "cut":
            if chance.random() < 0.3:
                clubs.change(lambda connection: cut_season(connection, now, f"from {now}"))
        case _:
            last.pop(table.table.id, None)
            backup = table.journal.copy()
            table.journal.play(simulate_game(chance.randrange(300, 312)), ANN, EVE)
            table.send_all()
            table.journal = backup
            table.journal.play(simulate_game(chance.randrange(300, 312)), EVE, BOB)
            table.send_all()


def _frozen(clubs: TwoClubs) -> dict[str, object]:
    """The standings of seasons that are closed."""
    with read_transaction(clubs.engine) as connection:
        return {
            season.name: [
                (line.member.id, line.games, line.won, line.points, line.score)
                for line in standings(connection, season.id, "online")
            ]
            for season in seasons(connection)
            if season.closed is not None
        }
