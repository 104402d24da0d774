"""The loop of a board: turn after turn, each of which feeds the watchdog, with a rest in between that ends when the Pi
speaks."""

import time

from seatboard import watchdog
from seatboard.board import Board
from seatboard.port import Port


def run():
    """Go on for ever."""
    port = Port()
    board = Board(port)
    dog = watchdog.start()
    while True:
        rest_us = board.step()
        dog.feed()
        if rest_us >= 1000:
            port.rest_ms(rest_us // 1000)
        else:
            time.sleep_us(rest_us)
