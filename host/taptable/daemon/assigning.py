"""The steps in which people assign seats by touching the parts, as values: seat by seat a card is laid on its reader
and its button pressed, at last a card is laid in the middle. Pure: it is given each touch with its time, and must not
know clocks, devices, files, nor the words for a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from taptable.config.parts_file import AssignedParts, AssignedSeat, known_devices
from taptable.core.settings import US_PER_S
from taptable.drivers.interface import FoundPart, PartRole

TOGETHER_US = 3 * US_PER_S // 10
"""Two parts that are touched within this time are touched at once: it is unknown which one is meant."""
TRIES = 2
"""After this many touches that don't fit a step, people get a hint what else they can do."""
MIN_SEATS = 2
_LAMP_ALONE = frozenset({PartRole.LAMP})

Facts: TypeAlias = Mapping[str, object]


class Asked(StrEnum):
    """The part that people are asked for: a seat's reader, its button, the discard pad's reader, or nothing more."""

    READER = "reader"
    BUTTON = "button"
    MIDDLE = "middle"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Reply:
    """The sentence about the last touch or request: the key of a sentence, and its facts. `is_done`: it says that
    something was done, and not what is wrong."""

    key: str
    facts: Facts = field(default_factory=dict[str, object])
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class SeatDraft:
    """The parts that one seat has by now. A seat board is all three."""

    reader: FoundPart
    button: FoundPart | None = None
    lamp: FoundPart | None = None

    @property
    def parts(self) -> Iterator[FoundPart]:
        """Its parts, a seat board once."""
        yield from dict.fromkeys(part for part in (self.reader, self.button, self.lamp) if part is not None)


@dataclass(frozen=True, slots=True)
class _Touch:
    """The last part that got a place, when it was touched, and the steps as they were before."""

    part: FoundPart
    at_us: int
    before: Assigning


