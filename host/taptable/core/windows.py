"""Windows: spans of time in which somebody may answer a card. The plain `Window` opens, hears what was pressed in time
for as long as that may still arrive, and is over; a `BuzzWindow` also names who of several was first, and waits for
that seat's card.

Pure and the same for every game; what an answer, a won claim or an unanswered card means is the game's affair. All
times are table time in microseconds, and everything that happens by itself happens at `deadline`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from taptable.core.arbiter import Press, PressArbiter, Ruling, first_press
from taptable.core.drafts import draft


@dataclass(frozen=True, slots=True)
class WindowClaim:
    """The seat that was first, until when it may show its card, and how it came to be first."""

    until_us: int
    ruling: Ruling

    @property
    def seat(self) -> int:
        """The seat that was first."""
        return self.ruling.press.seat


@dataclass(kw_only=True)
class Window:
    """A running window, opened by a card of the seat `owner`; `listening` until its time is over."""

    owner: int
    opened_at_us: int
    closes_at_us: int
    settle_us: int
    listening: bool = True

    @property
    def settled_at_us(self) -> int:
        """Until when presses made in time may still arrive."""
        return self.closes_at_us + self.settle_us

    @property
    def due_us(self) -> int:
        """When its time is over, or then when it is."""
        return self.closes_at_us if self.listening else self.settled_at_us


WindowT = TypeVar("WindowT", bound=Window)


@dataclass(kw_only=True)
class BuzzWindow(Window):
    """A window in which several seats may press.

    `presses` are heard and not yet named, in order of arrival; `ruling_at_us` is when the first of them will be named;
    `locked_out` are the seats whose claim failed. `arbiter` says who was first, by the rules of the game."""

    seats: int
    claim_us: int
    arbiter: PressArbiter = first_press
    presses: tuple[Press, ...] = ()
    ruling_at_us: int | None = None
    claim: WindowClaim | None = None
    locked_out: frozenset[int] = frozenset()

    @property
    def due_us(self) -> int:
        """When something happens by itself: the end of a claim, a naming, the end of the time."""
        if self.claim is not None:
            due_us = self.claim.until_us
        elif self.ruling_at_us is not None:
            due_us = self.ruling_at_us
        else:
            due_us = self.settled_at_us
        return min(due_us, self.closes_at_us) if self.listening else due_us

    def press_of(self, seat: int) -> Press | None:
        """What this seat has pressed and was not named for."""
        return next((press for press in self.presses if press.seat == seat), None)


@dataclass(frozen=True, slots=True)
class TimeOver:
    """No press made from now on counts; those under way are still waited for."""


@dataclass(frozen=True, slots=True)
class ClaimWon:
    """A press has won the claim; `lapsed` is the seat whose claim had failed just before, if any."""

    ruling: Ruling
    lapsed: int | None


@dataclass(frozen=True, slots=True)
class Lapsed:
    """This seat's claim failed; no other press waits, but the window runs on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended:
    """Nobody stopped it; `lapsed` is the seat whose claim failed last, if that is what ended it."""

    lapsed: int | None


WindowEvent: TypeAlias = TimeOver | ClaimWon | Lapsed | Ended


def timing_objection(window: Window, pressed_at_us: int, at_us: int) -> str | None:
    """Why a press that arrives at `at_us` was made or came at the wrong time, as a code; None if it is in time."""
    if pressed_at_us < window.opened_at_us:
        return "pressed-too-early"
    if pressed_at_us >= window.closes_at_us or at_us >= window.settled_at_us:
        return "pressed-too-late"
    return None


def pass_time(window: Window) -> Window | None:
    """A plain window after its next deadline: it listens no more, or it is over (None)."""
    return draft(window, listening=False) if window.listening else None


def restart(window: Window, at_us: int) -> Window:
    """A plain window with its full time from `at_us` on."""
    full_us = window.closes_at_us - window.opened_at_us
    return draft(window, opened_at_us=at_us, closes_at_us=at_us + full_us, listening=True)


