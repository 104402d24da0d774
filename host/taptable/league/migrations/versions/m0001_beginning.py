"""Revision 0001: all tables of the first version. A migration never changes once it was released, so it repeats types
such as `BIG` and can't use today's `schema`, which also says the units of the columns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""An integer of 64 bits; SQLite numbers rows by itself only in a column of the type INTEGER."""


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "administrators",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("added", BIG, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_administrators")),
    )
    op.create_table(
        "clubs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clubs")),
    )
    op.create_table(
        "counters",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("counted", BIG, nullable=False),
        sa.Column("recount_from", BIG, nullable=True),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_counters")),
    )
    op.create_table(
        "entries",
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("stream", BIG, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("season", "stream", "number", name=op.f("pk_entries")),
        postgresql_partition_by="LIST (season)",
    )
    op.create_table(
        "leases",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("fence", BIG, nullable=False),
        sa.Column("until_ms", BIG, nullable=False),
        sa.PrimaryKeyConstraint("shard", name=op.f("pk_leases")),
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "member", name=op.f("pk_ratings")),
    )
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("begins", BIG, nullable=False),
        sa.Column("ends", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint("name", name=op.f("uq_seasons_name")),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("until_ms", BIG, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("colour", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("deleted", BIG, nullable=True),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_members_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("administrator", sa.Text(), nullable=False),
        sa.Column("begun", BIG, nullable=False),
        sa.Column("until", BIG, nullable=False),
        sa.ForeignKeyConstraint(
            ["administrator"], ["administrators.name"], name=op.f("fk_sessions_administrator"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sessions")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("shard", sa.Integer(), nullable=False),
        sa.Column("added", BIG, nullable=False),
        sa.Column("revoked", BIG, nullable=True),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name=op.f("fk_tables_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_table(
        "live",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("stamp_ms", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("at_us", BIG, nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("members", sa.Text(), nullable=False),
        sa.Column("scoreboard", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_live_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_live")),
    )
    op.create_table(
        "remarks",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("first", BIG, nullable=False),
        sa.Column("last", BIG, nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_remarks_table_id")),
        sa.PrimaryKeyConstraint("table_id", "key", name=op.f("pk_remarks")),
    )
    op.create_table(
        "streams",
        sa.Column("id", BIG, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("journal", sa.Text(), nullable=False),
        sa.Column("branch", sa.Integer(), nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("begun", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_streams_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_streams")),
        sa.UniqueConstraint("table_id", "journal", "branch", name=op.f("uq_streams_table_id_journal_branch")),
    )
    op.create_table(
        "games",
        sa.Column("id", BIG, nullable=False),
        sa.Column("stream", BIG, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("in_journal", BIG, nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("after", BIG, nullable=False),
        sa.Column("after_digest", sa.Text(), nullable=False),
        sa.Column("last", BIG, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("begun", BIG, nullable=False),
        sa.Column("clock_wrong", sa.Boolean(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("superseded", sa.Boolean(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("length_us", BIG, nullable=False),
        sa.Column("fastest_us", BIG, nullable=True),
        sa.Column("fastest_bound_us", BIG, nullable=True),
        sa.Column("fastest_seat", sa.Integer(), nullable=True),
        sa.Column("ended", BIG, nullable=True),
        sa.Column("counted", BIG, nullable=True),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name=op.f("fk_games_season")),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"], name=op.f("fk_games_stream")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_games_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("stream", "in_journal", name=op.f("uq_games_stream_in_journal")),
    )
    op.create_index(op.f("ix_games_game_counted"), "games", ["game", "counted"], unique=False)
    op.create_index(op.f("ix_games_season_game_status"), "games", ["season", "game", "status"], unique=False)
    op.create_index(op.f("ix_games_table_id_in_journal"), "games", ["table_id", "in_journal"], unique=False)
    op.create_table(
        "rating_history",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rating_history_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "member", name=op.f("pk_rating_history")),
    )
    op.create_index(op.f("ix_rating_history_member"), "rating_history", ["member"], unique=False)
    op.create_table(
        "seats",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("member", sa.Text(), nullable=True),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("score", BIG, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_member"), "seats", ["member"], unique=False)
