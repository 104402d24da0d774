"""The window of a shown hacker: presses, Cyber Patrols, what time or a leaving player makes of it (R7.1 to R7.6).
Who was first is told by `core.windows`; here it is turned into what happens in the game."""

from __future__ import annotations

from taptable.core import windows
from taptable.core.announcements import BuzzHeard, ClaimFailed, ClaimGiven, WindowClosed, WindowOpened
from taptable.core.arbiter import Press
from taptable.core.verdicts import Facts, Rejection
from taptable.core.windows import BuzzWindow
from taptable.games.online.announcements import HackBegan, HackerStopped, PatrolShown
from taptable.games.online.rules import ignored, refused
from taptable.games.online.state import Hack, State, Turn
from taptable.games.online.turns import Said, hand_turn_to


def open_window(state: State, seat: int, at_us: int, said: Said) -> None:
    """A hacker lies on the discard pile (R7.1)."""
    options = state.options
    state.window = BuzzWindow(
        owner=seat,
        seats=options.players,
        opened_at_us=at_us,
        closes_at_us=at_us + options.patrol_window_us,
        settle_us=options.settle_us,
        claim_us=options.claim_us,
        rule_on=options.edition.rule_on,
    )
    said.append(WindowOpened(seat, state.window.closes_at_us))


def hear(state: State, window: BuzzWindow, press: Press, at_us: int, said: Said) -> None:
    """A press in the window was heard (R7.2)."""
    state.window = windows.hear(window, press, at_us)
    said.append(BuzzHeard(press.seat))


def show(
    state: State, turn: Turn, window: BuzzWindow, at_us: int, card: str, seat: int, said: Said
) -> Rejection | None:
    """A hidden Cyber Patrol on a seat's pad: with the claim it is played, before the naming it waits, without a press
    the tap is one (R7.3, R7.5)."""
    facts: Facts = {"card": card, "pad": seat}
    if seat in window.locked_out:
        return refused("patrol-locked-out", facts)
    if seat == window.owner:
        return refused("patrol-by-hacker", facts)
    if not state.may_patrol(window.owner, seat):
        return refused("patrol-by-team-mate", facts)
    press = window.press_of(seat)
    if press is not None and press.shown is not None:
        return ignored("shown-already", facts)
    claims = window.claim is not None and window.claim.seat == seat
    if press is None and not claims and windows.objection(window, seat, at_us, at_us) is not None:
        return refused("patrol-too-late", facts)
    if state.hands[seat - 1] == 0:
        return refused("hand-used-up", facts)
    if claims:
        _stop_hacker(state, turn, seat, card, at_us, said)
        return None
    if press is None:
        hear(state, window, Press(seat, at_us, 0, card), at_us, said)
    else:
        state.window = windows.show(window, seat, card)
    said.append(PatrolShown(seat))
    return None


def go_on(state: State, turn: Turn, window: BuzzWindow, event: windows.WindowEvent, at_us: int, said: Said) -> None:
    """What the window does by itself at `at_us`, or as somebody leaves (R7.2 to R7.4, R2.5)."""
    state.window = window
    lapsed = event.seat if isinstance(event, windows.Lapsed) else getattr(event, "lapsed", None)
    if lapsed is not None:
        said.append(ClaimFailed(lapsed))
    if isinstance(event, windows.Ended):
        state.window, state.pending = None, Hack(at_us)
        said += (WindowClosed(turn.seat), HackBegan(turn.seat))
    elif isinstance(event, windows.ClaimWon):
        claim, ruling = window.claim, event.ruling
        assert claim is not None
        said.append(ClaimGiven(claim.seat, claim.until_us, ruling.tied, ruling.margin_us, ruling.uncertainty_us))
        if ruling.press.shown is not None:
            _stop_hacker(state, turn, ruling.press.seat, ruling.press.shown, at_us, said)


def _stop_hacker(state: State, turn: Turn, seat: int, card: str, at_us: int, said: Said) -> None:
    """The patrol is played: the hacker's turn ends, the next one is skipped, and the patrol's seat is on turn
    (R7.3)."""
    state.window = None
    state.discard = (*state.discard, card)
    state.hold(seat, -1)
    said.append(HackerStopped(seat, card, turn.seat))
    hand_turn_to(state, turn, seat, at_us, said)
