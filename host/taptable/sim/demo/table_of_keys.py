"""Which keys are named at the foot of the screen, by what can be done with them now. Pure."""

from __future__ import annotations

from taptable.sim.demo.hints import button_word
from taptable.sim.demo.keyboard import CONTROLS
from taptable.sim.demo.views import Own, View
from taptable.words import Words

Keys = list[tuple[str, str]]


def keys_now(view: View, words: Words) -> Keys:
    """What matters now, the most important first."""
    own = view.own
    if own is not None and own.asked is not None:
        return [(own.asked, words.text("demo", f"again-{own.asked}")), ("Esc", words.text("demo", "key-back"))]
    last: Keys = [("?", words.text("demo", "key-help")), ("q", words.text("demo", "key-quit"))]
    if own is None:
        named = [("p", _pause(view, words)), ("+ -", words.text("demo", "key-speed"))]
        return [*named, *last, *controls(words)]
    meaning = view.seats[own.seat - 1].meaning
    button: Keys = [(words.text("demo", "space"), button_word(meaning, words))] if meaning is not None else []
    if own.asking_pad:
        return [*_pads(view, words), ("Esc", words.text("demo", "key-back")), *button]
    return [
        *button,
        *_cards(own, meaning, words),
        ("h", words.text("demo", "key-hint")),
        *last,
        *_more(view, words),
    ]


def controls(words: Words) -> Keys:
    """The control cards but for the pause."""
    return [(key, words.text("control", control)) for key, control in CONTROLS.items() if key != "p"]


def _pause(view: View, words: Words) -> str:
    return words.text("control", "resume" if view.paused else "pause")


def _pads(view: View, words: Words) -> Keys:
    seats = f"1-{len(view.seats)}"
    return [
        ("Enter", words.text("demo", "own-pad")),
        (seats, words.text("demo", "key-pads")),
        ("d", words.pad("discard")),
        ("b", words.text("demo", "key-hold")),
    ]


def _cards(own: Own, meaning: str | None, words: Words) -> Keys:
    keys: Keys = [("1-9 ←→", words.text("demo", "key-card"))]
    if sum(bool(heap.cards) for heap in own.heaps) > 1:
        keys.append(("↑↓", words.text("demo", "key-heap")))
    keys += [("Enter", words.text("demo", "key-tap")), ("d", words.text("demo", "key-discard"))]
    if own.may_draw:
        keys.append(("x", words.text("demo", "key-draw")))
    if meaning == "check":
        keys.append(("a", words.text("demo", "key-tap-all")))
    return keys


def _more(view: View, words: Words) -> Keys:
    more: Keys = [("p", _pause(view, words)), *controls(words), ("+ -", words.text("demo", "key-speed"))]
    others = len(view.show.people) > 1
    return [*more, ("Tab", words.text("demo", "key-seat"))] if others else more
