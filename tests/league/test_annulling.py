"""Games that the administrator annuls, and seasons that were closed."""

from __future__ import annotations

import pytest
from league.sending import NOW, League, stored
from league.simulated_games import simulate_game
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
from taptable.league import ratings
from taptable.league.annulling import all_annulments, annul, undo_annulment
from taptable.league.away import allow
from taptable.league.database import read_transaction, write_transaction
from taptable.league.game_lines import games, transcript
from taptable.league.limits import RECOUNT_EVERY_S
from taptable.league.locks import lock_counters
from taptable.league.ratings import rate_new_games, request_recount
from taptable.league.schema import rating_history
from taptable.league.seasons import close_season, cut_season


def test_annulled_games_count_nowhere_until_that_is_undone(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    before, now = clubs.look(), clubs.later()
    clubs.change(lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", now))
    clubs.later()
    clubs.farm(3)
    clubs.honest.journal.play(simulate_game(2), BOB, ANN)
    clubs.honest.send_all()
    clubs.count()
    farmed, now = clubs.look(), clubs.later()
    assert farmed["online Ann"] != before["online Ann"]
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, now, "ada", now))
    annulled = clubs.look()
    assert not any("Eve" in key for key in annulled)
    with read_transaction(engine) as connection:
        (entry,) = all_annulments(connection)
        assert (entry.table, entry.by, entry.undone, entry.games) == (clubs.hostile.table.id, "ada", None, 3)
        assert [each.is_counted for each in games(connection, table=clubs.hostile.table.id)] == [False] * 3
    clubs.change(lambda connection: undo_annulment(connection, entry.id, now))
    assert clubs.look() == farmed
    with pytest.raises(LeagueError, match="undone already"):
        clubs.change(lambda connection: undo_annulment(connection, entry.id, now))
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, NOW, "ada", now))
    assert clubs.look() == farmed  # none of them ended in that span


def test_games_that_were_annulled_before_they_were_counted_count_once_that_is_undone(clubs: TwoClubs) -> None:
    clubs.hostile.journal.play(simulate_game(100), EVE)
    clubs.hostile.send_all()
    with write_transaction(clubs.engine) as connection:
        made = annul(connection, clubs.hostile.table.id, 0, NOW, "ada", NOW)
    clubs.count()
    assert "online Eve" not in clubs.look()
    with write_transaction(clubs.engine) as connection:
        undo_annulment(connection, made.id, NOW)
        assert ratings.games_to_recount(connection) == ["online"]
    clubs.count()
    assert "online Eve" in clubs.look()


def test_a_recount_is_done_in_pieces(clubs: TwoClubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 2)
    clubs.farm(6)
    before = clubs.look()
    with write_transaction(clubs.engine) as connection:
        annul(connection, clubs.hostile.table.id, 0, NOW, "ada", NOW)
    looks: list[int] = []

    def outside_s() -> float:
        with read_transaction(clubs.engine) as connection:
            looks.append(len(connection.execute(select(rating_history)).all()))
        return 1000.0 * len(looks)

    rate_new_games(clubs.engine, "online", outside_s)
    assert len(set(looks)) >= 3, looks  # others see each piece as it was done
    annulled = clubs.look()
    assert "online Eve" not in annulled
    clubs.change(lambda connection: undo_annulment(connection, 1, NOW))
    assert clubs.look() == before


# ---- seasons that are closed


