"""The migrations make what the schema says, from nothing and by several at once; and each season has its partition."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from league.sending import NOW as MAY
from league.sending import League
from league.two_clubs import ANN, TwoClubs
from sqlalchemy import Engine, MetaData, select, text
from taptable.league.annulling import annul
from taptable.league.away import all_leaves, allow
from taptable.league.database import (
    _config,  # pyright: ignore[reportPrivateUsage]
    check_version,
    migrate,
    on_postgresql,
    open_database,
    read_transaction,
    write_transaction,
)
from taptable.league.ratings import rate_new_games
from taptable.league.schema import entries, metadata, rating_history, ratings
from taptable.league.seasons import begin_season, season_of
from taptable.league.standings import standings
from taptable.league.views import Rating

NOW = 1_780_000_000


def test_migrations_make_the_schema(address: str) -> None:
    engines = [open_database(address) for _ in range(3)]
    with ThreadPoolExecutor(3) as threads:
        for _ in threads.map(migrate, engines):
            pass
    check_version(engines[0])
    with read_transaction(engines[0]) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    for engine in engines:
        engine.dispose()


def test_a_database_of_an_earlier_version_is_brought_up_to_date_with_all_that_is_in_it(address: str) -> None:
    engine = open_database(address)
    with write_transaction(engine) as connection:
        command.upgrade(_config(connection), "0001")  # as 0.2.0 left it
        for statement in (
            "INSERT INTO clubs VALUES ('c', 'c')",
            "INSERT INTO seasons VALUES (1, '2026', 0, 10)",
            "INSERT INTO tables VALUES ('t', 'T', 'c', '00', 1, 5, NULL)",
            "INSERT INTO members VALUES ('m', 'c', 'Ann', '', 'name', NULL)",
            "INSERT INTO streams VALUES (1, 't', 'j', 0, 9, '', 5, NULL)",
            "INSERT INTO games VALUES (1, 1, 't', 1, '', 0, '', 9, 1, 5, false, 'online', 'en', 2, '', 'ended',"
            " 'proved', '', false, '', 1, NULL, NULL, NULL, 7, 1)",
            "INSERT INTO seats VALUES (1, 1, 'm', 1, 5, 1, 1)",
            "INSERT INTO counters VALUES ('online', 1, NULL)",
            "INSERT INTO ratings VALUES ('online', 'm', 20.0, 8.0, 1)",
            "INSERT INTO rating_history VALUES (1, 'm', 20.0, 8.0)",
        ):
            connection.execute(text(statement))
    migrate(engine)
    check_version(engine)
    with read_transaction(engine) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        (line,) = standings(connection, 1, "online")
        assert (line.member.name, line.games, line.rating) == ("Ann", 1, Rating(20.0, 8.0, 1))
    with write_transaction(engine) as connection:
        annul(connection, "t", 0, 10, "ada", 11)
    rate_new_games(engine, "online")
    with read_transaction(engine) as connection:
        assert standings(connection, 1, "online") == []
        assert connection.execute(ratings.select()).all() == []
    engine.dispose()


def test_a_season_begins_once_with_its_partition(engine: Engine) -> None:
    with ThreadPoolExecutor(3) as threads:
        made = list(threads.map(lambda when: begin_season(engine, when, 6), (NOW, NOW, NOW + 86_400)))
    assert len(set(made)) == 1
    _, _, ends = season_of(NOW, 6)
    assert begin_season(engine, ends - 1, 6) == made[0]
    other = begin_season(engine, ends, 6)
    assert other != made[0]
    # with other lengths later, what has begun goes on to its end
    assert begin_season(engine, NOW, 1) == made[0]
    with read_transaction(engine) as connection:
        if on_postgresql(connection):
            query = text("SELECT count(*) FROM pg_inherits WHERE inhparent = 'entries'::regclass")
            assert connection.execute(query).scalar_one() == 2
        assert connection.execute(entries.select()).all() == []


def test_what_0_2_0_counted_at_other_clubs_tables_stays_and_is_found_equal(small: Engine, address: str) -> None:
    """A history of now is stored as that version had it: seats count wherever they are, and no game says what it
    found."""
    clubs = TwoClubs(League(small))
    clubs.change(lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", MAY))
    clubs.later()
    clubs.farm(3)
    before = clubs.look()
    old = open_database(address)
    with write_transaction(old) as connection:
        command.upgrade(_config(connection), "0002")
        metadata_then = MetaData()
        metadata_then.reflect(connection)
        if on_postgresql(connection):
            for season in (1, 2):
                connection.execute(text(f"CREATE TABLE entries_{season} PARTITION OF entries FOR VALUES IN ({season})"))
        with read_transaction(small) as now:
            for table in metadata_then.sorted_tables:
                columns = [column.name for column in table.columns]
                if (known := metadata.tables.get(table.name)) is not None:
                    kept = select(*(column for column in known.columns if column.name in columns))
                    if rows := [dict(row) for row in now.execute(kept).mappings()]:
                        connection.execute(table.insert(), rows)
    migrate(old)
    clubs.league = League(old)
    assert clubs.look() == before
    with read_transaction(small) as one, read_transaction(old) as other:
        history = select(rating_history).order_by(rating_history.c.game_id, rating_history.c.member)
        assert one.execute(history).all() == other.execute(history).all()
        assert all_leaves(other) == []
    old.dispose()
