"""What a person at a seat is told to go by: what would count now, and what is waited for. Pure; what is legal and how
things stand come in."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.player import Heap
from taptable.core.scoreboard import DRAW_PILE
from taptable.words import Words


def what_counts(fair: Sequence[tuple[str, Pad]], heaps: Sequence[Heap], seat: int, words: Words) -> list[str]:
    """Which cards may go where, kinds once each; that none counts, where none does."""
    hand = heaps[0].cards if heaps else ()
    pads_of: dict[str, list[int]] = {}
    thrown: dict[str, None] = {}
    for card, pad in fair:
        kind = words.kind(card)
        if isinstance(pad, int):
            pads = pads_of.setdefault(kind, [])
            if pad not in pads:
                pads.append(pad)
        elif pad == DISCARD_PAD:
            thrown[kind] = None
    sentences = [f"{kind} → {_where(pads, seat, words)}" for kind, pads in pads_of.items()]
    if hand and all((card, DISCARD_PAD) in fair for card in hand):
        sentences.append(words.text("demo", "any-card", {"pad": DISCARD_PAD}))
    elif thrown:
        sentences.append(f"{', '.join(thrown)} → {words.pad(DISCARD_PAD)}")
    return sentences or [words.text("demo", "no-tap")]


def button_word(meaning: str | None, words: Words) -> str:
    """What a button means, in a word or two."""
    return words.text("demo", f"button-{meaning}") if meaning is not None else "–"


def waited_for(
    seat: int,
    *,
    meaning: str | None,
    over: bool,
    in_window: bool,
    claimant: int | None,
    on_turn: int | None,
    used_up: Collection[str],
) -> str:
    """What a person at `seat` is waited for, or waits for, as a key: by what the button `meaning` is, and how the game
    stands."""
    if over:
        return "over"
    if in_window and meaning is None:
        return "claim" if claimant == seat else "window"
    if meaning not in ("stop", None):
        return meaning
    if on_turn != seat:
        return "wait"
    return "reshuffle" if DRAW_PILE in used_up else "turn"


def _where(pads: Sequence[int], seat: int, words: Words) -> str:
    """The own pad, or the seats to whose pads a card may go."""
    return words.text("demo", "own-pad") if seat in pads else words.seats(sorted(pads))
