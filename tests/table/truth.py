"""Compares the truth at the pads and contacts of a simulated table, as the models recorded it, with the journal's
account of what the table noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType

from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.drivers.gpio.pin_model import LONGEST_BOUNCE_S, SPIKE_S, WORST_BOUNCE_S, Closing
from taptable.drivers.header_lines import bcm_of
from taptable.drivers.interface import PartRole
from taptable.memory.records import Entry
from taptable.sim.field import CAME
from taptable.sim.table import SimulatedTable

SURELY_READ_S = 0.1
"""Seconds after which a card was certainly seen by its reader: a board looks every 8 ms, the readers on the Pi twenty
times a second."""
SURELY_READ_ON_I2C_S = 0.3
"""The same on I2C, whose bus is slow: at the models a round of all readers took up to 0.27 s, with a card that can't be
read on one of them."""
SURELY_READ_ON_PCSC_S = 0.5
"""The same at a boxed reader, whose model looks every 0.4 s at the latest."""
FOUND_GONE_S = 0.4
"""By how much longer that takes if another card left within this time before: the reader's first look finds only that
this one has gone."""
EARLY_S = 0.001
"""By how much a read may be stamped before its card came, in seconds: while a reader looks, the model's time runs ahead
of the table's. On I2C that is up to a round."""
MAX_CARDS = 3
"""The most cards on a pad that a reader can distinguish."""
ABSENCE_S = 0.3
UNSURE_S = 1.3 + 0.1
"""Seconds after which even a reader that hears badly, or hears something that it can't read, is sure that a card is
gone."""
LOOKS_S = 0.1
"""Tolerance of the times at which cards come and go, since a reader only looks now and then, in seconds."""
DOUBTFUL_S = (ABSENCE_S - LOOKS_S, ABSENCE_S + LOOKS_S)
"""A card that was away for a time between these may or may not have been gone."""
STAMP_S = 0.0001
"""Tolerance of the stamp of a press, in seconds."""
BOARD_STAMP_S = 0.005
"""The same where the button is on a board, by the round trip to it."""
TOLD_S = 0.3
"""Seconds within which a press on a board is reported on a calm line."""
ASKED_S = 0.05
"""Seconds within which a press at a controller is reported: it is asked for it, and the press has settled."""
RELEASED_S = 0.05
"""A contact that closes again within this many seconds after its release counts as bouncing; no finger can do that."""
ASKED_LATE_S = 0.015
"""The same time may be measured by so much too long or too short at a controller: it is asked every 8 ms, and finds a
contact that bounces for 6 ms as it was before."""
LOOKED_S = 0.004
"""A contact that has ceased to bounce has been looked at by then."""


DOUBT_S = 5.0 + 4.0
"""Seconds within which it is settled whether a card that lies on two pads was carried there, or is a second one; a host
that is held up doesn't listen meanwhile."""


@dataclass(frozen=True)
class JournaledRead:
    """A card's arrival by the journal; in a check of the table the pad is unknown. `also_at`: it was refused, since
    another with its number lay there."""

    card: str
    pad: Pad | None
    at_s: float
    also_at: Pad | None = None


