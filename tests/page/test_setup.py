"""Games set up at the page: with a finger on a phone and at a desk, by a real browser, at the daemon's own table."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from taptable.core.player import Push

from page.a_table import PageTable
from page.table_pool import TablePool
from page.visitor import Visitor

WRONG = '[data-wrong="claim_s"]'
ONE_MAIL = {"quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}


def goes_to_set_up(visitor: Visitor) -> None:
    """One tap."""
    visitor.clicks('nav [data-view="setup"]')
    visitor.sees('[data-presets] [data-do="new-game"]')


def fills(visitor: Visitor, hook: str, text: str) -> None:
    visitor.page.locator(hook).fill(text)


def agrees(visitor: Visitor) -> None:
    """Yes to the question whether the game that runs may end."""
    visitor.sees("dialog[data-question]")
    visitor.clicks('[data-question] [data-answer="yes"]')
    visitor.sees("[data-table]")


def plates(visitor: Visitor) -> list[str]:
    """The seats that the page shows, by the words on their plates."""
    return sorted(visitor.page.locator("[data-table] .seat").evaluate_all("all => all.map((each) => each.ariaLabel)"))


def began(table: PageTable) -> tuple[int, str, int | None]:
    """How many play, by which edition, and who is on turn."""
    return table.ask(
        lambda: (table.session.table.game_options.players, table.session.table.game_options.edition, table.on_turn)
    )


@pytest.mark.long
def test_on_a_phone_a_game_is_set_up_kept_and_begun_again_with_one_tap(rooms: TablePool) -> None:
    with rooms.table(4) as (table, visitor):
        visitor.speaks("de")
        goes_to_set_up(visitor)
        visitor.reads("[data-setup-seats]", "Platz 1 bis 4")
        visitor.clicks('[data-setup-step="-1"]')
        visitor.reads("[data-setup-players]", "3")
        for seat, name in enumerate(("Ada", "Ben", "Cleo"), 1):
            fills(visitor, f'[data-setup-name="{seat}"]', name)
        visitor.page.locator("[data-setup-edition]").select_option("en")
        visitor.reads("[data-setup-edition-more]", "links vom Gewinner")
        visitor.page.locator("[data-setup-starter]").select_option("youngest")

        fills(visitor, '[data-rule="claim_s"]', "500")
        visitor.reads(WRONG, "Zeit zum Zeigen der Patrol: von 1 bis 120 Sekunden")
        visitor.clicks('[data-do="set-up"]')
        visitor.reads("[data-trouble]", "noch nicht")
        assert visitor.page.evaluate("document.activeElement.dataset.rule") == "claim_s"
        assert began(table) == (4, "de", 1)
        visitor.speaks("en")
        visitor.reads(WRONG, "Time to show the patrol: from 1 to 120 seconds")
        visitor.sees("[data-trouble]", hidden=True)
        visitor.speaks("de")
        fills(visitor, '[data-rule="claim_s"]', "20")
        visitor.sees(WRONG, hidden=True)

        # what only the table can know is said by the table
        visitor.page.locator('[data-rule="teams"]').select_option("two")
        visitor.clicks('[data-do="set-up"]')
        visitor.clicks('[data-question] [data-answer="yes"]')
        visitor.reads("[data-trouble]", "mit 4 bis 6 Spielern")
        assert began(table) == (4, "de", 1)
        visitor.page.locator('[data-rule="teams"]').select_option("auto")

        fills(visitor, "[data-preset-name]", "Freitag")
        visitor.clicks('[data-do="save-preset"]')
        visitor.clicks('[data-preset="Freitag"]')
        agrees(visitor)
        assert began(table) == (3, "en", None)
        visitor.until("three seats", "() => document.querySelectorAll('[data-table] .seat').length === 3")
        assert [each.count(name) for each, name in zip(plates(visitor), ("Ada", "Ben", "Cleo"), strict=True)] == [
            1,
            1,
            1,
        ]
        table.stages(lambda stage: stage.does(Push(2)))
        visitor.sees('[data-seat="2"][data-turn="true"]')
        table.stages(lambda stage: stage.plays_to_a_turn(3))
        visitor.sees('[data-seat="3"][data-turn="true"]')
        assert table.ask(lambda: table.people.disagreements) == []

        goes_to_set_up(visitor)
        visitor.clicks('[data-delete="Freitag"]')
        visitor.clicks('[data-question] [data-answer="yes"]')
        visitor.sees('[data-preset="Freitag"]', hidden=True)


def test_two_are_offered_more_files_and_may_give_them_up_again(rooms: TablePool) -> None:
    with rooms.table(3) as (table, visitor):
        goes_to_set_up(visitor)
        advice = '[data-advice="more-files"]'
        visitor.sees(advice, hidden=True)
        visitor.clicks('[data-setup-step="-1"]')
        visitor.reads(advice, "9 E-mail, 6 Music, 3 Game and 3 Movie")
        quota = visitor.page.locator('[data-rule="quota_email"]')
        fills(visitor, '[data-rule="quota_email"]', "7")
        visitor.sees(advice, hidden=True)  # who wants other quotas than usual isn't asked
        fills(visitor, '[data-rule="quota_email"]', "6")
        for advised, mails in ((True, "9"), (False, "6"), (True, "9")):
            visitor.clicks(f"{advice} button")
            visitor.sees(f'{advice} button[aria-pressed="{str(advised).lower()}"]')
            assert quota.input_value() == mails
        visitor.clicks('[data-do="set-up"]')
        agrees(visitor)
        assert table.ask(lambda: [mark.need for mark in table.session.table.scoreboard.teams[0].marks]) == [9, 6, 3, 3]


def test_a_new_game_is_two_taps_once_the_last_is_over(rooms: TablePool) -> None:
    with rooms.table(settings=ONE_MAIL) as (table, visitor):
        table.stages(lambda stage: stage.plays(lambda: stage.state.outcome is not None))
        visitor.sees('[data-table][data-over="true"]')
        visitor.clicks('nav [data-view="setup"]')
        visitor.clicks('[data-presets] [data-do="new-game"]')
        visitor.sees('[data-table][data-over="false"]')
        assert table.ask(lambda: table.state.outcome) is None


@pytest.mark.long
def test_after_another_kind_of_game_is_begun_the_table_is_shown_as_after_the_same(rooms: TablePool) -> None:
    with rooms.table(4) as (table, visitor):
        for game in ("cyber-siege", "online"):
            visitor.clicks('nav [data-view="setup"]')
            visitor.page.locator("[data-setup-game]").select_option(game)
            before = visitor.page.title()
            visitor.clicks('[data-do="set-up"]')
            if table.ask(lambda: table.session.table.scoreboard.under_way):
                visitor.clicks('[data-question] [data-answer="yes"]')
            expect(visitor.page).not_to_have_title(before)  # it has been loaded again
            visitor.reads("[data-note]", "A new game begins.")
            visitor.sees("[data-table]")
            assert visitor.page.evaluate("location.hash") == "#table"
            assert table.ask(lambda: table.session.table.game.name) == game


def test_after_that_the_form_can_be_opened_again_though_a_question_was_open_on_it(rooms: TablePool) -> None:
    with rooms.table(4) as (_, visitor):
        visitor.clicks('nav [data-view="setup"]')
        # as the question leaves the browser's history, where the page loads itself again before the answer is there
        visitor.page.evaluate("() => history.pushState({ dialog: true }, '')")
        visitor.page.evaluate("() => sessionStorage.setItem('taptable-for-reload', 'Begun.')")
        visitor.page.reload()
        visitor.reads("[data-note]", "Begun.")
        assert visitor.page.evaluate("location.hash") == "#table"
        visitor.clicks('nav [data-view="setup"]')
        visitor.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        visitor.sees('[data-do="set-up"]')
        assert visitor.page.evaluate("location.hash") == "#setup"
