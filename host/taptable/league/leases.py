"""Leases of shards: each table belongs to a shard by a hash of its id, and a worker leases shards for some seconds. A
lease has a fencing number, which increases by one with each owner. A transaction that stores something checks that the
numbers are still its worker's, so that a worker that was thought dead can't store anything any more. Must not know what
a worker does for its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b

from sqlalchemy import Connection, bindparam, delete, func, select, update

from taptable.core.errors import LeagueError
from taptable.league.database import clock_ms, insert_into
from taptable.league.schema import leases, workers

SHARDS = 64
"""The number of shards, and so of workers that can share the tables. It can't change while a database has tables."""
NOBODY = ""
"""The owner of a lease that is free."""


class LeaseLost(LeagueError):
    """A lease that a transaction relied on has another owner."""


def shard_of(table: str) -> int:
    """Return the shard of a table, by its id."""
    return int.from_bytes(blake2b(table.encode(), digest_size=4).digest()) % SHARDS


def check(connection: Connection, owner: str, fences: Mapping[int, int]) -> None:
    """Raise `LeaseLost` unless this owner still holds all these shards with these fencing numbers. Nobody takes them
    before the transaction ends."""
    query = (
        select(leases.c.shard, leases.c.fence)
        .where(leases.c.shard.in_(fences), leases.c.owner == owner)
        .order_by(leases.c.shard)
    )
    found = {row.shard: row.fence for row in connection.execute(query.with_for_update(read=True))}
    if lost := sorted(shard for shard, fence in fences.items() if found.get(shard) != fence):
        raise LeaseLost(f"worker {owner} no longer holds the shards {', '.join(map(str, lost))}")


def renew(connection: Connection, owner: str, for_ms: int) -> dict[int, int]:
    """Renew a worker's registration and its leases for `for_ms`, release the shards beyond its share, and take free
    ones up to its share. Returns the shards that it holds now, with their fencing numbers."""
    now_ms = clock_ms(connection)
    _ensure_rows(connection)
    _announce(connection, owner, now_ms + for_ms)
    alive = connection.execute(
        select(func.count()).select_from(workers).where(workers.c.until_ms > now_ms)
    ).scalar_one()
    share = -(-SHARDS // alive)
    rows = connection.execute(select(leases).order_by(leases.c.shard).with_for_update()).all()
    held = {row.shard: row.fence for row in rows if row.owner == owner}
    for shard in sorted(held)[share:]:
        del held[shard]
    _free_shards(connection, (row.shard for row in rows if row.owner == owner and row.shard not in held))
    free = [row for row in rows if row.owner != owner and row.until_ms <= now_ms]
    acquired = {row.shard: row.fence + 1 for row in free[: share - len(held)]}
    ownership = {"owner": owner, "until_ms": now_ms + for_ms}
    updates = [{"of": shard, "fence": fence, **ownership} for shard, fence in (held | acquired).items()]
    if updates:
        connection.execute(update(leases).where(leases.c.shard == bindparam("of")), updates)
    return held | acquired


def release(connection: Connection, owner: str) -> None:
    """Remove a worker that ends, and release its shards, so that others may take them at once."""
    held = connection.execute(select(leases.c.shard).where(leases.c.owner == owner)).scalars().all()
    _free_shards(connection, held)
    connection.execute(delete(workers).where(workers.c.name == owner))


def _free_shards(connection: Connection, shards: Iterable[int]) -> None:
    change = update(leases).where(leases.c.shard.in_(list(shards)))
    connection.execute(change.values(owner=NOBODY, until_ms=0))


def _announce(connection: Connection, owner: str, until_ms: int) -> None:
    registration = insert_into(connection, workers).values(name=owner, until_ms=until_ms)
    connection.execute(registration.on_conflict_do_update(index_elements=[workers.c.name], set_={"until_ms": until_ms}))
    connection.execute(delete(workers).where(workers.c.until_ms < until_ms - 3_600_000))


def _ensure_rows(connection: Connection) -> None:
    if connection.execute(select(func.count()).select_from(leases)).scalar_one() < SHARDS:
        rows = [{"shard": shard, "owner": NOBODY, "fence": 0, "until_ms": 0} for shard in range(SHARDS)]
        connection.execute(insert_into(connection, leases).on_conflict_do_nothing(), rows)
