"""What the table shows to people who come with a phone: where the page is, and the code by which it takes them in.
Values on their way from the page to the display, and to nobody else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Code:
    """A code that holds until `until_us` of the table's time, `whole_us` in all. Its digits stand on the display and
    nowhere else: they aren't in what a log or an error would show of it."""

    digits: str = field(repr=False)
    until_us: int
    whole_us: int


class Guests(Protocol):
    """The parts of a table that are for people with a phone."""

    def show_code(self, code: Code | None) -> str:
        """Show a code in place of the last, or take it away; gives where it is found: ``display``, ``voice`` or
        ``log``."""
        ...

    def invite(self) -> bool:
        """Show where the page is; False where nobody would see it."""
        ...

    def page_at(self, address: str | None) -> None:
        """Where the page is from now on, with its port; None where it can't be reached."""
        ...
