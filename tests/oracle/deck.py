"""The 112 cards, the teams and the settings of ONLINE, as the rules page and referee-jsonl.md write them down."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

# R1
COUNTS = {
    "online": 13,
    "turbo-line": 3,
    "password-ok": 8,
    "antivirus": 8,
    "extra-memory": 5,
    "virus": 3,
    "password-error": 3,
    "under-construction": 3,
    "memory-full": 4,
    "email": 22,
    "music": 14,
    "game": 8,
    "movie": 8,
    "hacker": 6,
    "cyber-patrol": 2,
    "search": 2,
}
CARDS = [f"{kind}#{number}" for kind, count in COUNTS.items() for number in range(1, count + 1)]
ACCESS = ("online", "turbo-line", "password-ok", "antivirus", "extra-memory")
ATTACK = ("virus", "password-error", "under-construction", "memory-full")
CATEGORY = ("email", "music", "game", "movie")
BIG = ("game", "movie")
POWER = ("hacker", "cyber-patrol", "search")
MB = {"email": 25, "music": 50, "game": 100, "movie": 200}
ROWS = ("connection", "memory", *CATEGORY)

# §12
EDITIONS = {
    "de": {"starter": "winner", "reach": "top", "steal": "when-up", "search": "row", "time": "mb", "solo": "limit"},
    "en": {"starter": "left", "reach": "top", "steal": "never", "search": "play", "time": "mb", "solo": "free"},
    "fr": {
        "starter": "winner",
        "reach": "any",
        "steal": "when-up",
        "search": "play-or-discard",
        "time": "cards",
        "solo": "limit",
    },
}
EDITIONS["nl"] = EDITIONS["fr"]

TIMES = {"patrol_window_s": (2, 30), "claim_s": (1, 120), "settle_s": (0, 1), "time_limit_s": (1, 86400)}
QUOTAS = {"quota_email": "email", "quota_music": "music", "quota_game": "game", "quota_movie": "movie"}


def kind_of(card: str) -> str:
    return card.split("#")[0]


def row_of(kind: str) -> str:
    """The row a kind lies in (R1); power cards lie in none."""
    if kind in CATEGORY:
        return kind
    return "memory" if kind in ("extra-memory", "memory-full") else "connection"


def read_settings(edition: str, players: int, settings: dict[str, str]) -> dict:
    """Times in µs, quotas by kind, `teams`, `who_may_patrol`, `hack_reach`; ValueError for a setting unknown or out of
    range."""
    chosen: dict = {
        "patrol_window_s": 5_000_000,
        "claim_s": 10_000_000,
        "settle_s": 30_000,
        "time_limit_s": None,
        "quotas": {"email": 6, "music": 4, "game": 2, "movie": 2},
        "teams": "auto",
        "who_may_patrol": "anyone",
        "hack_reach": EDITIONS[edition]["reach"],
    }
    for key, text in settings.items():
        if key in TIMES:
            try:
                seconds = Decimal(text)
            except InvalidOperation:
                raise ValueError(key) from None
            low, high = TIMES[key]
            if not seconds.is_finite() or not low <= seconds <= high:
                raise ValueError(key)
            chosen[key] = int((seconds * 1_000_000).to_integral_value())
        elif key in QUOTAS:
            kind = QUOTAS[key]
            if not text.isdecimal() or int(text) > COUNTS[kind]:
                raise ValueError(key)
            chosen["quotas"][kind] = int(text)
        elif (
            (key == "teams" and text in ("auto", "solo", "two"))
            or (key == "who_may_patrol" and text in ("anyone", "opponents"))
            or (key == "hack_reach" and text in ("top", "any"))
        ):
            chosen[key] = text
        else:
            raise ValueError(key)
    if not any(chosen["quotas"].values()):
        raise ValueError("quotas")
    unlimited = chosen["time_limit_s"] is None and EDITIONS[edition]["solo"] == "limit"
    if chosen["teams"] == "solo" and (players != 4 or unlimited):
        raise ValueError("teams")
    if chosen["teams"] == "two" and players < 4:
        raise ValueError("teams")
    return chosen


def seat_teams(players: int, teams: str) -> list[list[int]]:
    """R2.2: the seats of each team."""
    if players in (2, 3) or teams == "solo":
        return [[seat] for seat in range(1, players + 1)]
    if players == 4 or teams == "two":
        return [list(range(1, players + 1, 2)), list(range(2, players + 1, 2))]
    return [[1, 4], [2, 5], [3]] if players == 5 else [[1, 4], [2, 5], [3, 6]]


def turn_order(players: int, teams: str) -> list[int]:
    """R2.2: the seats in the order of a round; of five in three teams seat 3 has two places."""
    order = list(range(1, players + 1))
    if players == 5 and teams == "auto":
        order.append(3)
    return order
