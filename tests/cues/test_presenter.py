"""The scoreboard is drawn when there is something new on it, and not otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any

import pytest
from display_rig import look, oled_rig
from referee.evening import Evening
from taptable.core.settings import US_PER_S
from taptable.core.sightings import ButtonEdge, TagCame, TagWent
from taptable.edges.cues.oled import Oled
from taptable.edges.cues.presenter import BOOT_S, Presenter
from taptable.sim.given_time import GivenTimeLoop
from taptable.sim.inline import InlineExecutor


class Drawings(InlineExecutor):
    """Counts what it is given."""

    count = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.count += 1
        return super().submit(fn, *args, **kwargs)


def shown_by(play: Callable[[Presenter, Drawings], Coroutine[Any, Any, None]]) -> None:
    """A presenter over the real driver, in given time."""

    async def evening(oled: Oled) -> None:
        drawings = Drawings()
        executor: Executor = drawings
        loop = asyncio.get_running_loop()
        presenter = Presenter(oled, look("en"), lambda: round(loop.time() * US_PER_S), executor)
        presenter.open()
        await play(presenter, drawings)
        await presenter.close()

    with oled_rig() as rig, asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.run(evening(rig.oled))


def test_a_change_that_can_t_be_seen_is_not_drawn():
    async def play(presenter: Presenter, drawings: Drawings) -> None:
        evening = Evening()
        presenter.follow((), evening.session)
        await asyncio.sleep(BOOT_S + 0.1)
        drawn = drawings.count
        evening.see(TagCame(0, 1, "online#1")).wait(0.5).see(TagWent(evening.now_us, 1, "online#1"))
        presenter.follow((), evening.session)
        await asyncio.sleep(0.1)
        assert drawings.count == drawn + 1
        evening.see(ButtonEdge(evening.now_us, 1, pressed=True))
        presenter.follow((), evening.session)
        await asyncio.sleep(0.1)
        assert drawings.count == drawn + 1

    shown_by(play)


def test_after_its_end_it_asks_for_nothing():
    async def play(presenter: Presenter, drawings: Drawings) -> None:
        presenter.follow((), Evening().session)
        closing = asyncio.create_task(presenter.close())  # while it draws
        await closing
        drawn = drawings.count
        await asyncio.sleep(600)
        assert drawings.count == drawn

    shown_by(play)


@pytest.mark.parametrize("minutes", [10])
def test_when_nobody_plays_it_is_drawn_only_to_wander_and_dim(minutes: int):
    async def play(presenter: Presenter, drawings: Drawings) -> None:
        presenter.follow((), Evening().session)
        await asyncio.sleep(BOOT_S + 0.1)
        drawn = drawings.count
        await asyncio.sleep(60 * minutes)
        probes = 60 * minutes / 5
        assert drawings.count - drawn <= probes + minutes / 2 + 2

    shown_by(play)
