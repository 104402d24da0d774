"""The tests of the drivers' suite about pads and buttons: what they report, and when. `drivers` has the others. Must
not know which driver is tested."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from taptable.core.device_events import ButtonEdge, Clock, TagCame, TagWent
from taptable.core.settings import US_PER_S
from taptable.drivers.interface import Limit, PartRole
from taptable.sim.stand_in import NoSuchPart
from taptable.testing.bench import KNOWN, OTHER, PATIENCE_S, STRANGE, Bench, SuiteBase

EventT = TypeVar("EventT")

LATE_US = 1_300_000
"""Maximum time from when a tag was last there to the stamp of *it went*."""
CLOCKS_US = 5_000
"""Maximum common error of all stamps that a device makes by its own clock, beyond the uncertainty that they state."""
BOUNCES_US = 160_000
"""Maximum time for which a contact bounces. The stamp of a release is that of its last bounce."""


class InputSuite(SuiteBase):
    """The tests of pads and buttons."""

    # --- pads ---

    def test_a_tag_comes_once_and_goes_once(self, tmp_path: Path) -> None:
        """Reports each tag once when it comes and once when it goes, on each pad, known or not, with correct stamps:
        within their uncertainty, which only a reader has whose driver declares that it doesn't stamp."""

        async def test(bench: Bench) -> None:
            late_us = round(self.look_s * US_PER_S)
            await asyncio.sleep(5)
            for pad in bench.pads_of(PartRole.PAD):
                for uid in (KNOWN, STRANGE):
                    put_us = bench.now_us()
                    bench.table.put(uid, pad)
                    await bench.until_tags_are(pad, {uid}, self.look_s)
                    await asyncio.sleep(1)
                    lifted_us = bench.now_us()
                    bench.table.lift(uid, pad)
                    await bench.until_tags_are(pad, (), self.look_s + LATE_US / US_PER_S)
                    await asyncio.sleep(1)
                    came, went = only(bench.events_at(TagCame, pad, uid)), only(bench.events_at(TagWent, pad, uid))
                    most_us = came.uncertainty_us or late_us
                    assert -came.uncertainty_us - CLOCKS_US <= came.at_us - put_us <= most_us, (
                        f"Wrong stamp of a tag that was put there at {put_us} µs: {came}"
                    )
                    assert (came.uncertainty_us > 0) is (Limit.NO_TAP_STAMP in bench.reader_limits(pad)), (
                        f"The driver's limits don't say whether stamps of tags are uncertain: {came}"
                    )
                    last_us = lifted_us + late_us + LATE_US
                    assert lifted_us - CLOCKS_US <= went.at_us <= last_us, (
                        f"Wrong stamp of a tag that was lifted at {lifted_us} µs: {went}"
                    )
                    assert not came.already_present, (
                        f"The tag wasn't there before, and was reported as already present: {came}"
                    )

        self.on_bench(tmp_path, test)

    def test_a_tag_that_lay_there_before(self, tmp_path: Path) -> None:
        """Reports a tag that lay there before it was opened once; as already present, unless its device saw it come and
        has stored the event."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(PartRole.PAD):
                bench.table.put(KNOWN, pad)
            bench.opened.open()
            await asyncio.sleep(5)
            for pad in bench.pads_of(PartRole.PAD):
                came = only(bench.events_at(TagCame, pad))
                assert came.already_present or came.origin is not None, (
                    f"The tag was there before, and wasn't reported so: {came}"
                )

        self.on_bench(tmp_path, test, opened=False)

    def test_two_tags_on_one_pad(self, tmp_path: Path) -> None:
        """Reports both of two tags, and the going of each, unless the driver declares that it sees one."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(PartRole.PAD):
                if Limit.ONE_CARD in bench.reader_limits(pad):
                    continue
                for uid in (KNOWN, OTHER):
                    bench.table.put(uid, pad)
                await bench.until_tags_are(pad, {KNOWN, OTHER}, 3 * self.look_s)
                bench.table.lift(KNOWN, pad)
                await bench.until_tags_are(pad, {OTHER}, 3)
                bench.table.lift(OTHER, pad)
                await bench.until_tags_are(pad, (), 3)
                assert len(bench.events_at(TagCame, pad)) == len(bench.events_at(TagWent, pad)) == 2, bench.reports

        self.on_bench(tmp_path, test)

    def test_a_reader_goes_away_and_comes_back(self, tmp_path: Path) -> None:
        """Reports the failure and the return of a reader by its name; afterwards the tags that lie there are known,
        even if they changed meanwhile."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(PartRole.PAD):
                most = 1 if Limit.ONE_CARD in bench.reader_limits(pad) else 2
                for after in ({KNOWN}, {OTHER}, set[str](), {KNOWN, OTHER}):
                    bench.table.put(KNOWN, pad)
                    await bench.until_tags_are(pad, {KNOWN}, 3)
                    bench.table.deafen(pad)
                    await bench.until_heard(pad, False, PATIENCE_S)
                    for uid in {KNOWN} - after:
                        bench.table.lift(uid, pad)
                    for uid in after - {KNOWN}:
                        bench.table.put(uid, pad)
                    await asyncio.sleep(2)
                    bench.table.deafen(pad, False)
                    await bench.until_heard(pad, True, PATIENCE_S)
                    if len(after) <= most:
                        await bench.until_tags_are(pad, after, 3)
                    for uid in after:
                        bench.table.lift(uid, pad)
                    await bench.until_tags_are(pad, (), 3)

        self.on_bench(tmp_path, test)

    def test_what_is_found_late_has_an_early_stamp(self, tmp_path: Path) -> None:
        """Stamps a tag that is lifted while the computer is stalled no later than if the computer had run."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(PartRole.PAD):
                bench.table.put(KNOWN, pad)
                await bench.until_tags_are(pad, {KNOWN}, 3)
                lifted_us = bench.now_us()
                bench.table.lift(KNOWN, pad)
                bench.stall(5)
                await bench.until_tags_are(pad, (), 5)
                went = only(bench.events_at(TagWent, pad))
                assert went.at_us <= lifted_us + LATE_US + self.look_s * US_PER_S, (
                    f"Wrong stamp of a tag that was lifted at {lifted_us} µs: {went}"
                )

        self.on_bench(tmp_path, test)

    # --- buttons ---

    def test_a_press_and_its_release(self, tmp_path: Path) -> None:
        """Reports press and release once each, in their order, with stamps within their uncertainty; also where all
        buttons are pressed at a time."""

        async def test(bench: Bench) -> None:
            await asyncio.sleep(5)
            seats = bench.pads_of(PartRole.BUTTON)
            for hold_s in (0.12, 0.5, 3.0, 0.12):
                reported, pressed_us = len(bench.reports), bench.now_us()
                for seat in seats:
                    bench.table.press(seat, hold_s)
                await asyncio.sleep(hold_s + 1)
                edges = [event for _, event in bench.reports[reported:] if isinstance(event, ButtonEdge)]
                for seat in seats:
                    press, release = press_and_release([edge for edge in edges if edge.pad == seat])
                    clock_us = 0 if press.clock is Clock.TABLE else CLOCKS_US
                    off_us = abs(press.at_us - pressed_us)
                    assert off_us <= press.uncertainty_us + clock_us, f"Stamp of a press is off by {off_us} µs: {press}"
                    late_us = release.at_us - pressed_us - round(hold_s * US_PER_S)
                    most_us = release.uncertainty_us + clock_us + 1
                    assert -most_us <= late_us <= BOUNCES_US + most_us, (
                        f"Stamp of a release is off by {late_us} µs: {release}"
                    )
                for one, other in combinations([edge for edge in edges if edge.pressed], 2):
                    apart_us = abs(one.at_us - other.at_us)
                    assert apart_us <= one.uncertainty_us + other.uncertainty_us, (
                        f"Stamps of simultaneous presses differ by {apart_us} µs: {one}, {other}"
                    )

        self.on_bench(tmp_path, test)

    def test_a_button_that_is_down_already(self, tmp_path: Path) -> None:
        """Reports no press of a button that was held down when it was opened, and the next press after its release."""

        async def test(bench: Bench) -> None:
            seats = bench.pads_of(PartRole.BUTTON)
            with suppress(NoSuchPart):  # not every kind can be held down while nobody listens
                for seat in seats:
                    bench.table.button_stand_in(seat).stick(seat)
                await asyncio.sleep(1)
                bench.opened.open()
                await asyncio.sleep(5)
                for seat in seats:
                    bench.table.button_stand_in(seat).unstick(seat)
                await asyncio.sleep(1)
                early = [edge for seat in seats for edge in bench.events_at(ButtonEdge, seat)]
                assert not early, f"A press was reported of a button that was down before it was opened: {early}"
                for seat in seats:
                    bench.table.press(seat)
                await asyncio.sleep(1)
                for seat in seats:
                    press_and_release(bench.events_at(ButtonEdge, seat))

        self.on_bench(tmp_path, test, opened=False)


def only(events: Sequence[EventT]) -> EventT:
    """Return the event that has to be reported exactly once."""
    assert len(events) == 1, f"Expected exactly one event: {events}"
    return events[0]


def press_and_release(edges: Sequence[ButtonEdge]) -> tuple[ButtonEdge, ButtonEdge]:
    """Return the edges of a button that was pressed once."""
    assert [edge.pressed for edge in edges] == [True, False], f"Expected one press and one release: {edges}"
    return edges[0], edges[1]
