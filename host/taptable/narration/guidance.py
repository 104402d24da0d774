"""What can be done now, as one sentence for who learns: which cards count on which pads, and what the button does. Made
of what the game would accept; must not know whose cards they are, nor the rules behind them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taptable.core.observations import Pad
from taptable.core.pack import Pack
from taptable.words import Words


@dataclass(frozen=True, slots=True)
class Way:
    """Kinds that count on the same pads. `whole` says that they are all there are, `is_most_kinds` that they are most
    of them, `backs` that they are all with these backs; `shown` are the kinds with a face in place of those that share
    it, where all of them count."""

    pads: tuple[Pad, ...]
    kinds: tuple[str, ...]
    display_kinds: tuple[str, ...]
    is_every_kind: bool
    is_most_kinds: bool
    backs: tuple[str, ...]

    def names_text(self, words: Words, most: int) -> str | None:
        """The cards by their names; None where that would be more than `most`."""
        names = list(dict.fromkeys(map(words.kind, self.display_kinds)))
        return alternatives_text(names, words) if len(names) <= most else None

    def any_card_text(self, words: Words) -> str | None:
        """Whichever card, or whichever with a back; None where not all of them count."""
        if self.is_every_kind:
            return words.text("guided", "any")
        return words.text("guided", "any", {"back": self.backs[0] or None}) if len(self.backs) == 1 else None

    def some_cards_text(self, words: Words, most: int) -> str:
        """The cards by the first `most` of their names; *a card* where that would be most of all there are."""
        if self.is_most_kinds:
            return words.text("guided", "some")
        return words.text("guided", "and-more", {"most": ", ".join(map(words.kind, self.display_kinds[:most]))})


def ways_of(taps: Iterable[tuple[str, Pad]], kinds: Sequence[str], pads: Iterable[Pad], pack: Pack) -> list[Way]:
    """The ways that lead on: `taps` that count, of cards that are of these `kinds` in all, in the order of the pads and
    of the deck."""
    kinds_on: dict[Pad, set[str]] = {}
    for card, pad in taps:
        kinds_on.setdefault(pad, set()).add(card.partition("#")[0])
    held = [kind.id for kind in pack.kinds if kind.id in kinds]
    pads_with: dict[tuple[str, ...], list[Pad]] = {}
    for pad in pads:
        counting = tuple(kind for kind in held if kind in kinds_on.get(pad, ()))
        if counting:
            pads_with.setdefault(counting, []).append(pad)
    return [_way(tuple(at), counting, held, pack) for counting, at in pads_with.items()]


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
    """On which pads, in words: the `own` one, which `own_key` names, where that is one of them; those of other seats
    are marked at the page."""
    if own in pads:
        return words.text("guided", own_key)
    others = ["others"] if any(isinstance(pad, int) for pad in pads) else []
    keys = [*others, *(pad for pad in pads if isinstance(pad, str))]
    return alternatives_text([words.text("guided", f"where-{key}") for key in keys], words)


def alternatives_text(names: Sequence[str], words: Words) -> str:
    """Names of which one is meant."""
    *most, last = names
    return words.text("guided", "one-of", {"most": ", ".join(most), "last": last}) if most else last


def tap_text(cards: str, at: str, words: Words) -> str:
    """The step of tapping these cards there, where it is the first that is said."""
    return words.text("guided", "tap", {"cards": cards, "where": at})


def guidance_text(steps: Sequence[str], button: str | None, words: Words) -> str:
    """These steps, of which one can be done, and what the button does that is said to mean `button`; "" if there is
    nothing to be done."""
    *most, last = steps or ("",)
    can = words.text("guided", "or", {"most": ", ".join(most), "last": last}) if most else last
    does = "" if button is None else words.message("guided", f"button-{button}") or ""
    said = words.text("guided", "and-button", {"steps": can, "button": does}) if can and does else can or does
    return f"{said[:1].upper()}{said[1:]}." if said else ""
