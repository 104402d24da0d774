"""docs/page.md lists every verb by which something is asked of the table, and every part, with their fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest
from table.rig import GameNight
from taptable.api.errors import RequestError
from taptable.api.requests import REQUESTS, Control, EnrolStep, GameRecord, Games, Request, Role, SharedControl
from taptable.page.browser_verbs import request_of
from taptable.page.messages import Requester

from topics.page_user import ENGLISH, PageUser

TEXT = (
    (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8").partition("## The demo's extension")[0]
)
ROWS = re.findall(r"^\| `([\w-]+)` \| (.*?) \|", TEXT, re.MULTILINE)
LISTED = [name for name, _ in ROWS]
PLAYED = {"games", "game", "steps", "position"}
"""Answered by the page, out of what the table tells of its games."""
ITS_OWN = {"hello", "subscribe", "entries", "who", "pair", "page-at", "read-deck", "bring-deck"}
"""Requests of the page itself, or for a request over HTTP."""
ANYTHING: Mapping[str, Any] = {
    **dict.fromkeys(("deck", "name", "card", "control", "kind", "manifest", "member", "code", "ticket"), "x"),
    **dict.fromkeys(("seat", "players", "count"), 1),
    "names": [],
    "step": "back",
    "cards": ["x"],
}
"""The fields that are needed for any verb."""


DONE: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("save-preset", {"name": "Friday", "players": 4}),
    ("take-back", {}),
    ("check", {}),
    ("break-off", {}),
    ("enrol", {"deck": "family"}),
)
"""The requests after which every part shows something."""
AGREED = {"set-up", "save-preset"}
"""Their fields are those of a set-up, which the text below the table lists."""
TOLD = {*re.findall(r"`\w+`", TEXT)}
CONTENT = {"facts", "settings", "verbs", "words"}
"""Keys below these name house rules, verbs and sentences."""


def listed_requests() -> list[Request]:
    """The requests of the listed verbs to the table, with the listed fields."""
    found: list[Request] = []
    for verb, cell in ROWS:
        listed = {name: ANYTHING[name] for name in re.findall(r"`(\w+)`", cell) if name in ANYTHING}
        fields = listed if verb not in AGREED else ANYTHING
        with suppress(RequestError):  # it is no verb, or the page's own
            found.append(request_of(verb, fields, Requester("page", True, ENGLISH, "client")))
    return found


def fields_in(value: Any) -> set[str]:
    """The names of all fields in a part."""
    match value:
        case dict():
            below = (fields_in(each) for name, each in value.items() if name not in CONTENT or isinstance(each, list))
            return {*value}.union(*below)
        case list():
            return set[str]().union(*map(fields_in, value))
        case _:
            return set()


def test_every_request_of_the_page_has_a_verb_that_is_listed() -> None:
    asked = listed_requests()
    wanted = {kind for name, kind in REQUESTS.items() if Role.PAGE in kind.roles and name not in ITS_OWN | PLAYED}
    assert {type(each) for each in asked} - {GameRecord, Games} == wanted
    assert {each.control for each in asked if isinstance(each, Control)} == {*get_args(SharedControl)}
    assert {each.step for each in asked if isinstance(each, EnrolStep)} == {"undo", "skip", "stop"}
    assert {*LISTED} >= PLAYED


@pytest.mark.table(4)
async def test_every_part_is_listed_with_its_fields(at: GameNight) -> None:
    ada = PageUser(at)
    shown = ada.parts
    await at.tap("online#1", 1)
    for verb, fields in DONE:
        await ada.ask(verb, **fields)
        shown |= {name: part for name, part in ada.parts.items() if part}
    assert {*LISTED} >= shown.keys()
    cells = dict(reversed(ROWS))  # of a part and a verb of one name the part comes first
    for name, part in shown.items():
        fields = list(part[0] if isinstance(part, list) and part else part or ())
        if all(isinstance(field, str) and field for field in fields) and name != "names":
            listed = dict.fromkeys(re.findall(r"`(\w+)`", cells[name]))
            assert [field for field in listed if field in fields] == fields, name
        assert {f"`{field}`" for field in fields_in(part)} <= TOLD, name
