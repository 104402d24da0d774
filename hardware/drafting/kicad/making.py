"""Everything that is made of the printed boards, checked on the way: the nets of the description, of the schematic and
of the pads are compared, and KiCad finds nothing wrong with schematic, board and their likeness."""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from drafting.boards import Board, read_boards, sort_key
from drafting.builds import read_description
from drafting.kicad.layout import layout
from drafting.kicad.library import NAME, footprint_file, symbol_file
from drafting.kicad.routing import CLEARANCE_MM, DRILL_MM, EDGE_MM, TRACK_MM, VIA_MM, route
from drafting.kicad.schematic import schematic
from drafting.kicad.step import step
from drafting.kicad.tools import VIEWS, Kicad, Nets
from drafting.parts import DescriptionError

ROOT = Path(__file__).resolve().parents[3]
HARDWARE = "hardware"
LIBRARY = f"{HARDWARE}/library"
_MADE_FROM, _SOLID = "Made from", "board.step"


def library(boards: Sequence[Board]) -> dict[str, str]:
    """The library that the boards share, by paths from the root."""
    footprints = {part.footprint.name: part.footprint for board in boards for part in board.parts}
    files = {f"{LIBRARY}/{NAME}.kicad_sym": symbol_file(boards)}
    for name, footprint in sorted(footprints.items()):
        files[f"{LIBRARY}/{NAME}.pretty/{name}.kicad_mod"] = footprint_file(footprint)
        if footprint.body:
            files[f"{LIBRARY}/{NAME}.3dshapes/{name}.step"] = step(name, footprint.body)
    return files


def project(board: Board) -> dict[str, str]:
    """A board's own files, its zones not filled, by paths from the root."""
    base = f"{HARDWARE}/{board.folder}"
    return {
        f"{base}/{board.folder}.kicad_pro": json.dumps(_rules(board), indent=2) + "\n",
        f"{base}/{board.folder}.kicad_sch": schematic(board),
        f"{base}/{board.folder}.kicad_pcb": layout(board, *route(board)),
        f"{base}/sym-lib-table": _table("sym", f"{NAME}.kicad_sym"),
        f"{base}/fp-lib-table": _table("fp", f"{NAME}.pretty"),
        f"{base}/parts.csv": _parts(board),
    }


def _table(kind: str, file: str) -> str:
    uri = f"${{KIPRJMOD}}/../library/{file}"
    library = f'(lib (name "{NAME}")(type "KiCad")(uri "{uri}")(options "")(descr ""))'
    return f"({kind}_lib_table\n  (version 7)\n  {library}\n)\n"


def _rules(board: Board) -> Mapping[str, object]:
    """What every maker of boards can do, and what KiCad is to hold the board to."""
    rules = {
        "min_clearance": CLEARANCE_MM,
        "min_copper_edge_clearance": EDGE_MM - 0.05,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_through_hole_diameter": 0.3,
        "min_track_width": TRACK_MM,
        "min_via_diameter": VIA_MM,
        "min_via_annular_width": 0.15,
        "solder_mask_to_copper_clearance": 0.0,
    }
    usual = {
        "name": "Default",
        "clearance": CLEARANCE_MM,
        "track_width": TRACK_MM,
        "via_diameter": VIA_MM,
        "via_drill": DRILL_MM,
    }
    return {
        "board": {"design_settings": {"rules": rules}},
        "meta": {"filename": f"{board.folder}.kicad_pro", "version": 3},
        "net_settings": {"classes": [usual], "meta": {"version": 4}},
    }


def _parts(board: Board) -> str:
    """What a maker of boards has to put on it: a line for each kind of part."""
    kinds: dict[tuple[str, str, str], list[str]] = {}
    for part in board.parts:
        if part.footprint.body and part.kind.pcb:
            kinds.setdefault((part.value, part.footprint.name, part.kind.pcb.number), []).append(part.reference)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Designator", "Comment", "Footprint", "Number", "Quantity"])
    for (value, footprint, number), references in kinds.items():
        writer.writerow([",".join(sorted(references, key=sort_key)), value, footprint, number, len(references)])
    return out.getvalue()


def differences(board: Board, drawn: Nets, laid: Nets) -> Iterator[str]:
    """Where the nets of the schematic, or those of the pads, aren't the description's."""
    wanted = {name: frozenset(ends) for name, ends in board.nets.items()}
    for where, found in (("the schematic", drawn), ("the layout", laid)):
        for name in sorted({*wanted, *found}):
            for says, ends in (
                ("lacks", wanted.get(name, frozenset()) - found.get(name, frozenset())),
                ("has, against the description,", found.get(name, frozenset()) - wanted.get(name, frozenset())),
            ):
                if ends:
                    pads = ", ".join(f"{reference}.{pad}" for reference, pad in sorted(ends))
                    yield f"{board.title}: net {name} of {where} {says} {pads}."


