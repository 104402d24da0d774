"""Windows: spans of time in which players may answer a card. The plain `Window` opens, accepts presses that were made
in time for as long as they may still arrive, and ends. A `BuzzWindow` also rules which of several presses was first,
and waits for that seat's card. Pure and the same for every game; the game decides what an answer, a won claim or an
unanswered card means. All times are table time in microseconds, and a step that needs no input happens at `due_us`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from taptable.core.arbiter import Press, PressArbiter, Ruling, first_press
from taptable.core.drafts import draft


@dataclass(frozen=True, slots=True)
class WindowClaim:
    """The claim of the seat that was first: its ruling, and the time `until_us` which it may show its card."""

    until_us: int
    ruling: Ruling

    @property
    def seat(self) -> int:
        """The seat that was first."""
        return self.ruling.press.seat


@dataclass(kw_only=True)
class Window:
    """A running window, opened by a card of the seat `owner`. It is `listening` until `closes_at_us`; presses made in
    time may arrive for `settle_us` more."""

    owner: int
    opened_at_us: int
    closes_at_us: int
    settle_us: int
    listening: bool = True

    @property
    def settled_at_us(self) -> int:
        """The time until which presses made in time may still arrive."""
        return self.closes_at_us + self.settle_us

    @property
    def due_us(self) -> int:
        """The time of the window's next step: it stops listening, or after that it ends."""
        return self.closes_at_us if self.listening else self.settled_at_us


WindowT = TypeVar("WindowT", bound=Window)


@dataclass(kw_only=True)
class BuzzWindow(Window):
    """A window in which several seats may press.

    `presses` have no ruling yet, in order of arrival; `ruling_at_us` is the time of the next ruling; `locked_out` are
    the seats whose claim failed. `arbiter` rules which was first, by the rules of the game."""

    seats: int
    claim_us: int
    arbiter: PressArbiter = first_press
    presses: tuple[Press, ...] = ()
    ruling_at_us: int | None = None
    claim: WindowClaim | None = None
    locked_out: frozenset[int] = frozenset()

    @property
    def due_us(self) -> int:
        """The time of the window's next step: the end of a claim, a ruling, or the end of listening."""
        if self.claim is not None:
            due_us = self.claim.until_us
        elif self.ruling_at_us is not None:
            due_us = self.ruling_at_us
        else:
            due_us = self.settled_at_us
        return min(due_us, self.closes_at_us) if self.listening else due_us

    def press_of(self, seat: int) -> Press | None:
        """Return this seat's press that has no ruling yet; None if there is none."""
        return next((press for press in self.presses if press.seat == seat), None)


@dataclass(frozen=True, slots=True)
class TimeOver:
    """Presses made from now on don't count; earlier ones may still arrive."""


@dataclass(frozen=True, slots=True)
class ClaimWon:
    """A press has won the claim; `lapsed` is the seat whose claim failed just before, if any."""

    ruling: Ruling
    lapsed: int | None


@dataclass(frozen=True, slots=True)
class Lapsed:
    """This seat's claim failed and no other press waits, but the window stays open."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The window ended unanswered; `lapsed` is the seat whose failed claim ended it, if that was the reason."""

    lapsed: int | None


WindowEvent: TypeAlias = TimeOver | ClaimWon | Lapsed | Ended


def timing_objection(window: Window, pressed_at_us: int, at_us: int) -> str | None:
    """Return a code if a press that arrives at `at_us` was made or came at the wrong time; None if it is in time."""
    if pressed_at_us < window.opened_at_us:
        return "pressed-too-early"
    if pressed_at_us >= window.closes_at_us or at_us >= window.settled_at_us:
        return "pressed-too-late"
    return None


def pass_time(window: Window) -> Window | None:
    """Return a plain window after its next deadline: no longer listening, or None if it is over."""
    return draft(window, listening=False) if window.listening else None


def restart(window: Window, at_us: int) -> Window:
    """Return a plain window with its full time, starting at `at_us`."""
    full_us = window.closes_at_us - window.opened_at_us
    return draft(window, opened_at_us=at_us, closes_at_us=at_us + full_us, listening=True)


