"""Walks through a list of what a person can do at a page: presses what a person presses, and checks the requests to the
table, its answers, and what the page shows then."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeAlias

from playwright.sync_api import Locator, Page, WebSocket

from page.layout import layout_faults
from page.staging import Stage
from page.threaded_table import ThreadedTable
from page.visitor import Visitor

DEMO, TABLE = "demo", "table"
KINDS = frozenset({DEMO, TABLE})
ONLINE, SIEGE, XNET = "online", "cyber-siege", "xnet"
GAMES = frozenset({ONLINE, SIEGE, XNET})
OF_CONNECTION = frozenset({"hello", "language", "watch", "echo"})
LOOKING = frozenset({"members", "devices", "games", "game", "steps", "position"})
"""Verbs that the page sends by itself, to show their answers, as often and whenever it likes."""
BAD = frozenset({"refused", "ignored", "fault"})
PLAYING, OVER, WAITING = "playing", "over", "waiting"
"""The state in which an entry leaves the table: a game runs and nothing is under way; it is over; it waits for the
player who begins."""
PASSES_S, MAX_PASSES, AT_ONCE = 0.25, 120, 3
"""While an answer is missing, let `PASSES_S` of table time pass, up to `MAX_PASSES` times, but not during the first
`AT_ONCE` looks."""
SEEN = """() => {
    const named = { form: "data-form", step: "data-step", dialog: "data-dialog", asks: "data-asks", fold: "data-fold",
        tab: "data-panel" };
    const isOpen = (each) => each.checkVisibility() && (each.tagName !== "DETAILS" || each.open);
    const found = Object.entries(named).flatMap(([kind, attribute]) =>
        [...document.querySelectorAll(`[${attribute}]`)].filter(isOpen).map((each) =>
            `${kind}:${each.getAttribute(attribute)}`));
    return [`view:${document.documentElement.dataset.view}`, ...new Set(found)].sort();
}"""
"""The names of the view, and of each form, step, dialog, question, fold and tab that is open."""
BAD_NOTE = '[data-note][data-mood="bad"]:not([hidden])'


@dataclass
class Frames:
    """The requests of a page to the table over its sockets, and the answers."""

    sent: list[dict[str, Any]] = field(default_factory=list)
    answered: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    waiting: dict[Any, str] = field(default_factory=dict)

    def listen(self, page: Page) -> None:
        """Hear all sockets that the page opens from now on."""
        page.on("websocket", self._opened)

    def leave(self, page: Page) -> None:
        """Hear no more."""
        page.remove_listener("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framesent", self._sends)
        socket.on("framereceived", self._receives)
        socket.on("close", lambda _: self.waiting.clear())

    def _sends(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["do"] not in OF_CONNECTION:
            self.sent.append(message)
            self.waiting[message.get("n")] = message["do"]

    def _receives(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message.get("answer") in self.waiting:
            self.answered.append((self.waiting.pop(message["answer"]), message))


class Walk:
    """A visitor at the page of a table of a `kind`, at which a `game` is played, who checks the layout of each step."""

    def __init__(self, table: ThreadedTable, visitor: Visitor, kind: str, game: str) -> None:
        self.table, self.visitor, self.kind, self.game = table, visitor, kind, game
        self.page = visitor.page
        self.seen: set[str] = set()
        self.layout_faults: list[str] = []
        self.frames = Frames()
        self.saved = b""
        self._looked_at: set[str] = set()
        self._accepted = ""

    @contextmanager
    def under_way(self) -> Iterator[Walk]:
        """Hear the page's sockets, which is opened once more for that."""
        self.frames.listen(self.page)
        self.visitor.reloads()
        try:
            yield self
        finally:
            self.frames.leave(self.page)

    def goes_through(self, entries: Iterable[Entry]) -> None:
        """Do all of these entries that are offered here; report the faults of the layout at the end."""
        for entry in entries:
            if self.kind in entry.kinds and self.game in entry.games:
                self.goes(entry)
        assert self.layout_faults == [], "\n".join(self.layout_faults)

    def goes(self, entry: Entry) -> None:
        """Do an entry, and check the result."""
        self.seen.clear()
        self.frames.sent.clear()
        self.frames.answered.clear()
        try:
            for step in entry.does:
                step(self)
            self.settles()
            self.looks()
            sent = [message["do"] for message in self.frames.sent]
            asked = [verb for verb, _ in groupby(verb for verb in sent if verb not in LOOKING)]
            wanted = [verb for verb in entry.sends if verb not in LOOKING]
            assert asked == wanted or (entry.in_any_order and set(asked) == set(wanted)), asked
            assert LOOKING & set(entry.sends) <= set(sent), sent
            assert set(entry.shows) <= self.seen, sorted(self.seen)
            self._is_left(entry.leaves)
        except BaseException as error:
            error.add_note(f"in “{entry.name}”, {self.game}, {self.kind}; sent: {self.frames.sent}")
            raise

    def settles(self) -> None:
        """Wait until all that was asked for has been answered, and look at that. Table time passes meanwhile: hands
        take theirs."""
        for passed in range(MAX_PASSES):
            self.visitor.is_heard()
            if not self.frames.waiting:
                break
            if passed < AT_ONCE:
                self.table.is_seen()  # what takes no time there has been answered then
            else:
                self.table.passes(PASSES_S)
        assert not self.frames.waiting, f"never answered: {self.frames.waiting}"
        for verb, answer in self.frames.answered:
            kinds = {item["kind"] for item in answer.get("said", ())}
            if verb == "hold":  # that a card lies there already is said first of one that is held
                kinds.discard("ignored")
            assert answer["ok"], f"{verb}: {answer}"
            assert not kinds & BAD, f"{verb}: {answer}"
        if self.visitor.is_seen(BAD_NOTE) and self.visitor.text(BAD_NOTE) != self._accepted:
            raise AssertionError(f"the page says: {self.visitor.text(BAD_NOTE)}")

    def accepts_note(self) -> None:
        """Wait for the page's note that something has changed, which is expected here."""
        self._accepted = self.visitor.text(BAD_NOTE)

    def looks(self) -> None:
        """Note what is open, and check the layout of what wasn't open before."""
        now: list[str] = self.page.evaluate(SEEN)
        self.seen.update(now)
        if str(now) not in self._looked_at:
            self._looked_at.add(str(now))
            self.layout_faults += [f"{', '.join(now)}: {fault}" for fault in layout_faults(self.page)]

    def find(self, hook: str) -> Locator:
        """The first there is to be seen."""
        return self.page.locator(hook).locator("visible=true").first

    def presses(self, hook: str) -> None:
        """Press this once it is there, and note what was opened until then."""
        found = self.find(hook)
        found.wait_for()
        self.looks()
        found.click()
        self.settles()

    def stages(self, scene: Callable[[Stage], Awaitable[object]]) -> None:
        """Let hands at the table play a scene."""
        self.table.stages(scene)

    def _is_left(self, state: str) -> None:
        def look() -> dict[str, object]:
            session, daemon = self.table.session, self.table.harness.daemon
            over = session.table.game.outcome(session.table.state) is not None
            return {
                "state": OVER if over else WAITING if self.table.on_turn is None else PLAYING,
                "paused": session.table.paused_at_us is not None,
                "checking": session.prompts.checking is not None,
                "asked back": session.prompts.consent is not None,
                "enrolling": session.enrolment is not None or daemon.enrolment.active is not None,
            }

        nothing = dict.fromkeys(("paused", "checking", "asked back", "enrolling"), False)
        found = self.table.ask(look)
        assert found == {"state": state, **nothing}, f"{found} instead of {state}"
        assert self.page.locator("dialog[open]").count() == 0, "a dialog is still open"


Step: TypeAlias = Callable[[Walk], object]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a person can do: what they press for it, which verbs go to the table by that (one that is sent
    several times in a row stands here once), the views, tabs, forms, steps, dialogs, questions and folds that it opens,
    and how the table is left. Where the game says what is asked for when, the verbs may come `in_any_order`. It is
    offered at the pages of some kinds of table, in some games."""

    name: str
    does: tuple[Step, ...]
    sends: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    kinds: frozenset[str] = KINDS
    games: frozenset[str] = GAMES
    leaves: str = PLAYING
    in_any_order: bool = False
