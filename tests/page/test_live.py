"""The table on a phone, live: what matters is in view without scrolling, the result of a window stays for a while, what
was refused says why, and learners see what counts."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import ViewportSize
from taptable.core.player import Push, Tap

from page.a_table import PageTable
from page.layout import DESK, PHONE
from page.staging import Stage
from page.table_pool import TablePool
from page.visitor import Visitor

IN_VIEW = """() => {
    const nav = document.querySelector("[data-nav]").getBoundingClientRect();
    const cut = (box) => box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > nav.top;
    const wanted = "[data-now], [data-score], [data-mark], [data-line], [data-window]";
    return [...document.querySelectorAll(`:is(${wanted})`)]
      .filter((each) => each.closest("[data-table]") && each.checkVisibility())
      .filter((each) => cut(each.getBoundingClientRect()))
      .map((each) => each.outerHTML.slice(0, 80));
}"""
WINDOW = {"patrol_window_s": "30", "claim_s": "120"}


def at_a_table(
    rooms: TablePool, players: int = 2, size: ViewportSize = PHONE
) -> AbstractContextManager[tuple[PageTable, Visitor]]:
    return rooms.table(players, settings=WINDOW, size=size)


async def _buzzes_and_stops(stage: Stage) -> None:
    stage.gathers(2, "cyber-patrol")
    await stage.hacks(1)
    await stage.does(Push(2))


@pytest.mark.parametrize("players", [6, *(pytest.param(few, marks=pytest.mark.long) for few in (2, 3, 4))])
def test_turn_scores_quotas_lines_and_window_are_in_view_without_scrolling(rooms: TablePool, players: int) -> None:
    with at_a_table(rooms, players) as (table, visitor):
        table.stages(lambda stage: stage.plays_to_a_turn(1, 1))
        for language in ("de", "fr"):
            visitor.speaks(language)
            assert visitor.page.evaluate(IN_VIEW) == []
        table.stages(lambda stage: stage.hacks(1))
        visitor.sees("[data-window]")
        assert visitor.page.evaluate(IN_VIEW) == []


def test_who_was_first_is_readable_after_the_window(rooms: TablePool) -> None:
    with at_a_table(rooms) as (table, visitor):
        table.stages(_buzzes_and_stops)
        first = '[data-latest] [data-kind="first"]'
        visitor.reads(first, "Seat 2 was first.")
        table.stages(lambda stage: stage.shows_the_patrol(2))
        visitor.sees("[data-window]", hidden=True)
        visitor.reads(first, "Seat 2 was first.")
        table.stages(lambda stage: stage.plays(lambda: stage.on_turn == 1))
        table.stages(lambda stage: stage.hacks(1))
        visitor.sees(first, hidden=True)


@pytest.mark.parametrize(
    ("apart_s", "said"),
    [
        (0.0, r"A tie: seats 2 and 3\. By the order of seats it was seat 2\."),
        (0.0042, r"Seat 2 was first, by 4\.\d ms ± \d+\.\d\."),
    ],
)
def test_a_window_says_by_how_much_it_was_won(rooms: TablePool, apart_s: float, said: str) -> None:
    async def two_buzz(stage: Stage) -> None:
        await stage.hacks(1)
        await stage.buzz(2, 3, apart_s=apart_s)

    with at_a_table(rooms, 3) as (table, visitor):
        table.stages(two_buzz)
        shown = visitor.text('[data-latest] [data-kind="first"]')
        assert re.fullmatch(said, shown), shown


def test_a_refusal_says_why_until_something_counts(rooms: TablePool) -> None:
    with at_a_table(rooms) as (table, visitor):
        table.stages(lambda stage: stage.does(Tap(1, stage.gives(1, "email"), 1)))
        said = visitor.text('[data-latest] [data-kind="refused"]')
        assert said.endswith("E-mail, seat 1. You are not online. Play Online or Turbo-Line first.")
        table.stages(lambda stage: stage.readies(1, "online"))
        visitor.reads("[data-latest]", "Seat 1 plays Online.")


@pytest.mark.long
def test_learners_see_what_counts_and_others_can_switch_it_off(rooms: TablePool) -> None:
    with at_a_table(rooms) as (table, visitor):
        visitor.opens("counts")
        visitor.sees('[data-pads="1"] [data-kind="online"]')
        assert visitor.page.locator('[data-pads="1"] [data-kind="email"]').count() == 0
        visitor.reads('[data-pads="discard"]', "any card")
        table.stages(lambda stage: stage.readies(1, "online"))
        visitor.sees('[data-pads="1"] [data-kind="email"]')
        visitor.clicks("[data-settings]")
        visitor.page.locator('[data-setting="hints"]').uncheck()
        visitor.sees('[data-tab="counts"]', hidden=True)
        assert visitor.is_seen('[data-panel="log"]')
        visitor.reloads()
        assert not visitor.is_seen('[data-tab="counts"]')
        assert not visitor.is_seen(".now-more")
        visitor.clicks("[data-settings]")
        visitor.page.locator('[data-setting="hints"]').check()
        visitor.sees('[data-tab="counts"]')


def test_a_screen_reader_hears_each_sentence_once_and_what_is_urgent_at_once(rooms: TablePool) -> None:
    with at_a_table(rooms) as (table, visitor):
        table.stages(lambda stage: stage.readies(1, "online"))
        assert visitor.page.locator('[data-announcer="later"]').inner_text() == "Seat 1 plays Online."
        table.stages(lambda stage: stage.hacks(1))
        assert visitor.page.locator('[data-announcer="now"]').inner_text() == (
            "Hacker! Seat 1 wants to hack. To step in, press your button now."
        )
        assert visitor.page.locator("[data-log][aria-live]").count() == 0


@pytest.mark.long
def test_the_log_follows_new_sentences_unless_somebody_scrolls_back(rooms: TablePool) -> None:
    panel = '[data-panel="log"]'
    behind = "(panel) => panel.scrollHeight - panel.scrollTop - panel.clientHeight"
    with at_a_table(rooms, size=DESK) as (table, visitor):
        table.stages(lambda stage: stage.plays_to_a_turn(2, 1))
        visitor.page.set_viewport_size(PHONE)
        table.stages(lambda stage: stage.plays_to_a_turn(1, 1))
        visitor.page.set_viewport_size(DESK)
        visitor.next_frame()
        assert visitor.sees(panel).evaluate(behind) < 2
        assert visitor.sees(panel).evaluate("(panel) => panel.scrollTop") > 0
        visitor.sees(panel).evaluate("(panel) => { panel.scrollTop = 0; }")
        visitor.next_frame()
        table.stages(lambda stage: stage.does(Tap(1, stage.gives(1, "cyber-patrol"), 1)))
        assert visitor.sees(panel).evaluate("(panel) => panel.scrollTop") == 0
