"""The cards that people own, described at the page: from the sample to a deck on the disk, with what is wrong said by
the game and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from taptable.games.registry import GAMES
from taptable.memory.decks import Decks

from page.a_table import ATable
from page.access import axe_faults
from page.at_the_pad import Hand
from page.layout import layout_faults
from page.test_decks import at_the_cards, do
from page.visitor import Visitor

FORM, TROUBLE = "[data-describe]", "[data-describe-trouble]"


def begins(visitor: Visitor, name: str, game: str) -> None:
    visitor.page.locator("#deck-new-name").fill(name)
    visitor.page.locator("[data-deck-game]").select_option(game)
    visitor.clicks(do("describe-new"))
    visitor.sees(FORM)


def test_topics_and_numbers_are_described_and_what_is_wrong_is_said(browser: Browser, tmp_path: Path) -> None:
    def act(table: ATable, visitor: Visitor, _: Hand) -> None:
        page = visitor.page
        begins(visitor, "ours", "xnet")
        page.locator('[data-row="music"] [data-field="key"]').fill("Chöre")
        page.locator('[data-row="music"] [data-field="9"]').fill("many")
        visitor.clicks(do("describe-save"))
        assert "many" in visitor.text(TROUBLE)
        page.locator('[data-row="music"] [data-field="9"]').fill("")
        page.locator('[data-row="art"] [data-field="key"]').fill("Chöre")
        visitor.clicks(do("describe-save"))
        assert "“Chöre”" in visitor.text(TROUBLE)
        page.locator('[data-row="art"] [data-field="key"]').fill("art")
        page.locator('[data-row="art"] [data-do="drop-row"]').click()
        assert layout_faults(page) == []
        assert axe_faults(visitor) == []
        visitor.clicks(do("describe-save"))
        visitor.sees('[data-deck="ours"]')
        manifest = json.loads(Decks(table.config.table.decks).deck("ours").manifest)
        assert "art" not in manifest["topics"]
        assert manifest["topics"]["Chöre"] == {str(number): 2 for number in range(1, 9)}

    at_the_cards(browser, tmp_path, act)


@pytest.mark.parametrize("size", ["desk"])
def test_sets_attacks_and_defences_are_described(browser: Browser, tmp_path: Path, size: str) -> None:
    def act(table: ATable, visitor: Visitor, _: Hand) -> None:
        page = visitor.page
        begins(visitor, "ours", "cyber-siege")
        row = page.locator('[data-table="red"] [data-row="1.1"]')
        row.locator('[data-field="title"]').fill("Malicious link")
        row.locator('[data-field="icon.effect"]').select_option("text")
        row.locator('[data-field="icon.say.de"]').fill("Alle tauschen.")
        visitor.clicks(do("describe-save"))
        assert visitor.text(TROUBLE).endswith('is missing in English ("en").')
        row.locator('[data-field="icon.say.en"]').fill("Everybody swaps.")
        assert layout_faults(page) == []
        visitor.clicks(do("describe-save"))
        visitor.sees('[data-deck="ours"]')
        manifest = json.loads(Decks(table.config.table.decks).deck("ours").manifest)
        sample = json.loads(GAMES["cyber-siege"].sample)
        say = {"de": "Alle tauschen.", "en": "Everybody swaps."}
        told = {"kind": "attack", "copies": 5, "title": "Malicious link", "icon": {"effect": "text", "say": say}}
        assert manifest == {**sample, "name": "ours", "red": {**sample["red"], "1.1": told}}

    at_the_cards(browser, tmp_path, act, size)
