"""The sheet of card faces: nothing is missing in it, nothing else is in it, and it is plain enough to be inlined."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib import resources

from taptable.core.controls import cards_of
from taptable.games.registry import find_game
from taptable.memory.deck import CONTROLS

SVG = "{http://www.w3.org/2000/svg}"
GAME = find_game("cyber-siege")
SHEET = resources.files("taptable.games.cyber_siege").joinpath("faces.svg").read_text("utf-8")
ROOT = ET.fromstring(SHEET)
SYMBOLS = {symbol.get("id", ""): symbol for symbol in ROOT}
KINDS = sorted({kind.face for kind in GAME.pack("").kinds})
FACES = [f"face-{kind}" for kind in (*KINDS, "back", "back-purple")]
SIGNS = [
    *(f"sign-{kind}" for kind in KINDS),
    *(f"control-{name}" for name in (*CONTROLS, "resume", *cards_of(GAME.controls))),
]


def test_every_kind_has_its_face_and_sign_and_every_control_its_own_and_there_is_nothing_else():
    assert KINDS == ["admin", "attack", "defence", "set"]
    assert sorted(SYMBOLS) == sorted([*FACES, *SIGNS])
    assert [child.tag for child in ROOT] == [f"{SVG}symbol"] * len(SYMBOLS)
    assert len(ROOT) == len(SYMBOLS)


def test_all_faces_and_all_signs_have_one_size():
    assert {SYMBOLS[face].get("viewBox") for face in FACES} == {"0 0 63 88"}
    assert {SYMBOLS[sign].get("viewBox") for sign in SIGNS} == {"0 0 24 24"}


def test_it_needs_nothing_from_elsewhere_and_nothing_is_written_in_it():
    assert {shape.tag.removeprefix(SVG) for shape in ROOT.iter()} <= {"svg", "symbol", "path", "rect", "circle"}
    attributes = {name for shape in ROOT.iter() for name in shape.attrib}
    assert not {name for name in attributes if name in ("style", "class", "href") or name.startswith(("on", "{"))}
    assert not re.search(r"url\(|<!DOCTYPE|<!ENTITY|<\?", SHEET)
    assert "".join(ROOT.itertext()).strip() == ""


def test_signs_take_the_colour_of_the_words_beside_them():
    painted = {shape.get(name) for sign in SIGNS for shape in SYMBOLS[sign].iter() for name in ("fill", "stroke")}
    assert painted == {"currentColor", "none", None}


def test_no_two_kinds_look_alike():
    drawings = {tuple(ET.tostring(shape) for shape in symbol) for symbol in ROOT}
    assert len(drawings) == len(SYMBOLS)
