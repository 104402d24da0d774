"""Everything mechanical that is made from the measures: what a 3D printer prints, what a printer prints, and pictures
of both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from taptable.words import LANGUAGES

from drafting import enclosure
from drafting.cloth import centre_sheet, seat_sheet, table_sheet
from drafting.parts import read_toml
from drafting.sheets import pdf, png
from drafting.stickers import sticker_sheet

_DOTS_A_MM = 4
PICTURE = "hardware/enclosure/pad.png"


def printed(folder: Path) -> Mapping[str, bytes]:
    """Every file but the enclosure's picture, by its path from the root; `folder` is that of the description."""
    measures, model = read_toml(folder / "mechanics.toml"), folder / "enclosure" / "pad.scad"
    cloth = [seat_sheet(measures), centre_sheet(measures)]
    files = {
        "hardware/print/cloth.pdf": pdf(cloth),
        "hardware/print/cloth-a4.pdf": pdf(cloth, on_a4=True),
        "hardware/print/control-cards.pdf": pdf([sticker_sheet(measures, language) for language in LANGUAGES]),
    }
    for build in measures["table"]:
        files[f"hardware/print/table-{build}.png"] = png(table_sheet(measures, build), _DOTS_A_MM)
    for pad in enclosure.PADS:
        for part in enclosure.PRINTED:
            name = f"hardware/enclosure/{pad.replace('_', '-')}-{part}.stl"
            files[name] = enclosure.solid(model, measures, pad, part)
    return files


def picture(folder: Path) -> bytes:
    """The enclosure's picture."""
    return enclosure.picture(folder / "enclosure" / "pad.scad", read_toml(folder / "mechanics.toml"))


def picture_is_current(root: Path) -> bool:
    """Whether the picture that is there was made from the model and the measures as they are."""
    made, model = root / PICTURE, root / "hardware" / "enclosure" / "pad.scad"
    measures = read_toml(root / "hardware" / "mechanics.toml")
    return made.exists() and enclosure.made_from(made) == enclosure.source(model, measures)
