"""An order of cards to print, and the document drawn for it. The command line and `printing.__main__` use it. Loads the
drawing modules only for an order, since that takes half a second. Must not know who ordered."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.errors import ConfigError
from taptable.printing.cards import cards_to_print
from taptable.printing.layout import PAPERS, layout_of


@dataclass(frozen=True, slots=True)
class Order:
    """All cards of a game, or of a manifest for it, in a `language`, on one of the `PAPERS`, with or without a `bleed`
    and control cards, and with cards for these `members` (None: no such cards), whose last sheet is filled up with
    blank ones."""

    game: str
    language: str
    manifest: str = ""
    paper: str = "a4"
    bleed: bool = False
    controls: bool = True
    members: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PrintedDocument:
    """A PDF with its numbers of cards and pages; `trouble` says which cards have letters that the font lacks ("":
    none)."""

    pdf: bytes
    count: int
    pages: int
    trouble: str


def draw(order: Order) -> PrintedDocument:
    """Return the sheets; raise ConfigError if they are impossible. The same order gives the same bytes."""
    from taptable.printing.document import Document

    if order.paper not in PAPERS:
        raise ConfigError(f"There is no paper called {order.paper!r:.40}; there is {', '.join(PAPERS)}.")
    printed = cards_to_print(order.game, order.manifest, order.language, order.members)
    document = Document(printed, layout_of(PAPERS[order.paper], bleed=order.bleed), controls=order.controls)
    return PrintedDocument(document.pdf(), len(printed.cards), document.pages, document.trouble)


def parse_names(text: str) -> tuple[str, ...]:
    """Return the names between the commas of a text."""
    return tuple(name for name in (" ".join(part.split()) for part in text.split(",")) if name)
