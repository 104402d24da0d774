"""The positions of cards on a sheet and of their backs on its other side, in millimetres from the upper left corner of
the paper. Pure; knows no card and no PDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
BLEED = 3.0
"""By how many mm a card's background extends beyond the cut, if a bleed is requested."""
MARK_LENGTH, MARK_GAP = 4.0, 1.0
"""The length of a crop mark, and its distance from the print, in mm."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet in portrait format, in mm."""

    name: str
    width: float
    height: float


PAPERS: Mapping[str, Paper] = {"a4": Paper("A4", 210.0, 297.0), "letter": Paper("Letter", 215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class CardPosition:
    """The centre of a card, and its rotation in degrees anticlockwise."""

    x: float
    y: float
    rotation_deg: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A grid of cards in the middle of a sheet. Without a `bleed` they are upright, and neighbours share a cut; with
    one they lie on their sides, each with the bleed all around."""

    paper: Paper
    bleed: float
    columns: int
    rows: int

    @property
    def card_width(self) -> float:
        """The width of a card as it lies."""
        return CARD_HEIGHT if self.bleed else CARD_WIDTH

    @property
    def card_height(self) -> float:
        """The height of a card as it lies."""
        return CARD_WIDTH if self.bleed else CARD_HEIGHT

    @property
    def cards_per_sheet(self) -> int:
        """The number of cards on a sheet."""
        return self.columns * self.rows

    def front(self, number: int) -> CardPosition:
        """Return the position of a sheet's card, counted from 0, row by row."""
        row, column = divmod(number, self.columns)
        return CardPosition(
            self.paper.width / 2 + (column - (self.columns - 1) / 2) * (self.card_width + 2 * self.bleed),
            self.paper.height / 2 + (row - (self.rows - 1) / 2) * (self.card_height + 2 * self.bleed),
            90 if self.bleed else 0,
        )

    def back(self, number: int) -> CardPosition:
        """Return the position of its back on the other side of the paper, which is turned over its long edge."""
        front = self.front(number)
        return CardPosition(self.paper.width - front.x, front.y, -front.rotation_deg)

    def cuts(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the cuts of the sheet: the x of those from top to bottom, the y of those from side to side."""
        places = [self.front(number) for number in range(self.cards_per_sheet)]
        across = {round(place.x + side * self.card_width / 2, 3) for place in places for side in (-1, 1)}
        down = {round(place.y + side * self.card_height / 2, 3) for place in places for side in (-1, 1)}
        return tuple(sorted(across)), tuple(sorted(down))

    def crop_marks(self) -> list[tuple[float, float, float, float]]:
        """Return lines outside the print, `x1, y1, x2, y2`, at both ends of every cut."""
        across, down = self.cuts()
        off = self.bleed + MARK_GAP
        marks: list[tuple[float, float, float, float]] = []
        for outside, inside in (
            (down[0] - off - MARK_LENGTH, down[0] - off),
            (down[-1] + off + MARK_LENGTH, down[-1] + off),
        ):
            marks += [(x, outside, x, inside) for x in across]
        for outside, inside in (
            (across[0] - off - MARK_LENGTH, across[0] - off),
            (across[-1] + off + MARK_LENGTH, across[-1] + off),
        ):
            marks += [(outside, y, inside, y) for y in down]
        return marks


def layout_of(paper: Paper, *, bleed: bool) -> Layout:
    """Return the layout with most cards that leaves room for crop marks."""
    if not bleed:
        return Layout(paper, 0.0, columns=3, rows=3)
    around = 2 * (MARK_GAP + MARK_LENGTH)
    columns = int((paper.width - around) // (CARD_HEIGHT + 2 * BLEED))
    rows = int((paper.height - around) // (CARD_WIDTH + 2 * BLEED))
    return Layout(paper, BLEED, columns, rows)
