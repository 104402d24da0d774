"""A class means one thing: what the style sheet of one part of the page defines isn't used by modules of another part,
unless it is one of the sheets that all share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import taptable

HOST = Path(taptable.__file__).parent
PAGE, DEMO, LEAGUE = HOST / "page" / "static", HOST / "sim" / "page" / "static", HOST / "league" / "web" / "static"
SHARED = {"tokens.css", "base.css", "primitives.css", "layout.css", "cards.css", "panels.css", "views.css"}
"""Sheets of the page whose classes anything may have."""
PARTS: Mapping[str, tuple[set[str], set[str]]] = {
    "table": (
        {f"table/{name}.css" for name in ("table", "prompt", "centre", "places")},
        {*(f"table/{name}.js" for name in ("table", "rows", "prompt")), "side.js", "tabs.js", "views/games/replay.js"},
    ),
    **{view: ({f"views/{view}/{view}.css"}, {f"views/{view}"}) for view in ("correct", "decks", "setup", "games")},
    "parts": ({"views/parts.css"}, {"views/parts.js"}),
    "people": ({"views/people.css"}, {"views/people.js"}),
}
"""The other sheets of the page, each with the modules that use it, or their folder."""
LENT = {
    (LEAGUE, "views/games/games.css"): {
        "games-item",
        "games-list",
        "games-title",
        "games-trouble",
        "games-more",
        "game-heading",
    },
    (DEMO, "table/prompt.css"): {"now-title"},
}
"""Classes that the league and the demo have from a part, to show the same as it does."""
OVERRIDDEN = {
    "table/places.css": {"badge", "pip", "pips"},  # smaller where there is little room
    "table/table.css": {"table"},
    "hardware.css": {"place-seats"},  # more room for the gear
    "league.css": {"view"},
}
"""Classes to which another sheet gives another size in its own place."""
RULE = re.compile(r"([^{}]+)\{")
SIMPLE = re.compile(r"\.([a-z][\w-]*)")
USED = re.compile(r"""class(?:Name)?[=:]\s*(?:\$\{)?["'`]([^"'`]*)""")


def defined_in(sheet: Path) -> set[str]:
    """The classes that a sheet gives a look wherever they stand."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    selectors = [each.strip() for rule in RULE.findall(text) for each in re.split(r",(?![^()]*\))", rule)]
    return {found[1] for each in selectors if (found := SIMPLE.fullmatch(each))}


def used_in(module: Path) -> set[str]:
    """The classes that a module names."""
    text = module.read_text(encoding="utf-8")
    return {name for found in USED.findall(text) for name in re.findall(r"[a-z][\w-]*", found)}


def modules_of(folder: Path) -> Iterator[Path]:
    # overlay and scoreboard are pages of their own, each with a sheet of its own
    of_its_own = {"vendor", "scoreboard"}
    return (each for each in folder.rglob("*.js") if not of_its_own & {*each.parts} and each.name != "broadcast.js")


def borrowed() -> Iterator[str]:
    """Each class of a part that a module of another one uses."""
    for sheets, own in PARTS.values():
        allowed = {module for name in own for module in (PAGE / name, *(PAGE / name).rglob("*.js"))}
        for sheet in sheets:
            defined = defined_in(PAGE / sheet) - OVERRIDDEN.get(sheet, set())
            for folder in (PAGE, DEMO, LEAGUE):
                lent = LENT.get((folder, sheet), set())
                for module in {*modules_of(folder)} - allowed:
                    yield from (f"{sheet}: {name} in {module.name}" for name in defined & used_in(module) - lent)
    # the demo's page has all sheets of the page, the league's most of them
    for folder in (DEMO, LEAGUE):
        for sheet in folder.rglob("*.css"):
            defined = defined_in(sheet) - OVERRIDDEN.get(sheet.name, set())
            for module in modules_of(PAGE):
                yield from (f"{sheet.name}: {name} in {module.name}" for name in defined & used_in(module))


def test_no_class_means_two_things() -> None:
    assert sorted(borrowed()) == []


def test_every_sheet_is_shared_or_of_a_part() -> None:
    of_parts = {sheet for sheets, _ in PARTS.values() for sheet in sheets}
    sheets = {str(each.relative_to(PAGE)) for each in PAGE.rglob("*.css")}
    assert sheets - {"overlay/overlay.css", "scoreboard/scoreboard.css"} == SHARED | of_parts


def test_the_scoreboard_s_sheet_has_nothing_that_old_tablets_and_tvs_lack() -> None:
    sheets = ["scoreboard/scoreboard.css", "base.css"]
    text = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in sheets)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert not re.search(r":has\(|subgrid|@container|@layer|\d(?:cq[wh]|dv[wh])|\((?:width|height) [<>]", text)
