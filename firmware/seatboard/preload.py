"""Imports the shared modules from the bottom up, before another module imports them: an import within an import takes
stack, of which a Pico has 8 kB, and the longest chain of them has seven modules. Knows the modules by name only."""

for _name in (
    "rc522",
    "verbs",
    "fields",
    "sentences",
    "lines",
    "outbox",
    "anticollision",
    "iso14443a",
    "rc522_exchange",
    "rc522_talk",
    "rc522_registers",
    "rc522_chip",
    "upkeep",
    "pad",
    "contact",
    "ring_frames",
):
    __import__("tapshared." + _name)

from seatboard import button, frames  # noqa: E402, F401 - they import what is known by a Pico alone
