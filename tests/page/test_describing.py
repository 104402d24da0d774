"""Describing one's own cards at the page, from the sample to a deck on the disk. The game reports mistakes, and nothing
is lost."""

from __future__ import annotations

import json

from taptable.games.registry import GAMES
from taptable.memory.decks import Decks

from page.table_pool import TablePool
from page.test_decks import at_the_cards, do
from page.visitor import Visitor

FORM, TROUBLE = "[data-describe]", "[data-describe-trouble]"


def begins(visitor: Visitor, name: str, game: str) -> None:
    visitor.page.locator("#deck-new-name").fill(name)
    visitor.page.locator("[data-deck-game]").select_option(game)
    visitor.clicks(do("describe-new"))
    visitor.sees(FORM)


def test_topics_and_numbers_are_described_and_mistakes_are_reported(rooms: TablePool) -> None:
    with at_the_cards(rooms) as (table, visitor, _):
        page = visitor.page
        begins(visitor, "ours", "xnet")
        page.locator('[data-row="music"] [data-field="key"]').fill("Chöre")
        page.locator('[data-row="music"] [data-field="9"]').fill("many")
        visitor.clicks(do("describe-save"))
        visitor.reads(TROUBLE, "many")
        page.locator('[data-row="music"] [data-field="9"]').fill("")
        page.locator('[data-row="art"] [data-field="key"]').fill("Chöre")
        visitor.clicks(do("describe-save"))
        visitor.reads(TROUBLE, "“Chöre”")
        page.locator('[data-row="art"] [data-field="key"]').fill("art")
        page.locator('[data-row="art"] [data-do="drop-row"]').click()
        visitor.clicks(do("describe-save"))
        visitor.sees('[data-deck="ours"]')
        manifest = json.loads(Decks(table.config.table.decks).deck("ours").manifest)
        assert "art" not in manifest["topics"]
        assert manifest["topics"]["Chöre"] == {str(number): 2 for number in range(1, 9)}


def test_sets_attacks_and_defences_are_described(rooms: TablePool) -> None:
    with at_the_cards(rooms) as (table, visitor, _):
        page = visitor.page
        begins(visitor, "ours", "cyber-siege")
        row = page.locator('[data-table="red"] [data-row="1.1"]')
        row.locator('[data-field="title"]').fill("Malicious link")
        row.locator('[data-field="icon.effect"]').select_option("text")
        row.locator('[data-field="icon.say.de"]').fill("Alle tauschen.")
        visitor.clicks(do("describe-save"))
        visitor.reads(TROUBLE, 'is missing in English ("en").')
        row.locator('[data-field="icon.say.en"]').fill("Everybody swaps.")
        row.locator('[data-field="explanation"]').fill("w" * 241)
        visitor.clicks(do("describe-save"))
        visitor.reads(TROUBLE, '"explanation" of "1.1" has 241 letters, and 240 are the most')
        row.locator('[data-field="explanation"]').fill("It looks harmless.\nIt steals.")
        visitor.clicks(do("describe-save"))
        visitor.sees('[data-deck="ours"]')
        manifest = json.loads(Decks(table.config.table.decks).deck("ours").manifest)
        sample = json.loads(GAMES["cyber-siege"].sample)
        say = {"de": "Alle tauschen.", "en": "Everybody swaps."}
        told = {
            "kind": "attack",
            "copies": 5,
            "title": "Malicious link",
            "icon": {"effect": "text", "say": say},
            "explanation": "It looks harmless.\nIt steals.",
        }
        assert manifest == {**sample, "name": "ours", "red": {**sample["red"], "1.1": told}}
