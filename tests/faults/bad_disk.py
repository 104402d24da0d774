"""A process whose disk goes bad while decks, members and a journal are written: `python -m faults.bad_disk FOLDER`."""

from __future__ import annotations

import asyncio
import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from cli.desk import CARDS
from table.rig import GameNight, a_table, at_table, in_given_time
from taptable.core.errors import DeckError, MembersError
from taptable.memory.decks import Decks
from taptable.memory.members import Members
from taptable.sim.setting_up import tagged_deck

from faults.preloaded import counting, failed, failing, no_descriptors

Fault = Callable[[], AbstractContextManager[None]]
AGAIN_S = 4.0


def faults_of(folder: Path, calls: int) -> Iterator[tuple[str, Fault]]:
    """Each call of so many fails, alone or with all after it; there are no inodes, no descriptors."""
    for skip in range(calls):
        yield f"EIO at call {skip}", lambda skip=skip: failing(folder, skip=skip, count=1)
        yield f"EIO from call {skip} on", lambda skip=skip: failing(folder, skip=skip)
    yield "no inodes", lambda: failing(folder, errno.ENOSPC, creating=True)
    yield "no descriptors", no_descriptors


def decks(folder: Path) -> None:
    """A card that can't be kept is refused, and isn't in the deck, nor on the disk; the next one is kept."""
    folder.mkdir()
    kept = Decks(folder)
    deck = kept.begin("family", "online")
    cards = iter(tagged_deck("family", CARDS, 7).cards.items())

    def next_card() -> None:
        uid, card = next(cards)
        kept.save(kept.deck("family").with_card(uid, card))

    kept.save(deck)
    next_card()
    with counting(folder) as calls:
        next_card()
    for name, fault in faults_of(folder, calls[0]):
        before = kept.deck("family")
        refused = ""
        with fault():
            try:
                next_card()
            except DeckError as error:
                refused = str(error)
        as_told = kept.deck("family")
        assert refused or as_told != before, name
        assert Decks(folder).deck("family") == as_told, name
        next_card()
        assert Decks(folder).deck("family") == kept.deck("family"), name


def decks_renamed(folder: Path) -> None:
    """Decks that can't be renamed or set aside are as they are on the disk, and both can be done afterwards."""
    folder.mkdir()
    kept = Decks(folder)

    def rename() -> None:
        kept.rename("old", "new")

    def set_aside() -> None:
        kept.set_aside("old")

    def begin() -> None:
        for name in kept.names():
            kept.set_aside(name)
        kept.save(kept.begin("old", "online"))

    for do in (rename, set_aside):
        begin()
        with counting(folder) as calls:
            do()
        for name, fault in faults_of(folder, calls[0]):
            begin()
            with fault(), suppress(DeckError):
                do()
            assert Decks(folder).names() == kept.names(), (do, name)
            begin()
            do()
            assert Decks(folder).names() == kept.names(), (do, name)


def members(folder: Path) -> None:
    """The same of members."""
    folder.mkdir()
    path = folder / "journal.members.json"
    kept = Members(path)
    names = (f"Member {number}" for number in range(1000))

    def add() -> None:
        kept.add(next(names), "#8ec1ff", "name")

    add()
    with counting(folder) as calls:
        add()
    for name, fault in faults_of(folder, calls[0]):
        before, refused = kept.all, ""
        with fault():
            try:
                add()
            except MembersError as error:
                refused = str(error)
        as_told = kept.all
        assert refused or as_told != before, name
        assert Members(path).all == as_told, name
        add()
        assert Members(path).all == kept.all, name


def journal(folder: Path) -> None:
    """No verdict is told that isn't kept, the table says that nothing counts, and it goes on by itself."""

    async def evening() -> None:
        config = a_table(folder)
        async with at_table(config) as at:
            await at.tap("online#1", 1)
            await asyncio.sleep(2)
            with counting(folder) as calls:
                await at.tap("email#1", 2)
            for number, (name, fault) in enumerate(faults_of(folder, calls[0])):
                await one(at, name, fault, f"email#{1 + number % 9}")

    async def one(at: GameNight, name: str, fault: Fault, card: str) -> None:
        before, written = len(at.taps()), len(at.entries())
        with fault():
            await at.tap_in_vain(card, 2)
            assert failed() or not name.startswith("EIO"), name
            stuck, told = at.daemon.api.topics["journal"]().stuck, len(at.taps())
        if told == before:
            assert stuck, name
            assert len(at.entries()) == written, name
        await asyncio.sleep(AGAIN_S)
        assert [tap[0] for tap in at.taps()[before:]] == [card], name
        assert not at.daemon.api.topics["journal"]().stuck, name
        kept = [entry.line["tap"] for entry in at.entries() if entry.line and "tap" in entry.line]
        assert kept == [tap[0] for tap in at.taps()], name

    folder.mkdir()
    in_given_time(evening)


if __name__ == "__main__":
    {each.__name__: each for each in (decks, decks_renamed, members, journal)}[sys.argv[1]](Path(sys.argv[2]))
