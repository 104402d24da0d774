"""Whoever stands at real parts and does what a test asks. Nothing is read from the terminal: that a card was laid shows
in the part itself, and a test that waits for it has its deadline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

PATIENCE_S = 30.0
"""How long somebody may take for what he was asked."""


class Hand(Protocol):
    """Does what is to be done at a reader."""

    def lay(self, uid_bytes: int) -> None:
        """Lay a card with a UID of so many bytes."""

    def lift(self) -> None:
        """Lift it."""


class PressingHand(Hand, Protocol):
    """The same at a board."""

    def press(self) -> None:
        """Press the button and let it go."""


class Person:
    """Is asked at the terminal by `tell`, and looked for at the part."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def lay(self, uid_bytes: int) -> None:
        self._tell(f"Lay a card with a UID of {uid_bytes} bytes on the reader, and let it lie ({PATIENCE_S:.0f} s).")

    def lift(self) -> None:
        self._tell(f"Take the card away ({PATIENCE_S:.0f} s).")

    def press(self) -> None:
        self._tell(f"Press the button once and let it go ({PATIENCE_S:.0f} s).")
