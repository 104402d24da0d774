"""The presenter: turns updates into changes of the display's scene, and has the scene drawn when an update or time
changes it. Drawing and sending run in an executor, one picture at a time. A late picture is skipped, never queued. Must
not know how a screen looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Any

from taptable import __version__
from taptable.core import check_notices, notices, part_notices, tag_notices
from taptable.core.cues import Screen
from taptable.core.observations import ButtonPressed, CardTapped, TimePassed
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Fault, Refused
from taptable.cues.prompts import Check, Code, Enrolment
from taptable.cues.scene import (
    NEWS_US,
    REFUSAL_US,
    News,
    Refusal,
    Scene,
    contrast,
    next_change_us,
    render,
)
from taptable.cues.text import ScreenStyle
from taptable.drivers.interface import Display
from taptable.narration.sentences import subject_of
from taptable.narration.updates import Update
from taptable.referee.checking import instruction
from taptable.referee.session import Decision, Session, TableEvent
from taptable.words import Words

BOOT_S = 2.0
"""Seconds for which the start screen is shown, unless somebody does something at the table before."""
ADDRESS_S = 120.0
"""Seconds for which the page's address is shown when the table starts or people ask for it: time to point a phone at
it."""
ADDRESS_AFTER_RESTART_S = 8.0
"""The same if a game waits to be resumed: most people have been on the page before."""
ADDRESS_POLL_S = 3.0
"""Seconds between two look-ups of the page's address meanwhile: the Wi-Fi comes up after the table, and its address may
change."""
POWER_OFF_SCREEN_US = 3600 * US_PER_S
"""How long the display shows that the computer is switched off: longer than a system takes to stop the table."""
PROBE_S = 3.0
"""Seconds between two probes of the display, each of which also sends a part of the picture again."""
PROBE_IN_WINDOW_S = 6.0
"""The same while a window runs. A disturbed picture is repaired after nine probes, so within a minute."""
AFTER_PICTURE_S = 0.05
"""Least seconds between a picture and a probe: a verdict's lights and sounds come first."""


_TITLES = {Screen.CHECK: ("screen", "check"), Screen.PAUSE: ("control", "pause"), Screen.POWER: ("screen", "power")}
"""The heading over a notice's sentence, as context and key of a text of the catalogues."""


