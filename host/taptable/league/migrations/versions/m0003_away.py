"""Leave to play at another club's table, annulled games, and closed seasons."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """To this form."""
    op.add_column("seasons", sa.Column("closed", BIG, nullable=True))
    op.add_column("games", sa.Column("entries_in", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("fixed", BIG, nullable=True))
    op.drop_index(op.f("ix_games_game_counted"), "games")
    op.create_index(op.f("ix_games_game_counted_ended"), "games", ["game", "counted", "ended"])
    op.create_index(op.f("ix_games_game_ended"), "games", ["game", "ended"])
    op.add_column("seats", sa.Column("away", sa.Text(), nullable=True))
    op.create_index(op.f("ix_seats_away"), "seats", ["away"])
    op.add_column("rating_history", sa.Column("before_mu", sa.Float(precision=53), nullable=True))
    op.add_column("rating_history", sa.Column("before_sigma", sa.Float(precision=53), nullable=True))
    op.add_column("rating_history", sa.Column("before_games", sa.Integer(), nullable=True))
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
