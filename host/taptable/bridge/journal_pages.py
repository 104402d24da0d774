"""Reads the table's journal for the uplink, through the local API: pages of records after a position, and positions to
start from. Must not know the league."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Raw

from taptable.api.link import Call
from taptable.api.requests import MAX_ENTRIES, Positions, Stream
from taptable.memory.digest import digest_after
from taptable.memory.records import to_json
from taptable.uplink.messages import Position


@dataclass(frozen=True, slots=True)
class JournalPage:
    """Records that follow an entry. `start` is the position at that entry, None if the journal has no such entry; `end`
    is the position after the last record."""

    journal: str
    start: Position | None
    records: tuple[Raw, ...]
    end: Position | None


async def fetch_page(call: Call, number: int, most: int = MAX_ENTRIES) -> JournalPage:
    """Return the records after entry `number`, `most` entries of them at most. Raises `RequestError` if the table is
    away, or the records are damaged."""
    result = await call(Stream(number, most))
    journal: str = result["journal"]
    digest: str | None = result["digest"]
    if digest is None:
        return JournalPage(journal, None, (), None)
    start = Position(journal, number, digest)
    records: list[Raw] = []
    for record in result["records"]:
        # exactly as the journal has it, since the digest is made of that text
        text = to_json(record)
        assert text is not None
        records.append(Raw(text.encode()))
        digest = digest_after(digest, text)
        if record[0] == "entry":
            number = record[1]
    return JournalPage(journal, start, tuple(records), Position(journal, number, digest))


async def has_position(call: Call, position: Position) -> bool:
    """Return whether the table's journal has this position. Raises `RequestError` if the table is away."""
    page = await fetch_page(call, position.number, 1)
    return page.start == position


async def fetch_positions(call: Call) -> tuple[Position, ...]:
    """Return the position at the journal's end, then those where its latest games begin. Raises `RequestError` if the
    table is away."""
    result = await call(Positions())
    return tuple(Position(result["journal"], number, digest) for number, digest in result["known"])
