"""A process with a table at which a deck is enrolled, killed as by a pulled plug while it saves a card:
`python -m topics.enrol_and_die FOLDER POINT SAVES`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from cli.enrol_and_die import arm
from table.rig import at_table, in_given_time

from topics.enroller import Enroller, a_table_with_a_page, box

SETTLED_S = 1.0


async def enrol(folder: Path) -> None:
    """Enrol until it is over, one way or the other."""
    async with at_table(a_table_with_a_page(folder)) as at:
        await asyncio.sleep(SETTLED_S)
        ada = Enroller(at)
        await ada.ask("enrol", deck="family")
        for uid in box().cards:
            await ada.taps(uid)


if __name__ == "__main__":
    arm(sys.argv[2], 1 + int(sys.argv[3]))  # the first is the deck that is played with
    in_given_time(lambda: enrol(Path(sys.argv[1])))
