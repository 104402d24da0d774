"""The window of a shown hacker: presses, Cyber Patrols, deadlines and leaving players (R7.1 to R7.6). `core.windows`
rules which seat was first; this module turns its events into changes of the state."""

from __future__ import annotations

from taptable.core import windows
from taptable.core.announcements import BuzzHeard, ClaimFailed, ClaimGiven, WindowClosed, WindowOpened
from taptable.core.arbiter import Press
from taptable.core.observations import CardTapped
from taptable.core.verdicts import Facts, Rejection
from taptable.core.windows import BuzzWindow
from taptable.games.online.announcements import HackBegan, HackerStopped, PatrolShown
from taptable.games.online.rules import ignore, refuse
from taptable.games.online.state import Hack, State, Turn
from taptable.games.online.turns import Announcements, hand_turn_to


def open_window(state: State, seat: int, at_us: int, announcements: Announcements) -> None:
    """Open the window after a hacker was laid on the discard pile (R7.1)."""
    options = state.options
    state.window = BuzzWindow(
        owner=seat,
        seats=options.players,
        opened_at_us=at_us,
        closes_at_us=at_us + options.patrol_window_us,
        settle_us=options.settle_us,
        claim_us=options.claim_us,
        arbiter=options.edition.arbiter,
    )
    announcements.append(WindowOpened(seat, state.window.closes_at_us))


def add_press(state: State, window: BuzzWindow, press: Press, at_us: int, announcements: Announcements) -> None:
    """Add a press to the window (R7.2)."""
    state.window = windows.add_press(window, press, at_us)
    announcements.append(BuzzHeard(press.seat))


def show_patrol(
    state: State, turn: Turn, window: BuzzWindow, tap: CardTapped, seat: int, announcements: Announcements
) -> Rejection | None:
    """Handle a hidden Cyber Patrol on a seat's pad. With the claim it is played; before the ruling it waits; without a
    press the tap counts as one, as uncertain as the tap (R7.3, R7.5)."""
    at_us, card = tap.at_us, tap.card
    facts: Facts = {"card": card, "pad": seat}
    if seat in window.locked_out:
        return refuse("patrol-locked-out", facts)
    if seat == window.owner:
        return refuse("patrol-by-hacker", facts)
    if not state.may_patrol(window.owner, seat):
        return refuse("patrol-by-team-mate", facts)
    press = window.press_of(seat)
    if press is not None and press.shown_card is not None:
        return ignore("shown-already", facts)
    claims = window.claim is not None and window.claim.seat == seat
    buzz = windows.press_by_card(window, seat, card, at_us, tap.uncertainty_us)
    if press is None and not claims and buzz is None:
        return refuse("patrol-too-late", facts)
    if state.hands[seat - 1] == 0:
        return refuse("hand-used-up", facts)
    if claims:
        _stop_hacker(state, turn, seat, card, at_us, announcements)
        return None
    if press is not None or buzz is None:
        state.window = windows.attach_card(window, seat, card)
    else:
        add_press(state, window, buzz, at_us, announcements)
    announcements.append(PatrolShown(seat))
    return None


def handle_window_event(
    state: State, turn: Turn, window: BuzzWindow, event: windows.WindowEvent, at_us: int, announcements: Announcements
) -> None:
    """Apply an event of the window that comes at its deadline `at_us` or when a player leaves (R7.2 to R7.4, R2.5)."""
    state.window = window
    lapsed = event.seat if isinstance(event, windows.Lapsed) else getattr(event, "lapsed", None)
    if lapsed is not None:
        announcements.append(ClaimFailed(lapsed))
    if isinstance(event, windows.Ended):
        state.window, state.pending = None, Hack(at_us)
        announcements += (WindowClosed(turn.seat), HackBegan(turn.seat))
    elif isinstance(event, windows.ClaimWon):
        claim, ruling = window.claim, event.ruling
        assert claim is not None
        announcements.append(
            ClaimGiven(claim.seat, claim.until_us, ruling.tied, ruling.margin_us, ruling.uncertainty_us)
        )
        if ruling.press.shown_card is not None:
            _stop_hacker(state, turn, ruling.press.seat, ruling.press.shown_card, at_us, announcements)


def _stop_hacker(state: State, turn: Turn, seat: int, card: str, at_us: int, announcements: Announcements) -> None:
    """Play the patrol: the hacker's turn ends, the hacker's next one is skipped, and the patrol's seat is on turn
    (R7.3)."""
    state.window = None
    state.discard = (*state.discard, card)
    state.change_hand(seat, -1)
    announcements.append(HackerStopped(seat, card, turn.seat))
    hand_turn_to(state, turn, seat, at_us, announcements)
