"""Parses JSON that was written elsewhere: by a browser, another table, or a person with an editor. Python's own parser
accepts values that can't be written again. This parser refuses them, and limits depth and numbers, so that no code
behind it has to expect them. The referee's lines have a parser of their own in `referee.values`. Must not know what a
text is for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 64
"""The deepest nesting of objects and lists. A manifest or a message has about 6 levels."""
MAX_WHOLE = 2**53
"""Bound of whole numbers, below and above 0: a browser can't tell larger ones apart."""

_NESTING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
"""Matches what may be half a UTF-16 pair, which no UTF-8 can have."""


class NotJson(ValueError):
    """A text is no JSON, or can't be written again: it is nested too deeply, or has a number or a character that
    doesn't exist. The message says why; `line` and `column` say where, from 1, if that is known."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def parse_json(text: str | bytes, object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the value of a JSON text in UTF-8; `object_pairs_hook` makes the value of an object. Raises NotJson."""
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        raise NotJson("it isn't written in UTF-8") from None
    check_depth(decoded)
    try:
        value = json.loads(
            decoded,
            object_pairs_hook=object_pairs_hook,
            parse_int=_parse_int,
            parse_float=_parse_float,
            parse_constant=_reject_constant,
        )
    except json.JSONDecodeError as error:
        raise NotJson(error.msg, error.lineno, error.colno) from None
    if _SURROGATE.search(decoded):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = error.object[error.start]
            raise NotJson(f"it has a character that can't be written: {half!a}") from None
    return value


def check_depth(text: str) -> None:
    """Raise NotJson if objects and lists are nested more than `MAX_DEPTH` deep."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for token in _NESTING.finditer(text):
        match token[0][0]:
            case "[" | "{":
                depth += 1
                if depth > MAX_DEPTH:
                    raise NotJson("it is nested too deeply")
            case "]" | "}":
                depth -= 1
            case _:
                pass


def _parse_int(digits: str) -> int:
    if len(digits) > len(str(-MAX_WHOLE)) or not -MAX_WHOLE < int(digits) < MAX_WHOLE:
        raise NotJson("it has a number that is too large")
    return int(digits)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise NotJson("it has a number that is too large")
    return number


def _reject_constant(name: str) -> float:
    raise NotJson(f"it has {name}, which is no number in JSON")
