"""Every dialog of the page, closed by Escape, by Back and by a tap outside: nothing is asked of the table, nothing
changes, and the view stays."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import taptable
from choosing import long_params
from playwright.sync_api import ViewportSize
from taptable.core.observations import DISCARD_PAD
from taptable.core.player import Push
from taptable.sim.setting_up import DECK

from page.a_table import PageTable
from page.layout import DESK, PHONE
from page.table_pool import TablePool
from page.test_pairing import DIALOG, at_an_open_table, is_paired, opens_the_dialog
from page.test_people import tapping
from page.threaded_table import ThreadedTable
from page.viewing import Look, gives_up, goes_to, opens_settings
from page.visitor import Visitor

QUESTION, SETTINGS, START = "dialog[data-question]", "#settings", "dialog[data-start]"
MEMBER, PRESET = "Ada", "Evening"
OUTSIDE = (3, 3)
"""Above and left of every dialog, where nothing can be pressed."""


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog that a visitor `opens`, in a view; `module` asks for it."""

    module: str
    name: str
    opens: Look
    shown: str = QUESTION


def clicks(*hooks: str) -> Look:
    def look(visitor: Visitor) -> None:
        for hook in hooks:
            visitor.clicks(hook)

    return look


def at(place: str, *hooks: str) -> Look:
    def look(visitor: Visitor) -> None:
        goes_to(place)(visitor)
        visitor.next_frame()
        for first in filter(visitor.is_seen, ('[data-do="other-kind"]', '[data-do="other-seat"]')):
            visitor.clicks(first)  # something is chosen from the last time
        clicks(*hooks)(visitor)

    return look


def of_member(verb: str) -> Look:
    def look(visitor: Visitor) -> None:
        goes_to("people")(visitor)
        visitor.sees("[data-person]").evaluate("(details) => { details.open = true; }")
        visitor.clicks(f'[data-person="{MEMBER}"] [data-do="{verb}"]')

    return look


def brings_a_deck(visitor: Visitor) -> None:
    """The file of a deck that is there already."""
    goes_to("cards")(visitor)
    visitor.sees("[data-decks]")
    content = json.dumps({"name": DECK}).encode()
    visitor.page.set_input_files(
        "[data-file]", {"name": "deck.json", "mimeType": "application/json", "buffer": content}
    )


def deletes_a_deck(visitor: Visitor) -> None:
    goes_to("cards")(visitor)
    visitor.sees(f'[data-deck="{DECK}"] .deck-more').evaluate("(details) => { details.open = true; }")
    visitor.clicks(f'[data-deck="{DECK}"] [data-do="delete-deck"]')


def opens_devices(hook: str) -> Look:
    def look(visitor: Visitor) -> None:
        if not visitor.is_seen(SETTINGS):
            opens_settings(visitor)
        visitor.sees('[data-devices="others"]').evaluate("(details) => { details.open = true; }")
        visitor.clicks(hook)

    return look


OF_A_TABLE = (
    Dialog("settings.js", "settings", opens_settings, SETTINGS),
    Dialog("views/correct/correct.js", "end of the game", at("correct", 'button[data-remedy="end-game"]')),
    Dialog("views/correct/steps.js", "lost card", at("correct/lost", 'button[data-kind="email"]', "[data-lose]")),
    Dialog(
        "views/correct/steps.js", "leaving", at("correct/leave", 'button[data-leaver="2"]', 'button[data-remedy="out"]')
    ),
    Dialog("views/setup/setup.js", "game under way", at("setup", '[data-do="new-game"]')),
    Dialog("views/setup/setup.js", "preset", at("setup", f'[data-delete="{PRESET}"]')),
    Dialog("views/decks/decks.js", "deck brought", brings_a_deck),
    Dialog("views/decks/deck.js", "deck deleted", deletes_a_deck),
    Dialog("views/people.js", "new card", of_member("new-card")),
    Dialog("views/people.js", "member deleted", of_member("delete-member")),
    Dialog("views/people.js", "names", at("people", '[data-do="blot-names"]')),
)
OF_AN_OPEN_TABLE = (
    Dialog("pairing.js", "pairing", opens_the_dialog, DIALOG),
    Dialog("pairing.js", "device", opens_devices('[data-devices="unpair"]')),
    Dialog("pairing.js", "all devices", opens_devices('[data-devices="all"]')),
)
OF_THE_DEMO = (Dialog("start.js", "new table", clicks('[data-do="new-table"]'), START),)


