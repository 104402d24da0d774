"""`taptable deck enrol` killed in the middle goes on where it was: a card is enrolled when it is saved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from choosing import mostly_long
from deadline import DEADLINE_S
from taptable.memory.deck import completeness
from taptable.memory.decks import Decks

from cli.desk import CARDS, EXAMPLE, box
from cli.enrol_and_die import POINTS, enrol_the_rest

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("point", "saves"), mostly_long([*product(POINTS, (57,)), *product(POINTS, (1,)), ("saved", 113)], 2)
)
def test_killed_while_it_saves_a_card_it_goes_on_with_that_card_or_the_next(
    folder: Path, point: str, saves: int
) -> None:
    (folder / "table.toml").write_text(EXAMPLE.read_text())
    killed = subprocess.run(
        [sys.executable, "-m", "cli.enrol_and_die", point, str(saves)],
        cwd=folder,
        timeout=DEADLINE_S,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL

    decks = Decks(folder / "decks")
    assert not decks.faults
    kept = saves if point in ("renamed", "saved") else saves - 1
    deck = decks.begin("family", "online")
    mine = box()
    assert [*deck.cards, *deck.controls] == [*mine.cards, *mine.controls][:kept]

    enrol_the_rest()
    enrolled = Decks(folder / "decks").deck("family")
    assert not any(completeness(enrolled, CARDS).missing)
    assert dict(enrolled.cards) == dict(mine.cards)
    assert dict(enrolled.controls) == dict(mine.controls)
