"""`taptable deck list`, `check`, `export` and `import`: decks as files."""

from __future__ import annotations

import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from taptable.memory.deck import Deck
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.decks import Decks

from cli.commands import Terminal, command, process
from cli.deck_rig import EXAMPLE, box

DECKS = ("--decks", "decks")


@pytest.fixture
def decks(folder: Path) -> Path:
    """A folder with a whole deck and half of one."""
    path = folder / "decks"
    Decks(path).save(box())
    travel = box("travel", seed=1)
    Decks(path).save(replace(travel, cards=dict(list(travel.cards.items())[:60]), controls={}))
    return path


def test_decks_are_listed(decks: Path, terminal: Terminal) -> None:
    ran = terminal.run("deck", "list", *DECKS)
    assert ran.status == 0
    assert [re.split(r"  +", line) for line in ran.lines] == [
        ["Deck", "Game", "Cards", "Control cards"],
        ["family", "online", "112 of 112", "6"],
        ["travel", "online", "60 of 112", "0"],
    ]
    assert decks.is_dir()


def test_no_deck_is_reported_too(terminal: Terminal) -> None:
    assert terminal.run("deck", "list", *DECKS).lines == ["There is no deck in decks yet."]


def test_a_damaged_deck_is_named_and_the_others_are_listed(decks: Path, terminal: Terminal) -> None:
    (decks / "broken.json").write_text("{")
    (decks / "chess.json").write_text(text_of(Deck("chess", "chess", {"04000000000001": "pawn#1"})))
    ran = terminal.run("deck", "list", *DECKS)
    assert ran.status == 1
    assert [line.split()[0] for line in ran.lines] == ["Deck", "chess", "family", "travel"]
    assert re.fullmatch(r"taptable deck: deck .*broken\.json: line 1, column 2: this is no JSON .*\n", ran.err)


def test_a_whole_deck_is_in_order(decks: Path, terminal: Terminal) -> None:
    ran = terminal.run("deck", "check", "family", "--decks", decks)
    assert (ran.status, ran.out) == (0, "Deck family is complete: 112 cards, 6 control cards.\n")


def test_what_a_deck_lacks_is_named_kind_by_kind(decks: Path, terminal: Terminal) -> None:
    odd = replace(box(), cards={**box().cards, next(iter(box().cards)): "online#14"})
    (decks / "family.json").write_text(text_of(odd))
    ran = terminal.run("deck", "check", "family", *DECKS, "--language", "de")
    assert ran.status == 1
    assert ran.lines == ["Es fehlen: Online 1.", "Im Deck, aber nicht im Spiel: Online 14."]
    ran = terminal.run("deck", "check", "travel", *DECKS)
    missing = "E-mail 11–22; Music 1–14; Game 1–8; Movie 1–8; Hacker 1–6; Cyber Patrol 1–2; Search 1–2"
    assert ran.lines == [f"Missing: {missing}."]


def test_the_deck_of_the_table_is_checked_where_none_is_named(folder: Path, decks: Path, terminal: Terminal) -> None:
    (folder / "table.toml").write_text(EXAMPLE.read_text().replace('deck = "family"', 'deck = "travel"'))
    assert terminal.run("deck", "check").lines[0].startswith("Missing: ")
    assert decks.is_dir()


def test_a_deck_goes_out_and_comes_in_as_it_was(folder: Path, decks: Path, terminal: Terminal) -> None:
    ran = terminal.run("deck", "export", "family", "out.json", *DECKS)
    assert (ran.status, ran.out) == (0, "Deck family is written to out.json.\n")
    assert terminal.run("deck", "export", "family", *DECKS).out == (folder / "out.json").read_text()
    ran = terminal.run("deck", "import", "out.json", "--decks", "others")
    assert (ran.status, ran.out) == (0, "Deck family is taken in: 112 of 112 cards.\n")
    assert Decks(folder / "others").deck("family") == Decks(decks).deck("family")


def test_what_force_replaces_is_kept(folder: Path, decks: Path, terminal: Terminal) -> None:
    (folder / "less.json").write_text(text_of(replace(box(), controls={})))
    ran = terminal.run("deck", "import", "less.json", *DECKS)
    assert ran.status == 2
    assert "is there already" in ran.err
    ran = terminal.run("deck", "import", "less.json", *DECKS, "--force")
    assert ran.lines[1] == "What was there before is kept as decks/family.json.old-1."
    assert deck_of((decks / "family.json.old-1").read_bytes(), "kept") == box()
    ran = terminal.run("deck", "export", "travel", "less.json", *DECKS, "--force")
    assert ran.lines[1] == "What was there before is kept as less.json.old-1."


