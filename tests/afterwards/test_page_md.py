"""Compares the statements of docs/page.md about past games with the table's answers."""

from __future__ import annotations

import re
from pathlib import Path

from page_server.rig import a_client, a_table_with_a_page, at_table

from afterwards.recorded_games import play_a_game

TEXT = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
(SECTION,) = re.findall(r"^## What was played\n(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL)
LINES = " ".join(SECTION.split())
ROWS = {name: (one, two) for name, one, two in re.findall(r"^\| `([^`]+)` \| (.*?) \|(.*)$", SECTION, re.MULTILINE)}


def names(text: str) -> list[str]:
    return re.findall(r"`([a-z_]+)`", text)


def listed(beginning: str) -> list[str]:
    """Return the names in the sentence with this beginning."""
    (sentence,) = re.findall(rf"{beginning}(.*?[^.])\.(?: |$)", LINES)
    return names(sentence)


async def test_every_verb_is_listed_with_what_it_takes_and_gives(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    play_a_game(config.table.journal)
    said = {"id": 1, "from": 0, "number": 0, "before": 3}
    async with at_table(config) as table, a_client(table.port) as client:
        await client.hello()
        course, *verbs = ROWS
        assert names(ROWS[course][0]) == list(client.parts[course])
        answers = {
            verb: await client.ask(verb, **{name: said[name] for name in names(ROWS[verb][0])}) for verb in verbs
        }
        for verb, answer in answers.items():
            given = [name for name in answer if name not in ("answer", "ok")]
            assert [name for name in names(ROWS[verb][1]) if name in given] == given
        line, game = answers["games"]["games"][-1], answers["game"]["game"]
        assert [name for name in listed("Each of the games has ") if name in line] == list(line)
        fields = {name for name in game if name not in line}
        assert fields <= set(listed("A game in full has these and "))
        for row in (game["teams"][0], game["milestones"][0], game["figures"][0]):
            assert set(row) <= set(names(LINES))
        assert {figure["kind"] for figure in game["figures"]} <= set(names(LINES))
        step = answers["steps"]["steps"][0]
        assert listed("It has ") == list(step)
