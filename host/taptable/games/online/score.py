"""Who has won, the places at the end, and who begins the next game (R10, R2.3)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.scoreboard import Count, Tallied
from taptable.games.online.cards import CATEGORIES
from taptable.games.online.state import Outcome, Place, State, Team

CATEGORY_CARDS = "category-cards"


def has_won(state: State, team: Team) -> bool:
    """Does this team hold all it needs (R10.1)?"""
    needs = zip(CATEGORIES, state.options.quotas, strict=True)
    return all(len(team.rows[kind.row]) >= quota for kind, quota in needs)


def won_by_quotas(state: State, winner: int) -> Outcome:
    """The outcome when one team holds its quotas: it is first, the others take their places by megabytes (R10.2)."""
    others = [index for index in range(len(state.teams)) if index != winner]
    ranking = _places({index: state.teams[index].mb for index in others}, 2)
    return Outcome((winner,), "quotas", (Place(winner, 1), *ranking))


def won_as_it_stands(state: State, by: str) -> Outcome:
    """The outcome when the score decides, by megabytes or, FR, by category cards; equal is shared (R10.3, R10.5)."""
    by_cards = state.options.edition.time_counts_cards
    scores = {index: team.category_cards if by_cards else team.mb for index, team in enumerate(state.teams)}
    ranking = _places(scores, 1)
    if by_cards:
        ranking = tuple(replace(place, cards=scores[place.team]) for place in ranking)
    return Outcome(tuple(place.team for place in ranking if place.place == 1), by, ranking)


def decisive(place: Place) -> Count | None:
    """What a place went by, where that isn't megabytes (R10.3)."""
    return None if place.cards is None else Count(CATEGORY_CARDS, place.cards)


def tally(state: State) -> tuple[Tallied, ...]:
    """The tally of R10.4: winners note what is left in the losers' hands, which the table can't see, losers
    their shortfall, if there are as many parties as that takes."""
    edition = state.options.edition
    if state.outcome is None or not edition.tally:
        return ()
    winners = state.outcome.winners
    has_losses = len(state.teams) in edition.losses_of_parties
    return tuple(
        Tallied(seats, index in winners, _shortfall(state, team) if has_losses and index not in winners else 0)
        for index, (seats, team) in enumerate(zip(state.options.teams, state.teams, strict=True))
    )


def next_starter(state: State) -> int | None:
    """Who begins the next game by the last known winner; None while there is none (R2.3)."""
    outcome = state.outcome
    if outcome is None or len(outcome.winners) != 1:
        return state.heir
    winner = outcome.winners[0]
    stayed = [seat for seat in state.options.teams[winner] if seat not in state.vacated]
    if not stayed:
        return state.heir
    downloader = state.teams[winner].last_downloader
    seat = downloader if downloader in stayed else min(stayed)
    if state.options.edition.starter_left_of_winner:
        return seat % state.options.players + 1
    return seat


def _places(scores: dict[int, int], first: int) -> tuple[Place, ...]:
    """Standard competition places, best first, equal ones in the order of the teams."""
    places = {team: first + sum(other > score for other in scores.values()) for team, score in scores.items()}
    return tuple(Place(team, place) for team, place in sorted(places.items(), key=lambda item: (item[1], item[0])))


def _shortfall(state: State, team: Team) -> int:
    """How many of the required cards a team has not got."""
    needs = zip(CATEGORIES, state.options.quotas, strict=True)
    return sum(max(0, quota - len(team.rows[kind.row])) for kind, quota in needs)