@dataclass(frozen=True)
class Stay:
    """A card's stay on a pad; `left_s` is None while it lasts. `doubtful`: it was away for so long that it may or may
    not have been gone in between. A read of it may be stamped `early_s` before it came."""

    card: str
    pad: Pad
    came_s: float
    left_s: float | None
    doubtful: int = 0
    early_s: float = EARLY_S

    def is_surely_read(self, kind: str, there: Iterable[Stay]) -> bool:
        """Return whether a reader of this kind has certainly seen the card: it lay there for long enough, and beside no
        more of the others that were `there` than the reader can distinguish."""
        after_s = {"i2c": SURELY_READ_ON_I2C_S, "pcsc": SURELY_READ_ON_PCSC_S}.get(kind, SURELY_READ_S)
        here = [each for each in there if each.pad == self.pad]
        if kind == "pcsc" and any(0 <= self.came_s - (each.left_s or inf) < FOUND_GONE_S for each in here):
            after_s += FOUND_GONE_S
        left_s = self.left_s or inf
        at_once = sum(each.overlaps([(self.came_s, left_s)]) for each in here)
        return left_s - self.came_s >= after_s and at_once <= (1 if kind == "pcsc" else MAX_CARDS)

    @property
    def most_reads(self) -> int:
        return 1 + self.doubtful

    def allows(self, read: JournaledRead, late_s: Late, *, doubted: bool = False) -> bool:
        """Return whether the read may be of this stay, if it may come `late_s` late, or later still if it was
        doubted."""
        doubt_s = DOUBT_S if doubted or read.also_at is not None else 0.0
        in_time = self.left_s is None or read.at_s <= self.left_s + late_s(self.pad) + doubt_s
        return (
            self.came_s - self.early_s <= read.at_s
            and in_time
            and self.card == read.card
            and read.pad in (self.pad, None)
        )

    def is_beside(self, other: Stay) -> bool:
        """Did a tag of this card lie on another pad meanwhile?"""
        return self.card == other.card and self.pad != other.pad and other.overlaps([(self.came_s, self.left_s or inf)])

    def is_carried_unheard(self, other: Stay, unwritten: Iterable[tuple[float, float]]) -> bool:
        """Return whether the card was carried here from the other pad while the journal couldn't be written."""
        left_s = inf if other.left_s is None else other.left_s
        is_carried = self.card == other.card and self.pad != other.pad and left_s <= self.came_s
        return is_carried and any(began_s <= self.came_s and left_s <= ended_s for began_s, ended_s in unwritten)

    def follows(self, other: Stay) -> bool:
        """Return whether the card lay there so shortly before that a reader that hears badly may have seen one stay."""
        gap_s = inf if other.left_s is None else self.came_s - other.left_s
        return (self.card, self.pad) == (other.card, other.pad) and 0 <= gap_s < UNSURE_S

    def follows_beside(self, other: Stay) -> bool:
        """Return whether the card lay there so shortly before that the table was still deciding whether it was a second
        one. It reports both only once."""
        gap_s = inf if other.left_s is None else self.came_s - other.left_s
        return (self.card, self.pad) == (other.card, other.pad) and 0 <= gap_s < DOUBT_S

    def overlaps(self, spans: Iterable[tuple[float, float]]) -> bool:
        return any(begin_s <= (self.left_s or end_s) and self.came_s <= end_s for begin_s, end_s in spans)


Late = Callable[[Pad], float]
Blind = Mapping[Pad, Sequence[tuple[float, float]]]
"""From when to when the reader of a pad, or its board, was out of order."""


