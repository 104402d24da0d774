"""The parts for a 3D printer: closed solids of the size that the measures say, with walls that hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from drafting.bodies import read_stl
from drafting.fit import thin_spots
from drafting.pads import LAYOUTS
from drafting.parts import DescriptionError
from drafting.placements import read_placements

HARDWARE = Path(__file__).parents[2] / "hardware"
MEASURES, _ = read_placements(HARDWARE)
PRINTED = sorted((HARDWARE / "enclosure").glob("*.stl"))
MIN_MM = 1.2
WINDOW_MM, MARK_MM, RIM_MM = MEASURES["pad"]["window"], 0.8, 1.1


def test_every_box_and_holder_is_there():
    assert len(PRINTED) == 14


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: path.stem)
def test_what_is_printed_is_closed_and_nowhere_thinner_than_it_should_be(path: Path):
    stl = path.read_bytes()
    assert read_stl(stl).volume() > 0
    thin = [(thick, at) for thick, at in thin_spots(stl, MIN_MM - 0.005)]
    if path.stem in ("pad-lid", "discard-pad-lid"):
        # the window of the ring and the recess of the joints, the mark for cards, the rims of the screws' heads
        meant = (WINDOW_MM, MARK_MM)
        thin = [(thick, at) for thick, at in thin if thick < RIM_MM and min(abs(thick - each) for each in meant) > 0.01]
    assert thin == []


def test_a_solid_with_a_hole_in_its_skin_is_rejected():
    stl = (HARDWARE / "enclosure" / "bridge.stl").read_bytes()
    count = int.from_bytes(stl[80:84], "little")
    with pytest.raises(DescriptionError, match="no closed solid"):
        read_stl(stl[:80] + (count - 1).to_bytes(4, "little") + stl[84:-50])


@pytest.mark.parametrize(
    ("which", "stem"),
    [("pad", "pad"), ("discard_pad", "discard-pad"), ("oled", "oled-box"), ("oled_small", "oled-small-box")],
)
def test_boxes_have_the_size_that_the_cloth_reckons_with(which: str, stem: str):
    width, length, height = LAYOUTS[which](MEASURES).size
    low_x, low_y, _, high_x, high_y, high_z = read_stl(
        (HARDWARE / "enclosure" / f"{stem}-tray.stl").read_bytes()
    ).bounding_box()
    assert (high_x - low_x, high_y - low_y) == pytest.approx((width, length), abs=0.01)
    assert high_z < height
