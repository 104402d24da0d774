"""Breaks the product on purpose, one seam at a time, to show that the soak finds it: each function replaces a right
part for as long as an evening lasts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from itertools import count
from typing import Any
from unittest.mock import patch

from tapshared import contact, presence, upkeep
from taptable.api import replica
from taptable.core import windows
from taptable.core.arbiter import first_press
from taptable.core.device_events import Receipt
from taptable.core.drafts import draft
from taptable.core.errors import MembersError
from taptable.core.observations import ButtonPressed
from taptable.daemon import clock, recovery, session_controller
from taptable.drivers import contacts
from taptable.drivers.board import boards, link
from taptable.drivers.i2c import bus
from taptable.drivers.input import evdev, parts
from taptable.drivers.led import leds
from taptable.drivers.oled import oled
from taptable.drivers.pcsc import pads
from taptable.drivers.pcsc.winscard import PcscCode, PcscError
from taptable.games.online import play, turns
from taptable.history import playback
from taptable.league import verification
from taptable.memory import journal, members
from taptable.page import page
from taptable.referee import buttons, session, step, taps

Breaking = Callable[[], AbstractContextManager[Any]]


def cards_remembered() -> AbstractContextManager[Any]:
    """A reader reports a lifted card as lying there for two seconds more."""
    return patch.object(presence, "ABSENCE_US", 2_000_000)


def acknowledged_unwritten() -> AbstractContextManager[Any]:
    """A board's event is acknowledged before it is written down."""
    right = session_controller.SessionController.report

    def wrong(self: Any, device_event: Any) -> Receipt:
        right(self, device_event)
        return Receipt.COMMITTED

    return patch.object(session_controller.SessionController, "report", wrong)


def unsynced_commits() -> AbstractContextManager[Any]:
    """Commits aren't synced."""
    right = journal.connect_to_write

    def wrong(path: Any) -> sqlite3.Connection:
        connection = right(path)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    return patch.object(journal, "connect_to_write", wrong)


def last_line_forgotten() -> AbstractContextManager[Any]:
    """A table comes back without the last line of its game."""
    right = playback.table_after

    def wrong(transcript: Any) -> Any:
        return right(replace(transcript, entries=transcript.entries[:-1]))

    return patch.object(recovery, "table_after", wrong)


def light_not_said_again() -> AbstractContextManager[Any]:
    """A board that has shown a light of its own isn't sent the table's light again."""
    return patch.object(link.BoardLink, "refresh_light", lambda *_: None)


def display_left_upset() -> AbstractContextManager[Any]:
    """A display isn't sent its picture again."""
    return patch.object(oled.Oled, "_renew", lambda *_: None)


def stale_page() -> AbstractContextManager[Any]:
    """The page thinks that nothing has changed about putting right."""
    return patch.object(page, "_is_same_for_corrections", lambda *_: True)


def page_misses_members() -> AbstractContextManager[Any]:
    """The listeners of the table learn of no members."""
    right = replica.Replica._play

    def wrong(self: Any, entry_id: int, entry: Any) -> None:
        right(self, entry_id, entry)
        self._members = ()

    return patch.object(replica.Replica, "_play", wrong)


def seats_mixed_up_in_the_league() -> AbstractContextManager[Any]:
    """A league has the members at each other's seats."""
    right = verification.members_by_seat
    return patch.object(verification, "members_by_seat", lambda members, players: right(members[::-1], players))


def presses_stamped_late() -> AbstractContextManager[Any]:
    """The stamp of a press is the time of its arrival."""
    right = buttons.handle_edge

    def wrong(button: Any, device_event: Any, now_us: int) -> Any:
        return right(button, replace(device_event, at_us=now_us + 50_000), now_us + 50_000)

    return patch.object(session.buttons, "handle_edge", wrong)


def presses_lost() -> AbstractContextManager[Any]:
    """Every fourth press isn't heard."""
    right, presses = buttons.handle_edge, count(1)

    def wrong(button: Any, device_event: Any, now_us: int) -> Any:
        after, outcomes = right(button, device_event, now_us)
        return after, [each for each in outcomes if not isinstance(each, ButtonPressed) or next(presses) % 4]

    return patch.object(session.buttons, "handle_edge", wrong)


def static_heard() -> AbstractContextManager[Any]:
    """A spike at a contact counts as a press."""
    return patch.object(contact, "DEBOUNCE_US", 1_000)


def last_is_first() -> AbstractContextManager[Any]:
    """The last of several presses in a window wins."""
    right = windows._award_claim

    def rule_on(presses: Any, after: int, seats: int) -> Any:
        return first_press((max(presses, key=lambda press: press.pressed_at_us),), after, seats)

    def wrong(window: windows.BuzzWindow, now_us: int, lapsed: int | None) -> Any:
        named, event = right(draft(window, arbiter=rule_on), now_us, lapsed)
        return draft(named, arbiter=window.arbiter), event

    return patch.object(windows, "_award_claim", wrong)


