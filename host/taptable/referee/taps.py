"""The filter of taps and holds: turns tags that come to the pads and go from them into taps and holds of cards. The
session gives it device events, and `gestures` and the referee's step get the outcomes. Holds, control cards, and tags
whose number lies on another pad too wait until `deadline`. All durations of taps are here. Pure. Must not know a rule
of a game, or a reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from taptable.core.controls import Fields
from taptable.core.device_events import CONTROL_PREFIX, MEMBER_PREFIX, TagCame, TagWent, is_pad_readable
from taptable.core.notices import CardTwice, PhoneSeen
from taptable.core.observations import CardHeld, CardsTogether, CardTapped, Pad

TOGETHER_US = 200_000
"""Two new cards on a pad within this time are two cards at once, and neither counts."""
HOLD_US = 1_500_000
"""A card that lies on a pad for this long is held there."""
ABSENCE_US = 300_000
"""A card is known to be gone this long after it was lifted; only then is it known how long it lay. This is the time of
`tapshared.presence.ABSENCE_US`, which readers and seat boards use; change both together."""
CARRIED_US = 1_500_000
"""A tag that is known to be gone from a pad within this time after it came to the next was carried over: a reader with
bad reception is only sure after 1.3 s, and a board's clock is only known within a bound."""
LISTEN_US, LISTEN_COUNT = 500_000, 9
"""Length of one wait, and number of waits, for news that a tag on two pads has left the first one. Together they are
longer than a board takes to repeat a message (at most 1.6 s apart) or to be reported lost (2.5 s)."""


@dataclass(frozen=True, slots=True)
class ControlTapped:
    """A control card was tapped on a pad, alone; or `by` requested its control elsewhere, with `fields` if it has
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


TapOutcome: TypeAlias = (
    CardTapped | CardHeld | CardsTogether | ControlTapped | MemberCame | CardFound | CardTwice | PhoneSeen
)
"""The results of the filter: observations, taps with a meaning beside the game, and notices."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """The doubt whether a tag is the one that lies on another pad, or a second one. Of the two stays, the one at
    `first_pad` began earlier, and the later one at `since_us`. It is one tag if it left `first_pad` at about
    `since_us`, by the stamps of the readers and not by when the report arrives. The table waits for that report until
    `due_us`, and `listens_left` more times. At 0 the tag was refused, but still counts if the report arrives after
    all."""

    first_pad: Pad
    since_us: int
    due_us: int
    listens_left: int = LISTEN_COUNT


@dataclass(frozen=True, slots=True)
class PadTag:
    """A tag on a pad. It came at `came_at_us` ± `uncertainty_us`, and was reported at `received_at_us`, which is later
    where a board's connection was bad. `is_waiting` while its hold, or a control card's tap, is still to come; `alone`
    unless it came with another; `gone_at_us` is when it went, if its tap still has to be settled. `other_pad` is the
    pad where a tag with this number lay when this one came. With a `doubt`, this may be that tag; without one it is a
    second tag, which other pads take no account of."""

    uid: str
    card: str
    came_at_us: int
    received_at_us: int
    is_waiting: bool = True
    alone: bool = True
    gone_at_us: int | None = None
    other_pad: Pad | None = None
    doubt: Doubt | None = None
    uncertainty_us: int = 0

    @property
    def due_us(self) -> int:
        """When the hold, or a control card's tap, is complete. A hold is only reported `ABSENCE_US` later: until then
        the card may have been lifted within `HOLD_US`."""
        return self.received_at_us + (TOGETHER_US if self.is_control else HOLD_US + ABSENCE_US)

    @property
    def is_control(self) -> bool:
        """Whether it is a control card."""
        return self.card.startswith(CONTROL_PREFIX)

    @property
    def is_doubted(self) -> bool:
        """Whether its tap waits until it is known to be the tag that lay on another pad."""
        return self.doubt is not None and self.doubt.listens_left > 0


@dataclass(frozen=True, slots=True)
class Taps:
    """The last known tags on each pad, the pads that have just seen a phone, and the `failed` parts of the table. A pad
    with a failed part isn't readable: its tags may have gone, which is reported when the part is back."""

    pads: Mapping[Pad, tuple[PadTag, ...]] = field(default_factory=dict[Pad, tuple["PadTag", ...]])
    phones: frozenset[Pad] = frozenset()
    failed: frozenset[str] = frozenset()

    def tags_on(self, pad: Pad) -> tuple[PadTag, ...]:
        """Return the tags on one pad."""
        return self.pads.get(pad, ())

    def with_tags(self, pad: Pad, tags: tuple[PadTag, ...]) -> Taps:
        """Return a copy with other tags on one pad."""
        return replace(self, pads={**self.pads, pad: tags})

    def replace_tag(self, pad: Pad, old: PadTag, new: PadTag | None) -> Taps:
        """Return a copy with `new` in place of a tag on a pad, or without that tag if `new` is None."""
        swapped = (new if tag is old else tag for tag in self.tags_on(pad))
        return self.with_tags(pad, tuple(tag for tag in swapped if tag is not None))

    def find_twin(self, uid: str, pad: Pad) -> tuple[Pad, PadTag] | None:
        """Return another pad on which a tag with this number lies beyond doubt, and that tag; None if there is none."""
        return next(
            (
                (other, tag)
                for other, tags in self.pads.items()
                if other != pad and is_pad_readable(other, self.failed)
                for tag in tags
                if tag.uid == uid and tag.gone_at_us is None and tag.other_pad is None
            ),
            None,
        )


