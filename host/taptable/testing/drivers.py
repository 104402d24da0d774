"""The suite that every driver must pass, ours and those of other packages, over its stand-in and in given time. A test
module has a subclass of `DriverSuite` for each kind; pytest finds its tests. The package needs to be installed, since
the table finds drivers by their entry points."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

from PIL import Image
from tapshared.lights import RING_PATTERNS

from taptable.core.cues import Lamp, SeatLights, Sound
from taptable.core.device_events import ButtonEdge, PartFailed, PartReturned
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.doctor.computer import Computer
from taptable.doctor.drivers import DriverDoctor
from taptable.doctor.findings import Figures, Finding
from taptable.doctor.report import is_figure_name, is_harmless
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import Driver, PartRole
from taptable.drivers.registry import module_of
from taptable.schema.keys import Setting
from taptable.schema.problems import Unfit
from taptable.testing.bench import KNOWN, PATIENCE_S, Bench, table_toml
from taptable.testing.inputs import InputSuite, press_and_release

NOWHERE: Sequence[Pad] = (99, "nowhere")
"""A seat and a pad that no table has."""

__all__ = ["DriverSuite", "table_toml"]


class DriverSuite(InputSuite):
    """The tests of one kind of driver."""

    # --- addresses and keys ---

    def test_addresses(self, tmp_path: Path) -> None:
        """Accepts its examples and the table's addresses, and spells them as they were read; rejects garbage."""
        driver, config = self.drivers[self.kind], self.config_in(tmp_path)
        texts = [*driver.examples.values(), *(str(part.address) for part in config.parts_of(driver))]
        assert texts, "The driver has no example of an address, and the table no part of the kind"
        for text in texts:
            address = self.drivers.parse_address(text)
            assert address is not None, f"The driver refuses {text}"
            assert str(address) == text, f"The driver reads {text} as {address}"
            for garbage in (address.name + "\n", address.name + "\0", "\N{SNOWMAN}", *self.refused):
                assert self.drivers.parse_address(f"{self.kind}:{garbage}") is None, f"The driver accepts {garbage!r}"
            for role in set(PartRole) - driver.roles:
                assert self.drivers.parse_address(text, role) is None, f"The driver accepts {text} for a {role.value}"
        for part in config.parts_of(driver):
            assert part.role in driver.roles, f"The driver has no role {part.role.value}, which {part.address} has"

    def test_places(self, tmp_path: Path) -> None:
        """Returns addresses as the places that a part occupies, and only free addresses as free."""
        driver, config = self.drivers[self.kind], self.config_in(tmp_path)
        occupied = {place.address for part in config.parts_of(driver) for place in driver.occupied(part)}
        strange = [str(address) for address in occupied if self.drivers.parse_address(str(address)) != address]
        assert not strange, f"Not an address of any driver: {strange}"
        free = driver.free(occupied)
        if isinstance(free, str):
            assert free, "`free` returned an empty sentence"
        else:
            assert occupied.isdisjoint(free), f"`free` returned occupied addresses: {occupied.intersection(free)}"
            strange = [str(address) for address in free if self.drivers.parse_address(str(address)) != address]
            assert not strange, f"Not an address of any driver: {strange}"

    def test_keys(self, tmp_path: Path) -> None:
        """Gives a pad without own keys the default of each key, and accepts its own defaults."""
        driver, config = self.drivers[self.kind], self.config_in(tmp_path)
        settings = {name: key for name, key in driver.pad_keys.items() if isinstance(key, Setting)}
        for name, key in settings.items():
            assert key.default is None or key.check(key.default) == key.default, (
                f"The key {name} refuses its own default"
            )
            with suppress(Unfit):
                key.check(object())
                raise AssertionError(f"The key {name} accepts any value")
        for part in config.parts_of(driver):
            if part.role is PartRole.PAD:
                expected = {name: settings[name].default if name in settings else None for name in driver.pad_keys}
                assert part.options == expected, f"Options of {part.name} are {part.options}, not {expected}"

    def test_limits(self, tmp_path: Path) -> None:
        """Declares limits only of parts that it has, and describes its addresses where somebody has to choose."""
        driver, config = self.drivers[self.kind], self.config_in(tmp_path)
        assert config.parts_of(driver), "The table has no part of the kind"
        for limit in driver.limits:
            assert limit.role in driver.roles, (
                f"The driver declares the limit '{limit.value}', and has no role {limit.role.value}"
            )
        if driver.roles != frozenset({PartRole.DISPLAY}):
            for name in ("accepts", "short", "where"):
                assert getattr(driver, name), f"The driver's {name} is empty"

    def test_finding(self, tmp_path: Path) -> None:
        """Finds parts that are plugged in, each once and by a valid address, and disturbs none that is open."""

        async def test(bench: Bench) -> None:
            await asyncio.sleep(5)
            missing = set(bench.failed)
            found = list(bench.driver.find())
            assert found == list(bench.driver.find()), "`find` returns other parts the second time"
            places = [(part.address, role) for part in found for role in part.roles]
            assert len(places) == len(set(places)), f"Found twice: {places}"
            for part in found:
                address = bench.drivers.parse_address(str(part.address))
                assert address == part.address, f"Not an address: {part.address}"
                assert part.address.kind == bench.driver.kind, f"The address of another driver: {part.address}"
                assert part.roles, f"{part.address} has no role"
                assert part.roles <= bench.driver.roles, f"{part.address} has roles that the driver hasn't"
                assert part.label, f"{part.address} has no label for people"
                assert part.device, f"{part.address} is plugged in with nothing"
                assert part.number >= 1, f"{part.address} has the number {part.number}"
            await asyncio.sleep(5)
            assert bench.failed == missing, f"Parts failed when others were looked for: {bench.failed - missing}"

        self.on_bench(tmp_path, test)

    # --- lamps, rings, sounder, display ---

    def test_lights(self, tmp_path: Path) -> None:
        """Shows the requested lights on lamps and rings, also those requested before it was opened; ignores other seats
        and pads."""

        async def test(bench: Bench) -> None:
            seats, rings = bench.pads_of(PartRole.LAMP), bench.opened.rings
            everywhere: list[Pad] = [*NOWHERE, *bench.table.config.all_pads]
            for pad in everywhere:
                _show_all(bench, pad)
            for turn, lit in enumerate((True, False, True)):
                for pad in everywhere:
                    bench.opened.show_light(pad, SeatLights("your-turn" if lit else "off", "on" if lit else "off"))
                    if isinstance(pad, int):
                        bench.opened.show_lamp(pad, Lamp.ON_TURN if lit else Lamp.OFF)
                if turn == 0:
                    bench.opened.open()
                await asyncio.sleep(5)
                shown = {seat: bench.table.is_lamp_lit(seat) for seat in seats}
                assert shown == dict.fromkeys(seats, lit), f"Lamps should be {'lit' if lit else 'dark'}: {shown}"
                patterns = {pad: bench.table.ring_pattern(pad) for pad in rings}
                assert patterns == dict.fromkeys(rings, "your-turn" if lit else "off"), (
                    f"Rings should show {'your-turn' if lit else 'off'}: {patterns}"
                )
            await bench.close()
            for pad in everywhere:
                _show_all(bench, pad)

        self.on_bench(tmp_path, test, opened=False)

    def test_sounder(self, tmp_path: Path) -> None:
        """Plays once it is open, not while it is muted, and is silent after it was closed."""

        async def test(bench: Bench) -> None:
            sounder = bench.opened.sounder
            if sounder is None:
                assert not bench.with_role(PartRole.SOUNDER), "The table has a sounder, and the opened parts have none"
                return
            tones: list[float | None] = []
            bench.table.listen(tones.append)
            sounder.muted = True
            sounder.play(Sound.GAME_OVER)
            sounder.tick_until(bench.now_us() + 2 * US_PER_S)
            await asyncio.sleep(3)
            assert not any(tones), f"The sounder is muted, and plays {tones}"
            sounder.muted = False
            sounder.play(Sound.GAME_OVER)
            await asyncio.sleep(0.1)
            assert any(tones), "The sounder plays nothing"
            await bench.close()
            assert bench.table.tone_hz() is None, "The sounder is closed, and not silent"

        self.on_bench(tmp_path, test)

    def test_display(self, tmp_path: Path) -> None:
        """Shows a picture of its size, reports a missing display, recovers, and raises nothing."""

        async def test(bench: Bench) -> None:
            for part in bench.with_role(PartRole.DISPLAY):
                bench.table.let_go()
                display = bench.driver.open_display(part, bench.report, bench.now_us)
                picture = Image.new("1", display.size, 1)
                display.show(picture, 255)
                assert bench.is_missing(part), "The display is missing, and wasn't reported"
                assert display.retry_at_us is not None, "The display is missing, and has no time for a retry"
                bench.table.take_up()
                await asyncio.sleep(max(0.0, display.retry_at_us / US_PER_S - bench.loop.time()))
                display.show(picture)
                assert not bench.is_missing(part), "The display is back, and wasn't reported back"
                assert bench.table.picture().histogram()[-1], "The display is dark"
                display.probe()
                for _ in range(2):
                    display.close()
                assert display.retry_at_us is None, "The display is closed, and has a time for a retry"

        self.on_bench(tmp_path, test)

    # --- all parts ---

    def test_opening_and_closing(self, tmp_path: Path) -> None:
        """Can be closed before it was opened, and twice; reports nothing once it is closed."""

        async def close_at_once(bench: Bench) -> None:
            await bench.close()

        async def test(bench: Bench) -> None:
            await asyncio.sleep(5)
            await bench.close()
            reported = len(bench.reports)
            for part in bench.parts:
                if part.role is PartRole.PAD and part.pad is not None:
                    bench.table.put(KNOWN, part.pad)
                elif part.role is PartRole.BUTTON and part.pad is not None:
                    bench.table.press(part.pad)
            await asyncio.sleep(5)
            await bench.close()
            assert bench.reports[reported:] == [], "The driver reports events after it was closed"

        self.on_bench(tmp_path, close_at_once, opened=False)
        self.on_bench(tmp_path, test)

    def test_closing_while_something_is_under_way(self, tmp_path: Path) -> None:
        """Reports nothing after it was closed, even if a press, a tag or an opening is under way."""

        async def test(bench: Bench) -> None:
            for part in bench.parts:
                if part.role is PartRole.PAD and part.pad is not None:
                    bench.table.put(KNOWN, part.pad)
                elif part.role is PartRole.BUTTON and part.pad is not None:
                    bench.table.press(part.pad)
            await bench.close()
            reported = len(bench.reports)
            await asyncio.sleep(5)
            assert bench.reports[reported:] == [], "The driver reports events after it was closed"

        async def settled(bench: Bench) -> None:
            await asyncio.sleep(5)
            await test(bench)

        self.on_bench(tmp_path, test)
        self.on_bench(tmp_path, settled)

    def test_its_hardware_is_missing_at_the_start(self, tmp_path: Path) -> None:
        """Reports every missing part by its name, and its return; then it works."""

        async def test(bench: Bench) -> None:
            parts = bench.with_role(*set(PartRole) - {PartRole.DISPLAY, PartRole.RESET})
            bench.table.let_go()
            bench.opened.open()
            await asyncio.sleep(5)
            assert [part.name for part in parts if not bench.is_missing(part)] == [], (
                "Parts are missing, and weren't reported"
            )
            bench.table.take_up()
            await bench.until("all parts returned", lambda: not bench.failed, PATIENCE_S)
            await asyncio.sleep(1)
            for pad in bench.pads_of(PartRole.PAD):
                bench.table.put(KNOWN, pad)
                await bench.until_tags_are(pad, {KNOWN}, 3)
            for seat in bench.pads_of(PartRole.BUTTON):
                bench.table.press(seat)
                await asyncio.sleep(1)
                press_and_release(bench.events_at(ButtonEdge, seat))
            named = [event.part for _, event in bench.reports if isinstance(event, PartFailed | PartReturned)]
            assert len(named) == 2 * len(set(named)), f"Each part must be reported lost and back once: {bench.reports}"

        self.on_bench(tmp_path, test, opened=False)

    def test_progress(self, tmp_path: Path) -> None:
        """Changes the sign of a thread's progress while the thread makes progress."""

        async def test(bench: Bench) -> None:
            await asyncio.sleep(1)
            before = {name: sign() for name, sign in bench.opened.progress.items()}
            await asyncio.sleep(10)
            after = {name: sign() for name, sign in bench.opened.progress.items()}
            assert [name for name in before if None is not before[name] == after[name]] == [], (
                "The sign of progress doesn't change"
            )

        self.on_bench(tmp_path, test)

    def test_doctor(self, tmp_path: Path) -> None:
        """Gives only findings of the checks that it declares, whether its hardware is present or not."""

        async def test(bench: Bench) -> None:
            module = module_of(self.drivers[self.kind], "doctor")
            doctor: DriverDoctor[Driver] = (DriverDoctor if module is None else module.DOCTOR)(bench.driver)
            site = ExaminedTable(Computer(), bench.drivers, bench.table.config)
            for change in (lambda: None, bench.table.let_go, bench.table.take_up):
                change()
                for held_by in (None, "process 812"):
                    examined = ExaminedTable(Computer(), bench.drivers, bench.table.config, held_by)
                    for look in doctor.looks:
                        found = look.examine(examined)
                        findings = [each async for each in found] if isinstance(found, AsyncIterator) else list(found)
                        _judge(findings, look.checks)
            for seat in doctor.stamps(site):
                assert seat in bench.pads_of(PartRole.BUTTON), (
                    f"The doctor has stamps of button {seat}, which the driver doesn't have"
                )
            for part in bench.parts:
                assert doctor.contact(part), f"The doctor's `contact` is empty for {part.name}"
                _judge_figures(doctor.describe(part), f"`describe` of {part.name}")

        self.on_bench(tmp_path, test, opened=False)


def _show_all(bench: Bench, pad: Pad) -> None:
    """Show every pattern, one right after the other."""
    if isinstance(pad, int):
        for lamp in Lamp:
            bench.opened.show_lamp(pad, lamp)
    for pattern, takes_time in RING_PATTERNS.items():
        whole_us = US_PER_S if takes_time else 0
        bench.opened.show_light(pad, SeatLights(pattern, "off", bench.now_us() + whole_us, whole_us))


def _judge(findings: Sequence[Finding], checks: Sequence[str]) -> None:
    for finding in findings:
        assert finding.name in checks, f"{finding} is of none of the declared checks {checks}"
        assert finding.part, f"{finding} names no part"
        assert finding.found, f"{finding} has an empty `found`"
        assert finding.todo or finding.state != "fault", f"{finding} is a fault with an empty `todo`"
        _judge_figures({**finding.measured, **finding.stated}, str(finding))


def _judge_figures(figures: Figures, whose: str) -> None:
    for name, value in figures.items():
        assert is_figure_name(name), f"{whose}: {name!r} can't be the name of a figure"
        assert is_harmless(value), f"{whose}: the report would withhold {name} = {value!r}, which may name somebody"
