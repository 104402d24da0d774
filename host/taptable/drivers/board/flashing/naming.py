"""Finds out which board belongs to which seat: somebody presses the buttons, seat by seat, and a board of no seat may
be that of the discard pad, which its ring shows. Talks to the boards as the table does. Knows no configuration."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from taptable import keyboard
from taptable.core.cues import SeatLights
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, PartReturned, Receipt
from taptable.core.settings import US_PER_S
from taptable.drivers.board.boards import Boards
from taptable.drivers.board.port import OpenPort
from taptable.drivers.interface import DeviceContext

EXCLUSIVE_S = 0.3
"""For this time after a press no other button may be pressed, since it would be unknown which was meant."""

_AWAITED_LIGHT, _NAMED_LIGHT = SeatLights("your-turn", "on"), SeatLights("idle", "off")
_YES = ("y", "yes")

_Input: TypeAlias = int | str | None
"""The index of the board whose button was pressed; a line that was typed; None when no more lines can come."""


@dataclass(frozen=True, slots=True)
class Named:
    """The boards of seat 1, 2, …, that of the discard pad, and those that are neither."""

    seats: tuple[str, ...]
    discard: str | None
    others: tuple[str, ...]


async def name_boards(
    boards: Sequence[str], most_seats: int, open_port: OpenPort, typed_fd: int, say: Callable[[str], None]
) -> Named:
    """Ask for the seats of these boards. `typed_fd` is the descriptor of typed lines, where Enter means no more
    buttons. Raises nothing: reports a board that goes away, and uses it again when it is back."""
    naming = _Naming(boards, open_port, say)
    lines = keyboard.TypedLines(typed_fd, naming.inputs.put_nowait, lambda: naming.inputs.put_nowait(None))
    naming.boards.open()
    lines.open()
    try:
        await naming.ask_for_seats(most_seats)
        discard = await naming.ask_for_discard_pad()
    finally:
        lines.close()
        naming.boards.close()
    seats = tuple(boards[place] for place in naming.seats)
    return Named(seats, discard, tuple(board for board in boards if board not in (*seats, discard)))


class _Naming:
    def __init__(self, boards: Sequence[str], open_port: OpenPort, say: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()
        self.inputs: asyncio.Queue[_Input] = asyncio.Queue()
        self.seats: list[int] = []
        self._ids = boards
        self._missing: set[int] = set()
        self._say = say
        self.boards = Boards(
            dict(enumerate(boards)),
            DeviceContext(self._report, lambda: round(loop.time() * US_PER_S), lambda _uid: None),
            open_port,
        )

    async def ask_for_seats(self, most: int) -> None:
        """Ask until each board has a seat, or somebody answers that no more follow."""
        while len(self.seats) < min(most, len(self._ids)):
            for place in self._unnamed():
                self.boards.show_light(place, _AWAITED_LIGHT)
            self._say(f"Press the button of seat {len(self.seats) + 1}. (Enter: no more seats.)")
            place = await self._next_press()
            if place is None:
                return
            self.seats.append(place)
            self.boards.show_light(place, _NAMED_LIGHT)
            self._say(f"  Seat {len(self.seats)}: board {self._ids[place]}")

    async def ask_for_discard_pad(self) -> str | None:
        """Light one ring after the other, of the boards without a seat. Return the board of the discard pad, or
        None."""
        for place in self._unnamed():
            self.boards.show_light(place, SeatLights())
        for place in self._unnamed():
            if place in self._missing:
                continue
            self.boards.show_light(place, _AWAITED_LIGHT)
            self._say(f"Is this the discard pad, whose ring is lit now (board {self._ids[place]})? [y/n]")
            answer = await self._next_input()
            while isinstance(answer, int):
                answer = await self._next_input()
            self.boards.show_light(place, SeatLights())
            if answer is None:
                return None
            if answer.lower() in _YES:
                return self._ids[place]
        return None

    async def _next_press(self) -> int | None:
        """Return the board without a seat whose button alone was pressed; None if a line came instead."""
        while True:
            place = await self._next_input()
            if not isinstance(place, int):
                return None
            if place in self.seats:
                self._say(f"  That is the button of seat {self.seats.index(place) + 1} already.")
                continue
            await asyncio.sleep(EXCLUSIVE_S)
            others = {other for other in self._take_presses() if other != place}
            if not others:
                return place
            seat = len(self.seats) + 1
            which = ", ".join(self._ids[each] for each in (place, *sorted(others)))
            self._say(f"  More than one button was pressed (boards {which}): press only that of seat {seat}.")

    async def _next_input(self) -> _Input:
        value = await self.inputs.get()
        if value is None:
            self.inputs.put_nowait(None)  # the end of input stays the end
        return value

    def _take_presses(self) -> list[int]:
        """Take the waiting presses. Typed lines go on waiting."""
        waiting = [self.inputs.get_nowait() for _ in range(self.inputs.qsize())]
        for value in waiting:
            if not isinstance(value, int):
                self.inputs.put_nowait(value)
        return [value for value in waiting if isinstance(value, int)]

    def _unnamed(self) -> list[int]:
        return [place for place in range(len(self._ids)) if place not in self.seats]

    def _report(self, device_event: DeviceEvent) -> Receipt:
        match device_event:
            case PartFailed(_, part, reason) if part.startswith("board "):
                place = int(part.removeprefix("board "))
                self._missing.add(place)
                self._say(f"  Board {self._ids[place]} is missing ({reason}): plug it in again, and go on.")
            case PartReturned(_, part) if part.startswith("board "):
                place = int(part.removeprefix("board "))
                self._missing.discard(place)
                self._say(f"  Board {self._ids[place]} is there again.")
            case ButtonEdge(pad=pad, pressed=True):
                self.inputs.put_nowait(pad)
            case _:
                pass  # the doctor examines readers and lamps
        # otherwise the board would report it to the table later
        return Receipt.COMMITTED
