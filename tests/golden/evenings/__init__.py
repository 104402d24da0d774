"""Who plays the games of the transcripts: for each game the names of its evenings, and how one is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from golden.evenings import cyber_siege, online, xnet


class Evenings(NamedTuple):
    """The names of a game's transcripts, and the lines of one by its name."""

    names: tuple[str, ...]
    lines: Callable[[str], list[str]]


EVENINGS: Mapping[str, Evenings] = {
    "cyber-siege": Evenings(cyber_siege.NAMES, lambda name: cyber_siege.CyberSiegeEvening(name).play()),
    "online": Evenings(online.NAMES, lambda name: online.OnlineEvening(name).play()),
    "xnet": Evenings(xnet.NAMES, lambda name: xnet.XnetEvening(name).play()),
}
