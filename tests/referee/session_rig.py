"""An evening at a table as its session sees it: device events go in, and the results are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from taptable.core.device_events import ButtonEdge, DeviceEvent, TagCame, TagWent
from taptable.core.game_options import GameOptions
from taptable.core.notices import Notice, PlayersNamed
from taptable.core.observations import Arrangement
from taptable.games.registry import find_game
from taptable.referee import gestures, session
from taptable.referee.session import Decision, TableEvent
from taptable.referee.step import open_table

S = 1_000_000
REMIND_S = 45
NoticeT = TypeVar("NoticeT", bound=Notice)


def identify(uid: str) -> str | None:
    """Identify every tag by its own name, except unknown ones and phones."""
    return uid if "#" in uid or uid.startswith("control:") else None


class SessionRig:
    """A table of six seats for four (1 and 3, 2 and 4), seat 1 on turn."""

    def __init__(self, players: int = 4, starter: int | None = 1, seats: int = 6, **rules: str) -> None:
        table, _ = open_table(find_game("online"), GameOptions(players, "de", rules, starter))
        self.session = session.open_session(table, seats, REMIND_S * S, 0)
        self.now_us = 0
        self.events: list[TableEvent] = []

    def handle_device_event(self, device_event: DeviceEvent) -> SessionRig:
        if isinstance(device_event, TagCame):
            device_event = replace(device_event, identity=identify(device_event.uid))
        self.session, events = session.handle_device_event(self.session, device_event, self.now_us)
        self.events += events
        return self

    def wait(self, seconds: float) -> SessionRig:
        self.now_us += round(seconds * S)
        self.session, events = session.pass_time(self.session, self.now_us)
        self.events += events
        return self

    def tap(self, uid: str, pad: int | str) -> SessionRig:
        self.handle_device_event(TagCame(self.now_us, pad, uid)).wait(0.7)
        return self.handle_device_event(TagWent(self.now_us, pad, uid)).wait(0.3)

    def press(self, seat: int) -> SessionRig:
        self.wait(1).handle_device_event(ButtonEdge(self.now_us, seat, True)).wait(0.1)
        return self.handle_device_event(ButtonEdge(self.now_us, seat, False)).wait(0.1)

    def control(self, name: str, pad: int | str = "discard") -> SessionRig:
        return self.tap(f"control:{name}", pad)

    def ask(self, name: str, by: str = "Anna", pad: int | str = "discard") -> SessionRig:
        """Request a control from the page."""
        self.session, events = session.request_control(self.session, name, pad, self.now_us, by)
        self.events += events
        return self

    def tell(self, make: Callable[[int], Arrangement], by: str = "Anna") -> SessionRig:
        """Send the table a command from the page."""
        self.session, events = session.apply_arrangement(self.session, make, self.now_us, by)
        self.events += events
        return self

    def rows_checked(self, seat: int) -> SessionRig:
        self.session, events = session.confirm_rows(self.session, seat, self.now_us)
        self.events += events
        return self

    def hand_counted(self, seat: int, count: int) -> SessionRig:
        self.session, events = session.report_hand_count(self.session, seat, count, self.now_us)
        self.events += events
        return self

    def name(self, *names: str) -> SessionRig:
        self.session, events = session.record_notice(self.session, PlayersNamed(self.now_us, names))
        self.events += events
        return self

    def notices(self, kind: type[NoticeT]) -> list[NoticeT]:
        return [event for event in self.events if isinstance(event, kind)]

    def decisions(self, kind: type) -> list[Decision]:
        return [h for h in self.events if isinstance(h, Decision) and isinstance(h.observation, kind)]

    @property
    def last(self) -> TableEvent:
        return self.events[-1]

    @property
    def button_actions(self) -> tuple[str | None, ...]:
        return gestures.button_actions(self.session.prompts, self.session.table)

    @property
    def state(self) -> dict[str, Any]:
        return self.session.table.game.public_state(self.session.table.state)