def escapes(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Escape")


def goes_back(visitor: Visitor) -> None:
    visitor.page.evaluate("history.back()")


def taps_outside(visitor: Visitor) -> None:
    visitor.page.mouse.click(*OUTSIDE)


WAYS: Sequence[Callable[[Visitor], None]] = (escapes, goes_back, taps_outside)


def closes(visitor: Visitor, table: ThreadedTable, dialog: Dialog) -> None:
    """Open a dialog and close it in each way, which has no effect on the table."""
    for way in WAYS:
        dialog.opens(visitor)
        visitor.sees(dialog.shown)
        visitor.is_heard()
        visitor.page.evaluate("watched.sent.length = 0")
        address, before = visitor.page.url, table.ask(lambda: table.session)
        way(visitor)
        visitor.sees(dialog.shown, hidden=True)
        visitor.next_frame()
        visitor.is_heard()
        about = (dialog.name, way.__name__)
        assert (about, visitor.watched("sent")) == (about, [])
        assert (about, visitor.page.url) == (about, address)
        assert table.ask(lambda: table.session) is before, about


def asked_in(folder: Path) -> Counter[str]:
    """How often each module of a folder asks a question, or makes a dialog."""
    asked = re.compile(
        r"(?:\bconfirm|page\.choose)\(\{|[^.]\bmakeModal\(dialog|const open = closeOnBack|= closeOnBack\(\(\)"
    )
    texts = {each: each.read_text(encoding="utf-8") for each in folder.rglob("*.js") if "vendor" not in each.parts}
    return Counter({str(each.relative_to(folder)): len(asked.findall(text)) for each, text in texts.items()})


def test_every_module_that_opens_a_dialog_is_walked_over() -> None:
    host = Path(taptable.__file__).parent
    found = asked_in(host / "page" / "static") + asked_in(host / "sim" / "page" / "static")
    found -= Counter({"dialogs.js": found["dialogs.js"]})
    # both questions about devices are asked in one place
    walked = Counter(dialog.module for dialog in (*OF_A_TABLE, *OF_AN_OPEN_TABLE, *OF_THE_DEMO))
    assert walked - Counter({"pairing.js": 1}) == found


@pytest.mark.parametrize("size", long_params([PHONE, DESK]), ids=["phone", "desk"])
def test_a_dialog_of_a_table_closes_without_an_answer(rooms: TablePool, size: ViewportSize) -> None:
    with rooms.table(4, size=size) as (table, visitor):
        has_a_member(table, visitor)
        table.stages(lambda stage: stage.lays_rows())
        keeps_a_preset(visitor)
        for dialog in OF_A_TABLE:
            closes(visitor, table, dialog)
        forgets_the_preset(visitor)


def has_a_member(table: PageTable, visitor: Visitor) -> None:
    """Somebody has a card."""
    goes_to("people")(visitor)
    visitor.page.locator("#person-new-name").fill(MEMBER)
    visitor.clicks('[data-do="enrol-member"]')
    visitor.sees("[data-card-awaited]")
    table.happens(tapping(table, DISCARD_PAD))
    visitor.reads("[data-card-result]", f"This is {MEMBER}’s card now.")
    table.stages(lambda stage: stage.does(Push(1)))  # the game was paused for that


def keeps_a_preset(visitor: Visitor) -> None:
    goes_to("setup")(visitor)
    visitor.page.locator("[data-preset-name]").fill(PRESET)
    visitor.clicks('[data-do="save-preset"]')
    visitor.sees(f'[data-delete="{PRESET}"]')


def forgets_the_preset(visitor: Visitor) -> None:
    goes_to("setup")(visitor)
    visitor.clicks(f'[data-delete="{PRESET}"]')
    visitor.clicks('[data-answer="yes"]')
    visitor.sees(f'[data-delete="{PRESET}"]', hidden=True)


def test_a_dialog_of_a_table_on_the_network_closes_without_an_answer(rooms: TablePool) -> None:
    with at_an_open_table(rooms) as (table, visitor):
        pairing, *others = OF_AN_OPEN_TABLE
        closes_pairing = Dialog(pairing.module, pairing.name, pairs_again, pairing.shown)
        closes(visitor, table, closes_pairing)
        gives_up(visitor)
        is_paired(visitor, table, "Ana")
        for dialog in others:
            closes(visitor, table, dialog)


def pairs_again(visitor: Visitor) -> None:
    if visitor.is_seen(SETTINGS):
        gives_up(visitor)
    opens_the_dialog(visitor)


def test_a_dialog_of_the_demo_closes_without_an_answer(rooms: TablePool) -> None:
    with rooms.demo() as (evening, visitor):
        for dialog in OF_THE_DEMO:
            closes(visitor, evening, dialog)


@pytest.mark.parametrize("way", long_params([escapes, goes_back, taps_outside, opens_settings]))
def test_the_question_whether_to_switch_off_doesnt_outlive_the_settings(rooms: TablePool, way: Look) -> None:
    with rooms.table(size=PHONE) as (_, visitor):
        with visitor.page.expect_response("**/about.json") as told:
            visitor.reloads()
        about = {**told.value.json(), "power_off": True}
        visitor.page.route("**/about.json", lambda route: route.fulfill(json=about))
        visitor.reloads()
        opens_settings(visitor)
        visitor.clicks('[data-power="ask"]')
        visitor.sees('[data-power="yes"]')
        way(visitor)
        visitor.sees(SETTINGS, hidden=True)
        opens_settings(visitor)
        visitor.sees('[data-power="ask"]')
        assert not visitor.is_seen('[data-power="yes"]')
        visitor.page.unroute("**/about.json")
        visitor.reloads()


def test_what_was_chosen_in_a_step_doesnt_outlive_the_view(rooms: TablePool) -> None:
    with rooms.table(4) as (table, visitor):
        table.stages(lambda stage: stage.lays_rows())
        for place, chosen, first in (
            ("correct/leave", '[data-leaver="2"]', "[data-leaver]"),
            ("correct/lost", 'button[data-kind="email"]', "button[data-kind]"),
        ):
            at(place, chosen)(visitor)
            visitor.sees(first, hidden=True)
            visitor.clicks('nav [data-view="table"]')
            visitor.sees("[data-table]")
            goes_to(place)(visitor)
            visitor.sees(first)
