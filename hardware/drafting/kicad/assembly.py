"""Files for a board house that also solders parts: for each build a list of parts and one of places, with the columns
that JLCPCB asks for. Parts that are soldered by hand, sockets and boards, are not in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from drafting.boards import Board, Placed, sort_key


def assembly_files(board: Board) -> dict[str, str]:
    """Both lists for each build of a board, by their paths from its folder."""
    files: dict[str, str] = {}
    for build, names in board.builds.items():
        folder = f"assembly-{build}" if len(board.builds) > 1 else "assembly"
        parts = [part for part in board.parts if part.name in names and _is_placed(part)]
        files[f"{folder}/parts.csv"] = _to_csv(_parts(parts))
        files[f"{folder}/positions.csv"] = _to_csv(_positions(parts))
    return files


def _is_placed(part: Placed) -> bool:
    """Whether a machine places it: it lies flat, on paste."""
    return part.footprint.flat and part.footprint.paste and bool(part.footprint.body)


def _parts(parts: Sequence[Placed]) -> Iterator[Sequence[str]]:
    yield "Comment", "Designator", "Footprint", "LCSC Part #", "Manufacturer Part Number"
    kinds: dict[str, list[Placed]] = {}
    for part in parts:
        kinds.setdefault(part.kind.key, []).append(part)
    for first, *others in kinds.values():
        references = sorted((part.reference for part in (first, *others)), key=sort_key)
        yield first.value, ",".join(references), first.footprint.name, first.pcb.lcsc, first.pcb.part


def _positions(parts: Sequence[Placed]) -> Iterator[Sequence[str]]:
    yield "Designator", "Mid X", "Mid Y", "Layer", "Rotation"
    for part in sorted(parts, key=lambda each: sort_key(each.reference)):
        yield part.reference, f"{part.x:.3f}mm", f"{part.y:.3f}mm", "Top", f"{part.turn % 360:g}"


def _to_csv(rows: Iterator[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
