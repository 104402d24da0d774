"""Guidance for learners: one sentence that says which cards count on which pads now, and what the button does. It is
derived from the taps that the game would accept. Must not know whose cards they are, nor the rules behind them.
Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taptable.core.observations import Pad
from taptable.core.pack import Pack
from taptable.words import Words


@dataclass(frozen=True, slots=True)
class Way:
    """Kinds that count on the same pads.

    `is_every_kind` says that no other kinds are held, `is_most_kinds` that these are more than half of them, `backs`
    that they are all kinds with these backs. `display_kinds` replaces kinds that share a face by the kind with that
    face if all of them count."""

    pads: tuple[Pad, ...]
    kinds: tuple[str, ...]
    display_kinds: tuple[str, ...]
    is_every_kind: bool
    is_most_kinds: bool
    backs: tuple[str, ...]

    def names_text(self, words: Words, most: int) -> str | None:
        """Return the cards by their names; None if these are more than `most`."""
        names = list(dict.fromkeys(map(words.kind, self.display_kinds)))
        return alternatives_text(names, words) if len(names) <= most else None

    def any_card_text(self, words: Words) -> str | None:
        """Return a text for any card, or for any card with one back; None if not all of them count."""
        if self.is_every_kind:
            return words.text("guided", "any")
        return words.text("guided", "any", {"back": self.backs[0] or None}) if len(self.backs) == 1 else None

    def some_cards_text(self, words: Words, most: int) -> str:
        """Return the first `most` names of the cards; *a card* if they are more than half of the kinds held."""
        if self.is_most_kinds:
            return words.text("guided", "some")
        return words.text("guided", "and-more", {"most": ", ".join(map(words.kind, self.display_kinds[:most]))})


def ways_of(taps: Iterable[tuple[str, Pad]], kinds: Sequence[str], pads: Iterable[Pad], pack: Pack) -> list[Way]:
    """Return the possible moves: `taps` that count, of cards of these `kinds`, in the order of the pads and of the
    deck."""
    kinds_on: dict[Pad, set[str]] = {}
    for card, pad in taps:
        kinds_on.setdefault(pad, set()).add(card.partition("#")[0])
    held = [kind.id for kind in pack.kinds if kind.id in kinds]
    pads_with: dict[tuple[str, ...], list[Pad]] = {}
    for pad in pads:
        counting_kinds = tuple(kind for kind in held if kind in kinds_on.get(pad, ()))
        if counting_kinds:
            pads_with.setdefault(counting_kinds, []).append(pad)
    return [_way(tuple(at), counting_kinds, held, pack) for counting_kinds, at in pads_with.items()]


def _way(pads: tuple[Pad, ...], kinds: tuple[str, ...], held: Sequence[str], pack: Pack) -> Way:
    backs = tuple(dict.fromkeys(pack.by_id[kind].back for kind in kinds))
    are_all = set(kinds) == {kind for kind in held if pack.by_id[kind].back in backs}
    return Way(
        pads,
        kinds,
        _display_kinds(kinds, pack),
        len(kinds) == len(held),
        2 * len(kinds) > len(held),
        backs if are_all else (),
    )


def _display_kinds(kinds: tuple[str, ...], pack: Pack) -> tuple[str, ...]:
    alike: dict[str, list[str]] = {}
    for kind in pack.kinds:
        alike.setdefault(kind.face, []).append(kind.id)
    face_of = {kind: pack.by_id[kind].face for kind in kinds}
    whole = {face for face in face_of.values() if len(alike[face]) > 1 and set(alike[face]) <= set(kinds)}
    return tuple(dict.fromkeys(face if face in whole else kind for kind, face in face_of.items()))


def place_text(pads: Sequence[Pad], own: int, own_key: str, words: Words) -> str:
    """Return the pads in words: by `own_key` if the `own` pad is one of them. The page marks those of other seats."""
    if own in pads:
        return words.text("guided", own_key)
    others = ["others"] if any(isinstance(pad, int) for pad in pads) else []
    keys = [*others, *(pad for pad in pads if isinstance(pad, str))]
    return alternatives_text([words.text("guided", f"where-{key}") for key in keys], words)


def alternatives_text(names: Sequence[str], words: Words) -> str:
    """Return names joined by *or*."""
    *most, last = names
    return words.text("guided", "one-of", {"most": ", ".join(most), "last": last}) if most else last


def tap_text(cards: str, at: str, words: Words) -> str:
    """Return the step of tapping these cards there, worded for the beginning of a sentence."""
    return words.text("guided", "tap", {"cards": cards, "where": at})


def guidance_text(steps: Sequence[str], button: str | None, words: Words) -> str:
    """Return a sentence with these alternative steps and the action of the button, `button`; "" if nothing can be
    done."""
    *most, last = steps or ("",)
    steps_text = words.text("guided", "or", {"most": ", ".join(most), "last": last}) if most else last
    button_text = "" if button is None else words.message("guided", f"button-{button}") or ""
    sentence = (
        words.text("guided", "and-button", {"steps": steps_text, "button": button_text})
        if steps_text and button_text
        else steps_text or button_text
    )
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
