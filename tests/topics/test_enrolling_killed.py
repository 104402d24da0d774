"""A table killed with SIGKILL in the middle of an enrolment: the deck has every card that was confirmed, and the
enrolment goes on by itself, where it was."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from choosing import mostly_long
from cli.desk import CARDS
from cli.enrol_and_die import POINTS
from deadline import DEADLINE_S
from table.rig import at_table
from taptable.memory.deck import completeness
from taptable.memory.decks import Decks

from topics.enrol_and_die import SETTLED_S
from topics.enroller import Enroller, a_table_with_a_page, box

TESTS = Path(__file__).parents[1]
SAVES = 27


def killed(folder: Path, point: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "topics.enrol_and_die", folder, point, str(SAVES)],
        cwd=folder,
        timeout=DEADLINE_S,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        check=False,
    )
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("point", mostly_long(POINTS))
async def test_it_goes_on_by_itself_with_every_card_that_was_confirmed(tmp_path: Path, point: str) -> None:
    killed(tmp_path, point)
    mine = box()
    enrolled = SAVES if point in ("renamed", "saved") else SAVES - 1
    decks = Decks(tmp_path / "decks")
    assert not decks.faults
    assert list(decks.deck("family").cards) == list(mine.cards)[:enrolled]
    async with at_table(a_table_with_a_page(tmp_path)) as at:
        ada = Enroller(at)
        assert (ada.on["deck"], ada.on["over"], ada.on["by"]) == ("family", False, "page")
        assert at.judged.paused_at_us is not None
        await asyncio.sleep(SETTLED_S)
        rest = list(mine.cards)[enrolled:] if point == "written" else list(mine.cards)[enrolled : enrolled + 2]
        for uid in rest:
            await ada.taps(uid)
        assert list(ada.deck().cards) == [*list(mine.cards)[:enrolled], *rest]
        if point == "written":
            assert dict(ada.deck().cards) == dict(mine.cards)
            assert completeness(ada.deck(), CARDS).missing == ()
        await ada.ask("enrol-stop")
        await at.press(1)
        assert at.judged.paused_at_us is None
