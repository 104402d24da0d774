"""Values as a sentence about them shows them: as JSON has them, and no longer than a reader cares for."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from unicodedata import category

LONGEST = 40

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)
"""What moves the cursor, ends a line, turns the direction of what follows or can't be encoded. Line feeds and tabs may
stand."""


def escape_control_chars(text: str) -> str:
    """Return a text for a terminal or a log: control characters are written as JSON escapes."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]")
"""Letters and signs that print, says Unicode, as nothing."""
_JOINING = re.compile("[\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]")
"""What joins characters that print into one, as in a family or a flag, keeps apart what would be joined, or chooses how
one looks."""


def is_visible(text: str) -> bool:
    """Whether a text can name somebody or something: one line, in which something is seen and nothing is hidden."""
    seen = _JOINING.sub("", text)
    return seen.isprintable() and _INVISIBLE.search(seen) is None and any(category(each)[0] in "LNPS" for each in seen)


def short_json(value: object) -> str:
    """A value as JSON has it, for a terminal or a log; what is nested only by its kind, for it may be deep."""
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
    """The beginning of a text."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
