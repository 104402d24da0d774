"""Looks that can only be answered as the last one was aren't simulated: what is found, and when, is the same."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from choosing import long_params
from taptable.core.observations import DISCARD_PAD, CardTapped
from taptable.core.part_notices import PartBack, PartLost
from taptable.referee.session import Decision
from taptable.sim.field import Noise
from taptable.sim.loops import GivenTimeLoop, ScaledTimeLoop
from taptable.sim.reader_proxies import MAX_SKIP_S, ReaderProxy

from table.rig import GONE_S, GameNight, a_table, run_in_given_time, running_table

ACTS = 120
QUIET_S = 60.0
STRANGERS = [f"04{number:02x}b2c3d4e5f6" for number in range(5)]
LOOPS: list[Callable[[], GivenTimeLoop]] = [GivenTimeLoop, lambda: ScaledTimeLoop(math.inf)]


async def mischief(at: GameNight, random: Random) -> None:
    """At the readers of the Pi cards come and go at any moment, and everything goes wrong that can."""
    table, uids = at.table, [*at.tags.values(), *STRANGERS]

    async def lie(uid: str, longest_s: float) -> None:
        table.put(uid, pad)
        await asyncio.sleep(random.uniform(0.0, longest_s))
        table.lift(uid, pad)

    for _ in range(ACTS):
        await asyncio.sleep(random.choice([0.0, 0.01, 0.3, 1.0, 8.0]) * random.random())
        pad = random.choice(list(table.fields))
        field = table.fields[pad]
        chip = table.stand_in("spi").wiring.chips[field.name]
        match random.randrange(8):
            case 0:
                await asyncio.gather(*(lie(uid, 1.0) for uid in random.sample(uids, 2)))
            case 1:
                uid = random.choice(uids)
                for _ in range(4):
                    await lie(uid, 0.2)
                    await asyncio.sleep(random.uniform(0.0, 0.35))
            case 2:
                chip.is_present = False
                await asyncio.sleep(random.uniform(0.0, 2.0))
                chip.is_present = True
            case 3:
                chip.miso_stuck_at = random.choice([0x00, 0x92, 0xFF])
                await asyncio.sleep(random.uniform(0.0, 2.0))
                chip.miso_stuck_at = None
            case 4:
                table.deafen(pad)
                await asyncio.sleep(random.uniform(0.0, 2.0))
                table.deafen(pad, deaf=False)
            case 5:
                chip.reset()  # a dip in its supply
            case 6:
                field.disturbances.append(Noise(0.2, Random(random.random()).random))
                await lie(random.choice(uids), 1.0)
                field.disturbances.clear()
            case _:
                await lie(random.choice(uids), 1.0)
    await asyncio.sleep(3.0)


@pytest.mark.parametrize("build", long_params(["full", "compact"]))
def test_the_reports_and_their_times_are_as_if_every_look_were_simulated(
    build: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening(folder: Path) -> tuple[list[tuple[float, object]], int]:
        folder.mkdir()
        async with running_table(a_table(folder, 3, build=build)) as at:
            await mischief(at, Random(7))
            told = [(round(at_s, 6), event) for at_s, event in at.events]
            return told, sum(chip.transfers for chip in at.table.stand_in("spi").wiring.chips.values())

    told, transfers = run_in_given_time(lambda: evening(tmp_path / "passing"))
    monkeypatch.setattr(ReaderProxy, "state_below", lambda _: None)  # nothing is ever sure to be as it was
    all_told, all_transfers = run_in_given_time(lambda: evening(tmp_path / "all"))
    assert told == all_told
    assert {type(event) for _, event in told} >= {Decision, PartLost, PartBack}
    assert transfers < all_transfers / 2


@pytest.mark.parametrize("make_loop", LOOPS, ids=["given", "scaled"])
@pytest.mark.parametrize("build", ["full", "compact"])
def test_while_nothing_lies_anywhere_hardly_anything_is_simulated_and_a_card_is_found_as_soon_as_ever(
    make_loop: Callable[[], GivenTimeLoop], build: str, tmp_path: Path
) -> None:
    async def evening() -> None:
        async with running_table(a_table(tmp_path, build=build)) as at:
            chips = at.table.stand_in("spi").wiring.chips.values()
            await asyncio.sleep(GONE_S)
            before = sum(chip.transfers for chip in chips)
            await asyncio.sleep(QUIET_S)
            assert sum(chip.transfers for chip in chips) - before < 200  # the registers are compared
            put_s = at.loop.time()
            tapped = await at.tap("online#1", DISCARD_PAD)
            assert isinstance(tapped.observation, CardTapped)
            assert 0.0 <= at.loop_s(tapped.observation.at_us) - put_s < 0.06

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(evening())


def test_whoever_watches_the_readers_sees_that_they_get_on(tmp_path: Path) -> None:
    async def evening() -> None:
        async with running_table(a_table(tmp_path)) as at:
            rounds = at.daemon.devices.progress_counters["the readers"]
            for _ in range(10):
                before = rounds()
                await asyncio.sleep(MAX_SKIP_S + 0.1)
                assert rounds() != before

    run_in_given_time(evening)
