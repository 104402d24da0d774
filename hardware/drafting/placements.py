"""The printed boards as they have to fit into enclosures: size, notches and holes for the measures, and what stands on
them, from the boards' own description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from drafting.boards import Board, read_boards
from drafting.builds import read_description
from drafting.parts import Table, read_toml

_READER = "reader"
"""The part that the assemblies have as bodies of their own."""


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A piece of a part on a board, as the box round it, in mm: from its corner of the lowest numbers, on a board whose
    front left corner, seen from above, is the origin; from `low` to `high` above the board's upper side."""

    name: str
    x: float
    y: float
    width: float
    length: float
    low: float
    high: float
    colour: str = "#2b2f36"


BoardParts: TypeAlias = Sequence[BoardPart]


def read_placements(folder: Path) -> tuple[Table, Mapping[str, BoardParts]]:
    """The measures, with those of the boards in them, and what stands on each board, by its key; `folder` is that of
    the description."""
    boards = {board.key: board for board in read_boards(read_description(folder), folder)}
    measures = read_toml(folder / "mechanics.toml")
    whole = {**measures, **{key: {**measures[key], **_measures(board)} for key, board in boards.items()}}
    return whole, {key: _parts(board) for key, board in boards.items()}


def _measures(board: Board) -> Table:
    return {
        "width": board.size[0],
        "length": board.size[1],
        "notches": board.notches,
        "holes": [hole[:2] for hole in board.holes],
        "hole_diameter": max((hole[2] for hole in board.holes), default=0.0),
        "reader_row": next((part.y for part in board.parts if part.name == _READER), 0.0),
    }


def _parts(board: Board) -> BoardParts:
    found: list[BoardPart] = []
    for part in board.parts:
        for number, box in enumerate(part.footprint.body if part.name != _READER else ()):
            left, bottom, right, top = part.area(box.plan)
            name = f"the {part.name.replace('_', ' ')}{f', piece {number + 1}' if number else ''}"
            found.append(BoardPart(name, left, bottom, right - left, top - bottom, box.low, box.high, box.colour))
    return tuple(found)