class Presenter:
    """The scoreboard of one table. Create and open it on the loop that runs it. `find_address` returns the page's
    address on the network, None if that isn't known yet. A table whose page isn't open to the network has no such
    function. `on_responding` is called when the display begins or ceases to answer."""

    def __init__(
        self,
        display: Display,
        style: ScreenStyle,
        now_us: Callable[[], int],
        executor: Executor | None,
        find_address: Callable[[], str | None] | None = None,
    ) -> None:
        self._display = display
        self._style = style
        self._words = style.words
        self._now_us = now_us
        self._executor = executor
        self._find_address = find_address
        self.on_responding: Callable[[], None] = lambda: None
        self._was_responding = True
        self._loop = asyncio.get_running_loop()
        self._scene = Scene(__version__)
        self._update: Update | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._address_timer: asyncio.TimerHandle | None = None
        self._drawing: asyncio.Future[None] | None = None
        self._drawing_number = 0
        self._drawn_us = 0
        self._probed_us = now_us()
        self._stale = False
        self._booting = True
        self._opened = False
        self._closed = False

    @property
    def drawing_number(self) -> int | None:
        """The number of the picture or probe that is under way; None if none is."""
        return None if self._drawing is None else self._drawing_number

    @property
    def is_responding(self) -> bool:
        """Whether the display accepted what it was last sent."""
        return self._display.retry_at_us is None

    def open(self) -> None:
        """Show that the table starts, and which parts are missing, until somebody does something at the table."""
        self._opened = True
        self._loop.call_later(BOOT_S, self._end_boot)
        self._poll_address()
        self._draw()

    def show_address(self) -> bool:
        """Show the page's address as soon as nothing more urgent is on the display. Return False if it isn't known."""
        if self._find_address is None:
            return False
        self._set(address=self._find_address(), address_until_us=self._in_us(ADDRESS_S))
        self._draw()
        return self._scene.address is not None

    def show_code(self, code: Code | None) -> None:
        """Show a code as soon as nothing more urgent is on the display. None removes it."""
        self._set(code=code)
        self._draw()

    def show_task(self, title: str, text: str, *, is_begun: bool) -> None:
        """Show what people have to do before the table can play. Once they have begun (`is_begun`) it replaces the
        page's address."""
        self._set(task=Refusal(title, text), last_activity_us=self._now_us())
        if is_begun:
            self._hide_address()
        self._draw()

    def on_update(self, update: Update) -> None:
        """Show the state after an update if the picture has changed, or that the journal can't be written."""
        if update.journal_error is not None:
            self._show_refusal(self._style.words.text("notice", "journal-stuck"), update.journal_error)
            self._draw()
            return
        scene_before, self._update = self._scene, update
        self._words = self._style.words.with_names(update.session.names, update.session.members)
        if update.names_changed:
            self._set(news=None, refusal=None)
        for event in update.events:
            if isinstance(event, Decision):
                self._show_verdict(event)
            else:
                self._show_notice(event)
            self._set(last_activity_us=self._now_us())
        if self._opened and any(map(_is_by_hand, update.events)):
            self._booting = False
            self._hide_address()
        self._update_scene()
        if self._scene != scene_before:
            self._draw()

    async def close(self) -> None:
        """Clear the display, unless it shows that the Pi is switched off: that picture stays."""
        self._closed = True
        self._hide_address()
        if self._timer is not None:
            self._timer.cancel()
        if self._drawing is not None:
            await asyncio.wait([self._drawing])
        power = None if self._update is None else self._update.alerts.get("power")
        if isinstance(power, part_notices.PoweringOff):
            # over everything that was shown meanwhile
            self._show_notice(power)
            await self._loop.run_in_executor(self._executor, self._show, self._scene)
            await self._loop.run_in_executor(self._executor, self._display.leave)
        else:
            await self._loop.run_in_executor(self._executor, self._display.close)

    # --- people with a phone ----------------------------------------------------------------------------------------

    def _poll_address(self) -> None:
        """Show the page's address as soon as it is known, until somebody does something at the table."""
        if self._find_address is None:
            return
        address, known = self._find_address(), self._scene.address
        until_us = self._scene.address_until_us
        if known is None:
            waits = self._update is not None and self._update.session.table.paused_at_us is not None
            until_us = self._in_us(ADDRESS_AFTER_RESTART_S if waits else ADDRESS_S)
        if address != known:
            self._set(address=address, address_until_us=until_us)
            self._draw()
        over = address is not None and self._now_us() >= until_us
        self._address_timer = None if over else self._loop.call_later(ADDRESS_POLL_S, self._poll_address)

    def _hide_address(self) -> None:
        if self._address_timer is not None:
            self._address_timer.cancel()
            self._address_timer = None
        self._set(address_until_us=0)

    def _in_us(self, seconds: float) -> int:
        return self._now_us() + round(seconds * US_PER_S)

    # --- the scene --------------------------------------------------------------------------------------------------

    def _set(self, **changes: Any) -> None:
        self._scene = replace(self._scene, **changes)

    def _end_boot(self) -> None:
        self._booting = False
        self._update_scene()
        self._draw()

    def _update_scene(self) -> None:
        """Update the scene from the last update."""
        if self._update is None:
            return
        session, alerts, words = self._update.session, self._update.alerts, self._words
        table, deckless = session.table, alerts.get("deck")
        self._set(
            board=None if self._booting else table.scoreboard,
            paused=table.paused_at_us is not None,
            paused_at_us=table.paused_at_us or 0,
            notices=tuple(words.notice(notice) for notice in alerts.values()),
            missing_deck=deckless and Refusal(words.text("now", "deckless"), words.notice(deckless)),
            check=check_of(session, self._style.words),
            missing=tuple(
                words.part(notice.part) for notice in alerts.values() if isinstance(notice, part_notices.PartLost)
            ),
        )

    def _show_verdict(self, decision: Decision) -> None:
        words, verdict = self._words, decision.verdict
        if news := " ".join(
            words.announcement(announcement) for announcement in verdict.announcements if announcement.written
        ):
            self._show_news(news)
        if isinstance(verdict, Refused | Fault):
            if not decision.is_meaningless_hold:
                self._show_refusal(subject_of(decision, words), words.text("verdict", verdict.code, verdict.facts))
        elif isinstance(decision.observation, CardTapped | ButtonPressed):
            # the next action of a player removes the sentence about a refusal
            self._set(refusal=None)

    def _show_notice(self, notice: notices.Notice) -> None:
        words, sentence = self._words, self._words.notice(notice)
        until_us, whole_us = notice.display_span_us or (None, None)
        if isinstance(notice, part_notices.PoweringOff):
            until_us = self._now_us() + POWER_OFF_SCREEN_US
        match notice.screen:
            case Screen.NEWS:
                self._show_news(sentence)
            case Screen.SUBJECT:
                self._show_refusal(subject_of(notice, words), sentence)
            case Screen.CHECK | Screen.PAUSE | Screen.POWER as screen:
                self._show_refusal(words.text(*_TITLES[screen]), sentence, until_us, whole_us)
            case Screen.PEOPLE:
                self._show_refusal(words.text("screen", "people"), sentence, until_us, whole_us, "person")
            case Screen.ENROLMENT:
                self._set(enrolment=self._enrolment(notice, sentence))
            case Screen.ENROLMENT_ENDED:
                self._set(enrolment=None)
                self._show_news(sentence)
            case None:
                pass

    def _enrolment(self, notice: notices.Notice, problem: str) -> Enrolment | None:
        if not isinstance(notice, tag_notices.EnrolmentSays):
            return None
        words = self._words
        deck_line = words.text("screen", f"enrolment-{notice.how}", {"deck": notice.deck})
        deck_line, target = (deck_line, words.card(notice.wanted)) if notice.wanted else ("", deck_line)
        icon = notice.wanted.partition("#")[0]
        return Enrolment(deck_line, target, icon, notice.have, notice.need, problem if notice.is_narrated else None)

    def _show_news(self, news: str) -> None:
        self._set(news=News(news, self._now_us() + NEWS_US))

    def _show_refusal(
        self, title: str, reason: str, until_us: int | None = None, whole_us: int | None = None, icon: str = "refused"
    ) -> None:
        until_us = self._now_us() + REFUSAL_US if until_us is None else until_us
        self._set(refusal=Refusal(title, reason, until_us, whole_us, icon))

    # --- the display ------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the scene, or, if a picture is under way, once more after it."""
        if self._closed:
            return
        if self._drawing is not None:
            self._stale = True
            return
        self._stale = False
        self._start_work(partial(self._show, self._scene))

    def _start_work(self, work: Callable[[], None]) -> None:
        """Run work with the display in the executor."""
        self._drawing_number += 1
        self._drawing = asyncio.ensure_future(self._loop.run_in_executor(self._executor, work))
        self._drawing.add_done_callback(self._on_drawn)

    def _show(self, scene: Scene) -> None:
        self._drawn_us = now_us = self._now_us()
        self._display.show(render(scene, now_us, self._display.size, self._style), contrast(scene, now_us))

    def _on_drawn(self, drawing: asyncio.Future[None]) -> None:
        self._drawing = None
        drawing.result()
        if self.is_responding != self._was_responding:
            self._was_responding = self.is_responding
            self.on_responding()
        if self._closed:
            return
        if self._stale:
            self._draw()
        else:
            self._schedule()

    def _schedule(self) -> None:
        """Set the timer for the next change by time alone, for a failed display's retry, or for a probe."""
        if self._timer is not None:
            self._timer.cancel()
        now_us = self._now_us()
        # counted from the time of the drawn picture: a change may be due already, since the display and the loop take
        # time
        change_s = max(0.0, (next_change_us(self._scene, self._drawn_us) - now_us) / US_PER_S)
        retry_us = self._display.retry_at_us
        if retry_us is not None:
            self._timer = self._loop.call_later(max(0.0, (retry_us - now_us) / US_PER_S), self._draw)
        elif 0 < (probe_s := self._probe_in_s(now_us)) >= change_s:
            self._timer = self._loop.call_later(change_s, self._draw)
        else:
            self._timer = self._loop.call_later(max(AFTER_PICTURE_S, probe_s), self._probe)

    def _probe_in_s(self, now_us: int) -> float:
        """Return the seconds until the next probe of the display. One that is overdue comes before a change by time."""
        board = self._scene.board
        runs = board is not None and board.window is not None and not board.over and not self._scene.paused
        return (PROBE_IN_WINDOW_S if runs else PROBE_S) - (now_us - self._probed_us) / US_PER_S

    def _probe(self) -> None:
        if self._closed or self._drawing is not None:
            return
        self._probed_us = self._now_us()
        self._start_work(self._display.probe)


def check_of(session: Session, words: Words) -> Check | None:
    """Return the prompt of the check that is under way; None if none is."""
    if (checking := session.prompts.checking) is None:
        return None
    notice = instruction(checking, session.table, session.at_us)
    text = words.notice(notice)
    match notice:
        case check_notices.CheckTeam(_, seats, cards):
            return Check(seats, text, len(checking.seen), len(cards))
        case check_notices.CheckHand(_, seat, count) | check_notices.CheckCount(_, seat, count):
            return Check((seat,), text, checking.presses, count)


def _is_by_hand(event: TableEvent) -> bool:
    """Return whether somebody did something, at the table or on the page."""
    if isinstance(event, Decision):
        return not isinstance(event.observation, TimePassed)
    return event.WAKES_DISPLAY
