"""Pairing by presence, for a table that can't show a code: a phone asks, and somebody at the table allows it by
holding the button of one seat that the table chooses, or any button before the seats are assigned. One phone at a time.
The request is a claim of the session controller: a press that is held never acts in a game, and a shorter one does.
This module must not know how the phone asks, nor how its pairing is stored."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from taptable.core.device_events import BOARD_PART_KINDS, ButtonEdge, DeviceEvent, PartFailed, part_name
from taptable.core.notices import PairingAwaited, PairingLapsed, PairingTry, PhonePaired
from taptable.core.observations import Pad
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
    it until table time `until_us`; then it is `allowed`. Until then `tried` is the last try that didn't."""

    ticket: str
    name: str
    seat: int
    asked_at_us: int
    until_us: int
    allowed: bool = False
    tried: PairingTry = PairingTry.NONE


class PresencePairing:
    """The requests at one table, one after the other. `on_lapse` is called when one ends without a pairing. `buttons`
    returns the seats whose buttons can allow one, and `pass_on` gets the edges of presses that were too short."""

    def __init__(self, controller: SessionController, on_lapse: Callable[[], None]) -> None:
        self.request: PresenceRequest | None = None
        self.buttons: Callable[[], Sequence[int]] = self._working_buttons
        self.pass_on: Callable[[DeviceEvent], object] = controller.report
        self._controller = controller
        self._on_lapse = on_lapse
        self._presses: dict[Pad, ButtonEdge] = {}  # held now, and not yet passed on
        self._hold_timers: dict[Pad, asyncio.TimerHandle] = {}
        self._ended = "", ""  # the ticket of the last request, and the key of the reason why it was not allowed
        self._passes_on = False
        self._expiry_timer: asyncio.TimerHandle | None = None

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
        self._ended = request.ticket, self.objection() or "presence-over"
        if paired:
            self._controller.note(PhonePaired(self._controller.now_us(), request.seat))
        else:
            self._controller.publish_notice(PairingLapsed(self._controller.now_us(), request.seat))
            self._on_lapse()

    def reason_for(self, ticket: str) -> str:
        """Return the key of the reason why the request with this ticket can't be allowed any more."""
        ended, reason = self._ended
        return reason if ended and secrets.compare_digest(ended, ticket) else "presence-over"

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
        """Return whether the event belongs to a press that may be held. One from before the request can't."""
        request = self.request
        if request is None or self._passes_on:
            return False
        match device_event:
            case ButtonEdge(at_us, _, True, uncertainty_us):
                return at_us + uncertainty_us >= request.asked_at_us
            case ButtonEdge(_, pad):
                return pad in self._presses
            case _:
                return False

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Allow the request once the button that is meant was held for long enough. A shorter press goes to the game,
        late by its own length, and so does a press during which a part fails: nobody knows whether the button is still
        held."""
        if isinstance(device_event, PartFailed):
            presses = tuple(self._presses.values())
            self._drop_presses()
            self._pass_on(*presses)
        elif isinstance(device_event, ButtonEdge) and self.claims(device_event):
            press = self._drop_press(device_event.pad)
            if device_event.pressed:
                self._presses[device_event.pad] = device_event
                self._hold_for(device_event.pad, HOLD_S)
            elif press is not None:
                self._handle_short_press(press, device_event)

    def _handle_short_press(self, press: ButtonEdge, release: ButtonEdge) -> None:
        """Pass a press on that was too short, except the first one of the button that is meant: people who press that
        want to allow the request, and hardly to end a pause."""
        assert self.request is not None
        is_meant, tried = press.pad == self.request.seat, self.request.tried
        if self.request.seat in (press.pad, ANY_BUTTON):
            self._answer(PairingTry.SHORT)
        if not is_meant or tried is PairingTry.SHORT:
            self._pass_on(press, release)

    def _answer(self, tried: PairingTry) -> None:
        """Tell people at the table, and the phone, why a try has not allowed the request."""
        assert self.request is not None
        self.request = replace(self.request, tried=tried)
        self._publish(self.request)

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

    def _hold_for(self, pad: Pad, seconds: float) -> None:
        due_s = self._controller.loop.time() + seconds
        self._hold_timers[pad] = self._controller.loop.call_at(due_s, self._on_held, pad, due_s)

    def _on_held(self, pad: Pad, due_s: float) -> None:
        """Allow the request by the button that is meant. Another one that is held does nothing. If the loop was held
        up, first wait for a release that is known only now."""
        assert self.request is not None
        if self._controller.loop.time() > due_s + LATE_S:
            self._hold_for(pad, AFTER_DELAY_S)
        elif self.request.seat in (pad, ANY_BUTTON):
            self._allow()
        else:
            self._drop_press(pad)
            self._answer(PairingTry.OTHER)

    def _allow(self) -> None:
        assert self.request is not None
        self._drop_presses()
        self._controller.claim = None
        self.request = replace(self.request, allowed=True)
        self._expire_in(FETCH_S)
        self._publish(self.request)

    def _publish(self, request: PresenceRequest) -> None:
        now_us = self._controller.now_us()
        self._controller.publish_notice(
            PairingAwaited(now_us, request.allowed, request.tried, request.seat, request.until_us)
        )

    def _expire_in(self, seconds: float) -> None:
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        self._expiry_timer = self._controller.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        """End the request, once a button that is being held is decided."""
        if self._presses:
            self._expire_in(HOLD_S)
        else:
            self.end(paired=False)

    def _drop_press(self, pad: Pad) -> ButtonEdge | None:
        """Forget a press and return it; None if that button isn't held."""
        if (timer := self._hold_timers.pop(pad, None)) is not None:
            timer.cancel()
        return self._presses.pop(pad, None)

    def _drop_presses(self) -> None:
        for pad in list(self._presses):
            self._drop_press(pad)

    def _release(self) -> None:
        self._drop_presses()
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
