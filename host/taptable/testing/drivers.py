"""The suite that every driver must pass, ours and those of other packages, over its stand-in and in given time. A test
module has a subclass of `DriverSuite` for each kind; pytest finds its tests. The package needs to be installed, since
the table finds drivers by their entry points."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

from PIL import Image
from tapshared.lights import RING_PATTERNS

from taptable.config import Config, load_config
from taptable.core.cues import Lamp, SeatLights, Sound
from taptable.core.device_events import ButtonEdge, Clock, PartFailed, PartReturned, TagCame, TagWent
from taptable.core.settings import US_PER_S
from taptable.daemon.game_options import check_game
from taptable.doctor.computer import Computer
from taptable.doctor.drivers import DriverDoctor
from taptable.doctor.findings import Finding
from taptable.doctor.site import Site
from taptable.drivers.interface import Driver, Limit, Role
from taptable.drivers.registry import Drivers, installed, module_of
from taptable.schema.keys import Setting
from taptable.schema.problems import Unfit
from taptable.sim.setting_up import PLACES
from taptable.sim.stand_in import NoSuchPart
from taptable.sim.table import MakeStandIn
from taptable.testing.bench import KNOWN, OTHER, STRANGE, Bench, in_given_time, on_bench

LATE_US = 1_300_000
"""At most so long after a tag was last there is the stamp of *it went*."""
CLOCKS_US = 5_000
"""How far all stamps may be off together that a device makes by its own clock, beside what they say of themselves."""
BOUNCES_US = 160_000
"""So long a contact bounces at worst. The stamp of a release is that of its last bounce."""
PATIENCE_S = 30.0
"""Within so long a part that is there again has to be taken back."""
NOWHERE: Sequence[Any] = (99, "nowhere")
"""A seat and a pad that no table has."""


def table_toml(
    pads: Sequence[str] = (),
    buttons: Sequence[str] = (),
    lamps: Sequence[str] = (),
    discard: str = "",
    more: str = "",
) -> str:
    """Return the ``table.toml`` of two seats with these parts, and `more` after them. What isn't given is some other
    kind's."""
    usual = PLACES["full"]
    lines = ["[table]", 'deck = "suite"']
    for seat in range(2):
        pad = pads[seat] if pads else usual["pads"][seat]
        button = buttons[seat] if buttons else usual["buttons"][seat]
        lines += ["[[seats]]", f'pad = "{pad}"', f'button = "{button}"']
        lines += [f'lamp = "{lamps[seat]}"'] if lamps else []
    return "\n".join([*lines, "[discard]", f'pad = "{discard or usual["pads"][-1]}"', more, ""])


