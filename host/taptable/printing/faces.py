"""A game's faces, and the symbol of a member, prepared to be drawn in a PDF as vectors. Must not know which card has
which face, nor where it is printed."""

from __future__ import annotations

from xml.etree import ElementTree

from fpdf.svg import SVGObject

from taptable.printing.cards import MEMBER
from taptable.printing.layout import CARD_HEIGHT, CARD_WIDTH

SVG = "http://www.w3.org/2000/svg"
BACKGROUND = "#fffaf0"
"""The background of a card that has no face of its own."""

_PERSON = ElementTree.fromstring(
    f'<symbol xmlns="{SVG}"><g fill="currentColor"><circle cx="12" cy="7.5" r="4.5" />'
    '<path d="M3.5 21.5a8.5 8.5 0 0 1 17 0z" /></g></symbol>'
)


class Faces:
    """The faces of a sheet, an SVG text with a `<symbol>` for each. A symbol is drawn as the whole face of a card
    (`face`), or small and in one colour (`sign`), as on control cards. The first element of a face is the edge of the
    card on a screen. Only the colour of this element is printed, as the background, since scissors make the edge."""

    def __init__(self, sheet: str) -> None:
        root = ElementTree.fromstring(sheet)
        self._symbols = {symbol.get("id", ""): symbol for symbol in root.iter(f"{{{SVG}}}symbol")}
        self._symbols[MEMBER] = _PERSON
        self._made: dict[tuple[str, float, str], SVGObject] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._symbols

    def background(self, name: str) -> str:
        """Return the colour of a card with this face, as ``#rrggbb``."""
        return self._symbols[name][0].get("fill", BACKGROUND) if name in self else BACKGROUND

    def face(self, name: str) -> SVGObject:
        """Return the symbol of this name as the face of a card, without its edge and as large as a card; an empty one
        if the sheet has none."""
        drawn = list(self._symbols[name])[1:] if name in self else []
        return self._make(name, drawn, f"0 0 {CARD_WIDTH} {CARD_HEIGHT}", CARD_WIDTH, CARD_HEIGHT, "")

    def sign(self, name: str, size_mm: float, colour: str) -> SVGObject:
        """Return the symbol of this name in one colour, in a square of this size; an empty one if the sheet has
        none."""
        drawn = list(self._symbols[name]) if name in self else []
        return self._make(name, drawn, "0 0 24 24", size_mm, size_mm, colour)

    def _make(
        self, name: str, drawn: list[ElementTree.Element], box: str, width_mm: float, height_mm: float, colour: str
    ) -> SVGObject:
        key = (name, width_mm, colour)
        if key not in self._made:
            size = {"viewBox": box, "width": f"{width_mm}mm", "height": f"{height_mm}mm"}
            picture = ElementTree.Element(f"{{{SVG}}}svg", size)
            picture.extend(drawn)
            text = ElementTree.tostring(picture, encoding="unicode")
            self._made[key] = SVGObject(text.replace("currentColor", colour))
        return self._made[key]
