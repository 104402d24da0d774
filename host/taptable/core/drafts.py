"""Drafts: states are values that nobody changes, and what makes the next one changes a copy of the last."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def draft(of: T, **changes: Any) -> T:
    """A copy of a state, or of a part of one, that may be changed until it is given away, these fields of it already.
    What is in it is shared: of each part that changes there is a draft of its own."""
    copy = object.__new__(type(of))
    copy.__dict__ = of.__dict__ | changes
    return copy


def is_same(after: object, before: object) -> bool:
    """Did nothing change from the one state to the other?"""
    return after.__dict__ == before.__dict__
