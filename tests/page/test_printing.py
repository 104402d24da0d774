"""Cards to print at the page: what is wanted is chosen, and the browser has a PDF of it."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from playwright.sync_api import Route

from page.table_pool import TablePool
from page.test_decks import at_the_cards, do

PRINTING = "[data-printing]"


def test_a_pdf_of_the_cards_is_chosen_and_saved(rooms: TablePool, tmp_path: Path) -> None:
    with at_the_cards(rooms) as (_, visitor, _):
        page = visitor.page
        visitor.reads("[data-new-deck] [data-order]", "in the order of their sheets")
        page.locator('[data-print="which"]').select_option("game:cyber-siege")
        page.locator('[data-print="paper"]').select_option("letter")
        page.locator('[data-print="controls"]').uncheck()
        page.locator('[data-print="members"]').check()
        page.locator('[data-print="names"]').fill("Ada, Ben")
        with page.expect_download() as saving:
            visitor.clicks(do("print"))
        assert saving.value.suggested_filename == "cyber-siege-en-letter.pdf"
        saving.value.save_as(tmp_path / "cards.pdf")
        pages = pypdfium2.PdfDocument(tmp_path / "cards.pdf")
        assert pages[0].get_size() == (612, 792)
        assert "Ben" in pages[len(pages) - 2].get_textpage().get_text_range()
        visitor.reads("[data-note]", "cyber-siege-en-letter.pdf")
        assert visitor.page.locator("[data-print-busy]").inner_text() == ""


def test_a_failed_drawing_is_reported_where_it_was_asked_for(rooms: TablePool) -> None:
    with at_the_cards(rooms) as (_, visitor, _):
        page = visitor.page
        page.locator('[data-print="members"]').check()
        page.locator('[data-print="names"]').fill("A," * 101)
        visitor.clicks(do("print"))
        visitor.reads("[data-print-trouble]", "These are 101 members")

        def lose(route: Route) -> None:
            route.abort()

        page.route("**/cards?*", lose)
        visitor.clicks(do("print"))
        visitor.reads("[data-print-trouble]", "The cards couldn’t be drawn")
        page.unroute("**/cards?*", lose)
        visitor.complaints.clear()  # the browser's own, of the request that was lost and of that which was refused
