"""A one-bit picture as lines of text, for terminals: two pixels a character in half blocks, or eight in Braille
dots."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

_BLOCKS = " ▀▄█"
_BRAILLE = 0x2800
_DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))  # column and row of each bit of a Braille sign


def as_text(image: Image.Image, *, braille: bool = False) -> list[str]:
    """The picture, two rows a line in half blocks, or four rows a line and two columns a character in Braille."""
    return _in_braille(image) if braille else _in_blocks(image)


def _in_blocks(image: Image.Image) -> list[str]:
    lit = _lit(image)
    return [
        "".join(_BLOCKS[lit(x, y) + 2 * lit(x, y + 1)] for x in range(image.width)) for y in range(0, image.height, 2)
    ]


def _in_braille(image: Image.Image) -> list[str]:
    lit = _lit(image)

    def sign(x: int, y: int) -> str:
        return chr(_BRAILLE + sum(lit(x + column, y + row) << bit for bit, (column, row) in enumerate(_DOTS)))

    return ["".join(sign(x, y) for x in range(0, image.width, 2)) for y in range(0, image.height, 4)]


def _lit(image: Image.Image) -> Callable[[int, int], bool]:
    """Asks whether a pixel is lit; beyond the edges none is."""
    pixels = image.load()
    assert pixels is not None
    width, height = image.size
    return lambda x, y: x < width and y < height and bool(pixels[x, y])
