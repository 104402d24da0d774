"""One evening from its seed: set-up, members' cards, one game or several with all faults, and at the end of each the
differences from the truth."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from table.hal import watched
from table.on_controllers import ENCODER, buzz_set, with_buttons_on_controllers
from table.rig import mixed, with_buttons_on_boards, with_i2c, without_pins
from taptable.config import Config
from taptable.daemon import recovery
from taptable.memory.members import MemberStore, members_file_of
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.setting_up import BUILDS, FULL_BUILD, set_up

from soak.comparing import at_the_seats, differences, differences_of_evening
from soak.disk import Disk
from soak.faults import KINDS
from soak.night import Night
from soak.plan import ALL_ON_BOARDS, BUTTONS_ON_BOARDS, MIXED, ON_CONTROLLERS, READERS_ON_I2C, Plan, plan
from soak.quick import SoakedTable

LONGEST_S = 1_500.0
"""Seconds after which a game is ended as it stands."""
STUCK_S = 400.0
"""Seconds within which something must count at a table without faults."""
WITHOUT_END_S = 8_000.0
"""Seconds after which an evening is going round in circles."""
SETTLED_S = 16.0
"""Seconds after a game's end within which somebody may still take its last move back."""
HEALED_S = 12.0137
"""Seconds after the last fault by which everything has been reported, and every part is back; in step with nothing that
changes by time alone."""
LOOK_EVERY_S = 1.0037
GLANCE_EVERY_S = 7.77
"""Between two glances at display and lights; not in step with anything that changes by time."""


@dataclass(frozen=True)
class Outcome:
    """The result of an evening: faults that struck and the table's own alarms, by kind; errors that nobody was told
    about; and its length."""

    seed: int
    game: str
    build: str
    chips: bool
    games: int
    faults: Mapping[str, int] = field(default_factory=dict[str, int])
    loud: Mapping[str, int] = field(default_factory=dict[str, int])
    wrong: tuple[str, ...] = ()
    table_s: float = 0.0
    cpu_s: float = 0.0


def evening(
    seed: int, *, only: Collection[int] | None = None, chips: bool | None = None, folder: Path | None = None
) -> Outcome:
    """Play the evening of this seed; with `only` some of its faults, by their numbers, and with or without the readers'
    `chips`, instead of as the seed says. The evening leaves its files in `folder`; without one they are deleted."""
    drawn = plan(seed, KINDS)
    if only is not None:
        drawn = replace(drawn, faults=tuple(fault for fault in drawn.faults if fault.number in only))
    if chips is not None:
        drawn = replace(drawn, chips=chips)
    return play_plan(drawn, folder)


def play_plan(drawn: Plan, folder: Path | None = None) -> Outcome:
    """Play an evening as planned, and return its result."""
    logging.disable(logging.CRITICAL)
    try:
        with a_folder(folder) as there:
            return _live(drawn, there)
    finally:
        logging.disable(logging.NOTSET)


def _live(drawn: Plan, folder: Path) -> Outcome:
    began_s = time.process_time()
    config = configured(drawn, folder)
    disk = Disk(config.table.journal)
    nights: list[Night] = []

    async def live() -> None:
        table = below.table(config, drawn.seed, partial(SoakedTable, chips=drawn.chips))
        with table.powered() as drivers:
            night = Night(drawn, config, table, below.drivers(drivers), disk)
            nights.append(night)
            await whole_evening(night)

    with (
        watched(lambda passed: nights[0].watch(passed) if nights else None) as below,
        disk.installed(),
        patch.object(recovery, "datetime", Calendar(lambda: nights[0].calendar_s if nights else 0)),
        asyncio.Runner(loop_factory=GivenTimeLoop) as runner,
    ):
        runner.run(live())
    (night,) = nights
    return Outcome(
        seed=drawn.seed,
        game=drawn.game,
        build=drawn.build,
        chips=drawn.chips,
        games=night.account.game,
        faults=dict(night.applied),
        loud=dict(night.loud),
        wrong=tuple(night.wrong),
        table_s=round(night.loop.time(), 1),
        cpu_s=round(time.process_time() - began_s, 2),
    )


class Calendar:
    """A stand-in for `datetime`: the present time with an offset."""

    def __init__(self, more_s: Callable[[], float]) -> None:
        self._more_s = more_s

    def now(self, zone: tzinfo) -> datetime:
        """The time on the calendar."""
        return datetime.now(zone) + timedelta(seconds=self._more_s())


def configured(drawn: Plan, folder: Path) -> Config:
    """The table of an evening, and the members who have cards there."""
    build = drawn.build if drawn.build in BUILDS else FULL_BUILD
    config = set_up(
        folder, drawn.game, drawn.game_options, drawn.language, build=build, seats=drawn.seats, seed=drawn.seed
    )
    config = REBUILT[drawn.build](config) if drawn.build in REBUILT else config
    members = MemberStore(members_file_of(config.table.journal))
    for seat in drawn.members:
        member = members.add(f"Member {seat}", "#8ec1ff", "name")
        members.change(member.id, tags=(tag_of_member(seat),))
    return config


