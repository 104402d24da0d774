"""Table and page, the two processes they are, in the middle of an enrolment or of a window: whichever is killed, the
other says so and goes on, all heals by itself, and nothing is lost or made up."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path

import pytest
from cli.commands import command
from cli.running import Running, running
from page_server.rig import a_folder_of_sockets
from playwright.sync_api import Browser
from ports import free_port
from table.rig import tags_of
from taptable.api.places import FOLDER
from taptable.config import Config
from taptable.core.announcements import Announcement, Paused, Resumed, WindowClosed, WindowOpened
from taptable.core.game_options import GameOptions
from taptable.core.settings import US_PER_S
from taptable.history.playback import events, prove
from taptable.memory.decks import Decks
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.referee.session import Judged
from taptable.sim.setting_up import set_up

from page.at_the_pad import new_cards
from page.visitor import Visitor, visiting

TABLE, PAGE = "table", "page"
SAYS = {TABLE: "The table is gone.", PAGE: "No connection to the table."}
"""What a browser says while one of them is away."""
BEGUN = {TABLE: "^INFO: taptable .* at table ", PAGE: "^INFO: taptable .*: the page is at "}
WINDOW_S = 8
"""Long enough for a kill, and over before a page is missed."""
TABLE_IN_A_PROCESS = Path(__file__).parents[1] / "system" / "table_that_hangs.py"


class Both:
    """The two processes of a table, and somebody with its page before them."""

    def __init__(self, config: Config, browser: Browser, stack: ExitStack) -> None:
        assert config.page is not None
        self.config = config
        self._programs: Mapping[str, tuple[object, ...]] = {
            TABLE: (sys.executable, TABLE_IN_A_PROCESS),
            PAGE: command("page"),
        }
        self._stack = stack
        self._running: dict[str, Running] = {}
        for each in self._programs:
            self._begin(each)
        visiting_it = visiting(browser, f"http://localhost:{config.page.port}/", welcomed=False)
        self.visitor: Visitor = stack.enter_context(visiting_it)

    def order(self, *words: object) -> None:
        """Have something done at the table."""
        self._running[TABLE].order(*words)

    @contextmanager
    def without(self, killed: str) -> Iterator[None]:
        """One of the two is killed, which the other says, and begun again when this is over, which nobody has to be
        told."""
        assert self._running[killed].stop(signal.SIGKILL) == -signal.SIGKILL
        self.visitor.reads("[data-gone]", SAYS[killed])
        yield
        if killed == PAGE:
            with running(command("status", "--follow"), self.config.file.parent) as status:
                status.read_until("^Missing: page in the browser$")
        self._begin(killed)
        self.visitor.sees("[data-gone]", hidden=True)
        if killed == PAGE:
            self.visitor.until_logged("part-back")
            self.visitor.sees('[data-alerts] [data-kind="missing"]', hidden=True)

    def _begin(self, each: str) -> None:
        process = running(self._programs[each], self.config.file.parent)
        self._running[each] = self._stack.enter_context(process)
        self._running[each].read_until(BEGUN[each])

    def announced(self) -> list[tuple[int, Announcement]]:
        """What was announced, by the journal, which can be played again, and when."""
        with JournalReader.open(self.config.table.journal) as journal:
            transcript = transcript_of(journal, 1)
        prove(transcript)
        judged = [event for event in events(transcript) if isinstance(event, Judged)]
        return [(each.observation.at_us, said) for each in judged for said in each.verdict.announcements]


def in_an_enrolment(both: Both, killed: str) -> None:
    """The cards that were taken are kept, and the next one is taken; the table takes cards without its page too."""
    tags, count = list(new_cards().cards)[:3], "[data-enrolling] [data-count]"
    both.visitor.clicks('.nav-link[data-view="cards"]')
    both.visitor.page.locator("#deck-new-name").fill("family")
    both.visitor.clicks('[data-do="new-deck"]')
    both.visitor.reads(count, "0 of 13")
    both.order("tap", tags[0], "discard")
    both.visitor.reads(count, "1 of 13")
    with both.without(killed):
        taken = 1
        if killed == PAGE:
            both.order("tap", tags[1], "discard")
            taken = 2
    both.visitor.reads(count, f"{taken} of 13")
    both.order("tap", tags[taken], "discard")
    both.visitor.reads(count, f"{taken + 1} of 13")
    kept = Decks(both.config.table.decks).deck("family").cards
    assert dict(kept) == {tag: f"online#{number}" for number, tag in enumerate(tags[: taken + 1], 1)}


def in_a_window(both: Both, killed: str) -> None:
    """The window has its whole time, less the pause with which a table comes back, and is over once."""
    tags, window = tags_of(both.config), "[data-window]"
    both.order("tap", tags["online#1"], 1)
    both.visitor.until_logged("card-laid")
    both.order("tap", tags["hacker#1"], 1)
    both.visitor.sees(window)
    with both.without(killed):
        assert isinstance(both.announced()[-1][1], WindowOpened)
    if killed == TABLE:
        both.visitor.reads(".now-title", "Paused")
        both.visitor.sees(window, hidden=True)
        both.order("press", 2)
        both.visitor.sees(window)
    both.visitor.until_logged("window-closed")
    both.visitor.sees(window, hidden=True)
    [(_, opened)] = [(at_us, said) for at_us, said in both.announced() if isinstance(said, WindowOpened)]
    [closed_us] = [at_us for at_us, said in both.announced() if isinstance(said, WindowClosed)]
    breaks = [at_us for at_us, said in both.announced() if isinstance(said, Paused | Resumed)]
    paused_us = sum(breaks[1::2]) - sum(breaks[::2])
    assert len(breaks) == (2 if killed == TABLE else 0)
    assert 0 <= closed_us - opened.closes_at_us - paused_us < US_PER_S


@pytest.mark.long
@pytest.mark.parametrize(("killed", "midst"), [*product((TABLE, PAGE), (in_an_enrolment, in_a_window))])
def test_whichever_is_killed_is_missed_and_comes_back_and_nothing_is_lost_or_made_up(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: str, midst: Callable[[Both, str], None]
) -> None:
    game_options = GameOptions(2, "de", {"patrol_window_s": str(WINDOW_S)}, 1)
    # of the compact build: what seat boards keep for a table that is away is another test's
    config = set_up(tmp_path, "online", game_options, "en", compact=True, page=free_port())
    with a_folder_of_sockets() as sockets, ExitStack() as stack:
        monkeypatch.setenv(FOLDER, str(sockets))
        midst(Both(config, browser, stack), killed)
