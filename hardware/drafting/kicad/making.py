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

from drafting.boards import Board, read_boards, sort_key
from drafting.builds import read_description
from drafting.generated import is_from, png, stale, update_files
from drafting.kicad import routing
from drafting.kicad.assembly import assembly_files
from drafting.kicad.layout import layout
from drafting.kicad.library import FIDUCIAL, NAME, fiducial_file, footprint_file, symbol_file
from drafting.kicad.routing import CLEARANCE_MM, DRILL_MM, EDGE_MM, TRACK_MM, VIA_MM, route
from drafting.kicad.schematic import schematic
from drafting.kicad.step import step
from drafting.kicad.tools import SCRIPT, VIEWS, Kicad, Nets
from drafting.parts import DescriptionError

ROOT = Path(__file__).resolve().parents[3]
HARDWARE = "hardware"
LIBRARY = f"{HARDWARE}/library"
_SOLID = "board.step"


def library(boards: Sequence[Board]) -> dict[str, str]:
    """The library that the boards share, by paths from the root."""
    footprints = {part.footprint.name: part.footprint for board in boards for part in board.parts}
    files = {f"{LIBRARY}/{NAME}.kicad_sym": symbol_file(boards)}
    for name, footprint in sorted(footprints.items()):
        files[f"{LIBRARY}/{NAME}.pretty/{name}.kicad_mod"] = footprint_file(footprint)
        if footprint.body:
            files[f"{LIBRARY}/{NAME}.3dshapes/{name}.step"] = step(name, footprint.body)
    files[f"{LIBRARY}/{NAME}.pretty/{FIDUCIAL}.kicad_mod"] = fiducial_file()
    return files


def project(board: Board) -> dict[str, str]:
    """A board's own files but its layout, by paths from the root."""
    base = f"{HARDWARE}/{board.folder}"
    return {
        f"{base}/{board.folder}.kicad_pro": json.dumps(_rules(board), indent=2) + "\n",
        f"{base}/{board.folder}.kicad_sch": schematic(board),
        f"{base}/sym-lib-table": _table("sym", f"{NAME}.kicad_sym"),
        f"{base}/fp-lib-table": _table("fp", f"{NAME}.pretty"),
        f"{base}/parts.csv": _parts(board),
        **{f"{base}/{path}": text for path, text in assembly_files(board).items()},
    }


def _table(kind: str, file: str) -> str:
    uri = f"${{KIPRJMOD}}/../library/{file}"
    library = f'(lib (name "{NAME}")(type "KiCad")(uri "{uri}")(options "")(descr ""))'
    return f"({kind}_lib_table\n  (version 7)\n  {library}\n)\n"


def _rules(board: Board) -> Mapping[str, object]:
    """The rules to which KiCad holds the board, which every maker of boards can keep."""
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
    """The list of parts for a maker of boards: a line for each kind of part."""
    kinds: dict[tuple[str, str, str], list[str]] = {}
    for part in board.parts:
        if part.footprint.body:
            kinds.setdefault((part.value, part.footprint.name, part.pcb.number), []).append(part.reference)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Designator", "Comment", "Footprint", "Number", "Quantity"])
    for (value, footprint, number), references in kinds.items():
        writer.writerow([",".join(sorted(references, key=sort_key)), value, footprint, number, len(references)])
    return out.getvalue()


def differences(board: Board, drawn: Nets, laid: Nets) -> Iterator[str]:
    """The differences of the schematic's nets, and of the pads' nets, from the description's."""
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


def make_layout(board: Board, existing: Path) -> tuple[bytes, bool]:
    """A board's layout, and whether its zones are still to be filled. One that lies there stays if it was made from the
    same: two machines may not route and fill it alike to the last bit."""
    said = hashlib.sha256(layout(board, (), ()).encode())
    for module in (routing.__file__, SCRIPT):
        said.update(Path(module).read_bytes())
    made_from = f"Made from {said.hexdigest()}"
    if existing.exists() and made_from.encode() in existing.read_bytes():
        return existing.read_bytes(), False
    return layout(board, *route(board), made_from).encode(), True


