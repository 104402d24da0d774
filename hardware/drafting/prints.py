"""Everything mechanical that is made from the measures: what a 3D printer prints, what a printer prints, pictures of
both, and whether it all fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from taptable.words import LANGUAGES

from drafting import enclosure
from drafting.box_sheet import box_sheet
from drafting.builds import Build
from drafting.cloth import centre_sheet, seat_sheet, table_sheet, whole_sheet
from drafting.fit import assemblies, misfits, with_every_reader
from drafting.parts import Table
from drafting.placements import read_placements
from drafting.places import misplacements
from drafting.ready_cloth import ready_centre_sheet, ready_seat_sheet
from drafting.ready_pictures import header_picture, plugs_picture, reader_scene
from drafting.rendering import Scene
from drafting.scenes import scenes
from drafting.sheets import pdf, png
from drafting.stickers import sticker_sheet
from drafting.table_box import NAMES as TABLE_BOXES

_DOTS_A_MM = 4
_WHOLE = "compact"
"""The table whose cloth is one sheet."""


@dataclass(frozen=True, slots=True)
class Mechanics:
    """The mechanical parts: `files` by their paths from the root, the scenes of `pictures` likewise, and the faults of
    the fit in sentences."""

    files: Mapping[str, bytes]
    pictures: Mapping[str, Scene]
    misfits: list[str]


def mechanics(folder: Path, ready: Build, ready_usb: Build) -> Mechanics:
    """All of it; `folder` is that of the description, `ready` and `ready_usb` the builds whose plugs are drawn."""
    measures, placements = read_placements(folder)
    stl = enclosure.render_parts(folder / "enclosure", measures)
    assembled = assemblies(measures, stl, placements["seat_board"], placements["centre_board"])
    every_scene = (*scenes(measures, assembled, stl), reader_scene(measures))
    drawn = {f"hardware/pictures/{scene.name}.png": scene for scene in every_scene}
    files = {f"hardware/enclosure/{name}.stl": content for name, content in stl.items()}
    (box,) = (each for each in assembled if each.name == f"a pad in {TABLE_BOXES['cardboard']}")
    files["hardware/print/box.pdf"] = pdf([box_sheet(box)])
    for name, sheet in {
        "ready-1-header": header_picture(measures, ready),
        "ready-2-plugs": plugs_picture(ready),
        "ready-usb-plugs": plugs_picture(ready_usb),
    }.items():
        files[f"hardware/pictures/{name}.png"] = png(sheet, _DOTS_A_MM)
    every = [*assembled, *with_every_reader(measures, stl, placements["seat_board"])]
    return Mechanics(files | _paper(measures), drawn, misfits(measures, every) + misplacements(measures))


def _paper(measures: Table) -> dict[str, bytes]:
    cloths = {
        "cloth": [seat_sheet(measures), centre_sheet(measures)],
        f"cloth-{_WHOLE}": [whole_sheet(measures, _WHOLE)],
        "cloth-ready": [ready_seat_sheet(measures), ready_centre_sheet(measures)],
    }
    files = {
        "hardware/print/control-cards.pdf": pdf([sticker_sheet(measures, language) for language in LANGUAGES]),
    }
    for name, sheets in cloths.items():
        files[f"hardware/print/{name}.pdf"] = pdf(sheets)
        files[f"hardware/print/{name}-a4.pdf"] = pdf(sheets, on_a4=True)
    for table in measures["table"]:
        files[f"hardware/print/table-{table}.png"] = png(table_sheet(measures, table), _DOTS_A_MM)
    return files
