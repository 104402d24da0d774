"""The loop of a board: runs turn after turn, each of which feeds the watchdog. Between two turns it rests until a part
is due or the Pi sends something. Must not know the board's parts, nor what `board` does in a turn."""

from seatboard import watchdog
from seatboard.board import Board
from seatboard.port import Port


def run():
    """Run for ever."""
    port = Port()
    board = Board(port)
    dog = watchdog.start()
    has_heard = False
    while True:
        rest_us = board.step(has_heard)
        dog.feed()
        has_heard = port.wait(rest_us)