def controllers_trusted() -> AbstractContextManager[Any]:
    """The stamp of a press at a controller counts as exact, however late the controller was asked."""
    return patch.object(contacts, "middle", lambda stamp_us, _, uncertainty_us: (stamp_us, uncertainty_us))


def lost_events_unnoticed() -> AbstractContextManager[Any]:
    """The kernel's word that it had no room for events is ignored."""
    return patch.object(evdev, "SYN_DROPPED", -1)


def lost_controllers_unsaid() -> AbstractContextManager[Any]:
    """The table doesn't report that a controller has gone."""
    return patch.object(parts.InputParts, "_fail", lambda self, seat, _: self._missing.add(seat))


def returned_lamps_dark() -> AbstractContextManager[Any]:
    """A lamp that was plugged in again stays dark until its pattern changes."""
    right = leds._SeatLed.look

    def wrong(self: Any) -> None:
        before = self._led
        right(self)
        if before is None and self._led is not None:
            self._write(self._led, False)

    return patch.object(leds._SeatLed, "look", wrong)


def hung_buses_given_up() -> AbstractContextManager[Any]:
    """A bus, or a switch, that hung once isn't tried again."""
    return patch.object(bus.SharedBus, "begin_round", lambda *_: None)


def pcscd_given_up() -> AbstractContextManager[Any]:
    """pcscd isn't tried again after it has ended."""
    right, begun = pads.ReaderWatch._begin, set[int]()

    def wrong(self: Any) -> None:
        if id(self) in begun:
            raise PcscError(PcscCode.NO_SERVICE)
        begun.add(id(self))
        right(self)

    return patch.object(pads.ReaderWatch, "_begin", wrong)


def two_moves_taken_back() -> AbstractContextManager[Any]:
    """A take-back takes the move before back, too."""
    right = step._restore
    return patch.object(step, "_restore", lambda table, past: right(table, past.previous or past))


def repairs_taken_for_plays() -> AbstractContextManager[Any]:
    """A card that an attacked team lays out of turn counts as one of the player on turn."""
    right = play._react

    def wrong(state: Any, turn: Any, card: Any, kind: Any, team: int, pad: int, _: int, said: Any) -> Any:
        turns.begin_play(state, turn, said)
        return right(state, turn, card, kind, team, pad, turn.seat, said)

    return patch.object(play, "_react", wrong)


def receivers_trusted() -> AbstractContextManager[Any]:
    """A reader is never reset for having heard nothing for long."""
    return patch.object(upkeep.Upkeep, "should_reset", lambda *_: False)


def unreadable_unsaid() -> AbstractContextManager[Any]:
    """The table doesn't report a card that can't be read."""
    return patch.object(upkeep.Unread, "look", lambda *_: False)


def clones_counted() -> AbstractContextManager[Any]:
    """A second tag with the number of one that lies on another pad counts as any tap."""
    return patch.object(taps.Taps, "find_twin", lambda *_: None)


def carried_cards_refused() -> AbstractContextManager[Any]:
    """A card that is carried to the next pad before its reader is sure that it has gone counts as a second one."""
    return patch.object(taps, "CARRIED_US", -1 << 60)


def suspends_unnoticed() -> AbstractContextManager[Any]:
    """A game continues after the computer was suspended."""
    return patch.object(clock.SuspendWatch, "check", lambda *_: None)


def floods_endured() -> AbstractContextManager[Any]:
    """A board may send as much nonsense as it likes."""
    return patch.object(boards, "MAX_GARBAGE", 1 << 60)


def files_unwritten() -> AbstractContextManager[Any]:
    """Members are known otherwise though that couldn't be written down."""
    right = members.MemberStore._write

    def wrong(self: Any, kept: Any, *more: Any) -> None:
        with suppress(MembersError):
            right(self, kept, *more)
        self._all = kept

    return patch.object(members.MemberStore, "_write", wrong)


BREAKINGS: Mapping[str, Breaking] = {
    "readers": cards_remembered,
    "receivers": receivers_trusted,
    "unreadable": unreadable_unsaid,
    "clones": clones_counted,
    "carried": carried_cards_refused,
    "suspends": suspends_unnoticed,
    "floods": floods_endured,
    "files": files_unwritten,
    "wire": acknowledged_unwritten,
    "disk": unsynced_commits,
    "coming back": last_line_forgotten,
    "display": display_left_upset,
    "lights": light_not_said_again,
    "page": stale_page,
    "page's members": page_misses_members,
    "league": seats_mixed_up_in_the_league,
    "buttons": presses_stamped_late,
    "presses": presses_lost,
    "static": static_heard,
    "arbiter": last_is_first,
    "controllers": controllers_trusted,
    "lost events": lost_events_unnoticed,
    "lost controllers": lost_controllers_unsaid,
    "returned lamps": returned_lamps_dark,
    "hung buses": hung_buses_given_up,
    "boxed readers": pcscd_given_up,
    "referee": two_moves_taken_back,
    "repairs": repairs_taken_for_plays,
}
