"""Everything that is made from the description, and whether what lies there is what would be made now."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from drafting import prints, rendering
from drafting.builds import Build, Description, read_description
from drafting.checks import mistakes
from drafting.drawings import drawings, picture
from drafting.examples import example
from drafting.firmware_pins import firmware_pins
from drafting.generated import stale, update_files
from drafting.materials import page, sheet
from drafting.pages import fill_in
from drafting.parts import DescriptionError, read_toml
from drafting.pin_tables import wiring_tables
from drafting.prices import read_prices
from drafting.rendering import Scene, is_current
from drafting.starter import starter_page
from drafting.strips.layout import stripboards
from drafting.supply_page import supply_page

ROOT = Path(__file__).resolve().parents[2]
MADE = "hardware/made"
WIRING = "docs/wiring.md"
EXAMPLES = ("full", "compact")
_OURS = (f"{MADE}/*", "hardware/print/*", "hardware/enclosure/*.stl", "hardware/pictures/*")


def generate_texts(description: Description, root: Path) -> Mapping[str, str]:
    """Every generated text, by its path from the root, where prices, templates and page are."""
    prices = read_prices(root / "hardware")
    files = {"firmware/seatboard/pins.py": firmware_pins(description.seat_board)}
    for name in EXAMPLES:
        template = (root / "hardware" / "examples" / f"{name}.toml").read_text(encoding="utf-8")
        files[f"examples/{name}.toml"] = example(description.builds[name], template)
    files[WIRING] = fill_in((root / WIRING).read_text(encoding="utf-8"), wiring_tables(description))
    files[f"{MADE}/supplies.md"] = supply_page(description)
    strips = stripboards(description, read_toml(root / "hardware" / "stripboards.toml"))
    files |= {f"{MADE}/{name}": text for name, text in strips.items()}
    files[f"{MADE}/materials-starter.md"] = starter_page(description, prices)
    for key, build in description.builds.items():
        files[f"{MADE}/materials-{key}.md"] = page(build, prices)
        files[f"{MADE}/materials-{key}.csv"] = sheet(build, prices)
        for name, source in drawings(build):
            files[f"{MADE}/{name}.yml"] = source
    return files


def pictures(files: Mapping[str, str]) -> Mapping[str, str]:
    """The SVG of every drawing among the generated files, by its path from the root."""
    sources = {path: text for path, text in files.items() if path.endswith(".yml")}
    return {path.removesuffix("yml") + "svg": picture(text) for path, text in sources.items()}


def all_mistakes(description: Description) -> list[str]:
    """The mistakes in every build of every size, in sentences."""
    return [f"{key}: {said}" for key, build in description.builds.items() for said in _mistakes_of(build)]


def _mistakes_of(build: Build) -> list[str]:
    found: dict[str, None] = {}
    for seats in build.seats:
        for variant in range(len(build.variants)):
            found |= dict.fromkeys(mistakes(build.circuit(seats, variant)))
        by_hand = mistakes(build.circuit(seats, by_hand=True))
        found |= dict.fromkeys(f"wired by hand, {said}" for said in by_hand if said not in found)
    return list(found)


def generate_all(description: Description, root: Path) -> Mapping[str, bytes]:
    """Every generated file but what is mechanical, by its path from the root."""
    files = generate_texts(description, root)
    texts = {**files, **pictures(files)}
    return {path: text.encode() for path, text in texts.items()}


def _existing_files(root: Path) -> list[Path]:
    """The files in the folders that contain only generated files."""
    return [path for pattern in _OURS for path in sorted(root.glob(pattern))]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Make or check everything; 1 if the description is wrong, or something is out of date."""
    parser = argparse.ArgumentParser(prog="scripts/hardware", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, say what is out of date")
    check: bool = parser.parse_args(arguments).check
    try:
        description = read_description(root / "hardware")
        if wrong := all_mistakes(description):
            raise DescriptionError("\n".join(wrong))
        texts = generate_all(description, root)
        printed = prints.mechanics(root / "hardware", description.builds["ready"], description.builds["ready_usb"])
        if printed.misfits:
            raise DescriptionError("\n".join(printed.misfits))
        files = {**texts, **printed.files}
        for path, scene in printed.pictures.items():
            files[path] = _picture(root / path, scene, check=check)
    except DescriptionError as error:
        print(error, file=sys.stderr)
        return 1
    return update_files(files, stale(files, _existing_files(root), root), root, "scripts/hardware", check=check)


def _picture(path: Path, scene: Scene, *, check: bool) -> bytes:
    """The picture of a scene: that which is there if it is of the same, since no two machines draw quite alike."""
    if is_current(path, scene):
        return path.read_bytes()
    return b"" if check else rendering.picture(scene)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