def test_a_deck_may_be_called_otherwise_here_if_no_tag_is_in_two(decks: Path, terminal: Terminal) -> None:
    terminal.run("deck", "export", "family", "out.json", *DECKS)
    ran = terminal.run("deck", "import", "out.json", "--name", "copy", *DECKS)
    assert ran.status == 2
    assert re.match(r"taptable deck: deck copy has tags of other decks: \w+ is online#1 in deck family;", ran.err)
    (decks / "family.json").unlink()
    assert terminal.run("deck", "import", "out.json", "--name", "copy", *DECKS).status == 0
    assert Decks(decks).names() == ("copy", "travel")


def test_a_damaged_deck_is_not_taken_in(folder: Path, terminal: Terminal) -> None:
    (folder / "bad.json").write_text(text_of(box()).replace('"online#2"', '"online#1"'))
    ran = terminal.run("deck", "import", "bad.json", *DECKS)
    assert (ran.status, ran.out) == (2, "")
    assert re.search(r"online#1 is the tag \w+ already", ran.err)
    assert not (folder / "decks").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["enrol"], r"this table has no discard pad yet: assign its parts first, with `taptable seats`\n$"),
        (["check", "famille", *DECKS], r"no deck 'famille' in decks: there are family, travel"),
        (["export", "famille", *DECKS], r"no deck 'famille' in decks: there are family, travel"),
        (["export", "family", "no/out.json", *DECKS], r"deck no/out\.json can't be read or written: No such file"),
        (["import", "no.json", *DECKS], r"deck no\.json can't be read: No such file or directory"),
        (["import", "decks/family.json", "--name", "My deck", *DECKS], r"'My deck' is no name for a deck"),
        (["enrol", "My deck", "--config", "t.toml"], r"'My deck' is no name for a deck"),
        (["enrol", "chess", "--config", "t.toml"], r"deck chess is for chess, not for online: take another name"),
        (["enrol", "--kind", "emial", "--config", "t.toml"], r"online has no kind 'emial', but online, turbo-line"),
        (["replace", "none", "email#1", "--config", "t.toml"], r"no deck 'none' in decks"),
        (
            ["replace", "family", "email#23", "--config", "t.toml"],
            r"online has no card email#23: there are email#1 to email#22\n$",
        ),
        (
            ["replace", "family", "emial#2", "--config", "t.toml"],
            r"online has no card emial#2: there are email#1 to email#22 and others\n$",
        ),
        (
            ["replace", "family", "04a2b3", "--config", "t.toml"],
            r"online has no card 04a2b3: there are online#1 to online#13, .* and others\n$",
        ),
        (["check", "famille", "--tap", "--config", "t.toml"], r"no deck 'famille' in decks"),
    ],
)
def test_an_impossible_request_is_refused_in_a_sentence(
    folder: Path, decks: Path, terminal: Terminal, arguments: list[str], sentence: str
) -> None:
    (folder / "t.toml").write_text(EXAMPLE.read_text())
    if "chess" in arguments:
        (decks / "chess.json").write_text(text_of(Deck("chess", "chess", {"04000000000001": "pawn#1"})))
    ran = terminal.run("deck", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert re.match(f"taptable deck: {sentence}", ran.err)


def test_on_a_machine_without_a_reader_enrolling_says_so_and_stops_at_the_end_of_the_input(folder: Path) -> None:
    (folder / "table.toml").write_text(EXAMPLE.read_text())
    ran = process("deck", "enrol", folder=folder, environment={"LANGUAGE": "en"})
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1] == "Stopped with 0 of 112 cards; all of them are saved."
    assert not (folder / "decks").exists()


def test_keys_may_be_piped_in(folder: Path) -> None:
    (folder / "table.toml").write_text(EXAMPLE.read_text())
    ran = process("deck", "enrol", folder=folder, environment={"LANGUAGE": "en"}, keys=b"s\nu\nq\nnobody reads this\n")
    assert ran.status == 0
    said = [line for line in ran.lines if not line.startswith("Discard pad")]
    assert said[3:] == [
        "Now the 3 Turbo-Line cards, one after the other.",
        "There is nothing to undo since the start.",
        "Stopped with 0 of 112 cards; all of them are saved.",
    ]


def test_ctrl_c_stops_too(folder: Path) -> None:
    (folder / "table.toml").write_text(EXAMPLE.read_text())
    enrol = command("deck", "enrol", "--language", "en")
    pipe = subprocess.PIPE
    with subprocess.Popen(enrol, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe) as enrolling:
        assert enrolling.stdout is not None
        while b"Now the 13 Online" not in enrolling.stdout.readline():
            assert enrolling.poll() is None
        enrolling.send_signal(signal.SIGINT)
        said, wrong = enrolling.communicate(timeout=DEADLINE_S)
        assert (enrolling.returncode, wrong) == (130, b"")
    assert said.decode().splitlines()[-1] == "Stopped with 0 of 112 cards; all of them are saved."
