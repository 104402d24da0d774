"""One driver on a bench, for the suite in `drivers` and `inputs`: its parts at a simulated table in given time, opened
as the daemon opens them, and all their reports, which are judged at the end. Must not know which driver it is, nor what
is tested."""

from __future__ import annotations

import asyncio
import gc
import re
import traceback
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from taptable.config import Config, load_config
from taptable.core.device_events import (
    BOARD_PART_KINDS,
    ButtonEdge,
    Clock,
    DeviceEvent,
    PartFailed,
    PartReturned,
    Receipt,
    TagCame,
    TagUnreadable,
    TagWent,
    is_pad_readable,
    part_name,
)
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.game_options import check_game
from taptable.drivers.interface import DeviceContext, Driver, Limit, OpenedParts, Part, PartRole
from taptable.drivers.registry import Drivers, installed_drivers
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.setting_up import PART_ADDRESSES
from taptable.sim.table import MakeStandIn, SimulatedTable

KNOWN, OTHER, STRANGE = "04a2b3c4d5e680", "04b2b3c4d5e681", "5a0102f3"
"""Two tags of the table's deck, and one that is in no deck."""
DECK: Mapping[str, str] = {KNOWN: "suite#1", OTHER: "suite#2"}

PATIENCE_S = 30.0
"""Time within which a part that is present again has to be reported back."""

_UID = re.compile(r"(?:[0-9a-f]{2}){4,10}")
_STEP_S = 0.01
"""The time between two checks of an awaited condition."""

EventT = TypeVar("EventT", bound=DeviceEvent)