def pad_mismatches(
    table: SimulatedTable,
    tags: Mapping[str, str],
    entries: Sequence[Entry],
    *,
    late_s: Late = lambda _pad: 0.25,
    blind: Blind = MappingProxyType({}),
    twice: Blind = MappingProxyType({}),
    unwritten: Sequence[tuple[float, float]] = (),
    loop_s: Callable[[int], float] = lambda at_us: at_us / US_PER_S,
    began_at_s: Callable[[int], Sequence[float]] | None = None,
    lost: Sequence[JournaledRead] = (),
) -> list[str]:
    """The differences of the journal from the fields: a card that lay there unread, one that was read twice or was not
    there, or was refused as a second one though no other lay elsewhere. A read may be up to `late_s` later than the
    card. A `blind` pad may miss it, and one on a pad that lost sight of it may be read `twice`, or only once if it soon
    comes back. What is known to be `lost` was read. While the journal was `unwritten` a board's reports were late.
    `loop_s` gives the loop's time at a table time, `began_at_s` all loop times that it may have been if daemons began
    at that very time."""
    card_of = {uid: what for what, uid in tags.items() if "#" in what}
    there = list(stays(table, card_of))
    kinds = kinds_of_readers(table)
    beside = {stay for stay in there if any(map(stay.is_beside, there))}
    doubted = {*beside, *(stay for stay in there for other in there if stay.is_carried_unheard(other, unwritten))}
    read_of: dict[Stay, list[JournaledRead]] = {stay: [] for stay in there}
    wrong: list[str] = []
    for read in reads_in(entries, loop_s):
        if read.also_at is not None and not any(
            second.is_beside(first) and first.pad == read.also_at
            for second in there
            if second.allows(read, late_s)
            for first in there
        ):
            wrong.append(f"{read} lay on one pad")
        stay = max(
            (
                stay
                for stay in there
                if stay.allows(read, late_s, doubted=stay in doubted) and len(read_of[stay]) < stay.most_reads
            ),
            # one that may have been missed is the last choice
            key=lambda stay: (not read_of[stay], not stay.overlaps(blind.get(stay.pad, ())), stay.came_s),
            default=None,
        )
        if stay is None:
            if any(each.allows(read, late_s) and each.overlaps(twice.get(each.pad, ())) for each in there):
                continue
            wrong.append(f"{read} was not there, or not a second time")
        else:
            read_of[stay].append(read)
    # what lay there when its reader began is told as such, and is no tap; only the last stay until then is meant by it
    noticed: set[Stay] = set()
    for found in found_lying(entries, began_at_s or (lambda at_us: (loop_s(at_us),))):
        if lay := [stay for stay in there if any(stay.allows(each, late_s) for each in found)]:
            noticed.add(max(lay, key=lambda stay: stay.came_s))
        else:
            wrong.append(f"{found[-1]} was not found lying")
    noticed.update(stay for read in (*lost, *parted_in(entries, loop_s)) for stay in there if stay.allows(read, late_s))
    # of a card on a pad that isn't being checked only that is said
    elsewhere_s = [loop_s(entry.at_us) for entry in entries if (entry.line or {}).get("type") == "check-elsewhere"]
    unread = [
        stay
        for stay in there
        if not read_of[stay]
        and stay not in noticed
        and stay.is_surely_read(kinds.get(stay.pad, ""), there)
        and not any(stay.came_s <= at_s <= (stay.left_s or at_s) + late_s(stay.pad) for at_s in elsewhere_s)
    ]
    for stay in unread:
        # what came of a doubt is written down when it is settled
        settled = replace(stay, left_s=(stay.left_s or inf) + DOUBT_S) if stay in beside else stay
        if settled.overlaps(blind.get(stay.pad, ())):
            continue
        if stay.overlaps(twice.get(stay.pad, ())) and any(map(stay.follows, there)):
            continue
        if stay in beside and any(read_of[other] and other.follows_beside(stay) for other in there):
            continue
        wrong.append(f"{stay} was not read")
    return wrong


def button_mismatches(
    table: SimulatedTable, entries: Sequence[Entry], *, loop_s: Callable[[int], float] = lambda at_us: at_us / US_PER_S
) -> list[str]:
    """The differences of the journal from the buttons' contacts: a press that nobody made, or one that was made and is
    missing. For evenings without a pause, whose end doesn't say who pressed. `loop_s` is as above."""
    made = presses(table)
    wrong: list[str] = []
    for seat, at_s, is_stamp in presses_in(entries, loop_s):
        press = next((each for each in made if each.seat == seat and each.allows(at_s, is_stamp)), None)
        if press is None:
            wrong.append(f"seat {seat} didn't press at {at_s}")
        else:
            made.remove(press)
    return wrong + [f"{press} isn't there" for press in made if press.is_sure]


