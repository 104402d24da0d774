"""Whether a board's firmware fits this table, by the version it names in its hello. Knows no port."""

from __future__ import annotations

from enum import StrEnum

from tapshared.version import FIRMWARE, OLDEST


class Fit(StrEnum):
    """What a version of the firmware is to this table."""

    TOO_OLD = "too-old"  # its board isn't used
    OLDER = "older"  # than what this table brings; it works
    RIGHT = "right"
    NEWER = "newer"  # works too: the protocol has a number of its own
    UNKNOWN = "unknown"  # no three numbers: somebody's own; it is used


def verdict_on(firmware: str) -> Fit:
    """What this version is to this table."""
    version = _numbers(firmware)
    if version is None:
        return Fit.UNKNOWN
    if version < _own(OLDEST):
        return Fit.TOO_OLD
    if version < _own(FIRMWARE):
        return Fit.OLDER
    return Fit.RIGHT if version == _own(FIRMWARE) else Fit.NEWER


def _own(version: str) -> tuple[int, ...]:
    numbers = _numbers(version)
    assert numbers is not None, version
    return numbers


def _numbers(version: str) -> tuple[int, ...] | None:
    """The three numbers of a version, or None."""
    parts = version.split(".")
    plain = len(parts) == 3 and all(part.isascii() and part.isdecimal() for part in parts)
    return tuple(int(part) for part in parts) if plain else None