REBUILT: Mapping[str, Callable[[Config], Config]] = {
    BUTTONS_ON_BOARDS: with_buttons_on_boards,
    ALL_ON_BOARDS: without_pins,
    READERS_ON_I2C: with_i2c,
    ON_CONTROLLERS: lambda config: with_buttons_on_controllers(config, [*buzz_set("1-1.3")[:2], *ENCODER]),
    MIXED: mixed,
}
"""How the builds that nobody sells are made of the full one."""


def tag_of_member(seat: int) -> str:
    return f"04adadadadad{seat:02x}"


async def whole_evening(night: Night) -> None:
    """From the first start to the end, with all that is found to differ."""
    try:
        async with asyncio.timeout(WITHOUT_END_S):
            await _play(night)
    except TimeoutError:
        night.wrong.append(f"no end within {WITHOUT_END_S:.0f} s: {night.room.session.prompts}")


async def _play(night: Night) -> None:
    await night.begin()
    await asyncio.sleep(2.0)
    try:
        await sit(night)
        going_wrong = asyncio.create_task(night.go_wrong(night.plan.faults))
        night.people.start_players()
        for number in range(night.plan.games):
            if number:
                await next_game(night)
            while not night.wrong:
                await play_to_the_end(night)
                night.resume.clear()
                await come_to_rest(night)
                if night.people.game_over.is_set():
                    break  # else its end was taken back, and it is played to its end without more faults
            night.wrong += differences(night)
            night.resume.set()
            if night.wrong:
                break
        going_wrong.cancel()
        await night.calm_down()
        await night.people.stop_players()
        await asyncio.sleep(HEALED_S)
        if not night.wrong:
            night.wrong += differences_of_evening(night)
    finally:
        await night.people.stop_players()
        night.clients.leave()
        await night.room.stop()


async def sit(night: Night) -> None:
    """Members tap their cards at their seats."""
    for seat in night.plan.members:
        night.table.put(tag_of_member(seat), seat)
        await asyncio.sleep(0.4)
        night.table.lift(tag_of_member(seat), seat)
        await asyncio.sleep(0.5)
    known = {member.tags[0]: member.id for member in night.room.daemon.members.all}
    seats = range(1, night.players + 1)
    night.seated = tuple(known[tag_of_member(seat)] if seat in night.plan.members else "" for seat in seats)


async def next_game(night: Night) -> None:
    """Begin another game, with the same agreements or with others from the page."""
    if night.plan.seed % 2 and night.page_there:
        rules = dict(night.plan.game_options.settings)
        wanted: dict[str, Any] = {"players": night.players, "settings": rules, "game": night.plan.game}
        if night.plan.game == "online":
            wanted["edition"] = night.plan.game_options.edition
        if await night.ask("set-up", **wanted):
            return
    await night.people.use_control(1, "new-game")


async def play_to_the_end(night: Night) -> None:
    """Play until a game is over and stays so, or is ended as it stands."""
    began_s = night.progress_s = glanced_s = night.loop.time()
    ended_s = None
    while ended_s is None or night.loop.time() - ended_s < SETTLED_S:
        await asyncio.sleep(LOOK_EVERY_S)
        now_s = night.loop.time()
        if now_s > glanced_s + GLANCE_EVERY_S and night.is_calm:
            glanced_s = now_s
            night.wrong += at_the_seats(night)
            if night.wrong:
                return
        over = night.people.game_over.is_set() and not night.dead
        ended_s = (ended_s or now_s) if over else None
        if not over and now_s - began_s > LONGEST_S:
            await night.wait_for_daemon()
            await night.ask("resume")
            await night.ask("end-game")
            began_s = now_s - LONGEST_S + 100
            night.loud["ended as it stands"] += 1
        elif not over and now_s - night.progress_s > STUCK_S:
            night.wrong.append(f"nothing has counted for {STUCK_S:.0f} s: {night.room.session.prompts}")
            return


async def come_to_rest(night: Night) -> None:
    """Wait until all parts are right, nobody is asked for anything, and no passing message is shown."""
    await night.calm_down()
    await night.wait_for_daemon()
    await night.people.wait_for_verdicts()
    await asyncio.sleep(HEALED_S)
    while not night.passed:
        await asyncio.sleep(LOOK_EVERY_S)


@contextmanager
def a_folder(folder: Path | None) -> Iterator[Path]:
    """The folder of an evening: this one, or one in memory if there is any, that is gone afterwards."""
    if folder is not None:
        yield folder
        return
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="soak-", dir=memory if memory.is_dir() else None) as made:
        yield Path(made)
