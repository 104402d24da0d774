"""The players of the games in the transcripts: for each game the names of its evenings, and the function that plays
one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from golden.playthroughs import cyber_siege, online, xnet


class Playthroughs(NamedTuple):
    """The names of a game's transcripts, and the lines of one by its name."""

    names: tuple[str, ...]
    lines: Callable[[str], list[str]]


PLAYTHROUGHS: Mapping[str, Playthroughs] = {
    "cyber-siege": Playthroughs(cyber_siege.NAMES, lambda name: cyber_siege.CyberSiegePlaythrough(name).play()),
    "online": Playthroughs(online.NAMES, lambda name: online.OnlinePlaythrough(name).play()),
    "xnet": Playthroughs(xnet.NAMES, lambda name: xnet.XnetPlaythrough(name).play()),
}
