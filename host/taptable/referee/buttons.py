"""The filter of the buttons: decides which of their settled presses count, and when a button is stuck. The session
gives it edges, and `gestures` gets the presses that count. A press counts unless it is a bounce of the release before,
or the button was deaf: a button whose action has just changed is deaf until it has been up for `DEAF_US`. Pure. Must
not know a pin or a board, nor what an action does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from taptable.core.device_events import ButtonEdge, Clock
from taptable.core.notices import PressUnheard
from taptable.core.observations import ButtonPressed
from taptable.core.part_notices import ButtonFreed, ButtonStuck

RELEASED_US = 50_000
"""A press after less time than this since the release is still the bounce of that release."""
DEAF_US = 700_000
"""A button whose action has changed counts again once it has been up for this long."""
STUCK_US = 10_000_000
"""A button that is down for this long is stuck."""

ButtonOutcome: TypeAlias = ButtonPressed | PressUnheard | ButtonStuck | ButtonFreed


@dataclass(frozen=True, slots=True)
class ButtonState:
    """The state of one seat's button, whose presses count from `since_us` on.

    A press has meant `action` since `action_since_us`. A change of the action makes the button `deaf` until it has been
    up for `DEAF_US`. `reported_at_us` is when its last press was reported, `up_at_us` when it was last released."""

    seat: int
    since_us: int = 0
    down: bool = False
    reported_at_us: int = 0
    up_at_us: int | None = None
    stuck: bool = False
    deaf: bool = False
    action: str | None = None
    action_since_us: int = 0


def set_action(button: ButtonState, action: str | None, at_us: int) -> ButtonState:
    """Return the button with the action that a press has from `at_us` on; a change of action makes it deaf."""
    if action == button.action:
        return button
    return replace(button, action=action, action_since_us=at_us, deaf=True)


def handle_edge(button: ButtonState, device_event: ButtonEdge, now_us: int) -> tuple[ButtonState, list[ButtonOutcome]]:
    """Return the button after an edge, and what follows from that edge."""
    at_us = device_event.at_us
    if not device_event.pressed:
        outcomes: list[ButtonOutcome] = [ButtonFreed(now_us, button.seat)] if button.stuck else []
        return replace(button, down=False, up_at_us=at_us, stuck=False), outcomes
    if button.down:
        return button, []
    up_us = None if button.up_at_us is None else at_us - button.up_at_us
    pressed = replace(button, down=True, reported_at_us=now_us)
    if up_us is not None and up_us < RELEASED_US:
        return pressed, []
    ignored: list[ButtonOutcome] = [PressUnheard(now_us, button.seat)]
    if at_us + device_event.uncertainty_us < button.since_us:
        # a board has kept it since before the session began: the button's action was another one then
        return pressed, ignored
    is_rested = up_us is None or up_us >= DEAF_US
    # a board's press may arrive very late: the game then decides whether it was made in time
    is_meant = device_event.clock is Clock.BOARD or at_us >= button.action_since_us
    if button.deaf and not (is_rested and is_meant):
        return pressed, ignored
    return replace(pressed, deaf=False), [ButtonPressed(now_us, button.seat, at_us, device_event.uncertainty_us)]


def deadline(button: ButtonState) -> int | None:
    """Return when a button that is down counts as stuck, None if it isn't down or is stuck already."""
    if button.down and not button.stuck:
        return button.reported_at_us + STUCK_US  # a press reported late may have been released long ago
    return None


def pass_time(button: ButtonState, now_us: int) -> tuple[ButtonState, list[ButtonOutcome]]:
    """Return the button at `now_us`, with `ButtonStuck` if it has been down too long."""
    due_us = deadline(button)
    if due_us is None or due_us > now_us:
        return button, []
    return replace(button, stuck=True), [ButtonStuck(now_us, button.seat)]
