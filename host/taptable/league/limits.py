"""What one table can have a league do, and how much of it is kept: all such limits, in one place. What is over one is
refused with a remark, so that its people and the administrator know; what a table sent before costs no work later."""

from __future__ import annotations

# ---- time

TRANSACTION_S = 1.0
"""After this a transaction takes in no more, and the rest waits for the next one: with what it stores then, none takes
longer than two seconds."""
TRANSACTION_OF_A_TABLE_S = 0.03
"""The same for the messages of one table; what comes from others meanwhile is in the next one."""
SHARE_OF_A_TABLE = 0.1
"""Of the time of a worker, while others wait: a table that took long waits its turn."""
SUSPENSION_MS = 60_000
"""A table whose messages can't be stored isn't heard for so long, and twice as long each time it happens again."""
LONGEST_SUSPENSION_MS = 3_600_000
COUNTING_S = 0.25
"""After this a transaction that takes games out of the ratings takes no more."""
LONG_RECOUNT = 200
"""Games: a recount of fewer is done in one transaction, and seen by nobody."""
RECOUNT_EVERY_S = 600
"""A longer one that tables cause waits for so long after the end of the last one; an administrator's doesn't wait."""


def suspension_ms(times: int) -> int:
    """For how long a table isn't heard that is left out for the nth time in a row, from 1."""
    return min(SUSPENSION_MS * 2 ** min(times - 1, 20), LONGEST_SUSPENSION_MS)


# ---- what waits

TRANSACTION_OF_A_TABLE_BYTES = 262_144
"""Of its messages in one transaction, and one in any case."""
WAITING_OF_A_TABLE = 20
"""Messages; a bridge has eight batches under way, which it may send again."""
WAITING_BYTES = 64 * 2**20
"""In all: some thousands of long batches."""
QUEUED_BYTES = 16 * 2**20
"""In the connection to the broker, which is looked at all the time."""
MOST_REFUSED = 40
"""Messages of one table for which there was no room, within so many seconds; then it isn't heard for a while, as one
that is put aside, and the broker has nobody to pass them on to."""
REFUSED_WITHIN_S = 10.0

# ---- what is stored

MOST_JOURNALS = 100
"""Of one table, with the branches of each."""
MOST_MEMBERS = 500
"""That one table reported first."""
MOST_CODES = 20
"""Codes for members of other clubs that one table shows within an hour, those included that were used."""
MOST_REMARKS = 1_000
"""Counted of one table under one key; what comes after that is only the last of them."""

# ---- games

MOST_PLAYED = 5_000
"""Observations of one game that are played again; evenings have some hundreds a game. `core.manifests.MOST_CARDS` is
how many cards a game can have."""
MOST_BEGINNINGS = 5
"""Games in a row in a batch that have no entry: only after one can a transaction end."""
LONGEST_SETTINGS = 4_096
"""Characters of a game's house rules, as JSON."""
REPLAYS_OF_A_TABLE = 4
"""Games that are kept in memory as they stand, to be played on."""
REPLAYS_BYTES_OF_A_TABLE = 8 * 2**20
REPLAYS_BYTES = 256 * 2**20
"""In all: some thousands of games."""
