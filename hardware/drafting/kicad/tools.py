"""KiCad's programs, run on a folder of files: its checks, the nets it sees, and what it makes for who orders a board.
What they write is freed of dates and versions, so that it is the same every time."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from xml.etree import ElementTree

from drafting.parts import DescriptionError

Nets: TypeAlias = Mapping[str, frozenset[tuple[str, str]]]
"""The pads of each net, as reference and number."""
SCRIPT = Path(__file__).with_name("in_kicad.py")
VIEWS: Mapping[str, Sequence[str]] = {
    "top": ("--width", "1500", "--height", "1500"),
    "bare": ("--width", "1500", "--height", "1500"),
    "bottom": ("--side", "bottom", "--width", "1500", "--height", "1500"),
}
BARE = "bare"
"""The view of a board without any part, which shows the printing below them."""
_GERBERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.Silkscreen,B.Silkscreen,Edge.Cuts"


class Kicad:
    """KiCad in the folder that it runs in: the machine's own, or a root of Debian's. A context: it keeps files in a
    folder there as long as it is open."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._kept = TemporaryDirectory(prefix="boards-", dir=root / "tmp")
        self.folder = Path(self._kept.name)

    def __enter__(self) -> Kicad:
        shutil.copy(SCRIPT, self.folder)
        return self

    def __exit__(self, *_: object) -> None:
        self._kept.cleanup()

    def run(self, *command: str, cwd: Path) -> str:
        """Run a program in one of the folder's folders, and return its output. Raises DescriptionError if it fails."""
        home, inside = ("/" / path.relative_to(self._root) for path in (self.folder, cwd))
        words = ["env", "-C", str(inside), f"HOME={home}", "LC_ALL=C.UTF-8", *command]
        if self._root != Path("/"):
            words = ["chroot", str(self._root), *words]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            raise DescriptionError(f"{' '.join(command)}: {done.stdout.strip()}\n{done.stderr.strip()}")
        return done.stdout

    def _cli(self, file: Path, command: str, *options: str, out: str) -> Path:
        """Run kicad-cli on a file, and return the path of its output."""
        self.run("kicad-cli", *command.split(), *options, "-o", out, file.name, cwd=file.parent)
        return file.parent / out

    def fill(self, board: Path) -> None:
        """Fill a board's zones."""
        self.run("python3", f"../{SCRIPT.name}", "fill", board.name, cwd=board.parent)

    def pads(self, board: Path) -> Nets:
        """The nets of a board's pads."""
        said = self.run("python3", f"../{SCRIPT.name}", "pads", board.name, cwd=board.parent)
        (line,) = [line for line in said.splitlines() if line.startswith("PADS ")]
        nets: dict[str, set[tuple[str, str]]] = {}
        for reference, pad, net in json.loads(line.removeprefix("PADS ")):
            nets.setdefault(net, set()).add((reference, pad))
        return _named(nets)

    def netlist(self, schematic: Path) -> Nets:
        """The nets that a schematic gives."""
        file = self._cli(schematic, "sch export netlist", "--format", "kicadxml", out="nets.xml")
        nets = ElementTree.parse(file).getroot().iter("net")
        return _named(
            {net.attrib["name"]: {(end.attrib["ref"], end.attrib["pin"]) for end in net.iter("node")} for net in nets}
        )

    def violations(self, file: Path) -> list[str]:
        """The violations of KiCad's rules in a schematic, or in a board and in its likeness to the schematic."""
        command = ("sch erc",) if file.suffix == ".kicad_sch" else ("pcb drc", "--schematic-parity")
        checked = self._cli(file, *command, "--severity-all", "--format", "json", out="checked.json")
        report: dict[str, Any] = json.loads(checked.read_text(encoding="utf-8"))
        sheets: list[dict[str, list[Any]]] = report.get("sheets", [report])
        parts = ("violations", "unconnected_items", "schematic_parity")
        return [_spell_violation(each) for sheet in sheets for part in parts for each in sheet.get(part, [])]

    def gerbers(self, board: Path) -> dict[str, bytes]:
        """The files a maker of boards wants, by their names."""
        board.with_name("gerbers").mkdir()
        wanted = ("--layers", _GERBERS, "--subtract-soldermask", "--no-protel-ext", "--use-drill-file-origin")
        self._cli(board, "pcb export gerbers", *wanted, out="gerbers/")
        out = self._cli(board, "pcb export drill", "--drill-origin", "plot", "--excellon-separate-th", out="gerbers/")
        return {path.name: strip_dates(path.read_text(encoding="utf-8")).encode() for path in sorted(out.iterdir())}

    def export(self, board: Path, schematic: Path) -> dict[str, bytes]:
        """Positions for who solders the parts, and the schematic to look at."""
        wanted = ("--format", "csv", "--units", "mm", "--use-drill-file-origin")
        positions = self._cli(board, "pcb export pos", *wanted, out="positions.csv")
        drawn = self._cli(schematic, "sch export pdf", out="schematic.pdf")
        # of the same length, since a PDF counts its bytes
        undated = re.sub(rb"(/CreationDate \(D:)\d{14}", rb"\g<1>20000101000000", drawn.read_bytes())
        return {positions.name: positions.read_bytes(), drawn.name: undated}

    def solid(self, board: Path) -> bytes:
        """The board with all bodies on it as STEP; its entities are in another order each time."""
        return strip_dates(self._cli(board, "pcb export step", "--drill-origin", out="board.step").read_text()).encode()

    def picture(self, board: Path, view: str) -> bytes:
        """A rendered picture as PNG, from one of the `VIEWS`."""
        wanted = ("--background", "opaque", "--quality", "basic")
        if view == BARE:
            whole = board.read_text(encoding="utf-8")
            board = board.with_name("bare.kicad_pcb")
            board.write_text(without_bodies(whole), encoding="utf-8")
        return self._cli(board, "pcb render", *VIEWS[view], *wanted, out=f"{view}.png").read_bytes()


def _named(nets: Mapping[str, set[tuple[str, str]]]) -> Nets:
    """Without the pads that lead nowhere, which KiCad gives a net each."""
    return {name: frozenset(ends) for name, ends in nets.items() if not name.startswith("unconnected-") and name}


def _spell_violation(violation: dict[str, Any]) -> str:
    at = "; ".join(item["description"] for item in violation["items"])
    return f"{violation['type']}: {violation['description']} ({at})"


def without_bodies(layout: str) -> str:
    """A layout without the bodies that stand on it."""
    kept: list[str] = []
    while (start := layout.find('(model "')) >= 0:
        depth, end = 0, start
        while depth or end == start:
            depth += {"(": 1, ")": -1}.get(layout[end], 0)
            end += 1
        kept.append(layout[:start])
        layout = layout[end:]
    return "".join([*kept, layout])


_DATES = (
    (re.compile(r"^.*TF\.(CreationDate|GenerationSoftware|ProjectId).*\n", re.MULTILINE), ""),
    (re.compile(r"^(G04 Created by KiCad|; DRILL file).*\n", re.MULTILINE), ""),
    (re.compile(r"^ *\"(CreationDate|Version)\":.*\n", re.MULTILINE), ""),
    (re.compile(r"(FILE_NAME\('[^']*',)'.*?;", re.DOTALL), r"\1'2000-01-01T00:00:00',(''),(''),'','','');"),
)


def strip_dates(text: str) -> str:
    """A file without its date, and without the version of the program that wrote it."""
    for pattern, instead in _DATES:
        text = pattern.sub(instead, text)
    return text
