"""Compares the version of a board's firmware, from its hello, with this table's: whether the board is used, and what it
can do. Must not know how a version arrives."""

from __future__ import annotations

from enum import StrEnum

from tapshared.version import FIRMWARE, OLDEST_SUPPORTED


class Fit(StrEnum):
    """How a version of the firmware fits this table."""

    TOO_OLD = "too-old"  # its board isn't used
    OLDER = "older"  # older than this table's own; it works
    RIGHT = "right"
    NEWER = "newer"  # works too: the protocol has a number of its own
    UNKNOWN = "unknown"  # not three numbers: somebody's own firmware; it is used


def firmware_fit(firmware: str) -> Fit:
    """Return how a version of the firmware fits this table."""
    version = _numbers(firmware)
    oldest, own = _numbers(OLDEST_SUPPORTED), _numbers(FIRMWARE)
    if version is None or oldest is None or own is None:
        return Fit.UNKNOWN
    if version < oldest:
        return Fit.TOO_OLD
    return Fit.OLDER if version < own else Fit.RIGHT if version == own else Fit.NEWER


def is_since(first: str, firmware: str) -> bool:
    """Return whether a version is `first` or later."""
    version, least = _numbers(firmware), _numbers(first)
    return version is not None and least is not None and version >= least


def _numbers(version: str) -> tuple[int, ...] | None:
    """Return the three numbers of a version, or None."""
    parts = version.split(".")
    plain = len(parts) == 3 and all(part.isascii() and part.isdecimal() for part in parts)
    return tuple(int(part) for part in parts) if plain else None
