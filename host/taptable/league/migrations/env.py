"""Alembic's entry point: the caller passes the connection, in a transaction of its own."""

from alembic import context
from taptable.league.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