def run_in_given_time(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run it on a loop of given time, and raise the exceptions of tasks and callbacks there."""
    failures: list[str] = []

    def record_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        failures.append(context["message"] + "".join(traceback.format_exception(error) if error else []))

    async def run_and_collect() -> None:
        await main()
        gc.collect()  # a task that failed reports it when it is collected

    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.get_loop().set_exception_handler(record_error)
        runner.run(run_and_collect())
    assert not failures, "\n".join(failures)


class Bench:
    """The parts of one driver, and `reports`: each event with the time at which it was reported."""

    def __init__(self, table: SimulatedTable, drivers: Drivers, kind: str) -> None:
        self.loop = asyncio.get_running_loop()
        self.table = table
        self.drivers = drivers
        self.driver: Driver = drivers[kind]
        self.parts: Sequence[Part] = [part for part in table.config.parts if part.address.kind == kind]
        self.reports: list[tuple[int, DeviceEvent]] = []
        context = DeviceContext(
            loop=self.loop,
            report=self.report,
            now_us=self.now_us,
            identify=DECK.get,
            executor=drivers.executor,
            parts=table.config.parts,
        )
        has_display = any(part.role is PartRole.DISPLAY for part in self.parts)
        self.opened = OpenedParts() if has_display else self.driver.open(context, self.parts)

    def now_us(self) -> int:
        """Return the table's time."""
        return round(self.loop.time() * US_PER_S)

    def report(self, event: DeviceEvent) -> Receipt:
        """Take a report of a part; reports are judged at the end."""
        self.reports.append((self.now_us(), event))
        return Receipt.COMMITTED

    def stall(self, seconds: float) -> None:
        """Let time pass while nothing runs, as if something blocked the loop."""
        assert isinstance(self.loop, GivenTimeLoop)
        self.loop.stall(seconds)

    def with_role(self, *roles: PartRole) -> list[Part]:
        """Return the parts of some roles."""
        return [part for part in self.parts if part.role in roles]

    def pads_of(self, *roles: PartRole) -> list[Any]:
        """Return the pads or seats at which there are parts of some roles."""
        return [part.pad for part in self.with_role(*roles)]

    def reader_limits(self, pad: Pad) -> Collection[Limit]:
        """Return the limits that the driver declares for the reader of a pad."""
        return self.driver.limits_of(next(part for part in self.with_role(PartRole.PAD) if part.pad == pad))

    async def close(self) -> None:
        """Close the parts."""
        closing = self.opened.close()
        if closing is not None:
            await closing

    def events_at(self, kind: type[EventT], pad: Pad, uid: str | None = None) -> list[EventT]:
        """Return the events of a kind at a pad until now, or those about one tag."""
        events = [event for _, event in self.reports if isinstance(event, kind) and getattr(event, "pad", None) == pad]
        return [event for event in events if uid is None or getattr(event, "uid", None) == uid]

    @property
    def failed(self) -> set[str]:
        """The parts that don't answer now, by their names."""
        failed: set[str] = set()
        for _, event in self.reports:
            if isinstance(event, PartFailed):
                failed.add(event.part)
            elif isinstance(event, PartReturned):
                failed.discard(event.part)
        return failed

    def is_missing(self, part: Part) -> bool:
        """Return whether a part, or the board that it is on, was reported missing."""
        on_board = [] if part.pad is None else [part_name(kind, part.pad) for kind in BOARD_PART_KINDS]
        return not self.failed.isdisjoint([part.name, *on_board])

    def reported_tags(self, pad: Pad) -> set[str]:
        """Return the tags that came to a pad and haven't gone, by the reports."""
        tags: set[str] = set()
        for _, event in self.reports:
            if isinstance(event, TagCame) and event.pad == pad:
                tags.add(event.uid)
            elif isinstance(event, TagWent) and event.pad == pad:
                tags.discard(event.uid)
        return tags

    async def until(self, description: str, condition: Callable[[], bool], within_s: float) -> None:
        """Wait until the condition holds; AssertionError if that takes longer."""
        ends_s = self.loop.time() + within_s
        while not condition():
            assert self.loop.time() < ends_s, (
                f"Timeout after {within_s} s, waiting for {description}; reported: {self.reports}"
            )
            await asyncio.sleep(_STEP_S)

    async def until_tags_are(self, pad: Pad, tags: Collection[str], within_s: float) -> None:
        """Wait until exactly these tags are reported on a pad."""
        await self.until(f"{sorted(tags)} on {pad}", lambda: self.reported_tags(pad) == set(tags), within_s)

    async def until_heard(self, pad: Pad, readable: bool, within_s: float) -> None:
        """Wait until the reader of a pad is reported back, or failed."""
        description = f"the reader of {pad} {'returned' if readable else 'failed'}"
        await self.until(description, lambda: is_pad_readable(pad, self.failed) is readable, within_s)

    def judge(self) -> None:
        """Raise AssertionError for every report that can't be true."""
        faults = [f"{event}, reported at {now_us}: {fault}" for now_us, event, fault in self._find_faults()]
        assert not faults, "\n".join(faults)

    def _find_faults(self) -> Iterator[tuple[int, DeviceEvent, str]]:
        failed: set[str] = set()
        tags_by_pad: dict[Pad, set[str]] = defaultdict(set)
        edges: dict[Pad, list[ButtonEdge]] = defaultdict(list)
        pads, buttons = self.pads_of(PartRole.PAD), self.pads_of(PartRole.BUTTON, PartRole.PAD)
        for now_us, event in self.reports:
            faults = [] if event.at_us <= now_us else ["its stamp is in the future"]
            match event:
                case PartFailed(part=part, reason=reason):
                    faults += ["the part had failed already"] * (part in failed) + ["its reason is empty"] * (
                        not reason
                    )
                    failed.add(part)
                case PartReturned(part=part):
                    faults += ["the part hadn't failed"] * (part not in failed)
                    failed.discard(part)
                case TagCame(pad=pad, uid=uid) | TagWent(pad=pad, uid=uid):
                    came = isinstance(event, TagCame)
                    faults += ["the driver has no such pad"] * (pad not in pads)
                    faults += ["its UID is no tag's number in lower-case hex"] * (not _UID.fullmatch(uid))
                    faults += ["the tag was reported there already"] * (came and uid in tags_by_pad[pad])
                    faults += ["the tag wasn't reported there"] * (not came and uid not in tags_by_pad[pad])
                    # a device that numbers its events may report its reader's state after them
                    away = came and event.origin is None and not is_pad_readable(pad, failed)
                    faults += ["the reader was reported lost, and can't read a tag"] * away
                    (tags_by_pad[pad].add if came else tags_by_pad[pad].discard)(uid)
                    faults += _clock_faults(event)
                    if isinstance(event, TagCame) and event.identity != DECK.get(uid):
                        faults.append(f"its identity isn't the table's, {DECK.get(uid)}")
                case ButtonEdge(pad=pad):
                    faults += ["the driver has no such button"] * (pad not in buttons) + _clock_faults(event)
                    edges[pad].append(event)
                case TagUnreadable(pad=pad):
                    faults += ["the driver has no such pad"] * (pad not in pads)
            for each in faults:
                yield now_us, event, each
        for edge, before in [pair for each in edges.values() for pair in _with_predecessors(each)]:
            if edge.pressed is (before is not None and before.pressed):
                yield edge.at_us, edge, "the button was reported in this state already"
            if before is not None and edge.at_us < before.at_us:
                yield edge.at_us, edge, f"its stamp is before that of {before}"


def _clock_faults(event: TagCame | TagWent | ButtonEdge) -> list[str]:
    """Return the faults of an event's clock."""
    return ["an event with an origin has a stamp of its device, not of the table"] * (
        event.origin is not None and event.clock is Clock.TABLE
    )


def _with_predecessors(edges: Sequence[ButtonEdge]) -> Iterator[tuple[ButtonEdge, ButtonEdge | None]]:
    for before, edge in pairwise([None, *edges]):
        assert edge is not None
        yield edge, before


@asynccontextmanager
async def powered_bench(
    config: Config, kind: str, stand_ins: Mapping[str, MakeStandIn], *, opened: bool = True
) -> AsyncGenerator[Bench]:
    """Run a bench with power for the parts of a kind, opened, and judge their reports at the end."""
    table = SimulatedTable(config, stand_ins=stand_ins)
    with table.powered() as drivers:
        bench = Bench(table, drivers, kind)
        if opened:
            bench.opened.open()
        yield bench
        await bench.close()
    bench.judge()


def table_toml(
    pads: Sequence[str] = (),
    buttons: Sequence[str] = (),
    lamps: Sequence[str] = (),
    discard: str = "",
    more: str = "",
) -> str:
    """Return the ``table.toml`` of two seats with these parts, and `more` after them. Parts that aren't given are of
    some other kind."""
    usual = PART_ADDRESSES["full"]
    lines = ["[table]", 'deck = "suite"']
    for seat in range(2):
        pad = pads[seat] if pads else usual["pads"][seat]
        button = buttons[seat] if buttons else usual["buttons"][seat]
        lines += ["[[seats]]", f'pad = "{pad}"', f'button = "{button}"']
        lines += [f'lamp = "{lamps[seat]}"'] if lamps else []
    return "\n".join([*lines, "[discard]", f'pad = "{discard or usual["pads"][-1]}"', more, ""])


class SuiteBase:
    """Base of the tests of one kind of driver. Times are those of the given loop; nothing waits in real time.

    `refused` are names that are no addresses of the kind. `look_s` is the time within which a tag that is put on a pad
    is reported. `stand_ins` replace those of the drivers' folders."""

    kind: ClassVar[str]
    text: ClassVar[str]
    refused: ClassVar[Sequence[str]] = ()
    look_s: ClassVar[float] = 0.3
    stand_ins: ClassVar[Mapping[str, MakeStandIn]] = {}

    def table(self, folder: Path) -> str:
        """Return the ``table.toml`` of a table with parts of the kind: at least two pads, or two buttons, if it has
        such. Returns `text`; override it if that depends on a folder of the test's own."""
        del folder
        return self.text

    @property
    def drivers(self) -> Drivers:
        """The installed drivers, with the one that is tested."""
        return installed_drivers()

    def config_in(self, folder: Path) -> Config:
        """Return the configuration of the table, as read from a file in this folder."""
        file = folder / "table.toml"
        file.write_text(self.table(folder), encoding="utf-8")
        return load_config(file, check_game)

    def on_bench(
        self, folder: Path, test: Callable[[Bench], Coroutine[Any, Any, None]], *, opened: bool = True
    ) -> None:
        """Run a test with the parts of the kind on a bench, opened unless it opens them itself."""
        config = self.config_in(folder)

        async def run() -> None:
            async with powered_bench(config, self.kind, self.stand_ins, opened=opened) as bench:
                await test(bench)

        run_in_given_time(run)
