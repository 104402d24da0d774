"""A league's page in a browser: the wall that follows, a game replayed, the desk; and every view in four languages at
two sizes, laid out well and open to everybody."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import pytest
from league.sending import Clock, League
from league.simulated_games import simulate_game
from page.access import axe_faults
from page.browser import NoBrowser, a_browser
from page.layout import DESK, PHONE, layout_faults
from page.visitor import LANGUAGES
from playwright.sync_api import Browser, ViewportSize
from sqlalchemy import Engine, select
from taptable.league.annulling import annul, undo_annulment
from taptable.league.away import allow
from taptable.league.database import write_transaction
from taptable.league.schema import members
from taptable.league.seasons import close_season, cut_season
from taptable.league.tables import all_tables

from league_web.seeds import begin, member_id, seats
from league_web.views import VIEWS, LeagueVisitor, looking, served

BIG: ViewportSize = {"width": 1920, "height": 1080}
SIZES = {"desk": DESK, "phone": PHONE}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        with a_browser() as browser:
            yield browser
    except NoBrowser as none:
        pytest.skip(str(none))


def test_a_visitor_sees_the_tables_play_a_game_again_and_the_desk(browser: Browser, engine: Engine) -> None:
    with served(engine) as address, looking(browser, address, DESK) as onlooker:
        onlooker.sees('[data-at-table][data-state="plays"]')
        table = League(engine, Clock(time.time_ns() // 1_000_000)).table("Balcony", "Harbour club")
        begin(table, simulate_game(7, "xnet", 4), seats(Random(1), 0, 4), 0.2)
        onlooker.reads("[data-wall]", "Balcony")
        onlooker.goes("games/1/replay/30")
        assert onlooker.page.locator("[data-replay-table] [data-card]").count() > 0
        onlooker.clicks("[data-do=on]")
        onlooker.sees('[data-replay-table][data-step="31"]')
        onlooker.signs_in()
        onlooker.page.fill("[data-add-table] [name=name]", "Shed")
        onlooker.clicks("[data-do=add-table]")
        assert len(onlooker.text("[data-new-table] code >> nth=1")) == 64
        onlooker.goes("wall")
        onlooker.reads("[data-wall]", "Shed")
        assert onlooker.page.locator("[data-new-table]").count() == 0
        assert layout_faults(onlooker.page) == []


def test_at_the_desk_games_are_annulled_a_season_is_closed_and_a_member_plays_away(
    browser: Browser, engine: Engine
) -> None:
    with write_transaction(engine) as connection:
        cut_season(connection, int(time.time()) - 5, "Winter cup")
        club = connection.execute(select(members.c.club).where(members.c.id == member_id(0))).scalar_one()
        elsewhere = next(each.id for each in all_tables(connection) if each.club != club)
    with served(engine) as address, looking(browser, address, DESK) as onlooker:
        onlooker.signs_in()
        table = "[data-desk-table]:has([data-annul]) >> nth=0"
        onlooker.page.fill(f"{table} >> [name=since]", "2026-01-01T00:00")
        onlooker.clicks(f"{table} >> [data-do=annul-games]")
        onlooker.clicks("dialog [data-answer=yes]")
        onlooker.sees("[data-annulment] [data-do=undo]")
        onlooker.clicks("[data-annulment] [data-do=undo]")
        onlooker.clicks("dialog [data-answer=yes]")
        onlooker.sees("[data-annulment]:not(:has([data-do=undo]))")
        onlooker.clicks("[data-do=close-season]")
        onlooker.clicks("dialog [data-answer=yes]")
        onlooker.sees("[data-closed]")
        onlooker.clicks(f"{table} >> [data-do=annul-games]")
        onlooker.clicks("dialog [data-answer=yes]")
        onlooker.sees("[data-annulment] [data-stay]")
        onlooker.page.select_option("[data-allow-away] [name=member]", member_id(0))
        onlooker.page.select_option("[data-allow-away] [name=table]", elsewhere)
        onlooker.clicks("[data-do=allow-away]")
        onlooker.clicks("[data-leave] [data-do=end-away]")
        onlooker.clicks("dialog [data-answer=yes]")
        onlooker.until("nobody away", "() => document.querySelector('[data-leave]') === null")
        assert layout_faults(onlooker.page) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.long
def test_nothing_overflows_in_any_view_and_axe_finds_nothing(browser: Browser, engine: Engine, size: str) -> None:
    found: list[str] = []
    now = int(time.time())
    with write_transaction(engine) as connection:
        cut_season(connection, now - 5, "Winter cup")
        first, second, *_ = all_tables(connection)
        undo_annulment(connection, annul(connection, first.id, 0, now, "ada", now).id, now)
        annul(connection, second.id, now - 86_400, now, "ada", now)
        allow(connection, member_id(3), first.id, second.id, now)
        allow(connection, member_id(4), second.id, "", now)
        close_season(connection, 1, now)
    with served(engine) as address, looking(browser, address, SIZES[size]) as onlooker:
        for view in VIEWS:
            onlooker.goes(view)
            found += looked_over(onlooker, view)
        onlooker.signs_in()
        found += looked_over(onlooker, "desk, signed in")
    assert found == []


def looked_over(onlooker: LeagueVisitor, view: str) -> list[str]:
    """The faults of a view."""
    found: list[str] = []
    for language in LANGUAGES:
        onlooker.page.select_option("[data-language]", language)
        onlooker.until(language, "(code) => document.documentElement.lang === code", language)
        onlooker.page.wait_for_load_state("networkidle")
        onlooker.next_frame()
        found += [f"{view}, {language}: {fault}" for fault in layout_faults(onlooker.page)]
    return found + [f"{view}: {fault}" for fault in axe_faults(onlooker)]


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 12])
def test_the_wall_of_a_club_fits_a_large_screen(browser: Browser, engine: Engine, count: int) -> None:
    league = League(engine, Clock(time.time_ns() // 1_000_000))
    for number in range(count):
        table = league.table(f"Table {number + 1}", "Hall")
        begin(table, simulate_game(number % 8, "online", 4), seats(Random(number), 0, 4), 0.3)
    with served(engine) as address, looking(browser, address, BIG) as onlooker:
        onlooker.until(
            "the tables", "(count) => document.querySelectorAll('[data-at-table]').length === count", count + 6
        )
        onlooker.next_frame()
        assert layout_faults(onlooker.page) == []
        place = "[data-views]"
        assert onlooker.page.eval_on_selector(place, "(each) => each.scrollHeight <= each.clientHeight")
