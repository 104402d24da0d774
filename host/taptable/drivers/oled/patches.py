"""The changes between two frames of a page-addressed display, as rectangles worth sending: `best_cover` weighs the
bytes of each rectangle's addressing against the unchanged bytes that it would include. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import NamedTuple

from PIL import Image

ROWS_PER_PAGE = 8
_BITS_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # a page's top row is its lowest bit
_MAX_JOINED_RUNS = 32  # with more pieces, joining them costs more time than it saves on the bus

Frame = tuple[bytes, ...]
"""A picture in the display's format: pages of eight rows, a byte for each column."""


class Patch(NamedTuple):
    """A rectangle: pages `top` to `bottom`, columns `left` to `right`, the last of each not included."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def area(self) -> int:
        """The number of picture bytes in it."""
        return (self.bottom - self.top) * (self.right - self.left)

    def union(self, other: Patch) -> Patch:
        """Return the smallest rectangle around both."""
        top, bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        return Patch(top, bottom, min(self.left, other.left), max(self.right, other.right))

    def extract(self, frame: Frame) -> bytes:
        """Return the bytes of this rectangle of a frame, page by page."""
        return b"".join(page[self.left : self.right] for page in frame[self.top : self.bottom])


def pack(image: Image.Image) -> Frame:
    """Convert a one-bit picture, whose height is a multiple of 8, into a frame."""
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(_BITS_REVERSED)
    pages = image.height // ROWS_PER_PAGE
    return tuple(columns[page::pages] for page in range(pages))


def best_cover(old: Frame | None, new: Frame, overhead: int, *, across_pages: bool) -> tuple[Patch, ...]:
    """Return rectangles that cover every changed byte (all bytes if `old` is None), with few bytes including `overhead`
    bytes for each; `across_pages` if one rectangle may span several pages. Never more expensive than sending
    everything, or one rectangle around all changes."""
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
    """Return the bytes on the bus for these rectangles."""
    return sum(patch.area + overhead for patch in cover)


def _runs(old: bytes, new: bytes, page: int, overhead: int) -> Iterator[Patch]:
    """Yield stretches of changed columns of a page. A gap that is cheaper to send than to leave out is part of them."""
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
    """Join the two that save most, until no two save anything."""
    cover: list[Patch] = list(runs)
    while len(cover) > 1:
        one, other = max(combinations(cover, 2), key=lambda pair: _saving(pair, overhead))
        if _saving((one, other), overhead) <= 0:
            break
        around = one.union(other)
        cover = [*(patch for patch in cover if around.union(patch) != around), around]
    return tuple(cover)


def _saving(pair: tuple[Patch, Patch], overhead: int) -> int:
    """Return the bytes by which one rectangle around both is cheaper than the two."""
    (top, bottom, left, right), (its_top, its_bottom, its_left, its_right) = pair
    # spelled out: of all the work for a picture, most time goes here
    rows = (bottom if bottom > its_bottom else its_bottom) - (top if top < its_top else its_top)
    columns = (right if right > its_right else its_right) - (left if left < its_left else its_left)
    both = (bottom - top) * (right - left) + (its_bottom - its_top) * (its_right - its_left)
    return both + overhead - rows * columns
