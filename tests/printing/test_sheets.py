"""The PDF of a game's cards: every card once, its back behind it, its letters in it and none cut off."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from choosing import long_params
from taptable.core.errors import ConfigError
from taptable.games.registry import GAMES
from taptable.memory.deck import Deck, card_set_of
from taptable.printing.cards import MAX_MEMBERS, cards_to_print
from taptable.printing.document import Document, sheets_of
from taptable.printing.faces import Faces
from taptable.printing.layout import PAPERS, layout_of
from taptable.printing.order import draw, parse_names
from taptable.words import LANGUAGES
from topics.enrolment_rig import EnrolmentRig

from printing.sheets import IMAGE, ParsedPdf, an_order, drawn

HOWS = [(paper, bleed) for paper in PAPERS for bleed in (False, True)]


@pytest.mark.parametrize(("paper", "bleed"), HOWS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_card_is_on_one_sheet_and_control_cards_are_on_their_own(game: str, paper: str, bleed: bool) -> None:
    printed = cards_to_print(game, "", "en")
    layout = layout_of(PAPERS[paper], bleed=bleed)
    sheets = sheets_of(printed, layout)
    assert len(sheets) == sum(-(-len(group) // layout.cards_per_sheet) for group in (printed.cards, printed.controls))
    assert [card for sheet in sheets for card in sheet] == [*printed.cards, *printed.controls]
    assert sheets_of(printed, layout, controls=False) == sheets[: -(-len(printed.cards) // layout.cards_per_sheet)]


@pytest.mark.parametrize(("paper", "bleed"), long_params(HOWS))
def test_the_pdf_has_its_pages_and_every_card_once_in_the_order_of_enrolling(paper: str, bleed: bool) -> None:
    made = drawn(an_order(paper=paper, bleed=bleed))
    read = ParsedPdf(made.pdf)
    sheets = sheets_of(cards_to_print("cyber-siege", "", "en"), layout_of(PAPERS[paper], bleed=bleed))
    assert (len(read), made.pages, made.trouble) == (2 + 2 * len(sheets), len(read), "")
    size = (PAPERS[paper].width, PAPERS[paper].height)
    assert all(read.size_mm(number) == pytest.approx(size, abs=0.01) for number in range(len(read)))
    fronts = [re.sub(r"Sheet \d+ of \d+: \S+ to \S+", "", text) for text in read.texts[2::2]]
    found = [card for text in fronts for card in re.findall(r"[\w.-]+#\d+|control:[\w-]+", text)]
    card_set = card_set_of("cyber-siege")
    assert found == [*card_set, *(f"control:{control}" for control in card_set.controls)]


def test_enrolling_asks_for_the_cards_in_the_order_of_the_sheets(tmp_path: Path) -> None:
    for game in GAMES:
        printed = cards_to_print(game, "", "en")
        asked = EnrolmentRig(tmp_path, Deck("family", game)).dialogue.remaining
        assert asked == tuple(card.id.removeprefix("control:") for card in (*printed.cards, *printed.controls))


@pytest.mark.parametrize("bleed", [False, True])
def test_backs_lie_behind_their_fronts(bleed: bool) -> None:
    """Sheets on which cards are missing: where the paper has a card on one side, it has one on the other."""
    read = ParsedPdf(drawn(an_order("online", bleed=bleed, controls=False)).pdf)
    front, back = read.picture(-2 % len(read)), read.picture(len(read) - 1)
    layout = layout_of(PAPERS["a4"], bleed=bleed)
    left_over = 112 % layout.cards_per_sheet or layout.cards_per_sheet
    points = 72 / 25.4
    for number in range(layout.cards_per_sheet):
        for picture, place in ((front, layout.front(number)), (back, layout.back(number))):
            corner = (place.x - layout.card_width / 2 + 2, place.y - layout.card_height / 2 + 2)
            is_white = picture.getpixel((round(corner[0] * points), round(corner[1] * points))) == (255, 255, 255)
            assert is_white == (number >= left_over)


def test_set_cards_have_a_back_of_their_own_colour() -> None:
    kinds = {card.back for card in cards_to_print("cyber-siege", "", "en").cards}
    assert kinds == {"face-back", "face-back-purple"}
    faces = Faces(cards_to_print("cyber-siege", "", "en").faces)
    assert all(kind in faces for kind in kinds)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_side_of_a_card_is_in_the_sheet_of_faces(game: str) -> None:
    printed = cards_to_print(game, "", "en", ["Ada"])
    faces = Faces(printed.faces)
    cards = (*printed.cards, *printed.controls, *(printed.members or ()))
    assert [card.id for card in cards if not (card.front in faces and card.back in faces)] == []


@pytest.mark.parametrize("language", long_params(LANGUAGES))
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_card_says_what_it_is_and_what_it_does_and_nothing_is_cut_off(game: str, language: str) -> None:
    printed = cards_to_print(game, "", language)
    cards = (*printed.cards, *printed.controls)
    assert [card.id for card in cards if not (card.name and card.effect)] == []
    assert [card.id for card in cards if "{" in card.name + card.effect] == []
    assert not [card.id for card in cards if "…" in card.name + card.effect]
    kinds = {(card.front, card.effect): card for card in sorted(printed.cards, key=lambda card: len(card.name))}
    one_each = replace(printed, cards=tuple(kinds.values()))
    document = Document(one_each, layout_of(PAPERS["a4"], bleed=False), controls=True)
    assert not [text for text in ParsedPdf(document.pdf()).texts if "…" in text]
    assert document.trouble == ""


@pytest.mark.parametrize("language", long_params(LANGUAGES))
@pytest.mark.parametrize("paper", long_params(PAPERS))
def test_the_instructions_stay_clear_of_the_card_that_is_drawn_below_them(paper: str, language: str) -> None:
    printed = cards_to_print("xnet", ODD, language, ("Ада", "李"))
    shortest = replace(printed, sample=True, cards=printed.cards[:12], controls=())
    read = ParsedPdf(Document(shortest, layout_of(PAPERS[paper], bleed=True), controls=True).pdf())
    ruler = next(bottom for bottom, text in read.bottoms_mm(0) if text.startswith("100 mm"))
    assert ruler < PAPERS[paper].height - 14 - 88 - 3


def test_the_letters_are_in_the_pdf_and_no_picture_of_dots() -> None:
    made = drawn(an_order())
    fonts = set(re.findall(rb"/BaseFont /([A-Z]{6}\+[\w-]+)", made.pdf))
    assert {name.partition(b"+")[2] for name in fonts} == {b"DejaVuSansCondensed", b"DejaVuSansCondensedBold"}
    assert made.pdf.count(b"/FontFile2") == 2
    assert b"/Subtype /Image" not in made.pdf
    assert IMAGE not in ParsedPdf(made.pdf).kinds()


def test_the_same_order_gives_the_same_bytes() -> None:
    order = an_order()
    assert draw(order).pdf == drawn(order).pdf


def test_a_printer_is_asked_to_scale_nothing_and_to_turn_the_paper_over_its_long_edge() -> None:
    pdf = drawn(an_order()).pdf
    assert b"/PrintScaling /None" in pdf
    assert b"/Duplex /DuplexFlipLongEdge" in pdf


def test_the_control_cards_can_be_left_out() -> None:
    read = ParsedPdf(drawn(an_order(controls=False)).pdf)
    assert not [text for text in read.texts if "control:" in text]


# members


def test_member_cards_have_the_names_and_the_rest_of_their_sheet_is_blank() -> None:
    with_them, without = ParsedPdf(drawn(an_order(members=("Ada", "Ben"))).pdf), ParsedPdf(drawn(an_order()).pdf)
    assert len(with_them) == len(without) + 2
    for side in with_them.texts[-2:]:
        assert ("Ada" in side, "Ben" in side, side.count("Member card")) == (True, True, 9)
    assert "a line to write one on" in with_them.texts[0]
    assert "a line to write one on" not in without.texts[0]


@pytest.mark.parametrize(("members", "sheets"), [((), 1), (tuple("abcdefghi"), 1), (tuple("abcdefghij"), 2)])
def test_members_fill_whole_sheets(members: tuple[str, ...], sheets: int) -> None:
    printed, layout = cards_to_print("online", "", "en", members), layout_of(PAPERS["a4"], bleed=False)
    without = cards_to_print("online", "", "en")
    assert len(sheets_of(printed, layout)) - len(sheets_of(without, layout)) == sheets


def test_names_stand_between_commas() -> None:
    assert parse_names(" Ada,Ben  B. ,, ") == ("Ada", "Ben B.")
    assert parse_names("") == ()


def test_there_are_no_more_members_than_can_be_printed() -> None:
    with pytest.raises(ConfigError, match=f"These are 101 members, and {MAX_MEMBERS} are the most"):
        draw(an_order(members=("Ada",) * 101))


# what people describe


def manifest_of(titles: dict[str, str]) -> str:
    """Cyber Siege's sample, some of whose attacks and defences have titles."""
    sample: dict[str, Any] = json.loads(GAMES["cyber-siege"].sample)
    for name, title in titles.items():
        sample["red"][name]["title"] = title
    return json.dumps(sample)


