"""Parsers of a sentence's fields, for `sentences`: a function for each type, from bytes to the value, or to None if
they aren't a value of that type. Each value has one spelling. Runs on CPython and on MicroPython. Must not know which
fields a sentence has: `verbs` does."""

from tapshared.ticks import PERIOD
from tapshared.verbs import COUNT, NAME, TICKS, UID

# `strip` leaves nothing of text that consists of these alone, and is many times as fast on a board as a loop.
_HEX_DIGITS = b"0123456789abcdef"
_NAME_CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"


def parse_count(text: bytes) -> int | None:
    """Return the number that a field of type COUNT spells, None if it isn't one."""
    if not text.isdigit() or (text[0] == 48 and text != b"0"):  # a zero before others
        return None
    value = int(text)
    return value if value < PERIOD else None


def _parse_uid(text):
    return text.decode() if len(text) in (8, 14, 20) and not text.strip(_HEX_DIGITS) else None


def _parse_name(text):
    return text.decode() if 0 < len(text) <= 32 and not text.strip(_NAME_CHARACTERS) else None


# The parser of each type of field.
PARSERS = {COUNT: parse_count, TICKS: parse_count, UID: _parse_uid, NAME: _parse_name}
