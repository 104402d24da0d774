"""Buttons: from edges, bounces included, to presses (*Clocks and the window* of the table's page).

The first edge is the stamp; it counts if the button is still down at the look 3 ms later, and nothing more
counts until it has been up. A button whose meaning has just changed is deaf until it has been up for 0.7 s.
Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from taptable.core.device_events import ButtonEdge
from taptable.core.notices import PressUnheard
from taptable.core.observations import ButtonPressed
from taptable.core.part_notices import ButtonFreed, ButtonStuck

LOOK_US = 3_000
CHATTER_US = 1_000
"""Up for less than this at the look is the contact's chatter: it is looked at again."""
RELEASED_US = 50_000
"""Up for less than this is still the bounce of a release."""
DEAF_US = 700_000
STUCK_US = 10_000_000

Outcome: TypeAlias = ButtonPressed | PressUnheard | ButtonStuck | ButtonFreed


@dataclass(frozen=True, slots=True)
class Button:
    """One seat's button, listened to since `since_us`.

    `looking` between the first edge of a press and the look; `locked` from a press that counted until it is released;
    `deaf` after a change of meaning, until it has been up long enough. A press was made at `down_at_us` and told at
    `told_at_us`.
    """

    seat: int
    since_us: int = 0
    down: bool = False
    down_at_us: int = 0
    told_at_us: int = 0
    look_at_us: int = 0
    up_at_us: int | None = None
    uncertainty_us: int = 0
    looking: bool = False
    locked: bool = False
    stuck: bool = False
    deaf: bool = False
    meaning: str | None = None


def change_meaning(button: Button, meaning: str | None) -> Button:
    """The button with what a press of it means now; another meaning than before makes it deaf."""
    if meaning == button.meaning:
        return button
    return replace(button, meaning=meaning, deaf=True)


def edge(button: Button, device_event: ButtonEdge, now_us: int) -> tuple[Button, list[Outcome]]:
    """The button went down or up. Of an edge that was over before the level was read, the level is that after it: where
    one that was up goes up, it went down."""
    at_us, pressed = device_event.at_us, device_event.pressed
    if not pressed and (button.down or device_event.settled):
        freed: list[Outcome] = [ButtonFreed(now_us, button.seat)] if button.stuck else []
        return replace(button, down=False, up_at_us=at_us, stuck=False), freed
    up_us = None if button.up_at_us is None else at_us - button.up_at_us
    moved = replace(button, down=pressed, up_at_us=button.up_at_us if pressed else at_us)
    if button.looking or button.down:
        return moved, []
    if button.locked and up_us is not None and up_us < RELEASED_US:
        return replace(moved, told_at_us=now_us), []
    if at_us + device_event.uncertainty_us < button.since_us:
        # a board kept it from a time when nobody listened: whatever it meant then, it doesn't now
        return replace(moved, told_at_us=now_us, locked=True), [PressUnheard(now_us, button.seat)]
    rested = up_us is None or up_us >= DEAF_US
    looked_too_soon = button.down_at_us < at_us <= button.look_at_us  # it had come while the host was held up
    down_at_us = button.down_at_us if looked_too_soon else at_us
    return replace(
        moved,
        down_at_us=down_at_us,
        told_at_us=now_us,
        look_at_us=down_at_us if device_event.settled else down_at_us + LOOK_US,
        uncertainty_us=device_event.uncertainty_us,
        looking=True,
        locked=False,
        deaf=button.deaf and not rested,
    ), []


def deadline(button: Button) -> int | None:
    """When there is something to look at."""
    if button.looking:
        return button.look_at_us
    if button.down and button.locked and not button.stuck:
        return button.told_at_us + STUCK_US  # a press that is told late may have been released long ago
    return None


def pass_time(button: Button, now_us: int) -> tuple[Button, list[Outcome]]:
    """The look 3 ms after the first edge, or the finding that a button is stuck."""
    due_us = deadline(button)
    if due_us is None or due_us > now_us:
        return button, []
    if not button.looking:
        return replace(button, stuck=True), [ButtonStuck(now_us, button.seat)]
    if not button.down:
        settles_us = (button.up_at_us or 0) + CHATTER_US
        if due_us < settles_us:
            return replace(button, look_at_us=settles_us), []
        return replace(button, looking=False), []  # static, or a brush
    pressed = replace(button, looking=False, locked=True)
    if button.deaf:
        return pressed, [PressUnheard(now_us, button.seat)]
    return pressed, [ButtonPressed(now_us, button.seat, button.down_at_us, button.uncertainty_us)]


def first_deadline(buttons: Sequence[Button]) -> int | None:
    """The first deadline of several buttons."""
    return min((due for due in map(deadline, buttons) if due is not None), default=None)
