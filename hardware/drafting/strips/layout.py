"""The strip boards of `stripboards.toml` with their cuts and links, proved, and the files that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drafting.builds import Description
from drafting.parts import DescriptionError, Table
from drafting.strips.board import read_board
from drafting.strips.copper import cuts, pieces
from drafting.strips.drawing import drawing
from drafting.strips.links import links
from drafting.strips.page import page
from drafting.strips.proof import Layout, mistakes


def layouts(description: Description, data: Table) -> Sequence[Layout]:
    """Every board; DescriptionError if one can't be made, or wouldn't join what the description joins."""
    found: list[Layout] = []
    for key, plan in data["boards"].items():
        circuit = description.builds[plan["build"]].circuit(plan["seats"], by_hand=True)
        board = read_board(key, data, circuit)
        made = cuts(board)
        layout = Layout(board, made, links(board, pieces(board, made)), data["drill_mm"])
        if wrong := mistakes(layout):
            raise DescriptionError("\n".join(wrong))
        found.append(layout)
    return found


def stripboards(description: Description, data: Table) -> Mapping[str, str]:
    """Pages and drawings by their names."""
    files: dict[str, str] = {}
    for layout in layouts(description, data):
        name = f"stripboard-{layout.board.key}"
        files[f"{name}.md"] = page(layout)
        files[f"{name}-parts.svg"] = drawing(layout, copper_side=False)
        files[f"{name}-copper.svg"] = drawing(layout, copper_side=True)
    return files
