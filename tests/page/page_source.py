"""The page's actions, read from its source: the verbs that a browser may send, and the names of views, tabs, forms,
steps of forms, dialogs, questions and folds, each as ``kind:name``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from taptable import page as page_package
from taptable.games.registry import GAMES
from taptable.page import browser_verbs
from taptable.page.controls import forms_of
from taptable.sim.page import actions
from taptable.sim.page.app import STATIC as DEMO_STATIC

from page.walking import DEMO

STATIC = Path(page_package.__file__).with_name("static")
NO_PART = {"overlay.js", "broadcast.js", "scoreboard.js", "board.js", "speaker.js", "awake.js", "fit.js"}
"""The overlay and the scoreboard are pages of their own, at which nothing can be done at the table."""
NOT_IN_THE_DEMO = {"pairing.js"}
"""The demo is open to its own computer alone, and nobody owns its table."""
ASKED_ELSEWHERE = {
    *("show-code", "ask-presence", "withdraw-presence", "show-address", "devices", "unpair", "power-off"),
    *("show-away-code", "play-away"),
}
"""The verbs of pairing.js, and those of a table that belongs to a league, which the demo doesn't."""
PUT_ELSEWHERE = {"tab:counts", "fold:away", "form:away", "step:power-off"}
"""In the demo a hand says what counts, it belongs to no league, and nobody may switch it off."""
NAME = re.compile(r'"([a-z-]+)"')
NAMED = (
    ("form", r"<form\b[^<]*?data-form=(?P<names>\"[a-z-]+\"|\$\{control\})", r"<form\b"),
    ("form", r"<section class=\"stack setup-form\" data-form=(?P<names>\"[a-z-]+\")", None),
    ("fold", r"<details\b[^<]*?data-fold=(?P<names>\"[a-z-]+\")", r"<details\b"),
    ("dialog", r"\bdialog: (?P<names>\"[a-z-]+\")", r"el\(\"dialog\"|role: \"dialog\""),
    (
        "asks",
        r"\b(?:confirm|choose)\(\{\s*asks: (?P<names>.*)",
        r"(?:await|page\.)\s*(?:confirm|choose)\(\{(?!\s*asks, )",
    ),
    ("asks", r"\bconfirmAndAct\((?P<names>\"[a-z-]+\")", None),
    ("step", r"\bdata-step=(?P<names>\"[a-z-]+\")", None),
    ("step", r"\bSTEP = \{(?P<names>.*)\}", None),
    ("tab", r"\btabs\.add\((?P<names>\"[a-z-]+\"|TAB)", r"\btabs\.add\((?!name)"),
    ("tab", r"\bTAB = (?P<names>\"[a-z-]+\")", None),
    ("view", r"\bviews\.add\(\{ name: (?P<names>\"[a-z-]+\")", r"\bviews\.add\("),
)
"""The patterns that name each kind in the source; and those that begin one, each of which has to have a name."""


def verbs(kind: str) -> set[str]:
    """The verbs that people at the page of a table of this kind may send."""
    asked = set(browser_verbs.VERBS)
    return (asked - ASKED_ELSEWHERE) | set(actions.VERBS) if kind == DEMO else asked


def parts(kind: str) -> set[str]:
    """The names of all that can be opened at the page of a table of this kind."""
    found = {part for module in _modules(kind) for part in parts_in(module.read_text("utf-8"))}
    found |= {f"form:{form['control']}" for game in GAMES.values() for form in forms_of(game)} | {"view:table"}
    return found - PUT_ELSEWHERE if kind == DEMO else found


def parts_in(source: str) -> set[str]:
    """The names of all that a module opens."""
    return {
        f"{kind}:{name}"
        for kind, named, _ in NAMED
        for match in re.finditer(named, source)
        for name in NAME.findall(match["names"])
    }


def nameless_in(source: str) -> list[str]:
    """The places in a source that begin a part without naming it."""
    found: list[str] = []
    for kind, named, begun in NAMED:
        if begun is not None:
            places = {match.start() for match in re.finditer(begun, source)}
            if len(places) > len(re.findall(named, source)):
                found.append(kind)
    return found


def every_module() -> list[Path]:
    """The modules of the page and of the demo's half."""
    return [each for each in (*STATIC.rglob("*.js"), *DEMO_STATIC.rglob("*.js")) if each.parent.name != "vendor"]


def _modules(kind: str) -> Iterator[Path]:
    for module in every_module():
        of_demo, left_out = DEMO_STATIC in module.parents, module.name in NOT_IN_THE_DEMO
        if module.name not in NO_PART and not (left_out if kind == DEMO else of_demo):
            yield module