def make_files(board: Board, texts: Mapping[str, str], kicad: Kicad, existing: Path) -> tuple[dict[str, bytes], Path]:
    """All files of a board but its views, and where its layout is kept meanwhile; DescriptionError if KiCad, or the
    comparison of the nets, finds anything wrong. `there` is where the layout lies that was made before."""
    base = kicad.folder / board.folder
    laid, drawn = base / existing.name, base / f"{board.folder}.kicad_sch"
    for path, text in texts.items():
        file = kicad.folder / Path(path).relative_to(HARDWARE)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    content, unfilled = make_layout(board, existing)
    laid.write_bytes(content)
    if unfilled:
        kicad.fill(laid)
    wrong = list(differences(board, kicad.netlist(drawn), kicad.pads(laid)))
    wrong += [f"{file.name}: {said}" for file in (drawn, laid) for said in kicad.violations(file)]
    if wrong:
        raise DescriptionError("\n".join(wrong))
    folder = f"{HARDWARE}/{board.folder}"
    files = {path: text.encode() for path, text in texts.items()}
    files[f"{folder}/{laid.name}"] = laid.read_bytes()
    files |= {f"{folder}/{name}": content for name, content in kicad.export(laid, drawn).items()}
    files[f"{folder}/gerbers.zip"] = _zip(kicad.gerbers(laid))
    return files, laid


def _zip(files: Mapping[str, bytes], comment: str = "") -> bytes:
    """The same bytes each time."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.comment = comment.encode()
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, compresslevel=9)
    return kept.getvalue()


def _views(
    board: Board, files: Mapping[str, bytes], laid: Path, kicad: Kicad, root: Path, *, check: bool
) -> Iterator[tuple[str, bytes]]:
    """Pictures and solid of a board: those that are there if they were made from the same, since no two machines write
    them alike to the last bit."""
    said = hashlib.sha256()
    for path in sorted(files):
        if path.endswith(".kicad_pcb") or path.startswith(LIBRARY):
            said.update(files[path])
    solid_source = said.hexdigest()
    folder = f"{HARDWARE}/{board.folder}"
    for view, options in VIEWS.items():
        source = hashlib.sha256(repr((view, options, solid_source)).encode()).hexdigest()
        path = root / folder / f"{view}.png"
        if is_from(path, source):
            content = path.read_bytes()
        else:
            content = b"" if check else png(Image.open(io.BytesIO(kicad.picture(laid, view))), source, 128)
        yield f"{folder}/{path.name}", content
    path = root / folder / f"{_SOLID}.zip"
    if path.exists() and zipfile.ZipFile(path).comment == solid_source.encode():
        content = path.read_bytes()
    else:
        content = b"" if check else _zip({_SOLID: kicad.solid(laid)}, solid_source)
    yield f"{folder}/{path.name}", content


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Make or check everything; 1 if something is wrong or out of date."""
    parser = argparse.ArgumentParser(prog="scripts/boards", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, say what is out of date")
    check: bool = parser.parse_args(arguments).check
    try:
        boards = read_boards(read_description(root / HARDWARE), root / HARDWARE)
        files = _generate_all(boards, root, check=check)
    except DescriptionError as error:
        print(error, file=sys.stderr)
        return 1
    folders = [LIBRARY, *(f"{HARDWARE}/{board.folder}" for board in boards)]
    there = [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.is_file()]
    return update_files(files, stale(files, there, root), root, "scripts/boards", check=check)


def _generate_all(boards: Sequence[Board], root: Path, *, check: bool) -> dict[str, bytes]:
    """All files by their paths from the root."""
    kicad_root = subprocess.run([root / "scripts" / "setup-kicad"], stdout=subprocess.PIPE, text=True, check=False)
    if kicad_root.returncode:
        raise DescriptionError("There is no KiCad to look at the boards with.")
    shared = library(boards)
    files: dict[str, bytes] = {}
    with Kicad(Path(kicad_root.stdout.strip())) as kicad:
        for board in boards:
            there = root / HARDWARE / board.folder / f"{board.folder}.kicad_pcb"
            own, laid = make_files(board, {**shared, **project(board)}, kicad, there)
            files |= {**own, **dict(_views(board, own, laid, kicad, root, check=check))}
    return files


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
