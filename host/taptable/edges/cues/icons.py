"""Icons by name: the table's own, and those a game brings along in a sheet ``icons.txt`` beside its code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from PIL import Image

from taptable.edges.cues.fonts import PACKAGE, read_sheet
from taptable.words import Words


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the screens are dressed in: the words of a language, and icons by name."""

    words: Words
    icons: Mapping[str, Image.Image]


def load_icons(packages: tuple[str, ...] = ()) -> Mapping[str, Image.Image]:
    """The table's icons and those of the given games' packages."""
    icons = dict(read_sheet(PACKAGE, "glyphs/icons.txt").pictures)
    for package in packages:
        if resources.files(package).joinpath("icons.txt").is_file():
            icons |= read_sheet(package, "icons.txt").pictures
    return icons
