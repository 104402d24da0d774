"""The editions as data (R12): the same rules, and a few choices in which the rule books differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Edition:
    """One rule book's choices.

    `starter_left_of_winner`: who begins the next game (R2.3). `hack_any_card`: reach of hack B (R7.8).
    `hack_for_oneself`: may a hacked category card be taken at all (R7.9). `searched_power`, `searched_discard`:
    what may become of a searched card besides a row (R8.1). `time_counts_cards`: what a time limit is decided by
    (R10.3). `tally`: is a tally kept over several games (R10.4)."""

    id: str
    starter_left_of_winner: bool
    hack_any_card: bool
    hack_for_oneself: bool
    searched_power: bool
    searched_discard: bool
    time_counts_cards: bool
    tally: bool


DE = Edition(
    id="de",
    starter_left_of_winner=False,
    hack_any_card=False,
    hack_for_oneself=True,
    searched_power=False,
    searched_discard=False,
    time_counts_cards=False,
    tally=False,
)
EN = Edition(
    id="en",
    starter_left_of_winner=True,
    hack_any_card=False,
    hack_for_oneself=False,
    searched_power=True,
    searched_discard=False,
    time_counts_cards=False,
    tally=False,
)
FR = Edition(
    id="fr",
    starter_left_of_winner=False,
    hack_any_card=True,
    hack_for_oneself=True,
    searched_power=True,
    searched_discard=True,
    time_counts_cards=True,
    tally=True,
)

EDITIONS: Mapping[str, Edition] = MappingProxyType({"de": DE, "en": EN, "fr": FR, "nl": FR})
