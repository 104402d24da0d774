"""Every view of the demo's page, one after the other at one table. The order is that of an evening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser
from taptable.core.player import Push, Tap

from page.evening import an_evening
from page.staging import Stage
from page.viewing import SIZES, View, Views, gives_up, opens_settings, opens_tab
from page.visitor import Visitor

OWN = 1
"""The seat of the person at the page."""
NEXT = 2
FILES = 2
"""Files that each team has downloaded before most of the views."""


async def _youngest(stage: Stage) -> None:
    """The table waits for the youngest."""


async def _own_turn(stage: Stage) -> None:
    await stage.plays_to_a_turn(OWN, FILES)
    stage.deals(OWN, "under-construction", "extra-memory", "online")


async def _refused(stage: Stage) -> None:
    await stage.does(Tap(OWN, stage.gives(OWN, "password-ok"), NEXT))


async def _own_hacker(stage: Stage) -> None:
    await stage.hacks(OWN)


async def _may_hack(stage: Stage) -> None:
    await stage.lets_the_window_run_out()


async def _others_turn(stage: Stage) -> None:
    await stage.does(Push(OWN))
    await stage.plays_to_a_turn(NEXT)


async def _hacker(stage: Stage) -> None:
    await stage.uses("reshuffle", NEXT)  # so may the hackers and the patrols
    stage.gathers(OWN, "cyber-patrol")
    await stage.hacks(NEXT)


async def _claim(stage: Stage) -> None:
    await stage.does(Push(OWN))


async def _stopped(stage: Stage) -> None:
    await stage.shows_the_patrol(OWN)


async def _searching(stage: Stage) -> None:
    await stage.uses("reshuffle", OWN)  # the searches may all have been used
    search = stage.gives(OWN, "search")
    await stage.does(Tap(OWN, search, OWN))


async def _asks_back(stage: Stage) -> None:
    await stage.does(Push(OWN))
    await stage.uses("take-back", NEXT)


async def _checks(stage: Stage) -> None:
    await stage.does(Push(OWN))
    await stage.uses("check", OWN)


async def _breaks_it_off(stage: Stage) -> None:
    """Break the check off, which leaves a pause."""
    await stage.uses("check", OWN)


async def _goes_on_with_faults(stage: Stage) -> None:
    await stage.does(Push(OWN))
    await stage.breaks_things()


async def _mends_and_plays_to_the_end(stage: Stage) -> None:
    await stage.mends_things()
    await stage.plays(lambda: stage.state.outcome is not None)


def _chooses(visitor: Visitor) -> None:
    """The first card that would count, and so its pads light up."""
    visitor.clicks(f'[data-hand="{OWN}"] button[data-card][data-playable="true"]')


def _opens_menu(visitor: Visitor) -> None:
    visitor.clicks(f'[data-hand="{OWN}"] summary')


def _opens_start(visitor: Visitor) -> None:
    visitor.clicks('[data-do="new-table"]')


def _closes_start(visitor: Visitor) -> None:
    visitor.clicks('[data-start] [data-do="close"]')


def _own(more: str) -> str:
    return f'[data-hand="{OWN}"] {more}'


VIEWS = (
    View("start dialog", looks=_opens_start, shown="dialog[data-start]", looks_away=_closes_start, alike=True),
    View("youngest", _youngest, shown=_own('[data-do="press"][data-meaning="youngest"]'), alike=True),
    View("own turn", _own_turn, shown=f'[data-seat="{OWN}"][data-turn="true"]'),
    View("card chosen", looks=_chooses, shown='[data-pad][data-target="true"]', looks_away=gives_up, alike=True),
    View("menu", looks=_opens_menu, shown=_own("[data-control]"), looks_away=gives_up, alike=True),
    View("settings", looks=opens_settings, shown="#settings", looks_away=opens_settings, alike=True),
    View("refused", _refused, shown='[data-log] [data-kind="refused"]', alike=True),
    View("own hacker", _own_hacker, shown="[data-window]", alike=True),
    View("hack", _may_hack, shown=_own('button[data-place="connection"]'), alike=True),
    View("others' turn", _others_turn, shown=f'[data-seat="{NEXT}"][data-turn="true"]', alike=True),
    View("window", _hacker, shown="[data-window]"),
    View("claim", _claim, shown="[data-window]", alike=True),
    View("hacker stopped", _stopped, shown=f'[data-seat="{OWN}"][data-turn="true"]', alike=True),
    View("search", _searching, shown=_own('button[data-place="draw-pile"]'), alike=True),
    View("take-back asked", _asks_back, shown=_own('[data-do="press"][data-meaning="grant"]'), alike=True),
    View("check", _checks, shown=_own('[data-do="press"][data-meaning="check"]'), alike=True),
    View("paused", _breaks_it_off, shown=_own('[data-do="press"][data-meaning="resume"]'), alike=True),
    View("faults", _goes_on_with_faults, shown=f'[data-seat="{NEXT}"] [data-wrong="board-out"]'),
    View("workbench", looks=opens_tab("workbench"), shown="button[data-fault]", alike=True),
    View("rows", looks=opens_tab("rows"), shown='[data-panel="rows"]', alike=True),
    View("guide", looks=opens_tab("guide"), shown='[data-panel="guide"]', looks_away=opens_tab("log"), alike=True),
    View("over", _mends_and_plays_to_the_end, shown='[data-meaning=""]', alike=True),
)

SETTINGS = {"patrol_window_s": "30", "claim_s": "120"}
"""Windows last long enough to be looked at."""


@contextmanager
def looking_at(
    browser: Browser, folder: Path, *, players: int, seed: int, sizes: Sequence[str] = ("desk", "phone")
) -> Iterator[Views]:
    """A table with a visitor for each size of window."""
    with ExitStack() as opened:
        evening = opened.enter_context(an_evening(folder, players=players, seed=seed, starter=None, settings=SETTINGS))
        evening.stages(Stage.empties_the_chairs)
        visitors = {name: opened.enter_context(evening.visited(browser, SIZES[name])) for name in sizes}
        yield Views(evening, visitors)
