"""Draws cards to print in a process of its own: drawing takes seconds of processor time, for which no client that
watches should wait. It must not know how the cards look, nor who asks."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from taptable.api.errors import RequestError
from taptable.api.facts import DeckFacts
from taptable.page.messages import convert
from taptable.page.protocols import ANSWER_TIMEOUT_S
from taptable.printing.order import Order, parse_names

CONTEXT = "print"
"""The context of the sentences in the catalogues."""
COMMAND = (sys.executable, "-m", "taptable.printing")
"""The command that reads an order from standard input and writes the PDF to standard output."""
DRAW_TIMEOUT_S = ANSWER_TIMEOUT_S - 10
"""Seconds until drawing is given up, before the connection's own timeout."""


class _PrintQuery(Struct, frozen=True):
    """A request for all cards of a `deck`, as its manifest describes them, or of a `game`. `members` has the names for
    which to add cards, separated by commas; None adds none."""

    game: Annotated[str, Meta(max_length=40)] = ""
    deck: Annotated[str, Meta(max_length=40)] = ""
    paper: Literal["a4", "letter"] = "a4"
    bleed: bool = False
    controls: bool = True
    members: str | None = None


class Printer:
    """Draws one order at a time; `deck_of` returns the facts of a deck by its name."""

    def __init__(self, deck_of: Callable[[str], DeckFacts | None], command: tuple[str, ...] = COMMAND) -> None:
        self._deck_of = deck_of
        self._command = command
        self._is_drawing = False

    async def draw(self, message: Mapping[str, Any], language: str) -> bytes:
        """Return the PDF; raise `RequestError` with the reason if there is none."""
        query = convert(_PrintQuery, message)
        game, manifest = query.game, ""
        if query.deck:
            deck = self._deck_of(query.deck)
            if deck is None:
                raise RequestError("decks", "no-such-deck", deck=query.deck)
            game, manifest = deck.game, deck.manifest
        members = None if query.members is None else parse_names(query.members)
        order = Order(game, language, manifest, query.paper, query.bleed, query.controls, members)
        if self._is_drawing:
            raise RequestError(CONTEXT, "busy")
        self._is_drawing = True
        try:
            return await self._run_drawing(order)
        finally:
            self._is_drawing = False

    async def _run_drawing(self, order: Order) -> bytes:
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise RequestError(CONTEXT, "not-drawn", why=error.strerror) from error
        try:
            async with asyncio.timeout(DRAW_TIMEOUT_S):
                pdf, errors = await process.communicate(msgspec.json.encode(order))
        except TimeoutError:
            raise RequestError("page", "cards-print-failed") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 2:
            raise RequestError(CONTEXT, "not-drawn", why=errors.decode(errors="replace").strip())
        if process.returncode:
            raise RequestError("page", "cards-print-failed")
        return pdf
