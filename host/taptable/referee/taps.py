"""Taps and holds: from tags that come and go on the pads to what a player did with a card (*Reading cards* of
the table's page).

Pure; holds and control cards wait for their time at `deadline`. It knows no rule of a game, and no reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from taptable.core.controls import Fields
from taptable.core.device_events import TagCame, TagWent
from taptable.core.notices import CardTwice, PhoneSeen
from taptable.core.observations import CardHeld, CardsTogether, CardTapped, Pad

TOGETHER_US = 200_000
"""Two new cards on a pad within this time are one gesture too many."""
HOLD_US = 1_500_000
ABSENCE_US = 300_000
"""A card is known to be gone this long after it was lifted; so only then is it known how long it lay."""
DOUBT_US = 1_000_000
"""A card that comes to a pad while it still lies on another waits this long for word that it is gone there: a hand may
carry it faster than a reader is sure of its absence, and a reader that hears badly takes a second."""

CONTROL = "control:"
"""What `Resolve` puts before the name of a control card."""

MEMBER = "member/"
"""What `Resolve` puts before the id of a member, whose card it is; no deck is called so."""

Resolve: TypeAlias = Callable[[str], str | None]
"""From a tag's number to the card's id, ``control:<name>``, ``<deck>:<card>`` for a card of another deck,
``member/<id>``, or None."""


@dataclass(frozen=True, slots=True)
class ControlTapped:
    """A control card was tapped on a pad, alone; or `by` asked for its control elsewhere, with `fields` if it has
    any."""

    at_us: int
    control: str
    pad: Pad
    by: str = ""
    fields: Fields = ()


@dataclass(frozen=True, slots=True)
class MemberCame:
    """A member's card was tapped on a pad."""

    at_us: int
    member: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardFound:
    """A card, or a control card, lay on a pad when the reader began to look; that is no tap."""

    at_us: int
    card: str
    pad: Pad


Gesture: TypeAlias = (
    CardTapped | CardHeld | CardsTogether | ControlTapped | MemberCame | CardFound | CardTwice | PhoneSeen
)


@dataclass(frozen=True, slots=True)
class Lying:
    """A tag on a pad: it came at one time, and was noticed at another where a board's line was bad. `waits` while its
    hold, or a control card's tap, is still to come; `alone` unless it came with another; `lifted` if it is gone and
    still waits. `also_at` is the pad where a tag with this number lay when this one came: while it waits nobody knows
    whether it is the same tag, afterwards it is a second one, which was refused."""

    uid: str
    card: str
    came_at_us: int
    noticed_at_us: int
    waits: bool = True
    alone: bool = True
    lifted: bool = False
    also_at: Pad | None = None

    @property
    def due_us(self) -> int:
        """When the waiting is over."""
        if self.also_at is not None:
            return self.noticed_at_us + DOUBT_US
        return self.noticed_at_us + (TOGETHER_US if self.card.startswith(CONTROL) else HOLD_US + ABSENCE_US)


@dataclass(frozen=True, slots=True)
class Taps:
    """What lies on each pad, and the pads that have just seen a phone."""

    pads: Mapping[Pad, tuple[Lying, ...]] = field(default_factory=dict[Pad, tuple["Lying", ...]])
    phones: frozenset[Pad] = frozenset()

    def on(self, pad: Pad) -> tuple[Lying, ...]:
        """What lies on one pad."""
        return self.pads.get(pad, ())

    def put(self, pad: Pad, lying: tuple[Lying, ...]) -> Taps:
        """The same with other tags on one pad."""
        return replace(self, pads={**self.pads, pad: lying})

    def elsewhere(self, uid: str, pad: Pad) -> Pad | None:
        """The other pad on which a tag with this number lies beyond doubt; None if there is none."""
        return next(
            (
                other
                for other, tags in self.pads.items()
                if other != pad and any(tag.uid == uid and not tag.lifted and tag.also_at is None for tag in tags)
            ),
            None,
        )


