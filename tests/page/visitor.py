"""A visitor with the page before them: what they see is waited for by name, with a deadline, and the page's errors are
kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deadline import DEADLINE_S
from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Locator, Page, ViewportSize

from page.layout import DESK

WATCHING = (Path(__file__).parent / "watching.js").read_text(encoding="utf-8")
LANGUAGES = ("de", "en", "fr", "nl")
USUAL_PX = 16
LETTERS = "(px) => getComputedStyle(document.documentElement).fontSize === `${px}px`"
AS_AT_FIRST = """() => {
    document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
    document.querySelectorAll("details").forEach((details) => { details.open = false; });
    document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    location.hash = "table";
    document.querySelector('[data-tab="log"]').click();
    const note = document.querySelector("[data-note]");
    note.lastElementChild.textContent = "";
    note.click();
    const hints = document.querySelector('[data-setting="hints"]');
    if (!hints.checked) hints.click();
    document.activeElement.blur();
    scrollTo(0, 0);
}"""
DRAWN = """() => {
    const { ready, extension, demoBoot = "" } = document.documentElement.dataset;
    return ready === "true" && (extension !== "true" || demoBoot !== "");
}"""
UNREACHED = ("WebSocket", "ERR_CONNECTION", "Failed to fetch", "Failed to load resource")
"""The browser's own error messages about a table that is gone."""


