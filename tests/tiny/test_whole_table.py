"""Colours at every part of the table, with no change but the registry: the support that a fourth game can count on.

The suite for every game is `properties/test_every_game.py`, and an evening at the simulated hardware is in
`soak/test_soak.py`; this game is in both."""

from __future__ import annotations

import ast
import asyncio
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from table.rig import GameNight, run_in_given_time, running_table
from taptable.cli import main
from taptable.core.announcements import MoveTakenBack
from taptable.core.game_options import GameOptions
from taptable.core.notices import ConsentAsked
from taptable.cues.scene import Scene, render
from taptable.cues.text import ScreenStyle, load_icons
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.deck import Deck, card_set_of, completeness
from taptable.page.view import parts_of
from taptable.referee.session import Decision
from taptable.referee.step import open_table
from taptable.sim.setting_up import set_up
from taptable.words import LANGUAGES, Vocabulary, Words
from topics.enrolment_rig import EnrolmentRig

from tiny.registered import registered

FOLDER = Path(__file__).parent


@pytest.fixture(autouse=True)
def _tiny_is_registered() -> Iterator[None]:
    with registered():
        yield


def words_in(language: str) -> Words:
    return Words(language, Vocabulary((package_of("tiny"),), find_game("tiny").pack("")))


def test_it_stands_on_the_core_and_the_standard_library_and_on_nothing_else():
    imported: set[str] = set()
    for name in ("rules", "game", "players"):
        for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
    others = {module for module in imported if module.partition(".")[0] not in (*sys.stdlib_module_names, "tiny")}
    assert {module for module in others if not module.startswith("taptable.core.")} == set()


def test_the_command_line_judges_its_lines(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]):
    lines = b'{"at": 1, "tap": "blue#1", "pad": 1}\n{"at": 2, "control": "take-back"}\n{"show": "state"}\n'
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(lines)))
    arguments = ["--game", "tiny", "--players", "2", "--starter", "1", "--language", "fr", "--set", "cards_to_win=5"]
    assert main(["referee", *arguments]) == 0
    laid, back, state = map(json.loads, capfdbinary.readouterr().out.splitlines())
    assert laid["say"].startswith("Le joueur 1 pose Bleu.")
    assert [each["type"] for each in back["announcements"]] == ["move-taken-back"]
    assert state["teams"][0]["row"] == []


def test_simulate_plays_many_games_of_it(capsys: pytest.CaptureFixture[str]):
    # in this process: its child processes would know only the games in the registry's file
    arguments = ["--game", "tiny", "--players", "3", "-n", "20", "--seed", "1", "--language", "en", "--jobs", "1"]
    assert main(["simulate", *arguments]) == 0
    output = capsys.readouterr().out
    assert output.startswith("Colours, 3 players. Games: 20, from seed 1.")
    assert "all cards laid" in output
    assert "Turns passed" in output


def test_a_real_table_plays_it_takes_back_and_comes_back_by_its_journal(tmp_path: Path):
    async def evening() -> None:
        async with running_table(set_up(tmp_path, "tiny", GameOptions(2, "standard", {}, 1), "en")) as at:
            await asyncio.sleep(1)  # every reader has polled once
            await at.tap("red#1", 1)
            await at.tap("blue#1", 2)
            await take_back(at)
            assert at.state.rows == (("red#1",), ())
            before = at.state
            await at.restart()
            assert at.state == before
            assert at.referee_table.paused_at_us is not None

    async def take_back(at: GameNight) -> None:
        asked = at.expect(lambda event: isinstance(event, ConsentAsked))
        at.put("take-back", 2)
        await asked
        at.lift("take-back", 2)
        granted = at.next_announcement(MoveTakenBack)
        await asyncio.sleep(1)
        at.table.press(1)
        assert isinstance(await granted, Decision)
        await asyncio.sleep(1)

    run_in_given_time(evening)


def test_a_deck_of_it_is_enrolled_card_by_card(tmp_path: Path):
    desk = EnrolmentRig(tmp_path, Deck("kitchen", "tiny"))
    for number in range(12):
        assert desk.tap(f"04{number:012x}")[0] == "enrolled"
    assert completeness(desk.saved, card_set_of("tiny")).missing == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scoreboard_draws_it(language: str):
    board = scoreboard_of_an_opening()
    look = ScreenStyle(words_in(language), load_icons((package_of("tiny"),)))
    assert render(Scene("0.1.0", board), 0, (128, 64), look).getbbox() is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_part_of_it(language: str, tmp_path: Path):
    async def evening() -> None:
        async with running_table(set_up(tmp_path, "tiny", GameOptions(2, "standard", {}, 1), "en")) as at:
            parts = parts_of(at.session, "Kitchen")
            words = words_in(language)
            sent = {name: part(words) if callable(part) else part for name, part in parts.items()}
            assert json.loads(json.dumps(sent)) == sent
            assert sent["table"]["game"] == "tiny"

    run_in_given_time(evening)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_of_it_that_is_named_has_words(language: str):
    words, game = words_in(language), GAMES["tiny"]
    board = scoreboard_of_an_opening()
    needed = [
        *(("card", kind.face) for kind in game.pack("").kinds),
        *(("count-of", count.name) for count in (*board.stock, *board.hands[0])),
        *(("figure", figure.key) for figure in game.figures),
        *(("setting", key) for key in game.settings),
        *(("guide", f"guide-{number}-text") for number in range(1, len(game.guide) + 1)),
        *(("verdict", code) for code, _, _ in game.codes),
        ("unit", board.unit),
    ]
    assert [(context, key) for context, key in needed if key not in words.all_messages(context)] == []


def scoreboard_of_an_opening():
    table, _ = open_table(find_game("tiny"), GameOptions(2, "standard", {}, 1))
    return table.game.scoreboard(table.state)