def test_a_season_that_is_closed_stays_as_it_is(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    third = clubs.league.table("Third", "A")
    third.journal.play(dated(simulate_game(3)), ANN, BOB, entries=5)
    third.send_all()
    with write_transaction(engine) as connection:
        last = season_named(connection, "2026")
        with pytest.raises(LeagueError, match="has ended"):
            close_season(connection, season_named(connection, "2027"), NOW)
        close_season(connection, last, NOW)
        with pytest.raises(LeagueError, match="once"):
            close_season(connection, last, NOW)
    before = {key: value for key, value in clubs.look().items() if key.startswith("2026")}
    # what was being played ends in the season that is on
    third.journal.add(*simulate_game(3).entries[5:])
    third.journal.play(dated(simulate_game(4)), ANN, BOB)
    third.send_all()
    assert clubs.remarks(third)["clock"] == 1
    clubs.count()
    clubs.farm(2, dated)
    after = clubs.look()
    assert {key: value for key, value in after.items() if key.startswith("2026")} == before
    assert after["2027 Ann"][0] == 3  # pyright: ignore[reportIndexIssue]
    with read_transaction(engine) as connection:
        assert stored(connection, third.table.id)
        assert all(transcript(connection, each.id) for each in games(connection, table=third.table.id))


def test_a_backup_plays_a_closed_season_s_game_again_and_it_counts_once(clubs: TwoClubs) -> None:
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    before = clubs.look()
    fresh = clubs.honest.journal.copy()
    fresh.texts, fresh.digests, fresh.games, fresh.digest, fresh.at_us = [], fresh.digests[:1], [], fresh.digests[0], 0
    fresh.play(dated(simulate_game(0)), BOB, ANN)  # the same header, another game
    fresh.play(simulate_game(1), ANN, BOB)
    clubs.honest.journal = fresh
    clubs.honest.send_all()
    clubs.count()
    assert clubs.look() == before


def test_an_end_that_is_taken_back_in_a_closed_season_stays(clubs: TwoClubs) -> None:
    table = clubs.league.table("Third", "A")
    long = next(game for seed in range(200, 240) if len((game := simulate_game(seed)).entries) > 20)
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
    with read_transaction(clubs.engine) as connection:
        assert [each.is_counted for each in games(connection, table=table.table.id)] == [True]


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


# ---- what is taken back, repeated, or heard in another order


@pytest.mark.parametrize("clock_s", [0, -5])
def test_what_ended_in_one_second_or_by_a_clock_that_was_set_back_is_taken_out(engine: Engine, clock_s: int) -> None:
    clubs = TwoClubs(League(engine))
    clubs.later(10)
    third = clubs.league.table("Third", "A")
    game = simulate_game(50)
    third.journal.play(game, ANN, BOB, entries=5)  # its id is the lower, and it ends later
    third.send_all()
    clubs.hostile.journal.play(simulate_game(51), EVE)
    clubs.hostile.send_all()
    clubs.count()
    clubs.league.clock.ms += 1000 * clock_s
    third.journal.add(*game.entries[5:])
    third.send_all()
    clubs.hostile.journal.play(simulate_game(52), EVE)
    clubs.hostile.send_all()
    clubs.count()
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, NOW + 100, "ada", NOW))
    assert not any("Eve" in key for key in clubs.look())
    assert clubs.look()["online Ann"][2] == 3  # pyright: ignore[reportIndexIssue]


@pytest.mark.parametrize("how", ["taken back", "backup", "both"])
def test_a_game_that_is_annulled_stays_so_though_it_ends_again(clubs: TwoClubs, how: str) -> None:
    game = simulate_game(1)
    backup = clubs.hostile.journal.copy()
    clubs.hostile.journal.play(game, EVE)
    clubs.hostile.send_all()
    clubs.count()
    until = clubs.later()
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, until, "ada", until))
    before = clubs.look()
    clubs.later()
    if how != "taken back":
        clubs.back_up(clubs.hostile, backup, game, "", EVE)
    if how != "backup":
        clubs.take_back(clubs.hostile, game, until_end=how == "both")
    clubs.count()
    assert clubs.look() == before
    clubs.change(lambda connection: undo_annulment(connection, 1, NOW))
    assert ("online Eve" in clubs.look()) is (how != "taken back")


def test_games_of_a_closed_season_keep_nobody_from_annulling_those_beside_them(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    for seed in range(60, 63):
        clubs.hostile.journal.play(dated(simulate_game(seed)), EVE)
        clubs.hostile.journal.play(dated(simulate_game(seed), None), EVE)  # no clock, so it is of the season that is on
    clubs.hostile.send_all()
    clubs.count()
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    before = clubs.look()
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, NOW + 100, "ada", NOW))
    annulled = clubs.look()
    assert annulled["2026 Eve"] == before["2026 Eve"]
    assert "2027 Eve" not in annulled
    with read_transaction(engine) as connection:
        (made,) = all_annulments(connection)
        assert (made.games, made.closed) == (3, 3)
        counts = [each.is_counted for each in games(connection, table=clubs.hostile.table.id)]
        assert sorted(counts) == [False] * 3 + [True] * 3


