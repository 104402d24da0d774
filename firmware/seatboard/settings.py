"""Reads the settings that were written when the board was flashed: how many pixels its ring has. Must not write them:
`taptable flash` does."""

import json

from seatboard.pins import PIXELS

MAX_PIXELS = 64  # a larger number in the file is invalid


def read_pixels(path="board.json"):
    """Return the number of pixels; the default if the file is missing, damaged, or invalid."""
    try:
        with open(path) as file:
            count = json.load(file)["pixels"]
    except (OSError, ValueError, KeyError, TypeError):
        return PIXELS
    return count if type(count) is int and 0 < count <= MAX_PIXELS else PIXELS
