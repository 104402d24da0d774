"""Finds the connections of a finished strip board from copper, cuts, links and parts alone, and compares them with the
description. Must not use how cuts and links were chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from drafting.circuit import At
from drafting.strips.board import Board, Hole
from drafting.strips.copper import Cut
from drafting.strips.legs import is_below_leg, touching
from drafting.strips.links import Link, crosses_screw


@dataclass(frozen=True, slots=True)
class Layout:
    """A board with its cuts and links; `drill_mm` is the diameter of the drill that makes the cuts."""

    board: Board
    cuts: tuple[Cut, ...]
    links: tuple[Link, ...]
    drill_mm: float


def mistakes(layout: Layout) -> list[str]:
    """Every pin that is joined to what it must not be, or not to what it should be, in sentences."""
    board = layout.board
    groups = joined_groups(layout)
    found: list[str] = []
    for group in groups:
        nets: dict[str, At] = {}
        for at in group:
            nets.setdefault(board.nets[at], at)
        first, *others = nets
        found += [f"{board.key}: {nets[first]} ({first}) and {nets[net]} ({net}) are joined." for net in others]
    of = {at: number for number, group in enumerate(groups) for at in group}
    first_of: dict[str, At] = {}
    for at in sorted(board.described_pins, key=str):
        first_at = first_of.setdefault(board.nets[at], at)
        if of[first_at] != of[at]:
            found.append(f"{board.key}: {first_at} and {at} should be joined, as {board.nets[at]}, and aren't.")
    found += [f"{board.key}: {said}" for said in touching(board)]
    return [*found, *_unsolderable(layout), *_in_the_way(layout)]


def joined_groups(layout: Layout) -> list[list[At]]:
    """The pins that copper and links join, group by group: every hole of the board, with copper to the next one."""
    board = layout.board
    drilled = {cut.at for cut in layout.cuts if not cut.knife}
    knifed = {cut.at for cut in layout.cuts if cut.knife}
    holes = [Hole(column, row) for row in range(1, board.rows + 1) for column in range(1, board.columns + 1)]
    copper = {where for where in holes if where not in drilled and not board.is_lost(where)}
    beside: dict[Hole, list[Hole]] = {where: [] for where in copper}
    for where in copper:
        right = Hole(where.column + 1, where.row)
        if right in copper and where not in knifed:
            _both_ways(beside, where, right)
    for link in layout.links:
        if link.start in copper and link.end in copper:
            _both_ways(beside, link.start, link.end)
    pins = board.pins()
    seen: set[Hole] = set()
    groups: list[list[At]] = []
    for start in holes:
        if start in copper and start not in seen:
            reached = list(_reached(beside, start, seen))
            if held := [pins[where] for where in reached if where in pins]:
                groups.append(sorted(held, key=str))
    return groups + [[at] for where, at in pins.items() if where not in copper]


def _both_ways(beside: dict[Hole, list[Hole]], one: Hole, other: Hole) -> None:
    beside[one].append(other)
    beside[other].append(one)


def _reached(beside: dict[Hole, list[Hole]], start: Hole, seen: set[Hole]) -> Iterator[Hole]:
    todo = [start]
    seen.add(start)
    while todo:
        here = todo.pop()
        yield here
        for other in beside[here]:
            if other not in seen:
                seen.add(other)
                todo.append(other)


def _unsolderable(layout: Layout) -> Iterable[str]:
    """Ends of links that share a hole with something."""
    board, pins = layout.board, layout.board.pins()
    used: dict[Hole, str] = {}
    for link in layout.links:
        for end in (link.start, link.end):
            if end in pins:
                if not board.parts[pins[end].part].form.wires_at_pins:
                    yield f"{board.key}: a link of {link.net} ends in {end}, where {pins[end]} is."
            elif end in used:
                yield f"{board.key}: two links end in {end}: of {used[end]} and of {link.net}."
            else:
                used[end] = link.net


def _in_the_way(layout: Layout) -> Iterable[str]:
    """Links where a screw is, and bare ends of links on the parts' side below a leg."""
    board, pins = layout.board, layout.board.pins()
    for link in layout.links:
        way = f"a link of {link.net} from {link.start} to {link.end}"
        if crosses_screw(board, link):
            yield f"{board.key}: {way} would lie where a screw goes through."
        for end in (link.start, link.end):
            if not link.copper_side and end not in pins and is_below_leg(board, end):
                yield f"{board.key}: {way} would end below a bare leg, in {end}."
