"""The pins of gpio-sim from below: contacts that pull a line to ground or release it, and the levels of the lines that
the table drives."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_PULLS = {True: "pull-down", False: "pull-up"}


def now_us() -> int:
    """The kernel's clock, by which it stamps edges."""
    return time.monotonic_ns() // 1000


@dataclass(frozen=True, slots=True)
class ContactChange:
    """A contact was closed or opened, between these two times."""

    bcm: int
    closed: bool
    after_us: int
    by_us: int


class Contacts:
    """The contacts on the header."""

    @cached_property
    def chip(self) -> Path:
        """The simulated chip."""
        (chip,) = Path("/sys/devices/platform/pins").glob("gpiochip*")
        return chip

    def move(self, bcm: int, closed: bool) -> ContactChange:
        """Close a contact to ground, or open it; at rest the pin's own pull-up holds it up."""
        after_us = now_us()
        (self.chip / f"sim_gpio{bcm}" / "pull").write_text(_PULLS[closed], encoding="ascii")
        return ContactChange(bcm, closed, after_us, now_us())

    def is_high(self, bcm: int) -> bool:
        """Return whether the line is high, no matter what drives it."""
        return (self.chip / f"sim_gpio{bcm}" / "value").read_text(encoding="ascii") == "1\n"
