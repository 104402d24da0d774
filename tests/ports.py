"""For tests: ports of this computer that nobody has."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom


def free_port() -> int:
    """A port that is free at all addresses, and that no outgoing connection takes before it is used: those have higher
    ones."""
    chance = SystemRandom()
    while True:
        port = chance.randrange(10_240, 32_768)
        with socket.socket() as held, suppress(OSError):
            held.bind(("", port))
            return port