@dataclass
class Visitor:
    """A page in a browser, and how to look at it."""

    page: Page
    address: str
    welcomed: bool = True
    """True if the dialog that greets a new visitor is to be closed."""
    complaints: list[str] = field(default_factory=list)
    _letters: CDPSession | None = None

    def __post_init__(self) -> None:
        self.page.set_default_timeout(DEADLINE_S * 1000)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.add_init_script(WATCHING)

    def comes(self) -> None:
        """Open the page and wait until it is drawn."""
        self.page.goto(self.address)
        self._is_drawn()
        if self.welcomed:
            self.page.locator("dialog[data-start]").wait_for()
            self.clicks('[data-start] [data-do="close"]')

    def goes_to(self, address: str, welcomed: bool) -> None:
        """Open the page of another table."""
        self.address, self.welcomed = address, welcomed
        self.comes()

    def reloads(self) -> None:
        """Open it once more."""
        self.page.reload()
        self._is_drawn()

    def comes_anew(self, size: ViewportSize) -> None:
        """Show the page as a new visitor finds it, in English, without loading it again."""
        if self.page.viewport_size != size:
            self.page.set_viewport_size(size)
        self.page.evaluate(AS_AT_FIRST)
        if self.page.locator("html").get_attribute("lang") != "en":
            self.speaks("en")

    def _is_drawn(self) -> None:
        self.until("the page is drawn", DRAWN)

    def until(self, what: str, holds: str, given: object = None, deadline_s: float = DEADLINE_S) -> None:
        """Wait until `holds`, a JavaScript function of `given`, returns true."""
        # Playwright's own waiting would need an eval, which the page's policy forbids
        held = self.page.evaluate(f"(given) => watched.until({holds}, given, {deadline_s * 1000})", given)
        assert held, f"not seen: {what}"

    def sees(self, hook: str, *, hidden: bool = False) -> Locator:
        """Wait until something is to be seen, or is gone."""
        found = self.page.locator(hook).first
        found.wait_for(state="hidden" if hidden else "visible")
        return found

    def is_seen(self, hook: str) -> bool:
        """Return whether the element is visible now."""
        return self.page.locator(hook).first.is_visible()

    def text(self, hook: str) -> str:
        """The text of the element."""
        return " ".join(self.sees(hook).inner_text().split())

    def reads(self, hook: str, text: str) -> None:
        """Wait until this stands there, perhaps among more."""
        stands = """([hook, text]) => [...document.querySelectorAll(hook)].some((each) =>
            each.checkVisibility() && each.innerText.replace(/\\s+/g, " ").includes(text))"""
        self.until(f"“{text}” in {hook}", stands, [hook, text])

    def next_frame(self) -> None:
        """Wait until the page has drawn once more."""
        self.page.evaluate("watched.nextFrame()")

    def is_heard(self) -> None:
        """Wait until the table has received all requests of this page, and its answers have come."""
        heard = self.page.evaluate("(deadlineMs) => watched.heard(deadlineMs)", DEADLINE_S * 1000)
        assert heard, "the connection ended, or nothing came, before the table had heard what was asked for"

    @contextmanager
    def looks_away(self) -> Iterator[None]:
        """Don't draw updates while this lasts, and then draw the last one: that saves the drawing of each."""
        self.page.evaluate("watched.hold()")
        try:
            yield
        finally:
            self.page.evaluate("watched.release()")

    def clicks(self, hook: str) -> None:
        """Click there once it can be clicked."""
        self.page.locator(hook).first.click()

    def speaks(self, language: str) -> None:
        """Switch the page to another language."""
        # by itself, since a dialog may lie before it
        choose = """(code) => {
            const select = document.querySelector("select[data-language]");
            select.value = code;
            select.dispatchEvent(new Event("change"));
        }"""
        self.page.evaluate(choose, language)
        self.until(f"the page in {language}", "(code) => document.documentElement.lang === code", language)
        self.is_heard()  # what the table tells is in this language only after that
        self.next_frame()

    def opens(self, tab: str) -> None:
        """Open a tab beside the table."""
        self.clicks(f'button[role="tab"][data-tab="{tab}"]')

    def catches_up(self, marks: tuple[int, int]) -> None:
        """Wait until the page shows what the table and the demo (0: there is none) had sent by these revisions. The
        demo sends nothing to an overlay or a scoreboard."""
        table, demo = marks
        if "/overlay" in self.address or "/scoreboard" in self.address:
            demo = 0
        told = """([table, demo]) => {
            const { revision, demoRevision = 0 } = document.documentElement.dataset;
            return Number(revision) >= table && Number(demoRevision) >= demo;
        }"""
        self.until(f"revisions {table}, {demo}", told, [table, demo])

    @property
    def boot(self) -> str:
        """The start of the daemon that the page shows."""
        return self.page.evaluate("document.documentElement.dataset.boot")

    def until_another_start(self, boot: str) -> None:
        """Wait until the page shows a later start of the daemon than this one."""
        self.until("another start", "(boot) => ![boot, ''].includes(document.documentElement.dataset.boot)", boot)

    @property
    def announced(self) -> int:
        """The number of announcements that have come to this page."""
        return self.page.evaluate("watched.announced")

    @property
    def logged_items(self) -> int:
        """The number of sentences of the log that have come to this page."""
        return self.page.evaluate("watched.logged")

    def frames_until_shown(self) -> list[int]:
        """For each sentence of the log, the number of frames from its message's arrival until it was drawn."""
        count = """() => watched.came.filter(({ log, answer }) => log > 0 && answer === null).flatMap((message) => {
            const shown = watched.applied.find(({ revision }) => revision >= message.revision);
            return shown ? [shown.frame - message.frame] : [];
        })"""
        return self.page.evaluate(count)

    def logged(self, kind: str) -> int:
        """The number of sentences of a type in the log."""
        return self.page.locator(f'[data-log] > [data-type="{kind}"]').count()

    def until_logged(self, kind: str, before: int = 0) -> None:
        """Wait until there are more of a type than `before`."""
        found = "([hook, before]) => document.querySelectorAll(hook).length > before"
        self.until(f"{kind} in the log", found, [f'[data-log] > [data-type="{kind}"]', before])

    @property
    def rows(self) -> list[list[list[str]]]:
        """The cards in the rows of each team, as the tab for them shows them."""
        self.opens("rows")
        read = """(teams) => teams.map((team) => [...team.querySelectorAll(".row")].map(
            (row) => [...row.querySelectorAll("[data-card]")].map((card) => card.dataset.card)))"""
        self.sees(".overview-team")
        return self.page.locator(".overview-team").evaluate_all(read)

    def watched(self, what: str) -> Any:
        """The result of watching: what was counted."""
        return self.page.evaluate(f"watched.{what}")

    def tools(self) -> CDPSession:
        """The browser's own tools for the page."""
        return self.page.context.new_cdp_session(self.page)

    @contextmanager
    def with_letters(self, times: float) -> Iterator[None]:
        """Make the browser's own letters `times` as large as usual while this lasts."""
        self._set_letters(USUAL_PX * times)
        yield
        self._set_letters(USUAL_PX)

    def _set_letters(self, px: float) -> None:
        if self._letters is None:
            self._letters = self.tools()
        self._letters.send("Page.setFontSizes", {"fontSizes": {"standard": round(px), "fixed": round(px)}})
        self.until(f"letters of {px} px", LETTERS, round(px))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(each in message.text for each in UNREACHED):
            self.complaints.append(message.text)


@contextmanager
def visiting(
    browser: Browser,
    address: str,
    size: ViewportSize = DESK,
    *,
    welcomed: bool = True,
    init: str | None = None,
    **more: Any,
) -> Iterator[Visitor]:
    """A visitor with a browser of their own; an error of the page fails the test. The dialog that greets them is closed
    if they are to be `welcomed`; `init` is a script that runs before those of the page."""
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce", **more)
    if init is not None:
        context.add_init_script(init)
    try:
        visitor = Visitor(context.new_page(), address, welcomed)
        visitor.comes()
        yield visitor
        assert not visitor.complaints, visitor.complaints
    finally:
        context.close()
