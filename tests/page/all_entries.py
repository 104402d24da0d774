"""Everything that a person can do at a page: one list, in the order in which it is walked. Additions to the page are
added here; `test_everything` compares the list with the code."""

from __future__ import annotations

from page.demo_entries import OF_THE_GAME, PLAYING_AT_THE_PAGE, STARTING, WORKBENCH
from page.game_entries import ENDING, LOOKING, PAIRING, POWER, PUTTING_RIGHT, SETTING_UP, UNPAIRING
from page.list_entries import CARDS, PEOPLE, SEATS

EVERYTHING = (
    *STARTING,
    *PLAYING_AT_THE_PAGE,
    *WORKBENCH,
    *PAIRING,
    *LOOKING,
    *OF_THE_GAME,
    *POWER,
    *SETTING_UP,
    *PUTTING_RIGHT,
    *PEOPLE,
    *CARDS,
    *SEATS,
    *ENDING,
    *UNPAIRING,
)
BRIEF = (*STARTING, *PLAYING_AT_THE_PAGE, *WORKBENCH[1:3])
"""The demo's own entries; the others are walked at a real table's page."""