class DriverSuite:
    """The tests of one kind of driver. Times are those of the given loop; nothing waits outside.

    `refused` are names that are no addresses of the kind. `look_s` is within which time a tag that is put on a pad is
    reported. `stand_ins` are used in place of those of the drivers' folders.
    """

    kind: ClassVar[str]
    refused: ClassVar[Sequence[str]] = ()
    look_s: ClassVar[float] = 0.3
    stand_ins: ClassVar[Mapping[str, MakeStandIn]] = {}

    def table(self, folder: Path) -> str:
        """Return the ``table.toml`` of a table with parts of the kind, the files of which may lie in `folder`: two pads
        at least, or two buttons, where it has such. `table_toml` makes one."""
        raise NotImplementedError

    @property
    def drivers(self) -> Drivers:
        """The drivers that are installed, the one that is tested among them."""
        return installed()

    # --- addresses and keys ---

    def test_addresses(self, tmp_path: Path) -> None:
        """Its examples and the table's addresses are taken and spelled as they were read; garbage is refused."""
        driver, config = self.drivers[self.kind], self._config(tmp_path)
        texts = [*driver.examples.values(), *(str(part.address) for part in config.parts_of(driver))]
        assert texts, "there is no example of an address, nor a part of the kind at the table"
        for text in texts:
            address = self.drivers.read(text)
            assert address is not None, f"{text} is refused"
            assert str(address) == text, f"{text} is read as {address}"
            for garbage in (address.name + "\n", address.name + "\0", "\N{SNOWMAN}", *self.refused):
                assert self.drivers.read(f"{self.kind}:{garbage}") is None, f"{garbage!r} is taken"
            for role in set(Role) - driver.roles:
                assert self.drivers.read(text, role) is None, f"{text} is taken for a {role.value}"

    def test_places(self, tmp_path: Path) -> None:
        """What a part occupies are addresses, and what is free is none of those that are taken."""
        driver, config = self.drivers[self.kind], self._config(tmp_path)
        taken = {place.address for part in config.parts_of(driver) for place in driver.occupied(part)}
        assert all(self.drivers.read(str(address)) == address for address in taken)
        free = driver.free(taken)
        if isinstance(free, str):
            assert free, "the sentence about what is free is empty"
        else:
            assert taken.isdisjoint(free), f"{taken.intersection(free)} are taken"
            assert all(driver.takes(address.name) for address in free if address.kind == self.kind)

    def test_keys(self, tmp_path: Path) -> None:
        """A pad for which nothing else is said has the default of each key, and a default is a value that is right."""
        driver, config = self.drivers[self.kind], self._config(tmp_path)
        settings = {name: key for name, key in driver.pad_keys.items() if isinstance(key, Setting)}
        for name, key in settings.items():
            assert key.default is None or key.check(key.default) == key.default, f"the default of {name} is refused"
            with suppress(Unfit):
                key.check(object())
                raise AssertionError(f"{name} takes anything")
        for part in config.parts_of(driver):
            if part.role is Role.PAD:
                assert set(part.options) == set(driver.pad_keys)
                assert all(part.options[name] == key.default for name, key in settings.items())

    def test_limits(self, tmp_path: Path) -> None:
        """It declares limits only of parts that it has, and says what it takes where somebody has to choose."""
        driver, config = self.drivers[self.kind], self._config(tmp_path)
        assert all(limit.role in driver.roles for limit in driver.limits)
        assert config.parts_of(driver), "the table has no part of the kind"
        if driver.roles != {Role.DISPLAY}:
            assert driver.accepts
            assert driver.short
            assert driver.where

    # --- pads ---

    def test_a_tag_comes_once_and_goes_once(self, tmp_path: Path) -> None:
        """On each pad, whether the table knows the tag or not, with stamps that are right."""

        async def test(bench: Bench) -> None:
            late_us = round(self.look_s * US_PER_S)
            await asyncio.sleep(5)
            for pad in bench.pads_of(Role.PAD):
                for uid in (KNOWN, STRANGE):
                    put_us = bench.now_us()
                    bench.table.put(uid, pad)
                    await bench.until_lying(pad, {uid}, self.look_s)
                    await asyncio.sleep(1)
                    lifted_us = bench.now_us()
                    bench.table.lift(uid, pad)
                    await bench.until_lying(pad, (), self.look_s + LATE_US / US_PER_S)
                    await asyncio.sleep(1)
                    (came,), (went,) = bench.told(TagCame, pad, uid), bench.told(TagWent, pad, uid)
                    assert put_us - CLOCKS_US <= came.at_us <= put_us + late_us, f"put at {put_us}: {came}"
                    last_us = lifted_us + late_us + LATE_US
                    assert lifted_us - CLOCKS_US <= went.at_us <= last_us, f"lifted at {lifted_us}: {went}"
                    assert not came.lying, f"it wasn't there before: {came}"

        self._on_bench(tmp_path, test)

    def test_a_tag_that_lay_there_before(self, tmp_path: Path) -> None:
        """It is reported once; as lying, unless its device saw it come and has kept that."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(Role.PAD):
                bench.table.put(KNOWN, pad)
            bench.opened.open()
            await asyncio.sleep(5)
            for pad in bench.pads_of(Role.PAD):
                (came,) = bench.told(TagCame, pad)
                assert came.lying or came.origin is not None, f"it was there before: {came}"

        self._on_bench(tmp_path, test, opened=False)

    def test_two_tags_on_one_pad(self, tmp_path: Path) -> None:
        """Both come, and each goes by itself, unless the driver declares that it sees one."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(Role.PAD) if Limit.ONE_CARD not in bench.driver.limits else ():
                for uid in (KNOWN, OTHER):
                    bench.table.put(uid, pad)
                await bench.until_lying(pad, {KNOWN, OTHER}, 3 * self.look_s)
                bench.table.lift(KNOWN, pad)
                await bench.until_lying(pad, {OTHER}, 3)
                bench.table.lift(OTHER, pad)
                await bench.until_lying(pad, (), 3)
                assert len(bench.told(TagCame, pad)) == len(bench.told(TagWent, pad)) == 2, bench.reports

        self._on_bench(tmp_path, test)

    def test_a_reader_goes_away_and_comes_back(self, tmp_path: Path) -> None:
        """Both are reported by its name; in the end the tags that lie there are known, whatever was done meanwhile."""

        async def test(bench: Bench) -> None:
            most = 1 if Limit.ONE_CARD in bench.driver.limits else 2
            for pad in bench.pads_of(Role.PAD):
                for after in ({KNOWN}, {OTHER}, set[str](), {KNOWN, OTHER}):
                    bench.table.put(KNOWN, pad)
                    await bench.until_lying(pad, {KNOWN}, 3)
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
                        await bench.until_lying(pad, after, 3)
                    for uid in after:
                        bench.table.lift(uid, pad)
                    await bench.until_lying(pad, (), 3)

        self._on_bench(tmp_path, test)

    def test_what_is_found_late_has_an_early_stamp(self, tmp_path: Path) -> None:
        """Where the computer is held up while a tag is lifted, its stamp is no later than if it had gone on."""

        async def test(bench: Bench) -> None:
            for pad in bench.pads_of(Role.PAD):
                bench.table.put(KNOWN, pad)
                await bench.until_lying(pad, {KNOWN}, 3)
                lifted_us = bench.now_us()
                bench.table.lift(KNOWN, pad)
                bench.hold_up(5)
                await bench.until_lying(pad, (), 5)
                (went,) = bench.told(TagWent, pad)
                assert went.at_us <= lifted_us + LATE_US + self.look_s * US_PER_S, f"lifted at {lifted_us}: {went}"

        self._on_bench(tmp_path, test)

    # --- buttons ---

    def test_a_press_and_its_release(self, tmp_path: Path) -> None:
        """Once each, in their order, with stamps as good as they say; also where all buttons are pressed at a time."""

        async def test(bench: Bench) -> None:
            await asyncio.sleep(5)
            seats = bench.pads_of(Role.BUTTON)
            for hold_s in (0.12, 0.5, 3.0, 0.12):
                reported, pressed_us = len(bench.reports), bench.now_us()
                for seat in seats:
                    bench.table.press(seat, hold_s)
                await asyncio.sleep(hold_s + 1)
                edges = [event for _, event in bench.reports[reported:] if isinstance(event, ButtonEdge)]
                for seat in seats:
                    press, release = _press_and_release([edge for edge in edges if edge.pad == seat])
                    clock_us = 0 if press.clock is Clock.TABLE else CLOCKS_US
                    off_us = abs(press.at_us - pressed_us)
                    assert off_us <= press.uncertainty_us + clock_us, f"{off_us} from the truth: {press}"
                    late_us = release.at_us - pressed_us - round(hold_s * US_PER_S)
                    most_us = release.uncertainty_us + clock_us + 1
                    assert -most_us <= late_us <= BOUNCES_US + most_us, f"{late_us} from the truth: {release}"
                for one, other in combinations([edge for edge in edges if edge.pressed], 2):
                    apart_us = abs(one.at_us - other.at_us)
                    assert apart_us <= one.uncertainty_us + other.uncertainty_us, f"at a time, in truth: {one}, {other}"

        self._on_bench(tmp_path, test)

    def test_a_button_that_is_down_already(self, tmp_path: Path) -> None:
        """One that was held down when it was opened has not been pressed, and is heard once it was let go."""

        async def test(bench: Bench) -> None:
            seats = bench.pads_of(Role.BUTTON)
            with suppress(NoSuchPart):  # not every kind can be held down while nobody listens
                for seat in seats:
                    bench.table.button(seat).stick(seat)
                await asyncio.sleep(1)
                bench.opened.open()
                await asyncio.sleep(5)
                for seat in seats:
                    bench.table.button(seat).free(seat)
                await asyncio.sleep(1)
                assert [edge for seat in seats for edge in bench.told(ButtonEdge, seat)] == []
                for seat in seats:
                    bench.table.press(seat)
                await asyncio.sleep(1)
                assert all(len(bench.told(ButtonEdge, seat)) == 2 for seat in seats), bench.reports

        self._on_bench(tmp_path, test, opened=False)

    # --- lamps, rings, sounder, display ---

    def test_lights(self, tmp_path: Path) -> None:
        """Lamps and rings show what they are told, before they are opened too; nothing comes of it elsewhere."""

        async def test(bench: Bench) -> None:
            seats, rings = bench.pads_of(Role.LAMP), bench.opened.rings
            for pad in (*NOWHERE, *bench.table.config.all_pads):
                _show_all(bench, pad)
            for turn, lit in enumerate((True, False, True)):
                for pad in (*NOWHERE, *bench.table.config.all_pads):
                    bench.opened.show_light(pad, SeatLights("your-turn" if lit else "off", "on" if lit else "off"))
                    bench.opened.show_lamp(pad, Lamp.ON_TURN if lit else Lamp.OFF)
                if turn == 0:
                    bench.opened.open()
                await asyncio.sleep(5)
                assert [bench.table.lamp(seat) for seat in seats] == [lit] * len(seats)
                assert {bench.table.ring(pad) for pad in rings} <= {"your-turn" if lit else "off"}
            await bench.close()
            for pad in (*NOWHERE, *bench.table.config.all_pads):
                _show_all(bench, pad)

        self._on_bench(tmp_path, test, opened=False)

    def test_sounder(self, tmp_path: Path) -> None:
        """It plays once it is open, not while it is muted, and is silent in the end."""

        async def test(bench: Bench) -> None:
            sounder = bench.opened.sounder
            if sounder is None:
                assert not bench.with_role(Role.SOUNDER), "the sounder isn't there"
                return
            tones: list[float | None] = []
            bench.table.listen(tones.append)
            sounder.muted = True
            sounder.play(Sound.GAME_OVER)
            sounder.tick_until(bench.now_us() + 2 * US_PER_S)
            await asyncio.sleep(3)
            assert not any(tones), f"it is muted, and gives {tones}"
            sounder.muted = False
            sounder.play(Sound.GAME_OVER)
            await asyncio.sleep(0.1)
            assert any(tones), "it plays nothing"
            await bench.close()
            assert bench.table.tone_hz() is None, "it is closed, and not silent"

        self._on_bench(tmp_path, test)

    def test_display(self, tmp_path: Path) -> None:
        """It shows a picture of its size, is missed and comes back, and raises nothing."""

        async def test(bench: Bench) -> None:
            for part in bench.with_role(Role.DISPLAY):
                bench.table.let_go()
                display = bench.driver.open_display(part, bench.report, bench.now_us)
                picture = Image.new("1", display.size, 1)
                display.show(picture, 255)
                assert bench.is_missing(part), "it isn't there, and isn't missed"
                assert display.retry_at_us is not None, "it isn't there, and isn't tried again"
                bench.table.take_up()
                await asyncio.sleep(max(0.0, display.retry_at_us / US_PER_S - bench.loop.time()))
                display.show(picture)
                assert not bench.is_missing(part), "it is there again, and still missed"
                assert bench.table.picture().histogram()[-1], "it is dark"
                display.probe()
                for _ in range(2):
                    display.close()
                assert display.retry_at_us is None

        self._on_bench(tmp_path, test)

    # --- all parts ---

    def test_opening_and_closing(self, tmp_path: Path) -> None:
        """It may be closed before it was opened, and twice; once it is closed nothing is reported."""

        async def close_at_once(bench: Bench) -> None:
            await bench.close()

        async def test(bench: Bench) -> None:
            await asyncio.sleep(5)
            await bench.close()
            reported = len(bench.reports)
            for part in bench.parts:
                if part.role is Role.PAD and part.pad is not None:
                    bench.table.put(KNOWN, part.pad)
                elif part.role is Role.BUTTON and part.pad is not None:
                    bench.table.press(part.pad)
            await asyncio.sleep(5)
            await bench.close()
            assert bench.reports[reported:] == [], "it is closed"

        self._on_bench(tmp_path, close_at_once, opened=False)
        self._on_bench(tmp_path, test)

    def test_closing_while_something_is_under_way(self, tmp_path: Path) -> None:
        """A press, a tag or an opening that is under way when it is closed is reported by nobody."""

        async def test(bench: Bench) -> None:
            for part in bench.parts:
                if part.role is Role.PAD and part.pad is not None:
                    bench.table.put(KNOWN, part.pad)
                elif part.role is Role.BUTTON and part.pad is not None:
                    bench.table.press(part.pad)
            await bench.close()
            reported = len(bench.reports)
            await asyncio.sleep(5)
            assert bench.reports[reported:] == [], "it is closed"

        async def settled(bench: Bench) -> None:
            await asyncio.sleep(5)
            await test(bench)

        self._on_bench(tmp_path, test)
        self._on_bench(tmp_path, settled)

    def test_its_hardware_is_missing_at_the_start(self, tmp_path: Path) -> None:
        """Every part is reported by its name, and taken back when it is there; then it works."""

        async def test(bench: Bench) -> None:
            parts = bench.with_role(*set(Role) - {Role.DISPLAY, Role.RESET})
            bench.table.let_go()
            bench.opened.open()
            await asyncio.sleep(5)
            assert [part.name for part in parts if not bench.is_missing(part)] == [], "not there, and not reported"
            bench.table.take_up()
            await bench.until("all parts returned", lambda: not bench.failed, PATIENCE_S)
            await asyncio.sleep(1)
            for pad in bench.pads_of(Role.PAD):
                bench.table.put(KNOWN, pad)
                await bench.until_lying(pad, {KNOWN}, 3)
            for seat in bench.pads_of(Role.BUTTON):
                bench.table.press(seat)
                await asyncio.sleep(1)
                assert len(bench.told(ButtonEdge, seat)) == 2, bench.reports
            named = [event.part for _, event in bench.reports if isinstance(event, PartFailed | PartReturned)]
            assert len(named) == 2 * len(set(named)), f"each is reported once: {bench.reports}"

        self._on_bench(tmp_path, test, opened=False)

    def test_progress(self, tmp_path: Path) -> None:
        """What stands for a thread's progress changes while it gets on."""

        async def test(bench: Bench) -> None:
            await asyncio.sleep(1)
            before = {name: sign() for name, sign in bench.opened.progress.items()}
            await asyncio.sleep(10)
            after = {name: sign() for name, sign in bench.opened.progress.items()}
            assert [name for name in before if None is not before[name] == after[name]] == [], "it stands still"

        self._on_bench(tmp_path, test)

    def test_doctor(self, tmp_path: Path) -> None:
        """Its looks give findings of the checks that they declare, whether its hardware is there or not."""

        async def test(bench: Bench) -> None:
            module = module_of(self.drivers[self.kind], "doctor")
            doctor: DriverDoctor[Driver] = (DriverDoctor if module is None else module.Doctor)(bench.driver)
            site = Site(Computer(), bench.drivers, bench.table.config)
            for change in (lambda: None, bench.table.let_go, bench.table.take_up):
                change()
                for held_by in (None, "process 812"):
                    seen = Site(Computer(), bench.drivers, bench.table.config, held_by)
                    for look in doctor.looks:
                        found = look.examine(seen)
                        findings = [each async for each in found] if hasattr(found, "__aiter__") else list(found)  # pyright: ignore
                        _judge(findings, look.checks)
            assert set(doctor.stamps(site)) <= set(bench.pads_of(Role.BUTTON))
            assert all(doctor.contact(part) for part in bench.parts)

        self._on_bench(tmp_path, test, opened=False)

    def _config(self, folder: Path) -> Config:
        file = folder / "table.toml"
        file.write_text(self.table(folder), encoding="utf-8")
        return load_config(file, check_game)

    def _on_bench(
        self, folder: Path, test: Callable[[Bench], Coroutine[Any, Any, None]], *, opened: bool = True
    ) -> None:
        config = self._config(folder)

        async def run() -> None:
            async with on_bench(config, self.kind, self.stand_ins, opened=opened) as bench:
                await test(bench)

        in_given_time(run)


def _press_and_release(edges: Sequence[ButtonEdge]) -> tuple[ButtonEdge, ButtonEdge]:
    assert [edge.pressed for edge in edges] == [True, False], f"pressed and let go once: {edges}"
    return edges[0], edges[1]


def _show_all(bench: Bench, pad: Any) -> None:
    """Every pattern there is, one right after the other."""
    for lamp in Lamp:
        bench.opened.show_lamp(pad, lamp)
    for pattern, takes_time in RING_PATTERNS.items():
        whole_us = US_PER_S if takes_time else 0
        bench.opened.show_light(pad, SeatLights(pattern, "off", bench.now_us() + whole_us, whole_us))


def _judge(findings: Sequence[Finding], checks: Sequence[str]) -> None:
    for finding in findings:
        assert finding.name in checks, f"{finding} is of none of {checks}"
        assert finding.part, f"{finding} names no part"
        assert finding.found, f"{finding} says nothing"
        assert finding.todo or finding.state != "fault", f"{finding} says nothing of what is to be done"
