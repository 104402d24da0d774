"""The printing on a board: each part's reference beside it, the names of sockets' pins and of test points, and the
board's own words, where they cover no pad, no hole and no other word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from drafting.boards import Board, Placed, pads_on
from drafting.footprints import Rectangle
from drafting.kicad.library import FIDUCIAL_ROOM_MM
from drafting.parts import DescriptionError

_SMALL = 0.9
_BESIDE_MM = 9.0
"""Two parts nearer to one another than this can be confused."""
_WIDTH = 0.95
"""The width of a KiCad letter, with the space after it, as a share of its height: rather too much than too little."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words by their middle, in mm from the lower left corner; a turn of 90 reads upwards."""

    x: float
    y: float
    height: float
    words: str
    turn: float = 0
    side: str = "front"

    @property
    def back(self) -> bool:
        """Whether they are printed below."""
        return self.side == "back"

    @property
    def area(self) -> Rectangle:
        """The area that it covers: left, bottom, right, top."""
        half = len(self.words) * self.height * _WIDTH / 2, self.height * 1.5 / 2
        width, height = reversed(half) if self.turn else half
        return self.x - width, self.y - height, self.x + width, self.y + height


def lettering(board: Board) -> list[Text]:
    """All words; DescriptionError if there is no room for one."""
    taken = list(_taken(board))
    found: list[Text] = []
    for text in board.texts:
        x, y, height, words, *turned = text
        found.append(Text(x, y, height, words.format(revision=board.revision, date=board.date), *turned))
        taken += [] if found[-1].back else [found[-1].area]
    wanted = [
        (part, *each)
        for names in (_of_pins, _value_of_part, _of_part)
        for part in board.parts
        for each in names(board, part)
    ]
    for part, words, places in wanted:
        text = next((each for each in places if _free(board, each, taken)), None)
        if text is None:
            raise DescriptionError(f"{board.title}: no room for the word {words} beside {part.name}.")
        found.append(text)
        taken.append(text.area)
    return found


def _taken(board: Board) -> Iterator[Rectangle]:
    for part in board.parts:
        yield from (area for _, area in pads_on(part))
        yield from _lines(part)
        for hole in part.footprint.holes:
            yield _square(*part.point(hole.x, hole.y), hole.diameter)
    for x, y, diameter in board.holes:
        yield _square(x, y, diameter)
    for x, y in board.fiducials:
        yield _square(x, y, 1 + 2 * FIDUCIAL_ROOM_MM)
    yield from board.notches


def _square(x: float, y: float, side: float) -> Rectangle:
    return x - side / 2, y - side / 2, x + side / 2, y + side / 2


def _lines(part: Placed) -> Iterator[Rectangle]:
    """The areas that a part covers, with its printed outline; only the outline, if it stands high enough to print below
    it."""
    if part.footprint.outline is None:
        return
    left, low, right, top = part.area(part.footprint.outline)
    if part.footprint.body[0].low <= 0:
        yield left - 0.4, low - 0.4, right + 0.4, top + 0.4
    else:
        yield left - 0.3, low - 0.3, left + 0.3, top + 0.3
        yield right - 0.3, low - 0.3, right + 0.3, top + 0.3
        yield left - 0.3, low - 0.3, right + 0.3, low + 0.3
        yield left - 0.3, top - 0.3, right + 0.3, top + 0.3


def _free(board: Board, text: Text, taken: list[Rectangle]) -> bool:
    left, low, right, top = text.area
    width, height = board.size
    if left < 0.3 or low < 0.3 or right > width - 0.3 or top > height - 0.3:
        return False
    return not any(
        left < area[2] + 0.1 and area[0] < right + 0.1 and low < area[3] + 0.1 and area[1] < top + 0.1 for area in taken
    )


_Wanted = Iterator[tuple[str, list[Text]]]
"""Words, each with the places where they may stand, the best first."""


def _of_pins(board: Board, part: Placed) -> _Wanted:
    """The names of a socket's pins, and what is measured at a test point."""
    names = part.pin_at
    if part.footprint.prefix == "TP":
        net = board.net_of(part.reference, "1") or ""
        yield net, _around(net, part)
    elif part.footprint.name.startswith(("PH_", "RC522")):
        for pad, area in pads_on(part):
            if pad.number not in names:
                continue  # a pole that leads nowhere
            yield names[pad.number], _beside_pad(names[pad.number], part, area)


def _value_of_part(board: Board, part: Placed) -> _Wanted:
    """The value of a part, to be printed if a part beside it looks the same and has another value."""
    value = marking(part)
    if value and any(
        other.footprint is part.footprint
        and marking(other) != value
        and hypot(other.x - part.x, other.y - part.y) < _BESIDE_MM
        for other in board.parts
    ):
        yield value, [*_at_ends(value, part), *_around(value, part)]


def marking(part: Placed) -> str:
    """The value of a resistor as it is printed, such as 2k2; nothing for other parts."""
    ohms = part.kind.ohms
    if not ohms:
        return ""
    thousands, rest = divmod(ohms, 1000)
    return f"{thousands}k{rest // 100 or ''}" if thousands else str(ohms)


def _at_ends(words: str, part: Placed) -> list[Text]:
    """In line with a part, beyond its pads."""
    left, low, right, top = part.area(part.footprint.courtyard)
    half = len(words) * _SMALL * _WIDTH / 2 + 0.1
    if part.turn % 180:
        return [Text(part.x, y, _SMALL, words, 90) for y in (low - half, top + half)]
    return [Text(x, part.y, _SMALL, words) for x in (left - half, right + half)]


def _of_part(_board: Board, part: Placed) -> _Wanted:
    if part.footprint.prefix != "TP":
        yield part.reference, _around(part.reference, part)


def _beside_pad(words: str, part: Placed, area: Rectangle) -> list[Text]:
    """Behind a pad of a row, read along the row's other direction."""
    x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
    length = len(words) * _SMALL * _WIDTH / 2
    upright = part.turn % 180 == 0
    places: list[Text] = []
    for out in (0.6, 0.8, 1.0, 1.3, 1.6):
        for sign in (1, -1):
            if upright:
                far = (area[3] - area[1]) / 2 + length + out
                places.append(Text(x, y + sign * far, _SMALL, words, 90))
            else:
                far = (area[2] - area[0]) / 2 + length + out
                places.append(Text(x + sign * far, y, _SMALL, words))
    return places


def _around(words: str, part: Placed) -> list[Text]:
    """Above, below and at the sides of a part."""
    left, low, right, top = part.area(part.footprint.courtyard)
    places: list[Text] = []
    for turn in (0, 90):
        probe = Text(0, 0, _SMALL, words, turn).area
        half = probe[2], probe[3]
        x, y = (left + right) / 2, (low + top) / 2
        for out in (0.0, 0.3, 0.6, 1.0, 1.5, 2.2, 3.0):
            spread = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0]
            places += [Text(x + s, top + half[1] + out, _SMALL, words, turn) for s in spread]
            places += [Text(x + s, low - half[1] - out, _SMALL, words, turn) for s in spread]
            places += [Text(right + half[0] + out, y + s, _SMALL, words, turn) for s in spread]
            places += [Text(left - half[0] - out, y + s, _SMALL, words, turn) for s in spread]
    return places
