"""Every verb of the page is answered at the demo's table as at a real one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from page_server.direct import InProcessLink
from table.rig import running_table
from taptable.api.errors import RequestError
from taptable.core.game_options import GameOptions
from taptable.daemon.api.local_api import LocalApi
from taptable.games.registry import GAMES, find_game
from taptable.page.browser_verbs import VERBS
from taptable.page.messages import Requester
from taptable.page.page import Page
from taptable.sim.page.demo import TableRequest, running_demo
from taptable.sim.setting_up import DECK, set_up
from taptable.words import Words

from demo_page.rig import GivenPace, Visitor

OF_THE_HANDS = (
    "sit",
    "stand",
    "tap",
    "hold",
    "put",
    "lift",
    "press",
    "draw",
    "tap-control",
    "tap-rows",
    "speed",
    "fault",
    "touch",
)
PLAYERS = 3
SETTLED_S = 2.0
MISSING: Mapping[str, Any] = {"deck": "none", "kind": "none", "card": "none", "member": "none", "name": ""}
SCRIPT: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *((verb, {}) for verb in ("pause", "check", "reshuffle", "take-back", "withdraw", "resume", "break-off")),
    ("take-back", {"seat": 1}),
    *((verb, {"seat": 1, "count": 3}) for verb in ("rows-checked", "hand-counted", "vacate")),
    *((verb, MISSING) for verb in ("lost", "recovered")),
    ("name-players", {"names": ["Ada", "", "Bo"]}),
    ("use-control", {"control": "reshuffle"}),
    ("end-game", {}),
    *((verb, {}) for verb in ("pause", "resume", "check", "reshuffle", "take-back", "end-game", "new-game")),
    ("set-up", {"players": 2, "starter": 1}),
    ("pause", {}),
    ("resume", {}),
    ("save-preset", {"players": 2, "name": "Evening"}),
    ("delete-preset", {"name": "Evening"}),
    *((verb, {"deck": DECK, "name": DECK}) for verb in ("use-deck", "read-manifest", "check-deck", "enrol-stop")),
    *((verb, {**MISSING, "cards": ["none"], "manifest": "none"}) for verb in ("enrol-only", "describe-deck")),
    *((verb, MISSING) for verb in ("enrol", "enrol-kind", "rename-deck", "delete-deck")),
    *((f"enrol-{step}", {}) for step in ("undo", "skip", "stop")),
    ("enrol-member", {"name": "Cleo", "shown": "name"}),
    ("enrol-member-stop", {}),
    ("members", {}),
    *((verb, MISSING) for verb in ("change-member", "delete-member", "export-member")),
    ("show-away-code", {}),
    ("play-away", {**MISSING, "code": "0123456789"}),
    ("seat-member", {"member": "", "seat": 1}),
    ("play-on", {"seat": 1, "name": "Dot"}),
    ("blot-names", {}),
    *((verb, {}) for verb in ("games", "game", "steps", "position", "show-code", "show-address", "devices", "unpair")),
    ("ask-presence", {"name": "Ana"}),
    ("withdraw-presence", {"ticket": ""}),
    ("power-off", {}),
    ("assign-step", {"step": "back"}),
    ("assign-seats", {"seats": 1}),
)
"""One message after the other, each with fields of the right kinds; those about a game come before, in and after it."""
DIFFERS = {"id", "member", "begun_utc", "began", "at_us", "wall", "seconds", "table"}
"""Fields of an answer that are another each time."""


STARTS_AGAIN = {"look-for-parts"}
"""The table of this test isn't started again."""


class Asker:
    """Somebody at the page of a table, who reads English."""

    def __init__(self, api: LocalApi) -> None:
        direct = InProcessLink(api)
        self._page = Page(direct)
        direct.tell(self._page)

    async def asks(self, verb: str, fields: Mapping[str, Any]) -> Any:
        """The answer, without what is another each time."""
        requester = Requester("page", True, Words("en", self._page.words("en").vocabulary), "client")
        try:
            return without({"ok": True, **await self._page.ask(verb, fields, requester)})
        except RequestError as error:
            return {"ok": False, "why": error.text(requester.words)}


def without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: without(each) for key, each in value.items() if key not in DIFFERS}
    return [without(each) for each in value] if isinstance(value, list | tuple) else value


def options(game: str) -> GameOptions:
    return GameOptions(PLAYERS, find_game(game).editions[0], {}, 1)


@asynccontextmanager
async def at_the_demo(game: str, folder: Path) -> AsyncIterator[Asker]:
    """Somebody at the demo, who plays all seats."""
    wanted = TableRequest(game, options(game), "en", 1, tuple(range(1, PLAYERS + 1)))
    async with running_demo(wanted, folder, None, GivenPace()) as demo:
        assert demo.harness is not None
        yield Asker(demo.harness.daemon.api)


@asynccontextmanager
async def at_a_table(game: str, folder: Path) -> AsyncIterator[Asker]:
    """Somebody at a table without the demo."""
    async with running_table(set_up(folder, game, options(game), "en", seed=1)) as evening:
        yield Asker(evening.daemon.api)


def folders(folder: Path) -> Iterator[Path]:
    for name in ("demo", "table"):
        (folder / name).mkdir()
        yield folder / name


@pytest.mark.parametrize("game", [*GAMES])
async def test_every_verb_is_answered_at_the_demo_as_at_a_real_table(game: str, tmp_path: Path) -> None:
    assert {verb for verb, _ in SCRIPT} == VERBS - STARTS_AGAIN
    of_demo, of_table = folders(tmp_path)
    async with at_the_demo(game, of_demo) as demo, at_a_table(game, of_table) as table:
        await asyncio.sleep(SETTLED_S)
        for verb, fields in SCRIPT:
            assert await demo.asks(verb, fields) == await table.asks(verb, fields), (verb, fields)


@pytest.mark.parametrize("language", ["de", "en", "fr", "nl"])
async def test_a_message_without_what_it_needs_is_answered_in_the_language_of_the_client(
    visitor: Visitor, language: str
) -> None:
    other = Visitor(visitor.evening, language=language)
    for verb in (*OF_THE_HANDS, "new-table", "", "hello?"):
        for message in ({"seat": 99}, {"seat": "1"}, {"seat": None}, {"seat": True}, {}):
            answer = await other.asks(verb, **message, players=0)
            assert not answer["ok"], (verb, message)
            assert " " in answer["why"]
