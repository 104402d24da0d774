"""What the topics of one table have around them: its configuration, its time, and the proceedings through which alone
they change anything. Must not know a topic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taptable.config import Config
from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.proceedings import Proceedings
from taptable.daemon.table_desk import TableDesk
from taptable.memory.presets import Presets


@dataclass(frozen=True, slots=True)
class Around:
    """`proceedings` is asked for when it is needed: the table is put together after its page."""

    config: Config
    now_us: Callable[[], int]
    proceedings: Callable[[], Proceedings]
    decks: PlayingDeck
    desk: TableDesk
    presets: Presets
