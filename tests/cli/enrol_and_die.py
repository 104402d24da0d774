"""A process that enrols a deck over the simulated reader and is killed, as by a pulled plug, while it saves a card:
`python -m cli.enrol_and_die POINT SAVES`, in a folder with a table.toml."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from taptable.memory.decks import Decks
from taptable.sim.loops import GivenTimeLoop

from cli.desk import at_desk, box

POINTS = ("before", "written", "renamed", "saved")
"""Before anything of the save, with the new file beside the old one, with the new one in its place, and after it."""


def die() -> None:
    """End as by kill -9: nothing is flushed, nothing is closed."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, saves: int) -> None:
    """Die at a point of the `saves`-th save."""
    save, rename = Decks.save, Path.replace
    begun = 0

    def save_or_die(decks: Decks, deck: object) -> None:
        nonlocal begun
        begun += 1
        if begun == saves and point == "before":
            die()
        save(decks, deck)  # pyright: ignore[reportArgumentType]
        if begun == saves and point == "saved":
            die()

    def rename_or_die(path: Path, target: Path) -> Path:
        if begun == saves and point == "written":
            die()
        renamed = rename(path, target)
        if begun == saves and point == "renamed":
            die()
        return renamed

    Decks.save = save_or_die
    Path.replace = rename_or_die


def enrol_the_rest() -> None:
    """Tap what isn't enrolled yet, in the order of the box, control cards too."""
    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.run(_enrol_the_rest())


async def _enrol_the_rest() -> None:
    async with at_desk("enrol") as person:
        enrolled = Decks(Path("decks"))
        for uid in (*box().cards, *box().controls):
            if enrolled.find(uid) is None:
                await person.tap(uid)


if __name__ == "__main__":
    arm(sys.argv[1], int(sys.argv[2]))
    enrol_the_rest()
