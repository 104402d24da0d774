"""The tables of a league's database, the same on SQLite and PostgreSQL. They hold the journals' records exactly as they
arrived, each entry once; beside them what the league derived from them, and which worker does what. Times are whole
seconds of UTC since 1970, unless a name ends in ``_us`` (table time, µs) or ``_ms``. Must not know any query."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

BIG = BigInteger().with_variant(Integer, "sqlite")
"""The type of large integers. SQLite numbers rows by itself only if the key is an INTEGER, which has 64 bits there."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

clubs = Table(
    "clubs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
)

seasons = Table(
    "seasons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("begins", BIG, nullable=False),
    Column("ends", BIG, nullable=False),
    Column("closed", BIG),  # since then no game is added to it, and none of it counts differently
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("club", Text, ForeignKey(clubs.c.id), nullable=False),
    Column("key", Text, nullable=False),  # hex; it signs messages, and is the password of its account at the broker
    Column("shard", Integer, nullable=False),
    Column("added", BIG, nullable=False),
    Column("revoked", BIG),
)

streams = Table(  # branches of tables' journals, and how far each is stored
    "streams",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("table_id", Text, ForeignKey(tables.c.id), nullable=False),
    Column("journal", Text, nullable=False),
    Column("branch", Integer, nullable=False),
    Column("number", BIG, nullable=False),
    Column("digest", Text, nullable=False),
    Column("begun", BIG, nullable=False),
    Column("game_id", BIG),  # the game to which its next entry belongs
    UniqueConstraint("table_id", "journal", "branch"),
    Index(None, "table_id", "id"),
)

entries = Table(
    "entries",
    metadata,
    Column("season", Integer, nullable=False),
    Column("stream", BIG, nullable=False),  # no foreign key: it would be checked for every entry
    Column("number", BIG, nullable=False),
    Column("record", Text, nullable=False),  # in the form of `memory.digest`
    PrimaryKeyConstraint("season", "stream", "number"),
    postgresql_partition_by="LIST (season)",
)

RUNNING, ENDED, LEFT_OFF = "running", "ended", "left-off"
"""The `status` of a game. ``left-off``: the next one began before it had an end."""

PROVED, NOT_PROVED, NOT_CHECKED = "proved", "not-proved", "not-checked"
"""The `proof` of a game, for the entries that have arrived."""

