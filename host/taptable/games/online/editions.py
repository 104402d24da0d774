"""The editions as data (R12): the same rules, and a few choices in which the rule books differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Edition:
    """One rule book's choices.

    `starter_left_of_winner`: who begins the next game (R2.3). `hack_any_card`: reach of hack B, where no house rule
    says otherwise (R7.8).
    `hack_for_oneself`: may a hacked category card be taken at all (R7.9). `searched_power`, `searched_discard`:
    what may become of a searched card besides a row (R8.1). `time_counts_cards`: what a time limit is decided by, and
    `solo_needs_limit`: is *solo* only played with one (R10.3). `tally`: is a tally kept over several games, and
    `losses_of_parties`: with how many parties it has losses too (R10.4). `reacts_anywhere`: may an attacked team lay
    any access card out of turn, not only put right what was attacked (R6.2)."""

    id: str
    starter_left_of_winner: bool
    hack_any_card: bool
    hack_for_oneself: bool
    searched_power: bool
    searched_discard: bool
    time_counts_cards: bool
    solo_needs_limit: bool
    tally: bool
    losses_of_parties: tuple[int, ...] = (3,)
    reacts_anywhere: bool = False


DE = Edition(
    id="de",
    starter_left_of_winner=False,
    hack_any_card=False,
    hack_for_oneself=True,
    searched_power=False,
    searched_discard=False,
    time_counts_cards=False,
    solo_needs_limit=True,
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
    solo_needs_limit=False,
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
    solo_needs_limit=True,
    tally=True,
)

EDITIONS: Mapping[str, Edition] = MappingProxyType({"de": DE, "en": EN, "fr": FR, "nl": FR})

EDITIONS_1: Mapping[str, Edition] = MappingProxyType(
    {
        id: replace(edition, solo_needs_limit=True, losses_of_parties=(2, 3, 4), reacts_anywhere=True)
        for id, edition in EDITIONS.items()
    }
)
"""The editions by the rules ``online/1``, of release 0.1.0: for the games that were begun by them."""