@dataclass(frozen=True)
class Press:
    """A press of a seat's button at `at_s`, known to within `off_s`. It is stamped by `stamped_s` and reported by
    `told_s`. Without `is_sure` it may also count as a bounce of the release before."""

    seat: int
    at_s: float
    off_s: float
    stamped_s: float
    told_s: float
    is_sure: bool = True

    def allows(self, at_s: float, is_stamp: bool, bound_s: float = 0.0) -> bool:
        """Return whether it may be stamped, or reported, with this time, which is known to within `bound_s`."""
        off_s = max(self.off_s, bound_s)
        return self.at_s - off_s <= at_s <= (self.stamped_s if is_stamp else self.told_s) + off_s

    @property
    def is_clear(self) -> bool:
        """Return whether nothing spoils its stamp."""
        return self.stamped_s == self.at_s


def presses(table: SimulatedTable) -> list[Press]:
    """Every press that was made, by the models' own logs, in order."""
    made: list[Press] = []
    for seat, parts in enumerate(table.config.seats, 1):
        if parts.button.kind == "gpio":
            closings = [
                each
                for each in table.stand_in("gpio").pins.truth
                if each.pin == bcm_of(parts.button) and not each.is_static
            ]
            before = [None, *closings]
            made += [
                Press(seat, each.began_s, STAMP_S, *_latest(each))
                for each, last in zip(closings, before, strict=False)
                if last is None or each.began_s - (last.ended_s or inf) >= RELEASED_S - STAMP_S
            ]
        elif parts.button.kind == "input":
            pushes = table.stand_in("input").presses(seat)
            edges = sorted(edge for push in pushes for edge in ((push.began_s, True), (push.ended_s or inf, False)))
            made += [
                Press(seat, at_s, STAMP_S, at_s, at_s + ASKED_S, is_sure)
                for at_s, is_sure in _closings(edges, ASKED_LATE_S)
            ]
        elif parts.button.kind == "board":
            actions = table.stand_in("board").boards[seat].actions
            edges = [(each.at_s, each.kind == "press") for each in actions if each.kind in ("press", "release")]
            made += [
                Press(seat, at_s, BOARD_STAMP_S, at_s, at_s + TOLD_S, is_sure)
                for at_s, is_sure in _closings(edges, STAMP_S)
            ]
    return sorted(made, key=lambda press: press.at_s)


def stays(table: SimulatedTable, card_of: Mapping[str, str]) -> Iterator[Stay]:
    """Every stay of a card on a pad, from the models' own logs."""
    for seat, board in table.stand_in("board").boards.items():
        actions = [(action.at_s, action.kind == "put", action.uid) for action in board.actions if action.uid]
        yield from _stays_on(seat, actions, card_of)
    kinds = kinds_of_readers(table)
    for pad, field in table.fields.items():
        actions = [(us / US_PER_S, what == CAME, uid) for us, _, what, uid in field.truth]
        early_s = SURELY_READ_ON_I2C_S if kinds[pad] == "i2c" else EARLY_S
        doubtful_s = (0.0, ABSENCE_S + SURELY_READ_ON_PCSC_S) if kinds[pad] == "pcsc" else DOUBTFUL_S
        yield from (replace(stay, early_s=early_s) for stay in _stays_on(pad, actions, card_of, doubtful_s))


def kinds_of_readers(table: SimulatedTable) -> Mapping[Pad | None, str]:
    """The kind of the driver of each pad's reader."""
    return {part.pad: part.address.kind for part in table.config.parts if part.role is PartRole.PAD}


def reads_in(entries: Iterable[Entry], loop_s: Callable[[int], float]) -> Iterator[JournaledRead]:
    """Yield every arrival of the game's cards by the journal: one that was tapped, the last of those that came
    together, or one of a check."""
    for entry in entries:
        match entry.line:
            case {"tap": str(card), "pad": pad} | {"together": [*_, str(card)], "pad": pad} if "#" in card:
                yield JournaledRead(card, pad, loop_s(entry.at_us))
            case {"type": "card-twice", "card": str(card), "pad": pad, "also_at": also_at} if "#" in card:
                yield JournaledRead(card, pad, loop_s(entry.at_us), also_at)
            case {"type": "check-ticked" | "check-extra", "card": str(card)}:
                yield JournaledRead(card, None, loop_s(entry.at_us))
            case {"correct": {"laid": [[str(card), pad]]}} if (entry.answer or {}).get("verdict") == "refused":
                # of a check, in which it can't lie there
                yield JournaledRead(card, pad, loop_s(entry.at_us))
            case _:
                pass


