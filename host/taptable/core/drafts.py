"""Drafts: states are immutable values, so a move changes a draft, a copy of the last state. Games use it. Must not know
what a state contains."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def draft(of: T, **changes: Any) -> T:
    """Return a copy of a state, or of a part of one, with these fields changed. The caller may change it until it hands
    it on. The copy is shallow: take a draft of each part that changes."""
    copy = object.__new__(type(of))
    copy.__dict__ = of.__dict__ | changes
    return copy


def is_same(after: object, before: object) -> bool:
    """Return whether both states have equal fields."""
    return after.__dict__ == before.__dict__