games = Table(
    "games",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("stream", BIG, ForeignKey(streams.c.id), nullable=False),
    Column("table_id", Text, ForeignKey(tables.c.id), nullable=False),
    Column("in_journal", BIG, nullable=False),  # its id in the journal
    Column("record", Text, nullable=False),  # its header, in the form of `memory.digest`
    Column("after", BIG, nullable=False),  # its stream's position before it
    Column("after_digest", Text, nullable=False),
    Column("last", BIG, nullable=False),  # the number of its last entry
    Column("season", Integer, ForeignKey(seasons.c.id), nullable=False),
    Column("begun", BIG, nullable=False),  # by the table's clock if that is plausible, else when it arrived
    Column("clock_wrong", Boolean, nullable=False),
    Column("game", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("rules_version", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("proof", Text, nullable=False),
    Column("why", Text, nullable=False),  # why it isn't proved, in a sentence for the administrator
    Column("superseded", Boolean, nullable=False),  # a later branch of its journal has it as well
    Column("unit", Text, nullable=False),
    Column("length_us", BIG, nullable=False),  # time played until now, without pauses
    Column("fastest_us", BIG),  # the fastest stop of a hacker: time after the window's opening, give or take the bound
    Column("fastest_bound_us", BIG),
    Column("fastest_seat", Integer),
    Column("ended", BIG),  # when its first end was stored, even if that was taken back or a backup has it again
    Column("counted", BIG),  # its number in the order in which the ratings of its game counted it
    Column("entries_in", Integer),  # the season in whose partition its entries are, if it is another
    Column("fixed", BIG),  # its season was closed: entries after this one change nothing about the game
    UniqueConstraint("stream", "in_journal"),
    Index(None, "season", "game", "status"),
    Index(None, "table_id", "in_journal"),
    Index(None, "table_id", "begun"),
    Index(None, "stream", "after"),
    Index(None, "game", "counted", "ended"),
    Index(None, "game", "ended"),
)

members = Table(
    "members",
    metadata,
    Column("id", Text, primary_key=True),  # the one in the journals
    Column("club", Text, ForeignKey(clubs.c.id), nullable=False),
    Column("name", Text, nullable=False),
    Column("colour", Text, nullable=False),  # "#rrggbb", or ""
    Column("shown", Text, nullable=False),  # "name", "initial", "nothing"
    Column("deleted", BIG),
    Column("reported_by", Text, index=True),  # the table that reported the member first; null if before this was stored
    Column(
        "secret_shown", Boolean, nullable=False, server_default=false()
    ),  # reported with the secret of the id, or by the administrator
)

seats = Table(  # the results of games that ended
    "seats",
    metadata,
    Column("game_id", BIG, ForeignKey(games.c.id, ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("member", Text),  # "" or null for a guest; no foreign key, since a journal may arrive before its members do
    Column("away", Text),  # the member whose seat counts as a guest's, since they had no leave to play away there
    Column("team", Integer, nullable=False),  # from 1 on, in the scoreboard's order
    Column("score", BIG, nullable=False),  # the team's
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    PrimaryKeyConstraint("game_id", "seat"),
    Index(None, "member"),
    Index(None, "away"),
)

_GOOD = text("until IS NULL")
"""The condition of a leave that holds today."""

away = Table(  # leave of a member to play at a table of another club
    "away",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("member", Text, nullable=False),
    Column("table_id", Text, ForeignKey(tables.c.id), nullable=False),
    Column("allowed_by", Text, nullable=False),  # the id of a table of the member's club; "": the administrator
    Column("since", BIG, nullable=False),  # for games that end after that second
    Column("until", BIG),  # for games that end in that second at the latest
    Index(None, "member", "table_id"),
    # one leave at a time
    Index("uq_away_member", "member", "table_id", unique=True, postgresql_where=_GOOD, sqlite_where=_GOOD),
)

away_codes = Table(  # codes that tables show, each for one leave; a used one is kept forever
    "away_codes",
    metadata,
    Column("digest", Text, primary_key=True),  # SHA-256 of the code
    Column("table_id", Text, ForeignKey(tables.c.id), nullable=False),
    Column("until", BIG, nullable=False),
    Column("used", BIG),
    Index(None, "table_id"),
)

annulments = Table(  # games of a table that don't count, by when the league received their end
    "annulments",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("table_id", Text, ForeignKey(tables.c.id), nullable=False),
    Column("from", BIG, key="since", nullable=False),  # the first second
    Column("until", BIG, nullable=False),  # the last one
    Column("by", Text, nullable=False),  # an administrator
    Column("at", BIG, nullable=False),
    Column("undone", BIG),
    Index(None, "table_id"),
)

counters = Table(  # one row for each game; a transaction that counts its games holds its lock
    "counters",
    metadata,
    Column("game", Text, primary_key=True),
    Column("counted", BIG, nullable=False),
    Column("recount_from", BIG),  # games counted with this number or a higher one have changed
    Column("recount_now", Boolean, nullable=False, server_default=false()),  # do it however long it takes
    Column("recounted", BIG),  # when the last long recount ended
)

ratings = Table(
    "ratings",
    metadata,
    Column("game", Text, nullable=False),
    Column("member", Text, nullable=False),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    Column("games", Integer, nullable=False),
    PrimaryKeyConstraint("game", "member"),
)

rating_history = Table(  # the ratings after each counted game
    "rating_history",
    metadata,
    Column("game_id", BIG, nullable=False),
    Column("member", Text, nullable=False),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    # the rating before the game, and from how many games it was made: to roll back to
    Column("before_mu", Float(53), nullable=False, server_default="0"),
    Column("before_sigma", Float(53), nullable=False, server_default="0"),
    Column("before_games", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("game_id", "member"),
    ForeignKeyConstraint(["game_id"], [games.c.id], ondelete="CASCADE"),
    Index(None, "member"),
)

live = Table(  # the running or last game at a table, as of the last entry that was stored
    "live",
    metadata,
    Column("table_id", Text, ForeignKey(tables.c.id), primary_key=True),
    Column("stamp_ms", BIG, nullable=False),  # differs after each change
    Column("game_id", BIG, nullable=False),
    Column("at_us", BIG, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("members", Text, nullable=False),  # JSON: by seat, seat 1 first, "" where no member is known
    Column("scoreboard", Text, nullable=False),  # JSON of a core.scoreboard.Scoreboard; "" where there is none
)

remarks = Table(  # remarks for the people of a table
    "remarks",
    metadata,
    Column("table_id", Text, ForeignKey(tables.c.id), nullable=False),
    Column("key", Text, nullable=False),  # in the catalogues, context ``league-remark``
    Column("first", BIG, nullable=False),
    Column("last", BIG, nullable=False),
    Column("times", Integer, nullable=False),
    Column("about", Text, nullable=False),  # the detail of the last one, in English, for the administrator
    PrimaryKeyConstraint("table_id", "key"),
)

leases = Table(
    "leases",
    metadata,
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("owner", Text, nullable=False),  # a worker; "": nobody
    Column("fence", BIG, nullable=False),  # one more with each owner
    Column("until_ms", BIG, nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("until_ms", BIG, nullable=False),
)

administrators = Table(
    "administrators",
    metadata,
    Column("name", Text, primary_key=True),
    Column("password", Text, nullable=False),  # hashed by Argon2
    Column("added", BIG, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", Text, primary_key=True),  # SHA-256 of the secret in the cookie
    Column("administrator", Text, ForeignKey(administrators.c.name, ondelete="CASCADE"), nullable=False),
    Column("begun", BIG, nullable=False),
    Column("until", BIG, nullable=False),
)
