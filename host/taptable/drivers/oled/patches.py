"""What changed between two frames of a page-addressed display, as rectangles worth sending: `best_cover` weighs the
bytes of each rectangle's addressing against the unchanged bytes it would take along. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import NamedTuple

from PIL import Image

ROWS_PER_PAGE = 8
_BITS_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # a page's top row is its lowest bit
_MAX_JOINED_RUNS = 32  # pieces from which putting them together costs more time than it saves on the bus

Frame = tuple[bytes, ...]
"""A picture as the display keeps it: pages of eight rows, a byte for each column."""


class Patch(NamedTuple):
    """A rectangle: pages `top` to `bottom`, columns `left` to `right`, the last of each not included."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def area(self) -> int:
        """Bytes of picture in it."""
        return (self.bottom - self.top) * (self.right - self.left)

    def union(self, other: Patch) -> Patch:
        """The smallest rectangle around both."""
        top, bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        return Patch(top, bottom, min(self.left, other.left), max(self.right, other.right))

    def extract(self, frame: Frame) -> bytes:
        """The bytes of this rectangle of a frame, page by page."""
        return b"".join(page[self.left : self.right] for page in frame[self.top : self.bottom])


def pack(image: Image.Image) -> Frame:
    """A one-bit picture, its height a multiple of 8, as a frame."""
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(_BITS_REVERSED)
    pages = image.height // ROWS_PER_PAGE
    return tuple(columns[page::pages] for page in range(pages))


def best_cover(old: Frame | None, new: Frame, overhead: int, *, across_pages: bool) -> tuple[Patch, ...]:
    """Rectangles that hold every changed byte (all there are, where nobody knows what was before), chosen so that their
    bytes and `overhead` bytes for each are few; `across_pages` if one rectangle may span several pages. Never dearer
    than sending everything, or one rectangle around all changes."""
    if old is None:
        runs = [Patch(page, page + 1, 0, len(new[page])) for page in range(len(new))]
    else:
        runs = [run for page in range(len(new)) for run in _runs(old[page], new[page], page, overhead)]
    if not runs or not across_pages:
        return tuple(runs)
    around = reduce(Patch.union, runs)
    if len(runs) > _MAX_JOINED_RUNS:
        return (around,)
    joined = _join(runs, overhead)
    return joined if cost(joined, overhead) <= cost((around,), overhead) else (around,)


def cost(cover: Sequence[Patch], overhead: int) -> int:
    """Bytes on the bus for these rectangles."""
    return sum(patch.area + overhead for patch in cover)


def _runs(old: bytes, new: bytes, page: int, overhead: int) -> Iterator[Patch]:
    """Stretches of changed columns of a page; a gap that is cheaper to send than to leave out is part of them."""
    if old == new:
        return
    changed = [column for column, (before, after) in enumerate(zip(old, new, strict=True)) if before != after]
    first = last = changed[0]
    for column in changed[1:]:
        if column - last - 1 > overhead:
            yield Patch(page, page + 1, first, last + 1)
            first = column
        last = column
    yield Patch(page, page + 1, first, last + 1)


def _join(runs: Sequence[Patch], overhead: int) -> tuple[Patch, ...]:
    """Put the two together that save most, until no two save anything."""
    cover: list[Patch] = list(runs)
    while len(cover) > 1:
        one, other = max(combinations(cover, 2), key=lambda pair: _saving(pair, overhead))
        if _saving((one, other), overhead) <= 0:
            break
        around = one.union(other)
        cover = [*(patch for patch in cover if around.union(patch) != around), around]
    return tuple(cover)


def _saving(pair: tuple[Patch, Patch], overhead: int) -> int:
    """Bytes by which one rectangle around both is cheaper than the two."""
    (top, bottom, left, right), (its_top, its_bottom, its_left, its_right) = pair
    # spelled out: of all that is done for a picture, most time goes here
    rows = (bottom if bottom > its_bottom else its_bottom) - (top if top < its_top else its_top)
    columns = (right if right > its_right else its_right) - (left if left < its_left else its_left)
    both = (bottom - top) * (right - left) + (its_bottom - its_top) * (its_right - its_left)
    return both + overhead - rows * columns
