"""`taptable cards print`: a file that comes whole, or a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from cli.commands import Terminal


def small_manifest(name: str = "ours") -> str:
    return json.dumps({"game": "xnet", "name": name, "topics": {f"topic {n}": {"1": 2} for n in range(6)}})


def test_the_cards_of_a_manifest_are_printed(folder: Path, terminal: Terminal) -> None:
    (folder / "own.json").write_text(small_manifest())
    ran = terminal.run("cards", "print", "--manifest", "own.json", "--language", "en", "-o", "cards.pdf")
    assert ran.lines == ["cards.pdf: 12 cards, 10 pages. Print them at 100 %, on both sides, flipped on the long edge."]
    pages = pypdfium2.PdfDocument(folder / "cards.pdf")
    assert len(pages) == 10
    assert "X.net: cards to print" in pages[0].get_textpage().get_text_range()


def test_paper_bleed_controls_and_members_are_chosen(folder: Path, terminal: Terminal) -> None:
    (folder / "own.json").write_text(small_manifest())
    chosen = ("--paper", "letter", "--bleed", "--no-controls", "--members", "Ada, Ben")
    ran = terminal.run("cards", "print", "--manifest", "own.json", *chosen, "--language", "de", "-o", "karten.pdf")
    assert ran.lines[0].startswith("karten.pdf: 12 Karten, 8 Seiten.")
    pages = pypdfium2.PdfDocument(folder / "karten.pdf")
    assert pages[2].get_size() == pytest.approx((612, 792))
    assert "Ben" in pages[6].get_textpage().get_text_range()


def test_letters_that_are_not_in_the_font_are_reported(folder: Path, terminal: Terminal) -> None:
    manifest = json.loads(small_manifest())
    manifest["topics"]["密码"] = {"1": 1}
    (folder / "own.json").write_text(json.dumps(manifest))
    ran = terminal.run("cards", "print", "--manifest", "own.json", "--language", "en", "-o", "cards.pdf")
    assert ran.lines[1].startswith("What the letters of these sheets lack is printed as □, on: ")
    assert (folder / "cards.pdf").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--game", "chess", "-o", "x.pdf"), "There is no game 'chess'"),
        (("--paper", "a3", "-o", "x.pdf"), "argument --paper: invalid choice: 'a3'"),
        (("--manifest", "none.json", "-o", "x.pdf"), "The manifest none.json can't be read: No such file"),
        (("--manifest", "broken.json", "-o", "x.pdf"), "broken.json"),
        (("--manifest", "own.json", "-o", "no/such/folder/x.pdf"), "can't be written: No such file"),
        (("--manifest", "own.json", "-o", "folder"), "folder can't be written: Is a directory"),
        (("--game", "online"), "arguments are required: -o/--output"),
    ],
)
def test_what_can_not_be_is_a_sentence_and_no_file(
    arguments: tuple[str, ...], why: str, folder: Path, terminal: Terminal
) -> None:
    (folder / "own.json").write_text(small_manifest())
    (folder / "broken.json").write_text("{")
    (folder / "folder").mkdir()
    ran = terminal.run("cards", "print", *arguments)
    assert (ran.status, ran.out, why in ran.err) == (2, "", True), ran.err
    assert sorted(path.name for path in folder.iterdir()) == ["broken.json", "folder", "own.json"]


def test_a_file_that_is_there_stays_as_it_is_if_nothing_can_be_drawn(folder: Path, terminal: Terminal) -> None:
    (folder / "cards.pdf").write_bytes(b"mine")
    assert terminal.run("cards", "print", "--game", "chess", "-o", "cards.pdf").status == 2
    assert (folder / "cards.pdf").read_bytes() == b"mine"


@pytest.mark.parametrize(
    "module", ["taptable.cli", "taptable.cli.cards", "taptable.daemon.daemon", "taptable.page.site"]
)
def test_what_draws_is_loaded_only_to_draw(module: str) -> None:
    program = f"import sys, importlib; importlib.import_module({module!r}); print('fpdf' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"
