"""The sheet of card faces: nothing is missing in it, nothing else is in it, and it is plain enough to be inlined."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib import resources

import pytest
from taptable.games.xnet.game import Xnet
from taptable.memory.deck import CONTROLS

from games.xnet.table import TOPICS, manifest

SVG = "{http://www.w3.org/2000/svg}"
SHEET = resources.files("taptable.games.xnet").joinpath("faces.svg").read_text("utf-8")
ROOT = ET.fromstring(SHEET)
SYMBOLS = {symbol.get("id", ""): symbol for symbol in ROOT}
KINDS = (*TOPICS, "topic")
FACES = [f"face-{kind}" for kind in KINDS]
OWN = {control.name for control in Xnet.controls} | {card for control in Xnet.controls for card, _ in control.cards}
SIGNS = [f"sign-{kind}" for kind in KINDS] + [f"control-{name}" for name in sorted({*CONTROLS, "resume", *OWN})]


def colours(symbol: str) -> list[str]:
    """The colours of a face in the order in which they are first laid: card, panel, disc, pictogram."""
    painted = [shape.get(name) for shape in SYMBOLS[symbol].iter() for name in ("fill", "stroke")]
    return list(dict.fromkeys(colour for colour in painted if colour not in (None, "none", "#14202b")))


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb`` after WCAG 2."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


def test_every_topic_has_its_face_and_sign_and_every_control_its_own_and_there_is_nothing_else():
    assert sorted(SYMBOLS) == sorted([*FACES, "face-back", *SIGNS])
    assert len(ROOT) == len(SYMBOLS)


def test_every_kind_of_the_sample_and_of_an_own_deck_finds_a_face():
    numbers = {str(number): 2 for number in range(1, 10)}
    own = manifest(dict.fromkeys(("art", "Our cats", "x y", "news", "games", "sports"), numbers))
    kinds = (*Xnet().pack("").kinds, *Xnet().pack(own).kinds)
    assert {f"face-{kind.face}" for kind in kinds} == set(FACES)


def test_all_faces_and_all_signs_have_one_size():
    assert {SYMBOLS[face].get("viewBox") for face in [*FACES, "face-back"]} == {"0 0 63 88"}
    assert {SYMBOLS[sign].get("viewBox") for sign in SIGNS} == {"0 0 24 24"}


def test_it_needs_nothing_from_elsewhere_and_nothing_that_a_strict_page_refuses():
    assert {shape.tag.removeprefix(SVG) for shape in ROOT.iter()} == {
        *("svg", "symbol", "g", "path", "rect", "circle", "ellipse")
    }
    attributes = {name for shape in ROOT.iter() for name in shape.attrib}
    assert not {name for name in attributes if name in ("style", "class", "href") or name.startswith(("on", "{"))}
    assert not re.search(r"url\(|<!DOCTYPE|<!ENTITY|<\?", SHEET)
    assert "".join(ROOT.itertext()).strip() == ""
    assert len(SHEET.encode()) < 32_000


def test_signs_take_the_colour_of_the_words_beside_them():
    painted = {shape.get(name) for sign in SIGNS for shape in SYMBOLS[sign].iter() for name in ("fill", "stroke")}
    assert painted == {"currentColor", "none", None}


@pytest.mark.parametrize("face", FACES)
def test_a_pictogram_stands_out_from_its_card(face: str):
    _, panel, disc, pictogram = colours(face)
    assert contrast(panel, pictogram) >= 4.5
    assert contrast(disc, pictogram) >= 3


def test_no_two_symbols_look_alike():
    drawings = {tuple(ET.tostring(shape) for shape in symbol) for symbol in SYMBOLS.values()}
    assert len(drawings) == len(SYMBOLS)