@dataclass(frozen=True, slots=True)
class Assigning:
    """The state between two touches. `found` are the parts that are plugged in. `asks_for_middle` is False at a table
    whose configuration names the discard pad. `expected` is the number of seats if somebody has said it; otherwise the
    table asks for seats as long as there are parts for one more. `is_enough`: nobody else sits at the table. `misses`
    counts touches that didn't fit the present step. `is_confirmed`: a button was pressed when nothing was asked.
    `whole` is the state before the last step, if that left a seat out."""

    found: tuple[FoundPart, ...] = ()
    asks_for_middle: bool = True
    most: int = 6
    expected: int | None = None
    seats: tuple[SeatDraft, ...] = ()
    middle: FoundPart | None = None
    left_out: frozenset[str] = frozenset()
    is_enough: bool = False
    answer: Reply | None = None
    misses: int = 0
    is_confirmed: bool = False
    last: _Touch | None = None
    whole: Assigning | None = None

    # --- what is asked ---

    @property
    def asked(self) -> Asked:
        """The part that people are asked for now."""
        if self.seats and self.seats[-1].button is None:
            return Asked.BUTTON
        if self.middle is None and not self.is_enough and self._has_another_seat:
            return Asked.READER
        if self.asks_for_middle and self.middle is None:
            return Asked.MIDDLE
        return Asked.NOTHING

    @property
    def seat(self) -> int | None:
        """The seat whose part is asked for."""
        match self.asked:
            case Asked.READER:
                return len(self.seats) + 1
            case Asked.BUTTON:
                return len(self.seats)
            case _:
                return None

    @property
    def has_board(self) -> bool:
        """Whether the part that is asked for may be a seat board, of which the button is enough."""
        return any(_is_board(part) for part in self._free(PartRole.PAD))

    @property
    def lacks(self) -> Reply | None:
        """The parts that have to be plugged in before all steps can be done; None if nothing has to be."""
        middle = int(self.asks_for_middle)
        readers, buttons = (sum(role in part.roles for part in self.found) for role in (PartRole.PAD, PartRole.BUTTON))
        if readers < MIN_SEATS + middle:
            return Reply("lacks-readers", {"found": readers, "needed": MIN_SEATS + middle})
        if buttons < MIN_SEATS:
            return Reply("lacks-buttons", {"found": buttons, "needed": MIN_SEATS})
        return None

    @property
    def _has_another_seat(self) -> bool:
        """Whether another seat is asked for: one that was announced, or else one for which there are parts."""
        count = len(self.seats)
        if self.expected is not None:
            return count < self.expected
        if count >= self.most:
            return False
        readers = self._free(PartRole.PAD)
        spare = len(readers) - int(self.asks_for_middle)
        return count < MIN_SEATS or (spare > 0 and any(PartRole.BUTTON in part.roles for part in self._free()))

    def _free(self, role: PartRole | None = None) -> list[FoundPart]:
        """Return the parts without a place, or those of a role."""
        taken = {str(part.address) for part in self.taken} | self.left_out
        return [part for part in self.found if str(part.address) not in taken and (role is None or role in part.roles)]

    @property
    def taken(self) -> list[FoundPart]:
        """The parts that have a place."""
        parts = [part for seat in self.seats for part in seat.parts]
        return parts if self.middle is None else [*parts, self.middle]

    def place_of(self, part: FoundPart) -> Reply | None:
        """Return where a part has its place, as a sentence; None if it has none."""
        for number, seat in enumerate(self.seats, 1):
            if any(part.address == own.address for own in seat.parts):
                return Reply("taken-by-seat", {"seat": number})
        if self.middle is not None and part.address == self.middle.address:
            return Reply("taken-by-middle")
        return None

    # --- touches ---

    def lay_card(self, part: FoundPart, at_us: int) -> Assigning:
        """Return the state after a card was laid on a reader."""
        return self._touch(part, at_us, with_card=True)

    def press(self, part: FoundPart, at_us: int) -> Assigning:
        """Return the state after a button was pressed."""
        return self._touch(part, at_us, with_card=False)

    def _touch(self, part: FoundPart, at_us: int, *, with_card: bool) -> Assigning:
        last = self.last
        if last is not None and last.part.address == part.address:
            # the card that lies there, or a finger that bounces: no sentence, unless the button means something
            is_same_touch = with_card or abs(at_us - last.at_us) <= TOGETHER_US
            return self if is_same_touch or self.asked is not Asked.NOTHING else replace(self, is_confirmed=True)
        if last is not None and abs(at_us - last.at_us) <= TOGETHER_US and last.before._fits(part, with_card=with_card):
            return last.before._wrong("two-at-once")
        if self._fits(part, with_card=with_card):
            return self._accept(part, at_us)
        return self._refuse(part, with_card=with_card)

    def _fits(self, part: FoundPart, *, with_card: bool) -> bool:
        """Return whether a touched part is one that is asked for."""
        if self.place_of(part) is not None:
            return False
        match self.asked:
            case Asked.READER | Asked.MIDDLE:
                return with_card or _is_board(part)
            case Asked.BUTTON:
                return not with_card and not _is_board(part)
            case Asked.NOTHING:
                return False

    def _accept(self, part: FoundPart, at_us: int) -> Assigning:
        """Return the state in which a part has the place that is asked for."""
        done = replace(self, answer=None, misses=0, last=_Touch(part, at_us, replace(self, last=None)), whole=None)
        if self.asked is Asked.MIDDLE:
            return replace(done, middle=part)
        if self.asked is Asked.BUTTON:
            return replace(done, seats=(*self.seats[:-1], replace(self.seats[-1], button=part, lamp=self._lamp(part))))
        if _is_board(part):
            lamp = part if PartRole.LAMP in part.roles else None
            return replace(done, seats=(*self.seats, SeatDraft(part, part, lamp)))
        return replace(done, seats=(*self.seats, SeatDraft(part)))

    def _lamp(self, button: FoundPart) -> FoundPart | None:
        """Return the lamp of a button: the one with its number on its device."""
        if PartRole.LAMP in button.roles:
            return button
        place = (button.device, button.number)
        return next((part for part in self._free(PartRole.LAMP) if (part.device, part.number) == place), None)

    def _refuse(self, part: FoundPart, *, with_card: bool) -> Assigning:
        """Return the state with the reason why a touch isn't the one that is asked for."""
        place = self.place_of(part)
        match self.asked:
            case Asked.NOTHING:
                return self if with_card or place is None else replace(self, is_confirmed=True)
            case _ if place is not None:
                return self._wrong(place.key, place.facts)
            case Asked.BUTTON if with_card:
                return self._wrong("button-first", {"seat": self.seat})
            case Asked.BUTTON:
                return self._wrong("board-has-reader", {"seat": self.seat})
            case Asked.READER:
                return self._wrong("reader-first", {"seat": self.seat})
            case Asked.MIDDLE:
                return self._wrong("middle-first")

    def _wrong(self, key: str, facts: Facts | None = None) -> Assigning:
        return replace(self, answer=Reply(key, facts or {}), misses=self.misses + 1)

    def note_card_there(self, part: FoundPart) -> Assigning:
        """Return the state after a reader found a card that had lain there before: it doesn't count."""
        is_awaited = self.asked in (Asked.READER, Asked.MIDDLE) and self.place_of(part) is None
        return self if self.answer is not None or not is_awaited else replace(self, answer=Reply("lies-there"))

    # --- requests ---

    def back(self) -> Assigning:
        """Return the state one step back."""
        if self.whole is not None:
            return replace(self.whole, found=self.found)
        before = replace(self, answer=None, misses=0, last=None, left_out=frozenset())
        if self.middle is not None:
            return replace(before, middle=None)
        if self.is_enough:
            return replace(before, is_enough=False)
        if not self.seats:
            return replace(before, answer=Reply("at-beginning"))
        seat = self.seats[-1]
        if seat.button is not None and not _is_board(seat.reader):
            return replace(before, seats=(*self.seats[:-1], SeatDraft(seat.reader)))
        return replace(before, seats=self.seats[:-1])

    def leave_out(self) -> Assigning:
        """Return the state without the seat that is asked for: the next one gets its number."""
        if self.asked is Asked.READER and self.expected is None:
            enough = self.enough()
            return enough if enough.answer is not None else replace(enough, answer=_left_out(len(self.seats)))
        if self.seat is None:
            return replace(self, answer=Reply("middle-needed" if self.asked is Asked.MIDDLE else "nothing-asked"))
        expected = None if self.expected is None else self.expected - 1
        if expected is not None and expected < MIN_SEATS:
            return replace(self, answer=Reply("two-seats"))
        whole = replace(self, answer=None, misses=0, last=None)
        left = replace(self, misses=0, last=None, expected=expected, whole=whole)
        if self.asked is Asked.READER:
            return replace(left, answer=_left_out(expected))
        left_out = self.left_out | {str(self.seats[-1].reader.address)}
        return replace(left, answer=Reply("left-out-reader", is_done=True), seats=self.seats[:-1], left_out=left_out)

    def enough(self) -> Assigning:
        """Return the state after somebody said that all seats have their parts."""
        if self.asked is Asked.BUTTON:
            return replace(self, answer=Reply("button-first", {"seat": self.seat}))
        if len(self.seats) < MIN_SEATS:
            return replace(self, answer=Reply("two-seats"))
        return replace(self, answer=None, misses=0, last=None, is_enough=True)

    def expect(self, seats: int) -> Assigning:
        """Return the state after somebody said how many seats there are."""
        return replace(self, expected=max(MIN_SEATS, min(seats, self.most)), answer=None)

    def with_found(self, found: Iterable[FoundPart]) -> Assigning:
        """Return the state with the parts that are plugged in now. Those that have a place keep it."""
        return replace(self, found=tuple(found))

    def missing(self) -> Reply | None:
        """Return the place of a part that isn't plugged in any more, as a sentence; None if all are."""
        present = {str(part.address) for part in self.found}
        gone = next((part for part in self.taken if str(part.address) not in present), None)
        return None if gone is None else Reply("not-plugged-in", {"part": gone.label or str(gone.address)})

    def result(self) -> AssignedParts:
        """Return the assigned parts. Call it when nothing is asked any more."""
        seats = tuple(
            AssignedSeat(*("" if part is None else str(part.address) for part in (seat.reader, seat.button, seat.lamp)))
            for seat in self.seats
        )
        parts = AssignedParts(seats, "" if self.middle is None else str(self.middle.address), {})
        return replace(parts, known=known_devices(parts.addresses, self.taken))


def _left_out(seats: int | None) -> Reply:
    """Return the sentence about a seat that was left out. `seats` is the number that the table gets, if any."""
    return Reply("left-out", {"seats": seats}, is_done=True)


def _is_board(part: FoundPart) -> bool:
    """Return whether a part is reader and button of a seat at once."""
    return {PartRole.PAD, PartRole.BUTTON} <= part.roles


def provisional_numbers(found: Sequence[FoundPart], before: Mapping[str, int]) -> Mapping[str, int]:
    """Return a number for each part under which its driver opens it. A lamp has that of its button. Parts keep the
    numbers that they had `before`."""
    numbers = dict(before)
    buttons: dict[tuple[str, int], int] = {}
    for part in found:
        if part.roles != _LAMP_ALONE:
            number = numbers.setdefault(str(part.address), max(numbers.values(), default=0) + 1)
            if PartRole.BUTTON in part.roles:
                buttons[part.device, part.number] = number
    for part in found:
        if part.roles == _LAMP_ALONE and (part.device, part.number) in buttons:
            numbers[str(part.address)] = buttons[part.device, part.number]
    return numbers
