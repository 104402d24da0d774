"""What the table shows to people who come with a phone: where the page is, and the code by which it takes them in.
Values on their way from the page to the display, and to nobody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Code:
    """A code that holds until `until_us` of the table's time, `whole_us` in all. Its digits stand on the display and
    nowhere else: they aren't in what a log or an error would show of it."""

    digits: str = field(repr=False)
    until_us: int
    whole_us: int


ShowCode: TypeAlias = Callable[[Code | None], str]
"""Shows a code in place of the last, or takes it away; gives where it is found: ``display``, ``voice`` or ``log``."""
