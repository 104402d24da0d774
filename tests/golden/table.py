"""The referee that transcripts are made with and compared to: how it is opened, and how a line is answered.

Sentences for people are left out: they may be improved without an answer changing."""

from __future__ import annotations

import json
from typing import Any

from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.step import open_table


def open_referee(game_options: dict[str, Any]) -> JsonlReferee:
    """The referee for the first line of a transcript."""
    game = find_game(game_options["game"])
    manifest = json.dumps(game_options["manifest"]) if "manifest" in game_options else ""
    edition = game_options.get("edition", game.editions[0])
    options = GameOptions(game_options["players"], edition, game_options["set"], game_options["starter"], manifest)
    return JsonlReferee(open_table(game, options)[0], lambda _: "")


def answer(referee: JsonlReferee, line: str) -> str:
    """The answer to a line, byte for byte but for its sentence."""
    said = json.loads(referee.answer(line.encode()))
    said.pop("say", None)
    return json.dumps(said, ensure_ascii=False)
