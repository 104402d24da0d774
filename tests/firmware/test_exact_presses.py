"""A press that the chip itself stamps: over a model of the state machine, its FIFO, the DMA and the timer. The model
counts the requests for which there was nothing to copy yet, and serves them at once when there is something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from tapshared.sentences import Message
from tapshared.ticks import PERIOD, ticks_diff

from firmware.isolated_board import BOOT, Board, S
from firmware.needs_vm import vm_program
from firmware.vm.process import Vm, make_flash

MS = 1000
INTERRUPT_US = range(20, 151)
EXACT_US = range(3)

MakeBoard = Callable[..., Board]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeBoard]:
    boards: list[Board] = []

    def make(presses: str = "exact", **setup: int | str) -> Board:
        flash = make_flash(tmp_path / "flash")
        (flash / "boots").write_text(str(BOOT - 1))
        board = Board(Vm(vm_program(), flash, **setup))
        boards.append(board)
        board.run(1 * S)
        board.hear("ack", boot=BOOT, upto=0)
        board.hear("anchors", every_ms=10_000, presses=presses)
        board.run(2 * S)
        return board

    yield make
    for board in boards:
        board.vm.kill()


def presses(board: Board, until_us: int) -> list[Message]:
    """The presses that were sent by then for the first time; they do not have to be sent again."""
    found = {message.number: message for message in board.run(until_us) if message.verb in ("press", "release")}
    if found:
        board.hear("ack", boot=BOOT, upto=max(found))
    return [message for _, message in sorted(found.items()) if message.verb == "press"]


def holds(board: Board, press: Message, down_us: int, first_ticks: int = 0) -> bool:
    """Whether the press was stamped as it says, which began then or when the bus's transfer had come to its end."""
    fell_us = next(us for us in board.falls_us if us >= down_us)
    late_us = ticks_diff(int(press.fields["ticks"]), (first_ticks + fell_us) % PERIOD)
    return late_us in (EXACT_US if press.fields["age"] == "exact" else INTERRUPT_US)


@pytest.mark.parametrize("chip", ["RP2040", "RP2350"])
@pytest.mark.parametrize("first_ticks", [0, PERIOD - 4 * S, 3 * PERIOD - 4 * S], ids=["", "wrap", "third wrap"])
def test_each_press_that_bounces_is_stamped_by_the_chip_at_its_first_edge(
    make: MakeBoard, chip: str, first_ticks: int
) -> None:
    board = make(chip=chip, first_ticks=first_ticks)
    for second in range(2, 7):
        down_us = second * S + 3777
        for place in range(21):  # closed at last
            board.vm.do(down_us + 73 * place, "press", (place + 1) % 2)
            board.vm.do(down_us + 200 * MS + 73 * place, "press", place % 2)
        [press] = presses(board, (second + 1) * S)
        assert press.fields["age"] == "exact"
        assert holds(board, press, down_us, first_ticks)


@pytest.mark.parametrize(("asks", "channels"), [("", 12), ("exact", 1)])
def test_the_interrupt_stamps_where_the_pi_does_not_ask_or_the_chip_has_nothing_left(
    make: MakeBoard, asks: str, channels: int
) -> None:
    board = make(asks, channels=channels)
    board.vm.do(2 * S + 100 * MS, "press", 1)
    [press] = presses(board, 3 * S)
    assert press.fields["age"] == ""
    assert holds(board, press, 2 * S + 100 * MS)


def test_after_static_the_next_press_is_stamped_by_the_chip_again(make: MakeBoard) -> None:
    board = make()
    for at_us, down in ((0, 1), (300, 0), (40 * MS, 1), (140 * MS, 0)):
        board.vm.do(2 * S + at_us, "press", down)
    [press] = presses(board, 3 * S)
    assert press.fields["age"] == "exact"
    assert holds(board, press, 2 * S + 40 * MS)


def test_static_and_a_press_before_the_loop_comes_round_are_not_taken_for_one(make: MakeBoard) -> None:
    board = make()
    board.vm.do(2 * S, "busy", 60 * MS)
    for at_us, down in ((5 * MS, 1), (5 * MS + 300, 0), (25 * MS, 1)):
        board.vm.do(2 * S + at_us, "press", down)
    [press] = presses(board, 3 * S)
    assert press.fields["age"] == ""
    assert holds(board, press, 2 * S + 25 * MS)


def test_whenever_it_is_pressed_a_press_is_stamped_as_it_says(make: MakeBoard) -> None:
    board, random = make(), Random(1)
    at_us, exact = 2 * S, 0
    for _ in range(300):
        down_us = at_us + random.randrange(2 * MS, 20 * MS)  # soon after the release before, when it is being armed
        up_us = down_us + random.randrange(4 * MS, 30 * MS)
        for edge_us, level in ((down_us, 1), (up_us, 0)):
            board.vm.do(edge_us, "press", level)
            for bounce in range(random.randrange(4)):
                board.vm.do(edge_us + 400 * bounce + 200, "press", 1 - level)
                board.vm.do(edge_us + 400 * bounce + 400, "press", level)
        at_us = up_us + 6 * MS
        said = presses(board, at_us)
        assert all(holds(board, press, down_us) for press in said)
        exact += sum(press.fields["age"] == "exact" for press in said)
    assert exact > 200


def test_a_press_that_begins_while_the_chip_is_made_ready_is_stamped_as_it_says(make: MakeBoard) -> None:
    board = make()
    board.vm.do(2 * S, "unplug", True)  # a reader that answers would make it begin at any time
    board.run(3 * S)
    told: set[str | int] = set()
    for place in range(450):
        up_us = 3 * S + place * 100 * MS + 40 * MS
        down_us = up_us + 13 * MS + 2 * place
        for at_us, down in ((up_us - 20 * MS, 1), (up_us, 0), (down_us, 1), (down_us + 9, 0), (down_us + 18, 1)):
            board.vm.do(at_us, "press", down)
        board.vm.do(down_us + 10 * MS, "press", 0)
        first, second = presses(board, up_us + 50 * MS)
        assert holds(board, first, up_us - 20 * MS)
        assert holds(board, second, down_us)
        told.add(second.fields["age"])
    assert told == {"", "exact"}


def test_another_pi_gets_it_as_if_an_interrupt_had_stamped_it(make: MakeBoard) -> None:
    board = make()
    board.vm.do(2 * S + 100 * MS, "press", 1)
    board.run(3 * S)
    board.hear("hello?")
    board.run(4 * S)
    board.hear("ack", boot=BOOT, upto=0)
    [press] = presses(board, 5 * S)
    assert press.fields["age"] == ""
    assert holds(board, press, 2 * S + 100 * MS)
