"""The pixel fonts: whole alphabets, figures of one width, and heights that can be read across a table."""

from __future__ import annotations

import math
import string
import unicodedata
from importlib import resources

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st
from taptable.cues.text import ACCENT_ROWS, MISSING, font, parse_sheet, scale2x
from taptable.games.registry import GAMES, package_of
from taptable.words import LANGUAGES

TEXT = ("small", "large")
FIGURES = ("digits7", "digits14", "digits22")
LETTERS = string.ascii_letters + string.digits + "äöüÄÖÜßàâçéèêëîïôœùûüÿæÀÂÇÉÈÊËÎÏÔŒÙÛÜŸÆñÑåÅøØ€"
SIGNS = string.punctuation + " …–—’‘“”„«»°·×−→±≥£§"

PITCH_MM = 55.01 / 128  # the reference part, 2.42 inches
DISTANCE_MM = 1500


def arc_minutes(rows: int) -> float:
    """The angle at which `rows` rows of the reference part are seen from 1.5 m."""
    return math.degrees(math.atan(rows * PITCH_MM / DISTANCE_MM)) * 60


@pytest.mark.parametrize("name", TEXT)
def test_both_text_fonts_have_every_letter_and_sign(name):
    face = font(name)
    missing = face.render("\ufffd").tobytes()
    assert [char for char in LETTERS + SIGNS + "\u00a0\u202f\u0133" if face.render(char).tobytes() == missing] == []


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("language", LANGUAGES)
def test_both_text_fonts_have_every_character_of_the_catalogues(name, language):
    face = font(name)
    missing = face.render("\ufffd").tobytes()
    assert [char for char in sorted(characters(language)) if face.render(char).tobytes() == missing] == []


def characters(language: str) -> set[str]:
    """Every character of the words of the table and of its games that isn't for paper or the page's guide alone."""
    chars: set[str] = set()
    for package in ("taptable", *map(package_of, GAMES)):
        with resources.files(package).joinpath("catalogues", f"{language}.po").open("rb") as file:
            told = (message for message in read_po(file) if message.id and message.context not in ("print", "guide"))
            chars.update("".join(str(message.string) for message in told))
    return chars


@pytest.mark.parametrize("name", TEXT)
def test_no_two_letters_look_the_same(name):
    face = font(name)
    pictures: dict[tuple[int, bytes], str] = {}
    for char in LETTERS:
        ink = face.render(char)
        assert pictures.setdefault((ink.width, ink.tobytes()), char) == char


@pytest.mark.parametrize("name", TEXT)
def test_an_accented_letter_is_its_letter_with_something_over_or_under_it(name):
    face = font(name)
    for char in (char for char in LETTERS if unicodedata.decomposition(char)):
        letter = unicodedata.normalize("NFD", char)[0]
        plain, accented = face.render(letter).getbbox(), face.render(char).getbbox()
        assert accented[1] <= plain[1], char
        assert accented[3] >= plain[3], char
        assert face.render(char).tobytes() != face.render(letter).tobytes(), char


@pytest.mark.parametrize("name", TEXT)
def test_composed_and_decomposed_text_is_the_same(name):
    face = font(name)
    assert (
        face.render(unicodedata.normalize("NFD", "Größe à l’hôtel")).tobytes()
        == face.render("Größe à l’hôtel").tobytes()
    )


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_all_of_one_width(name):
    assert len({font(name).width(digit) for digit in string.digits}) == 1


@given(st.text(max_size=40))
def test_any_text_at_all_is_drawn(text):
    for name in TEXT:
        ink = font(name).render(text)
        assert ink.height == font(name).rows
        assert ink.width == font(name).width(text)


def test_accents_stay_in_the_rows_kept_for_them():
    for name in TEXT:
        face = font(name)
        assert face.rows == ACCENT_ROWS + face.height + face.below


@pytest.mark.parametrize(("name", "least"), [("digits22", 20), ("digits14", 13), ("large", 9.5), ("small", 6.5)])
def test_letters_are_seen_at_an_angle_that_can_be_read_from_a_metre_and_a_half(name, least):
    # 5' is the limit of a healthy eye, 16' to 22' are read with ease
    assert arc_minutes(font(name).height) >= least


@pytest.mark.parametrize(
    ("sheet", "complaint"),
    [("= A B\n##\n", "1 pictures"), ("= A\n#.\n###\n", "rectangle"), ("= A\n#x\n", "rectangle")],
)
def test_a_sheet_whose_rows_and_names_differ_is_refused(sheet, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_sheet(sheet)


def test_a_sheet_names_its_pictures_and_its_numbers():
    pictures, numbers = parse_sheet("; A comment.\n; height 2, gap 1\n= A U+0301\n#. .#\n.# ..\n")
    assert numbers == {"height": 2, "gap": 1}
    assert pictures["A"].size == (2, 2)
    assert set(pictures) == {"A", "\u0301"}


def test_a_character_no_font_has_is_drawn_as_a_box():
    face = font("small")
    assert face.render("漢").tobytes() == face.render("\ufffd").tobytes()
    assert face.render("漢").getbbox() == (0, ACCENT_ROWS, face.glyphs[MISSING].width, ACCENT_ROWS + 7)


def test_a_doubled_picture_is_twice_as_large_and_keeps_straight_edges():
    twice = scale2x(parse_sheet("= A\n##\n##\n")[0]["A"])
    assert twice.size == (4, 4)
    assert twice.getbbox() == (0, 0, 4, 4)