def parted_in(entries: Iterable[Entry], loop_s: Callable[[int], float]) -> Iterator[JournaledRead]:
    """Every card of the game that lay there when another came: it had a tap, unless it may have lain elsewhere, too."""
    for entry in entries:
        match entry.line:
            case {"together": [*cards, _], "pad": pad}:
                yield from (JournaledRead(card, pad, loop_s(entry.at_us)) for card in cards)
            case _:
                pass


def found_lying(
    entries: Iterable[Entry], began_at_s: Callable[[int], Sequence[float]]
) -> Iterator[Sequence[JournaledRead]]:
    """Yield every card of the game that the table asked to be lifted, since it lay there when its reader began, for
    each time that this may have been."""
    for entry in entries:
        match entry.line:
            case {"type": "card-lying", "card": str(card), "pad": pad} if "#" in card:
                yield [JournaledRead(card, pad, at_s) for at_s in began_at_s(entry.at_us)]
            case _:
                pass


def presses_in(entries: Iterable[Entry], loop_s: Callable[[int], float]) -> Iterator[tuple[int, float, bool]]:
    """Yield every press by the journal: its seat, its time, and whether that is its stamp, or the time at which it was
    looked at."""
    for entry in entries:
        line = entry.line or {}
        if "press" in line:
            yield line["press"], loop_s(round(line.get("pressed_at", line["at"]) * US_PER_S)), True
        elif line.get("type") in ("press-unheard", "consent-given"):
            yield line["seat"], loop_s(entry.at_us), False


def _closings(edges: Iterable[tuple[float, bool]], off_s: float) -> Iterator[tuple[float, bool]]:
    """Yield each time at which a contact closed and didn't merely bounce, and whether that is sure, by its edges. As at
    the models, the first release opens the contact, however many press it; the others move nothing."""
    is_closed, opened_s = False, -inf
    for at_s, closes in edges:
        if closes and not is_closed and at_s - opened_s >= RELEASED_S - off_s:
            yield at_s, at_s - opened_s >= RELEASED_S + off_s
        elif is_closed and not closes:
            opened_s = at_s
        is_closed = closes


def _latest(closing: Closing) -> tuple[float, float]:
    """The latest times at which a press may be stamped and reported. Only a contact that bounces for too long spoils
    its stamp: it is stamped while it bounces, or, if it bounces until its release, by the bounce of that."""
    settled_s = closing.began_s + closing.bounced_s
    if closing.bounced_s <= WORST_BOUNCE_S:
        return closing.began_s, settled_s + LOOKED_S
    if (closing.ended_s or inf) <= settled_s + SPIKE_S:
        settled_s += LONGEST_BOUNCE_S
    return settled_s, settled_s + LOOKED_S


def _stays_on(
    pad: Pad,
    actions: Iterable[tuple[float, bool, str]],
    card_of: Mapping[str, str],
    doubtful_s: tuple[float, float] = DOUBTFUL_S,
) -> Iterator[Stay]:
    """Yield every stay. A card that was away for longer than the first and shorter than the second of `doubtful_s` may
    or may not have been gone."""
    lying: dict[str, Stay] = {}
    for at_s, put, uid in actions:
        card = card_of.get(uid)
        if card is None:
            continue
        before = lying.get(card)
        if not put:
            assert before is not None
            lying[card] = Stay(card, pad, before.came_s, at_s, before.doubtful)
        elif before is not None and before.left_s is not None and at_s - before.left_s < doubtful_s[1]:
            doubtful = before.doubtful + (at_s - before.left_s > doubtful_s[0])
            lying[card] = Stay(card, pad, before.came_s, None, doubtful)
        else:
            if before is not None:
                yield before
            lying[card] = Stay(card, pad, at_s, None)
    yield from lying.values()
