"""What was set when the board was flashed: how many pixels its ring has."""

import json

from seatboard.pins import PIXELS

MOST_PIXELS = 64


def read_pixels(path="board.json"):
    """The number of pixels; the usual one where the file is missing, damaged, or says something else."""
    try:
        with open(path) as file:
            count = json.load(file)["pixels"]
    except (OSError, ValueError, KeyError, TypeError):
        return PIXELS
    return count if type(count) is int and 0 < count <= MOST_PIXELS else PIXELS
