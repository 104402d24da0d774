"""The scoreboard: what the display and the page show of any game, in words and numbers. Each game makes it from its
state, in its `public.py`. Must not know a game, nor how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winners, the reason, and everybody's place, the best first. Teams are given by their index;
    where everybody plays alone, by seat."""

    winners: tuple[int, ...]
    by: str
    ranking: tuple[tuple[int, int], ...]


def rank_scores(scores: Mapping[int, int], by: str, winner: int | None = None) -> Outcome:
    """Return the outcome by scores, with standard competition places; a given `winner` is first regardless of
    scores."""
    others = {party: score for party, score in scores.items() if party != winner}
    first = 1 if winner is None else 2
    places = {party: first + sum(other > score for other in others.values()) for party, score in others.items()}
    ranking = sorted(places.items(), key=lambda item: (item[1], item[0]))
    if winner is not None:
        ranking.insert(0, (winner, 1))
    return Outcome(tuple(party for party, place in ranking if place == 1), by, tuple(ranking))


@dataclass(frozen=True, slots=True)
class Mark:
    """Progress towards one quota: ``have`` of ``need``; `secured` once it can't be lost (a backup)."""

    name: str
    have: int
    need: int
    secured: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """A count, such as the cards of a pile or the users of a net: ``have``, and the highest possible number if it is
    known. The words for `name` are in the catalogues, context ``count-of``."""

    name: str
    have: int
    of: int | None = None


@dataclass(frozen=True, slots=True)
class TeamScore:
    """One team: its seats, its score in the game's unit, its quota marks, a short state (``up``, ``blocked``…; "" if
    the game has none), the number of scarce moves a turn allows it (0: they aren't scarce), its other counts, and its
    place at the end. If something else than the score decides the place, `decisive` is the count that does, from the
    beginning of the game on. All teams have it then, under one name, with words in the catalogues in the contexts
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
    """A window in which buttons count, or the claim of the seat that was first: by `margin_us` (None: nobody else had
    pressed), or tied with the seats `tied`. `pressed_seats` wait for a ruling, the earliest press first. Only the
    `answerer` may answer, if there is one. `kind` tells apart the windows, and their words, of a game with several.
    Times are table time in microseconds."""

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
"""The names of the draw pile, and of the cards a seat holds where a game doesn't tell them apart."""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All that players look at. `seat` is on turn (None: waiting for the youngest), `allowance_left` the number of
    scarce moves left to it. `stock` counts what lies there for everybody, such as the draw pile, and `hands` what each
    seat holds, seat 1 first. `pending_facts` are those of the sentences about `pending`, such as missing cards, or a
    number still owed. Nobody plays at the seats `vacated` any more, and the cards `lost` are out of the game.
    `ends_at_us` is the table time at which an agreed time is up, and `skips` are the seats that miss their next
    turn."""

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
        """Return what is left of the agreed time, 0 in the last turn; None without such a time, before the first turn,
        and once the game is over. In a pause the time doesn't run."""
        if self.ends_at_us is None or not self.under_way:
            return None
        return max(0, self.ends_at_us - (now_us if paused_at_us is None else paused_at_us))

    @property
    def under_way(self) -> bool:
        """Whether a game is being played: from its first turn to its end."""
        return self.seat is not None and not self.over

    @property
    def outcome(self) -> dict[str, Any] | None:
        """The end, ready for JSON: winning seats, the reason, and every team's place; None while the game runs."""
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
        """The names of the stocks that are empty."""
        return tuple(count.name for count in self.stock if count.have == 0)


@dataclass(frozen=True, slots=True)
class Tallied:
    """The share of one game in a tally over several: the players enter a winner's gain (None); a loser's loss is
    known."""

    seats: tuple[int, ...]
    won: bool
    loss: int
