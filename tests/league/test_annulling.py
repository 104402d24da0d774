"""Games that the administrator annuls, and seasons that were closed."""

from __future__ import annotations

import pytest
from league.played import played
from league.sending import NOW, League, stored
from league.two_clubs import (
    ANN,
    BOB,
    EVE,
    TwoClubs,
    dated,
    season_named,
)
from sqlalchemy import Engine, select
from taptable.core.errors import LeagueError
from taptable.league import counting
from taptable.league.annulling import all_annulments, annul, undo_annulment
from taptable.league.away import allow
from taptable.league.counting import count_up
from taptable.league.database import reading, writing
from taptable.league.queries import games, transcript
from taptable.league.schema import rating_history
from taptable.league.seasons import close_season, cut_season


def test_annulled_games_count_nowhere_until_that_is_undone(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    before, now = clubs.look(), clubs.later()
    clubs.change(lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", now))
    clubs.later()
    clubs.farm(3)
    clubs.honest.journal.play(played(2), BOB, ANN)
    clubs.honest.send_all()
    clubs.count()
    farmed, now = clubs.look(), clubs.later()
    assert farmed["online Ann"] != before["online Ann"]
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, now, "ada", now))
    annulled = clubs.look()
    assert not any("Eve" in key for key in annulled)
    with reading(engine) as connection:
        (entry,) = all_annulments(connection)
        assert (entry.table, entry.by, entry.undone, entry.games) == (clubs.hostile.table.id, "ada", None, 3)
        assert [each.counts for each in games(connection, table=clubs.hostile.table.id)] == [False] * 3
    clubs.change(lambda connection: undo_annulment(connection, entry.id, now))
    assert clubs.look() == farmed
    with pytest.raises(LeagueError, match="undone already"):
        clubs.change(lambda connection: undo_annulment(connection, entry.id, now))
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, NOW, "ada", now))
    assert clubs.look() == farmed  # none of them ended in that span


def test_games_that_were_annulled_before_they_were_counted_count_once_that_is_undone(clubs: TwoClubs) -> None:
    clubs.hostile.journal.play(played(100), EVE)
    clubs.hostile.send_all()
    with writing(clubs.engine) as connection:
        made = annul(connection, clubs.hostile.table.id, 0, NOW, "ada", NOW)
    clubs.count()
    assert "online Eve" not in clubs.look()
    with writing(clubs.engine) as connection:
        undo_annulment(connection, made.id, NOW)
        assert counting.to_count_again(connection) == ["online"]
    clubs.count()
    assert "online Eve" in clubs.look()


def test_a_recount_is_done_in_pieces(clubs: TwoClubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "AT_ONCE", 2)
    clubs.farm(6)
    before = clubs.look()
    with writing(clubs.engine) as connection:
        annul(connection, clubs.hostile.table.id, 0, NOW, "ada", NOW)
    looks: list[int] = []

    def outside_s() -> float:
        with reading(clubs.engine) as connection:
            looks.append(len(connection.execute(select(rating_history)).all()))
        return 1000.0 * len(looks)

    count_up(clubs.engine, "online", outside_s)
    assert len(set(looks)) >= 3, looks  # others see each piece as it was done
    annulled = clubs.look()
    assert "online Eve" not in annulled
    clubs.change(lambda connection: undo_annulment(connection, 1, NOW))
    assert clubs.look() == before


# ---- seasons that are closed


def test_a_season_that_is_closed_stays_as_it_is(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    third = clubs.league.table("Third", "A")
    third.journal.play(dated(played(3)), ANN, BOB, entries=5)
    third.send_all()
    with writing(engine) as connection:
        last = season_named(connection, "2026")
        with pytest.raises(LeagueError, match="has ended"):
            close_season(connection, season_named(connection, "2027"), NOW)
        close_season(connection, last, NOW)
        with pytest.raises(LeagueError, match="once"):
            close_season(connection, last, NOW)
    before = {key: value for key, value in clubs.look().items() if key.startswith("2026")}
    # what was being played ends in the season that is on
    third.journal.add(*played(3).entries[5:])
    third.journal.play(dated(played(4)), ANN, BOB)
    third.send_all()
    assert clubs.remarks(third)["clock"] == 1
    clubs.count()
    clubs.farm(2, dated)
    after = clubs.look()
    assert {key: value for key, value in after.items() if key.startswith("2026")} == before
    assert after["2027 Ann"][0] == 3  # pyright: ignore[reportIndexIssue]
    with reading(engine) as connection:
        assert stored(connection, third.table.id)
        assert all(transcript(connection, each.id) for each in games(connection, table=third.table.id))


def test_a_backup_plays_a_closed_season_s_game_again_and_it_counts_once(clubs: TwoClubs) -> None:
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    before = clubs.look()
    fresh = clubs.honest.journal.copy()
    fresh.texts, fresh.digests, fresh.games, fresh.digest, fresh.at_us = [], fresh.digests[:1], [], fresh.digests[0], 0
    fresh.play(dated(played(0)), BOB, ANN)  # the same header, another game
    fresh.play(played(1), ANN, BOB)
    clubs.honest.journal = fresh
    clubs.honest.send_all()
    clubs.count()
    assert clubs.look() == before


def test_an_end_that_is_taken_back_in_a_closed_season_stays(clubs: TwoClubs) -> None:
    table = clubs.league.table("Third", "A")
    long = next(game for seed in range(200, 240) if len((game := played(seed)).entries) > 20)
    table.journal.play(dated(long), ANN, BOB)
    table.send_all()
    clubs.count()
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    before = clubs.look()
    table.journal.add(long.entries[-1])  # nothing that a table would say: what came before isn't proved by it
    table.send_all()
    table.journal.add(long.entries[-1])
    table.send_all()
    clubs.count()
    assert clubs.look() == before
    with reading(clubs.engine) as connection:
        assert [each.counts for each in games(connection, table=table.table.id)] == [True]


def test_a_clock_that_goes_back_into_a_closed_season_loops_nowhere(clubs: TwoClubs) -> None:
    now = clubs.later()
    clubs.change(lambda connection: cut_season(connection, now, "Next"))
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2027"), clubs.later()))
    before = clubs.look()
    clubs.league.clock.ms = (NOW - 86_400) * 1000
    clubs.farm(1)
    after = clubs.look()
    assert "Next Eve" in after
    assert {key: value for key, value in after.items() if "Eve" not in key} == before
