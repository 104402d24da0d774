"""What a version of the firmware, which a board names in its hello, is to this table: whether the board is used, and
what it can do. Knows no wire."""

from __future__ import annotations

from enum import StrEnum

from tapshared.version import FIRMWARE, OLDEST_SUPPORTED


class Fit(StrEnum):
    """What a version of the firmware is to this table."""

    TOO_OLD = "too-old"  # its board isn't used
    OLDER = "older"  # than what this table brings; it works
    RIGHT = "right"
    NEWER = "newer"  # works too: the protocol has a number of its own
    UNKNOWN = "unknown"  # no three numbers: somebody's own; it is used


def firmware_fit(firmware: str) -> Fit:
    """What this version is to this table."""
    version = _numbers(firmware)
    oldest, own = _numbers(OLDEST_SUPPORTED), _numbers(FIRMWARE)
    if version is None or oldest is None or own is None:
        return Fit.UNKNOWN
    if version < oldest:
        return Fit.TOO_OLD
    return Fit.OLDER if version < own else Fit.RIGHT if version == own else Fit.NEWER


def is_since(first: str, firmware: str) -> bool:
    """Whether a version is this one or later."""
    version, least = _numbers(firmware), _numbers(first)
    return version is not None and least is not None and version >= least


def _numbers(version: str) -> tuple[int, ...] | None:
    """The three numbers of a version, or None."""
    parts = version.split(".")
    plain = len(parts) == 3 and all(part.isascii() and part.isdecimal() for part in parts)
    return tuple(int(part) for part in parts) if plain else None
