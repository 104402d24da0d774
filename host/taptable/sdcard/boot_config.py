"""What a table needs in the boot partition's ``config.txt``: one block of lines, of those that don't stand there for
every model anyway. The installed table writes the same block, and so finds nothing to change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

BEGIN = "# taptable: what the table's devices need; the installer's, from here"
END = "# taptable: to here"


def with_lines(text: str, needed: Sequence[str]) -> str:
    """The text of ``config.txt`` with these lines in force for every model; what stood there stays."""
    others = list(_without_block(text.splitlines()))
    standing = set(_for_every_model(others))
    missing = [line for line in needed if line not in standing]
    if missing:
        others += [BEGIN, "[all]", *missing, END]
    return "\n".join(others) + "\n"


def _without_block(lines: Iterable[str]) -> Iterator[str]:
    is_ours = False
    for line in lines:
        is_ours = is_ours or line == BEGIN
        if not is_ours:
            yield line
        is_ours = is_ours and line != END


def _for_every_model(lines: Iterable[str]) -> Iterator[str]:
    is_limited = False
    for line in lines:
        if line.startswith("["):
            is_limited = not line.startswith("[all]")
        elif not is_limited:
            yield line
