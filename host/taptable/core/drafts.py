"""Drafts: states are values that nobody changes, and what makes the next one changes a copy of the last."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def draft(of: T) -> T:
    """A copy of a state, or of a part of one, that may be changed until it is given away. What is in it is shared: of
    each part that changes there is a draft of its own."""
    copy = object.__new__(type(of))
    copy.__dict__.update(of.__dict__)
    return copy
