"""docs/page.md lists every verb by which something is asked of the table, and every part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from table.rig import GameNight
from taptable.api.errors import RequestError
from taptable.api.requests import REQUESTS, Control, EnrolStep, Game, Games, Request, Role, SharedControl
from taptable.page.browser_verbs import request_of
from taptable.page.messages import Requester

from topics.asking import ENGLISH, Asking

TEXT = (
    (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8").partition("## The demo's extension")[0]
)
LISTED = re.findall(r"^\| `([\w-]+)` \|", TEXT, re.MULTILINE)
PLAYED = {"games", "game", "steps", "position"}
"""Answered by the page, out of what the table tells of its games."""
ITS_OWN = {"hello", "subscribe", "entries", "who", "pair", "page-at", "read-deck", "bring-deck"}
"""What the page asks by itself, or for a request over HTTP."""
ANYTHING: Mapping[str, Any] = {
    **dict.fromkeys(("deck", "name", "card", "control", "kind", "manifest", "member", "code"), "x"),
    **dict.fromkeys(("seat", "players", "count"), 1),
    "names": [],
    "cards": ["x"],
}
"""The fields that are needed for any verb."""


def listed_requests() -> list[Request]:
    """What is asked of the table by what is listed."""
    found: list[Request] = []
    for verb in LISTED:
        with suppress(RequestError):  # it is no verb, or the page's own
            found.append(request_of(verb, ANYTHING, Requester("page", True, ENGLISH, "client")))
    return found


def test_every_request_of_the_page_has_a_verb_that_is_listed() -> None:
    asked = listed_requests()
    wanted = {kind for name, kind in REQUESTS.items() if Role.PAGE in kind.roles and name not in ITS_OWN | PLAYED}
    assert {type(each) for each in asked} - {Game, Games} == wanted
    assert {each.control for each in asked if isinstance(each, Control)} == {*get_args(SharedControl)}
    assert {each.step for each in asked if isinstance(each, EnrolStep)} == {"undo", "skip", "stop"}
    assert {*LISTED} >= PLAYED


async def test_every_part_is_listed(at: GameNight) -> None:
    assert {*LISTED} >= Asking(at).parts.keys()
