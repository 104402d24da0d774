"""A person at real parts, who does what a test asks. Nothing is read from the terminal: the part itself shows that a
card was laid, and a test that waits for it has its deadline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

PATIENCE_S = 30.0
"""Seconds that the person may take for an action."""


class Hand(Protocol):
    """Performs the actions at a reader."""

    def lay(self, uid_bytes: int) -> None:
        """Lay a card with a UID of `uid_bytes` bytes."""

    def lift(self) -> None:
        """Lift it."""


class PressingHand(Hand, Protocol):
    """The same at a board."""

    def press(self) -> None:
        """Press the button and release it."""


class Person:
    """A hand that belongs to a person: `tell` asks them at the terminal, and the part shows what they did."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def lay(self, uid_bytes: int) -> None:
        self._tell(f"Lay a card with a UID of {uid_bytes} bytes on the reader, and let it lie ({PATIENCE_S:.0f} s).")

    def lift(self) -> None:
        self._tell(f"Take the card away ({PATIENCE_S:.0f} s).")

    def press(self) -> None:
        self._tell(f"Press the button once and let it go ({PATIENCE_S:.0f} s).")
