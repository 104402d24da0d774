"""What the OLED and the page show of any game: a picture in words and numbers, made by the game from its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who has won, by what, and everybody with their place, the best first: teams by their index, or
    seats where everybody plays alone."""

    winners: tuple[int, ...]
    by: str
    ranking: tuple[tuple[int, int], ...]


def rank_scores(scores: Mapping[int, int], by: str, winner: int | None = None) -> Outcome:
    """The end by scores, with standard competition places; a `winner` is first whatever the others have."""
    others = {who: score for who, score in scores.items() if who != winner}
    first = 1 if winner is None else 2
    places = {who: first + sum(other > score for other in others.values()) for who, score in others.items()}
    ranking = sorted(places.items(), key=lambda item: (item[1], item[0]))
    if winner is not None:
        ranking.insert(0, (winner, 1))
    return Outcome(tuple(who for who, place in ranking if place == 1), by, tuple(ranking))


@dataclass(frozen=True, slots=True)
class Mark:
    """Progress towards one quota: ``have`` of ``need``; `secured` once it can't be lost (a backup)."""

    name: str
    have: int
    need: int
    secured: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """Something counted, such as cards of a pile or users of a net: ``have``, and how many there can be if that is
    known. The words for `name` are in the catalogues, context ``count-of``."""

    name: str
    have: int
    of: int | None = None


@dataclass(frozen=True, slots=True)
class TeamScore:
    """One team: its seats, its score in the game's unit, its quota marks, a short state (``up``, ``blocked``…; "" if
    the game has none), how many of its scarce moves a turn allows (0: they aren't scarce), what else is counted for
    it, and its place at the end. `decisive` is what the place goes by, or will go by when an agreed time is up, where
    that isn't the score: all teams have it then, by one name, with words in the catalogues in the contexts
    ``count-of``, ``unit`` and ``decided``."""

    seats: tuple[int, ...]
    score: int
    marks: tuple[Mark, ...] = ()
    state: str = ""
    allowance: int = 0
    counts: tuple[Count, ...] = ()
    place: int | None = None
    decisive: Count | None = None


@dataclass(frozen=True, slots=True)
class RunningWindow:
    """A window in which buttons count, or the claim of the seat that was first: by how much (None: nobody else had
    pressed), or tied with which. `pressed_seats` are the seats that wait to be named, the earliest press first. Only
    the `answerer` may answer, if there is one. A `kind` tells the windows of a game apart that has several, and their
    words. Times are table time in microseconds."""

    seat: int
    opened_at_us: int
    closes_at_us: int
    claim_seat: int | None = None
    claim_until_us: int | None = None
    claim_us: int = 0
    tied: tuple[int, ...] = ()
    margin_us: int | None = None
    uncertainty_us: int = 0
    pressed_seats: tuple[int, ...] = ()
    kind: str = ""
    answerer: int | None = None


DRAW_PILE = "draw-pile"
HAND = "hand"
"""The names of the pile that is drawn from, and of what a seat holds, where nothing is told apart."""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All the players look at. `seat` is on turn (None: waiting for the youngest), `allowance_left` how many of its
    scarce moves are left to the player on turn. `stock` is what lies there for everybody, such as the draw pile, and
    `hands` what each seat holds, seat 1 first. `about` are the facts of the sentences on what is `pending`, such as
    which cards are missing, or how many are still owed. At the seats of `vacated` nobody plays any more, and the cards
    of `lost` are out of the game. `ends_at_us` is the table time at which an agreed time is up, and `skips` are the
    seats that miss their next turn."""

    unit: str
    teams: tuple[TeamScore, ...]
    seat: int | None
    stock: tuple[Count, ...]
    hands: tuple[tuple[Count, ...], ...]
    allowance_left: int = 0
    window: RunningWindow | None = None
    pending: str | None = None
    over: bool = False
    by: str | None = None
    vacated: tuple[int, ...] = ()
    lost: tuple[str, ...] = ()
    pending_facts: tuple[tuple[str, object], ...] = ()
    ends_at_us: int | None = None
    skips: tuple[int, ...] = ()

    def left_us(self, now_us: int, paused_at_us: int | None = None) -> int | None:
        """How much of the agreed time is left, 0 in the last turn; None without such a time, before the game has
        begun, and once it is over. In a pause it stands still."""
        if self.ends_at_us is None or not self.under_way:
            return None
        return max(0, self.ends_at_us - (now_us if paused_at_us is None else paused_at_us))

    @property
    def under_way(self) -> bool:
        """Is a game being played? It isn't before its first turn, nor once it is over."""
        return self.seat is not None and not self.over

    @property
    def outcome(self) -> dict[str, Any] | None:
        """The end, ready for JSON: winning seats, by what, and every team's place; None while the game runs."""
        if not self.over:
            return None
        ranking = sorted(self.teams, key=lambda team: team.place or 0)
        return {
            "winner": sorted(seat for team in ranking if team.place == 1 for seat in team.seats),
            "by": self.by,
            "ranking": [
                {"seats": list(team.seats), self.unit.lower(): team.score, "place": team.place} for team in ranking
            ],
        }

    @property
    def empty_stock(self) -> tuple[str, ...]:
        """The names of what there is none left of."""
        return tuple(count.name for count in self.stock if count.have == 0)


@dataclass(frozen=True, slots=True)
class Tallied:
    """What one game adds to a tally over several: a winner's gain is entered by the players (None), a loser's
    loss is known."""

    seats: tuple[int, ...]
    won: bool
    loss: int
