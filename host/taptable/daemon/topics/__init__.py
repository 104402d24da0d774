"""What people at the page may ask of a running table, a module a topic."""

from __future__ import annotations

from taptable.daemon.topics.around import Around
from taptable.daemon.topics.correcting import Correcting
from taptable.daemon.topics.decks import DecksTopic
from taptable.daemon.topics.history import Afterwards
from taptable.daemon.topics.playing import Playing
from taptable.daemon.topics.setting_up import SettingUp
from taptable.edges.page.topics import Topic


def topics_of(around: Around) -> tuple[Topic, ...]:
    """The topics of one table."""
    proceedings = around.proceedings
    return (
        SettingUp(around),
        Playing(proceedings),
        Correcting(proceedings),
        DecksTopic(around),
        Afterwards(around),
    )
