"""The firmware in the VM and the real daemon in real time, over a pseudo-terminal: turns go on when the board's power
failed, and when the daemon was gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from table.rig import GameNight, at_table
from taptable.core.notices import PressUnheard
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed
from taptable.referee.buttons import DEAF_US
from taptable.referee.session import Judged, TableEvent
from taptable.sim.usb import Plug

from firmware.needs_vm import vm_program
from firmware.rig import SEAT, vm_table
from firmware.vm.process import BOARD, Vm, make_flash

ON_PAD_US = 100_000
PRESSES = 3
LOOKED = 5
"""Exchanges: the board has looked at its empty pad by then. What lies there when it begins to look is no tap."""
APART_US = DEAF_US + 200_000
"""By then a card that was lifted is gone, no two cards came at once, and a button is heard whatever it means now."""


class Hand:
    """At the board's pad and button: each action comes after the one before, as fast as people are."""

    def __init__(self, at: GameNight, vm: Vm) -> None:
        self._at = at
        self._vm = vm
        self._free_us = 0

    async def wait(self) -> None:
        """Wait until the board has begun to look."""
        exchanges: object = 0
        while not isinstance(exchanges, int) or exchanges < LOOKED:
            self._vm.do(0, "weigh")
            *_, exchanges = (await asyncio.to_thread(self._vm.wait, "weighed")).about

    async def tap(self, card: str) -> str:
        """Put a card on the pad for a moment; what was said of it."""
        said = self._at.expect(lambda h: _is_judged(h, CardTapped), DEADLINE_S)
        uid = self._at.tags[card]
        await asyncio.to_thread(self._do, ("put", uid), "came", ("lift", uid), "left")
        return _short(await said)

    async def press(self, heard: Callable[[TableEvent], bool] = lambda h: _is_judged(h, ButtonPressed)) -> str:
        """Press the button for a moment; what was said of it."""
        said = self._at.expect(heard, DEADLINE_S)
        await self.press_unheard()
        return _short(await said)

    async def press_unheard(self) -> None:
        await asyncio.to_thread(self._do, ("press", 1), "contact", ("press", 0), "contact")

    def _do(self, action: tuple[str, str | int], told: str, undo: tuple[str, str | int], undone: str) -> None:
        self._vm.do(self._free_us, *action)
        self._vm.do(self._vm.wait(told).at_us + ON_PAD_US, *undo)
        self._free_us = self._vm.wait(undone).at_us + APART_US


@contextmanager
def under_power(at: GameNight, flash: Path, plug: Plug) -> Iterator[Hand]:
    """The board is under power, on this plug."""
    vm = Vm(vm_program(), flash, plug.descriptor)
    try:
        yield Hand(at, vm)
    finally:
        vm.kill()


async def goes_on_at_a_press(hand: Hand) -> None:
    """Press until the table goes on: a press too soon after the one before isn't heard, and the table says so. By the
    table's clock, which has begun anew, the one that the board kept may have been just now."""
    for _ in range(PRESSES):
        if await hand.press(lambda h: _is_judged(h, ControlUsed) or isinstance(h, PressUnheard)) == "Accepted":
            return
    raise AssertionError(f"pressed {PRESSES} times")


@pytest.mark.long
def test_turns_over_a_terminal_go_on_when_the_board_had_no_power_or_the_daemon_was_gone(tmp_path: Path) -> None:
    flash, plugs = make_flash(tmp_path / "flash"), list[Plug]()

    async def at_the_terminal(at: GameNight) -> None:
        at.table.boards[SEAT].pull_out()
        plugs.append(at.table.sockets.plug_in(BOARD))

    async def evening() -> None:
        async with at_table(vm_table(tmp_path), before=at_the_terminal) as at:
            [plug] = plugs
            with under_power(at, flash, plug) as hand:
                await hand.wait()
                assert [await hand.tap(card) for card in ("online#1", "email#1")] == ["Accepted"] * 2
                assert await hand.press() == "Accepted"
                assert at.state.turn.seat == 2
                ended = at.expect(lambda h: _is_judged(h, ButtonPressed), DEADLINE_S)
                await asyncio.sleep(1)
                at.table.press(2)
                assert _short(await ended) == "Accepted"
                lost = at.lost(f"board {SEAT}", DEADLINE_S)
            await lost
            back = at.back(f"board {SEAT}", DEADLINE_S)
            with under_power(at, flash, plug) as hand:
                await hand.wait()
                await back
                assert await hand.tap("music#1") == "Accepted"
                await at.stop()
                await hand.press_unheard()  # nobody hears it but the board, which keeps it
                unheard = at.expect(lambda h: isinstance(h, PressUnheard), DEADLINE_S)
                await at.start()
                await unheard  # it was made before the table paused
                await goes_on_at_a_press(hand)
                await hand.tap("email#2")
                assert await hand.press() == "Accepted"
                assert at.state.turn.seat == 2

    asyncio.run(evening())


def _is_judged(event: TableEvent, kind: type[CardTapped | ButtonPressed | ControlUsed]) -> bool:
    return isinstance(event, Judged) and isinstance(event.observation, kind)


def _short(event: TableEvent) -> str:
    return type(event.verdict if isinstance(event, Judged) else event).__name__
