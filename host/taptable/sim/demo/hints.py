"""A hint for a person at a seat: what would be legal now, in a sentence. Pure; what is legal comes in."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.player import Heap
from taptable.sim.demo.sayings import GOOD
from taptable.sim.demo.views import Said
from taptable.words import Words


def hint(fair: Sequence[tuple[str, Pad]], heaps: Sequence[Heap], seat: int, meaning: str | None, words: Words) -> Said:
    """Which cards may go where, kinds once each, and what the button is good for."""
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
    if not sentences:
        sentences.append(words.text("demo", "no-tap"))
    if meaning is not None:
        sentences.append(f"{words.text('demo', 'space')}: {button_word(meaning, words)}")
    return Said(" · ".join(sentences), GOOD, "?")


def button_word(meaning: str | None, words: Words) -> str:
    """What a button means, in a word or two."""
    return words.text("demo", f"button-{meaning}") if meaning is not None else "–"


def _where(pads: Sequence[int], seat: int, words: Words) -> str:
    """The own pad, or the seats to whose pads a card may go."""
    return words.text("demo", "own-pad") if seat in pads else words.seats(sorted(pads))
