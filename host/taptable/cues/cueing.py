"""Chooses the cues of rings, lamps and sounder, from events and from the session after them, and gives them to the
drivers. Lasting cues show the present state: `rings` chooses the pattern of each ring, `lamps` that of each lamp.
Passing cues show an event and are taken back after a while. What a pattern or a sound looks and sounds like is in
`tapshared.lights`, `narration.lamps` and `narration.tunes`. Must not know a rule of a game: the game defines what a
button does, and the mood of each announcement."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from taptable.core import part_notices
from taptable.core.cues import Lamp, SeatLights, Sound
from taptable.core.notices import PairingAwaited
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    Pad,
)
from taptable.core.scoreboard import RunningWindow
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict
from taptable.drivers.interface import OpenedParts, Sounder
from taptable.narration.tunes import sounds_of
from taptable.narration.updates import Update
from taptable.referee.checking import seats_now
from taptable.referee.session import Decision, Session, TableEvent
from taptable.referee.taps import HOLD_US

LAMP_OF_BUTTON_ACTION = {
    "stop": Lamp.ON_TURN,
    "buzz": Lamp.MAY_BUZZ,
    "youngest": Lamp.MAY_BUZZ,
    "grant": Lamp.ASKED,
    "resume": Lamp.ASKED,
}
"""The lasting lamp of a seat by the action of its button. How each lamp is lit is in `narration.lamps.LAMP_PATTERNS`,
or for lamps on seat boards in `BOARD_LAMPS`."""
LAMP_OF_OTHER_ACTION = Lamp.ON_TURN
LAMP_OF_OTHER_ACTION_IN_WINDOW = Lamp.MAY_BUZZ
"""The lasting lamps for all other actions, which are a game's own. In a window the lamp blinks, because the time for
the action is limited."""

BOARD_LAMPS = {Lamp.OFF: "off", Lamp.ON_TURN: "on", Lamp.FIRST: "on"}
"""The lamps on seat boards, as the wire has them. All others blink, with `BLINK_US` of the firmware's
`seatboard.lamp`."""

RING_OF_VERDICT: dict[type[Verdict], str] = {
    Accepted: "accepted",
    Refused: "refused",
    Ignored: "ignored",
    Fault: "refused",
}
FLASH_S = 0.8
"""Seconds for which a verdict stays on a ring."""


@dataclass(frozen=True, slots=True)
class Flash:
    """A passing light at one pad, or at all (None): a pattern of the ring, or of a seat's lamp, or both."""

    pad: Pad | None
    ring: str | None = None
    lamp: Lamp | None = None


# --- passing cues ---------------------------------------------------------------------------------------------------


def passing_cues(events: Sequence[TableEvent]) -> tuple[list[Flash], list[Sound]]:
    """Return the lights and sounds for these events."""
    flashes: list[Flash] = []
    sounds: list[Sound] = []
    for event in events:
        if isinstance(event, Decision):
            flashes += _flash_of(event)
        else:
            cue = event.cue
            if cue.ring is not None or cue.lamp is not None:
                flashes.append(Flash(None if cue.everywhere else event.place, cue.ring, cue.lamp))
        sounds += sounds_of(event)
    return flashes, sounds


def _flash_of(decision: Decision) -> list[Flash]:
    observation = decision.observation
    ring = RING_OF_VERDICT[type(decision.verdict)]
    if isinstance(observation, CardTapped | CardHeld | CardsTogether):
        return [] if decision.is_meaningless_hold else [Flash(observation.pad, ring)]
    if isinstance(observation, ButtonPressed) and not isinstance(decision.verdict, Accepted):
        return [Flash(observation.seat, lamp=Lamp.NOTICED)]
    return []


# --- lasting cues ---------------------------------------------------------------------------------------------------


def lamps(session: Session) -> tuple[Lamp, ...]:
    """Return the lasting lamp of each seat, seat 1 first. All are off while the discard pad reads cards for a deck,
    when no button has an action."""
    if session.enrolment is not None:
        return (Lamp.OFF,) * len(session.buttons)
    board, actions = session.table.scoreboard, [button.action for button in session.buttons]
    window = running_window(session)
    others = LAMP_OF_OTHER_ACTION if window is None else LAMP_OF_OTHER_ACTION_IN_WINDOW
    shown = [LAMP_OF_BUTTON_ACTION.get(action, others) if action else Lamp.OFF for action in actions]
    prompts = session.prompts
    asked = prompts.checking is not None or prompts.consent is not None
    waits = asked or board.over or window is not None or session.table.paused_at_us is not None
    if not waits and board.seat is not None and shown[board.seat - 1] is Lamp.OFF:
        shown[board.seat - 1] = Lamp.ON_TURN  # its button has no action, but it is this seat's turn
    if prompts.reminder_count and "stop" in actions:
        shown[actions.index("stop")] = Lamp.REMINDED
    if window is not None and prompts.consent is None:
        if window.claim_seat is not None:
            shown[window.claim_seat - 1] = Lamp.CLAIM
        elif window.pressed_seats:
            shown[window.pressed_seats[0] - 1] = Lamp.FIRST
    return tuple(shown)


