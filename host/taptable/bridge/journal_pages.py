"""The table's journal as who sends it on sees it: pages of records that follow on a position, and positions to begin
from. Asks the table, and knows no league."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Raw

from taptable.api.link import Call
from taptable.api.requests import MOST_ENTRIES, Positions, Stream
from taptable.memory.digest import digest_after
from taptable.memory.records import to_json
from taptable.uplink.messages import Position


@dataclass(frozen=True, slots=True)
class JournalPage:
    """Records that follow on an entry: `begins` is the position there, None where the journal hasn't got that entry;
    `ends` is the one after the last record."""

    journal: str
    start: Position | None
    records: tuple[Raw, ...]
    end: Position | None


async def fetch_page(call: Call, number: int, most: int = MOST_ENTRIES) -> JournalPage:
    """What follows entry `number`, at most so many entries. `RequestError` where the table is away, or what follows is
    damaged."""
    told = await call(Stream(number, most))
    journal: str = told["journal"]
    digest: str | None = told["digest"]
    if digest is None:
        return JournalPage(journal, None, (), None)
    begins = Position(journal, number, digest)
    records: list[Raw] = []
    for record in told["records"]:
        # as the journal has it, to the letter: the digest is made of that
        text = to_json(record)
        assert text is not None
        records.append(Raw(text.encode()))
        digest = digest_after(digest, text)
        if record[0] == "entry":
            number = record[1]
    return JournalPage(journal, begins, tuple(records), Position(journal, number, digest))


async def has_position(call: Call, position: Position) -> bool:
    """Does the table's journal have this position? `RequestError` where the table is away."""
    page = await fetch_page(call, position.number, 1)
    return page.start == position


async def fetch_positions(call: Call) -> tuple[Position, ...]:
    """The journal's end, and then where its latest games begin. `RequestError` where the table is away."""
    told = await call(Positions())
    return tuple(Position(told["journal"], number, digest) for number, digest in told["known"])
