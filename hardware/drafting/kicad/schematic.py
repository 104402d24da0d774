"""A board's schematic: its parts in blocks with a title each, and at every pin the name of its net."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from drafting.boards import Board, Placed
from drafting.kicad.library import LETTER, NAME, PITCH, Symbol, symbol, symbol_node
from drafting.kicad.text import Node, Quoted, at, font, identifier, key, node, to_text
from drafting.parts import DescriptionError

VERSION = 20250114
_PAPER = (("A3", 420.0, 297.0), ("A2", 594.0, 420.0))
_MARGIN, _TITLE, _GAP = 12.7, 10.16, 7.62
_STUB = PITCH


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A symbol within its block: the middle of it in mm from the block's upper left, y downwards."""

    part: Placed
    symbol: Symbol
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Block:
    title: str
    drawn: tuple[_Drawn, ...]
    width: float
    height: float


def schematic(board: Board) -> str:
    """The file of a board."""
    parts = {part.name: part for part in board.parts}
    laid = [_block(board, title, [parts[name] for name in names]) for title, names in board.blocks.items()]
    paper, places = _sheet(board, laid)
    kinds = {part.kind.key: symbol(part) for part in board.parts}
    root = sheet_key(board)
    body = [found for block, place in zip(laid, places, strict=True) for found in _drawing(board, block, place)]
    return (
        to_text(
            node(
                "kicad_sch",
                node("version", VERSION),
                node("generator", Quoted("taptable")),
                node("generator_version", Quoted("9.0")),
                node("uuid", Quoted(root)),
                node("paper", Quoted(paper)),
                node(
                    "title_block",
                    node("title", Quoted(board.title)),
                    node("date", Quoted(board.date)),
                    node("rev", Quoted(board.revision)),
                ),
                node("lib_symbols", (symbol_node(kinds[name], prefix=f"{NAME}:") for name in sorted(kinds))),
                body,
                node("sheet_instances", node("path", Quoted("/"), node("page", Quoted("1")))),
                node("embedded_fonts", "no"),
            )
        )
        + "\n"
    )


def sheet_key(board: Board) -> str:
    """The identifier of the schematic's only sheet."""
    return key(board.folder, "sheet")


def unconnected(part: Placed, number: str) -> str:
    """The net that KiCad makes of a pin which leads nowhere."""
    name = next(pin.name for pin in symbol(part).pins if pin.number == number)
    return f"unconnected-({part.reference}{'' if name == '~' else f'-{name}'}-Pad{number})"


def _room(board: Board, part: Placed, found: Symbol, *, left: bool) -> float:
    """How far the names of the nets reach out on one side of a symbol."""
    names = [board.net_of(part.reference, pin.number) for pin in found.pins if (pin.x < 0) is left]
    return found.width / 2 + PITCH + _STUB + max((len(name or "") for name in names), default=0) * LETTER + 3 * LETTER


def _block(board: Board, title: str, parts: Sequence[Placed]) -> _Block:
    """Parts one below the other; where that gets high, in a second column."""
    drawn: list[_Drawn] = []
    x, y, width, highest = 0.0, _TITLE, 0.0, 0.0
    for part in parts:
        found = symbol(part)
        height = found.height + 4 * PITCH if len(found.pins) > 2 else found.height + 3 * PITCH
        if y > _TITLE and y + height > 150:
            x, y, width = x + width + _GAP, _TITLE, 0.0
        left = _room(board, part, found, left=True)
        drawn.append(_Drawn(part, found, x + left, y + 2 * PITCH + found.top))
        width = max(width, left + _room(board, part, found, left=False))
        y += height
        highest = max(highest, y)
    return _Block(title, tuple(drawn), _on_grid(x + width + _GAP), _on_grid(highest + PITCH))


