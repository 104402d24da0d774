"""Counts the starts of the board in its flash, one write a start. A count that is lost begins again at random: with a
number that was used before, the Pi would take new events for known ones. Must not know who uses the number."""

import os

_MOST = 1 << 30  # counts of the wire are below


def next_boot(path="boots"):
    """Return the number of this start. The file is written beside and renamed, so that the power may fail at any
    time."""
    try:
        with open(path) as file:
            last = int(file.read())
        if not 0 <= last < _MOST:
            raise ValueError
        boot = (last + 1) % _MOST
    except (OSError, ValueError):
        boot = _random()
    try:
        with open(path + ".new", "w") as file:
            file.write(str(boot))
        os.rename(path + ".new", path)
    except OSError:
        return _random()  # else the number would come again
    return boot


def _random():
    return int.from_bytes(os.urandom(4), "little") % _MOST
