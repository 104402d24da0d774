"""Revision 0003: leave to play at another club's table, annulments, and closed seasons."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")

BEFORE = """
UPDATE rating_history SET before_mu = before.mu, before_sigma = before.sigma, before_games = before.games
FROM (
  SELECT of_it.game_id, of_it.member, lag(of_it.mu) OVER turn AS mu, lag(of_it.sigma) OVER turn AS sigma,
    row_number() OVER turn - 1 AS games
  FROM rating_history AS of_it JOIN games ON games.id = of_it.game_id
  WINDOW turn AS (PARTITION BY games.game, of_it.member ORDER BY games.counted)
) AS before
WHERE before.game_id = rating_history.game_id AND before.member = rating_history.member AND before.games > 0
"""
"""Sets the rating before each game to the one after the member's previous game."""
ALLOWED = """
INSERT INTO away (member, table_id, allowed_by, since, until)
SELECT seats.member, games.table_id, '', 0, max(games.ended) FROM seats
JOIN games ON games.id = seats.game_id
JOIN tables ON tables.id = games.table_id
JOIN members ON members.id = seats.member
WHERE members.club <> tables.club
GROUP BY seats.member, games.table_id
"""
"""Gives leave to each member who counted at a table of another club, until the last of these games."""


def upgrade() -> None:
    """Add the tables and columns, and fill them for the games that are stored."""
    op.add_column("seasons", sa.Column("closed", BIG, nullable=True))
    op.add_column("games", sa.Column("entries_in", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("fixed", BIG, nullable=True))
    op.drop_index(op.f("ix_games_game_counted"), "games")
    op.create_index(op.f("ix_games_game_counted_ended"), "games", ["game", "counted", "ended"])
    op.create_index(op.f("ix_games_game_ended"), "games", ["game", "ended"])
    op.add_column("seats", sa.Column("away", sa.Text(), nullable=True))
    op.create_index(op.f("ix_seats_away"), "seats", ["away"])
    op.add_column("counters", sa.Column("recount_now", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("counters", sa.Column("recounted", BIG, nullable=True))
    for name, kind in (("mu", sa.Float(precision=53)), ("sigma", sa.Float(precision=53)), ("games", sa.Integer())):
        op.add_column("rating_history", sa.Column(f"before_{name}", kind, nullable=False, server_default="0"))
    op.execute(BEFORE)
    op.create_table(
        "away",
        sa.Column("id", BIG, nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("allowed_by", sa.Text(), nullable=False),
        sa.Column("since", BIG, nullable=False),
        sa.Column("until", BIG, nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_away_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_away")),
    )
    op.create_index(op.f("ix_away_member_table_id"), "away", ["member", "table_id"])
    good = sa.text("until IS NULL")
    of_it = ["member", "table_id"]
    op.create_index("uq_away_member", "away", of_it, unique=True, postgresql_where=good, sqlite_where=good)
    op.execute(ALLOWED)
    op.create_table(
        "away_codes",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("until", BIG, nullable=False),
        sa.Column("used", BIG, nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_away_codes_table_id")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_away_codes")),
    )
    op.create_index(op.f("ix_away_codes_table_id"), "away_codes", ["table_id"])
    op.create_table(
        "annulments",
        sa.Column("id", BIG, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("from", BIG, nullable=False),
        sa.Column("until", BIG, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("undone", BIG, nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_annulments_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annulments")),
    )
    op.create_index(op.f("ix_annulments_table_id"), "annulments", ["table_id"])
