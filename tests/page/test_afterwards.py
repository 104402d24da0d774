"""Past games in a browser: the list, the course of a game, and any step of it."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from afterwards.recorded_games import course_in, play_a_game
from cli.evenings import FOUR
from deadline import DEADLINE_S
from taptable.core.notices import PlayersNamed
from taptable.history.course import Course
from taptable.memory.journal import Journal
from taptable.page.past_games import PastGames

from page.a_table import PageTable, a_table
from page.layout import DESK
from page.staging import Stage
from page.table_pool import TablePool
from page.viewing import goes_to
from page.visitor import Visitor

SHOWN_OF_HEAP = 9
"""The number of cards of a row that are drawn on a mat."""
SLIDER = "[data-replay]"


@contextmanager
def a_table_with_games(folder: Path) -> Iterator[PageTable]:
    """A table with games in its journal: one whole, one of other rules, one that is damaged, one without a move, and
    the running one."""
    journal = folder / "journal.sqlite"
    play_a_game(journal, FOUR, 3)
    with Journal.open(journal) as written:
        header = replace(written.game(1).header, at_us=written.last_at_us())
        written.append(replace(header, rules_version="online/0"), header, header)
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE games SET settings = 'x' WHERE id = 3")
    with a_table(folder, players=2) as table:
        yield table


@cache
def course_of(journal: Path) -> Course:
    return course_in(journal)


@dataclass
class Evenings:
    """A table, the course of its whole game, and a visitor at its page."""

    visitor: Visitor
    course: Course

    def opens(self, place: str = "") -> Visitor:
        """Go to the games, or to a place in there."""
        goes_to(f"games{place}")(self.visitor)
        return self.visitor


@pytest.fixture
def evenings(rooms: TablePool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evenings]:
    with rooms.shared_table("games", lambda: a_table_with_games(tmp_path_factory.mktemp("games")), DESK) as (
        table,
        visitor,
    ):
        yield Evenings(visitor, course_of(table.config.table.journal))


def waits_for_step(visitor: Visitor, number: int) -> None:
    """Until the table of this step is drawn."""
    drawn = "(step) => document.querySelector('[data-replay-table]').dataset.step === String(step)"
    visitor.until(f"step {number}", drawn, number)


def drawn(visitor: Visitor) -> list[dict[str, list[str]]]:
    """The cards on the mats of the replay, team by team."""
    read = """() => [...document.querySelectorAll("[data-replay-table] .mat")]
        .sort((one, other) => one.dataset.team - other.dataset.team)
        .map((mat) => Object.fromEntries([...mat.querySelectorAll(".zone")].map((zone) => [
            zone.dataset.place, [...zone.querySelectorAll("[data-card]")].map((card) => card.dataset.card)])))"""
    return visitor.page.evaluate(read)


def lying(course: Course, number: int) -> list[dict[str, list[str]]]:
    """The same by the game itself."""
    table = course.steps[number].table
    zones = table.game.layout(table.state)
    return [
        {zone.place: list(zone.cards[-SHOWN_OF_HEAP:]) for zone in zones if zone.seats == team.seats}
        for team in table.game.scoreboard(table.state).teams
    ]


def sees_step(visitor: Visitor, course: Course, number: int) -> None:
    waits_for_step(visitor, number)
    assert drawn(visitor) == lying(course, number)


def test_a_game_is_found_in_the_list_and_told_by_plot_and_figures(evenings: Evenings) -> None:
    course = evenings.course
    visitor = evenings.opens()
    visitor.sees("[data-games] a")
    assert visitor.page.locator("[data-games] [data-game]").evaluate_all("(all) => all.map((a) => a.dataset.game)") == [
        *"54321"
    ]
    visitor.clicks('[data-games] [data-game="1"]')
    visitor.sees(".plot svg")
    assert visitor.page.evaluate("document.activeElement.matches('[data-game-title]')")
    label = visitor.page.locator(".plot svg").get_attribute("aria-label")
    assert label is not None
    for score in course.standings[-1].scores:
        assert f"{score} MB" in label
    visitor.clicks(".games summary")
    rows = visitor.page.locator(".games [data-plot-table] tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)))"
    )
    told = [list(each.scores) for each in course.standings]
    assert rows == [now for at, now in enumerate(told) if at == 0 or now != told[at - 1]]
    assert len(visitor.page.locator(".games [data-line]").all()) == len(course.board.teams)
    visitor.clicks('.games [data-plot="place"]')
    visitor.sees('.games [data-plot="place"][aria-pressed="true"]')
    assert "place 1" in (visitor.page.locator(".plot svg").get_attribute("aria-label") or "").lower()
    cells = visitor.page.locator('.games [data-figure="downloads"] td').all_inner_texts()
    assert [int(cell) for cell in cells] == [course.tally.counts["downloads", seat] for seat in range(1, 5)]
    visitor.page.go_back()
    visitor.sees("[data-games] a")
    visitor.until("the focus where it came from", "() => document.activeElement.dataset.game === '1'")


@pytest.mark.long
def test_the_slider_shows_the_table_after_any_step_by_key_button_and_finger(evenings: Evenings) -> None:
    course = evenings.course
    last = len(course.steps) - 1
    visitor = evenings.opens("/1/replay/5")
    sees_step(visitor, course, 5)
    visitor.page.locator(SLIDER).focus()
    visitor.page.keyboard.press("ArrowRight")
    sees_step(visitor, course, 6)
    visitor.page.keyboard.press("End")
    sees_step(visitor, course, last)
    assert visitor.page.evaluate("location.hash") == f"#games/1/replay/{last}"
    visitor.clicks('.games [data-do="back"]')
    sees_step(visitor, course, last - 1)
    visitor.clicks('.games [data-do="first"]')
    sees_step(visitor, course, 0)
    visitor.clicks('.games [data-near] [data-step="3"]')
    sees_step(visitor, course, 3)
    visitor.sees(SLIDER).scroll_into_view_if_needed()
    box = visitor.sees(SLIDER).bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    visitor.page.mouse.move(box["x"] + 20, middle)
    visitor.page.mouse.down()
    for part in range(1, 20):
        visitor.page.mouse.move(box["x"] + part * box["width"] / 22, middle)
    visitor.page.mouse.up()
    number = int(visitor.page.locator(SLIDER).input_value())
    assert last / 2 < number < last
    sees_step(visitor, course, number)
    text = visitor.text(".games [data-entry]")
    assert text in (visitor.page.locator(SLIDER).get_attribute("aria-valuetext") or "")


@pytest.mark.long
def test_however_fast_the_slider_goes_one_step_is_asked_for_at_a_time_and_the_last_is_shown(evenings: Evenings) -> None:
    asked: list[str] = []
    visitor = evenings.opens("/1")
    visitor.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: asked.append(str(frame))))
    visitor.reloads()
    visitor.sees(".plot svg")
    visitor.opens("replay")
    waits_for_step(visitor, 0)
    last = len(evenings.course.steps) - 1
    slide = """([hook, last]) => {
        const slider = document.querySelector(hook);
        for (let step = 1; step <= last; step += 1) {
            slider.value = String(step);
            slider.dispatchEvent(new Event("input"));
        }
    }"""
    visitor.page.evaluate(slide, [SLIDER, last])
    sees_step(visitor, evenings.course, last)
    positions = [frame for frame in asked if '"position"' in frame]
    assert len(positions) <= 4, len(positions)


@pytest.mark.long
def test_a_milestone_leads_to_its_step(evenings: Evenings) -> None:
    milestone = evenings.course.tally.milestones[-1]
    visitor = evenings.opens("/1")
    visitor.sees(".games [data-events] a")
    visitor.page.locator(".games [data-events] a").last.click()
    sees_step(visitor, evenings.course, milestone.step)
    visitor.until("the slider has the focus", "(hook) => document.activeElement.matches(hook)", SLIDER)


def test_a_game_that_cannot_be_told_is_named(evenings: Evenings) -> None:
    visitor = evenings.opens("/2")
    visitor.reads(".games [data-trouble]", "other rules")
    assert not visitor.is_seen('[data-tab="replay"]')
    evenings.opens("/3")
    visitor.until("damage", "() => document.querySelector('.games [data-status]').textContent.includes('damaged')")
    evenings.opens("/99")
    visitor.until("no such game", "() => document.querySelector('.games [data-status]').textContent.includes('99')")
    evenings.opens("/1")
    visitor.sees(".plot svg")


QUICK = {"quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}


def test_a_tab_that_is_opened_while_the_end_is_still_asked_for_stays(
    rooms: TablePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells, may_tell = PastGames.ask, threading.Event()

    async def hesitates(self: PastGames, verb: str, *more: Any) -> Any:
        if verb == "game":
            await asyncio.to_thread(may_tell.wait, DEADLINE_S)
        return await tells(self, verb, *more)

    monkeypatch.setattr(PastGames, "ask", hesitates)
    with rooms.table(settings=QUICK) as (table, visitor):
        table.stages(lambda stage: stage.plays(lambda: stage.state.outcome is not None))
        visitor.sees('[data-table][data-over="true"]')
        visitor.opens("rows")
        may_tell.set()
        visitor.sees('[data-tab="ending"]')
        visitor.next_frame()
        assert visitor.is_seen(".overview-team")
        visitor.speaks("de")
        visitor.next_frame()
        assert visitor.is_seen(".overview-team")


def test_the_running_game_is_shown_so_far_and_its_end_leads_there(rooms: TablePool) -> None:
    async def downloads(stage: Stage) -> None:
        await stage.plays(lambda: stage.state.outcome is not None)

    with rooms.table(settings=QUICK) as (table, visitor):
        table.ask(
            lambda: table.harness.daemon.controller.note(
                PlayersNamed(table.harness.daemon.clock.now_us(), ("Ada", "Bo"))
            )
        )
        goes_to("games/last")(visitor)
        visitor.sees('.games [data-do="refresh"]')
        before = visitor.text(".games [data-result]")
        table.stages(downloads)
        visitor.clicks('.games [data-do="refresh"]')
        visitor.sees('.games [data-do="refresh"]', hidden=True)
        assert visitor.text(".games [data-result]") != before
        visitor.reads(".games [data-result]", "Ada")
        goes_to("table")(visitor)
        visitor.sees("[data-ending] .plot svg")
        visitor.reads("[data-best]", "Ada")
        assert visitor.text("[data-ending] strong") != ""
        visitor.clicks("[data-see-how]")
        visitor.sees(".plot svg")
        assert visitor.page.evaluate("location.hash").startswith("#games/")
        goes_to("table")(visitor)
        visitor.clicks('[data-ending] [data-do="again"]')
        visitor.sees('[data-table][data-over="false"]')
        visitor.sees('[data-tab="ending"]', hidden=True)
