"""Choosing a card at the keyboard, and then a pad: what the cursor does among the heaps in reach. Pure, and
knows no rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from taptable.core.player import Heap


@dataclass(frozen=True, slots=True)
class Choice:
    """The card under the cursor (None: there is none in reach) and the heap it lies in, as its place and seats; and
    whether a pad is asked for."""

    card: str | None = None
    heap: tuple[str, tuple[int, ...]] | None = None
    asking_pad: bool = False


def settle(choice: Choice, heaps: Sequence[Heap]) -> Choice:
    """The choice where its card is still in its heap; else the first card there is."""
    if any(choice.card in heap.cards and choice.heap == (heap.place, heap.seats) for heap in heaps):
        return choice
    return next((_choose(heap, heap.cards[0]) for heap in heaps if heap.cards), Choice())


def heap_of(choice: Choice, heaps: Sequence[Heap]) -> int:
    """The index of the heap in which the card lies; the first where there is no card."""
    return next((index for index, heap in enumerate(heaps) if choice.card in heap.cards), 0)


def along(choice: Choice, heaps: Sequence[Heap], by: int) -> Choice:
    """The next card of the same heap, or the one before; round the ends."""
    if choice.card is None:
        return choice
    heap = heaps[heap_of(choice, heaps)]
    return _choose(heap, heap.cards[(heap.cards.index(choice.card) + by) % len(heap.cards)])


def across(choice: Choice, heaps: Sequence[Heap], by: int) -> Choice:
    """The next heap that isn't empty, or the one before: its top card, the first of a hand."""
    index = heap_of(choice, heaps)
    for _ in heaps:
        index = (index + by) % len(heaps)
        if heaps[index].cards:
            return enter(heaps, index)
    return choice


def enter(heaps: Sequence[Heap], index: int) -> Choice:
    """The card at which a heap is entered: the first in the hand, else the top one."""
    cards = heaps[index].cards if heaps else ()
    return _choose(heaps[index], cards[0 if index == 0 else -1]) if cards else Choice()


def numbered(choice: Choice, heaps: Sequence[Heap], number: int) -> Choice | None:
    """The card with this number, from 1, in the same heap, and a pad asked for; None if there are fewer."""
    heap = heaps[heap_of(choice, heaps)] if heaps else Heap("", (), ())
    return ask_pad(_choose(heap, heap.cards[number - 1])) if 1 <= number <= len(heap.cards) else None


def ask_pad(choice: Choice, asking: bool = True) -> Choice:
    """A pad is asked for, if there is a card; or no longer."""
    return replace(choice, asking_pad=asking and choice.card is not None)


def _choose(heap: Heap, card: str) -> Choice:
    return Choice(card, (heap.place, heap.seats))
