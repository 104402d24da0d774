"""What a table needs in the boot partition's ``config.txt``: one block of lines, of those that don't stand there for
every model anyway. A card that is made ready gets it, and an installed table's ``taptable-buses`` puts it in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

BEGIN = "# taptable: what the table's devices need; the installer's, from here"
END = "# taptable: to here"

# with no other one inside: of a block that has lost its end, what follows is somebody's
_BLOCK = re.compile(
    rf"^{re.escape(BEGIN)}\r?\n(?:(?!{re.escape(BEGIN)}).*\n)*?{re.escape(END)}\r?(?:\n|\Z)", re.MULTILINE
)


def with_lines(text: str, needed: Sequence[str]) -> str:
    """The text of ``config.txt`` with these lines in force for every model; what stood there stays."""
    others = without_lines(text)
    standing = set(_for_every_model(others))
    missing = [line for line in needed if line not in standing]
    if not missing:
        return others
    ended = others if others.endswith("\n") or not others else f"{others}\n"
    return ended + "\n".join([BEGIN, "[all]", *missing, END, ""])


def without_lines(text: str) -> str:
    """The text without the block."""
    return _BLOCK.sub("", text)


def block_in(text: str) -> str:
    """The block, with its two ends; empty where there is none."""
    return "".join(_BLOCK.findall(text))


def _for_every_model(text: str) -> Iterator[str]:
    is_limited = False
    for line in text.splitlines():
        if line.startswith("["):
            is_limited = not line.startswith("[all]")
        elif not is_limited:
            yield line
