"""Drawn sheets, read again by another program: the texts on each page, and their places."""

from __future__ import annotations

from functools import cache
from typing import Any

import pypdfium2
from pypdfium2 import raw
from taptable.printing.order import Order, draw

MM_PER_POINT = 25.4 / 72

drawn = cache(draw)


def an_order(game: str = "cyber-siege", language: str = "en", **more: Any) -> Order:
    return Order(game, language, **more)


class ParsedPdf:
    """A PDF that is read."""

    def __init__(self, pdf: bytes) -> None:
        self._document = pypdfium2.PdfDocument(pdf)
        self.texts = [" ".join(page.get_textpage().get_text_range().split()) for page in self._document]

    def __len__(self) -> int:
        return len(self._document)

    def size_mm(self, number: int) -> tuple[float, float]:
        """The size of a page, counted from 0."""
        width, height = self._document[number].get_size()
        return width * MM_PER_POINT, height * MM_PER_POINT

    def bottoms_mm(self, number: int) -> list[tuple[float, str]]:
        """The lower ends of the pieces of text on a page, from its upper edge, and the texts."""
        page = self._document[number]
        text, height = page.get_textpage(), page.get_height()
        boxes = [text.get_rect(at) for at in range(text.count_rects())]
        return [
            ((height - bottom) * MM_PER_POINT, text.get_text_bounded(left, bottom, right, top))
            for left, bottom, right, top in boxes
        ]

    def kinds(self) -> set[int]:
        """The kinds of objects on all pages, within forms too."""
        return {found.type for page in self._document for found in page.get_objects()}

    def picture(self, number: int, scale: float = 1.0) -> Any:
        """A page as a picture of `scale` pixels per point."""
        return self._document[number].render(scale=scale).to_pil().convert("RGB")


IMAGE = raw.FPDF_PAGEOBJ_IMAGE
