"""What would count now, for learners: on which pads which kinds of cards. It says what the table knows, and the table
knows no hand: a kind is here if any card of it would be accepted. Pure."""

from __future__ import annotations

from typing import Any

from taptable.core.observations import Pad
from taptable.referee.session import Session
from taptable.referee.step import legal_taps


def what_counts(session: Session) -> list[dict[str, Any]]:
    """Pads on which the same kinds count, as ``{"pads", "kinds", "any"}``; `any` if every card does. Pads are in their
    order, kinds in that of the deck; nothing while the table is paused, or checked."""
    if session.manners.checking is not None:
        return []
    table = session.table
    kinds_on: dict[Pad, set[str]] = {}
    for card, pad in legal_taps(table):
        kinds_on.setdefault(pad, set()).add(card.partition("#")[0])
    deck = [kind for kind, _ in table.game.kinds]
    pads_with: dict[tuple[str, ...], list[Pad]] = {}
    for pad in table.game.pads(table.state):
        kinds = tuple(kind for kind in deck if kind in kinds_on.get(pad, ()))
        if kinds:
            pads_with.setdefault(kinds, []).append(pad)
    return [{"pads": pads, "kinds": list(kinds), "any": len(kinds) == len(deck)} for kinds, pads in pads_with.items()]
