"""A game of ONLINE between virtual players at the daemon, over the stand-ins of somebody else's drivers. A process of
its own, since drivers are found when taptable is imported: ``python evening.py <folder>``. Prints how it ended, as
JSON."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

from taptable.config import load_config
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD
from taptable.core.part_notices import PartLost
from taptable.daemon.game_options import check_game
from taptable.narration.updates import Update
from taptable.sim.harness import running_harness
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.people import NO_SLIPS
from taptable.sim.setting_up import set_up

PLAYERS = 2
LONGEST_S = 2 * 3600.0


def elsewhere(text: str, folder: Path) -> str:
    """The text of a table with all pads in files, all buttons at sockets, and nothing else but a display."""
    places = iter([*range(1, PLAYERS + 1), DISCARD_PAD])
    text = re.sub(r'pad = ".*"(\nreset = ".*")?', lambda _: f'pad = "file:{folder}/{next(places)}"', text)
    places = iter(range(1, PLAYERS + 1))
    text = re.sub(r'button = ".*"', lambda _: f'button = "socket:{folder}/{next(places)}.socket"', text)
    return re.sub(r'lamp = ".*"\n|\[sounder\]\npin = ".*"\n', "", text)


async def play(folder: Path) -> dict[str, object]:
    """Play the game to its end."""
    file = set_up(folder, "online", GameOptions(PLAYERS, "de", {}, 1), "en").file
    file.write_text(elsewhere(file.read_text(encoding="utf-8"), folder), encoding="utf-8")
    config = load_config(file, check_game)
    ended, lost = asyncio.Event(), list[str]()

    def on_update(update: Update) -> None:
        table = update.session.table
        lost.extend(event.part for event in update.events if isinstance(event, PartLost))
        if table.game.outcome(table.state) is not None:
            ended.set()

    async with running_harness(config, seed=3, slips=NO_SLIPS, subscriber=on_update) as room:
        room.people.start_players()
        await asyncio.wait_for(ended.wait(), LONGEST_S)
        table = room.session.table
        return {
            "kinds": sorted({part.address.kind for part in config.parts}),
            "played_s": round(asyncio.get_running_loop().time()),
            "outcome": table.game.outcome(table.state),
            "lost": lost,
            "disagreements": len(room.people.disagreements),
        }


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        print(json.dumps(runner.run(play(Path(sys.argv[1])))))
