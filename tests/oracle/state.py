"""The oracle's state of a game, and its form in referee-jsonl.md. Mutable throughout."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from .deck import CATEGORY, MB, ROWS, kind_of

LINE = {
    None: "offline",
    "online": "up",
    "turbo-line": "up",
    "virus": "blocked",
    "password-error": "blocked",
    "under-construction": "blocked",
    "password-ok": "cleared",
    "antivirus": "cleared",
}
RATE = {"online": 1, "turbo-line": 2}


class Refusal(Exception):
    """A refusal; `rule` says why."""

    def __init__(self, rule: str, code: str | None = None) -> None:
        super().__init__(rule)
        self.rule = rule
        self.code = code


class NoEffect(Exception):
    """Ignored: it has no meaning now."""

    def __init__(self, rule: str, code: str | None = None) -> None:
        super().__init__(rule)
        self.rule = rule
        self.code = code


class UnknownCard(Exception):
    """A card that is in no deck."""


@dataclass
class Team:
    seats: list[int]
    rows: dict[str, list[str]] = field(default_factory=lambda: {row: [] for row in ROWS})
    backed_up: list[str] = field(default_factory=list)
    last_downloader: int | None = None

    def top(self, row: str) -> str | None:
        """The kind of the row's top card."""
        return kind_of(self.rows[row][-1]) if self.rows[row] else None

    def line(self) -> str:
        return LINE[self.top("connection")]

    def rate(self) -> int:
        return RATE.get(self.top("connection") or "", 0)

    def mb(self) -> int:
        return sum(MB[kind] * len(self.rows[kind]) for kind in CATEGORY)

    def category_cards(self) -> int:
        return sum(len(self.rows[kind]) for kind in CATEGORY)


@dataclass
class Window:
    hacker: int
    opened: int
    closes: int
    pressed: list[int] = field(default_factory=list)  # seats that have pressed, named or not
    queue: list[dict] = field(default_factory=list)  # presses that aren't named yet
    name_at: int | None = None
    claim: dict | None = None
    locked_out: list[int] = field(default_factory=list)
    shown: dict[int, str] = field(default_factory=dict)  # patrol cards that wait for their seat's claim


@dataclass
class Game:
    teams: list[Team]
    hands: dict[int, int]
    pile: int
    last_winner: int | None
    seat: int | None = None
    place: int = 0
    began: int = 0
    downloads: int = 0
    discards: int = 0  # plain ones, this turn
    played: bool = False  # option B has shown itself
    attacked: list[tuple[int, str]] = field(default_factory=list)  # rows of teams that may react
    owed: int = 0  # to the player on turn
    exchanges: list[list[int]] = field(default_factory=list)  # seats and what their exchange is owed
    discard: list[str] = field(default_factory=list)
    skips: list[int] = field(default_factory=list)
    window: Window | None = None
    hacker_card: str | None = None
    pending: str | None = None
    pending_since: int = 0
    ends: int | None = None
    time_up: bool = False
    outcome: dict | None = None


def public_state(game: Game, *, paused: bool) -> dict:
    """The object that `{"show": "state"}` answers with; nothing in it is shared with the game."""
    window = None
    if game.window is not None:
        claim = game.window.claim
        window = {
            "hacker": game.window.hacker,
            "opened_at": game.window.opened / 1_000_000,
            "closes_at": game.window.closes / 1_000_000,
            "claim": None if claim is None else {"seat": claim["seat"], "until": claim["until"] / 1_000_000},
        }
    mode = "play" if game.played else "exchange" if game.discards >= 2 else None
    teams = [
        {
            "seats": team.seats,
            "mb": team.mb(),
            "line": team.line(),
            "rate": team.rate(),
            "connection": team.rows["connection"],
            "memory": team.rows["memory"],
            "rows": {kind: team.rows[kind] for kind in CATEGORY},
            "backed_up": [kind for kind in CATEGORY if kind in team.backed_up],
            "hands": {str(seat): game.hands[seat] for seat in team.seats},
        }
        for team in game.teams
    ]
    return deepcopy(
        {
            "turn": {"seat": game.seat, "downloads": game.downloads, "mode": mode},
            "teams": teams,
            "discard": game.discard,
            "draw_pile": game.pile,
            "owed": [
                {"seat": seat, "cards": cards}
                for seat, cards in [*game.exchanges, *([[game.seat, game.owed]] if game.owed else [])]
            ],
            "skips": sorted(game.skips),
            "window": window,
            "ends_at": None if game.ends is None else game.ends / 1_000_000,
            "pending": game.pending,
            "paused": paused,
            "outcome": game.outcome,
        }
    )