def came(taps: Taps, device_event: TagCame, resolve: Resolve, now_us: int) -> tuple[Taps, list[Gesture]]:
    """A tag came to a pad: a tap at once, unless it is a phone, was lying there, came together with another, or lies on
    another pad too. A member's card is none of the game's, and as if it never lay there."""
    pad, uid = device_event.pad, device_event.uid
    card = resolve(uid)
    if card is not None and card.startswith(MEMBER):
        return taps, [] if device_event.lying else [MemberCame(now_us, card.removeprefix(MEMBER), pad)]
    if card is None and is_random(uid):
        said: list[Gesture] = [] if pad in taps.phones else [PhoneSeen(now_us, pad)]
        return replace(taps, phones=taps.phones | {pad}), said
    card = uid if card is None else card
    others = tuple(other for other in taps.on(pad) if other.uid != uid)
    if device_event.lying:
        known = any(other.uid == uid for other in taps.on(pad))
        found = Lying(uid, card, device_event.at_us, now_us, waits=False)
        return taps.put(pad, (*others, found)), [] if known else [CardFound(now_us, _name(card), pad)]
    taps = replace(taps, phones=taps.phones - {pad})
    recent = tuple(
        other
        for other in others
        if abs(device_event.at_us - other.came_at_us) < TOGETHER_US and (other.waits or not other.alone)
    )
    if recent:
        parted = tuple(replace(o, waits=False, alone=False, also_at=None) if o in recent else o for o in others)
        new = Lying(uid, card, device_event.at_us, now_us, waits=False, alone=False)
        names = tuple(_name(other.card) for other in (*recent, new))
        since_us = min(other.noticed_at_us for other in recent)
        return taps.put(pad, (*parted, new)), [CardsTogether(now_us, names, pad, since_us)]
    new = Lying(uid, card, device_event.at_us, now_us)
    if (also_at := taps.elsewhere(uid, pad)) is not None:
        doubted = next((other for other in taps.on(pad) if other.uid == uid and _is_doubted(other)), new)
        return taps.put(pad, (*others, replace(doubted, lifted=False, also_at=also_at))), []
    tapped: list[Gesture] = [] if card.startswith(CONTROL) else [CardTapped(now_us, card, pad)]
    return taps.put(pad, (*others, new)), tapped


def went(taps: Taps, device_event: TagWent, now_us: int) -> tuple[Taps, list[Gesture]]:
    """A tag is gone from a pad. A control card that was lifted early has been tapped all the same, and so has a card
    that came to another pad meanwhile."""
    uid, pad = device_event.uid, device_event.pad
    left = tuple(
        replace(other, lifted=True) if other.uid == uid else other
        for other in taps.on(pad)
        if other.uid != uid or (other.waits and (other.card.startswith(CONTROL) or _is_doubted(other)))
    )
    taps = taps.put(pad, left)
    for at, doubted in _doubted(taps):
        if doubted.uid == uid and doubted.also_at == pad:
            return _settle(taps, at, doubted, now_us)
    return taps, []


def forget(taps: Taps, pad: Pad) -> Taps:
    """A pad stopped answering: nothing is known of what lies there."""
    return taps.put(pad, ())


def deadline(taps: Taps) -> int | None:
    """When a hold, or a control card's tap, is complete."""
    return min((lying.due_us for pad in taps.pads.values() for lying in pad if lying.waits), default=None)


def pass_time(taps: Taps, now_us: int) -> tuple[Taps, list[Gesture]]:
    """What is complete by now."""
    gestures: list[Gesture] = []
    for pad, doubted in _doubted(taps):
        if doubted.due_us <= now_us:
            taps, settled = _settle(taps, pad, doubted, now_us)
            gestures += settled
    for pad, tags in taps.pads.items():
        due = [lying for lying in tags if lying.waits and not _is_doubted(lying) and lying.due_us <= now_us]
        if not due:
            continue
        left = (replace(lying, waits=False) if lying in due else lying for lying in tags)
        taps = taps.put(pad, tuple(lying for lying in left if lying.waits or not lying.lifted))
        for lying in due:
            if lying.card.startswith(CONTROL):
                gestures.append(ControlTapped(now_us, _name(lying.card), pad))
            else:
                gestures.append(CardHeld(now_us, lying.card, pad))
    return taps, gestures


def _is_doubted(lying: Lying) -> bool:
    """Whether nobody knows yet if it is the tag that lies on another pad, or a second one."""
    return lying.waits and lying.also_at is not None


def _doubted(taps: Taps) -> list[tuple[Pad, Lying]]:
    """The doubted tags with their pads, the first noticed first."""
    doubted = [(pad, lying) for pad, tags in taps.pads.items() for lying in tags if _is_doubted(lying)]
    return sorted(doubted, key=lambda each: each[1].noticed_at_us)


def _settle(taps: Taps, pad: Pad, doubted: Lying, now_us: int) -> tuple[Taps, list[Gesture]]:
    """The taps without this doubt, and what it was: a tap if the tag lies nowhere else any more, else a second tag
    with its number, or one between two pads."""
    also_at = taps.elsewhere(doubted.uid, pad)
    is_tap = also_at is None
    is_control = doubted.card.startswith(CONTROL)
    settled = replace(doubted, waits=is_tap, also_at=also_at)
    goes_on = not doubted.lifted or (is_tap and is_control)
    tags = (settled if lying is doubted else lying for lying in taps.on(pad) if lying is not doubted or goes_on)
    taps = taps.put(pad, tuple(tags))
    if also_at is not None:
        return taps, [CardTwice(now_us, _name(doubted.card), pad, also_at)]
    return taps, [] if is_control else [CardTapped(now_us, doubted.card, pad)]


def is_random(uid: str) -> bool:
    """Is this a 4-byte number that begins with 08, made anew at each tap (ISO 14443-3, 6.5.4)?"""
    return len(uid) == 8 and uid.startswith("08")


def _name(card: str) -> str:
    return card.removeprefix(CONTROL)
