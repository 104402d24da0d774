"""The legal taps from tables of what a row takes, not by trying: a second formulation of R3-R8, read off the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deck import ACCESS, ATTACK, CARDS, CATEGORY, COUNTS, POWER, kind_of

if TYPE_CHECKING:
    from .online import Oracle
    from .state import Game, Team

# what goes on a connection row, by its top card (R4.1, R4.2, R4.4, R6.1)
ON_CONNECTION = {
    None: ["online", "turbo-line"],
    "online": ["turbo-line", "virus", "password-error", "under-construction"],
    "turbo-line": ["virus", "password-error", "under-construction"],
    "virus": ["antivirus"],
    "password-error": ["password-ok"],
    "under-construction": ["online", "turbo-line"],
    "password-ok": ["online", "turbo-line"],
    "antivirus": ["online", "turbo-line"],
}
# what goes on a memory row, by its top card (R4.3, R6.1)
ON_MEMORY = {None: ["extra-memory"], "extra-memory": ["memory-full"], "memory-full": ["extra-memory"]}
EVERY_KIND = list(COUNTS)


def legal_taps(oracle: Oracle) -> list[list[str | int]]:
    """Every [card, pad] that would be accepted now, sorted as referee-jsonl.md prescribes."""
    game = oracle.game
    if game.seat is None or game.outcome is not None:
        return []
    taps: set[tuple[str, int | str]] = set()
    lying = set(game.discard)
    for team in game.teams:
        for row in team.rows.values():
            lying.update(row)
    hidden = [card for card in CARDS if card not in lying]

    def let(kinds: list[str], pads: list[int] | list[str]) -> None:
        taps.update((card, pad) for card in hidden if kind_of(card) in kinds for pad in pads)

    # R6.2
    for number, row in game.attacked:
        team = game.teams[number]
        takes = ON_CONNECTION if row == "connection" else ON_MEMORY
        let(_of(ACCESS, takes[team.top(row)]), [seat for seat in team.seats if _free_hand(game, seat) > 0])
    if game.window is not None:
        let(["cyber-patrol"], _patrol_seats(oracle))
    elif game.pending == "hack":
        taps.update(_hacks(oracle))
    elif game.pending == "search":
        if game.pile > 0:
            for kinds, pads in _plays(oracle):
                let(_without(POWER, kinds) if oracle.edition["search"] == "row" else kinds, pads)
            if oracle.edition["search"] == "play-or-discard":
                let(EVERY_KIND, ["discard"])
    else:
        hand = game.hands[game.seat]
        if hand > 0 and not (game.played and game.discards > 0):
            let(EVERY_KIND, ["discard"])
        drawable = 0 if game.played else min(1, game.pile)
        if hand + drawable > 0 and game.discards < 2:
            for kinds, pads in _plays(oracle):
                let(kinds, pads)
    return [list(tap) for tap in sorted(taps, key=lambda tap: (tap[0], str(tap[1])))]


def _of(group: tuple[str, ...], kinds: list[str]) -> list[str]:
    return [kind for kind in kinds if kind in group]


def _without(group: tuple[str, ...], kinds: list[str]) -> list[str]:
    return [kind for kind in kinds if kind not in group]


def _taken(team: Team) -> list[str]:
    """Kinds the team's connection and memory rows take."""
    return ON_CONNECTION[team.top("connection")] + ON_MEMORY[team.top("memory")]


def _downloadable(team: Team) -> list[str]:
    """The kinds that fit the team's category rows, at any rate."""
    if team.top("connection") not in ("online", "turbo-line"):
        return []
    kinds = list(CATEGORY) if team.top("memory") == "extra-memory" else ["email", "music"]
    return [kind for kind in kinds if kind not in team.backed_up]


def _own_downloads(oracle: Oracle) -> list[str]:
    me = oracle.game.teams[oracle.my_team()]
    rate = {"online": 1, "turbo-line": 2}.get(me.top("connection") or "", 0)
    return _downloadable(me) if oracle.game.downloads < rate else []


def _plays(oracle: Oracle) -> list[tuple[list[str], list[int]]]:
    """The cards that the player on turn may play from the hand, and the pads for them."""
    teams = oracle.game.teams
    me = teams[oracle.my_team()]
    plays = [(_of(ACCESS, _taken(me)) + _own_downloads(oracle) + ["hacker", "search"], me.seats)]
    plays += [(_of(ATTACK, _taken(team)), team.seats) for team in teams if team is not me]
    return plays


def _patrol_seats(oracle: Oracle) -> list[int]:
    game = oracle.game
    window = game.window
    assert window is not None
    hackers = next(team.seats for team in game.teams if window.hacker in team.seats)
    barred = hackers if oracle.settings["who_may_patrol"] == "opponents" else [window.hacker]
    seats = []
    for seat in range(1, oracle.players + 1):
        if seat in barred or seat in window.locked_out or seat in window.shown or game.hands[seat] == 0:
            continue
        # after the close only who has pressed in time may still show a card
        if oracle.now < window.closes or seat in window.pressed:
            seats.append(seat)
    return seats


def _hacks(oracle: Oracle) -> set[tuple[str, int | str]]:
    game = oracle.game
    me = game.teams[oracle.my_team()]
    others = [team for team in game.teams if team is not me]
    hacks: set[tuple[str, int | str]] = set()

    def give(card: str, source: Team | None) -> None:
        for team in others:
            if team is not source and kind_of(card) in _taken(team) + _downloadable(team):
                hacks.update((card, seat) for seat in team.seats)

    def take(card: str) -> None:
        own = _of(ACCESS, _taken(me))
        if oracle.edition["steal"] == "when-up":
            own = own + _own_downloads(oracle)
        if kind_of(card) in own:
            hacks.update((card, seat) for seat in me.seats)

    # A
    for row in ("connection", "memory"):
        if me.top(row) in ATTACK:
            hacks.add((me.rows[row][-1], "discard"))
            give(me.rows[row][-1], me)
    # B
    for team in others:
        for row, cards in team.rows.items():
            if row in team.backed_up:
                continue
            for card in cards[-1:] if oracle.settings["hack_reach"] == "top" else cards:
                hacks.add((card, "discard"))
                take(card)
                give(card, team)
    # C
    under = [
        card
        for card, above in zip(game.discard, game.discard[1:], strict=False)
        if above == game.hacker_card and kind_of(card) != "cyber-patrol"
    ]
    for card in under:
        if kind_of(card) in POWER:
            hacks.update((card, seat) for seat in me.seats)
        else:
            take(card)
            give(card, None)
    return hacks


def _free_hand(game: Game, seat: int) -> int:
    """Cards of a hand that aren't a patrol shown already (R7.5)."""
    return game.hands[seat] - (game.window is not None and seat in game.window.shown)