def press_objection(window: BuzzWindow, seat: int, pressed_at_us: int, at_us: int) -> str | None:
    """Why a press that arrives at `at_us` doesn't count, as a code; None if it does (R3.7, R7.2, R7.4)."""
    if seat == window.owner:
        return "own-window"
    if seat in window.locked_out:
        return "locked-out"
    if window.press_of(seat) is not None or (window.claim is not None and window.claim.seat == seat):
        return "pressed-already"
    return timing_objection(window, pressed_at_us, at_us)


def add_press(window: BuzzWindow, press: Press, at_us: int) -> BuzzWindow:
    """The window with a press that counts; the first one sets the time of the naming, unless a claim runs (then it
    queues)."""
    waits = window.claim is not None or window.ruling_at_us is not None
    return draft(
        window,
        presses=(*window.presses, press),
        ruling_at_us=window.ruling_at_us if waits else at_us + window.settle_us,
    )


def attach_card(window: BuzzWindow, seat: int, card: str) -> BuzzWindow:
    """The window in which a seat that has pressed shows its card before it is named (R7.5)."""
    return draft(
        window,
        presses=tuple(replace(press, shown_card=card) if press.seat == seat else press for press in window.presses),
    )


def pass_deadline(window: BuzzWindow) -> tuple[BuzzWindow, WindowEvent]:
    """The window after its next deadline has passed, and what happened then."""
    now_us = window.due_us
    if window.listening and now_us == window.closes_at_us:
        return draft(window, listening=False), TimeOver()
    if window.claim is not None:
        return _fail_claim(window, now_us)
    if window.presses:
        return _award_claim(window, now_us, None)
    return window, Ended(None)


def withdraw(window: BuzzWindow, seat: int, now_us: int) -> tuple[BuzzWindow, WindowEvent | None]:
    """The window when a seat's player leaves: what it has pressed counts no more, and a claim of its own has failed;
    what came of that, if anything."""
    presses = tuple(press for press in window.presses if press.seat != seat)
    window = draft(window, presses=presses, ruling_at_us=window.ruling_at_us if presses else None)
    if window.claim is None or window.claim.seat != seat:
        return window, None
    return _fail_claim(window, now_us)


def detach_card(window: BuzzWindow, card: str) -> BuzzWindow:
    """The window in which a card that was shown is no longer there; its seat has only pressed."""
    presses = tuple(replace(press, shown_card=None) if press.shown_card == card else press for press in window.presses)
    return draft(window, presses=presses)


def shift(window: WindowT, by_us: int) -> WindowT:
    """The window with all its times moved later, after a pause."""
    moved = draft(window, opened_at_us=window.opened_at_us + by_us, closes_at_us=window.closes_at_us + by_us)
    if not isinstance(moved, BuzzWindow):
        return moved
    return draft(
        moved,
        ruling_at_us=None if moved.ruling_at_us is None else moved.ruling_at_us + by_us,
        presses=tuple(replace(press, pressed_at_us=press.pressed_at_us + by_us) for press in moved.presses),
        claim=None if moved.claim is None else replace(moved.claim, until_us=moved.claim.until_us + by_us),
    )


def _fail_claim(window: BuzzWindow, now_us: int) -> tuple[BuzzWindow, WindowEvent]:
    """The window without its claim, which failed; the next press gets it, if one waits."""
    assert window.claim is not None
    lapsed = window.claim.seat
    window = draft(window, claim=None, locked_out=window.locked_out | {lapsed})
    if window.presses:
        return _award_claim(window, now_us, lapsed)
    return window, Ended(lapsed) if now_us >= window.settled_at_us else Lapsed(lapsed)


def _award_claim(window: BuzzWindow, now_us: int, lapsed: int | None) -> tuple[BuzzWindow, ClaimWon]:
    ruling = window.arbiter(window.presses, window.owner, window.seats)
    named = draft(
        window,
        presses=tuple(press for press in window.presses if press is not ruling.press),
        ruling_at_us=None,
        claim=WindowClaim(now_us + window.claim_us, ruling),
    )
    return named, ClaimWon(ruling, lapsed)
