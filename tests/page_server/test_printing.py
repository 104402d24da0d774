"""Cards to print at the page: for paired clients, drawn by another process, one order at a time."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from deadline import DEADLINE_S
from page_access.rig import an_open_table, ask, pair
from taptable.api.errors import RequestError
from taptable.api.facts import DeckFacts
from taptable.page import printing
from taptable.page.printing import Printer
from taptable.words import Words

from page_server.rig import Table

SMALL = json.dumps({"game": "xnet", "name": "ours", "topics": {f"topic {n}": {"1": 2} for n in range(6)}})
OURS = DeckFacts("ours", "xnet", SMALL, (), ())


def deck_of(name: str) -> DeckFacts | None:
    return OURS if name == "ours" else None


def a_printer(program: str) -> Printer:
    """One whose drawing process is this Python program."""
    return Printer(deck_of, (sys.executable, "-c", program))


async def why(printer: Printer, **message: Any) -> str:
    with pytest.raises(RequestError) as refused:
        await asyncio.wait_for(printer.draw(message, "en"), DEADLINE_S)
    return refused.value.text(Words("en"))


async def test_a_deck_is_drawn_as_it_is_described() -> None:
    pdf = await Printer(deck_of).draw({"deck": "ours", "paper": "letter", "members": "Ada", "n": 1}, "de")
    pages = pypdfium2.PdfDocument(pdf)
    assert pages[0].get_size() == pytest.approx((612, 792))
    assert "Karten zum Drucken" in pages[0].get_textpage().get_text_range()
    assert "Ada" in pages[len(pages) - 2].get_textpage().get_text_range()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"deck": "other"}, "There is no deck “other”."),
        ({"game": "chess"}, "These cards can’t be drawn: There is no game 'chess'"),
        ({"game": "xnet", "paper": "a3"}, "paper"),
        ({"game": 7}, "game"),
        ({"game": "x" * 41}, "game"),
        ({"game": "xnet", "members": ["Ada"]}, "members"),
        ({"game": "xnet", "members": "A," * 101}, "These cards can’t be drawn: These are 101 members"),
        ({}, "There is no game ''"),
    ],
)
async def test_an_order_that_can_not_be_is_a_sentence(message: dict[str, Any], said: str) -> None:
    assert said in await why(Printer(deck_of), **message)


async def test_one_order_is_drawn_at_a_time_and_the_next_one_after_it() -> None:
    printer = a_printer("import sys; sys.stdin.read(); sys.stdout.write('%PDF')")
    first = asyncio.create_task(printer.draw({"deck": "ours"}, "en"))
    await asyncio.sleep(0)
    assert await why(printer, deck="ours") == "Other cards are being drawn just now; try again in a minute."
    assert await first == b"%PDF"
    assert await printer.draw({"deck": "ours"}, "en") == b"%PDF"


async def test_a_process_that_dies_or_takes_too_long_is_reported_and_nothing_is_left_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "couldn’t be drawn" in await why(a_printer("import os; os.kill(os.getpid(), 9)"), deck="ours")
    assert "couldn’t be drawn" in await why(a_printer("raise SystemExit(1)"), deck="ours")
    monkeypatch.setattr(printing, "DRAW_TIMEOUT_S", 0.0)
    printer = a_printer("import sys; sys.stdin.read(); input()")
    assert "couldn’t be drawn" in await why(printer, deck="ours")
    assert "couldn’t be drawn" in await why(printer, deck="ours")  # and not that it is busy


async def test_a_program_that_is_not_there_is_reported() -> None:
    assert "No such file" in await why(Printer(deck_of, ("/no/such/python",)), deck="ours")


async def test_the_page_gives_the_pdf_to_who_is_on_this_computer(table: Table) -> None:
    answer = await ask(table.port, "/cards?language=fr", json.dumps({"game": "cyber-siege"}).encode())
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    assert "cartes à imprimer" in pypdfium2.PdfDocument(answer.body)[0].get_textpage().get_text_range()
    for said in (b"[]", b"{", b"\xff"):
        assert (await ask(table.port, "/cards", said)).status == 400
    assert (await ask(table.port, "/cards", b"x" * 5000)).status == 413
    refused = await ask(table.port, "/cards?language=en", b'{"deck": "none"}')
    assert (refused.status, refused.json) == (403, {"ok": False, "why": "There is no deck “none”."})


async def test_nothing_is_drawn_for_strangers_and_for_other_sites_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with an_open_table(tmp_path) as table:
        cookie = await pair(table)
        orders: list[Any] = []

        async def draw(message: Any, language: str) -> bytes:
            orders.append((message, language))
            return b"%PDF"

        monkeypatch.setattr(table.page.printer, "draw", draw)
        order = b'{"game": "online"}'
        stranger = await ask(table.port, "/cards?language=en", order)
        assert (stranger.status, "pair this device" in stranger.json["why"]) == (403, True)
        foreign = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert (await ask(table.port, "/cards", order, cookie=cookie, headers=foreign)).status == 403
        assert not orders
        assert (await ask(table.port, "/cards?language=nl", order, cookie=cookie)).body == b"%PDF"
        assert orders == [({"game": "online"}, "nl")]
