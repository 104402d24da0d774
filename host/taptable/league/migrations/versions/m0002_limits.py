"""Revision 0002: indices, so that nothing searches all that a table ever sent; the table that reported a member first,
and whether it showed the secret."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the indices and columns."""
    op.create_index(op.f("ix_streams_table_id_id"), "streams", ["table_id", "id"])
    op.create_index(op.f("ix_games_stream_after"), "games", ["stream", "after"])
    op.create_index(op.f("ix_games_table_id_begun"), "games", ["table_id", "begun"])
    op.add_column("members", sa.Column("reported_by", sa.Text(), nullable=True))
    op.create_index(op.f("ix_members_reported_by"), "members", ["reported_by"])
    op.add_column("members", sa.Column("secret_shown", sa.Boolean(), nullable=False, server_default=sa.false()))
