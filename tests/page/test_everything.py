"""A browser does everything once that a person can do at a page, at both kinds of table and in every game: the table
receives the intended request, refuses nothing, and each step on the way is laid out in order. Something that the code
offers and the list lacks is a failure too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize
from taptable.page import site

from page import page_source
from page.a_table import a_table
from page.all_entries import BRIEF, EVERYTHING
from page.evening import an_evening
from page.staging import Stage
from page.table_pool import TablePool
from page.viewing import SIZES
from page.walking import DEMO, ONLINE, SIEGE, TABLE, XNET, Walk

PLAYERS = 4
SETTINGS = {ONLINE: {"quota_email": "1"}}
"""With one e-mail a row is full, and can be backed up."""
ADDRESS = "10.42.0.1"


@contextmanager
def walking(rooms: TablePool, folder: Path, kind: str, game: str, size: ViewportSize) -> Iterator[Walk]:
    """Somebody at the page of a table of this kind, where a game begins at which nobody plays by themselves."""
    settings = SETTINGS.get(game, {})
    if kind == DEMO:
        opened = an_evening(folder, game=game, players=PLAYERS, settings=settings)
    else:
        requests = folder / "requests"
        requests.mkdir()
        opened = a_table(
            folder, game=game, players=PLAYERS, settings=settings, network=True, requests=requests, league=True
        )
    with rooms.other(opened, welcomed=kind == DEMO) as (table, visitor):
        if kind == DEMO:
            table.stages(Stage.empties_the_chairs)
        else:
            table.ask(lambda: table.harness.daemon.devices.set_page_address(f"{ADDRESS}:8080"))
        table.stages(lambda stage: stage.plays(lambda: table.on_turn is not None))
        visitor.page.set_viewport_size(size)
        visitor.speaks("de")
        with Walk(table, visitor, kind, game).under_way() as walk:
            yield walk


@pytest.fixture(autouse=True)
def an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "own_addresses", lambda: (ADDRESS,))


def long(*values: object) -> object:
    return pytest.param(*values, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("kind", "game", "size"),
    [
        (TABLE, ONLINE, "phone"),
        long(TABLE, ONLINE, "desk"),
        long(DEMO, ONLINE, "desk"),
        long(DEMO, ONLINE, "phone"),
        *(long(kind, game, size) for kind in (TABLE, DEMO) for game in (SIEGE, XNET) for size in SIZES),
    ],
)
def test_everything_can_be_done(rooms: TablePool, tmp_path: Path, kind: str, game: str, size: str) -> None:
    with walking(rooms, tmp_path, kind, game, SIZES[size]) as walk:
        walk.goes_through(EVERYTHING)


@pytest.mark.long
def test_what_only_the_demo_has_can_be_done(rooms: TablePool, tmp_path: Path) -> None:
    with walking(rooms, tmp_path, DEMO, ONLINE, SIZES["desk"]) as walk:
        walk.goes_through(BRIEF)


@pytest.mark.parametrize("kind", [TABLE, DEMO])
def test_every_verb_and_every_part_of_the_page_is_in_the_list(kind: str) -> None:
    entries = [entry for entry in EVERYTHING if kind in entry.kinds]
    assert {verb for entry in entries for verb in entry.sends} == page_source.verbs(kind)
    assert {part for entry in entries for part in entry.shows} == page_source.parts(kind)


def test_every_part_of_the_page_has_a_name() -> None:
    found = {each.name: page_source.nameless_in(each.read_text("utf-8")) for each in page_source.every_module()}
    assert {name: kinds for name, kinds in found.items() if kinds} == {}


def test_a_part_that_is_new_is_found() -> None:
    source = """html`<form class="box" onSubmit=${send}>`; page.confirm({ title }); html`<details class="fold">`;
        el("dialog", {}); html`<p data-step="second">`; tabs.add("new", "page new", element);"""
    assert page_source.nameless_in(source) == ["form", "fold", "dialog", "asks"]
    assert page_source.parts_in(source) == {"step:second", "tab:new"}
