"""How Alembic finds the database: the connection is handed to it, in a transaction of its caller's."""

from alembic import context
from taptable.league.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