def rings(session: Session, now_us: int) -> tuple[SeatLights, ...]:
    """Return the lasting pattern of each seat's ring, seat 1 first. A seat without a player is dark. In a check, the
    seats that are asked show a turn."""
    board, window = session.table.scoreboard, running_window(session)
    checking = session.prompts.checking
    asked = () if checking is None else seats_now(checking)
    shown: list[SeatLights] = []
    for seat in range(1, len(session.buttons) + 1):
        if seat > session.table.game_options.players or seat in board.vacated:
            shown.append(SeatLights("off"))
        elif seat in asked:
            shown.append(SeatLights("your-turn"))
        elif session.table.paused_at_us is not None or session.enrolment is not None:
            shown.append(SeatLights("paused"))
        elif (held_until_us := _hold_ends_us(session, seat, now_us)) is not None:
            shown.append(SeatLights("holding", ends_at_us=held_until_us, whole_us=HOLD_US))
        elif window is not None and window.claim_seat == seat and window.claim_until_us is not None:
            shown.append(SeatLights("claim", ends_at_us=window.claim_until_us, whole_us=window.claim_us))
        elif window is not None and window.closes_at_us > now_us:
            whole_us = window.closes_at_us - window.opened_at_us
            shown.append(SeatLights("window", ends_at_us=window.closes_at_us, whole_us=whole_us))
        else:
            shown.append(SeatLights("your-turn" if board.seat == seat and not board.over else "idle"))
    return tuple(shown)


def ring_of_other_pad(session: Session, pad: str, now_us: int) -> SeatLights:
    """Return the lasting pattern of the ring at a pad that is no seat's. While cards are read for a deck, the discard
    pad's is the one that shows a turn."""
    if session.enrolment is not None and pad == DISCARD_PAD:
        return SeatLights("your-turn")
    if pad not in session.table.game.pads(session.table.state):
        return SeatLights("off")
    if session.table.paused_at_us is not None or session.enrolment is not None:
        return SeatLights("paused")
    held_until_us = _hold_ends_us(session, pad, now_us)
    if held_until_us is not None:
        return SeatLights("holding", ends_at_us=held_until_us, whole_us=HOLD_US)
    return SeatLights("idle")


def running_window(session: Session) -> RunningWindow | None:
    """Return the window, unless the table is paused."""
    return None if session.table.paused_at_us is not None else session.table.scoreboard.window


def ticking_until_us(session: Session) -> int | None:
    """Return the table time until which the sounder ticks; None while it doesn't."""
    window = running_window(session)
    return None if window is None else window.claim_until_us or window.closes_at_us


def _hold_ends_us(session: Session, pad: Pad, now_us: int) -> int | None:
    """Return the table time until which the ring of a pad fills because a card lies on it; None if none does."""
    for tag in session.taps.tags_on(pad):
        until_us = tag.received_at_us + HOLD_US
        if tag.is_waiting and not tag.is_control and until_us > now_us:
            return until_us
    return None


# --- giving them ----------------------------------------------------------------------------------------------------


