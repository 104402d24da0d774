"""`taptable referee --deck` with a manifest: every game that has one takes people's own, and says what is wrong with it
before the first line is read."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from taptable.games.registry import GAMES

from cli.commands import Terminal

DESCRIBED = sorted(name for name, game in GAMES.items() if game.sample)
"""The games whose cards a manifest says."""


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Commands that are asked for nothing but the legal taps."""
    given = SimpleNamespace(buffer=io.BytesIO(b'{"at": 0}\n{"show": "legal"}\n'))
    monkeypatch.setattr(sys, "stdin", given)
    return Terminal(capsys)


@pytest.mark.parametrize("game", DESCRIBED)
def test_the_sample_as_a_file_is_the_sample(game: str, terminal: Terminal, tmp_path: Path):
    manifest = tmp_path / "own.json"
    manifest.write_text(GAMES[game].sample, encoding="utf-8-sig")
    ran = terminal.run("referee", "--game", game, "--starter", 1, "--deck", manifest)
    assert (ran.status, ran.err) == (0, "")
    sys.stdin.buffer.seek(0)
    assert terminal.run("referee", "--game", game, "--starter", 1).out == ran.out


def test_the_cards_are_those_of_the_manifest(terminal: Terminal, tmp_path: Path):
    own = json.loads(GAMES["xnet"].sample)
    own["topics"]["Über uns"] = own["topics"].pop("art")
    manifest = tmp_path / "own.json"
    manifest.write_text(json.dumps({**own, "name": "ours"}), encoding="utf-8")
    ran = terminal.run("referee", "--game", "xnet", "--starter", 1, "--deck", manifest)
    taps = json.loads(ran.lines[-1])["legal"]
    assert ["Über uns-1#1", "demand"] in taps
    assert not any(card.startswith("art-") for card, _ in taps)


NO_MANIFESTS = {
    b"": "is no JSON: Expecting value (line 1, column 1)",
    b"{\n'game'": "is no JSON: Expecting property name enclosed in double quotes (line 2, column 1)",
    b"[1, 2]": "is no JSON object",
    b'{"game":\n "\xff"}': "is no UTF-8: byte 0xff in line 2",
    b"[" * 100_000: "is no JSON: ",
    b" " * 500_001: "has 500001 bytes",
}


@pytest.mark.parametrize("content", NO_MANIFESTS, ids=range(len(NO_MANIFESTS)))
@pytest.mark.parametrize("game", DESCRIBED)
def test_a_file_that_is_no_manifest_is_one_sentence_before_the_first_line(
    game: str, content: bytes, terminal: Terminal, tmp_path: Path
):
    manifest = tmp_path / "own.json"
    manifest.write_bytes(content)
    ran = terminal.run("referee", "--game", game, "--deck", manifest)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"taptable referee: The manifest {manifest} {NO_MANIFESTS[content]}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("game", DESCRIBED)
def test_what_the_game_says_of_a_manifest_is_the_sentence(game: str, terminal: Terminal, tmp_path: Path):
    manifest = tmp_path / "own.json"
    manifest.write_text('{"game": "chess"}')
    ran = terminal.run("referee", "--game", game, "--deck", manifest)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    missing = terminal.run("referee", "--game", game, "--deck", tmp_path / "none.json")
    assert (missing.status, missing.out) == (2, "")
    assert "none.json can't be read: No such file or directory." in missing.err
