"""Sentences made to fit a box: wrapped where words end, set in the largest font that takes them, shortened with …
where none does. Pure; draws nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from taptable.edges.cues.fonts import ACCENT_ROWS, Font

_NO_BREAK_AFTER = "«„“¿¡("


@dataclass(frozen=True, slots=True)
class SetText:
    """Lines in a font, ready to be drawn; `above` and `below` are what stands out over the capitals and under the base
    line; `whole` unless something had to be left out."""

    font: Font
    lines: tuple[str, ...]
    above: int
    below: int
    whole: bool = True

    @property
    def height(self) -> int:
        """Rows in all, from the topmost ink to the lowest."""
        return self.above + self.font.pitch * (len(self.lines) - 1) + self.font.height + self.below if self.lines else 0


def shorten(text: str, font: Font, width: int) -> str:
    """`text`, or as much of it as stands in `width` pixels with … at its end; nothing at all where not even that
    fits."""
    if font.width(text) <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        short = text[:end].rstrip(" .,;:–-") + "…"
        if font.width(short) <= width:
            return short
    return ""


def wrap(text: str, font: Font, width: int) -> list[str]:
    """`text` in lines of at most `width` pixels, broken after spaces and hyphens, and inside a word only if it is
    longer than a line."""
    lines: list[str] = []
    line = ""
    for word in _words(text):
        if font.width(f"{line}{word}".rstrip()) <= width:
            line += word
            continue
        if line.strip():
            lines.append(line.rstrip())
        *full, line = _pieces(word, font, width)
        lines.extend(full)
    return [*lines, line.rstrip()] if line.strip() else lines


def set_text(text: str, fonts: Sequence[Font], width: int, height: int) -> SetText:
    """`text` in the first of `fonts` in which it fits the box with no word cut, else in the last one, shortened where
    it must be."""
    for font in fonts:
        tried = _set(wrap(text, font, width), font)
        cut = font is not fonts[-1] and any(font.width(word.rstrip()) > width for word in _words(text))
        if tried.height <= height and not cut:
            return tried
    return _cut(wrap(text, fonts[-1], width), fonts[-1], width, height)


def _cut(lines: list[str], font: Font, width: int, height: int) -> SetText:
    """As many of the lines as fit, the last of them ending in …"""
    for count in range(len(lines) - 1, 0, -1):
        last = shorten(f"{lines[count - 1]} {lines[count]}", font, width)
        if not last.endswith("…"):
            last = shorten(f"{last}…", font, width)
        kept = _set([*lines[: count - 1], last], font)
        if kept.height <= height:
            return replace(kept, whole=False)
    return SetText(font, (), 0, 0, whole=False)


def _set(lines: list[str], font: Font) -> SetText:
    if not lines:
        return SetText(font, (), 0, 0)
    first = font.ink(lines[0]).getbbox()
    above = max(0, ACCENT_ROWS - first[1]) if first else 0
    return SetText(font, tuple(lines), above, font.tails(lines[-1]))


def _words(text: str) -> Iterator[str]:
    """Pieces between which a line may end, each with its spaces; ``E-Mail`` comes as ``E-`` and ``Mail``."""
    word = ""
    for char, after in zip(text, f"{text[1:]} ", strict=True):
        word += char
        if (char == " " and after not in "!?:;»" and word[-2:-1] not in _NO_BREAK_AFTER) or (
            char == "-" and after.isalpha() and len(word) > 2
        ):
            yield word
            word = ""
    if word:
        yield word


def _pieces(word: str, font: Font, width: int) -> list[str]:
    """A word cut into lines, with hyphens, where it is longer than a line by itself."""
    pieces: list[str] = []
    while font.width(word.rstrip()) > width:
        end = next((end for end in range(len(word) - 1, 0, -1) if font.width(f"{word[:end]}-") <= width), 0)
        if not end:
            return [*pieces, ""]
        pieces.append(f"{word[:end]}-")
        word = word[end:]
    return [*pieces, word]
