"""The checker of the layout finds what is wrong with a page, and nothing wrong with a sound one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from page.layout import DESK, PHONE, layout_faults

SOUND = """<!doctype html><html lang="en"><head><title>Sound</title><style>
body { margin: 0; font: 16px sans-serif }
button, select { min-width: 44px; min-height: 44px }
section { border: 1px solid; padding: 8px; width: 300px }
[data-panel] { height: 60px; overflow-y: auto; width: 300px }
[data-hand] { display: flex; gap: 4px; overflow-x: auto; width: 320px } [data-hand] button { flex: 0 0 100px }
.short { width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%%) }
footer { position: fixed; bottom: 0; left: 0 }
%s
</style></head><body>
<header><button id="a">Pause</button> <button id="b">Check</button></header>
<section data-seat="1"><span id="words">Seat 1 is on turn</span> <button data-pad="1">Pad</button></section>
<section data-seat="2" id="second">Seat 2 <span class="unseen">who looks on from far away</span></section>
<div data-panel="log"><p>One</p><p>Two</p><p>Three</p><p>Four</p></div>
<div data-hand="1"><button>email</button><button>music</button><button>game</button><button>movie</button></div>
<p class="short" id="short" title="A sentence that is too long for its place">A sentence that is too long</p>
<footer>A fixed line</footer>
%s</body></html>"""

WRONG = {
    "a wide table": ("#second { width: 2000px }", "", "too wide"),
    "a button beside the window": ("#b { position: absolute; left: 1500px }", "", "too wide"),
    "two plates over one another": ("#second { margin-top: -30px }", "", "boxes overlap by"),
    "two buttons over one another": ("#b { margin-left: -20px }", "", "boxes overlap by"),
    "words over words": ("", '<p>First</p><p style="margin-top: -30px">Second</p>', "words overlap by"),
    "words out of their plate": ("#words { white-space: nowrap; margin-left: 250px }", "", "words stick out of"),
    "words cut off": (".short { color: red }", '<p class="short">A sentence that is too long</p>', "px too wide for"),
    "lines cut off": (
        "#second { height: 20px; overflow: hidden }",
        '<script>document.getElementById("second").append(" and more".repeat(20))</script>',
        "px too high for its box",
    ),
    "a panel that scrolls sideways": ("[data-panel] p { width: 900px }", "", "px too wide for its box"),
    "a button out of its plate": ("[data-pad] { position: relative; left: 400px }", "", "sticks out of"),
    "buttons under a fixed line": ("", '<div style="position: fixed; inset: 0 0 700px">New</div>', "covered by"),
    "a button too small to hit": ("#a { min-height: 0; height: 18px }", "", "px: <button"),
}


SMALL = '<p style="font-size: 14px">Names <input style="font: inherit; min-height: 44px"></p>'


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport=DESK)
    yield page
    page.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_is_wrong_with_a_sound_page(page: Page, size: dict[str, int]):
    page.set_viewport_size(size)
    page.set_content(SOUND % ("", ""))
    assert layout_faults(page) == []


@pytest.mark.parametrize(("size", "faults"), [(DESK, 0), (PHONE, 1)], ids=["desk", "phone"])
def test_letters_of_a_field_are_too_small_on_a_phone_only(page: Page, size: dict[str, int], faults: int):
    page.set_viewport_size(size)
    page.set_content(SOUND % ("select { font-size: 16px }", SMALL))
    found = layout_faults(page)
    assert len(found) == faults
    assert all("only letters of 14 px" in fault for fault in found)


@pytest.mark.parametrize("wrong", WRONG)
def test_it_finds(page: Page, wrong: str):
    style, more, fault = WRONG[wrong]
    page.set_viewport_size(DESK)
    page.set_content(SOUND % (style, more))
    assert fault in "\n".join(layout_faults(page))


def test_a_page_as_wide_as_a_desk_may_not_be_scrolled_and_one_on_a_phone_may(page: Page):
    page.set_content(SOUND % ("body { min-height: 900px }", ""))
    page.set_viewport_size(PHONE)
    assert layout_faults(page) == []
    page.set_viewport_size(DESK)
    assert layout_faults(page) == ["the page is 100 px too high"]


def test_only_what_a_modal_dialog_shows_counts_while_it_is_open(page: Page):
    page.set_viewport_size(DESK)
    page.set_content(SOUND % ("#second { margin-top: -30px }", "<dialog id=d><button>Play</button></dialog>"))
    page.evaluate("document.getElementById('d').showModal()")
    assert layout_faults(page) == []