def press_objection(window: BuzzWindow, seat: int, pressed_at_us: int, at_us: int) -> str | None:
    """Return a code if a press that arrives at `at_us` doesn't count; None if it does (R3.7, R7.2, R7.4)."""
    if seat == window.owner:
        return "own-window"
    if seat in window.locked_out:
        return "locked-out"
    if window.press_of(seat) is not None or (window.claim is not None and window.claim.seat == seat):
        return "pressed-already"
    return timing_objection(window, pressed_at_us, at_us)


def add_press(window: BuzzWindow, press: Press, at_us: int) -> BuzzWindow:
    """Return the window with a press that counts. The first press sets the time of the ruling, unless a claim runs;
    then it queues."""
    waits = window.claim is not None or window.ruling_at_us is not None
    return draft(
        window,
        presses=(*window.presses, press),
        ruling_at_us=window.ruling_at_us if waits else at_us + window.settle_us,
    )


def press_by_card(window: BuzzWindow, seat: int, card: str, at_us: int, uncertainty_us: int) -> Press | None:
    """Return the press that a card counts as whose seat hasn't pressed (R7.5); None if it came too late.

    The card is known at `at_us` and was laid in the `uncertainty_us` before, so the press is the middle of that time ±
    half of it. A card that may have been laid while the window listened counts, since it may be the answer of a player
    who was in time: of its time, only what lies in the window is left. A card that isn't known by `settled_at_us` is
    too late, and no ruling waits longer for one than for a press: what becomes known after a ruling may have been laid
    after the winner's press, so it isn't certainly before it."""
    since_us = max(at_us - uncertainty_us, window.opened_at_us)
    if since_us >= window.closes_at_us or at_us >= window.settled_at_us:
        return None
    until_us = min(at_us, window.closes_at_us)
    middle_us = (since_us + until_us) // 2
    return Press(seat, middle_us, until_us - middle_us, card)


def attach_card(window: BuzzWindow, seat: int, card: str) -> BuzzWindow:
    """Return the window after a seat that has pressed showed its card before the ruling (R7.5)."""
    return draft(
        window,
        presses=tuple(replace(press, shown_card=card) if press.seat == seat else press for press in window.presses),
    )


def pass_deadline(window: BuzzWindow) -> tuple[BuzzWindow, WindowEvent]:
    """Return the window after its next deadline, and what happened then."""
    now_us = window.due_us
    if window.listening and now_us == window.closes_at_us:
        return draft(window, listening=False), TimeOver()
    if window.claim is not None:
        return _fail_claim(window, now_us)
    if window.presses:
        return _award_claim(window, now_us, None)
    return window, Ended(None)


def withdraw(window: BuzzWindow, seat: int, now_us: int) -> tuple[BuzzWindow, WindowEvent | None]:
    """Return the window after a seat's player left: its press no longer counts, and its claim has failed; and what
    followed from that, if anything."""
    presses = tuple(press for press in window.presses if press.seat != seat)
    window = draft(window, presses=presses, ruling_at_us=window.ruling_at_us if presses else None)
    if window.claim is None or window.claim.seat != seat:
        return window, None
    return _fail_claim(window, now_us)


def detach_card(window: BuzzWindow, card: str) -> BuzzWindow:
    """Return the window without a card that was shown and is gone; its press still counts."""
    presses = tuple(replace(press, shown_card=None) if press.shown_card == card else press for press in window.presses)
    return draft(window, presses=presses)


def shift(window: WindowT, by_us: int) -> WindowT:
    """Return the window with all its times moved later by `by_us`, after a pause."""
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
    """Return the window without its claim, which failed; the next waiting press gets it."""
    assert window.claim is not None
    lapsed = window.claim.seat
    window = draft(window, claim=None, locked_out=window.locked_out | {lapsed})
    if window.presses:
        return _award_claim(window, now_us, lapsed)
    return window, Ended(lapsed) if now_us >= window.settled_at_us else Lapsed(lapsed)


def _award_claim(window: BuzzWindow, now_us: int, lapsed: int | None) -> tuple[BuzzWindow, ClaimWon]:
    ruling = window.arbiter(window.presses, window.owner, window.seats)
    claimed = draft(
        window,
        presses=tuple(press for press in window.presses if press is not ruling.press),
        ruling_at_us=None,
        claim=WindowClaim(now_us + window.claim_us, ruling),
    )
    return claimed, ClaimWon(ruling, lapsed)
