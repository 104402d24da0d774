"""*Who sits here* at the page of a real table: somebody gets a card, sits down with it, and is forgotten again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from taptable.core.observations import DISCARD_PAD, Pad

from page.a_table import PageTable
from page.pad_hand import GONE_S, new_cards
from page.table_pool import TablePool

OWN = list(new_cards().cards)[-1]
ON_PAD_S = 0.3


def tapping(table: PageTable, pad: Pad) -> Callable[[], Awaitable[None]]:
    """Tap the own card on a pad."""

    async def tap() -> None:
        table.harness.table.put(OWN, pad)
        await asyncio.sleep(ON_PAD_S)
        table.harness.table.lift(OWN, pad)
        await asyncio.sleep(GONE_S)

    return tap


def test_somebody_gets_a_card_sits_down_and_is_forgotten(rooms: TablePool) -> None:
    with rooms.table() as (table, visitor):
        page = visitor.page
        visitor.clicks('.nav-link[data-view="people"]')
        page.locator("#person-new-name").fill("Ada")
        page.locator("#person-new-colour").fill("#8ec1ff")
        page.locator("#person-new-shown").select_option("initial")
        visitor.clicks('[data-do="enrol-member"]')
        visitor.sees("[data-card-awaited]")
        visitor.reads("[data-card-result]", "Ada: tap your card on the discard pad.")
        table.happens(tapping(table, DISCARD_PAD))
        visitor.reads("[data-card-result]", "This is Ada’s card now.")
        table.happens(tapping(table, 2))
        assert visitor.sees('[data-sits="2"]').input_value() == table.harness.daemon.members.all[0].id
        # without the card: chosen at the page
        page.locator('[data-sits="1"]').select_option(label="Ada")
        visitor.until("Ada to be at seat 1", "() => document.querySelector('[data-sits=\"2\"]').value === ''")
        visitor.clicks('.nav-link[data-view="table"]')
        visitor.reads('[data-seat="1"] .seat-name', "Ada")
        colour = page.locator('[data-seat="1"] .dot').evaluate("(dot) => getComputedStyle(dot).backgroundColor")
        assert colour == "rgb(142, 193, 255)"
        visitor.clicks('.nav-link[data-view="people"]')
        visitor.clicks("[data-person] summary")
        with page.expect_download() as download:
            visitor.clicks('[data-do="export-member"]')
        stored = json.loads(download.value.path().read_text())
        assert (stored["member"]["tags"], stored["games"][0]["seats"]) == ([OWN], [2, 1])
        visitor.clicks('.nav-link[data-view="table"]')
        visitor.clicks('[role="tab"][data-tab="log"]')
        visitor.reads("[data-log]", "Ada sits at seat 1.")
        visitor.clicks('.nav-link[data-view="people"]')
        visitor.clicks('[data-do="delete-member"]')
        visitor.clicks('[data-answer="yes"]')
        visitor.sees("[data-person]", hidden=True)
        visitor.clicks('.nav-link[data-view="table"]')
        visitor.reads('[data-seat="1"] .seat-name', "Seat 1")
        visitor.reads("[data-log]", "A member sits at seat 1.")
        assert "Ada" not in visitor.text("[data-log]")
