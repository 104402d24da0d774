"""The first turn, guided: what can be done is said, shown and lit, in the demo and at a real table; a refused card says
when it would count; and it all can be switched off, and is once somebody knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize
from taptable.core.player import Push, Tap

from page.evening import DemoEvening, an_evening
from page.layout import PHONE
from page.person import Person
from page.staging import Stage
from page.table_pool import TablePool
from page.visitor import Visitor

COUNTS = '[data-pad][data-counts="true"]'
TOLD = '.own-hint[data-hint="what"]'
RAISED = 'button[data-card][data-playable="true"]'
LOOK_S = 0.1
SMALL_DESK: ViewportSize = {"width": 1366, "height": 657}
SHADOW = "(element) => getComputedStyle(element).boxShadow"


def switches_hints(visitor: Visitor) -> None:
    visitor.clicks("[data-settings]")
    visitor.clicks('[data-setting="hints"]')
    visitor.clicks("[data-settings]")


def deals(evening: DemoEvening, kind: str) -> str:
    """Give the person a card of a kind, and return it. The page has it once it receives the hand."""
    card = evening.ask(lambda: Stage(evening.harness).gives(1, kind))
    evening.passes(LOOK_S)
    return card


def pads(visitor: Visitor) -> list[str]:
    """The pads that are lit before a card is chosen."""
    return visitor.page.locator(COUNTS).evaluate_all("pads => pads.map((pad) => pad.dataset.pad).sort()")


def test_in_the_demo_the_possible_actions_are_named_and_lit_before_a_card_is_chosen(rooms: TablePool) -> None:
    with rooms.demo() as (evening, visitor):
        deals(evening, "online")
        visitor.is_heard()
        raised = visitor.page.locator(RAISED).evaluate_all("cards => cards.map((card) => card.dataset.card)")
        assert any(card.startswith("online#") for card in raised)
        visitor.reads(TOLD, "on your pad, or any card on the discard pad; the button ends the turn.")
        assert pads(visitor) == ["1", "discard"]
        lit = visitor.page.locator(COUNTS).first.evaluate(SHADOW)
        Person(evening, visitor).takes(raised[0])
        assert pads(visitor) == []
        visitor.sees('[data-pad="1"][data-target="true"]')
        assert not visitor.is_seen(TOLD)
        visitor.page.keyboard.press("Escape")
        switches_hints(visitor)
        assert not visitor.is_seen(TOLD)
        assert visitor.page.locator(COUNTS).first.evaluate(SHADOW) != lit
        visitor.sees(RAISED)
        switches_hints(visitor)
        visitor.sees(TOLD)
        assert visitor.page.locator(COUNTS).first.evaluate(SHADOW) == lit


def test_a_refused_card_says_why_and_when_it_would_count(rooms: TablePool) -> None:
    with rooms.demo(size=PHONE) as (evening, visitor):
        card = deals(evening, "antivirus")
        answer = Person(evening, visitor).does(Tap(1, card, 1), "click")
        assert (answer.kind, answer.rule) == ("refused", "R4.4")
        assert answer.when == "Anti-virus counts once a Virus blocks that line."
        visitor.sees(".answer-when")
        assert not visitor.is_seen(TOLD)
        switches_hints(visitor)
        assert not visitor.is_seen(".answer-when")


def test_a_refusal_is_whole_beside_what_is_owed_and_nothing_moves(rooms: TablePool) -> None:
    with rooms.demo(size=SMALL_DESK) as (evening, visitor):
        height = ".prompt >> nth=0", "(element) => element.getBoundingClientRect().height"
        before = visitor.page.locator(height[0]).evaluate(height[1])
        visitor.clicks('[data-do="draw"]')
        evening.passes(LOOK_S)
        visitor.sees('.own-hint[data-hint="owed"]')
        card = deals(evening, "password-ok")
        answer = Person(evening, visitor).does(Tap(1, card, 1), "click")
        assert answer.when == "Password OK counts once a Password Error blocks that line."
        visitor.sees('.own-hint[data-hint="owed"]')
        room = "(element) => element.scrollHeight - element.clientHeight"
        assert visitor.page.locator(".own-words > .answer").evaluate(room) <= 1
        assert visitor.page.locator(height[0]).evaluate(height[1]) == before


def test_after_a_card_was_played_by_keys_the_focus_is_in_the_hand(rooms: TablePool) -> None:
    with rooms.demo(size=SMALL_DESK) as (evening, visitor):
        card = deals(evening, "online")
        visitor.is_heard()
        visitor.page.locator(f'button[data-card="{card}"]').focus()
        visitor.page.keyboard.press("Enter")
        visitor.page.locator('[data-do="tap"]').first.focus()
        visitor.page.keyboard.press("Enter")
        evening.passes(1.0)
        visitor.is_heard()
        assert visitor.page.evaluate("() => document.activeElement.closest('[data-hand]') !== null")


@pytest.mark.long
def test_after_the_third_turn_hints_are_off_and_a_note_says_where_they_are(browser: Browser, tmp_path: Path) -> None:
    with an_evening(tmp_path) as evening, evening.visited(browser, PHONE) as visitor:
        person = Person(evening, visitor)
        for turn in range(3):
            visitor.sees(TOLD)
            assert visitor.page.locator("html").get_attribute("data-hints") == "true", turn
            person.does(Push(1), "click")
            evening.passes_until(lambda: evening.on_turn == 1)
            visitor.catches_up(evening.marks())
        visitor.reads("[data-note]", "hints are off now. The settings have them again.")
        assert not visitor.is_seen(TOLD)
        switches_hints(visitor)
        person.does(Push(1), "click")
        evening.passes_until(lambda: evening.on_turn == 1)
        visitor.catches_up(evening.marks())
        visitor.sees(TOLD)
        visitor.reloads()
        visitor.sees(TOLD)


def test_at_a_real_table_the_sentence_names_kinds_and_the_plates_are_marked(rooms: TablePool) -> None:
    with rooms.table() as (table, visitor):
        visitor.reads(".now-more", "Tap Online, Turbo-Line … on their own pad, or any card on")
        marked = '.place[data-counts="true"]'
        assert visitor.page.locator(marked).count() == 1
        visitor.sees(f'{marked} [data-seat="1"]')
        visitor.sees('[data-discard][data-counts="true"]')
        badge = visitor.page.locator(f"{marked} .badge").first.evaluate(SHADOW)
        table.stages(lambda stage: stage.does(Tap(1, stage.gives(1, "antivirus"), 1)))
        visitor.reads(".now-more", "Anti-virus counts once a Virus blocks that line.")
        table.stages(lambda stage: stage.readies(1, "online"))
        visitor.reads(".now-more", "Tap Turbo-Line, Extra Memory … on their own pad")
        table.stages(lambda stage: stage.does(Push(1)))
        visitor.sees(f'{marked} [data-seat="2"]')
        switches_hints(visitor)
        assert not visitor.is_seen(".now-more")
        assert visitor.page.locator(f"{marked} .badge").first.evaluate(SHADOW) != badge
