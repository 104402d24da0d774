"""Decks at the page of a real table: enrolled, checked and kept in a browser, with cards in hand at the discard pad."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from taptable.memory.deckfile import deck_of
from taptable.memory.decks import Decks
from taptable.sim.setting_up import DECK

from page.a_table import ATable, a_table
from page.access import axe_faults
from page.at_the_pad import Hand
from page.layout import DESK, PHONE, layout_faults
from page.visitor import LANGUAGES, Visitor, visiting

SAID, COUNT, WANTED = "[data-said]", "[data-enrolling] [data-count]", "[data-wanted]"
ENROLLING, DECKS = "[data-enrolling]", "[data-decks]"
SETTLED_S = 1.0
SIZES = {"phone": PHONE, "desk": DESK}

Act = Callable[[ATable, Visitor, Hand], None]


def at_the_cards(browser: Browser, folder: Path, act: Act, size: str = "phone", *, starter: int | None = 1) -> None:
    """Somebody at a table with a page that shows its decks; a game is under way if there is a starter."""
    with (
        a_table(folder, players=2, starter=starter) as table,
        visiting(browser, table.address, SIZES[size], welcomed=False) as visitor,
    ):
        table.lets(lambda: asyncio.sleep(SETTLED_S))
        visitor.speaks("en")
        goes_to_the_cards(visitor)
        act(table, visitor, Hand(table, visitor))


def goes_to_the_cards(visitor: Visitor) -> None:
    visitor.clicks('.nav-link[data-view="cards"]')
    visitor.sees(DECKS)


def do(verb: str, deck: str | None = None) -> str:
    within = "" if deck is None else f'[data-deck="{deck}"] '
    return f'{within}[data-do="{verb}"]'


def begins(visitor: Visitor, name: str) -> None:
    """Begin a deck of this name."""
    visitor.page.locator("#deck-new-name").fill(name)
    visitor.clicks(do("new-deck"))
    visitor.sees(ENROLLING)


def kept(table: ATable, name: str) -> dict[str, str]:
    """The cards of a deck as they are on the disk."""
    return dict(Decks(table.config.table.decks).deck(name).cards)


@pytest.mark.parametrize("size", SIZES)
def test_a_deck_is_enrolled_card_by_card_and_gone_on_with_later(browser: Browser, tmp_path: Path, size: str) -> None:
    def act(table: ATable, visitor: Visitor, hand: Hand) -> None:
        begins(visitor, "Familie Müller")
        assert visitor.text(WANTED) == "Online"
        tags = [hand.next() for _ in range(16)]
        for number, tag in enumerate(tags[:3], 1):
            hand.taps(tag)
            assert (visitor.text(COUNT), visitor.text(SAID)) == (f"{number} of 13", f"Online: {number} of 13.")
        hand.taps(tags[1])
        assert visitor.text(SAID) == "That is Online 2 already."
        assert visitor.page.locator("[data-said-line]").get_attribute("data-mood") == "refused"
        hand.taps(tags[4], tags[5])
        assert visitor.text(SAID) == "Two at once: neither counts. Tap them one after the other."
        visitor.clicks(do("enrol-undo"))
        visitor.until("the undoing", "(hook) => document.querySelector(hook).textContent === '2 of 13'", COUNT)
        visitor.clicks(do("enrol-skip"))
        visitor.until("the next kind", "(hook) => document.querySelector(hook).textContent === 'Turbo-Line'", WANTED)
        hand.taps(tags[13])
        visitor.clicks('[data-kind="email"]')
        visitor.until("e-mails", "(hook) => document.querySelector(hook).textContent === 'E-mail'", WANTED)
        visitor.clicks(do("enrol-stop"))
        assert visitor.text(SAID) == "Stopped with 3 of 112 cards; all of them are saved."
        visitor.clicks(do("close"))
        assert visitor.text('[data-deck="familie-mueller"] [data-count]') == "3 of 112 cards"
        assert kept(table, "familie-mueller") == {tags[0]: "online#1", tags[1]: "online#2", tags[13]: "turbo-line#1"}
        visitor.clicks(do("enrol", "familie-mueller"))
        hand.taps(tags[2])
        assert visitor.text(SAID) == "Online: 3 of 13."

    at_the_cards(browser, tmp_path, act, size)


def test_without_any_deck_the_first_is_played_with_from_its_first_card_on(browser: Browser, tmp_path: Path) -> None:
    def act(table: ATable, visitor: Visitor, hand: Hand) -> None:
        visitor.page.locator(f'[data-deck="{DECK}"] summary').click()
        visitor.clicks(do("delete-deck", DECK))
        visitor.clicks('[data-question] [data-answer="yes"]')
        assert visitor.text(".deck-none").startswith("No deck yet. Give the first one a name")
        assert table.ask(lambda: table.room.daemon.playing.in_use) == ""
        begins(visitor, "family")
        hand.taps(hand.next())
        visitor.clicks(do("enrol-stop"))
        visitor.clicks(do("close"))
        assert visitor.text('[data-deck="family"] [data-badge]') == "In use"
        visitor.clicks('.nav-link[data-view="table"]')
        visitor.sees('[data-standing] [data-kind="deck"]', hidden=True)

    at_the_cards(browser, tmp_path, act, starter=None)


def test_whoever_comes_meanwhile_sees_it_and_may_stop_it(browser: Browser, tmp_path: Path) -> None:
    def act(table: ATable, visitor: Visitor, hand: Hand) -> None:
        begins(visitor, "family")
        hand.taps(hand.next())
        with visiting(browser, table.address, PHONE, welcomed=False) as other:
            other.speaks("de")
            assert "family" in other.text('[data-standing] [data-kind="enrolment"]')
            goes_to = '.nav-link[data-view="cards"]'
            other.clicks(goes_to)
            assert other.text(SAID) == "Online: 1 von 13."
            other.clicks(do("enrol-stop"))
        assert visitor.sees(do("close"))

    at_the_cards(browser, tmp_path, act)


def test_a_check_says_what_is_missing_and_asks_for_new_tags(browser: Browser, tmp_path: Path) -> None:
    def act(table: ATable, visitor: Visitor, hand: Hand) -> None:
        begins(visitor, "family")
        tags = [hand.next() for _ in range(4)]
        for tag in tags:
            hand.taps(tag)
        visitor.clicks(do("enrol-stop"))
        visitor.clicks(do("close"))
        visitor.clicks(do("check-deck", "family"))
        hand.taps(tags[0])
        hand.taps(tags[2])
        assert visitor.text(COUNT) == "2 of 4"
        visitor.clicks(do("enrol-stop"))
        assert visitor.text(f"{ENROLLING} [data-missing]") == "Missing: Online 2, 4"
        visitor.clicks(f"{ENROLLING} {do('enrol-only')}")
        visitor.until("the first", "(hook) => document.querySelector(hook).textContent === 'Online 2'", WANTED)
        new = [hand.next(), hand.next()]
        for tag in new:
            hand.taps(tag)
        visitor.sees(do("close"))
        assert {card: tag for tag, card in kept(table, "family").items()} == {
            "online#1": tags[0],
            "online#2": new[0],
            "online#3": tags[2],
            "online#4": new[1],
        }

    at_the_cards(browser, tmp_path, act)


def test_a_deck_leaves_as_a_file_comes_back_and_is_renamed_and_taken_away(browser: Browser, tmp_path: Path) -> None:
    def act(table: ATable, visitor: Visitor, _: Hand) -> None:
        visitor.page.locator(f'[data-deck="{DECK}"] summary').click()
        with visitor.page.expect_download() as downloading:
            visitor.clicks(do("export", DECK))
        content = downloading.value.path().read_bytes()
        assert deck_of(content, "export") == Decks(table.config.table.decks).deck(DECK)
        damaged = content.replace(b"email#1", b"e-post#1", 1)
        visitor.page.locator("[data-file]").set_input_files(
            {"name": "deck.json", "mimeType": "application/json", "buffer": damaged}
        )
        visitor.clicks('[data-question] [data-answer="yes"]')
        assert "online has no such kind" in visitor.text("[data-deck-trouble]")
        again = {**json.loads(content), "name": "copy", "cards": {}, "controls": {"04aabbccddeeff": "pause"}}
        visitor.page.locator("[data-file]").set_input_files(
            {"name": "copy.json", "mimeType": "application/json", "buffer": json.dumps(again).encode()}
        )
        visitor.sees('[data-deck="copy"]')
        visitor.page.locator('[data-deck="copy"] summary').click()
        visitor.page.locator("#deck-copy-name").fill("spare")
        visitor.clicks(do("rename-deck", "copy"))
        visitor.sees('[data-deck="spare"]')
        visitor.page.locator('[data-deck="spare"] summary').click()
        visitor.clicks(do("delete-deck", "spare"))
        visitor.clicks('[data-question] [data-answer="yes"]')
        visitor.sees('[data-deck="spare"]', hidden=True)
        assert any(table.config.table.decks.glob("spare.json.old-*"))

    at_the_cards(browser, tmp_path, act, "desk")


def test_every_screen_of_it_is_in_order_in_every_language(browser: Browser, tmp_path: Path) -> None:
    def act(_: ATable, visitor: Visitor, hand: Hand) -> None:
        def looks() -> None:
            for language in LANGUAGES:
                visitor.speaks(language)
                for size in SIZES.values():
                    visitor.page.set_viewport_size(size)
                    visitor.next_frame()
                    assert layout_faults(visitor.page) == [], language
            assert axe_faults(visitor) == []

        visitor.page.locator(f'[data-deck="{DECK}"] summary').click()
        visitor.page.locator("#deck-new-name").fill("Ünë")
        lost = [visitor.page.locator(f'[data-deck="{DECK}"] [data-pick="{pick}"]') for pick in ("kind", "number")]
        lost[0].select_option("virus")
        lost[1].select_option("2")
        looks()
        assert [each.input_value() for each in lost] == ["virus", "2"]
        begins(visitor, "une")
        tag = hand.next()
        hand.taps(tag)
        hand.taps(tag)
        looks()
        visitor.clicks(do("enrol-stop"))
        visitor.clicks(do("close"))
        visitor.clicks(do("check-deck", "une"))
        visitor.clicks(do("enrol-stop"))
        visitor.sees(f"{ENROLLING} [data-missing]")
        looks()

    at_the_cards(browser, tmp_path, act)