LONG = "A title that goes on and on until nobody would read it to its end, and then goes on for a while longer"
ODD = json.dumps({"game": "xnet", "name": "odd", "topics": {f"topic 🎲 {n}": {"1": 1} for n in range(12)}})


def test_titles_of_other_alphabets_are_printed_as_they_are() -> None:
    titles = {"1.1": "Взлом пароля", "1.2": "Ὀδυσσεύς", "1.3": "Łódź şçğ"}
    made = drawn(an_order(manifest=manifest_of(titles)))
    text = " ".join(ParsedPdf(made.pdf).texts)
    assert made.trouble == ""
    assert all(title in text for title in titles.values())


def test_a_letter_that_the_font_lacks_is_a_box_and_is_named_on_the_first_page() -> None:
    made = drawn(an_order(manifest=manifest_of({"1.1": "密码", "2.1": "Dice 🎲\ufe0f!"})))
    read = ParsedPdf(made.pdf)
    assert "□□" in " ".join(read.texts[2:])
    assert "Dice □!" in " ".join(read.texts[2:])
    assert made.trouble.startswith("What the letters of these sheets lack is printed as □, on: 1.1#1, ")
    assert "2.1#1" in made.trouble
    assert made.trouble in read.texts[0]


def test_a_title_that_is_too_long_ends_with_dots_and_spoils_no_neighbour() -> None:
    made = drawn(an_order(manifest=manifest_of({"1.1": LONG + LONG, "1.2": "W" * 200})))
    read = ParsedPdf(made.pdf)
    page = next(text for text in read.texts if "1.1#1" in text and "…" in text)
    assert "A title that goes on and on" in page


@pytest.mark.parametrize(
    ("wrong", "why"),
    [({"game": "chess"}, "There is no game 'chess'"), ({"paper": "a3"}, "There is no paper called 'a3'; there is a4"),
     ({"manifest": '{"game": "online"}'}, "manifest")],
)  # fmt: skip
def test_an_order_that_can_not_be_is_a_sentence(wrong: dict[str, str], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        draw(an_order(**{"game": "cyber-siege", **wrong}))
