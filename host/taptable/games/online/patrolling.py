"""The window of a shown hacker: presses, Cyber Patrols, what time or a leaving player makes of it (R7.1 to R7.6).
Who was first is told by `core.windows`; here it is turned into what happens in the game."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from taptable.core import windows
from taptable.core.announcements import Announcement, BuzzHeard, ClaimFailed, ClaimGiven, WindowClosed
from taptable.core.arbiter import Press
from taptable.games.online import moves
from taptable.games.online.announcements import HackBegan, HackerStopped, PatrolShown
from taptable.games.online.state import Hack, State, Turn
from taptable.games.online.turns import hand_turn_to

Result: TypeAlias = tuple[State, list[Announcement]]


def hear(state: State, press: Press, at_us: int) -> Result:
    """A press in the window was heard (R7.2)."""
    assert state.window is not None
    return replace(state, window=windows.hear(state.window, press, at_us)), [BuzzHeard(press.seat)]


def show_patrol(state: State, turn: Turn, move: moves.ShowPatrol) -> Result:
    """With the claim, the patrol is played; before the naming it waits; without a press the tap is one (R7.3, R7.5)."""
    window = state.window
    assert window is not None
    if window.claim is not None and window.claim.seat == move.seat:
        return _stop_hacker(state, turn, move.seat, move.card, move.at_us)
    if window.press_of(move.seat) is None:
        state, said = hear(state, Press(move.seat, move.at_us, 0, move.card), move.at_us)
        return state, [*said, PatrolShown(move.seat)]
    return replace(state, window=windows.show(window, move.seat, move.card)), [PatrolShown(move.seat)]


def _stop_hacker(state: State, turn: Turn, seat: int, card: str, at_us: int) -> Result:
    """The patrol is played: the hacker's turn ends, the next one is skipped, and the patrol's seat is on turn
    (R7.3)."""
    stopped = replace(state, window=None, discard=(*state.discard, card), hands=state.with_hand(seat, -1), turn=turn)
    said: list[Announcement] = [HackerStopped(seat, card, turn.seat)]
    after, more = hand_turn_to(stopped, turn, seat, at_us)
    return after, [*said, *more]


def pass_window(state: State, turn: Turn, at_us: int) -> Result:
    """What the window does by itself at `at_us` (R7.2 to R7.4)."""
    assert state.window is not None
    return _go_on(state, turn, *windows.pass_deadline(state.window), at_us)


def leave_window(state: State, turn: Turn, seat: int, at_us: int) -> Result:
    """The window of another seat's hacker without this seat, whose player leaves (R2.5)."""
    assert state.window is not None
    window, event = windows.withdraw(state.window, seat, at_us)
    if event is None:
        return replace(state, window=window), []
    return _go_on(state, turn, window, event, at_us)


def _go_on(state: State, turn: Turn, window: windows.BuzzWindow, event: windows.WindowEvent, at_us: int) -> Result:
    match event:
        case windows.TimeOver():
            return replace(state, window=window), []
        case windows.Lapsed(seat):
            return replace(state, window=window), [ClaimFailed(seat)]
        case windows.Ended(lapsed):
            said: list[Announcement] = [] if lapsed is None else [ClaimFailed(lapsed)]
            hacking = replace(state, window=None, pending=Hack(at_us))
            return hacking, [*said, WindowClosed(turn.seat), HackBegan(turn.seat)]
        case windows.Named(ruling, lapsed):
            said = [] if lapsed is None else [ClaimFailed(lapsed)]
            assert window.claim is not None
            claim = ClaimGiven(
                window.claim.seat, window.claim.until_us, ruling.tied, ruling.margin_us, ruling.uncertainty_us
            )
            said.append(claim)
            if ruling.press.shown is None:
                return replace(state, window=window), said
            after, more = _stop_hacker(state, turn, ruling.press.seat, ruling.press.shown, at_us)
            return after, [*said, *more]
