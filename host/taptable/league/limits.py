"""The limits of what one table can make a league do, of how much is kept, and how long a table is suspended
(`SUSPENSION_MS`). A message beyond most of these limits is refused with a remark to the table's people and the
administrator. What a table sent before costs no work later. The limits of a worker's own connection and transactions
are in `worker`, those of browsers in `page` and `web.site`, and the length of members' names in `members`."""

from __future__ import annotations

# ---- time

TRANSACTION_S = 1.0
"""Seconds after which a transaction processes no more, and the rest waits for the next one. With the time to store it
all, no transaction takes longer than two seconds."""
TRANSACTION_OF_A_TABLE_S = 0.03
"""The same for the messages of one table; messages of others that arrive meanwhile are in the next transaction."""
SHARE_OF_A_TABLE = 0.1
"""One table's share of a worker's time while others wait: a table that took long waits its turn."""
SUSPENSION_MS = 60_000
"""Milliseconds for which a table is suspended at first; each further suspension in a row is twice as long. Two things
suspend a table, and each counts by itself: the league can't store its messages (`Ingest`, remark ``put-aside``), or it
floods (`TableSubscriptions`, remark ``floods``)."""
LONGEST_SUSPENSION_MS = 3_600_000
"""Milliseconds of the longest suspension. If a table floods again only this long after its last suspension, the next
one is short again."""
COUNTING_S = 0.25
"""Seconds after which a transaction stops that rolls games back from the ratings; the next one continues."""
LONG_RECOUNT = 200
"""From this number of games on, a recount is a long one, of several transactions. A shorter one is done in one
transaction, so that nobody sees a part of it."""
RECOUNT_EVERY_S = 600
"""Seconds after the end of a long recount until the next that tables cause; an administrator's doesn't wait."""


def suspension_ms(times: int) -> int:
    """Return how long a table is suspended for the nth time in a row, from 1."""
    return min(SUSPENSION_MS * 2 ** min(times - 1, 20), LONGEST_SUSPENSION_MS)


# ---- queues

TRANSACTION_OF_A_TABLE_BYTES = 262_144
"""Bytes of one table's messages in one transaction, which contains at least one of them."""
WAITING_OF_A_TABLE = 20
"""Messages of one table that may wait; a bridge has eight batches in flight, which it may send again."""
WAITING_BYTES = 64 * 2**20
"""Bytes that may wait in all: some thousands of long batches."""
QUEUED_BYTES = 16 * 2**20
"""Bytes that may wait in the connection to the broker, which is read all the time."""
MAX_REFUSED = 40
"""Messages of one table that find no room within `REFUSED_WITHIN_S` before the table is suspended because it floods:
nobody subscribes to its messages then, so the broker drops them. `SUSPENSION_MS` says how long."""
REFUSED_WITHIN_S = 10.0
"""Seconds within which `MAX_REFUSED` are counted."""

# ---- storage

MAX_JOURNALS = 100
"""Journals of one table, counting each branch."""
MAX_MEMBERS = 500
"""Members that one table reported first."""
MAX_CODES = 20
"""Codes for members of other clubs that one table shows within an hour, including those that were used."""
MAX_REMARKS = 1_000
"""Highest count of a table's remarks under one key; after that only the last remark is replaced."""

# ---- games

MAX_PLAYED = 5_000
"""The most observations of one game that are replayed; a game of an evening has some hundreds.
`core.manifests.MAX_CARDS` limits the cards of a game, `page.past_games.MAX_REPLAYED` what a table's page replays."""
MAX_BEGINNINGS = 5
"""The most games in a row in a batch that have no entry: a transaction can end only after an entry."""
LONGEST_SETTINGS = 4_096
"""Characters of a game's house rules, as JSON."""
REPLAYS_OF_A_TABLE = 4
"""Replays of one table's games that stay in memory, to be continued."""
REPLAYS_BYTES_OF_A_TABLE = 8 * 2**20
"""Bytes of one table's replays that stay in memory."""
REPLAYS_BYTES = 256 * 2**20
"""Bytes of all replays in memory: some thousands of games."""
