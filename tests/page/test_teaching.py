"""Cyber Siege teaches what attacks do and what protects from them: a card that is played is explained for a while and
in the log, aloud if that is wanted, and the guide lists what each set needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from page_server.test_controls import words_of
from playwright.sync_api import Browser
from taptable.core.player import Push, Tap
from taptable.games.cyber_siege.ground_truth import CyberSiegeTruth
from taptable.games.registry import find_game

from page.evening import an_evening
from page.layout import DESK, PHONE
from page.table_pool import TablePool
from page.test_voice import SYNTH, hears
from page.threaded_table import ThreadedTable
from page.visitor import LANGUAGES, Visitor

GAME = "cyber-siege"
NOW = '[data-latest] [data-kind="explained"]'
KEPT_S = 20.0
HEIGHT = "(lately) => lately.offsetHeight"
CUT_OFF = """(said, texts) => texts.filter((text) => {
    const other = said.parentElement.appendChild(said.cloneNode(true));
    other.lastElementChild.textContent = text;
    const isCut = other.lastElementChild.scrollHeight > other.lastElementChild.clientHeight;
    other.remove();
    return isCut;
})"""
"""A script that returns the texts for which there isn't room where a card is explained."""
GUESSED = "1.1 Guessed password: Programs try thousands of common passwords"


def taps(table: ThreadedTable, seat: int, card: str, pad: int | str) -> None:
    """A seat that holds a card, or is dealt it now, taps it on a pad."""

    def deal() -> None:
        truth = table.people.truth
        assert isinstance(truth, CyberSiegeTruth)
        hand = truth.hand(seat)
        given = card if card in hand else next(each for each in hand if truth.is_red(each) == truth.is_red(card))
        swapped = {card: given, given: card}

        def put(cards: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(swapped.get(each, each) for each in cards)

        hands, piles = tuple(map(put, truth.hands)), {"pile": put(truth.pile), "purple_pile": put(truth.purple_pile)}
        table.people.truth = replace(truth, hands=hands, **piles)

    table.ask(deal)
    table.stages(lambda stage: stage.does(Tap(seat, card, pad)))


def height(visitor: Visitor) -> int:
    """The height of the place for the last message, in px."""
    return visitor.sees("[data-latest]").evaluate(HEIGHT)


def test_a_card_that_is_played_is_explained_for_a_while_and_in_the_log_and_nothing_moves(rooms: TablePool) -> None:
    with rooms.table(game=GAME, size=PHONE) as (table, visitor):
        before = height(visitor)
        taps(table, 1, "set-1#1", 1)
        assert not visitor.is_seen(NOW)
        taps(table, 1, "1.1#1", 1)
        visitor.reads(NOW, GUESSED)
        visitor.reads('[data-log] [data-type="card-laid"] [data-explained]', GUESSED)
        assert height(visitor) == before
        table.passes(KEPT_S)
        taps(table, 2, "3.1#1", 2)
        visitor.sees('[data-latest] [data-kind="refused"]')
        assert not visitor.is_seen(NOW)
        visitor.reads('[data-log] [data-type="card-laid"] [data-explained]', GUESSED)


def test_an_attack_is_explained_while_it_can_be_answered_and_then_what_stopped_it(rooms: TablePool) -> None:
    with rooms.table(game=GAME, size=PHONE) as (table, visitor):
        taps(table, 1, "3.1#1", "discard")
        assert not visitor.is_seen(NOW)
        table.stages(lambda stage: stage.does(Push(1)))
        visitor.reads(NOW, "3.1 Malicious link: It looks harmless")
        taps(table, 2, "3.3#1", 2)
        visitor.reads(NOW, "3.3 Firewall: It lets only permitted connections through.")
        for kind, title in (("window-opened", "3.1 Malicious link: It looks"), ("defended", "3.3 Firewall: It lets")):
            visitor.reads(f'[data-log] [data-type="{kind}"] [data-explained]', title)


def test_what_each_card_of_the_sample_stands_for_has_room_on_a_phone(rooms: TablePool) -> None:
    with rooms.table(game=GAME, size=PHONE) as (table, visitor):
        taps(table, 1, "set-1#1", 1)
        taps(table, 1, "1.1#1", 1)
        explained = visitor.sees(NOW)
        before = height(visitor)
        for language in LANGUAGES:
            visitor.speaks(language)
            words = words_of(GAME, language)
            texts = [words.full_explanation(kind.id) for kind in find_game(GAME).pack("").kinds]
            assert explained.evaluate(CUT_OFF, texts) == []
            assert explained.evaluate(CUT_OFF, ["w " * 400]) != []
            assert height(visitor) == before


def test_the_guide_lists_what_each_set_needs(rooms: TablePool) -> None:
    with rooms.table(game=GAME, size=DESK) as (_, visitor):
        visitor.opens("guide")
        needs = ["1.1 Guessed password", "1.2 Phishing", "1.3 Password manager", "1.4 Two-step sign-in"]
        visitor.reads('[data-set="set-1"] summary', f"Set card 1: {', '.join(needs)}")
        assert not visitor.is_seen('[data-set="set-1"] [data-needed]')
        visitor.clicks('[data-set="set-1"] summary')
        visitor.reads('[data-needed="1.2"]', "Whoever is hit gives back one-point cards: 1.")
        assert visitor.page.locator("[data-set]").count() == 4


@pytest.mark.long
def test_a_phone_explains_the_cards_once_it_is_asked_to(browser: Browser, rooms: TablePool) -> None:
    with rooms.table(game=GAME) as (table, _), table.visited(browser, PHONE, welcomed=False, init=SYNTH) as visitor:
        visitor.clicks("[data-settings]")
        visitor.page.locator('[data-setting="aloud"]').check()
        assert not visitor.page.locator('[data-setting="explain"]').is_checked()
        taps(table, 1, "set-1#1", 1)
        taps(table, 1, "1.1#1", 1)
        hears(visitor, "Seat 1 lays Attack 1.1. Still missing: 1.2, 1.3, 1.4.")
        visitor.page.locator('[data-setting="explain"]').check()
        taps(table, 1, "admin#1", 1)
        hears(visitor, "Seat 1 lays Admin. Still missing: any 2 of 1.2, 1.3, 1.4.")
        visitor.until("the admin explained", "() => spoken.said.some(({ text }) => text.startsWith('Admin: An'))")
        said = visitor.page.evaluate("spoken.said.map(({ text }) => text)")
        assert [text for text in said if text.startswith(GUESSED)] == []


def test_a_player_who_lays_a_set_in_the_demo_sees_what_is_missing(rooms: TablePool, tmp_path: Path) -> None:
    with rooms.other(an_evening(tmp_path, game=GAME)) as (evening, visitor):
        taps(evening, 1, "set-1#1", 1)
        visitor.reads(".own-now", "Still missing: 1.1, 1.2, 1.3, 1.4.")
        taps(evening, 1, "admin#1", 1)
        visitor.reads(".own-now", "Still missing: any 3 of 1.1, 1.2, 1.3, 1.4.")
        visitor.reads('[data-log] [data-type="card-laid"] [data-explained]', "Admin: An administrator may do anything")