def test_what_was_annulled_or_not_when_its_season_was_closed_stays_so(engine: Engine) -> None:
    """Also by a clock that is set back before each of these."""
    clubs = TwoClubs(League(engine))
    clubs.hostile.journal.play(dated(simulate_game(60)), EVE)
    clubs.hostile.journal.play(simulate_game(61), EVE)
    clubs.hostile.send_all()
    clubs.count()
    table, now = clubs.hostile.table.id, clubs.later(20)
    clubs.change(lambda connection: annul(connection, table, 0, now, "ada", now))
    clubs.change(lambda connection: undo_annulment(connection, 1, now - 1))
    clubs.change(lambda connection: annul(connection, table, 0, now, "ada", now - 2))
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), now - 3))
    annulled = clubs.look()
    assert not any("Eve" in key for key in annulled)
    clubs.change(lambda connection: undo_annulment(connection, 2, now - 4))
    after = clubs.look()
    assert "2027 Eve" in after
    assert {key: value for key, value in after.items() if "2026" in key} == {
        key: value for key, value in annulled.items() if "2026" in key
    }
    last = clubs.later(100)
    clubs.change(lambda connection: cut_season(connection, last, "Next"))
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2027"), last + 1))
    closed = clubs.look()
    clubs.change(lambda connection: annul(connection, table, 0, last, "ada", last - 5))
    assert clubs.look() == closed


# ---- recounts that tables cause


def test_a_long_recount_that_a_table_causes_waits_and_the_administrator_s_does_not(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 2)
    monkeypatch.setattr(ratings, "LONG_RECOUNT", 4)
    clubs = TwoClubs(League(engine))
    third, fourth = (clubs.league.table(name, "A") for name in ("Third", "Fourth"))
    for table in (third, fourth):
        table.journal.play(simulate_game(1), ANN, BOB)
        table.send_all()
    clubs.count()
    clubs.farm(5)
    now = clubs.later()

    def is_done(at: int) -> bool:
        """Return whether nothing is left to be counted again after a count at that time."""
        rate_new_games(engine, "online", now=at)
        with read_transaction(engine) as connection:
            return ratings.games_to_recount(connection) == []

    clubs.take_back(third, simulate_game(1), until_end=False)
    assert is_done(now)
    before = clubs.look()
    clubs.take_back(fourth, simulate_game(1), until_end=False)
    clubs.hostile.journal.play(simulate_game(110), EVE)
    clubs.hostile.send_all()
    assert not is_done(now + RECOUNT_EVERY_S - 1)
    waits = clubs.look()
    assert waits["online Ann"] == before["online Ann"]  # not yet taken out, and nobody else either
    assert waits["online Eve"][2] == 6  # pyright: ignore[reportIndexIssue]
    assert is_done(now + RECOUNT_EVERY_S)
    assert clubs.look()["online Ann"][2] == 2  # pyright: ignore[reportIndexIssue]
    clubs.take_back(clubs.hostile, simulate_game(110), until_end=False)
    assert is_done(now + RECOUNT_EVERY_S + 1)  # a short one
    with write_transaction(engine) as connection:
        annul(connection, clubs.hostile.table.id, 0, now, "ada", now)
    assert is_done(now + RECOUNT_EVERY_S + 2)
    assert "online Eve" not in clubs.look()


def test_a_short_recount_is_seen_by_nobody(clubs: TwoClubs) -> None:
    clubs.farm(6)
    before = clubs.look()
    with write_transaction(clubs.engine) as connection:
        lock_counters(connection)
        request_recount(connection, "online", 1)
    looks: list[object] = []
    rate_new_games(clubs.engine, "online", lambda: looks.append(clubs.look()) or 0.0)
    assert looks
    assert clubs.look() == before
    assert all(look == before for look in looks)
