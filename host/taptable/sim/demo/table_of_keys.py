"""Which keys are named at the foot of the screen, by what can be done with them now. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from taptable.core.observations import DISCARD_PAD
from taptable.sim.demo.keyboard import CONTROLS
from taptable.sim.demo.views import Own, View
from taptable.sim.hints import button_word
from taptable.words import Words

EXTRA_PADS = ("e", "f")
"""The keys of the pads beside the seats' and the discard pile's."""

Keys: TypeAlias = list[tuple[str, str]]
"""Keys by the names they have on a keyboard, and what each does."""


def keys_now(view: View, words: Words) -> tuple[Keys, Keys]:
    """What matters now, the most important first; and what always does."""
    own = view.own
    if own is not None and own.asked is not None:
        return [(own.asked, words.text("demo", f"again-{own.asked}"))], [("Esc", words.text("demo", "key-back"))]
    always: Keys = [("?", words.text("demo", "key-help")), ("q", words.text("demo", "key-quit"))]
    speed = ("+ -", words.text("demo", "key-speed"))
    pause = ("p", words.text("control", "resume" if view.paused else "pause"))
    if own is None:
        return [pause, speed, *_controls(words)], always
    meaning = view.seats[own.seat - 1].meaning
    button: Keys = [(words.text("demo", "space"), button_word(meaning, words))] if meaning is not None else []
    if own.offered is not None:
        return [("1-9 ←→", words.text("demo", "key-menu")), ("Enter", words.text("demo", "key-use"))], [
            ("Esc", words.text("demo", "key-back"))
        ]
    if own.asking_pad:
        return [*_pads(len(view.seats), own.pads, words), *button], [("Esc", words.text("demo", "key-back"))]
    others: Keys = [("Tab", words.text("demo", "key-seat"))] if len(view.show.people) > 1 else []
    return [*button, *others, *_cards(own, meaning, words), pause, *_controls(words), speed], always


def _controls(words: Words) -> Keys:
    """The control cards but for the pause."""
    return [(key, words.text("control", control)) for key, control in CONTROLS.items() if control != "pause"]


def _pads(seats: int, extra: Sequence[str], words: Words) -> Keys:
    return [
        ("Enter", words.text("demo", "own-pad")),
        (f"1-{seats}", words.text("demo", "key-pads")),
        ("d", words.pad(DISCARD_PAD)),
        *((key, words.pad(pad)) for key, pad in zip(EXTRA_PADS, extra, strict=False)),
        ("b", words.text("demo", "key-hold")),
    ]


def _cards(own: Own, meaning: str | None, words: Words) -> Keys:
    keys: Keys = [("m", words.text("demo", "key-menu"))] if own.offers else []
    keys.append(("1-9 ←→", words.text("demo", "key-card")))
    if sum(bool(heap.cards) for heap in own.heaps) > 1:
        keys.append(("↑↓", words.text("demo", "key-heap")))
    keys += [("Enter", words.text("demo", "key-tap")), ("d", words.text("demo", "key-discard"))]
    keys += [(key, words.pad(pad)) for key, pad in zip(EXTRA_PADS, own.pads, strict=False)]
    if own.may_draw:
        keys.append(("x", words.text("demo", "key-draw")))
    if meaning == "check":
        keys.append(("a", words.text("demo", "key-tap-all")))
    return [*keys, ("h", words.text("demo", "key-hint"))]
