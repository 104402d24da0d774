"""Transcripts of whole games: which there are, and how a line is answered.

A file begins with what was agreed; then lines and their answers alternate. Sentences for people are left out: they
may be improved without an answer changing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from taptable.core.agreed import Agreed
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table

FOLDER = Path(__file__).parent / "online"

EDITIONS = ("de", "en", "fr", "nl")
LAYOUTS: dict[str, tuple[int, dict[str, str]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "4-solo": (4, {"teams": "solo", "time_limit_s": "400"}),
    "5": (5, {}),
    "5-two": (5, {"teams": "two"}),
    "6": (6, {}),
    "6-two": (6, {"teams": "two", "who_may_patrol": "opponents"}),
}
NAMES = tuple(f"{edition}-{layout}" for edition in EDITIONS for layout in LAYOUTS)


def agreed_line(name: str) -> dict[str, Any]:
    """The first line of a transcript."""
    edition, _, layout = name.partition("-")
    players, settings = LAYOUTS[layout]
    return {"game": "online", "edition": edition, "players": players, "set": settings, "starter": None}


def open_front(agreed: dict[str, Any]) -> Front:
    """The referee for the first line of a transcript."""
    options = Agreed(agreed["players"], agreed["edition"], agreed["set"], agreed["starter"])
    table, _ = open_table(find_game(agreed["game"]), options)
    return Front(table, lambda _: "")


def answer(front: Front, line: str) -> str:
    """The answer to a line, byte for byte but for its sentence."""
    said = json.loads(front.answer(line.encode()))
    said.pop("say", None)
    return json.dumps(said, ensure_ascii=False)
