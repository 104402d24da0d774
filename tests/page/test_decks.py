"""Decks at the page of a real table: enrolled, checked and kept in a browser, with cards in hand at the discard pad."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from taptable.memory.decks import Decks
from taptable.sim.setting_up import DECK

from page.a_table import PageTable
from page.pad_hand import Hand
from page.table_pool import TablePool
from page.visitor import Visitor

WAITS = "A game under way waits."
SAID, COUNT, WANTED = "[data-result]", "[data-enrolling] [data-count]", "[data-wanted]"
ENROLLING, ON, DECKS = "[data-enrolling]", "[data-enrolling]:not([data-over])", "[data-decks]"


@contextmanager
def at_the_cards(rooms: TablePool, *, starter: int | None = 1) -> Iterator[tuple[PageTable, Visitor, Hand]]:
    """Somebody at a table's page who sees its decks; a game is under way if there is a starter."""
    with rooms.table(starter=starter) as (table, visitor):
        visitor.clicks('.nav-link[data-view="cards"]')
        visitor.sees(DECKS)
        yield table, visitor, Hand(table)


def do(verb: str, deck: str | None = None) -> str:
    within = "" if deck is None else f'[data-deck="{deck}"] '
    return f'{within}[data-do="{verb}"]'


def begins(visitor: Visitor, name: str) -> None:
    """Begin a deck of this name."""
    visitor.page.locator("#deck-new-name").fill(name)
    asks_for_cards(visitor, do("new-deck"))


def asks_for_cards(visitor: Visitor, hook: str) -> None:
    """Click, and wait until cards can be tapped."""
    visitor.clicks(hook)
    visitor.sees(ON)


def kept(table: PageTable, name: str) -> dict[str, str]:
    """The cards of a deck as they are on the disk."""
    return dict(Decks(table.config.table.decks).deck(name).cards)


def test_a_deck_is_enrolled_card_by_card_and_gone_on_with_later(rooms: TablePool) -> None:
    with at_the_cards(rooms) as (table, visitor, hand):
        begins(visitor, "Familie Müller")
        visitor.reads(WANTED, "Online")
        visitor.reads(ENROLLING, WAITS)
        tags = [hand.next() for _ in range(16)]
        for number, tag in enumerate(tags[:3], 1):
            hand.taps(tag)
            assert (visitor.text(COUNT), visitor.text(SAID)) == (f"{number} of 13", f"Online: {number} of 13.")
        hand.taps(tags[1])
        visitor.reads(SAID, "That is Online 2 already.")
        assert visitor.page.locator("[data-result-line]").get_attribute("data-mood") == "refused"
        hand.taps(tags[4], tags[5])
        visitor.reads(SAID, "Two at once: neither counts. Tap them one after the other.")
        visitor.clicks(do("enrol-undo"))
        visitor.reads(COUNT, "2 of 13")
        visitor.clicks(do("enrol-skip"))
        visitor.reads(WANTED, "Turbo-Line")
        hand.taps(tags[13])
        visitor.clicks('[data-kind="email"]')
        visitor.reads(WANTED, "E-mail")
        visitor.clicks(do("enrol-stop"))
        visitor.reads(SAID, "Stopped with 3 of 112 cards; all of them are saved.")
        visitor.clicks(do("close"))
        visitor.reads('[data-deck="familie-mueller"] [data-count]', "3 of 112 cards")
        assert kept(table, "familie-mueller") == {tags[0]: "online#1", tags[1]: "online#2", tags[13]: "turbo-line#1"}
        asks_for_cards(visitor, do("enrol", "familie-mueller"))
        hand.taps(tags[2])
        visitor.reads(SAID, "Online: 3 of 13.")
        visitor.clicks(do("enrol-stop"))
        visitor.clicks(do("close"))


def test_without_any_deck_the_first_is_played_with_from_its_first_card_on(rooms: TablePool) -> None:
    with at_the_cards(rooms, starter=None) as (table, visitor, hand):
        only = Decks(table.config.table.decks).deck(DECK)
        visitor.page.locator(f'[data-deck="{DECK}"] summary').click()
        visitor.clicks(do("delete-deck", DECK))
        visitor.clicks('[data-question] [data-answer="yes"]')
        visitor.reads(".deck-none", "No deck yet. Give the first one a name")
        assert table.ask(lambda: table.harness.daemon.active_deck.deck_name) == ""
        begins(visitor, "family")
        assert WAITS not in visitor.text(ENROLLING)  # there is none
        hand.taps(hand.next())
        visitor.clicks(do("enrol-stop"))
        visitor.clicks(do("close"))
        visitor.reads('[data-deck="family"] [data-badge]', "In use")
        visitor.clicks('.nav-link[data-view="table"]')
        visitor.sees('[data-alerts] [data-kind="deck"]', hidden=True)
        table.ask(lambda: table.harness.daemon.active_deck.decks.save(only))


@pytest.mark.long
def test_what_was_chosen_stays_in_another_language(rooms: TablePool) -> None:
    with at_the_cards(rooms) as (_, visitor, _):
        visitor.page.locator(f'[data-deck="{DECK}"] summary').click()
        visitor.page.locator(f'[data-deck="{DECK}"] [data-pick="kind"]').select_option("virus")
        visitor.page.locator(f'[data-deck="{DECK}"] [data-pick="number"]').select_option("2")
        visitor.speaks("nl")
        picks = visitor.page.locator(f'[data-deck="{DECK}"] [data-pick]')
        assert picks.evaluate_all("(all) => all.map((each) => each.value)") == ["virus", "2"]
