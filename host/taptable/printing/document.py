"""The PDF of cards to print: a page of instructions, with a ruler and an outline to hold against the light, then the
fronts and the backs of each sheet. All of it is vectors, and the fonts are embedded. The sizes and places on a card are
here, the places of the cards on the sheet in `layout`. Must not know a game."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from fpdf import FPDF
from fpdf.enums import Align, MethodReturnValue
from fpdf.fonts import TTFFont
from fpdf.prefs import ViewerPreferences

from taptable import __version__
from taptable.printing.cards import CardsToPrint, PrintedCard, member_card
from taptable.printing.faces import BACKGROUND, Faces
from taptable.printing.layout import CARD_HEIGHT, CARD_WIDTH, CardPosition, Layout

FONTS = Path(__file__).with_name("fonts")
FONT = "DejaVu"
INK, SOFT, DARK = "#14202b", "#5d6873", "#33475e"

MM_PER_POINT = 25.4 / 72
LINE_HEIGHT = 1.2
"""The distance between lines, as a multiple of the font size."""

SAFE_MARGIN = 3.5
"""The margin in mm within a card's edge that only the background may enter."""
NAME_BOX = (66.0, 7.6)
EFFECT_BOX = (73.9, 8.4)
"""The boxes of the name and the effect below a face's picture: their top and height in mm."""
SMALL_PRINT_Y = 82.6
"""The top of the card's id in small print, in mm."""
LABEL_X, LABEL_Y, LABEL_HEIGHT, LABEL_WIDTH, WIDEST_LABEL = 4.4, 5.3, 15.0, 15.0, 36.0
"""The box of a face's label in mm: left, top, height, usual width, and largest width."""

TAG_DIAMETER = 25.0
"""The diameter of a tag in mm, for the outline on the page of instructions."""
TAG_TOLERANCE = 10.0
"""By how many mm a tag may be off the middle of its card."""
RULER = 100.0
"""The length in mm of the ruler on the page of instructions."""

MISSING = "□"
"""Replaces a letter that the font lacks."""
SELECTORS = "\ufe0e\ufe0f"
"""Characters that select one of two looks of a letter."""
SPACES = re.compile(r"[ \t\r\n\f\v]+")
"""White space at which a line may break; a no-break space isn't one."""
MAX_NAMED = 12
"""How many cards with such letters are named."""

_LARGEST_NAME, _SMALLEST_NAME = 13.0, 5.0
_LARGEST_EFFECT, _SMALLEST_EFFECT = 7.5, 4.5
_STEP = 0.5
"""Font sizes in points, and the step in which `_fit` makes them smaller."""


def sheets_of(cards: CardsToPrint, layout: Layout, *, controls: bool = True) -> list[Sequence[PrintedCard]]:
    """Return the cards of each sheet, row by row; the last sheet of members is filled up with blank cards."""
    members = cards.members or ()
    if cards.members is not None:
        blank = member_card("", cards.words)
        members = (
            *members,
            *[blank] * (-len(members) % layout.cards_per_sheet or (0 if members else layout.cards_per_sheet)),
        )
    groups = (cards.cards, cards.controls if controls else (), members)
    return [
        group[at : at + layout.cards_per_sheet]
        for group in groups
        for at in range(0, len(group), layout.cards_per_sheet)
    ]


