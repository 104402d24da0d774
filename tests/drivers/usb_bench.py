"""Buttons and lamps of controllers at a simulated table in given time, with their stand-ins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from taptable.config import load_config
from taptable.core.device_events import ButtonEdge, PartFailed, PartReturned
from taptable.daemon.game_options import check_game
from taptable.drivers.input.evdev_model import ControllerModel
from taptable.drivers.input.stand_in import InputStandIn
from taptable.drivers.led.stand_in import LedStandIn
from taptable.sim.usb_tree import UsbTree
from taptable.testing.bench import Bench, powered_bench, run_in_given_time, table_toml

PORT, OTHER_PORT = "1-1.3", "1-1.4"
TWO_DOMES = [f"input:{PORT}/BTN_TRIGGER_HAPPY1", f"input:{PORT}/BTN_TRIGGER_HAPPY6"]
TWO_ENCODERS = [f"input:{PORT}/BTN_TRIGGER", f"input:{OTHER_PORT}/BTN_TRIGGER"]
TWO_LAMPS = [f"led:{PORT}/buzz1", f"led:{PORT}/buzz2"]


class ButtonBench:
    """Two buttons, of seats 1 and 2, and the reports of their driver."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.now_us = bench.now_us
        stand_in = bench.table.stand_in("input")
        assert isinstance(stand_in, InputStandIn)
        self.stand_in = stand_in

    @property
    def edges(self) -> list[ButtonEdge]:
        """All presses and releases that were reported."""
        return [event for _, event in self.bench.reports if isinstance(event, ButtonEdge)]

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The parts that failed, with the reason, or returned, with "", in their order."""
        parts = [event for _, event in self.bench.reports if isinstance(event, PartFailed | PartReturned)]
        return [(event.part, event.reason if isinstance(event, PartFailed) else "") for event in parts]

    @property
    def tree(self) -> UsbTree:
        """The files of the computer's USB."""
        assert self.stand_in.tree is not None
        return self.stand_in.tree

    def controller(self, port: str = PORT) -> ControllerModel:
        """The controller at a port."""
        return self.stand_in.controllers[port]

    async def press(self, seat: int, hold_s: float = 0.1) -> tuple[int, ButtonEdge]:
        """Press a button; return when it was pressed, and the report."""
        pressed_us, before = self.now_us(), len(self.edges)
        self.bench.table.press(seat, hold_s)
        await asyncio.sleep(hold_s + 0.2)
        press, release = self.edges[before:]
        assert (press.pad, press.pressed, release.pad, release.pressed) == (seat, True, seat, False)
        return pressed_us, press


def with_buttons(
    folder: Path,
    buttons: Sequence[str],
    test: Callable[[ButtonBench], Coroutine[Any, Any, None]],
    *,
    opened: bool = True,
) -> None:
    """Run a test with the buttons at these addresses."""

    async def run() -> None:
        file = folder / "table.toml"
        file.write_text(table_toml(buttons=buttons), encoding="utf-8")
        async with powered_bench(load_config(file, check_game), "input", {}, opened=opened) as bench:
            await test(ButtonBench(bench))

    run_in_given_time(run)


def with_lamps(folder: Path, test: Callable[[Bench, LedStandIn], Coroutine[Any, Any, None]]) -> None:
    """Run a test with two lamps of a Buzz! set."""

    async def run() -> None:
        file = folder / "table.toml"
        file.write_text(table_toml(lamps=TWO_LAMPS), encoding="utf-8")
        async with powered_bench(load_config(file, check_game), "led", {}) as bench:
            await test(bench, bench.table.stand_in("led"))

    run_in_given_time(run)


def is_inside(pressed_us: int, press: ButtonEdge) -> bool:
    """Return whether the true time of a press is within the stated bound."""
    return abs(press.at_us - pressed_us) <= press.uncertainty_us
