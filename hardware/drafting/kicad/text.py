"""KiCad's files are S-expressions; they are written here, each with identifiers that are the same every time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias
from uuid import UUID, uuid5

_SPACE = UUID("6f5c1d52-31a4-4f0b-9d3c-7f6f6e1f2a10")
Word: TypeAlias = "str | float | Quoted | Node"


class Quoted(str):
    """A word in quotation marks."""

    __slots__ = ()


class Node(tuple[Word, ...]):
    """A list in brackets."""

    __slots__ = ()


def node(*words: Word | Iterable[Node] | None) -> Node:
    """A list of words and of lists; None is left out, and so is the bracket of an iterable of lists."""
    return Node(_flat(words))


def _flat(words: Iterable[Word | Iterable[Node] | None]) -> Iterator[Word]:
    for word in words:
        if isinstance(word, str | float | int | Node):
            yield word
        elif word is not None:
            yield from word


def identifier(*names: object) -> Node:
    """The `uuid` for these names."""
    return node("uuid", Quoted(key(*names)))


def key(*names: object) -> str:
    """The same as a word."""
    return str(uuid5(_SPACE, "/".join(map(str, names))))


def at(x: float, y: float, turn: float = 0) -> Node:
    """A place, with an angle in degrees."""
    return node("at", x, y, turn)


def font(height: float, *, thickness: float | None = None, hidden: bool = False, justify: str = "") -> Node:
    """How letters look."""
    return node(
        "effects",
        node("font", node("size", height, height), node("thickness", thickness) if thickness else None),
        node("justify", *justify.split()) if justify else None,
        node("hide", "yes") if hidden else None,
    )


def to_text(word: Word, depth: int = 0) -> str:
    """The text of a list: short ones on a line, of the others each list in them on a line of its own."""
    if isinstance(word, Node):
        line = f"({' '.join(to_text(inner, depth + 1) for inner in word)})"
        if len(line) + 2 * depth <= 118 and "\n" not in line:
            return line
        indent = "\n" + "  " * (depth + 1)
        lines = [(indent if isinstance(inner, Node) else " ") + to_text(inner, depth + 1) for inner in word[1:]]
        return f"({to_text(word[0])}{''.join(lines)}\n{'  ' * depth})"
    if isinstance(word, Quoted):
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return word if isinstance(word, str) else f"{round(word, 4):g}" if abs(word) < 1e5 else str(word)
