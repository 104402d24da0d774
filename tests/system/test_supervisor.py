"""The messages to a supervisor and their frequency, on a real socket and in given time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from table.rig import GameNight, a_table, running_table
from taptable.daemon.supervision import RETRY_S, Report, Supervisor, Watch, find_supervisor
from taptable.words import Words

from system.systemd import NotifySocket, notify_socket

PERIOD_US = 30_000_000


@pytest.fixture
def told(tmp_path: Path) -> Iterator[NotifySocket]:
    with notify_socket(str(tmp_path / "notify")) as listening:
        yield listening


@pytest.mark.parametrize("address", ["{folder}/notify", "@taptable-{folder}"])
def test_all_of_it_arrives_at_a_path_and_at_an_abstract_name(tmp_path: Path, address: str) -> None:
    with notify_socket(address.format(folder=tmp_path)) as told:
        supervisor = find_supervisor({"NOTIFY_SOCKET": told.address})
        assert supervisor.is_present
        assert supervisor.ready()
        supervisor.status("Seat 3\nplays")
        supervisor.status("Seat 3 plays")
        assert supervisor.pet_watchdog()
        assert supervisor.stopping()
        assert told.waiting() == ["READY=1", "STATUS=Seat 3 plays", "WATCHDOG=1", "STOPPING=1"]


def test_outside_systemd_nothing_is_sent_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    supervisor = find_supervisor({})
    assert not supervisor.is_present
    assert (supervisor.watchdog_us, supervisor.requests) == (None, None)
    assert not supervisor.ready()
    supervisor.status("Seat 3 plays")
    assert caplog.records == []


@pytest.mark.parametrize(
    ("environment", "watchdog_us"),
    [
        ({"WATCHDOG_USEC": "30000000"}, PERIOD_US),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "4711"}, PERIOD_US),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "4712"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_the_one_of_this_process(environment: dict[str, str], watchdog_us: int | None) -> None:
    assert find_supervisor(environment, 4711).watchdog_us == watchdog_us


def test_requests_go_to_the_first_folder(tmp_path: Path) -> None:
    assert find_supervisor({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/other"}).requests == tmp_path


def test_one_that_does_not_listen_is_complained_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    supervisor = Supervisor(str(tmp_path / "notify"))
    assert not supervisor.ready()
    assert not supervisor.pet_watchdog()
    (said,) = caplog.messages
    assert said.startswith("sd_notify failed")
    with notify_socket(str(tmp_path / "notify")) as told:
        assert supervisor.pet_watchdog()
        assert told.waiting() == ["WATCHDOG=1"]


def test_one_that_is_too_busy_to_listen_holds_nobody_up(told: NotifySocket) -> None:
    supervisor = Supervisor(told.address)
    assert fed_until_full(supervisor) > 0
    assert not supervisor.status("Seat 3 plays")


def test_a_busy_supervisor_too_learns_that_the_table_is_ready(told: NotifySocket) -> None:
    supervisor = Supervisor(told.address)
    fed = fed_until_full(supervisor)
    with ThreadPoolExecutor(1) as thread:
        heard = thread.submit(told.hear_until, "READY=1")
        assert supervisor.ready()
        assert heard.result().count("WATCHDOG=1") == fed


def fed_until_full(supervisor: Supervisor) -> int:
    """How often it could be fed until it had no room for more."""
    for times in range(100_000):
        if not supervisor.pet_watchdog():
            return times
    pytest.fail("there is no end of what it takes in")


async def test_the_state_of_the_table_is_sent_in_one_line_however_much_happens_at_once(
    tmp_path: Path, told: NotifySocket
) -> None:
    report = Report(Supervisor(told.address), Words("en"))

    async def unplug_and_follow(at: GameNight) -> None:
        at.table.let_go()
        at.subscribers.append(report.on_update)

    async with running_table(a_table(tmp_path), before=unplug_and_follow) as at:
        await asyncio.sleep(10)
        at.table.take_up()
        await asyncio.sleep(20)
    report.close()
    first, *_, last = told.waiting()
    assert first == (
        "STATUS=Seat 1 is on turn · Missing: button 1, button 2, lamp 1, lamp 2, sounder, seat board 1, seat board 2, "
        "display, discard pad"
    )
    assert last == "STATUS=Seat 1 is on turn"


async def test_a_line_that_could_not_be_sent_is_sent_later(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    report = Report(Supervisor(address), Words("en"))

    async def follow(at: GameNight) -> None:
        at.subscribers.append(report.on_update)

    async with running_table(a_table(tmp_path), before=follow):
        await asyncio.sleep(1)
        with notify_socket(address) as told:
            await asyncio.sleep(RETRY_S)
            assert told.waiting() == ["STATUS=Seat 1 is on turn"]
    report.close()


async def test_the_watchdog_is_fed_twice_in_its_period(told: NotifySocket) -> None:
    rounds = iter(range(1000))
    watching = Watch(Supervisor(told.address, PERIOD_US), {"wheel": lambda: next(rounds), "rest": lambda: None})
    watching.start()
    await asyncio.sleep(60.1)
    watching.stop()
    await asyncio.sleep(60)
    assert told.waiting() == ["WATCHDOG=1"] * 4


async def test_one_that_went_on_after_all_is_fed_for_again(
    told: NotifySocket, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    wheel = 0
    watching = Watch(Supervisor(told.address, PERIOD_US), {"the wheel": lambda: wheel})
    watching.start()
    await asyncio.sleep(29)
    assert told.waiting() == ["WATCHDOG=1"]
    await asyncio.sleep(60)
    assert told.waiting() == []
    wheel += 1
    await asyncio.sleep(4)
    assert told.waiting() == ["WATCHDOG=1"]
    watching.stop()
    assert caplog.messages == [
        "No progress, the supervisor restarts the table if it lasts: the wheel",
        "Progress resumed: all parts",
    ]


async def test_a_feeding_that_was_not_heard_is_repeated_soon(tmp_path: Path) -> None:
    watching = Watch(Supervisor(str(tmp_path / "notify"), PERIOD_US), {})
    watching.start()
    await asyncio.sleep(16)
    with notify_socket(str(tmp_path / "notify")) as told:
        await asyncio.sleep(4)
        assert told.waiting() == ["WATCHDOG=1"]
    watching.stop()


@pytest.mark.parametrize("compact", [True, False, None])
async def test_a_table_on_which_nothing_answers_and_one_at_which_nobody_plays_get_on(
    tmp_path: Path, told: NotifySocket, compact: bool | None
) -> None:
    async def unplug(at: GameNight) -> None:
        if compact is not None:
            at.table.let_go()

    async with running_table(a_table(tmp_path, build="compact" if compact else "full"), before=unplug) as at:
        watching = Watch(Supervisor(told.address, PERIOD_US), at.daemon.devices.progress_counters)
        watching.start()
        await asyncio.sleep(120.1)
        watching.stop()
    assert told.waiting() == ["WATCHDOG=1"] * 8