class Document:
    """The sheets of these cards, and with `controls` of the control cards on sheets of their own. The same input gives
    the same bytes. `pages` is the number of pages, `trouble` says which cards have letters that the font lacks ("":
    none)."""

    def __init__(self, cards: CardsToPrint, layout: Layout, *, controls: bool) -> None:
        self._cards, self._layout, self._words, self._controls = cards, layout, cards.words, controls
        self._sheets = sheets_of(cards, layout, controls=controls)
        self._faces = Faces(cards.faces)
        self._fitted: dict[tuple[str, float, float], tuple[float, list[str]]] = {}
        paper = layout.paper
        pdf = self._pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        pdf.set_auto_page_break(False)
        pdf.c_margin = 0
        pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
        pdf.set_title(self._say("title"))
        pdf.set_lang(self._words.language)
        pdf.set_creator(f"taptable {__version__}")
        pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex="DuplexFlipLongEdge")
        letters: list[set[int]] = []
        for style, file in (("", "DejaVuSansCondensed.ttf"), ("B", "DejaVuSansCondensed-Bold.ttf")):
            pdf.add_font(FONT, style, FONTS / file)
            letters.append(set(cast("TTFFont", pdf.fonts[FONT.lower() + style]).cmap))
        self._letters = set[int].intersection(*letters)
        odd = [card.id or card.name for sheet in self._sheets for card in sheet if self._lacks_glyphs(card)]
        self.trouble = self._say("letters", names=tuple(map(self._printable, odd[:MAX_NAMED]))) if odd else ""
        self.pages = 2 + 2 * len(self._sheets)

    def pdf(self) -> bytes:
        """Return the whole document."""
        self._instructions()
        self._alignment_page()
        for number, cards in enumerate(self._sheets, 1):
            self._fronts(number, cards)
            self._backs(number, cards)
        return bytes(self._pdf.output())

    # ---- sheets of cards

    def _fronts(self, number: int, cards: Sequence[PrintedCard]) -> None:
        first, last = cards[0].id or None, cards[-1].id or None
        self._begin_sheet(self._say("sheet", number=number, first=first, last=last))
        for at, card in enumerate(cards):
            self._side(card, card.front, self._layout.front(at))
        if not self._layout.bleed:
            self._cut_lines()

    def _backs(self, number: int, cards: Sequence[PrintedCard]) -> None:
        self._begin_sheet(self._say("sheet-back", number=number))
        for at, card in enumerate(cards):
            self._side(card, card.back, self._layout.back(at))

    def _begin_sheet(self, caption: str) -> None:
        layout = self._layout
        self._pdf.add_page()
        self._pen(INK, 0.15)
        for mark in layout.crop_marks():
            self._pdf.line(*mark)
        below = layout.cuts()[1][-1] + layout.bleed
        self._text(caption, layout.front(0).x - CARD_WIDTH / 2, below + 1.5, CARD_WIDTH, 2.6, 5.0, 4.0, colour=SOFT)

    def _cut_lines(self) -> None:
        """Draw hairlines between the cards, whose backgrounds touch."""
        across, down = self._layout.cuts()
        self._pen("#c9c4b8", 0.1)
        for x in across:
            self._pdf.line(x, down[0], x, down[-1])
        for y in down:
            self._pdf.line(across[0], y, across[-1], y)

    def _side(self, card: PrintedCard, symbol: str, place: CardPosition) -> None:
        bleed = self._layout.bleed
        left, top = place.x - CARD_WIDTH / 2, place.y - CARD_HEIGHT / 2
        with self._pdf.rotation(place.rotation_deg, place.x, place.y):
            is_sign = not symbol.startswith("face-")
            self._pdf.set_fill_color(BACKGROUND if is_sign else self._faces.background(symbol))
            self._pdf.rect(left - bleed, top - bleed, CARD_WIDTH + 2 * bleed, CARD_HEIGHT + 2 * bleed, style="F")
            if is_sign:
                self._sign(symbol, left, top)
            else:
                self._faces.face(symbol).draw_to_page(self._pdf, left, top)
            if symbol == card.front:
                self._face_texts(card, left, top)

    def _sign(self, symbol: str, left: float, top: float) -> None:
        size = 38.0
        self._pdf.set_fill_color(DARK)
        width, height = CARD_WIDTH - 2 * SAFE_MARGIN, 60 - SAFE_MARGIN
        self._pdf.rect(
            left + SAFE_MARGIN, top + SAFE_MARGIN, width, height, style="F", round_corners=True, corner_radius=3
        )
        sign = self._faces.sign(symbol, size, BACKGROUND)
        sign.draw_to_page(self._pdf, left + (CARD_WIDTH - size) / 2, top + SAFE_MARGIN + (height - size) / 2)

    def _face_texts(self, card: PrintedCard, left: float, top: float) -> None:
        """Write a face's texts: its label, the card's name, its effect, and its id."""
        x, width = left + SAFE_MARGIN, CARD_WIDTH - 2 * SAFE_MARGIN
        if card.label:
            self._label(card.label, left + LABEL_X, top + LABEL_Y)
        y, height = NAME_BOX
        if not card.name:
            self._pen(INK, 0.3)
            self._pdf.line(x + 4, top + y + height, x + width - 4, top + y + height)
        self._text(card.name, x, top + y, width, height, _LARGEST_NAME, _SMALLEST_NAME, bold=True)
        y, height = EFFECT_BOX
        self._text(card.effect, x, top + y, width, height, _LARGEST_EFFECT, _SMALLEST_EFFECT)
        self._text(card.id, x, top + SMALL_PRINT_Y, width, 1.9, 4.0, 2.5, colour=SOFT, align=Align.R)

    def _label(self, label: str, x: float, y: float) -> None:
        size = LABEL_HEIGHT / LINE_HEIGHT / MM_PER_POINT
        self._pdf.set_font(FONT, "B", size)
        wide = self._pdf.get_string_width(label)
        inside = min(wide, WIDEST_LABEL)
        width = max(LABEL_WIDTH, inside + 4)
        self._pdf.set_fill_color(BACKGROUND)
        self._pdf.rect(x, y, width, LABEL_HEIGHT, style="F", round_corners=True, corner_radius=2.5)
        self._text(label, x + (width - inside) / 2, y, inside + 0.1, LABEL_HEIGHT, size, 5.0, bold=True)

    # ---- what is said first

    def _instructions(self) -> None:
        """Write how to print, cut, tag and enrol, with a ruler, and a card and its tag in their real size."""
        pdf, paper = self._pdf, self._layout.paper
        margin = 18.0
        width = paper.width - 2 * margin
        pdf.add_page()
        y = self._paragraph(self._say("title"), margin, 15.0, width, 18.0, bold=True) + 1
        y = self._paragraph(self._say("contents"), margin, y, width, 10.0) + 2
        keys = ["print", "cut", "tag", "enrol", *(["sample"] if self._cards.sample else [])]
        if self._cards.members is not None:
            keys.append("members")
        for key in keys:
            y = self._paragraph(self._say(f"{key}-title"), margin, y + 1.5, width, 10.5, bold=True)
            y = self._paragraph(self._say(f"{key}-text"), margin, y, width, 9.5)
        if self.trouble:
            y = self._paragraph(self.trouble, margin, y + 1.5, width, 9.5, bold=True)
        self._ruler(margin, y + 7)
        place = self._example
        self._outline(place)
        x = place.x + CARD_WIDTH / 2 + 6
        self._paragraph(self._say("tag-here"), x, place.y - 20, paper.width - margin - x, 9.5)
        self._paragraph(self._say("light"), x, place.y + 4, paper.width - margin - x, 9.5)

    def _alignment_page(self) -> None:
        """Draw the other side of the instructions: the back of the card that is drawn there."""
        self._pdf.add_page()
        front = self._example
        paper = self._layout.paper
        place = CardPosition(paper.width - front.x, front.y, 0)
        self._outline(place)
        x = 18.0
        self._paragraph(self._say("light-back"), x, place.y - 10, place.x - CARD_WIDTH / 2 - 6 - x, 9.5)

    @property
    def _example(self) -> CardPosition:
        return CardPosition(18.0 + CARD_WIDTH / 2, self._layout.paper.height - 14.0 - CARD_HEIGHT / 2, 0)

    def _outline(self, place: CardPosition) -> None:
        """Draw a card and its tag in real size; a tag within the dashed circle is close enough to the middle."""
        pdf = self._pdf
        self._pen(INK, 0.3)
        pdf.rect(place.x - CARD_WIDTH / 2, place.y - CARD_HEIGHT / 2, CARD_WIDTH, CARD_HEIGHT)
        pdf.set_fill_color("#e3eef0")
        pdf.circle(place.x, place.y, TAG_DIAMETER / 2, style="DF")
        self._text(f"{TAG_DIAMETER:.0f} mm", place.x - TAG_DIAMETER / 2, place.y - 3, TAG_DIAMETER, 6, 10.0, 8.0)
        pdf.set_dash_pattern(dash=1.5, gap=1.5)
        pdf.circle(place.x, place.y, TAG_DIAMETER / 2 + TAG_TOLERANCE)
        pdf.set_dash_pattern()

    def _ruler(self, x: float, y: float) -> None:
        self._pen(INK, 0.3)
        self._pdf.line(x, y, x + RULER, y)
        for mm in range(0, int(RULER) + 1, 10):
            high = 3.0 if mm % 50 == 0 else 1.8
            self._pdf.line(x + mm, y - high, x + mm, y)
        self._text(f"{RULER:.0f} mm", x + RULER + 2, y - 3, 20, 4, 9.5, 9.5, align=Align.L)

    # ---- letters

    def _printable(self, text: str) -> str:
        """Return a text on one line, without invisible marks, with `MISSING` for each letter that the font lacks."""
        letters = unicodedata.normalize("NFC", SPACES.sub(" ", text).strip(" "))
        visible = [letter for letter in letters if unicodedata.category(letter) != "Cf" and letter not in SELECTORS]
        return "".join(letter if ord(letter) in self._letters else MISSING for letter in visible)

    def _lacks_glyphs(self, card: PrintedCard) -> bool:
        return any(MISSING in self._printable(text) for text in (card.name, card.effect, card.label))

    def _say(self, key: str, **facts: object) -> str:
        printed = self._cards
        always: Mapping[str, object] = {
            "game": printed.title,
            "count": len(printed.cards),
            "sheets": len(self._sheets),
            "paper": self._layout.paper.name,
            "controls": "yes" if self._controls else "no",
            "bleed": "yes" if self._layout.bleed else "no",
        }
        return self._words.text("print", key, {**always, **facts})

    def _pen(self, colour: str, width: float) -> None:
        self._pdf.set_draw_color(colour)
        self._pdf.set_line_width(width)

    def _text(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        height: float,
        largest: float,
        smallest: float,
        *,
        bold: bool = False,
        colour: str = INK,
        align: Align = Align.C,
    ) -> None:
        """Write lines centred in a box, as large as they fit; a text too long for the smallest size ends with "…"."""
        style = "B" if bold else ""
        key = (text + style, width, height)
        if key not in self._fitted:
            self._fitted[key] = self._fit(self._printable(text), style, width, height, largest, smallest)
        size, lines = self._fitted[key]
        self._pdf.set_font(FONT, style, size)
        self._pdf.set_text_color(colour)
        step = size * LINE_HEIGHT * MM_PER_POINT
        for number, line in enumerate(lines):
            self._pdf.set_xy(x, y + (height - step * len(lines)) / 2 + number * step)
            self._pdf.cell(width, step, line, align=align)

    def _fit(
        self, text: str, style: str, width: float, height: float, largest: float, smallest: float
    ) -> tuple[float, list[str]]:
        """Return the largest size at which a text fits without breaking a word, and its lines."""
        size = largest
        while True:
            self._pdf.set_font(FONT, style, size)
            lines = self._lines(text, width)
            most = int(height / (size * LINE_HEIGHT * MM_PER_POINT) + 0.01)
            is_unbroken = all(self._pdf.get_string_width(word) <= width for word in text.split(" "))
            if is_unbroken and len(lines) <= most:
                return size, lines
            if size <= smallest:
                return size, lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][:-1]}…"]
            size = max(smallest, size - _STEP)

    def _lines(self, text: str, width: float) -> list[str]:
        lines = self._pdf.multi_cell(width, 1, text, align=Align.L, dry_run=True, output=MethodReturnValue.LINES)
        return cast("list[str]", lines)

    def _paragraph(self, text: str, x: float, y: float, width: float, size: float, *, bold: bool = False) -> float:
        """Write a text downwards from y; return where it ends."""
        self._pdf.set_font(FONT, "B" if bold else "", size)
        self._pdf.set_text_color(INK)
        self._pdf.set_xy(x, y)
        self._pdf.multi_cell(width, size * LINE_HEIGHT * MM_PER_POINT, self._printable(text), align=Align.L)
        return self._pdf.get_y()
