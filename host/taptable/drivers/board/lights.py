"""The light at one pad as the board shall show it: makes the message, and decides when to send it again until the board
confirms it. `link` sends it. Must not know why the light is shown."""

from __future__ import annotations

from tapshared.sentences import Message

from taptable.core.cues import SeatLights

FIRST_LIGHT_RETRY_US = 100_000
"""The wait after which a light is sent again, doubled each time up to `MAX_LIGHT_RETRY_US`. The board repeats its
events by `tapshared.outbox`, with a maximum of its own."""
MAX_LIGHT_RETRY_US = 1_000_000


class DesiredLight:
    """The light that a seat shall show, at first none. It is sent again until the board shows it: a pong confirms a
    light by the number with which it was sent."""

    def __init__(self) -> None:
        self.light = SeatLights()
        self._number = 0
        self._confirmed = 0
        self._retry_at_us = 0
        self._delay_us = FIRST_LIGHT_RETRY_US

    @property
    def due_us(self) -> int | None:
        """When to send it again; None while the board shows it, or if there is nothing to show."""
        return None if self._number == self._confirmed else self._retry_at_us

    def is_window(self, now_us: int) -> bool:
        """Return whether the light is that of a window that is still open."""
        return self.light.pattern == "window" and self.light.ends_at_us > now_us

    def change(self, light: SeatLights, number: int, now_us: int) -> None:
        """Show this light from now on. `number` must be one that no other light had."""
        self.light = light
        self._number = number
        self._retry_at_us = now_us
        self._delay_us = FIRST_LIGHT_RETRY_US

    def mark_forgotten(self, now_us: int) -> None:
        """Send the light again: the board shows nothing of ours any more."""
        self._confirmed = 0
        self._retry_at_us = now_us

    def confirm(self, number: int) -> None:
        """Record that the board shows the light that was sent with this number."""
        self._confirmed = number

    def make_message(self, now_us: int) -> Message:
        """Return the message, with the rest of a timed light."""
        self._retry_at_us = now_us + self._delay_us
        self._delay_us = min(2 * self._delay_us, MAX_LIGHT_RETRY_US)
        light = self.light
        fields: dict[str, int | str] = {
            "pattern": light.pattern,
            "left_ms": max(0, light.ends_at_us - now_us) // 1000,
            "whole_ms": light.whole_us // 1000,
            "lamp": light.lamp,
        }
        return Message("light", fields, self._number)
