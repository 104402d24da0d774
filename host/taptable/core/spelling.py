"""Spells values for sentences about them: as JSON has them, cut to a readable length, and without characters that could
mislead a reader. Must not know what a value means."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from unicodedata import category

LONGEST = 40
"""The most characters of a value that an error message shows (see `shorten`)."""
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)
"""Matches characters that move the cursor, end a line, turn the direction of the text after them or can't be encoded.
Line feeds and tabs are allowed."""


def escape_control_chars(text: str) -> str:
    """Return a text for a terminal or a log, with control characters as JSON escapes."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]")
"""Letters and signs that Unicode calls printable and that print nothing."""
_JOINING = re.compile("[\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]")
"""Characters that join printed characters into one, as in a family or a flag, keep them apart, or choose how one
looks."""


def is_visible(text: str) -> bool:
    """Return whether a text can name somebody or something: one line, something visible in it, nothing hidden."""
    printed = _JOINING.sub("", text)
    return (
        printed.isprintable()
        and _INVISIBLE.search(printed) is None
        and any(category(each)[0] in "LNPS" for each in printed)
    )


def short_json(value: object) -> str:
    """Return a value as JSON, for a terminal or a log; lists and objects only by kind, since they may be deep."""
    match value:
        case list():
            return "a list"
        case dict():
            return "an object"
        case Decimal():
            return shorten(str(value))
        case _:
            return escape_control_chars(shorten(json.dumps(value, ensure_ascii=False)))


def shorten(text: str) -> str:
    """Return the text, cut to `LONGEST` characters."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