def handle_tag_came(taps: Taps, device_event: TagCame, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Handle a tag that came to a pad: a tap at once, unless it is a phone, already lay there, came together with
    another, or lies on another pad too. A member's card is not of the game and leaves no trace on the pad."""
    pad, uid = device_event.pad, device_event.uid
    card = device_event.identity
    if card is not None and card.startswith(MEMBER_PREFIX):
        return taps, [] if device_event.already_present else [MemberCame(now_us, card.removeprefix(MEMBER_PREFIX), pad)]
    if card is None and is_random(uid):
        notices: list[TapOutcome] = [] if pad in taps.phones else [PhoneSeen(now_us, pad)]
        return replace(taps, phones=taps.phones | {pad}), notices
    card = uid if card is None else card
    others = tuple(other for other in taps.tags_on(pad) if other.uid != uid)
    own = next((other for other in taps.tags_on(pad) if other.uid == uid), None)
    if device_event.already_present:
        if own is not None:
            return taps.replace_tag(
                pad, own, replace(own, is_waiting=own.is_waiting and own.is_control, gone_at_us=None)
            ), []
        present = replace(_new_tag(taps, device_event, card, now_us), is_waiting=False, doubt=None)
        return taps.with_tags(pad, (*others, present)), [CardFound(now_us, _card_name(card), pad)]
    outcomes: list[TapOutcome] = []
    if own is not None and not own.is_doubted:
        # its going was never reported
        taps, outcomes = handle_tag_went(taps, TagWent(device_event.at_us, pad, uid), now_us)
    new = _new_tag(taps, device_event, card, now_us)
    taps = replace(taps, phones=taps.phones - {pad})
    recent = tuple(
        other
        for other in others
        if abs(device_event.at_us - other.came_at_us) < TOGETHER_US
        and (other.is_waiting or other.is_doubted or not other.alone)
    )
    if recent:
        parted = tuple(replace(o, is_waiting=False, alone=False, doubt=None) if o in recent else o for o in others)
        new = replace(new, is_waiting=False, alone=False, doubt=None)
        names = tuple(_card_name(other.card) for other in (*recent, new))
        since_us = min(other.received_at_us for other in recent)
        return taps.with_tags(pad, (*parted, new)), [*outcomes, CardsTogether(now_us, names, pad, since_us)]
    if new.is_doubted:
        new = new if own is None or not own.is_doubted else replace(own, gone_at_us=None)
    elif not new.is_control:
        outcomes = [*outcomes, _tap_of(new, pad, now_us)]
    return taps.with_tags(pad, (*others, new)), outcomes


def handle_tag_went(taps: Taps, device_event: TagWent, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Handle a tag that went from a pad. A control card that was lifted early still counts as tapped, and so does a
    card that was carried to another pad."""
    uid, pad = device_event.uid, device_event.pad
    remaining = tuple(
        replace(other, gone_at_us=device_event.at_us) if other.uid == uid else other
        for other in taps.tags_on(pad)
        if other.uid != uid or other.doubt is not None or (other.is_waiting and other.is_control)
    )
    return _handle_leaving(
        taps.with_tags(pad, remaining), pad, uid, device_event.at_us if device_event.seen else None, now_us
    )


def mark_part_failed(taps: Taps, part: str, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Handle a failed part: the tags on a pad that isn't readable without it are no longer known. Holds on that pad
    end, and a doubted tag that may have been carried from it counts as carried."""
    taps, outcomes = replace(taps, failed=taps.failed | {part}), list[TapOutcome]()
    for pad in [pad for pad in taps.pads if not is_pad_readable(pad, frozenset({part}))]:
        taps = taps.with_tags(
            pad, tuple(replace(tag, is_waiting=tag.is_waiting and tag.is_control) for tag in taps.tags_on(pad))
        )
        doubted_uids = [
            tag.uid for _, tag in _doubted_tags(taps) if tag.doubt is not None and tag.doubt.first_pad == pad
        ]
        for uid in dict.fromkeys(doubted_uids):
            taps, settled = _handle_leaving(taps, pad, uid, None, now_us)
            outcomes += settled
    return taps, outcomes


def mark_part_returned(taps: Taps, part: str) -> Taps:
    """Return the taps after a failed part is back: its pad is readable again, and tags that went meanwhile are
    reported."""
    return replace(taps, failed=taps.failed - {part})


def resolve_doubts(taps: Taps, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Settle every doubt as a tap, because no more events follow."""
    outcomes: list[TapOutcome] = []
    for pad, tag in _doubted_tags(taps):
        if tag.is_doubted:
            taps, settled = _resolve_as_tap(taps, pad, tag, now_us)
            outcomes += settled
    return taps, outcomes


def deadline(taps: Taps) -> int | None:
    """Return when the next hold or control card's tap is complete, or the next wait for news about a doubt is over."""
    tags = [tag for pad in taps.pads.values() for tag in pad]
    doubt_due_us = (tag.doubt.due_us for tag in tags if tag.doubt is not None and tag.is_doubted)
    return min((*(tag.due_us for tag in tags if tag.is_waiting), *doubt_due_us), default=None)


def pass_time(taps: Taps, at_us: int, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Return what is complete at `at_us`. That may be before `now_us` if the daemon was delayed: then the table hasn't
    listened meanwhile, and the wait doesn't count."""
    outcomes: list[TapOutcome] = []
    for pad, tag in _doubted_tags(taps):
        doubt = tag.doubt
        if doubt is None or not tag.is_doubted or doubt.due_us > at_us:
            continue
        listens = doubt.listens_left - (now_us - doubt.due_us < LISTEN_US // 2)
        taps = taps.replace_tag(
            pad, tag, replace(tag, doubt=replace(doubt, due_us=now_us + LISTEN_US, listens_left=listens))
        )
        if not listens and tag.other_pad is not None:
            outcomes.append(CardTwice(at_us, _card_name(tag.card), pad, tag.other_pad))
    for pad, tags in taps.pads.items():
        due = [tag for tag in tags if tag.is_waiting and tag.due_us <= at_us]
        if not due:
            continue
        remaining = (replace(tag, is_waiting=False) if tag in due else tag for tag in tags)
        taps = taps.with_tags(
            pad, tuple(tag for tag in remaining if tag.is_waiting or tag.doubt or tag.gone_at_us is None)
        )
        for tag in due:
            if tag.is_control:
                outcomes.append(ControlTapped(at_us, _card_name(tag.card), pad))
            else:
                outcomes.append(CardHeld(at_us, tag.card, pad))
    return taps, outcomes


def _new_tag(taps: Taps, device_event: TagCame, card: str, now_us: int) -> PadTag:
    """Return a tag that has come, with a doubt if the same number lies on another pad too."""
    new = PadTag(device_event.uid, card, device_event.at_us, now_us, uncertainty_us=device_event.uncertainty_us)
    twin = taps.find_twin(device_event.uid, device_event.pad)
    return new if twin is None else _with_doubt(new, device_event.pad, *twin, now_us)


def _with_doubt(new: PadTag, pad: Pad, other: Pad, twin: PadTag, now_us: int) -> PadTag:
    """Return the tag with a doubt about its twin on another pad; their stamps decide which stay began earlier."""
    first = pad if new.came_at_us < twin.came_at_us else other
    doubt = Doubt(first, max(new.came_at_us, twin.came_at_us), now_us + LISTEN_US)
    return replace(new, is_waiting=False, other_pad=other, doubt=doubt)


def _doubted_tags(taps: Taps) -> list[tuple[Pad, PadTag]]:
    """Return the tags with a doubt and their pads, the first reported first."""
    tags = [(pad, tag) for pad, tags in taps.pads.items() for tag in tags if tag.doubt is not None]
    return sorted(tags, key=lambda each: each[1].received_at_us)


def _handle_leaving(taps: Taps, pad: Pad, uid: str, gone_us: int | None, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Handle a tag that went from a pad at `gone_us`, None if that isn't known. If that is about when it came to
    another pad, it is the same tag and counts there; else there are two. Of several candidates, the one that was
    reported first is the one carried from here."""
    outcomes: list[TapOutcome] = []
    next_at: tuple[Pad, PadTag] | None = None
    for at, tag in _doubted_tags(taps):
        doubt = tag.doubt
        if doubt is None or tag.uid != uid or doubt.first_pad != pad:
            continue
        is_same = tag.is_doubted if gone_us is None else gone_us - doubt.since_us < CARRIED_US
        if next_at is not None and tag.is_doubted:
            taps = taps.replace_tag(at, tag, _with_doubt(tag, at, *next_at, now_us))
        elif next_at is None and is_same:
            taps, settled = _resolve_as_tap(taps, at, tag, now_us)
            outcomes += settled
            next_at = at, tag
        elif gone_us is not None:
            second = replace(tag, doubt=None) if tag.gone_at_us is None else None
            taps = taps.replace_tag(at, tag, second)
            if tag.is_doubted and tag.other_pad is not None:
                outcomes.append(CardTwice(now_us, _card_name(tag.card), at, tag.other_pad))
    if next_at is not None and (gone_us := next_at[1].gone_at_us) is not None:
        taps, settled = _handle_leaving(taps, next_at[0], uid, gone_us, now_us)
        outcomes += settled
    return taps, outcomes


def _resolve_as_tap(taps: Taps, pad: Pad, tag: PadTag, now_us: int) -> tuple[Taps, list[TapOutcome]]:
    """Settle a doubt: the tag was carried here, and that is a tap. Its hold is complete after the tap at the
    earliest."""
    noticed_us = max(tag.received_at_us, now_us - HOLD_US)
    waits = tag.is_control or is_pad_readable(pad, taps.failed)
    tapped = replace(tag, is_waiting=waits, received_at_us=noticed_us, other_pad=None, doubt=None)
    is_kept = tag.gone_at_us is None or tag.is_control
    taps = taps.replace_tag(pad, tag, tapped if is_kept else None)
    return taps, [] if tag.is_control else [_tap_of(tag, pad, now_us)]


def _tap_of(tag: PadTag, pad: Pad, now_us: int) -> CardTapped:
    """Return the tap of a tag, which counts now. If its stamp is uncertain, so is the tap: as far back as it may have
    come."""
    late_us = now_us - tag.came_at_us + tag.uncertainty_us if tag.uncertainty_us else 0
    return CardTapped(now_us, tag.card, pad, max(late_us, 0))


def is_random(uid: str) -> bool:
    """Return whether this is a 4-byte number that begins with 08, which is random at each tap (ISO 14443-3, 6.5.4)."""
    return len(uid) == 8 and uid.startswith("08")


def _card_name(card: str) -> str:
    return card.removeprefix(CONTROL_PREFIX)
