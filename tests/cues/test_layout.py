"""Sentences in boxes: wrapped, set in the largest font that takes them, shortened only where none does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.cues.text import font, layout_text, shorten, wrap

SMALL, LARGE = font("small"), font("large")
WORDS = st.lists(st.text("abdegiorstuüßéW-’,.", min_size=1, max_size=18), min_size=1, max_size=12).map(" ".join)
WIDTHS = st.integers(24, 256)


@given(WORDS, WIDTHS)
def test_no_line_is_wider_than_its_box(text, width):
    assert all(SMALL.width(line) <= width for line in wrap(text, SMALL, width))


@given(WORDS, WIDTHS)
def test_wrapping_loses_no_letter(text, width):
    assert "".join("".join(wrap(text, SMALL, width)).split()).replace("-", "") == "".join(text.split()).replace("-", "")


@given(WORDS, WIDTHS, st.integers(7, 64))
def test_set_text_never_leaves_its_box(text, width, height):
    done = layout_text(text, (LARGE, SMALL), width, height)
    assert all(done.font.width(line) <= width for line in done.lines)
    assert done.height <= height


@given(WORDS, WIDTHS, st.integers(7, 64))
def test_what_is_left_out_is_shown_by_three_dots(text, width, height):
    done = layout_text(text, (LARGE, SMALL), width, height)
    if not done.is_complete and done.lines:
        assert done.lines[-1].endswith("…")
    if done.is_complete:
        assert "".join("".join(done.lines).split()).replace("-", "") == "".join(text.split()).replace("-", "")


@given(WORDS, WIDTHS)
def test_shortening_keeps_the_beginning(text, width):
    short = shorten(text, SMALL, width)
    assert SMALL.width(short) <= width
    assert text.startswith(short.rstrip("…"))


def test_what_fits_is_not_shortened():
    assert shorten("Platz 3", SMALL, SMALL.width("Platz 3")) == "Platz 3"


def test_the_largest_font_that_takes_the_sentence_is_taken():
    assert layout_text("Pause", (LARGE, SMALL), 124, 20).font is LARGE
    assert layout_text("Auf dieser Leitung liegt schon Online.", (LARGE, SMALL), 124, 20).font is SMALL


def test_a_word_is_cut_only_where_it_is_longer_than_a_line():
    assert layout_text("Verbindungsreihe", (LARGE, SMALL), 90, 40).lines == ("Verbindungsreihe",)
    assert wrap("Verbindungsreihe", LARGE, 64) == ["Verbindun-", "gsreihe"]


def test_lines_end_after_hyphens_too():
    assert wrap("Turbo-Line", LARGE, 50) == ["Turbo-", "Line"]


@pytest.mark.parametrize("sentence", ["Appuyez !", "Qui ?", "Hacker : oui"])
def test_french_signs_stay_with_their_word(sentence):
    for width in range(40, 80):
        assert not any(line[0] in "!?:" for line in wrap(sentence, SMALL, width))
