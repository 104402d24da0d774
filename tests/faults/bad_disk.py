"""A process whose disk goes bad while decks, members and a journal are written: `python -m faults.bad_disk FOLDER`."""

from __future__ import annotations

import asyncio
import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path

from cli.deck_rig import CARDS
from table.rig import GameNight, a_table, run_in_given_time, running_table
from taptable.core.errors import DeckError, JournalError, MembersError, PairingsError, PresetsError
from taptable.core.game_options import GameOptions
from taptable.daemon.active_deck import ActiveDeck
from taptable.memory.deck import Deck
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.memory.journal import Journal
from taptable.memory.members import MemberStore
from taptable.memory.pairings import Paired, Pairings, digest_of
from taptable.memory.presets import GameSetup, Preset, Presets
from taptable.sim.setting_up import tagged_deck

from faults.preloaded import counting, failed, failing, no_descriptors

Fault = Callable[[], AbstractContextManager[None]]
AGAIN_S = 4.0
STRANGE = "04cafecafe01"
"""The number of a tag that is in no deck."""


def faults_of(folder: Path, calls: int) -> Iterator[tuple[str, Fault]]:
    """Yield each fault with its name: each of the `calls` calls fails, alone or with all after it; then no inodes, no
    descriptors."""
    for skip in range(calls):
        yield f"EIO at call {skip}", lambda skip=skip: failing(folder, skip=skip, count=1)
        yield f"EIO from call {skip} on", lambda skip=skip: failing(folder, skip=skip)
    yield "no inodes", lambda: failing(folder, errno.ENOSPC, creating=True)
    yield "no descriptors", no_descriptors


def decks(folder: Path) -> None:
    """A card that can't be stored is refused; the deck is as on the disk, and the next card is stored."""
    folder.mkdir()
    kept = Decks(folder)
    deck = kept.get_or_new("family", "online")
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


def decks_brought(folder: Path) -> None:
    """A deck that can't be imported is as on the disk, and can be imported once more and grow afterwards."""
    folder.mkdir()
    kept = Decks(folder)
    one, other = (tagged_deck("family", CARDS, seed) for seed in (7, 8))

    def bring(deck: Deck) -> None:
        kept.import_bytes(text_of(deck).encode(), "brought", CARDS, force=True)

    bring(one)
    with counting(folder) as calls:
        bring(other)
    for name, fault in (("nothing fails", nullcontext), *faults_of(folder, calls[0])):
        bring(one)
        with fault(), suppress(DeckError):
            bring(other)
        assert Decks(folder).deck("family") == kept.deck("family"), name
        kept.save(kept.deck("family").with_control(STRANGE, "pause"))
        bring(other)
        assert Decks(folder).deck("family") == kept.deck("family") == other, name


def decks_renamed(folder: Path) -> None:
    """Decks that can't be renamed or set aside are as on the disk. The table plays with the one in use under its name
    or with none, and the same can be tried again unless it is done."""
    folder.mkdir()
    deck = tagged_deck("old", CARDS, 7)
    uid, card = next(iter(deck.cards.items()))

    def begin() -> ActiveDeck:
        for path in folder.glob("*.json*"):
            path.unlink()
        Decks(folder).save(deck)
        return ActiveDeck(folder, "online", "old")

    def rename(playing: ActiveDeck) -> None:
        try:
            playing.decks.rename("old", "new")
        finally:
            playing.leave_deleted_deck("new")

    def set_aside(playing: ActiveDeck) -> None:
        try:
            playing.decks.move_aside("old")
        finally:
            playing.leave_deleted_deck()

    def look(playing: ActiveDeck, what: object) -> None:
        assert Decks(folder).names() == playing.decks.names(), what
        assert playing.deck_name in (*playing.decks.names(), ""), what
        assert playing.identities.get(uid) == (card if playing.deck_name else None), what
        assert playing.identities.get(STRANGE) is None, what

    for do, left in ((rename, ("new",)), (set_aside, ())):
        playing = begin()
        with counting(folder) as calls:
            do(playing)
        for name, fault in faults_of(folder, calls[0]):
            playing = begin()
            with fault(), suppress(DeckError):
                do(playing)
            look(playing, (do, name))
            if "old" in playing.decks.names():
                do(playing)
                look(playing, (do, name, "again"))
            assert playing.decks.names() == left, (do, name)


