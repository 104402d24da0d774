"""Seats are named by pressing buttons, on virtual boards, in given time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest
from deadline import DEADLINE_S
from table.rig import run_in_given_time
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.flashing.naming import Named, name_boards
from taptable.drivers.board.usb_model import UsbSockets

PRESS_SEAT = "Press the button of seat {}. (Enter: no more seats.)"
DISCARD = "Is this the discard pad, whose ring is lit now (board {})? [y/n]"


class Room:
    """Boards, and somebody who does something when a sentence is said."""

    def __init__(self, boards: Sequence[str]) -> None:
        self.loop = asyncio.get_running_loop()
        sockets = UsbSockets()
        self.boards = {board: VirtualBoard(board, sockets, self.loop, seed=9) for board in boards}
        self.said: list[str] = []
        self.then: dict[str, Callable[[], None]] = {}
        self.sockets = sockets
        self._typed, self._types = os.pipe()

    def press(self, *boards: str) -> None:
        for board in boards:
            self.boards[board].press()
            self.loop.call_later(0.1, self.boards[board].release)

    def type(self, line: str) -> None:
        os.write(self._types, f"{line}\n".encode())

    def hang_up(self) -> None:
        os.close(self._types)

    def rings(self) -> dict[str, tuple[str, str]]:
        return {board: (virtual.ring.pattern, virtual.ring.lamp) for board, virtual in self.boards.items()}

    async def named(self, most_seats: int = 6) -> Named:
        for virtual in self.boards.values():
            virtual.plug_in()
        try:
            return await name_boards(list(self.boards), most_seats, self.sockets.open, self._typed, self._say)
        finally:
            os.close(self._typed)

    def _say(self, sentence: str) -> None:
        self.said.append(sentence)
        if sentence in self.then:
            # a person takes a while, in which the boards show what they are to show
            self.loop.call_later(2.0, self.then.pop(sentence))


def in_a_room(boards: Sequence[str], visit: Callable[[Room], Coroutine[Any, Any, Named]]) -> tuple[Room, Named]:
    async def evening() -> tuple[Room, Named]:
        room = Room(boards)
        return room, await visit(room)

    return run_in_given_time(evening)


def test_seats_are_in_the_order_in_which_their_buttons_were_pressed() -> None:
    lit: list[dict[str, tuple[str, str]]] = []

    async def visit(room: Room) -> Named:
        def press_c() -> None:
            lit.append(room.rings())
            room.press("c")

        def press_a() -> None:
            lit.append(room.rings())
            room.press("a")

        room.then = {PRESS_SEAT.format(1): press_c, PRESS_SEAT.format(2): press_a}
        room.then[PRESS_SEAT.format(3)] = lambda: room.press("b")
        return await room.named()

    room, named = in_a_room("abc", visit)
    assert named == Named(("c", "a", "b"), None, ())
    assert room.said[1:] == [
        "  Seat 1: board c",
        PRESS_SEAT.format(2),
        "  Seat 2: board a",
        PRESS_SEAT.format(3),
        "  Seat 3: board b",
    ]
    awaited, named_one = ("your-turn", "on"), ("idle", "off")
    assert lit == [{"a": awaited, "b": awaited, "c": awaited}, {"a": awaited, "b": awaited, "c": named_one}]


def test_a_board_without_a_button_can_be_the_discard_pads() -> None:
    lit: list[dict[str, tuple[str, str]]] = []

    def look_and(room: Room, answer: str) -> Callable[[], None]:
        def act() -> None:
            lit.append(room.rings())
            room.press("a")  # says nothing now
            room.type(answer)

        return act

    async def visit(room: Room) -> Named:
        room.then = {PRESS_SEAT.format(1): lambda: room.press("b"), PRESS_SEAT.format(2): lambda: room.type("")}
        room.then |= {DISCARD.format("a"): look_and(room, "n"), DISCARD.format("c"): look_and(room, "Y")}
        return await room.named()

    _, named = in_a_room("abcd", visit)
    assert named == Named(("b",), "c", ("a", "d"))
    assert [[board for board, (ring, _) in rings.items() if ring == "your-turn"] for rings in lit] == [["a"], ["c"]]


def test_two_buttons_at_once_name_no_seat() -> None:
    more = "  More than one button was pressed (boards a, b): press only that of seat 1."

    async def visit(room: Room) -> Named:
        room.then = {PRESS_SEAT.format(1): lambda: room.press("a", "b"), more: lambda: room.press("b")}
        room.then[PRESS_SEAT.format(2)] = lambda: room.press("a")
        return await room.named()

    room, named = in_a_room("ab", visit)
    assert named.seats == ("b", "a")
    assert room.said.count(more) == 1


def test_a_button_that_has_a_seat_already_is_reported_and_names_no_other() -> None:
    again = "  That is the button of seat 1 already."

    async def visit(room: Room) -> Named:
        room.then = {PRESS_SEAT.format(1): lambda: room.press("a"), PRESS_SEAT.format(2): lambda: room.press("a")}
        room.then[again] = lambda: room.press("b")
        return await room.named()

    room, named = in_a_room("ab", visit)
    assert named.seats == ("a", "b")
    assert again in room.said


def test_a_board_that_is_unplugged_is_reported_and_can_be_named_when_it_is_back() -> None:
    there_again = "  Board b is there again."

    async def visit(room: Room) -> Named:
        def unplug() -> None:
            room.boards["b"].pull_out()
            room.loop.call_later(5.0, room.boards["b"].plug_in)

        room.then = {PRESS_SEAT.format(1): unplug, there_again: lambda: room.press("b")}
        room.then[PRESS_SEAT.format(2)] = lambda: room.press("a")
        return await room.named()

    room, named = in_a_room("ab", visit)
    assert named.seats == ("b", "a")
    (missing,) = (sentence for sentence in room.said if "missing" in sentence)
    assert missing.startswith("  Board b is missing (")
    assert missing.endswith("): plug it in again, and go on.")


def test_no_more_seats_than_a_table_has_are_asked_for_and_a_missing_board_is_no_discard_pad() -> None:
    async def visit(room: Room) -> Named:
        room.then = {PRESS_SEAT.format(1): lambda: room.press("a"), PRESS_SEAT.format(2): lambda: room.press("b")}
        room.then[DISCARD.format("d")] = lambda: room.type("y")
        room.loop.call_later(1.0, room.boards["c"].pull_out)
        return await room.named(most_seats=2)

    room, named = in_a_room("abcd", visit)
    assert named == Named(("a", "b"), "d", ("c",))
    assert PRESS_SEAT.format(3) not in room.said


@pytest.mark.parametrize("seats", [0, 1])
def test_where_nobody_can_type_any_more_nothing_is_asked_any_more(seats: int) -> None:
    async def visit(room: Room) -> Named:
        room.then = {PRESS_SEAT.format(1): lambda: room.press("b")} if seats else {}
        room.then[PRESS_SEAT.format(seats + 1)] = room.hang_up
        return await asyncio.wait_for(room.named(), DEADLINE_S)

    _, named = in_a_room("abc", visit)
    assert len(named.seats) == seats
    assert named.discard is None
    assert len(named.others) == 3 - seats
