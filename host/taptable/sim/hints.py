"""What a person at a seat is told to go by: what would count now, and what is waited for. Pure; what is legal and how
things stand come in."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.observations import ControlUsed, Pad
from taptable.core.player import Heap
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.referee.step import Table
from taptable.words import Words


def what_counts(fair: Sequence[tuple[str, Pad]], heaps: Sequence[Heap], seat: int, words: Words) -> list[str]:
    """Which cards may go where, kinds once each; that none counts, where none does."""
    hand = heaps[0].cards if heaps else ()
    pads_of: dict[str, list[int]] = {}
    kinds_on: dict[str, dict[str, None]] = {}
    for card, pad in fair:
        kind = words.kind(card)
        if isinstance(pad, str):
            kinds_on.setdefault(pad, {})[kind] = None
        elif pad not in pads_of.setdefault(kind, []):
            pads_of[kind].append(pad)
    sentences = [f"{kind} → {_where(pads, seat, words)}" for kind, pads in pads_of.items()]
    for pad, kinds in kinds_on.items():
        if hand and all((card, pad) in fair for card in hand):
            sentences.append(words.text("hands", "any-card", {"pad": pad}))
        else:
            sentences.append(f"{', '.join(kinds)} → {words.pad(pad)}")
    return sentences or [words.text("hands", "no-tap")]


def button_word(meaning: str | None, words: Words) -> str:
    """What a button means, in a word or two."""
    if meaning is None:
        return "–"
    return words.message("hands", f"button-{meaning}") or words.text("meaning", meaning)


def may_reshuffle(table: Table, at_us: int) -> bool:
    """Is a pile empty, and would it count to say that it was shuffled?"""
    if not table.scoreboard.used_up:
        return False
    reading = table.game.read(table.state, ControlUsed(at_us, "reshuffle"))
    return not isinstance(reading, Refused | Ignored | Fault)


def waited_for(
    seat: int,
    *,
    meaning: str | None,
    over: bool,
    in_window: bool,
    claimant: int | None,
    on_turn: int | None,
    reshuffles: bool,
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
    return "reshuffle" if reshuffles else "turn"


def _where(pads: Sequence[int], seat: int, words: Words) -> str:
    """The own pad, or the seats to whose pads a card may go."""
    return words.text("hands", "own-pad") if seat in pads else words.seats(sorted(pads))
