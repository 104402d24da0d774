"""Accessibility of the page: enough contrast, information never by colour alone, the visitor's own colours, and no
movement for people who want none."""

from __future__ import annotations

import re

import pytest
from taptable.page.app import STATIC

from page.table_pool import TablePool

COLOURS = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", (STATIC / "tokens.css").read_text(encoding="utf-8")))
GROUNDS = ("room", "panel", "panel-raised", "cloth-deep", "cloth", "cloth-light", "plate", "plate-raised")
SAYING = ("good", "bad", "warn", "info")
WORDS, SIGNS = 4.5, 3.0
"""The least contrast of words and of signs (WCAG 2.2, 1.4.3 and 1.4.11)."""


def light(name: str) -> float:
    """The relative luminance of a colour."""
    parts = [int(COLOURS[name][at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("ground", GROUNDS)
def test_words_stand_out_from_every_ground(ground: str) -> None:
    assert {ink: contrast(ink, ground) for ink in ("ink", "ink-soft") if contrast(ink, ground) < WORDS} == {}


def test_what_the_table_says_stands_out_from_panels_and_from_its_own_ground() -> None:
    pairs = [(said, ground) for said in SAYING for ground in ("panel", "panel-raised", "plate", f"{said}-ground")]
    pairs += [(ink, f"{said}-ground") for ink in ("ink", "ink-soft") for said in SAYING] + [("ink-dark", "accent")]
    assert [pair for pair in pairs if contrast(*pair) < WORDS] == []


def test_signs_of_kinds_stand_out_from_what_they_lie_on() -> None:
    kinds = [name for name in COLOURS if name.startswith("kind-")]
    assert len(kinds) > 5
    assert [(kind, g) for kind in kinds for g in ("panel", "plate", "plate-raised") if contrast(kind, g) < SIGNS] == []


def test_in_colours_of_ones_own_it_is_seen_whose_turn_it_is_and_where_one_is(rooms: TablePool) -> None:
    with rooms.table() as (_, visitor):
        visitor.page.emulate_media(forced_colors="active")
        border = """(element) => {
            const { borderTopWidth, borderTopColor, borderBottomColor } = getComputedStyle(element);
            return [borderTopWidth, borderTopColor, borderBottomColor];
        }"""
        places = visitor.page.locator("[data-table] [data-of-team]").evaluate_all(f"(places) => places.map({border})")
        assert len(places) == 2
        assert places[0] != places[1]
        links = visitor.page.locator("[data-nav] a").evaluate_all(f"(links) => links.map({border})")
        assert links.count(links[0]) == 1
        visitor.page.emulate_media(forced_colors="null")


def test_who_wants_no_movement_gets_none_and_every_sign_has_words_beside_it(rooms: TablePool) -> None:
    with rooms.table() as (table, visitor):
        table.stages(lambda stage: stage.plays_to_a_turn(1, 1))
        table.stages(lambda stage: stage.hacks(1))
        visitor.sees("[data-window]")
        moving = "document.getAnimations().filter((each) => each.effect.getTiming().duration > 10).length"
        assert visitor.page.evaluate(moving) == 0
        silent = """() => [...document.querySelectorAll(".chip, .line, .latest-sentence, .mark-of, [data-log] li")]
            .filter((each) => each.querySelector("svg") && each.textContent.trim() === "")
            .map((each) => each.outerHTML.slice(0, 90))"""
        assert visitor.page.evaluate(silent) == []
