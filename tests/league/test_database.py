"""The migrations make what the schema says, from nothing and by several at once; and each season has its partition."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, text
from taptable.league.database import check_version, migrate, on_postgresql, open_database, reading
from taptable.league.schema import entries, metadata
from taptable.league.seasons import begin_season, season_of

NOW = 1_780_000_000


def test_migrations_make_the_schema(address: str) -> None:
    engines = [open_database(address) for _ in range(3)]
    with ThreadPoolExecutor(3) as threads:
        for _ in threads.map(migrate, engines):
            pass
    check_version(engines[0])
    with reading(engines[0]) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    for engine in engines:
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
    with reading(engine) as connection:
        if on_postgresql(connection):
            query = text("SELECT count(*) FROM pg_inherits WHERE inhparent = 'entries'::regclass")
            assert connection.execute(query).scalar_one() == 2
        assert connection.execute(entries.select()).all() == []