class CueDispatcher:
    """Gives the cues of one table: to the parts that show each ring and each lamp, and to its sounder if it has one."""

    def __init__(
        self,
        *,
        loop: asyncio.AbstractEventLoop,
        now_us: Callable[[], int],
        ring_parts: Mapping[Pad, OpenedParts],
        lamp_parts: Mapping[Pad, OpenedParts],
        sounder: Sounder | None,
    ) -> None:
        self._loop = loop
        self._now_us = now_us
        self._ring_parts = ring_parts
        self._lamp_parts = lamp_parts
        self._sounder = sounder
        self._other_pads = [pad for pad in ring_parts if isinstance(pad, str)]
        self._update: Update | None = None
        self._flashes: dict[Pad, tuple[str, asyncio.TimerHandle]] = {}
        self._lasting: dict[Pad, SeatLights] = {}
        self._shown: dict[Pad, SeatLights] = {}
        self._lamps: Sequence[Lamp] = ()
        self._ticking_until_us: int | None = None
        self._is_journal_stuck = False

    def lamp(self, seat: int) -> Lamp:
        """Return the lasting pattern of a seat's lamp."""
        return self._lamps[seat - 1] if seat <= len(self._lamps) else Lamp.OFF

    def on_update(self, update: Update) -> None:
        """Give the cues for an update, and show the state after it. A journal that can't be written sounds once,
        however often the write is retried."""
        was_stuck, self._is_journal_stuck = self._is_journal_stuck, not update.writable
        if update.journal_error is not None:
            if not was_stuck:
                self._play(Sound.FAULT)
            return
        self._update = update
        passed, sounds = passing_cues(update.events)
        everywhere = (*range(1, len(update.session.buttons) + 1), *self._other_pads)
        flashes = [(pad, f) for f in passed for pad in (everywhere if f.pad is None else (f.pad,))]
        for pad, flash in flashes:
            if flash.ring is not None:
                self._flash(pad, flash.ring)
        self._update_lasting(update)
        self._show(*self._lasting)
        for pad, flash in flashes:
            if flash.lamp is not None and isinstance(pad, int):  # over the lasting pattern, which returns afterwards
                self._show_lamp(pad, flash.lamp)
        for sound in sounds:
            self._play(sound)
        until_us = ticking_until_us(update.session)
        if self._sounder is not None and until_us != self._ticking_until_us:
            self._ticking_until_us = until_us
            if until_us is None:
                self._sounder.stop_ticking()
            else:
                self._sounder.tick_until(until_us)

    def on_tag_detected(self, pad: Pad) -> None:
        """Pulse at once where a card was read. The verdict follows when it is in the journal."""
        self._flash(pad, "reading")
        if pad in self._lasting:
            self._show(pad)
        self._play(Sound.PULSE)

    def close(self) -> None:
        """Stop the timers of the passing cues."""
        for _, timer in self._flashes.values():
            timer.cancel()
        self._flashes.clear()

    def _flash(self, pad: Pad, ring: str) -> None:
        if pad in self._flashes:
            self._flashes[pad][1].cancel()
        self._flashes[pad] = (ring, self._loop.call_later(FLASH_S, self._end_flash, pad))

    def _end_flash(self, pad: Pad) -> None:
        del self._flashes[pad]
        self._show_lasting()

    def _show_lasting(self) -> None:
        """Bring every ring and lamp up to date."""
        if self._update is not None:
            self._update_lasting(self._update)
            self._show(*self._lasting)

    def _update_lasting(self, update: Update) -> None:
        """Determine the lasting pattern of every ring, and show the lamps."""
        session, now_us, power = update.session, self._now_us(), update.alerts.get("power")
        is_off = isinstance(power, part_notices.PoweringOff)
        self._lamps = [Lamp.OFF if is_off else lamp for lamp in lamps(session)]
        pairing = update.alerts.get("pairing")
        if isinstance(pairing, PairingAwaited) and not (pairing.allowed or is_off):
            # the lamp to be found is the only one that is lit
            self._lamps = [
                Lamp.PAIRING if seat == pairing.seat else Lamp.OFF for seat in range(1, len(self._lamps) + 1)
            ]
        for seat, (ring, lamp) in enumerate(zip(rings(session, now_us), self._lamps, strict=True), 1):
            self._show_lamp(seat, lamp)
            self._lasting[seat] = replace(ring, lamp=BOARD_LAMPS.get(lamp, "blink"))
        self._lasting |= {pad: ring_of_other_pad(session, pad, now_us) for pad in self._other_pads}

    def _show(self, *pads: Pad) -> None:
        """Show the lights of these pads; send a board only changes. While the power button is held, or the table is
        switched off, that takes precedence over the game."""
        power = None if self._update is None else self._update.alerts.get("power")
        for pad in pads:
            light = self._lasting[pad]
            if isinstance(power, part_notices.PowerHeld):
                light = SeatLights("holding", light.lamp, power.until_us, power.whole_us)
            elif isinstance(power, part_notices.PoweringOff):
                light = SeatLights("off")
            elif pad in self._flashes:
                light = SeatLights(self._flashes[pad][0], light.lamp)
            if self._shown.get(pad) != light:
                self._shown[pad] = light
                if pad in self._ring_parts:
                    self._ring_parts[pad].show_light(pad, light)

    def _show_lamp(self, seat: int, lamp: Lamp) -> None:
        if seat in self._lamp_parts:
            self._lamp_parts[seat].show_lamp(seat, lamp)

    def _play(self, sound: Sound) -> None:
        if self._sounder is not None:
            self._sounder.play(sound)
