"""Every view of the page of a table that stands in a room, one after the other at one table, for somebody whose window
is now as large as on a desk, now as a phone's. The order is that of an evening."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser
from taptable.core.player import Push, Tap

from page.a_table import a_table
from page.pad_hand import new_cards
from page.staging import Stage
from page.viewing import SIZES, Look, View, Views, gives_up, goes_to, opens_settings, opens_tab
from page.visitor import Visitor

FIRST, NEXT = 1, 2
NAMES = ("Ada", "Maximiliane", "Bo", "Jean-Christophe")
APART_S = 0.0042
"""Seconds between two presses in a window."""
FILES = 2
"""Files that each team has downloaded before most of the views."""


async def _youngest(stage: Stage) -> None:
    """The table waits for the youngest."""


async def _turn(stage: Stage) -> None:
    await stage.plays_to_a_turn(FIRST, FILES)


async def _refused(stage: Stage) -> None:
    await stage.does(Tap(FIRST, stage.gives(FIRST, "password-ok"), NEXT))


async def _hacker(stage: Stage) -> None:
    await stage.does(Push(FIRST))
    await stage.plays_to_a_turn(NEXT)
    await stage.uses("reshuffle", NEXT)  # so may the hackers and the patrols
    stage.gathers(FIRST, "cyber-patrol")
    await stage.hacks(NEXT)


async def _claim(stage: Stage) -> None:
    await stage.buzz(FIRST, 3, apart_s=APART_S)


async def _stopped(stage: Stage) -> None:
    await stage.shows_the_patrol(FIRST)


async def _hack(stage: Stage) -> None:
    await stage.begins()
    seat = stage.on_turn
    assert seat is not None
    await stage.hacks(seat)
    await stage.lets_the_window_run_out()


async def _asks_back(stage: Stage) -> None:
    seat = stage.on_turn
    assert seat is not None
    await stage.does(Push(seat))
    await stage.uses("take-back", FIRST)


async def _paused(stage: Stage) -> None:
    other = next(seat for seat in stage.seats if seat != FIRST)
    await stage.does(Push(other))
    await stage.uses("pause", FIRST)


async def _faults(stage: Stage) -> None:
    await stage.does(Push(FIRST))
    await stage.breaks_things()


async def _to_the_end(stage: Stage) -> None:
    await stage.mends_things()
    await stage.plays(lambda: stage.state.outcome is not None)


async def _checks(stage: Stage) -> None:
    await stage.does(Push(FIRST))
    await stage.uses("check", FIRST)


async def _breaks_it_off(stage: Stage) -> None:
    """Break the check off, which leaves a pause."""
    await stage.uses("check", FIRST)


async def _enrols(stage: Stage) -> None:
    tags = list(new_cards().cards)
    await stage.shows_at_the_discard_pad(*tags[:5], tags[1])  # the last one is known already


async def _taps_an_own_card(stage: Stage) -> None:
    own = list(new_cards().cards)[-1]
    await stage.shows_at_the_discard_pad(own)


def _is_enrolled(visitor: Visitor) -> None:
    goes_to("people")(visitor)
    visitor.page.locator("#person-new-name").fill("Maximiliane-Christophe")
    visitor.clicks('[data-do="enrol-member"]')


def _names_everybody(visitor: Visitor) -> None:
    goes_to("setup")(visitor)
    for seat, name in enumerate(NAMES, 1):
        visitor.page.locator(f'[data-setup-name="{seat}"]').fill(name)


def _keeps_the_names(visitor: Visitor) -> None:
    visitor.clicks('[data-do="name-players"]')
    visitor.sees('[data-note][data-mood="good"]')
    # it would lie over the next views
    visitor.page.evaluate("document.querySelector('[data-note]').click()")


def _begins_a_deck(visitor: Visitor) -> None:
    visitor.page.locator("#deck-new-name").fill("Familie Müller-Lüdenscheidt")
    visitor.clicks('[data-do="new-deck"]')


def _then(*looks: Look) -> Look:
    def look(visitor: Visitor) -> None:
        for each in looks:
            each(visitor)

    return look


def _clicks(hook: str) -> Look:
    def look(visitor: Visitor) -> None:
        visitor.clicks(hook)

    return look


def _tries_speech(visitor: Visitor) -> None:
    opens_settings(visitor)
    visitor.page.locator('[data-setting="aloud"]').check()


TO_TABLE = goes_to("table")

VIEWS = (
    View("youngest", _youngest, shown='[data-seat="1"] .chip .icon', alike=True),
    View("turn", _turn, shown=f'[data-seat="{FIRST}"][data-turn="true"]'),
    View("what counts", looks=opens_tab("counts"), shown=".counts-group", looks_away=opens_tab("log")),
    View("refused", _refused, shown='[data-log] [data-kind="refused"]', alike=True),
    View("window", _hacker, shown='[data-window][data-state="open"]'),
    View("claim", _claim, shown='[data-window][data-state="claim"]', alike=True),
    View("hacker stopped", _stopped, shown='[data-latest] [data-kind="first"]', alike=True),
    View("hack", _hack, shown='[data-log] [data-type="hack-began"]', alike=True),
    View("take-back asked", _asks_back, shown='[data-alerts] [data-kind="consent"]', alike=True),
    View("paused", _paused, shown='[data-table][data-paused="true"]', alike=True),
    View("settings", looks=_tries_speech, shown="[data-aloud-try]", looks_away=gives_up),
    View("correct", looks=goes_to("correct"), shown="[data-remedy]", looks_away=TO_TABLE),
    View("lost card", looks=goes_to("correct/lost"), shown='[data-step="lost"] [data-kind]', looks_away=TO_TABLE),
    View("leaving", looks=goes_to("correct/leave"), shown="[data-leaver]", looks_away=TO_TABLE),
    View(
        "question",
        looks=_then(goes_to("correct"), _clicks('button[data-remedy="end-game"]')),
        shown="dialog[data-question]",
        looks_away=_then(_clicks('[data-answer="no"]'), TO_TABLE),
    ),
    View("check", _checks, looks=goes_to("correct"), shown="[data-check]", looks_away=TO_TABLE),
    View(
        "setup",
        _breaks_it_off,
        looks=_names_everybody,
        shown='[data-form="setup"]',
        looks_away=_keeps_the_names,
    ),
    View("named", looks=TO_TABLE, shown='[data-seat="1"] .seat-name[title="Ada"]', alike=True),
    View("card awaited", looks=_is_enrolled, shown="[data-card-awaited]"),
    View(
        "people",
        _taps_an_own_card,
        looks=_clicks("[data-person] summary"),
        shown='[data-person] [data-do="delete-member"]',
        looks_away=TO_TABLE,
    ),
    View("cards", looks=goes_to("cards"), shown="[data-decks] [data-deck]"),
    View("new deck", looks=_begins_a_deck, shown="[data-enrolling]", alike=True),
    View(
        "enrolling",
        _enrols,
        shown='[data-enrolling] [data-mood="refused"]',
        looks_away=_then(_clicks('[data-do="enrol-stop"]'), _clicks('[data-do="close"]'), TO_TABLE),
    ),
    View("faults", _faults, shown='[data-alerts] [data-kind="missing"]', alike=True),
    View("rows", looks=opens_tab("rows"), shown='[data-panel="rows"]'),
    View("guide", looks=opens_tab("guide"), shown='[data-panel="guide"]', looks_away=opens_tab("log")),
    View("over", _to_the_end, shown='[data-table][data-over="true"]'),
    View("games", looks=goes_to("games"), shown="[data-games] [data-game]"),
    View("parts", looks=goes_to("parts"), shown="[data-part]"),
    View("game", looks=goes_to("games/last"), shown="[data-figures] table"),
    View("replay", looks=goes_to("games/last/replay/40"), shown="[data-replay]"),
)

STRANGER_VIEWS = (
    View("to be paired", looks=opens_settings, shown='[data-devices="pair"]'),
    View("pairing", looks=_clicks('[data-devices="pair"]'), shown='[data-pairing="dialog"]'),
)
"""The views of a visitor who isn't paired, at a table whose page is open to the network."""

SETTINGS = {"patrol_window_s": "30", "claim_s": "120"}
"""Windows last long enough to be looked at."""
VISITOR = "visitor"


@contextmanager
def looking_at_the_base(
    browser: Browser, folder: Path, *, players: int = 4, seed: int = 1, network: bool = False, size: str = "phone"
) -> Iterator[Views]:
    """A table with one visitor, whose window may change its size; its page may be open to the `network`."""
    with (
        a_table(folder, players=players, seed=seed, starter=None, settings=SETTINGS, network=network) as table,
        table.visited(browser, SIZES[size], welcomed=False) as visitor,
    ):
        yield Views(table, {VISITOR: visitor})
