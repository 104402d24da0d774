"""Transcripts of whole games: their list, and their contents. A file begins with the game's options; then lines and
their answers alternate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from golden.playthroughs import PLAYTHROUGHS

FOLDER = Path(__file__).parent
TRANSCRIPTS = tuple((game, name) for game, evenings in PLAYTHROUGHS.items() for name in evenings.names)
SHOW_STATE = {"show": "state"}


def file_of(game: str, name: str) -> Path:
    """The path of a transcript."""
    return FOLDER / game / f"{name}.jsonl"


def transcript(game: str, name: str) -> list[str]:
    """The lines of a transcript, unchanged."""
    return file_of(game, name).read_text(encoding="utf-8").splitlines()


def pairs(game: str, name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """All lines of a transcript with their answers."""
    lines = [json.loads(line) for line in transcript(game, name)[1:]]
    return list(zip(lines[::2], lines[1::2], strict=True))


def announcements(game: str, name: str) -> list[dict[str, Any]]:
    """All announcements of a transcript."""
    return [said for _, answer in pairs(game, name) for said in answer.get("announcements", [])]


def states(game: str, name: str) -> list[dict[str, Any]]:
    """The states that were shown in it; the last but one is that of the end, the last that of a new game."""
    return [answer for line, answer in pairs(game, name) if line == SHOW_STATE]
