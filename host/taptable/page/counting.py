"""What would count now, for learners: on which pads which kinds of cards. It says what the table knows, and the table
knows no hand: a kind is here if any card of it would be accepted. Pure."""

from __future__ import annotations

from typing import Any

from taptable.core.observations import Pad
from taptable.referee.session import Session
from taptable.referee.step import Table, legal_taps
from taptable.words import Words


class Counts:
    """What counts in a session; worked out once, when somebody asks. The same for as long as the game's state is."""

    def __init__(self, session: Session) -> None:
        busy = session.manners.checking is not None or session.desk is not None
        self._table = None if busy or session.table.paused_at_us is not None else session.table
        self._told: list[dict[str, Any]] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self._state is other._state

    def __call__(self, words: Words) -> list[dict[str, Any]]:
        """Pads on which the same kinds count, as ``{"pads", "kinds", "any"}``; `any` if every card does. Pads are in
        their order, kinds in that of the deck; nothing while nobody plays."""
        del words  # kinds and pads are the same in every language
        if self._told is None:
            self._told = [] if self._table is None else _what_counts(self._table)
        return self._told

    @property
    def _state(self) -> object:
        return None if self._table is None else self._table.state


def _what_counts(table: Table) -> list[dict[str, Any]]:
    kinds_on: dict[Pad, set[str]] = {}
    for card, pad in legal_taps(table):
        kinds_on.setdefault(pad, set()).add(card.partition("#")[0])
    deck = [kind.id for kind in table.game.pack(table.agreed.manifest).kinds]
    pads_with: dict[tuple[str, ...], list[Pad]] = {}
    for pad in table.game.pads(table.state):
        kinds = tuple(kind for kind in deck if kind in kinds_on.get(pad, ()))
        if kinds:
            pads_with.setdefault(kinds, []).append(pad)
    return [{"pads": pads, "kinds": list(kinds), "any": len(kinds) == len(deck)} for kinds, pads in pads_with.items()]
