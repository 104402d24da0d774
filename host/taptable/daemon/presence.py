"""Pairing by presence, for a table that can't show a code: a phone asks, and somebody at the table allows it by
holding the button of one seat that the table chooses, or any button before the seats are assigned. One phone at a time.
The request is a claim of the session controller: the press that allows it never acts in a game, and any other does.
This module must not know how the phone asks, nor how its pairing is stored."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from taptable.core.device_events import BOARD_PART_KINDS, ButtonEdge, DeviceEvent, PartFailed, part_name
from taptable.core.notices import PairingAwaited, PairingLapsed, PhonePaired
from taptable.core.settings import US_PER_S
from taptable.daemon.session_controller import SessionController
from taptable.narration.updates import Update
from taptable.referee.session import Session

REQUEST_S = 20
"""Seconds in which somebody has to begin to hold the button."""
HOLD_S = 2
"""Seconds for which the button must be held. No game has such a gesture, so nobody does it by accident in play."""
ANY_BUTTON = 0
"""The seat of a request that any button allows."""
LATE_S, AFTER_DELAY_S = 0.1, 1.0
"""By how much the loop may be late at the end of a hold, and the seconds in which a device reports all that happened
during a longer delay."""
FETCH_S = 10
"""Seconds in which the phone has to fetch its pairing once it is allowed."""


@dataclass(frozen=True, slots=True)
class PresenceRequest:
    """The request of one phone, which alone knows the `ticket`, to be paired by this name. The button of `seat` allows
    it until table time `until_us`; then it is `allowed`."""

    ticket: str
    name: str
    seat: int
    asked_at_us: int
    until_us: int
    allowed: bool = False


class PresencePairing:
    """The requests at one table, one after the other. `on_lapse` is called when one ends without a pairing. `buttons`
    returns the seats whose buttons can allow one, and `pass_on` gets the edges of presses that were too short."""

    def __init__(self, controller: SessionController, on_lapse: Callable[[], None]) -> None:
        self.request: PresenceRequest | None = None
        self.buttons: Callable[[], Sequence[int]] = self._working_buttons
        self.pass_on: Callable[[DeviceEvent], object] = controller.report
        self._controller = controller
        self._on_lapse = on_lapse
        self._press: ButtonEdge | None = None  # held now, and not yet passed on
        self._passes_on = False
        self._expiry_timer: asyncio.TimerHandle | None = None
        self._hold_timer: asyncio.TimerHandle | None = None

    def objection(self) -> str:
        """Return the key of the reason why no phone can ask now; "" if one can."""
        if _asks_players(self._controller.session):
            return "presence-in-play"
        if self._controller.claim is not None:
            return "presence-cards"
        return "" if self.buttons() else "presence-no-button"

    def begin(self, name: str) -> PresenceRequest:
        """Begin a request, to which there must be no objection."""
        now_us = self._controller.now_us()
        # nobody can foresee which
        seat, until_us = secrets.choice(self.buttons()), now_us + REQUEST_S * US_PER_S
        request = PresenceRequest(secrets.token_urlsafe(), name, seat, now_us, until_us)
        self.request, self._controller.claim = request, self
        self._expire_in(REQUEST_S)
        self._publish(request)
        return request

    def end(self, *, paired: bool) -> None:
        """End the request: its phone is `paired`, or will not be."""
        if (request := self.request) is None:
            return
        self._release()
        if paired:
            self._controller.note(PhonePaired(self._controller.now_us(), request.seat))
        else:
            self._controller.publish_notice(PairingLapsed(self._controller.now_us(), request.seat))
            self._on_lapse()

    def close(self) -> None:
        """Drop the request because the table stops: the phone has to ask again."""
        self._release()

    def on_update(self, update: Update) -> None:
        """End a request that nobody has allowed when play goes on, the table asks its players for something, or the
        discard pad is needed for cards."""
        if self.request is None or self.request.allowed:
            return
        if self._controller.claim is not self or _asks_players(update.session):
            self.end(paired=False)

    def claims(self, device_event: DeviceEvent) -> bool:
        """Return whether the event can allow the request. One from before the request can't."""
        request = self.request
        if request is None or self._passes_on:
            return False
        match device_event:
            case ButtonEdge(at_us, pad, True, uncertainty_us):
                is_meant = self._press is None and request.seat in (pad, ANY_BUTTON)
                return is_meant and at_us + uncertainty_us >= request.asked_at_us
            case ButtonEdge(_, pad):
                return self._press is not None and pad == self._press.pad
            case _:
                return False

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Allow the request once the button was held for long enough. A shorter press goes to the game, late by its own
        length, and so does a press during which a part fails: nobody knows whether the button is still held."""
        press = self._press
        if isinstance(device_event, PartFailed) and press is not None:
            self._drop_press()
            self._pass_on(press)
        elif isinstance(device_event, ButtonEdge) and self.claims(device_event):
            self._drop_press()
            if device_event.pressed:
                self._press = device_event
                self._hold_for(HOLD_S)
            elif press is not None:
                self._pass_on(press, device_event)

    def _working_buttons(self) -> Sequence[int]:
        """Return the seats with a player whose buttons work, as far as is known."""
        session, alerts = self._controller.session, self._controller.alerts
        return [
            seat
            for seat in range(1, min(session.table.game_options.players, len(session.buttons)) + 1)
            if f"button {seat} stuck" not in alerts
            and not any(part_name(kind, seat) in alerts for kind in ("button", *BOARD_PART_KINDS))
        ]

    def _pass_on(self, *edges: ButtonEdge) -> None:
        """Pass edges to the game. They are in the journal as taken, so they come without their origin."""
        self._passes_on = True
        try:
            for edge in edges:
                self.pass_on(replace(edge, origin=None))
        finally:
            self._passes_on = False

    def _hold_for(self, seconds: float) -> None:
        due_s = self._controller.loop.time() + seconds
        self._hold_timer = self._controller.loop.call_at(due_s, self._on_held, due_s)

    def _on_held(self, due_s: float) -> None:
        """Allow the request. If the loop was held up, first wait for a release that is known only now."""
        if self._controller.loop.time() > due_s + LATE_S:
            self._hold_for(AFTER_DELAY_S)
        else:
            self._allow()

    def _allow(self) -> None:
        assert self.request is not None
        self._drop_press()
        self._controller.claim = None
        self.request = replace(self.request, allowed=True)
        self._expire_in(FETCH_S)
        self._publish(self.request)

    def _publish(self, request: PresenceRequest) -> None:
        now_us = self._controller.now_us()
        self._controller.publish_notice(PairingAwaited(now_us, request.allowed, request.seat, request.until_us))

    def _expire_in(self, seconds: float) -> None:
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        self._expiry_timer = self._controller.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        """End the request, once a button that is being held is decided."""
        if self._press is not None:
            self._expire_in(HOLD_S)
        else:
            self.end(paired=False)

    def _drop_press(self) -> None:
        self._press = None
        if self._hold_timer is not None:
            self._hold_timer.cancel()

    def _release(self) -> None:
        self._drop_press()
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        self.request = None
        if self._controller.claim is self:
            self._controller.claim = None


def _asks_players(session: Session) -> bool:
    """Return whether a game goes on after its first move, or the table waits for a press that means something else."""
    table = session.table
    is_played = table.scoreboard.under_way and table.has_moves and table.paused_at_us is None
    return is_played or session.prompts.checking is not None or session.prompts.consent is not None