def members(folder: Path) -> None:
    """A member who can't be stored isn't there, nor on the disk; a second try is stored."""
    folder.mkdir()
    path = folder / "journal.members.json"
    kept = MemberStore(path)

    def add(name: str) -> str:
        return kept.add(name, "#8ec1ff", "name").id

    add("Nobody")
    with counting(folder) as calls:
        add("Somebody")
    for number, (name, fault) in enumerate(faults_of(folder, calls[0])):
        before, refused = kept.all, ""
        with fault():
            try:
                add(f"Member {number}")
            except MembersError as error:
                refused = str(error)
        as_told = kept.all
        assert refused or as_told != before, name
        assert MemberStore(path).all == as_told, name
        if refused:
            assert kept.find(add(f"Member {number}")), name
        assert MemberStore(path).all == kept.all, name
        assert len(kept.all) == len(before) + 1, name


def presets(folder: Path) -> None:
    """A preset that can't be stored is as on the disk; a second try is stored."""
    folder.mkdir()
    path = folder / "presets.json"
    kept = Presets(path)

    def save(number: int) -> None:
        kept.save(Preset("Friday", GameSetup("online", GameOptions(2 + number % 4, "en", {}, None), False, (), "")))

    save(0)
    with counting(folder) as calls:
        save(1)
    for number, (name, fault) in enumerate(faults_of(folder, calls[0]), 2):
        before, refused = kept.presets, ""
        with fault():
            try:
                save(number)
            except PresetsError as error:
                refused = str(error)
        assert refused or kept.presets != before, name
        assert Presets(path).presets == kept.presets, name
        with counting(folder) as written:
            save(number)
        assert bool(written[0]) == bool(refused), name
        assert Presets(path).presets == kept.presets != before, name


def pairings(folder: Path) -> None:
    """A pairing that fails leaves no more than a line on the disk, which the next one overwrites; one that succeeds has
    a secret."""
    folder.mkdir()
    path = folder / "journal.pairings.json"
    kept = Pairings(path)

    def add() -> Paired | None:
        return kept.find(digest_of(kept.add("phone", datetime(2026, 11, 27, tzinfo=UTC))))

    add()
    with counting(folder) as calls:
        add()
    for name, fault in faults_of(folder, calls[0]):
        before = len(kept.all)
        paired = None
        with fault(), suppress(PairingsError):
            paired = add()
        assert Pairings(path).all == kept.all, name
        paired = paired or add()
        assert paired in kept.all, name
        assert len(kept.all) == before + 1, name
        assert Pairings(path).all == kept.all, name


def journal_begun(folder: Path) -> None:
    """A journal that can't be begun is a `JournalError`, and can be begun afterwards."""

    def begin(name: object) -> None:
        Journal.open(folder / str(name) / "journal.sqlite").close()

    for name in ("first", *range(200)):
        (folder / str(name)).mkdir(parents=True)
    with counting(folder) as calls:
        begin("first")
    faults = list(faults_of(folder, calls[0]))
    assert len(faults) < 200
    for number, (_, fault) in enumerate(faults):
        with fault(), suppress(JournalError):
            begin(number)
        begin(number)


def journal(folder: Path) -> None:
    """The table shows no verdict that isn't stored, reports that nothing counts, and continues by itself."""

    async def evening() -> None:
        config = a_table(folder)
        async with running_table(config) as at:
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
    run_in_given_time(evening)


if __name__ == "__main__":
    tried = (decks, decks_brought, decks_renamed, members, presets, pairings, journal_begun, journal)
    {each.__name__: each for each in tried}[sys.argv[1]](Path(sys.argv[2]))
