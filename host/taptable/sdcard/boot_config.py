"""The table's block of lines in the boot partition's ``config.txt``: of the lines that the table needs, those that
aren't in force for every model already. ``taptable sdcard`` writes it to a card; an installed table's
``taptable-buses`` keeps it up to date. Pure; must not know which lines a table needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

BEGIN = "# taptable: what the table's devices need; the installer's, from here"
END = "# taptable: to here"
"""The first and the last line of the block."""

# a block ends before another begins: if a block has lost its end, the lines after it are the user's
_BLOCK = re.compile(
    rf"^{re.escape(BEGIN)}\r?\n(?:(?!{re.escape(BEGIN)}).*\n)*?{re.escape(END)}\r?(?:\n|\Z)", re.MULTILINE
)


def with_lines(text: str, needed: Sequence[str]) -> str:
    """Return the text of ``config.txt`` with these lines in force for every model; all else stays."""
    others = without_lines(text)
    standing = set(_for_every_model(others))
    missing = [line for line in needed if line not in standing]
    if not missing:
        return others
    ended = others if others.endswith("\n") or not others else f"{others}\n"
    return ended + "\n".join([BEGIN, "[all]", *missing, END, ""])


def without_lines(text: str) -> str:
    """Return the text without the block."""
    return _BLOCK.sub("", text)


def block_in(text: str) -> str:
    """Return the block with its two marks; empty if there is none."""
    return "".join(_BLOCK.findall(text))


def _for_every_model(text: str) -> Iterator[str]:
    is_limited = False
    for line in text.splitlines():
        if line.startswith("["):
            is_limited = not line.startswith("[all]")
        elif not is_limited:
            yield line
