"""The rectangles that are sent when a frame changes: they contain every change, and take no more bytes than simpler
ways would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from taptable.drivers.oled.patches import Patch, best_cover, cost, pack

PAGES, COLUMNS = 4, 24
OVERHEADS = st.integers(0, 12)


@st.composite
def frames(draw):
    """Two frames that differ in a few small places."""
    old = [bytearray(COLUMNS) for _ in range(PAGES)]
    new = [bytearray(page) for page in old]
    for _ in range(draw(st.integers(0, 6))):
        top, left = draw(st.integers(0, PAGES - 1)), draw(st.integers(0, COLUMNS - 1))
        for page in range(top, min(PAGES, top + draw(st.integers(1, 3)))):
            for column in range(left, min(COLUMNS, left + draw(st.integers(1, 8)))):
                new[page][column] = 0xFF
    return tuple(map(bytes, old)), tuple(map(bytes, new))


def changed(old, new):
    return {
        (page, column) for page in range(PAGES) for column in range(COLUMNS) if old[page][column] != new[page][column]
    }


def held(cover):
    return {(page, column) for p in cover for page in range(p.top, p.bottom) for column in range(p.left, p.right)}


@given(frames(), OVERHEADS, st.booleans())
def test_every_changed_byte_is_in_a_patch(pair, overhead, across_pages):
    cover = best_cover(*pair, overhead, across_pages=across_pages)
    assert changed(*pair) <= held(cover)


@given(frames(), OVERHEADS)
def test_patches_cost_no_more_than_one_around_all_or_one_for_each_run(pair, overhead):
    old, new = pair
    together = best_cover(old, new, overhead, across_pages=True)
    by_page = best_cover(old, new, overhead, across_pages=False)
    assert cost(together, overhead) <= cost(by_page, overhead) or len(by_page) > 32
    if by_page:
        around = Patch(
            min(p.top for p in by_page),
            max(p.bottom for p in by_page),
            min(p.left for p in by_page),
            max(p.right for p in by_page),
        )
        assert cost(together, overhead) <= cost((around,), overhead)


@given(frames(), OVERHEADS)
def test_patches_of_one_page_are_as_cheap_as_can_be(pair, overhead):
    old, new = pair
    for page in range(PAGES):
        cover = best_cover((old[page],), (new[page],), overhead, across_pages=False)
        assert cost(cover, overhead) == cheapest(old[page], new[page], overhead)


def cheapest(old, new, overhead):
    """The least bytes for one page, by trying every end of every patch."""
    best = [0] * (COLUMNS + 1)
    for end in range(1, COLUMNS + 1):
        options = [best[start] + overhead + end - start for start in range(end)]
        if old[end - 1] == new[end - 1]:
            options.append(best[end - 1])
        best[end] = min(options)
    return best[COLUMNS]


def test_two_figures_far_apart_are_two_patches_and_two_close_ones_are_one():
    old = (bytes(64),) * 3
    far = (b"\xff" * 12 + bytes(40) + b"\xff" * 12,) * 3
    close = (b"\xff" * 12 + bytes(2) + b"\xff" * 12 + bytes(38),) * 3
    assert best_cover(old, far, 8, across_pages=True) == (Patch(0, 3, 0, 12), Patch(0, 3, 52, 64))
    assert best_cover(old, close, 8, across_pages=True) == (Patch(0, 3, 0, 26),)


def test_noise_all_over_is_sent_as_one():
    old, new = (bytes(512),) * 8, (b"\xff" + bytes(15),) * 8
    new = tuple(page * 32 for page in new)
    assert best_cover(old, new, 8, across_pages=True) == (Patch(0, 8, 0, 497),)


@given(st.binary(min_size=64, max_size=64))
def test_packing_puts_the_top_row_into_the_lowest_bit(pixels):
    image = Image.frombytes("1", (32, 16), pixels)
    frame = pack(image)
    assert [len(page) for page in frame] == [32, 32]
    for page in range(2):
        for x in range(32):
            bits = [bool(image.getpixel((x, 8 * page + row))) for row in range(8)]
            assert frame[page][x] == sum(bit << row for row, bit in enumerate(bits))


def test_a_patch_is_cut_page_by_page():
    frame = (bytes(range(8)), bytes(range(10, 18)))
    assert Patch(0, 2, 2, 4).extract(frame) == bytes([2, 3, 12, 13])


def test_of_what_nobody_knows_everything_is_sent():
    frame = (bytes(range(8)), bytes(range(10, 18)))
    assert best_cover(None, frame, 8, across_pages=True) == (Patch(0, 2, 0, 8),)
    assert best_cover(None, frame, 8, across_pages=False) == (Patch(0, 1, 0, 8), Patch(1, 2, 0, 8))
