"""The sheet of each game's card faces: it is complete, has nothing else, and is plain enough to be inlined."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from importlib import resources

import pytest
from taptable.core.controls import control_cards
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.deck import CONTROLS

from games.xnet.table import small

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "symbol", "g", "path", "rect", "circle", "ellipse"}

every_game = pytest.mark.parametrize("game", GAMES)


@cache
def sheet(game: str) -> str:
    return resources.files(package_of(game)).joinpath("faces.svg").read_text("utf-8")


@cache
def symbols(game: str) -> dict[str, ET.Element]:
    return {symbol.get("id", ""): symbol for symbol in ET.fromstring(sheet(game))}


def kinds(game: str) -> set[str]:
    """Return the faces of a game's cards; a topic of people's own has a face too."""
    own = json.dumps({**json.loads(small()), "topics": {topic: {"1": 10} for topic in ("our cats", *"abcdef")}})
    packs = [find_game(game).pack(""), *([find_game(game).pack(own)] if game == "xnet" else [])]
    return {kind.face for pack in packs for kind in pack.kinds}


def backs(game: str) -> set[str]:
    """Return the usual back, and those that kinds name."""
    return {"back", *(f"back-{kind.back}" for kind in find_game(game).pack("").kinds if kind.back)}


def signs(game: str) -> list[str]:
    controls = find_game(game).controls
    names = {*CONTROLS, "resume", *control_cards(controls), *(control.name for control in controls if control.cards)}
    return [*(f"sign-{kind}" for kind in kinds(game)), *(f"control-{name}" for name in names)]


def shapes(symbol: ET.Element) -> list[ET.Element]:
    return [shape for shape in symbol.iter() if shape.tag not in (f"{SVG}symbol", f"{SVG}g")]


def painted(symbol: ET.Element) -> list[str | None]:
    return [shape.get(name) for shape in symbol.iter() for name in ("fill", "stroke")]


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` by WCAG 2."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


@every_game
def test_every_kind_has_its_face_and_sign_and_every_control_its_own_and_there_is_nothing_else(game: str):
    faces = [f"face-{kind}" for kind in (*kinds(game), *backs(game))]
    root = ET.fromstring(sheet(game))
    assert sorted(symbol.get("id", "") for symbol in root) == sorted([*faces, *signs(game)])
    assert {symbol.tag for symbol in root} == {f"{SVG}symbol"}
    assert {symbols(game)[face].get("viewBox") for face in faces} == {"0 0 63 88"}
    assert {symbols(game)[sign].get("viewBox") for sign in signs(game)} == {"0 0 24 24"}


@every_game
def test_it_is_small_and_needs_nothing_that_a_strict_page_refuses_and_nothing_is_written_in_it(game: str):
    every = [*ET.fromstring(sheet(game)).iter()]
    assert {element.tag.removeprefix(SVG) for element in every} <= ELEMENTS
    attributes = {name for element in every for name in element.attrib}
    assert not {name for name in attributes if name in ("style", "class", "href") or name.startswith(("on", "{"))}
    assert not re.search(r"url\(|<!DOCTYPE|<!ENTITY|<\?", sheet(game))
    assert "".join(ET.fromstring(sheet(game)).itertext()).strip() == ""
    assert len(sheet(game).encode()) < 32_000


@every_game
def test_signs_take_the_colour_of_the_words_beside_them(game: str):
    colours = {colour for sign in signs(game) for colour in painted(symbols(game)[sign])}
    assert colours == {"currentColor", "none", None}


@every_game
def test_a_pictogram_stands_out_from_its_card(game: str):
    for kind in kinds(game):
        face = symbols(game)[f"face-{kind}"]
        without = (None, "none", shapes(face)[0].get("stroke"))
        _, panel, disc, pictogram, *_ = dict.fromkeys(colour for colour in painted(face) if colour not in without)
        assert contrast(panel, pictogram) >= 4.5, kind
        assert contrast(disc, pictogram) >= 3, kind


@every_game
def test_no_two_kinds_look_alike(game: str):
    drawings = {tuple(map(ET.tostring, shapes(symbol))) for symbol in symbols(game).values()}
    assert len(drawings) == len(symbols(game))