def made(board: Board, texts: Mapping[str, str], kicad: Kicad) -> tuple[dict[str, bytes], Path]:
    """All files of a board but its pictures, and where its layout is kept meanwhile; DescriptionError if KiCad, or the
    comparison of the nets, finds anything wrong."""
    for path, text in texts.items():
        file = kicad.folder / Path(path).relative_to(HARDWARE)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    base = kicad.folder / board.folder
    layout_, drawn = base / f"{board.folder}.kicad_pcb", base / f"{board.folder}.kicad_sch"
    wrong = list(differences(board, kicad.netlist(drawn), kicad.fill(layout_)))
    wrong += [f"{file.name}: {said}" for file in (drawn, layout_) for said in kicad.violations(file)]
    if wrong:
        raise DescriptionError("\n".join(wrong))
    files = {path: text.encode() for path, text in texts.items() if board.folder in path}
    folder = f"{HARDWARE}/{board.folder}"
    files[f"{folder}/{layout_.name}"] = layout_.read_bytes()
    files |= {f"{folder}/{name}": content for name, content in kicad.exported(layout_, drawn).items()}
    files[f"{folder}/gerbers.zip"] = _zipped(kicad.gerbers(layout_))
    return files, layout_


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """The same bytes each time."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=9)
    return kept.getvalue()


def _views(board: Board) -> Mapping[str, str]:
    """Pictures and solid of a board, by their paths from the root."""
    names = {f"{view}.png": view for view in VIEWS} | {_SOLID: _SOLID}
    return {f"{HARDWARE}/{board.folder}/{name}": view for name, view in names.items()}


def _source(files: Mapping[str, bytes]) -> str:
    """What stands for everything that a board's views show; two machines don't write them alike to the last bit."""
    said = hashlib.sha256(repr(VIEWS).encode())
    for path in sorted(files):
        if path.endswith(".kicad_pcb") or path.startswith(LIBRARY):
            said.update(files[path])
    return said.hexdigest()


def _view(kicad: Kicad, layout_: Path, view: str, source: str) -> bytes:
    """A picture in few colours, or the solid; it says what it was made from."""
    if view == _SOLID:
        return kicad.solid(layout_).replace(
            b"FILE_DESCRIPTION((", f"FILE_DESCRIPTION(('{_MADE_FROM} {source}',".encode(), 1
        )
    said = PngInfo()
    said.add_text(_MADE_FROM, source)
    kept = io.BytesIO()
    with Image.open(io.BytesIO(kicad.picture(layout_, view))) as image:
        image.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(kept, "PNG", pnginfo=said, optimize=True)
    return kept.getvalue()


def _is_from(path: Path, source: str) -> bool:
    if path.exists() and path.name == _SOLID:
        return f"{_MADE_FROM} {source}" in path.read_text(encoding="utf-8")
    if path.exists():
        with Image.open(path) as image:
            return image.info.get(_MADE_FROM) == source
    return False


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Make or check everything; 1 if something is wrong or out of date."""
    parser = argparse.ArgumentParser(prog="scripts/boards", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, say what is out of date")
    check: bool = parser.parse_args(arguments).check
    try:
        boards = read_boards(read_description(root / HARDWARE), root / HARDWARE)
        files, old = _everything(boards, root, check=check)
    except DescriptionError as error:
        print(error, file=sys.stderr)
        return 1
    if check:
        print("".join(f"{path} is out of date: run scripts/boards\n" for path in old), end="")
        return 1 if old else 0
    for path in old:
        file = root / path
        if path not in files:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(files[path])
    print(f"{len(files)} files, {len(old)} of them new or changed")
    return 0


def _everything(boards: Sequence[Board], root: Path, *, check: bool) -> tuple[dict[str, bytes], list[str]]:
    """All files, and the paths of those that are out of date; of pictures, only those that are."""
    kicad_root = subprocess.run([root / "scripts" / "setup-kicad"], stdout=subprocess.PIPE, text=True, check=False)
    if kicad_root.returncode:
        raise DescriptionError("There is no KiCad to look at the boards with.")
    shared = library(boards)
    shared_bytes = {path: text.encode() for path, text in shared.items()}
    files = dict(shared_bytes)
    old: list[str] = []
    kept: set[str] = set()
    with Kicad(Path(kicad_root.stdout.strip())) as kicad:
        for board in boards:
            own, layout_ = made(board, {**shared, **project(board)}, kicad)
            files |= own
            source = _source({**shared_bytes, **own})
            for path, view in _views(board).items():
                kept.add(path)
                if not _is_from(root / path, source):
                    old.append(path)
                    files |= {} if check else {path: _view(kicad, layout_, view, source)}
    old += [path for path, content in files.items() if path not in old and not _is(root / path, content)]
    folders = [LIBRARY, *(f"{HARDWARE}/{board.folder}" for board in boards)]
    there = [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.is_file()]
    names = [path.relative_to(root).as_posix() for path in there if path.name != "README.md"]
    return files, old + [name for name in names if name not in files and name not in kept]


def _is(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