def _on_grid(length: float) -> float:
    return -(-length // PITCH) * PITCH


def _sheet(board: Board, blocks: Sequence[_Block]) -> tuple[str, list[tuple[float, float]]]:
    """The smallest paper that has room for all blocks, and where each is; DescriptionError if none has."""
    for paper, width, height in _PAPER:
        places: list[tuple[float, float]] = []
        x, y, column = _MARGIN, _MARGIN, 0.0
        for block in blocks:
            if y > _MARGIN and y + block.height > height - _MARGIN:
                x, y, column = x + column + _GAP, _MARGIN, 0.0
            places.append((_on_grid(x), _on_grid(y)))
            y += block.height + _GAP
            column = max(column, block.width)
        if x + column < width - _MARGIN:
            return paper, places
    raise DescriptionError(f"{board.title}: its schematic has no room on {_PAPER[-1][0]}.")


def _drawing(board: Board, block: _Block, place: tuple[float, float]) -> Iterator[Node]:
    x, y = place
    yield node(
        "rectangle",
        node("start", x, y),
        node("end", x + block.width, y + block.height),
        node("stroke", node("width", 0.2), node("type", "dash")),
        node("fill", node("type", "none")),
        identifier(board.folder, block.title, "frame"),
    )
    yield node(
        "text",
        Quoted(block.title),
        node("exclude_from_sim", "no"),
        at(x + PITCH, y + 2 * PITCH),
        font(2.0, justify="left bottom"),
        identifier(board.folder, block.title),
    )
    for drawn in block.drawn:
        middle = _snapped(x + drawn.x), _snapped(y + drawn.y)
        yield _instance(board, drawn, middle)
        for pin in drawn.symbol.pins:
            yield from _named(board, drawn.part, pin.number, middle[0] + pin.x, middle[1] - pin.y)


def _snapped(length: float) -> float:
    return round(length / PITCH) * PITCH


def _named(board: Board, part: Placed, number: str, x: float, y: float) -> Iterator[Node]:
    """At the end of a pin: a wire with the net's name, or the cross of a pin that leads nowhere."""
    net = board.net_of(part.reference, number)
    name = (board.folder, part.name, number)
    if net is None:
        yield node("no_connect", node("at", x, y), identifier(*name, "nowhere"))
        return
    pins = symbol(part).pins
    left = next(pin.x for pin in pins if pin.number == number) < 0
    end = x - _STUB if left else x + _STUB
    stroke = node("stroke", node("width", 0), node("type", "default"))
    yield node("wire", node("pts", node("xy", x, y), node("xy", end, y)), stroke, identifier(*name, "wire"))
    yield node(
        "global_label",
        Quoted(net),
        node("shape", "passive"),
        at(end, y, 180 if left else 0),
        font(LETTER, justify="right" if left else "left"),
        identifier(*name, "label"),
    )


def _instance(board: Board, drawn: _Drawn, middle: tuple[float, float]) -> Node:
    part, found = drawn.part, drawn.symbol
    x, y = middle
    top = y - found.pins[0].y - PITCH
    low = top + found.height
    root = sheet_key(board)
    properties = (
        ("Reference", part.reference, top - 1.5, False),
        ("Value", part.value, low + 1.5, False),
        ("Footprint", f"{NAME}:{part.footprint.name}", y, True),
        ("Datasheet", "", y, True),
        ("Description", "", y, True),
        ("Part", part.name, y, True),
        ("Number", part.pcb.number, y, True),
    )
    return node(
        "symbol",
        node("lib_id", Quoted(f"{NAME}:{found.name}")),
        at(x, y),
        node("unit", 1),
        node("exclude_from_sim", "no"),
        node("in_bom", "yes" if part.footprint.body else "no"),
        node("on_board", "yes"),
        node("dnp", "no"),
        identifier(board.folder, part.name),
        (
            node("property", Quoted(name), Quoted(value), at(x, height), font(LETTER, hidden=hidden))
            for name, value, height, hidden in properties
        ),
        (node("pin", Quoted(pin.number), identifier(board.folder, part.name, "pin", pin.number)) for pin in found.pins),
        node(
            "instances",
            node(
                "project",
                Quoted(board.folder),
                node("path", Quoted(f"/{root}"), node("reference", Quoted(part.reference)), node("unit", 1)),
            ),
        ),
    )
